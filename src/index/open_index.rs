//! `OpenIndex`: an index that is held open: one question after another in, its similar documents out; documents are added.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use xxhash_rust::xxh3::xxh3_64;

use super::answers::Answerer;
use super::asked::AskedIndexes;
use super::containment::WantedContainment;
use super::details::{AnswerDetail, AnswerDetails, AnswerTexts, TextKey, WantedDetails};
use super::docs::{DocRow, StoredOrigin};
use super::followed::FollowedMatch;
use super::found::{AnswerRow, FoundAnswer, keep_best};
use super::loaded_text::{LoadedQuestion, StoredSet};
use super::meta;
use super::open_batch::OpenBatch;
use super::query_settings::{AddWhat, QuerySettings};
use super::question::IndexQuestion;
use super::sampling::SampleRate;
use super::stale::problem_of;
use super::text_reader::TextReader;
use super::writing::{Added, KnownName};
use crate::banding::band_keys;
use crate::document::OffsetsOf;
use crate::error::{Error, IndexError, Result};
use crate::input::HtmlMode;
use crate::output::Name;
use crate::passages::PassageSettings;
use crate::problem::Problem;
use crate::removal::Removal;
use crate::run::Settings;

/// Documents of an open batch.
const MOST_OPEN: usize = 1000;
/// How long a batch stays open.
const MOST_TIME: Duration = Duration::from_secs(1);
/// Bytes of pages that are kept.
const CACHE_BYTES: u64 = 24 << 20;

/// An index that is held open: opened once, asked many times, and added to.
///
/// Each question sees what was added before it, by this process and by others. What is added is one batch, which is on the disk
/// after 1,000 documents, with the first question after a second, and by [`commit`](Self::commit); questions to this object see
/// it before. When the object is dropped, the open batch is added too, as far as that succeeds.
///
/// ```
/// use dedup_scan::{AddWhat, InputSettings, OpenIndex, QuerySettings, Settings, Unwatched, build_index};
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
    tools: AskingTools,
    asking: OpenAsking,
}

/// The answer to a question.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OpenAnswer {
    /// The similar documents of the index, in its order, or the best ones first.
    pub matches: Vec<FollowedMatch>,
    /// Whether the question was added as a document.
    pub added: bool,
    /// Whether a document with its id and its text is in the index, or in the open batch. False where nothing is to be added, or
    /// without an id.
    pub is_there: bool,
    /// Documents that may be similar, and whose texts are no longer those that the index refers to: what is wrong with each.
    pub stale: Vec<Problem>,
}

/// What questions are cut and signed with.
pub(super) struct AskingTools {
    pub(super) settings: Settings,
    templates: Option<Removal>,
    /// Shingles with names kept that are removed from every text.
    kept_templates: Option<Removal>,
    passages: Option<PassageSettings>,
    containment: Option<WantedContainment>,
    /// Which shingles are sampled.
    rate: Option<SampleRate>,
    pool: rayon::ThreadPool,
}

/// The indexes that are asked, and what is to be added.
pub(super) struct OpenAsking {
    pub(super) query: QuerySettings,
    indexes: AskedIndexes,
    batch: OpenBatch,
    /// When the batch got its first document.
    opened: Option<Instant>,
}

/// Why a question has no answer.
pub(super) enum AskFault {
    /// The next one may have one.
    OfQuestion(Error),
    OfIndex(Error),
}

impl From<Error> for AskFault {
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
    /// * `query`: the index, what is looked for, and whether questions are added.
    ///
    /// # Errors
    /// When it is no index, cannot be read, or was not made for what is asked for.
    pub fn open(query: &QuerySettings) -> Result<Self> {
        Self::open_with(query, &Settings::default())
    }

