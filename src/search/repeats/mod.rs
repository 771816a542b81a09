//! Repeats: finds the runs of tokens that occur more than once in a corpus, exactly and in bounded memory.
//!
//! ```text
//! texts -minimizers-> bits of the grams -second reading-> spans -storage-> equal spans, marked
//!                                                              distinct ones -third reading-> runs -storage-> equal runs, marked
//! ```
//!
//! A token is repeated when it lies in a run of L tokens that occurs elsewhere. Comparing every run would need a record
//! for each token. Instead each run is represented by its minimizer ([`Minimizers`]), a gram that equal runs have at
//! equal positions, and consecutive runs with the same minimizer form a span.
//!
//! 1. The first reading notes in bits which minimizers may occur more than once ([`GramFilter`]).
//! 2. The second reading collects the spans of those, and sorting brings equal spans together. All runs of a
//!    span that occurred before are repeated ([`SpanGroups`]).
//! 3. Distinct spans with the same minimizer, such as the two ends of a copied passage, may have some runs in
//!    common. A third reading, of the documents that contain such spans, compares them run by run ([`RunGroups`]).
//!
//! So the time for many equal passages grows with their length, and not with its square. Lines, paragraphs and runs of sentences are
//! their own minimizers, and need no third reading. Runs are equal when two hashes of 64 bits, or one of 128 bits, are
//! equal: exact up to collisions, about n² / 2¹²⁸ for n distinct runs, and n² / 2⁶⁵ for the tokens themselves.

mod filter;
mod groups;
mod hashes;
mod minimizers;
mod records;
mod repeated;
mod settings;
mod words;

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use self::filter::GramFilter;
use self::groups::{RunGroups, SpanGroups};
use self::hashes::RunHasher;
use self::minimizers::{Minimizers, RunSpan};
pub(crate) use self::records::TokenPosition;
use self::records::{DistinctSpan, Occurrence, SingleRun};
pub(crate) use self::repeated::{RepeatedRun, RepeatedRuns};
pub use self::settings::{KeptOccurrence, RepeatScope, RepeatSettings, RepeatUnit};
pub(crate) use self::words::WordCounter;
use crate::base::error::{CorpusError, Error, Result};
use crate::base::flat::per_thread::PerThread;
use crate::base::observe::{Observer, Stage};
use crate::base::storage::{RecordSorter, SortRecord, SortedRecords};
use crate::documents::document::{DocId, Documents};
use crate::documents::input::Sources;
use crate::search::corpus::{KeptTexts, ReadCorpus, Rereader, StageSettings, TextVisitor, read_visiting};
use crate::search::run::{Settings, Summary};
use crate::text::shingle::{ShingleHashes, Tokens};

/// The number of documents in a thread's unit of work.
const DOCUMENTS: usize = 64;

/// A corpus and its repeated runs.
pub(crate) struct FoundRepeats {
    pub(crate) documents: Documents,
    pub(crate) sources: Sources,
    pub(crate) pool: rayon::ThreadPool,
    pub(crate) summary: Summary,
    pub(crate) runs: RepeatedRuns,
}

/// Finds the tokens of all documents that are repeated.
///
/// * `settings`: the settings of a run, with the shingles of [`RepeatSettings::grams`].
/// * `shortest`: documents with fewer tokens, or words for other units than passages, are not compared.
/// * `input_bytes`: the approximate size of the inputs, unpacked.
///
/// # Errors
/// When the run cannot be done, or a document changed while it was read.
pub(crate) fn find_repeats(
    settings: &Settings,
    repeats: RepeatSettings,
    shortest: u64,
    input_bytes: u64,
    observer: &dyn Observer,
) -> Result<FoundRepeats> {
    settings.check()?;
    let memory = settings.corpus().memory();
    let kept = KeptTexts::new(memory.kept_texts());
    let stages = StageSettings { signs: false, kept: Some(&kept), ..settings.corpus() };
    let (pool, sources) = (settings.thread_pool()?, Sources::new(settings.cancel.clone()));
    let num_threads = pool.current_num_threads();
    let window = repeats.run() + 1 - repeats.gram();
    let minimizers = PerThread::new(num_threads, || Minimizers::new(window));
    // Two of w + 1 grams are minimizers; a token has at least one byte.
    let num_grams = input_bytes / stages.shingles.kind().typical_bytes() * 2 / (window as u64 + 1);
    let filter = GramFilter::new(num_grams, memory.repeat_filter());

    observer.begin(Stage::Read);
    let visitor = MinimizerVisitor { filter: &filter, minimizers: &minimizers };
    let (documents, read) = read_visiting(stages, &visitor, &sources, observer, &pool)?;
    let mut summary = Summary::of_reading(settings, read);
    summary.settings.k = repeats.run();
    let corpus = ReadCorpus { observer, settings: stages, removal: None, documents: &documents, sources: &sources };
    let rereader = corpus.rereader();
    let pass = RepeatPasses { corpus, rereader, repeats, shortest, filter: &filter, minimizers: &minimizers };
    let runs = pool.install(|| pass.find())?;
    if let Some(problem) = pass.rereader.into_problems().into_iter().next() {
        return Err(Error::Corpus(CorpusError::Changed(problem.place)));
    }
    summary.memory.tables = summary.memory.tables.max((filter.num_bytes() + documents.num_bytes()) as u64);
    sources.check()?;
    Ok(FoundRepeats { documents, sources, pool, summary, runs })
}

