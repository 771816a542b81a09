//! `OpenIndex`: an index that is held open for one query after another, and to which documents may be added.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use xxhash_rust::xxh3::xxh3_64;

use super::containment::WantedContainment;
use super::details::{AnswerDetail, AnswerTexts, ResultDetails, TextKey, WantedDetails};
use super::follow_records::FollowedMatch;
use super::found_answer::{AnswerRow, FoundAnswer, keep_best};
use super::open_batch::OpenBatch;
use super::query_document::QueryDocument;
use super::query_settings::{AddWhat, QuerySettings};
use super::searched_indexes::SearchedIndexes;
use super::searcher::IndexSearcher;
use crate::base::error::{Error, IndexError, Result, Setting};
use crate::base::problem::Problem;
use crate::compare::passages::PassageSettings;
use crate::documents::document::OffsetsOf;
use crate::index::database::meta;
use crate::index::database::sampling::SampleRate;
use crate::index::read::loaded_text::{PreparedQuery, StoredSet};
use crate::index::read::stale::problem_of;
use crate::index::read::text_reader::TextReader;
use crate::index::texts::docs::{DocRow, StoredOrigin};
use crate::index::write::writing::{Added, KnownName};
use crate::records::Name;
use crate::search::run::Settings;
use crate::sign::banding::band_keys;
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
/// let answer = seen.ask(Some("b"), "The quick brown fox jumps over the lazy cat.")?;
/// assert!(answer.matches[0].jaccard > 0.79 && !answer.added);
/// assert!(seen.ask(Some("c"), "Something else, and nothing like it is there.")?.added);
/// seen.commit()?;
/// # Ok::<(), dedup_scan::Error>(())
/// ```
pub struct OpenIndex {
    tools: QueryTools,
    asking: QueryState,
}

/// The result of a query.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OpenAnswer {
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
    OfQuestion(Error),
    OfIndex(Error),
}

impl From<Error> for QueryFault {
    fn from(error: Error) -> Self {
        match error {
            error @ Error::Index(IndexError::Damaged { .. }) => Self::OfQuestion(error),
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
        let wait = (query.add != AddWhat::None).then_some(query.wait);
        let mut indexes = SearchedIndexes::open(&query.index, &query.others, wait, CACHE_BYTES)?;
        let mut settings = settings.clone();
        indexes.first().meaning.apply(&mut settings)?;
        if wait.is_some() && indexes.first().referred.is_some() {
            let why = "this index refers to texts in files, but a line from standard input is not in a file";
            return Err(Error::Index(IndexError::NotOfAnIndex { setting: Setting::Add, why }));
        }
        settings.pairs.threshold = query.threshold.unwrap_or(settings.pairs.threshold);
        settings.pairs.kept_names = query.kept_names.map_or(settings.pairs.kept_names, NonZeroUsize::new);
        let first = indexes.first();
        let read_kept = |size| meta::kept_templates(&first.file, &first.meaning, size);
        let kept_templates = settings.pairs.kept_names.map(read_kept).transpose()?.flatten();
        if settings.input.html.strips_records() {
            let (setting, why) = (Setting::Lines, "this index contains HTML pages, but a line has no markup");
            return Err(Error::Index(IndexError::NotOfAnIndex { setting, why }));
        }
        let tools = QueryTools {
            settings,
            containment: WantedContainment::of(indexes.first(), query)?,
            rate: indexes.first().meaning.containment,
            templates: indexes.first_mut().templates.take(),
            kept_templates,
            passages: query.passages,
            pool: rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(Error::ThreadPool)?,
        };
        indexes.end();
        let asking = QueryState { query: query.clone(), indexes, batch: OpenBatch::default(), opened: None };
        Ok(Self { tools, asking })
    }

    /// Searches for documents that are similar to a text, and adds the text according to [`QuerySettings::add`].
    ///
    /// * `id`: the name of the text as a document; without a name it is not added.
    ///
    /// # Errors
    /// When the index cannot be read or written, or has another text with this name and [`QuerySettings::known`] makes
    /// that an error.
    pub fn ask(&mut self, id: Option<&str>, text: &str) -> Result<OpenAnswer> {
        self.asking.commit_in_time()?;
        let (answerer, mut details) = (self.tools.answerer(), self.tools.details());
        let text = text.as_bytes().to_vec();
        let asked = self.asking.ask(&self.tools, &answerer, &mut details, id, text, false);
        asked.map_err(|(QueryFault::OfQuestion(error) | QueryFault::OfIndex(error))| error)
    }

    /// Adds the open batch; it is on the disk afterwards.
    ///
    /// # Errors
    /// When the index cannot be written; then no document of the batch is added.
    pub fn commit(&mut self) -> Result<()> {
        self.asking.commit().map(drop)
    }

    /// The tools and the state of the search, as two separate borrows.
    pub(crate) fn parts(&mut self) -> (&QueryTools, &mut QueryState) {
        (&self.tools, &mut self.asking)
    }
}

impl Drop for OpenIndex {
    fn drop(&mut self) {
        // An explicit call of `commit` reports failures.
        let _ = self.asking.commit();
    }
}

impl QueryTools {
    pub(crate) fn answerer(&self) -> IndexSearcher<'_> {
        let threshold = self.settings.pairs.threshold;
        let answerer = IndexSearcher::new(self.settings.corpus(), self.templates.as_ref(), threshold, &self.pool);
        answerer.by_containment(self.containment)
    }

