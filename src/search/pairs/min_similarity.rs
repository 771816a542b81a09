//! `LeastSimilarities`: computes the exact minimum similarity of any two texts in each of some groups.
//!
//! It reads the texts once more. The sets of a group stay in memory when they fit a thread's share of it; otherwise two
//! sets at a time are loaded.

use rayon::prelude::*;

use super::context::ReusingVerifier;
use super::sets::{LoadedDocument, RereadSets, SetSource, SliceCounter};
use crate::base::problem::Problem;
use crate::compare::verify::Threshold;
use crate::documents::document::DocId;
use crate::search::corpus::ReadCorpus;

/// Computes the minimum similarities of groups of texts.
pub(crate) struct LeastSimilarities<'a> {
    sets: RereadSets<'a>,
    /// The maximum bytes of sets that one thread may hold.
    most_bytes: u64,
}

impl<'a> LeastSimilarities<'a> {
    pub(crate) fn new(corpus: ReadCorpus<'a>) -> Self {
        let most_bytes = corpus.memory().small_components() / corpus.threads() as u64;
        Self { sets: RereadSets::new(corpus), most_bytes }
    }

    /// The minimum similarity of each group; `None` if one of its documents changed or cannot be read. In the thread
    /// pool of the run.
    ///
    /// * `groups`: the first documents of the texts of each group.
    pub(crate) fn of(&self, groups: &[Vec<DocId>]) -> Vec<Option<f64>> {
        let slices = SliceCounter::new(&self.sets);
        groups.par_iter().with_max_len(1).map(|texts| self.of_group(texts, &slices)).collect()
    }

    /// Returns a problem for each document that could not be read again, in document order.
    pub(crate) fn into_problems(self) -> Vec<Problem> {
        self.sets.into_problems()
    }

    fn of_group(&self, texts: &[DocId], slices: &SliceCounter<'_>) -> Option<f64> {
        let all_fit = texts.iter().map(|&text| self.sets.most_bytes(text)).sum::<u64>() <= self.most_bytes;
        let load = |text: &DocId| self.sets.load(*text);
        let kept: Vec<LoadedDocument> =
            if all_fit { texts.iter().map(load).collect::<Option<_>>()? } else { Vec::new() };
        let (mut least, mut loaded) = (1.0f64, [None, None]);
        for (at, text) in texts.iter().enumerate() {
            let [own, other] = &mut loaded;
            let own = match kept.get(at) {
                Some(own) => own,
                None => own.insert(load(text)?),
            };
            let mut verifier = own.whole_set().map(ReusingVerifier::new);
            for (behind, text) in texts.iter().enumerate().skip(at + 1) {
                let other = match kept.get(behind) {
                    Some(other) => other,
                    None => other.insert(load(text)?),
                };
                let shared = match (&mut verifier, other.whole_set()) {
                    (Some(verifier), Some(other)) => verifier.verify_in_full(other, Threshold::ZERO)?,
                    _ => slices.verify(own, other, Threshold::ZERO)?,
                };
                let (a, b) = (slices.size(own)?, slices.size(other)?);
                let (shared, a, b) = match a.weight {
                    0 => (shared.shingles, a.shingles, b.shingles),
                    _ => (shared.weight, a.weight, b.weight),
                };
                least = least.min(shared as f64 / (a + b - shared) as f64);
            }
        }
        Some(least)
    }
}
