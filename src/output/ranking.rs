//! `Ranking`: lines of pairs in, in document order; the first of them in another order out.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::record::PairRecord;
use crate::passages::LocatedPassages;
use crate::verify::{DuplicatePair, PairWeights, Threshold};

/// The order in which pairs are printed. Equal ones stay in document order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PairSort {
    /// Document order: by `a`, then by `b`.
    #[default]
    Order,
    /// By falling Jaccard similarity.
    Jaccard,
    /// By the falling containment of one in the other, whichever is larger.
    Containment,
    /// By the falling number of shared shingles.
    Shared,
    /// By the falling share of the shorter document that passages cover.
    Coverage,
    /// By the falling number of tokens that passages cover.
    Matched,
    /// Sorts by `jaccard_kept`, the highest first. It distinguishes copies of programs from coincidence.
    Kept,
}

/// The numbers of distinct shingles of a pair, and of its passages.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairCounts {
    /// Shingles in both.
    pub shared: u64,
    /// Shingles of `a`.
    pub shingles_a: u64,
    /// Shingles of `b`.
    pub shingles_b: u64,
    /// The larger share of a document's tokens that passages cover; 0 where they were not looked for.
    pub coverage: f64,
    /// The tokens that they cover; 0 as well.
    pub matched: u64,
    /// The similarity with names kept; 0 where it was not looked for.
    pub kept: f64,
    /// What the shingles weigh, where they have weights; then similarity and containment are of weights.
    pub weights: Option<PairWeights>,
}

/// Keeps the first lines of an order.
#[derive(Debug)]
pub struct Ranking {
    sort: PairSort,
    most: usize,
    num_added: u64,
    /// The last of the kept lines on top.
    kept: BinaryHeap<RankedLine>,
}

#[derive(Debug)]
struct RankedLine {
    value: f64,
    number: u64,
    line: Box<[u8]>,
}

impl PairCounts {
    /// |A ∩ B| / |A ∪ B|, the nearest `f64`.
    pub fn jaccard(self) -> f64 {
        self.intersection() as f64 / self.union() as f64
    }

    /// |A ∩ B|, in shingles or in the weight of these.
    pub fn intersection(self) -> u64 {
        self.weights.map_or(self.shared, |weights| weights.shared)
    }

    /// |A ∪ B|, likewise.
    pub fn union(self) -> u64 {
        self.weights.map_or(self.shingles_a + self.shingles_b - self.shared, PairWeights::union)
    }

    /// The smaller of |A| and |B|, likewise.
    fn smaller(self) -> u64 {
        self.weights.map_or(self.shingles_a.min(self.shingles_b), |weights| weights.a.min(weights.b))
    }

    /// Whether the pair reaches a Jaccard similarity, compared in integers.
    pub fn reaches(self, threshold: Threshold) -> bool {
        threshold.is_met(self.intersection(), self.union())
    }

    /// With the passages of the pair.
    pub fn with_passages(self, passages: Option<&LocatedPassages>) -> Self {
        let Some(passages) = passages else { return self };
        let sum = || passages.passages.iter().map(|passage| passage.matched).sum();
        Self {
            coverage: passages.coverage_a.max(passages.coverage_b),
            matched: passages.totals.map_or_else(sum, |totals| totals.matched),
            ..self
        }
    }

    /// Whether this share of one document, or more, is in the other; compared in integers.
    pub fn is_contained(self, least: Threshold) -> bool {
        least.is_met(self.intersection(), self.smaller())
    }
}

impl From<&DuplicatePair> for PairCounts {
    fn from(pair: &DuplicatePair) -> Self {
        let DuplicatePair { shared, shingles_a, shingles_b, weights, .. } = *pair;
        Self {
            shared,
            shingles_a,
            shingles_b,
            coverage: 0.0,
            matched: 0,
            kept: pair.kept_similarity().unwrap_or(0.0),
            weights,
        }
    }
}

