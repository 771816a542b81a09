//! `follow_index`: lines in, each a document as a JSON object; for each an answer out, before the next line is looked at.

use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::Value;
use xxhash_rust::xxh3::xxh3_64;

use super::answer::IndexAnswer;
use super::answers::Answerer;
use super::docs::{DocRow, StoredOrigin};
use super::loaded_text::StoredSet;
use super::open_batch::OpenBatch;
use super::query::{AddWhat, QuerySettings};
use super::question::IndexQuestion;
use super::source::IndexSource;
use super::writing::KnownName;
use crate::banding::band_keys;
use crate::document::OffsetsOf;
use crate::error::{Error, IndexError, Result};
use crate::input::HtmlMode;
use crate::output::Name;
use crate::run::Settings;

/// Documents of an open batch.
const MOST_OPEN: usize = 1000;
/// How long a batch stays open.
const MOST_TIME: Duration = Duration::from_secs(1);
/// How long to wait for a line before looking at the clock.
const TICK: Duration = Duration::from_millis(50);
/// Bytes of pages that are kept.
const CACHE_BYTES: u64 = 24 << 20;

/// What comes next.
#[derive(Debug)]
pub enum FollowedLine {
    /// A line, without its end.
    Line(Vec<u8>),
    /// None yet.
    Waiting,
    /// No more lines.
    End,
}

/// The answer to a line.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum FollowedAnswer<'a> {
    /// To a document.
    Found {
        /// Its id; null when it has none.
        id: Option<Name<'a>>,
        /// The similar documents of the index, in its order, or the best ones first.
        matches: Vec<FollowedMatch>,
        /// Whether it was added. It may be lost with the open batch, unless `durable` is true.
        added: bool,
        /// Whether it is on the disk; only where that is asked for.
        #[serde(skip_serializing_if = "Option::is_none")]
        durable: Option<bool>,
    },
    /// To a line that cannot be answered.
    Failed {
        /// Its number, from 1.
        line: u64,
        /// What is wrong, and what to do.
        error: String,
    },
}

/// A document of the index that is similar; the keys are those of a pair, without `a`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FollowedMatch {
    /// Its name.
    pub b: Name<'static>,
    /// |A ∩ B| / |A ∪ B|, exact up to collisions of 64-bit shingle hashes; the nearest `f64`.
    pub jaccard: f64,
    /// |A ∩ B| / |A|.
    pub containment_a: f64,
    /// |A ∩ B| / |B|.
    pub containment_b: f64,
    /// |A ∩ B|.
    pub shared: u64,
    /// |A|.
    pub shingles_a: u64,
    /// |B|.
    pub shingles_b: u64,
    /// The share of equal signature values.
    pub estimate: f64,
}

/// What was asked and added line by line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct FollowSummary {
    /// Lines that were answered.
    pub lines: u64,
    /// Lines that could not be.
    pub errors: u64,
    /// Documents that were added.
    pub added: u64,
}

/// IndexAnswers lines, one after another, as long as there are any. Each sees what was added before it, by this process and by others.
///
/// * `settings`: which fields of a line are its id and its text; all else is that of the index.
/// * `sync`: whether what is added is on the disk before its line is answered.
/// * `next`: waits for the next line at most as long as it is told.
/// * `answer`: receives the answer to each line.
///
/// # Errors
/// When the index cannot be read or written, or `answer` fails. What was added before is kept.
pub fn follow_index(
    query: &QuerySettings,
    settings: &Settings,
    sync: bool,
    next: &mut dyn FnMut(Duration) -> FollowedLine,
    answer: &mut dyn FnMut(&FollowedAnswer) -> Result<()>,
) -> Result<FollowSummary> {
    let wait = (query.add != AddWhat::None).then_some(query.wait);
    let mut source = IndexSource::open(&query.index, wait, CACHE_BYTES)?;
    let mut settings = settings.clone();
    source.reader().meaning.apply(&mut settings, &query.index)?;
    settings.pairs.threshold = query.threshold.unwrap_or(settings.pairs.threshold);
    if settings.input.html == HtmlMode::Strip {
        let (what, why) = ("--follow", "this index is of pages, and a line has no markup to leave out");
        return Err(Error::Index(IndexError::NotOfAnIndex { what, why }));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(Error::ThreadPool)?;
    let templates = source.reader_mut().templates.take();
    let answerer = Answerer::new(settings.corpus(), templates.as_ref(), settings.pairs.threshold, &pool);
    source.reader().file.end();
    let mut following = Following {
        query,
        settings: &settings,
        sync,
        removes: templates.is_some(),
        answerer,
        source,
        batch: OpenBatch::default(),
        opened: None,
        summary: FollowSummary::default(),
    };
    let followed = following.follow(next, answer);
    // What is open is kept also when the run ends early.
    let committed = following.commit();
    followed.and(committed).map(|()| following.summary)
}

struct Following<'a> {
    query: &'a QuerySettings,
    settings: &'a Settings,
    sync: bool,
    /// Whether shingles are removed from texts.
    removes: bool,
    answerer: Answerer<'a>,
    source: IndexSource,
    batch: OpenBatch,
    /// When the batch got its first document.
    opened: Option<Instant>,
    summary: FollowSummary,
}

