//! `OpenIndex`: an index that is held open for one query after another, and to which documents may be added.

use std::time::{Duration, Instant};

use xxhash_rust::xxh3::xxh3_64;

use super::containment::WantedContainment;
use super::details::{MatchDetail, MatchTexts, ResultDetails, TextKey, WantedDetails};
use super::follow_records::FollowedMatch;
use super::found_match::{FoundMatch, MatchRow, keep_best};
use super::open_batch::OpenBatch;
use super::query_document::QueryDocument;
use super::query_settings::{AddWhat, QuerySettings};
use super::searched_indexes::SearchedIndexes;
use super::searcher::IndexSearcher;
use crate::base::error::{Error, IndexError, Result};
use crate::base::problem::Problem;
use crate::base::setting::Setting;
use crate::compare::passages::PassageSettings;
use crate::documents::document::OffsetsOf;
use crate::index::database::sampling::SampleRate;
use crate::index::read::loaded_text::{PreparedQuery, StoredSet};
use crate::index::read::stale::problem_of;
use crate::index::read::text_reader::TextReader;
use crate::index::texts::docs::{DocRow, StoredOrigin};
use crate::index::write::writing::{Added, KnownName};
use crate::records::Name;
use crate::search::matching::MatchSettings;
use crate::search::run::Settings;
use crate::sign::banding::band_keys;
use crate::text::code::StatedSyntax;
use crate::text::removal::Removal;

/// The maximum number of documents of an open batch.
const MOST_OPEN: usize = 1000;
/// The maximum time that a batch stays open.
const MOST_TIME: Duration = Duration::from_secs(1);
/// The size of the page cache in bytes.
const CACHE_BYTES: u64 = 24 << 20;

/// An index that is held open: opened once, searched many times, and added to.
///
/// Each query sees the documents that were added before it, by this process and by others. Added documents form a
/// batch. The batch is written to the disk after 1,000 documents, with the first query after a second, and by
/// [`commit`](Self::commit); queries on this object find its documents earlier. Dropping the object also tries to write
/// the open batch.
///
/// ```
/// use dedup_scan::index::{AddWhat, OpenIndex, QuerySettings, build_index};
/// use dedup_scan::{InputSettings, Settings, Unwatched};
///
/// # let folder = tempfile::tempdir().unwrap();
/// let (corpus, index) = (folder.path().join("a.txt"), folder.path().join("seen.index"));
/// std::fs::write(&corpus, "The quick brown fox jumps over the lazy dog.").unwrap();
/// build_index(&index, Default::default(), &Settings::of(InputSettings::of(vec![corpus])), &Unwatched)?;
///
/// let mut seen = OpenIndex::open(&QuerySettings { index, add: AddWhat::Unseen, ..QuerySettings::default() })?;
/// let result = seen.search(Some("b"), "The quick brown fox jumps over the lazy cat.")?;
/// assert!(result.matches[0].jaccard > 0.79 && !result.added);
/// assert!(seen.search(Some("c"), "Something else, and nothing like it is there.")?.added);
/// seen.commit()?;
/// # Ok::<(), dedup_scan::Error>(())
/// ```
pub struct OpenIndex {
    tools: QueryTools,
    state: QueryState,
}

/// The result of a query.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OpenResult {
    /// The similar documents of the index, in its order, or the best ones first.
    pub matches: Vec<FollowedMatch>,
    /// Whether the query was added as a document.
    pub added: bool,
    /// Whether the index or the open batch contains a document with the id and the text of the query. False when
    /// nothing is to be added, or without an id.
    pub is_there: bool,
    /// The documents that may be similar but could not be compared, because their texts have changed or are missing.
    pub stale: Vec<Problem>,
}

/// The settings and tools that queries are processed with.
pub(crate) struct QueryTools {
    pub(crate) settings: Settings,
    templates: Option<Removal>,
    /// Template shingles with identifiers kept, which are removed from every text.
    kept_templates: Option<Removal>,
    passages: Option<PassageSettings>,
    matching: Option<MatchSettings>,
    containment: Option<WantedContainment>,
    /// The sampling rate of shingles.
    rate: Option<SampleRate>,
    pool: rayon::ThreadPool,
}

/// The indexes to search, and the documents to add.
pub(crate) struct QueryState {
    pub(crate) query: QuerySettings,
    indexes: SearchedIndexes,
    batch: OpenBatch,
    /// The time at which the batch got its first document.
    opened: Option<Instant>,
}