    /// Creates a finder of the requested details of results.
    pub(crate) fn details(&self) -> ResultDetails<'_> {
        let kept_names = self.settings.pairs.kept_names.map(|size| (size.get(), self.kept_templates.as_ref()));
        let wanted = WantedDetails { passages: self.passages, templates: self.templates.as_ref(), kept_names };
        ResultDetails::new(self.settings.corpus(), wanted, &self.pool)
    }

    /// Prepares a query, and its set unless it has too few tokens for a document.
    fn question(&self, answerer: &IndexSearcher, name: &[u8], text: Vec<u8>) -> (QueryDocument, Option<StoredSet>) {
        let (raw, len) = (xxh3_64(&text), text.len() as u64);
        let syntax = self.settings.corpus().syntax_of(name);
        let PreparedQuery { set, content, syntax, has_few_tokens } = answerer.load_question(text.clone(), syntax);
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
        let question = QueryDocument {
            row,
            keys: keys.into(),
            signature: set.signature.clone(),
            samples,
            num_shingles: 0,
            text: text.into(),
            place: None,
            syntax,
        };
        (question, (!has_few_tokens).then_some(set))
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
    pub(crate) fn ask(
        &mut self,
        tools: &QueryTools,
        answerer: &IndexSearcher,
        details: &mut ResultDetails,
        id: Option<&str>,
        text: Vec<u8>,
        sync: bool,
    ) -> Result<OpenAnswer, QueryFault> {
        let adds = self.query.add != AddWhat::None && id.is_some();
        let (question, set) = tools.question(answerer, id.unwrap_or_default().as_bytes(), text);
        // A text with too few tokens is not a document, as in every other command.
        let Some(set) = set else { return Ok(OpenAnswer::default()) };
        self.indexes.refresh()?;
        let answered = self.matches(tools, answerer, details, &question, &set);
        let known = if adds { self.known(&question) } else { Ok(None) };
        self.indexes.end();
        let ((matches, stale), known) = (answered?, known?);
        // A text without shingles cannot be similar to anything, so it does not count as unseen.
        let is_unseen = matches.is_empty() && question.row.has_text();
        let mut added = adds && known.is_none() && (self.query.add == AddWhat::All || is_unseen);
        let mut is_there = added || known == Some(true);
        if added {
            self.batch.push(&question, set);
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
        Ok(OpenAnswer { matches, added, is_there, stale })
    }

    fn matches(
        &self,
        tools: &QueryTools,
        answerer: &IndexSearcher,
        details: &mut ResultDetails,
        question: &QueryDocument,
        set: &StoredSet,
    ) -> Result<(Vec<FollowedMatch>, Vec<Problem>), QueryFault> {
        let mut found: Vec<(FoundAnswer, AnswerRow)> = Vec::new();
        let mut stale = Vec::new();
        for (index, reader) in self.indexes.readers().enumerate() {
            let answers =
                answerer.answer(reader, std::slice::from_ref(question))?.expect("of one question all are given");
            if let Some(fault) = answers.faults.into_iter().next() {
                return Err(QueryFault::OfQuestion(fault));
            }
            stale.extend(answers.stale.into_iter().map(|stale| problem_of(stale.name, &stale.fault)));
            for &answer in answers.of.iter().flatten() {
                let row = AnswerRow::Stored(reader.document(answer.document)?);
                found.push((FoundAnswer { answer, index, is_open: false }, row));
            }
            // Documents of the open batch will become part of the first index.
            let threshold = tools.settings.pairs.threshold;
            let open = (index == 0).then(|| self.batch.answers(question, set, threshold, tools.templates.is_some()));
            for answer in open.into_iter().flatten() {
                let row = AnswerRow::Open(&self.batch.get(answer.document).row);
                found.push((FoundAnswer { answer, index, is_open: true }, row));
            }
        }
        found.retain(|(found, row)| !self.query.leaves_out_own(found.index) || row.get().name != question.row.name);
        keep_best(&mut found, self.query.best, self.query.containment.is_some(), |(found, _)| &found.answer);
        let mut details = self.details(details, question, &found)?.into_iter();
        let num_hashes = tools.settings.banding.num_hashes() as f64;
        let index_of = |index| self.indexes.name(index).map(|name| Name::new(&name).into_owned());
        let answer = |(found, row): &(FoundAnswer, AnswerRow)| {
            let (name, detail) = (Name::new(&row.get().name).into_owned(), details.next().unwrap_or_default());
            FollowedMatch::new(&found.answer, name, num_hashes, index_of(found.index), detail, tools.passages.is_some())
        };
        Ok((found.iter().map(answer).collect(), stale))
    }

    /// The details of the results of a query; empty when no details are requested.
    fn details(
        &self,
        details: &mut ResultDetails,
        question: &QueryDocument,
        found: &[(FoundAnswer, AnswerRow)],
    ) -> Result<Vec<AnswerDetail>> {
        if !details.are_wanted() {
            return Ok(Vec::new());
        }
        let texts = found
            .iter()
            .map(|(found, row)| [(TextKey::Question(0), &question.row), (TextKey::of(*found, row.get()), row.get())]);
        let answers: Vec<AnswerTexts> = texts.collect();
        let mut reader_of: Vec<TextReader> = self.indexes.readers().map(TextReader::new).collect();
        let mut text_of = |key: TextKey, row: &DocRow| match key {
            TextKey::Question(_) => Ok(Some(question.text.to_vec())),
            TextKey::Open(place) => Ok(self.batch.get(place).text.as_deref().map(<[u8]>::to_vec)),
            TextKey::Stored(index, ..) => reader_of[index].read(row).map(Some),
        };
        details.of(&answers, &mut text_of)
    }

    /// Whether an existing document with the name of the query, which would stay, has the same text; `None` when there
    /// is no such document.
    fn known(&self, question: &QueryDocument) -> Result<Option<bool>, QueryFault> {
        let reader = self.indexes.first();
        let is_same = |row: &DocRow| {
            (row.raw, row.content, row.len) == (question.row.raw, question.row.content, question.row.len)
        };
        let in_batch = self.batch.with_name(&question.row.name).map(|document| is_same(&document.row));
        let in_index =
            reader.with_names(&[&question.row.name], None)?[0].as_ref().map(|(_, document)| is_same(document));
        match (in_batch.or(in_index), self.query.known) {
            (None, _) | (Some(false), KnownName::Replace) => Ok(None),
            (known @ Some(true), _) | (known @ Some(false), KnownName::Skip) => Ok(known),
            (Some(false), KnownName::Error) => {
                let id = String::from_utf8_lossy(&question.row.name).into_owned();
                Err(QueryFault::OfQuestion(Error::Index(IndexError::KnownId { id })))
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
