//! `query_index`: inputs in as questions, the documents of an index that are similar to each out, as pairs.
//!
//! Workers read and sign the questions; the calling thread answers them, many at a time, so that each part of the index is read
//! once for all of them.

use std::path::PathBuf;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::answer::IndexAnswer;
use super::answer_table::AnswerTable;
use super::answers::Answerer;
use super::open_batch::OpenBatch;
use super::question::IndexQuestion;
use super::reader::IndexReader;
use super::source::IndexSource;
use super::writing::{Added, KnownName};
use crate::corpus::{self, SignedDocument, SignedParts};
use crate::document::DocId;
use crate::error::{Error, Result};
use crate::input::Sources;
use crate::observe::{Observer, Stage};
use crate::pairs::Sink;
use crate::run::{Settings, Summary};
use crate::verify::{DuplicatePair, Threshold};

/// Questions that are answered at a time, and their bytes.
const QUESTIONS: (usize, usize) = (1 << 15, 32 << 20);
/// Pairs that are passed on at a time.
const PAIRS: usize = 1 << 14;
/// Bytes of pages that a query keeps.
const CACHE_BYTES: u64 = 16 << 20;

/// What is asked of an index, and how.
#[derive(Debug, Clone, Default)]
pub struct QuerySettings {
    /// The file of the index.
    pub index: PathBuf,
    /// The least similarity of an answer. Default: the one that the index was made with.
    pub threshold: Option<Threshold>,
    /// Only so many answers to each question, those of the highest similarity first. Default: all, in the order of the index.
    pub best: Option<usize>,
    /// Leave out the document that has the name of the question. Questions that are added are never their own answers.
    pub skip_self: bool,
    /// Which questions are added to the index. Default: none.
    pub add: AddWhat,
    /// What becomes of a question that is to be added, whose name another text has in the index.
    pub known: KnownName,
    /// How long to wait for another process that writes, where questions are added. Default: not at all.
    pub wait: Duration,
}

/// Which questions are added to an index.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AddWhat {
    /// None.
    #[default]
    None,
    /// All.
    All,
    /// Those that nothing in the index is similar to, earlier questions that were added included.
    Unseen,
}

/// What a query did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QuerySummary {
    /// What was read and asked: the documents, the problems, the settings, and how many pairs were found.
    #[serde(flatten)]
    pub asked: Summary,
    /// The documents of the index, in the end.
    pub index_documents: u64,
    /// What became of the questions that were to be added; nothing where none was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub added: Option<Added>,
    /// Parts of the index that are damaged, each in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub damage: Vec<String>,
}

/// Reads the inputs and passes on what an index has that is similar to each: pairs of a question and a document of the index, by
/// questions in document order, and then in the order of the index.
///
/// These are the pairs that [`find_duplicates`](crate::find_duplicates) passes on for the same inputs against the documents of
/// the index, with the settings that the index was made with.
///
/// * `settings`: what is read and how; texts, shingles and signatures are those of the index, whatever these say.
/// * `sink`: receives pairs, each time with a table of their documents.
///
/// # Errors
/// When inputs or index cannot be read. Damage of texts costs the pairs of these texts, and is in the summary.
pub fn query_index(
    query: &QuerySettings,
    settings: &Settings,
    observer: &dyn Observer,
    sink: Sink<'_>,
) -> Result<QuerySummary> {
    let wait = (query.add != AddWhat::None).then_some(query.wait);
    let mut source = IndexSource::open(&query.index, wait, CACHE_BYTES)?;
    let mut settings = settings.clone();
    source.reader().meaning.apply(&mut settings, &query.index)?;
    settings.pairs.threshold = query.threshold.unwrap_or(settings.pairs.threshold);
    let settings = &settings;
    settings.check()?;
    let pool = settings.thread_pool()?;
    let answering_pool = settings.thread_pool()?;
    let sources = Sources::read_once(settings.cancel.clone());
    observer.begin(Stage::Read);
    let started = Instant::now();
    let templates = source.reader_mut().templates.take();
    let (send, receive) = mpsc::sync_channel::<Vec<IndexQuestion>>(1);
    let threshold = settings.pairs.threshold;
    let mut asking = QueryRun {
        query,
        with_source: settings.input.with_source,
        removes: templates.is_some(),
        threshold,
        pairs: 0,
        candidates: 0,
        added: Added::default(),
        damage: Vec::new(),
        sink,
    };
    let (read, answered) = thread::scope(|scope| {
        let read = || -> Result<_> {
            let (mut batch, mut num_bytes) = (Vec::new(), 0);
            let mut ask = |document: &SignedDocument| {
                let question = IndexQuestion::of(document);
                num_bytes += question.num_bytes();
                batch.push(question);
                if batch.len() < QUESTIONS.0 && num_bytes < QUESTIONS.1 {
                    return Ok(());
                }
                num_bytes = 0;
                // When the answering thread has ended, its error is the one that counts.
                send.send(std::mem::take(&mut batch)).map_err(|_| Error::Cancelled)
            };
            let parts = SignedParts { signatures: true, texts: true, ..SignedParts::default() };
            let corpus = settings.corpus();
            let read = corpus::read_signed(corpus, templates.as_ref(), parts, &sources, observer, &pool, &mut ask)?;
            let _ = send.send(batch);
            drop(send);
            Ok(read)
        };
        let asked = thread::Builder::new().spawn_scoped(scope, read).map_err(Error::Thread)?;
        let answerer = Answerer::new(settings.corpus(), templates.as_ref(), threshold, &answering_pool);
        // The channel goes with its last question or with an error, whichever is first.
        let mut receive = receive.into_iter();
        let answered = receive.try_for_each(|questions| asking.answer(&mut source, &answerer, &questions));
        drop(receive);
        Ok((asked.join().expect("reading does not panic"), answered))
    })?;
    answered?;
    let read = read?;
    read.check_read()?;
    let mut summary = Summary::of_reading(settings, read);
    (summary.pairs, summary.candidates) = (asking.pairs, asking.candidates);
    summary.seconds.read = started.elapsed().as_secs_f64();
    Ok(QuerySummary {
        asked: summary,
        index_documents: source.reader().state.documents,
        added: (query.add != AddWhat::None).then_some(asking.added),
        damage: asking.damage,
    })
}