/// A failed query.
pub(crate) enum QueryFault {
    /// A fault of this query only; the next one may succeed.
    OfQuery(Error),
    OfIndex(Error),
}

impl From<Error> for QueryFault {
    fn from(error: Error) -> Self {
        match error {
            error @ Error::Index(IndexError::Damaged { .. }) => Self::OfQuery(error),
            error => Self::OfIndex(error),
        }
    }
}

impl OpenIndex {
    /// Opens an index.
    ///
    /// * `query`: the index, the kind of search, and whether queries are added.
    ///
    /// # Errors
    /// When the file is not an index, cannot be read, or was not built for this kind of search.
    pub fn open(query: &QuerySettings) -> Result<Self> {
        Self::open_with(query, &Settings::default())
    }

    /// Like [`open`](Self::open), with settings of inputs.
    ///
    /// * `settings`: the settings of inputs; all other settings come from the index.
    pub(crate) fn open_with(query: &QuerySettings, settings: &Settings) -> Result<Self> {
        let (mut indexes, settings) = SearchedIndexes::open(query, settings, CACHE_BYTES)?;
        if query.add != AddWhat::None && indexes.first().referred.is_some() {
            let why = "this index refers to texts in files, but a line from standard input is not in a file";
            return Err(Error::Index(IndexError::NotOfAnIndex { setting: Setting::Add, why }));
        }
        let kept_templates = indexes.kept_templates(&settings)?;
        if settings.input.html.strips_records() {
            let (setting, why) = (Setting::Lines, "this index contains HTML pages, but a line has no markup");
            return Err(Error::Index(IndexError::NotOfAnIndex { setting, why }));
        }
        let tools = QueryTools {
            settings,
            containment: WantedContainment::of(indexes.first(), query)?,
            rate: indexes.first().result_settings.containment,
            templates: indexes.first_mut().templates.take(),
            kept_templates,
            passages: query.passage_settings(),
            matching: query.matching,
            pool: rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(Error::ThreadPool)?,
        };
        indexes.end();
        let state = QueryState { query: query.clone(), indexes, batch: OpenBatch::default(), opened: None };
        Ok(Self { tools, state })
    }

    /// Searches for documents that are similar to a text, and adds the text according to [`QuerySettings::add`].
    ///
    /// * `id`: the name of the text as a document; without a name it is not added.
    ///
    /// # Errors
    /// When the index cannot be read or written, or has another text with this name and [`QuerySettings::known`] makes
    /// that an error.
    pub fn search(&mut self, id: Option<&str>, text: &str) -> Result<OpenResult> {
        self.state.commit_in_time()?;
        let (searcher, mut details) = (self.tools.searcher(), self.tools.details());
        let text = text.as_bytes().to_vec();
        let searched = self.state.search(&self.tools, &searcher, &mut details, id, text, false);
        searched.map_err(|(QueryFault::OfQuery(error) | QueryFault::OfIndex(error))| error)
    }

    /// Adds the open batch; it is on the disk afterwards.
    ///
    /// # Errors
    /// When the index cannot be written; then no document of the batch is added.
    pub fn commit(&mut self) -> Result<()> {
        self.state.commit().map(drop)
    }

    /// The tools and the state of the search, as two separate borrows.
    pub(crate) fn parts(&mut self) -> (&QueryTools, &mut QueryState) {
        (&self.tools, &mut self.state)
    }
}

impl Drop for OpenIndex {
    fn drop(&mut self) {
        // An explicit call of `commit` reports failures.
        let _ = self.state.commit();
    }
}

