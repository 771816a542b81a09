//! Estimates how many pairs of a corpus have each similarity, from a sample of the texts.
//!
//! Some texts are drawn at random, and their shingles are indexed. Every text is read once more, and the index counts
//! exactly what it shares with each drawn text. So the number of pairs at each similarity is known exactly for the
//! drawn texts, and estimated for all texts. The estimate is unbiased, since all texts are equally likely to be drawn.

mod index;
mod sample;

use std::time::Instant;

use rayon::prelude::*;

use self::index::SampleIndex;
use self::sample::SimilarityHistogram;
pub use self::sample::{ExpectedRun, SimilaritySample};
use crate::base::error::{Error, Result};
use crate::base::flat::per_thread::PerThread;
use crate::base::observe::Stage;
use crate::base::problem::Problem;
use crate::compare::verify::{Threshold, VerifiableSet, Verifier};
use crate::documents::document::DocId;
use crate::documents::input::Sources;
use crate::search::corpus::ReadCorpus;

/// The number of texts in a thread's unit of work.
const TEXTS: usize = 64;
/// The number of drawn texts whose pairs are verified to measure how long that takes.
const TIMED: usize = 64;

/// The parts of a run that a measurement needs.
pub(crate) struct SimilaritySearch<'a> {
    pub(crate) corpus: ReadCorpus<'a>,
    pub(crate) threshold: Threshold,
}

impl SimilaritySearch<'_> {
    /// Measures the similarities of `most_drawn` texts, or of all texts if there are fewer; in the thread pool of the
    /// run. Also returns the documents that could not be read again.
    ///
    /// # Errors
    /// When the run was cancelled.
    pub(crate) fn run(self, most_drawn: usize) -> Result<(SimilaritySample, Vec<Problem>)> {
        let Self { corpus, threshold } = self;
        let ReadCorpus { observer, documents, sources, .. } = corpus;
        let rereader = corpus.rereader();
        let texts: Vec<DocId> =
            (0..documents.len()).map(DocId::new).filter(|&document| documents.is_first(document)).collect();
        let drawn = drawn(&texts, most_drawn, corpus.settings.signature.seed);
        observer.begin(Stage::Index);
        let load = |&text: &DocId| {
            let set = rereader.read_again(text, &mut |text, tools| tools.verifiable_set_of(text));
            set.map(|set| (text, set))
        };
        let start = Instant::now();
        let sets: Vec<(DocId, VerifiableSet)> = drawn.par_iter().filter_map(load).collect();
        let seconds_per_text = start.elapsed().as_secs_f64() / drawn.len().max(1) as f64;
        check_cancelled(sources)?;
        let seconds_per_candidate = seconds_per_candidate(&sets, threshold);
        let index = SampleIndex::new(sets.iter().map(|(text, set)| (*text, set)));
        drop(sets);
        observer.begin(Stage::Join);
        observer.total(texts.len() as u64);
        let workers = PerThread::new(corpus.threads(), || (index.counter(), SimilarityHistogram::default()));
        let count = |texts: &[DocId]| {
            check_cancelled(sources)?;
            for &text in texts {
                let set = rereader.read_again(text, &mut |text, tools| tools.verifiable_set_of(text));
                let Some(set) = set else { continue };
                let (counter, histogram) = &mut *workers.get();
                counter.count(&index, &set, |drawn, similarity| {
                    // A pair of two drawn texts counts twice, since each is a partner of the other.
                    if drawn != text && documents.scope().may_pair(drawn, text) {
                        histogram.add(drawn, similarity, threshold);
                    }
                });
            }
            observer.advance(texts.len() as u64, texts.len() as u64, 0);
            Ok(())
        };
        texts.par_chunks(TEXTS).map(count).collect::<Result<()>>()?;
        let mut all = SimilarityHistogram::default();
        workers.into_values().for_each(|(_, histogram)| all.join(&histogram));
        let sample = SimilaritySample {
            texts: texts.len() as u64,
            drawn: index.len() as u64,
            threshold: threshold.value(),
            seconds_per_text,
            seconds_per_candidate: seconds_per_candidate / corpus.threads() as f64,
            histogram: all,
        };
        Ok((sample, rereader.into_problems()))
    }
}

fn check_cancelled(sources: &Sources) -> Result<()> {
    if sources.has_failed() { Err(Error::Cancelled) } else { Ok(()) }
}

/// The texts with the lowest pseudo-random numbers, in document order.
fn drawn(texts: &[DocId], most: usize, seed: u64) -> Vec<DocId> {
    let number = |text: DocId| {
        let mut bytes = [0; 12];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        bytes[8..].copy_from_slice(&text.get().to_le_bytes());
        xxhash_rust::xxh3::xxh3_64(&bytes)
    };
    let mut numbered: Vec<(u64, DocId)> = texts.iter().map(|&text| (number(text), text)).collect();
    numbered.sort_unstable();
    numbered.truncate(most);
    let mut drawn: Vec<DocId> = numbered.into_iter().map(|(_, text)| text).collect();
    drawn.sort_unstable();
    drawn
}

/// The average time to verify a pair whose sets are in memory, over pairs of drawn texts.
fn seconds_per_candidate(sets: &[(DocId, VerifiableSet)], threshold: Threshold) -> f64 {
    let sets = &sets[..sets.len().min(TIMED)];
    let start = Instant::now();
    let mut num_pairs = 0u32;
    for (at, (_, set)) in sets.iter().enumerate() {
        let mut verifier = Verifier::new(set);
        for (_, other) in &sets[at + 1..] {
            std::hint::black_box(verifier.verify(other, threshold));
            num_pairs += 1;
        }
    }
    start.elapsed().as_secs_f64() / f64::from(num_pairs.max(1))
}