/// Adds the minimizers of each text to the filter.
struct MinimizerVisitor<'a> {
    filter: &'a GramFilter,
    minimizers: &'a PerThread<Minimizers>,
}

impl TextVisitor for MinimizerVisitor<'_> {
    fn visit(&self, _: &[u8], shingles: &mut dyn ShingleHashes) {
        let mut minimizers = self.minimizers.get();
        let add = |span: RunSpan| self.filter.add(span.gram);
        shingles.for_each_block(&mut |grams| minimizers.add(grams, add));
        minimizers.finish(add);
    }
}

/// The passes after the first one.
struct RepeatPasses<'a> {
    corpus: ReadCorpus<'a>,
    rereader: Rereader<'a>,
    repeats: RepeatSettings,
    shortest: u64,
    filter: &'a GramFilter,
    minimizers: &'a PerThread<Minimizers>,
}

impl RepeatPasses<'_> {
    fn find(&self) -> Result<RepeatedRuns> {
        let (memory, num_threads) = (self.corpus.memory(), self.corpus.threads());
        let most_document = self.corpus.documents.len() as u64;
        let marks = RecordSorter::new("repeated runs", most_document, memory.repeat_marks(), num_threads);
        let distinct = RecordSorter::new("parts of texts", most_document, memory.repeat_spans(), num_threads);
        let (occurrences, lengths) = self.spans()?;
        each_record(
            &occurrences,
            num_threads,
            || SpanGroups::new(self.repeats, &marks, &distinct),
            |groups, next| groups.add(next),
        )?;
        drop(occurrences);
        let runs = self.runs(&distinct.finish())?;
        each_record(&runs, num_threads, || RunGroups::new(self.repeats, &marks), |groups, next| groups.add(next))?;
        drop(runs);
        RepeatedRuns::new(&marks.finish(), lengths)
    }

    /// Reads all documents again, and collects the spans whose minimizers may occur more than once. Also returns
    /// the number of tokens of each document.
    fn spans(&self) -> Result<(SortedRecords<Occurrence>, Box<[u32]>)> {
        let ReadCorpus { documents, observer, .. } = self.corpus;
        let memory = self.corpus.memory().repeat_records();
        let sorter = RecordSorter::new("parts of texts", u64::MAX, memory, self.corpus.threads());
        let lengths: Box<[AtomicU32]> = (0..documents.len()).map(|_| AtomicU32::new(0)).collect();
        observer.begin(Stage::Index);
        observer.total(documents.len() as u64);
        let all: Vec<DocId> = documents.with_text().collect();
        let buffers = || (Vec::new(), Vec::new(), RunHasher::default(), WordCounter::new());
        let is_unit = self.repeats.unit.kind().is_some();
        all.par_chunks(DOCUMENTS)
            .map_init(buffers, |(spans, found, hasher, words), part| {
                for &document in part {
                    let first = documents.first_of_text(document).expect("documents with a text");
                    let mut minimizers = self.minimizers.get();
                    self.rereader.read_again(first, &mut |text, tools| {
                        let select = |span: RunSpan, spans: &mut Vec<RunSpan>| {
                            if self.filter.may_repeat(span.gram) {
                                spans.push(span);
                            }
                        };
                        spans.clear();
                        tools.shingles_of(text).for_each_block(&mut |grams| {
                            minimizers.add(grams, |span| select(span, spans));
                        });
                        minimizers.finish(|span| select(span, spans));
                        let cut = tools.shingler.last();
                        let length = u32::try_from(cut.num_tokens).unwrap_or(u32::MAX);
                        lengths[document.index()].store(length, Ordering::Relaxed);
                        // All tokens of a text that is shorter than a gram form its only one.
                        if cut.num_shingles == 0 || spans.is_empty() {
                            return;
                        }
                        // A document that is removed is not the first occurrence of anything.
                        let is_short = |length: u64| length < self.shortest;
                        if self.shortest > 0 && is_short(if is_unit { words.count(text) } else { cut.num_tokens }) {
                            return;
                        }
                        let tokens = tools.shingler.tokens_utf8(text.to_vec());
                        self.collect(document, &tokens, spans, hasher, found);
                    });
                    drop(minimizers);
                    sorter.push(found.drain(..))?;
                }
                observer.advance(part.len() as u64, part.len() as u64, 0);
                self.corpus.sources.check()
            })
            .collect::<Result<()>>()?;
        Ok((sorter.finish(), lengths.into_iter().map(AtomicU32::into_inner).collect()))
    }

    fn collect(
        &self,
        document: DocId,
        tokens: &Tokens,
        spans: &[RunSpan],
        hasher: &mut RunHasher,
        found: &mut Vec<Occurrence>,
    ) {
        let (run, salt, kind) = (self.repeats.run(), self.salt(document), self.corpus.settings.shingles.kind());
        let min_chars = self.repeats.min_chars;
        let is_long =
            |span: &&RunSpan| min_chars <= 1 || tokens.num_chars_of(span.start..span.start + run) as u64 >= min_chars;
        let is_unit = self.repeats.unit.kind().is_some();
        for span in spans.iter().filter(|span| !is_unit || is_long(span)) {
            let range = span.start..span.start + span.num_runs - 1 + run;
            let hash = hasher.hash(kind, tokens, range) as u64;
            let position = TokenPosition { document: document.get(), token: span.start as u32 };
            found.push(Occurrence::new(span.gram ^ salt, hash ^ salt, position, span.num_runs as u32));
        }
    }

    /// Reads the documents of distinct spans again, and collects their runs.
    fn runs(&self, distinct: &SortedRecords<DistinctSpan>) -> Result<SortedRecords<SingleRun>> {
        let ReadCorpus { documents, observer, .. } = self.corpus;
        let (memory, num_threads) = (self.corpus.memory().repeat_records(), self.corpus.threads());
        let sorter = RecordSorter::new("runs of tokens", u64::MAX, memory, num_threads);
        let (run, kind) = (self.repeats.run(), self.corpus.settings.shingles.kind());
        observer.begin(Stage::Align);
        observer.total(distinct.num_partitions() as u64);
        let read = |spans: &[DistinctSpan], hasher: &mut RunHasher, found: &mut Vec<SingleRun>| {
            let Some(&DistinctSpan { position, .. }) = spans.first() else { return Ok(()) };
            let document = DocId::new(position.document as usize);
            let salt = u128::from(self.salt(document));
            let first = documents.first_of_text(document).expect("documents with a text");
            self.rereader.read_again(first, &mut |text, tools| {
                let tokens = tools.shingler.tokens_utf8(text.to_vec());
                for span in spans {
                    let start = span.position.token as usize;
                    for token in start..start + span.num_runs as usize {
                        let hash = hasher.hash(kind, &tokens, token..token + run) ^ salt;
                        found.push(SingleRun::new(hash, TokenPosition { token: token as u32, ..position }));
                    }
                }
            });
            sorter.push(found.drain(..))
        };
        (0..distinct.num_partitions()).into_par_iter().try_for_each_init(
            || (RunHasher::default(), Vec::new()),
            |(hasher, found), partition| {
                let mut spans: Vec<DistinctSpan> = Vec::new();
                distinct.for_each(partition, num_threads, |next| {
                    if spans.last().is_some_and(|last| last.position.document != next.position.document) {
                        read(&spans, hasher, found)?;
                        spans.clear();
                    }
                    spans.push(next);
                    Ok(())
                })?;
                read(&spans, hasher, found)?;
                observer.advance(1, 0, 0);
                self.corpus.sources.check()
            },
        )?;
        Ok(sorter.finish())
    }

    /// A number for the part of the corpus in which the runs of a document are compared.
    fn salt(&self, document: DocId) -> u64 {
        let number = match self.repeats.scope {
            RepeatScope::Corpus => return 0,
            RepeatScope::Group => u64::from(self.corpus.documents.scope().cell(document).1),
            RepeatScope::Document => document.get().into(),
        };
        xxh3_64(&number.to_le_bytes())
    }
}

/// Visits all records in order, several partitions at a time.
///
/// * `new`: makes the visitor of a partition.
fn each_record<R: SortRecord, G>(
    records: &SortedRecords<R>,
    num_threads: usize,
    new: impl Fn() -> G + Sync,
    add: impl Fn(&mut G, R) -> Result<()> + Sync,
) -> Result<()> {
    (0..records.num_partitions()).into_par_iter().try_for_each(|partition| {
        let mut groups = new();
        records.for_each(partition, num_threads, |record| add(&mut groups, record))
    })
}

#[cfg(test)]
mod tests;