impl Following<'_> {
    fn follow(
        &mut self,
        next: &mut dyn FnMut(Duration) -> FollowedLine,
        answer: &mut dyn FnMut(&FollowedAnswer) -> Result<()>,
    ) -> Result<()> {
        let mut number = 0;
        loop {
            if self.settings.cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            if self.opened.is_some_and(|opened| opened.elapsed() >= MOST_TIME) {
                self.commit()?;
            }
            match next(TICK) {
                FollowedLine::End => return Ok(()),
                FollowedLine::Waiting => {}
                FollowedLine::Line(line) => {
                    number += 1;
                    self.summary.lines += 1;
                    if line.trim_ascii().is_empty() {
                        self.commit()?;
                        answer(&FollowedAnswer::Found {
                            id: None,
                            matches: Vec::new(),
                            added: false,
                            durable: self.sync.then_some(true),
                        })?;
                        continue;
                    }
                    match self.answer(&line) {
                        Ok((id, matches, added)) => {
                            let id = id.as_deref().map(|id| Name::new(id.as_bytes()));
                            let durable = (self.sync && added).then_some(true);
                            answer(&FollowedAnswer::Found { id, matches, added, durable })?;
                        }
                        Err(Fault::OfLine(error)) => {
                            self.summary.errors += 1;
                            answer(&FollowedAnswer::Failed { line: number, error })?;
                        }
                        Err(Fault::OfIndex(error)) => return Err(error),
                    }
                }
            }
        }
    }

    /// IndexAnswers a line: its id, what is similar, and whether it was added.
    fn answer(&mut self, line: &[u8]) -> Result<(Option<String>, Vec<FollowedMatch>, bool), Fault> {
        let (id, text) = self.parse(line)?;
        let adds = self.query.add != AddWhat::None;
        if adds && id.is_none() {
            return Err(Fault::OfLine("it has no id; only what has one can be added".to_owned()));
        }
        let name = id.clone().unwrap_or_default();
        let (question, set) = self.question(name.as_bytes(), text);
        self.source.reader_mut().refresh()?;
        let answered = self.matches(&question, &set);
        let is_known = if adds { self.is_known(&question) } else { Ok(false) };
        self.source.reader().file.end();
        let (matches, is_known) = (answered?, is_known?);
        let is_wanted = self.query.add == AddWhat::All || self.query.add == AddWhat::Unseen && matches.is_empty();
        let adds = is_wanted && !is_known && question.row.len > 0;
        if adds {
            self.batch.push(&question, set);
            self.opened.get_or_insert_with(Instant::now);
            self.summary.added += 1;
            if self.sync || self.batch.len() >= MOST_OPEN || self.query.known == KnownName::Replace {
                self.commit()?;
            }
        }
        Ok((id, matches, adds))
    }

    fn matches(&self, question: &IndexQuestion, set: &StoredSet) -> Result<Vec<FollowedMatch>, Fault> {
        let reader = self.source.reader();
        let answers = self.answerer.answer(reader, std::slice::from_ref(question))?;
        if let Some(fault) = answers.faults.first() {
            return Err(Fault::OfLine(fault.to_string()));
        }
        let mut found: Vec<(IndexAnswer, Name<'static>)> = Vec::new();
        for &answer in answers.of.iter().flatten() {
            let document = reader.document(answer.document)?;
            found.push((answer, Name::new(&document.name).into_owned()));
        }
        let threshold = self.settings.pairs.threshold;
        for answer in self.batch.answers(question, set, threshold, self.removes) {
            found.push((answer, Name::new(&self.batch.get(answer.document).row.name).into_owned()));
        }
        if self.query.skip_self || self.query.add != AddWhat::None {
            let own = Name::new(&question.row.name).into_owned();
            found.retain(|(_, name)| *name != own);
        }
        if let Some(best) = self.query.best {
            found.sort_by(|(a, _), (b, _)| b.compare_similarity(a));
            found.truncate(best);
        }
        let num_hashes = self.settings.banding.num_hashes() as f64;
        Ok(found.into_iter().map(|(answer, name)| FollowedMatch::new(&answer, name, num_hashes)).collect())
    }

    /// Whether a document with the name is there and stays.
    fn is_known(&self, question: &IndexQuestion) -> Result<bool, Fault> {
        let reader = self.source.reader();
        let is_same = |row: &DocRow| {
            (row.raw, row.content, row.len) == (question.row.raw, question.row.content, question.row.len)
        };
        let in_batch = self.batch.with_name(&question.row.name).map(|document| is_same(&document.row));
        let number = reader.with_names(&[&question.row.name])?[0];
        let in_index = number.map(|number| reader.document(number)).transpose()?.map(|document| is_same(&document));
        match (in_batch.or(in_index), self.query.known) {
            (None, _) => Ok(false),
            (Some(true), _) | (Some(false), KnownName::Skip) => Ok(true),
            (Some(false), KnownName::Replace) => Ok(false),
            (Some(false), KnownName::Error) => {
                let name = String::from_utf8_lossy(&question.row.name);
                Err(Fault::OfLine(format!("{name:?}: the index has another text under this id; give it another one")))
            }
        }
    }

    /// Adds the open batch.
    fn commit(&mut self) -> Result<()> {
        self.opened = None;
        // An id that another process has added meanwhile is that process's.
        let known = if self.query.known == KnownName::Error { KnownName::Skip } else { self.query.known };
        let documents = self.batch.take();
        if documents.is_empty() { Ok(()) } else { self.source.add(documents, known).map(drop) }
    }

    fn question(&self, name: &[u8], text: Vec<u8>) -> (IndexQuestion, StoredSet) {
        let (raw, len) = (xxh3_64(&text), text.len() as u64);
        let syntax = self.settings.corpus().syntax_of(name);
        let (set, content, syntax) = self.answerer.load_question(text.clone(), syntax);
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
        let question =
            IndexQuestion { row, keys: keys.into(), signature: set.signature.clone(), text: text.into(), syntax };
        (question, set)
    }

    /// The id and the text of a line.
    fn parse(&self, line: &[u8]) -> Result<(Option<String>, Vec<u8>), Fault> {
        let fault = |what: String| Fault::OfLine(format!("{what}; write one JSON object a line"));
        let record: Value = serde_json::from_slice(line).map_err(|error| fault(format!("not JSON ({error})")))?;
        if !record.is_object() {
            return Err(fault("not a JSON object".to_owned()));
        }
        let input = &self.settings.input;
        let id = match field(&record, input.id_field.as_deref().unwrap_or("id")) {
            Some(Value::String(id)) => Some(id.clone()),
            Some(Value::Number(number)) => Some(number.to_string()),
            _ => None,
        };
        let of_sets = self.settings.corpus().inputs().sets;
        let mut texts: Vec<String> = Vec::new();
        for name in &input.text_fields {
            match field(&record, name) {
                Some(Value::String(text)) if of_sets => texts.extend(text.split_whitespace().map(str::to_owned)),
                Some(Value::String(text)) => texts.push(text.clone()),
                Some(Value::Array(values)) => {
                    texts.extend(
                        values.iter().map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned)),
                    );
                }
                _ => {}
            }
        }
        if texts.is_empty() {
            return Err(Fault::OfLine(format!(
                "no text in the field `{}`; see --text-field",
                input.text_fields.join("`, `")
            )));
        }
        let mut text = texts.join("\n");
        if of_sets {
            text.push('\n');
        }
        Ok((id, text.into_bytes()))
    }
}

/// The value of a field; `a.b` is the field b of a.
fn field<'v>(record: &'v Value, name: &str) -> Option<&'v Value> {
    record.get(name).or_else(|| {
        let (first, rest) = name.split_once('.')?;
        field(record.get(first)?, rest)
    })
}

/// Why a line has no answer.
enum Fault {
    OfLine(String),
    OfIndex(Error),
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        match error {
            error @ Error::Index(IndexError::Damaged { .. }) => Self::OfLine(error.to_string()),
            error => Self::OfIndex(error),
        }
    }
}

impl FollowedMatch {
    fn new(answer: &IndexAnswer, name: Name<'static>, num_hashes: f64) -> Self {
        let [shared, a, b] = [answer.shared, answer.shingles_a, answer.shingles_b].map(|number| number as f64);
        Self {
            b: name,
            jaccard: shared / (a + b - shared),
            containment_a: shared / a,
            containment_b: shared / b,
            shared: answer.shared,
            shingles_a: answer.shingles_a,
            shingles_b: answer.shingles_b,
            estimate: f64::from(answer.equal_values) / num_hashes,
        }
    }
}
