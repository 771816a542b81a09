//! `LeastSimilarities`: computes the exact minimum similarity of any two texts in each of some groups.
//!
//! It reads the texts once more. Groups whose sets certainly fit the share of one thread are counted side by side, and the
//! others one after another.

use rayon::prelude::*;

use super::count::{Family, FamilyCounter};
use super::plan::SearchLimits;
use super::sets::{RereadSets, SetMemory, SetSource};
use crate::base::problem::Problem;
use crate::compare::block::{Block, MOST_TEXTS};
use crate::documents::document::DocId;
use crate::search::corpus::ReadCorpus;

/// The maximum number of pairs of a group that are counted at a time.
const MOST_PAIRS: usize = 1 << 22;

/// Computes the minimum similarities of groups of texts.
pub(crate) struct LeastSimilarities<'a> {
    sets: RereadSets<'a>,
    limits: SearchLimits,
}

impl<'a> LeastSimilarities<'a> {
    pub(crate) fn new(corpus: ReadCorpus<'a>) -> Self {
        let limits = SearchLimits::new(corpus.memory(), corpus.threads(), corpus.settings.kept.is_some());
        Self { sets: RereadSets::new(corpus), limits }
    }

    /// The minimum similarity of each group; `None` if one of its documents changed or cannot be read. In the thread
    /// pool of the run.
    ///
    /// * `groups`: the first documents of the texts of each group.
    pub(crate) fn of(&self, groups: &[Vec<DocId>]) -> Vec<Option<f64>> {
        let is_small = |texts: &[DocId]| {
            let num_shingles = texts.iter().map(|&text| self.sets.most_shingles(text)).sum();
            texts.len() <= MOST_TEXTS && Block::most_bytes(num_shingles, texts.len()) <= self.limits.block_bytes
        };
        let small = |texts: &Vec<DocId>| if is_small(texts) { self.of_group(texts) } else { None };
        let mut least: Vec<Option<f64>> = groups.par_iter().with_max_len(1).map(small).collect();
        for (least, texts) in least.iter_mut().zip(groups).filter(|(_, texts)| !is_small(texts)) {
            *least = self.of_group(texts);
        }
        least
    }

    /// Returns a problem for each document that could not be read again, in document order.
    pub(crate) fn into_problems(self) -> Vec<Problem> {
        self.sets.into_problems()
    }

    fn of_group(&self, texts: &[DocId]) -> Option<f64> {
        let memory = SetMemory::default();
        let counter = FamilyCounter { sets: &self.sets, memory: &memory, limits: &self.limits, signs: false };
        let at_a_time = (MOST_PAIRS / texts.len().max(1)).max(1);
        let mut least = 1.0f64;
        for start in (0..texts.len()).step_by(at_a_time) {
            let rest = &texts[start..];
            let family = Family::of_all_pairs(rest, 0..rest.len().min(at_a_time));
            let counts = counter.count(&family);
            for (position, list, first_pair) in family.texts() {
                let own = counts.size(position)?;
                for (pair, &other) in (first_pair..).zip(list) {
                    let (other, shared) = (counts.size(other as usize)?, counts.shared(pair).measure());
                    least = least.min(shared as f64 / (own.measure() + other.measure() - shared) as f64);
                }
            }
        }
        Some(least)
    }
}