/// IndexAnswers batches of questions and passes the pairs on.
struct QueryRun<'q, 's> {
    query: &'q QuerySettings,
    with_source: bool,
    /// Whether shingles are removed from texts.
    removes: bool,
    threshold: Threshold,
    pairs: u64,
    candidates: u64,
    added: Added,
    damage: Vec<String>,
    sink: Sink<'s>,
}

/// An answer to a question: a document of the index, or one of the open batch.
#[derive(Clone, Copy)]
struct FoundAnswer {
    answer: IndexAnswer,
    is_open: bool,
}

impl QueryRun<'_, '_> {
    fn answer(&mut self, source: &mut IndexSource, answerer: &Answerer, questions: &[IndexQuestion]) -> Result<()> {
        let adds = self.query.add != AddWhat::None;
        if adds {
            source.reader_mut().refresh()?;
        }
        let reader = source.reader();
        let mut answers = answerer.answer(reader, questions)?;
        self.candidates += answers.candidates;
        for fault in answers.faults.drain(..).map(|fault| fault.to_string()) {
            if !self.damage.contains(&fault) {
                self.damage.push(fault);
            }
        }
        let names: Vec<&[u8]> = questions.iter().map(|question| question.row.name.as_slice()).collect();
        let is_known = if adds { reader.with_names(&names)? } else { Vec::new() };
        let mut batch = OpenBatch::default();
        let mut chunk: Vec<(&IndexQuestion, FoundAnswer)> = Vec::new();
        let mut num_known = Vec::new();
        for (number, (question, of_question)) in questions.iter().zip(&answers.of).enumerate() {
            let mut found: Vec<FoundAnswer> =
                of_question.iter().map(|&answer| FoundAnswer { answer, is_open: false }).collect();
            if adds {
                let text = answerer.load_alone(question);
                let open = batch.answers(question, &text, self.threshold, self.removes);
                found.extend(open.into_iter().map(|answer| FoundAnswer { answer, is_open: true }));
                self.choose(reader, question, &mut found)?;
                let is_wanted = self.query.add == AddWhat::All || found.is_empty();
                match is_known[number] {
                    _ if !is_wanted || question.row.len == 0 => {}
                    None => batch.push(question, text),
                    // What is there under the name is looked at when the batch is added.
                    Some(_) => num_known.push(question.to_new()),
                }
            } else {
                self.choose(reader, question, &mut found)?;
            }
            self.keep_best(&mut found);
            for found in found {
                chunk.push((question, found));
                if chunk.len() == PAIRS {
                    self.pass_on(reader, &batch, &chunk)?;
                    chunk.clear();
                }
            }
        }
        self.pass_on(reader, &batch, &chunk)?;
        if adds {
            let documents = batch.take().into_iter().chain(num_known).collect();
            self.added.add(source.add(documents, self.query.known)?);
        }
        Ok(())
    }

    /// Leaves out the document that has the name of the question.
    fn choose(&self, reader: &IndexReader, question: &IndexQuestion, found: &mut Vec<FoundAnswer>) -> Result<()> {
        if self.query.skip_self || self.query.add != AddWhat::None {
            let mut kept = Vec::with_capacity(found.len());
            for found in found.drain(..) {
                // Names are unique among questions.
                if found.is_open || reader.document(found.answer.document)?.name != question.row.name {
                    kept.push(found);
                }
            }
            *found = kept;
        }
        Ok(())
    }

    /// Leaves the best answers, the best first, where only these are asked for.
    fn keep_best(&self, found: &mut Vec<FoundAnswer>) {
        if let Some(best) = self.query.best {
            // IndexAnswers of one similarity keep the order of the index.
            found.sort_by(|a, b| b.answer.compare_similarity(&a.answer));
            found.truncate(best);
        }
    }

    fn pass_on(
        &mut self,
        reader: &IndexReader,
        batch: &OpenBatch,
        chunk: &[(&IndexQuestion, FoundAnswer)],
    ) -> Result<()> {
        if chunk.is_empty() {
            return Ok(());
        }
        let mut table = AnswerTable::new(self.with_source, 2 * chunk.len())?;
        let mut pairs = Vec::with_capacity(chunk.len());
        let mut last: Option<(&IndexQuestion, DocId)> = None;
        for &(question, FoundAnswer { answer, is_open }) in chunk {
            let a = match last {
                Some((other, a)) if std::ptr::eq(other, question) => a,
                _ => table.push(&question.row)?,
            };
            last = Some((question, a));
            let b = match is_open {
                true => table.push(&batch.get(answer.document).row)?,
                false => table.push(&*reader.document(answer.document)?)?,
            };
            pairs.push(DuplicatePair {
                a,
                b,
                shared: answer.shared,
                shingles_a: answer.shingles_a,
                shingles_b: answer.shingles_b,
                equal_values: answer.equal_values,
                num_hashes: (reader.meaning.bands * reader.meaning.rows) as u32,
                removed: answer.removed,
                kept_names: None,
                weights: None,
            });
        }
        self.pairs += pairs.len() as u64;
        (self.sink)(&table.finish(), &pairs)
    }
}