impl From<&PairRecord<'_>> for PairCounts {
    fn from(pair: &PairRecord<'_>) -> Self {
        let PairRecord { shared, shingles_a, shingles_b, coverage_a, coverage_b, .. } = *pair;
        let passages = pair.passages.iter().flatten().flatten();
        let matched = pair.matched.unwrap_or_else(|| passages.map(|passage| passage.matched).sum());
        let coverage = coverage_a.unwrap_or(0.0).max(coverage_b.unwrap_or(0.0));
        let kept = pair.jaccard_kept.unwrap_or(0.0);
        Self { shared, shingles_a, shingles_b, coverage, matched, kept, weights: pair.weights() }
    }
}

impl PairSort {
    fn value(self, counts: PairCounts) -> f64 {
        let PairCounts { shared, coverage, matched, kept, .. } = counts;
        match self {
            Self::Order => 0.0,
            Self::Jaccard => counts.jaccard(),
            Self::Containment => counts.intersection() as f64 / counts.smaller() as f64,
            Self::Shared => shared as f64,
            Self::Coverage => coverage,
            Self::Matched => matched as f64,
            Self::Kept => kept,
        }
    }
}

impl Ranking {
    /// * `most`: how many lines are kept. They are all that it holds in memory.
    pub fn new(sort: PairSort, most: usize) -> Self {
        Self { sort, most, num_added: 0, kept: BinaryHeap::new() }
    }

    /// Adds the next pair in document order.
    ///
    /// * `line`: makes its line; called only when it is among the first so far.
    pub fn add(&mut self, counts: PairCounts, line: impl FnOnce() -> Box<[u8]>) {
        let (value, number) = (self.sort.value(counts), self.num_added);
        self.num_added += 1;
        if self.kept.len() == self.most {
            // Later ones stand behind earlier ones of the same value.
            if self.kept.peek().is_none_or(|last| last.value >= value) {
                return;
            }
            self.kept.pop();
        }
        self.kept.push(RankedLine { value, number, line: line() });
    }

    /// The first line of the order so far.
    pub fn first(&self) -> Option<&[u8]> {
        self.kept.iter().min().map(|ranked| &*ranked.line)
    }

    /// The lines, the first one first.
    pub fn into_lines(self) -> Vec<Box<[u8]>> {
        self.kept.into_sorted_vec().into_iter().map(|ranked| ranked.line).collect()
    }
}

impl Ord for RankedLine {
    fn cmp(&self, other: &Self) -> Ordering {
        other.value.total_cmp(&self.value).then(self.number.cmp(&other.number))
    }
}

impl PartialOrd for RankedLine {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for RankedLine {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for RankedLine {}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_first_of_an_order_are_those_of_a_stable_sort(
            pairs in prop::collection::vec((1u64..5, 0u64..4, 0u64..4), 0..40),
            most in 0usize..50,
        ) {
            let counts = |&(shared, a, b): &(u64, u64, u64)| PairCounts {
                shared,
                shingles_a: shared + a,
                shingles_b: shared + b,
                coverage: a as f64 / 4.0,
                matched: b,
                kept: b as f64 / 4.0,
                weights: None,
            };
            use PairSort::*;
            for sort in [Order, Jaccard, Containment, Shared, Coverage, Matched, Kept] {
                let mut ranking = Ranking::new(sort, most);
                for (number, pair) in pairs.iter().enumerate() {
                    ranking.add(counts(pair), || Box::new([number as u8]));
                }
                let mut expected: Vec<usize> = (0..pairs.len()).collect();
                expected.sort_by(|&a, &b| sort.value(counts(&pairs[b])).total_cmp(&sort.value(counts(&pairs[a]))));
                expected.truncate(most);
                prop_assert_eq!(ranking.first().map(|line| usize::from(line[0])), expected.first().copied());
                let found: Vec<usize> = ranking.into_lines().iter().map(|line| line[0].into()).collect();
                prop_assert_eq!(found, expected);
            }
        }
    }
}