    /// As [`open`](Self::open).
    ///
    /// * `settings`: of inputs; all else is that of the index.
    pub(super) fn open_with(query: &QuerySettings, settings: &Settings) -> Result<Self> {
        let wait = (query.add != AddWhat::None).then_some(query.wait);
        let mut indexes = AskedIndexes::open(&query.index, &query.others, wait, CACHE_BYTES)?;
        let mut settings = settings.clone();
        indexes.first().meaning.apply(&mut settings, &query.index)?;
        if wait.is_some() && indexes.first().referred.is_some() {
            let why = "this index refers to texts in files, but a line from standard input is not in a file";
            return Err(Error::Index(IndexError::NotOfAnIndex { what: "--add", why }));
        }
        settings.pairs.threshold = query.threshold.unwrap_or(settings.pairs.threshold);
        settings.pairs.kept_names = query.kept_names.map_or(settings.pairs.kept_names, NonZeroUsize::new);
        let first = indexes.first();
        let read_kept = |size| meta::kept_templates(&first.file, &first.meaning, size);
        let kept_templates = settings.pairs.kept_names.map(read_kept).transpose()?.flatten();
        if settings.input.html == HtmlMode::Strip {
            let (what, why) = ("--stdin", "this index contains HTML pages, but a line has no markup");
            return Err(Error::Index(IndexError::NotOfAnIndex { what, why }));
        }
        let tools = AskingTools {
            settings,
            containment: WantedContainment::of(indexes.first(), query)?,
            rate: indexes.first().meaning.containment,
            templates: indexes.first_mut().templates.take(),
            kept_templates,
            passages: query.passages,
            pool: rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(Error::ThreadPool)?,
        };
        indexes.end();
        let asking = OpenAsking { query: query.clone(), indexes, batch: OpenBatch::default(), opened: None };
        Ok(Self { tools, asking })
    }

    /// Asks which documents are similar to a text, and adds it as [`QuerySettings::add`] says.
    ///
    /// * `id`: its name, by which it is known when it is added; without one it is not added.
    ///
    /// # Errors
    /// When the index cannot be read or written, or has another text under this name and that is an error.
    pub fn ask(&mut self, id: Option<&str>, text: &str) -> Result<OpenAnswer> {
        self.asking.commit_in_time()?;
        let (answerer, mut details) = (self.tools.answerer(), self.tools.details());
        let text = text.as_bytes().to_vec();
        let asked = self.asking.ask(&self.tools, &answerer, &mut details, id, text, false);
        asked.map_err(|(AskFault::OfQuestion(error) | AskFault::OfIndex(error))| error)
    }

    /// Adds what is open; it is on the disk afterwards.
    ///
    /// # Errors
    /// When the index cannot be written; nothing of the batch is added then.
    pub fn commit(&mut self) -> Result<()> {
        self.asking.commit().map(drop)
    }

    /// What questions are cut with, and what is asked, apart.
    pub(super) fn parts(&mut self) -> (&AskingTools, &mut OpenAsking) {
        (&self.tools, &mut self.asking)
    }
}

impl Drop for OpenIndex {
    fn drop(&mut self) {
        // Whoever wants to know calls `commit`.
        let _ = self.asking.commit();
    }
}