impl QueryTools {
    pub(crate) fn searcher(&self) -> IndexSearcher<'_> {
        let threshold = self.settings.pairs.threshold;
        let searcher = IndexSearcher::new(self.settings.corpus(), self.templates.as_ref(), threshold, &self.pool);
        searcher.by_containment(self.containment)
    }

    /// Creates a finder of the requested details of results.
    pub(crate) fn details(&self) -> ResultDetails<'_> {
        let kept_names = self.settings.pairs.kept_names.map(|size| (size.get(), self.kept_templates.as_ref()));
        let (passages, matching) = (self.passages, self.matching);
        let wanted = WantedDetails { passages, matching, templates: self.templates.as_ref(), kept_names };
        ResultDetails::new(self.settings.corpus(), wanted, &self.pool)
    }

    /// Prepares a query, and its set unless it has too few tokens for a document.
    fn query(&self, searcher: &IndexSearcher, name: &[u8], text: Vec<u8>) -> (QueryDocument, Option<StoredSet>) {
        let (raw, len) = (xxh3_64(&text), text.len() as u64);
        let syntax = self.settings.corpus().syntax_of(name, StatedSyntax::None);
        let PreparedQuery { set, content, syntax, has_few_tokens } = searcher.load_query(text.clone(), syntax);
        let mut keys = Vec::new();
        if content.is_some() {
            keys.resize(self.settings.banding.bands(), 0);
            band_keys(&set.signature, &mut keys);
        }
        let row = DocRow {
            name: name.to_vec(),
            content: content.unwrap_or(0),
            raw,
            first: 0,
            text: 0,
            len,
            origin: StoredOrigin::Named,
            syntax,
            offsets_of: OffsetsOf::Field,
            is_original: true,
        };
        let samples = self.rate.map_or_else(Box::default, |rate| rate.keys(set.set.set().hashes()));
        let query = QueryDocument {
            row,
            keys: keys.into(),
            signature: set.signature.clone(),
            samples,
            num_shingles: 0,
            text: text.into(),
            place: None,
            syntax,
        };
        (query, (!has_few_tokens).then_some(set))
    }
}

impl QueryState {
    /// Writes the batch if it has been open for too long.
    pub(crate) fn commit_in_time(&mut self) -> Result<()> {
        if self.opened.is_some_and(|opened| opened.elapsed() >= MOST_TIME) { self.commit().map(drop) } else { Ok(()) }
    }

    /// Searches for a text, and adds it if that is requested and it has a name.
    ///
    /// * `sync`: whether to write the added document to the disk at once.
    pub(crate) fn search(
        &mut self,
        tools: &QueryTools,
        searcher: &IndexSearcher,
        details: &mut ResultDetails,
        id: Option<&str>,
        text: Vec<u8>,
        sync: bool,
    ) -> Result<OpenResult, QueryFault> {
        let adds = self.query.add != AddWhat::None && id.is_some();
        let (query, set) = tools.query(searcher, id.unwrap_or_default().as_bytes(), text);
        // A text with too few tokens is not a document, as in every other command.
        let Some(set) = set else { return Ok(OpenResult::default()) };
        self.indexes.refresh()?;
        let searched = self.matches(tools, searcher, details, &query, &set);
        let known = if adds { self.known(&query) } else { Ok(None) };
        self.indexes.end();
        let ((matches, stale), known) = (searched?, known?);
        // A text without shingles cannot be similar to anything, so it does not count as unseen.
        let is_unseen = matches.is_empty() && query.row.has_text();
        let mut added = adds && known.is_none() && (self.query.add == AddWhat::All || is_unseen);
        let mut is_there = added || known == Some(true);
        if added {
            self.batch.push(&query, set);
            self.opened.get_or_insert_with(Instant::now);
            if sync || self.batch.len() >= MOST_OPEN || self.query.known == KnownName::Replace {
                // A failure loses the whole batch, so it is a fault of the index and not of the query.
                let written = self.commit().map_err(QueryFault::OfIndex)?;
                // Another process may have used the id for another text in the meantime.
                if sync {
                    (added, is_there) = (written.added + written.replaced > 0, written.skipped == 0);
                }
            }
        }
        Ok(OpenResult { matches, added, is_there, stale })
    }