impl AskingTools {
    pub(super) fn answerer(&self) -> Answerer<'_> {
        let threshold = self.settings.pairs.threshold;
        let answerer = Answerer::new(self.settings.corpus(), self.templates.as_ref(), threshold, &self.pool);
        answerer.by_containment(self.containment)
    }

    /// What finds the details of answers that are asked for.
    pub(super) fn details(&self) -> AnswerDetails<'_> {
        let kept_names = self.settings.pairs.kept_names.map(|size| (size.get(), self.kept_templates.as_ref()));
        let wanted = WantedDetails { passages: self.passages, templates: self.templates.as_ref(), kept_names };
        AnswerDetails::new(self.settings.corpus(), wanted, &self.pool)
    }

    /// A question, and its set unless it has too few tokens for a document.
    fn question(&self, answerer: &Answerer, name: &[u8], text: Vec<u8>) -> (IndexQuestion, Option<StoredSet>) {
        let (raw, len) = (xxh3_64(&text), text.len() as u64);
        let syntax = self.settings.corpus().syntax_of(name);
        let LoadedQuestion { set, content, syntax, has_few_tokens } = answerer.load_question(text.clone(), syntax);
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
        let question = IndexQuestion {
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

impl OpenAsking {
    /// Adds what has been open for long.
    pub(super) fn commit_in_time(&mut self) -> Result<()> {
        if self.opened.is_some_and(|opened| opened.elapsed() >= MOST_TIME) { self.commit().map(drop) } else { Ok(()) }
    }

    /// Answers a question, and adds it where that is wanted and it has a name.
    ///
    /// * `sync`: whether it is on the disk then.
    pub(super) fn ask(
        &mut self,
        tools: &AskingTools,
        answerer: &Answerer,
        details: &mut AnswerDetails,
        id: Option<&str>,
        text: Vec<u8>,
        sync: bool,
    ) -> Result<OpenAnswer, AskFault> {
        let adds = self.query.add != AddWhat::None && id.is_some();
        let (question, set) = tools.question(answerer, id.unwrap_or_default().as_bytes(), text);
        // As every other command it takes a text of too few tokens for no document.
        let Some(set) = set else { return Ok(OpenAnswer::default()) };
        self.indexes.refresh()?;
        let answered = self.matches(tools, answerer, details, &question, &set);
        let known = if adds { self.known(&question) } else { Ok(None) };
        self.indexes.end();
        let ((matches, stale), known) = (answered?, known?);
        // Of what is empty nothing can have been seen.
        let is_unseen = matches.is_empty() && question.row.has_text();
        let mut added = adds && known.is_none() && (self.query.add == AddWhat::All || is_unseen);
        let mut is_there = added || known == Some(true);
        if added {
            self.batch.push(&question, set);
            self.opened.get_or_insert_with(Instant::now);
            if sync || self.batch.len() >= MOST_OPEN || self.query.known == KnownName::Replace {
                // What was open is lost with it, whatever the fault.
                let written = self.commit().map_err(AskFault::OfIndex)?;
                // Another process may have used its id meanwhile, for another text.
                if sync {
                    (added, is_there) = (written.added + written.replaced > 0, written.skipped == 0);
                }
            }
        }
        Ok(OpenAnswer { matches, added, is_there, stale })
    }

    fn matches(
        &self,
        tools: &AskingTools,
        answerer: &Answerer,
        details: &mut AnswerDetails,
        question: &IndexQuestion,
        set: &StoredSet,
    ) -> Result<(Vec<FollowedMatch>, Vec<Problem>), AskFault> {
        let mut found: Vec<(FoundAnswer, AnswerRow)> = Vec::new();
        let mut stale = Vec::new();
        for (index, reader) in self.indexes.readers().enumerate() {
            let answers =
                answerer.answer(reader, std::slice::from_ref(question))?.expect("of one question all are given");
            if let Some(fault) = answers.faults.into_iter().next() {
                return Err(AskFault::OfQuestion(fault));
            }
            stale.extend(answers.stale.into_iter().map(|stale| problem_of(stale.name, &stale.fault)));
            for &answer in answers.of.iter().flatten() {
                let row = AnswerRow::Stored(reader.document(answer.document)?);
                found.push((FoundAnswer { answer, index, is_open: false }, row));
            }
            // What is open becomes a part of the first one.
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

    /// The details of the answers to a question; none where none are wanted.
    fn details(
        &self,
        details: &mut AnswerDetails,
        question: &IndexQuestion,
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

    /// Whether the document that is there with the name, and stays, has the same text.
    fn known(&self, question: &IndexQuestion) -> Result<Option<bool>, AskFault> {
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
                Err(AskFault::OfQuestion(Error::Index(IndexError::KnownId { id })))
            }
        }
    }

    /// Adds the open batch; says what became of it.
    pub(super) fn commit(&mut self) -> Result<Added> {
        self.opened = None;
        // An id that another process has added meanwhile is that process's.
        let known = if self.query.known == KnownName::Error { KnownName::Skip } else { self.query.known };
        let documents = self.batch.take();
        if documents.is_empty() { Ok(Added::default()) } else { self.indexes.add(documents, known) }
    }
}