    fn matches(
        &self,
        tools: &QueryTools,
        searcher: &IndexSearcher,
        details: &mut ResultDetails,
        query: &QueryDocument,
        set: &StoredSet,
    ) -> Result<(Vec<FollowedMatch>, Vec<Problem>), QueryFault> {
        let mut found: Vec<(FoundMatch, MatchRow)> = Vec::new();
        let mut stale = Vec::new();
        for (index, reader) in self.indexes.readers().enumerate() {
            let results = searcher.search(reader, std::slice::from_ref(query))?.expect("one query is never split");
            if let Some(fault) = results.faults.into_iter().next() {
                return Err(QueryFault::OfQuery(fault));
            }
            stale.extend(results.stale.into_iter().map(|stale| problem_of(stale.name, &stale.fault)));
            for &matched in results.of.iter().flatten() {
                let row = MatchRow::Stored(reader.document(matched.document)?);
                found.push((FoundMatch { matched, index, is_open: false }, row));
            }
            // Documents of the open batch will become part of the first index.
            let threshold = tools.settings.pairs.threshold;
            let open = (index == 0).then(|| self.batch.matches(query, set, threshold, tools.templates.is_some()));
            for matched in open.into_iter().flatten() {
                let row = MatchRow::Open(&self.batch.get(matched.document).row);
                found.push((FoundMatch { matched, index, is_open: true }, row));
            }
        }
        found.retain(|(found, row)| !self.query.leaves_out_own(found.index) || row.get().name != query.row.name);
        let by_samples = self.query.is_by_samples();
        // Whether passages are enough is known only with the details.
        if tools.matching.is_none() {
            keep_best(&mut found, self.query.best, by_samples, |(found, _)| &found.matched);
        }
        let details = self.details(details, query, &found)?.into_iter();
        let details = details.chain(std::iter::repeat_with(MatchDetail::default));
        let mut found: Vec<_> = found.into_iter().zip(details).filter(|(_, detail)| !detail.is_too_little).collect();
        keep_best(&mut found, self.query.best, by_samples, |((found, _), _)| &found.matched);
        let num_hashes = tools.settings.banding.num_hashes() as f64;
        let index_of = |index| self.indexes.name(index).map(|name| Name::new(&name).into_owned());
        let has_passages = tools.passages.is_some();
        let followed = |((found, row), detail): ((FoundMatch, MatchRow), MatchDetail)| {
            let name = Name::new(&row.get().name).into_owned();
            FollowedMatch::new(&found.matched, name, num_hashes, index_of(found.index), detail, has_passages)
        };
        Ok((found.into_iter().map(followed).collect(), stale))
    }

    /// The details of the results of a query; empty when no details are requested.
    fn details(
        &self,
        details: &mut ResultDetails,
        query: &QueryDocument,
        found: &[(FoundMatch, MatchRow)],
    ) -> Result<Vec<MatchDetail>> {
        if !details.are_wanted() {
            return Ok(Vec::new());
        }
        let texts = found
            .iter()
            .map(|(found, row)| [(TextKey::Query(0), &query.row), (TextKey::of(*found, row.get()), row.get())]);
        let texts: Vec<MatchTexts> = texts.collect();
        let mut reader_of: Vec<TextReader> = self.indexes.readers().map(TextReader::new).collect();
        let mut text_of = |key: TextKey, row: &DocRow| match key {
            TextKey::Query(_) => Ok(Some(query.text.to_vec())),
            TextKey::Open(place) => Ok(self.batch.get(place).text.as_deref().map(<[u8]>::to_vec)),
            TextKey::Stored(index, ..) => reader_of[index].read(row).map(Some),
        };
        details.of(&texts, &mut text_of)
    }

    /// Whether an existing document with the name of the query, which would stay, has the same text; `None` when there
    /// is no such document.
    fn known(&self, query: &QueryDocument) -> Result<Option<bool>, QueryFault> {
        let reader = self.indexes.first();
        let is_same =
            |row: &DocRow| (row.raw, row.content, row.len) == (query.row.raw, query.row.content, query.row.len);
        let in_batch = self.batch.with_name(&query.row.name).map(|document| is_same(&document.row));
        let in_index = reader.with_names(&[&query.row.name], None)?[0].as_ref().map(|(_, document)| is_same(document));
        match (in_batch.or(in_index), self.query.known) {
            (None, _) | (Some(false), KnownName::Replace) => Ok(None),
            (known @ Some(true), _) | (known @ Some(false), KnownName::Skip) => Ok(known),
            (Some(false), KnownName::Error) => {
                let id = String::from_utf8_lossy(&query.row.name).into_owned();
                Err(QueryFault::OfQuery(Error::Index(IndexError::KnownId { id })))
            }
        }
    }

    /// Adds the open batch, and returns its counts.
    pub(crate) fn commit(&mut self) -> Result<Added> {
        self.opened = None;
        // If another process has added a document with the same id in the meantime, that document stays.
        let known = if self.query.known == KnownName::Error { KnownName::Skip } else { self.query.known };
        let documents = self.batch.take();
        if documents.is_empty() { Ok(Added::default()) } else { self.indexes.add(documents, known) }
    }
}
