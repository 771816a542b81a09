//! `Ranking`: keeps the first lines of pairs by another order than document order.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::record::PairRecord;
use crate::compare::passages::LocatedPassages;
use crate::compare::verify::{DuplicatePair, PairWeights, Threshold};

/// The order in which pairs are printed. Pairs with equal values stay in document order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PairSort {
    /// Document order: by `a`, then by `b`.
    #[default]
    Order,
    /// Descending Jaccard similarity.
    Jaccard,
    /// Descending containment: the larger of the two containments of a pair.
    Containment,
    /// Descending number of shared shingles.
    Shared,
    /// Descending number of shingles of the longer document.
    Shingles,
    /// Descending weight of the shingles in both documents (`weight_shared`).
    WeightShared,
    /// Descending weight of the document whose shingles have the higher weight.
    Weight,
    /// Descending coverage: the larger share of a document's tokens that passages cover.
    Coverage,
    /// Descending number of tokens in passages.
    Matched,
    /// Descending number of tokens in the longest run of the passages.
    Longest,
    /// Descending similarity with all shingles, before some are removed (`jaccard_raw`).
    Raw,
    /// Descending estimate of the similarity by signatures.
    Estimate,
    /// Descending similarity with identifiers kept (`jaccard_kept`), which distinguishes copies of programs from
    /// coincidence.
    Kept,
}

/// The numbers of a pair's distinct shingles and of its passages, by which pairs are ordered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairCounts {
    /// Number of distinct shingles in both documents.
    pub shared: u64,
    /// Number of distinct shingles of `a`.
    pub shingles_a: u64,
    /// Number of distinct shingles of `b`.
    pub shingles_b: u64,
    /// The larger share of a document's tokens that passages cover; 0 when passages are not computed.
    pub coverage: f64,
    /// Number of tokens in passages; 0 when passages are not computed.
    pub matched: u64,
    /// Number of tokens in the longest run of the passages; 0 when passages are not computed.
    pub longest: u64,
    /// Similarity with identifiers kept; 0 when it is not computed.
    pub kept: f64,
    /// Similarity before shingles were removed; 0 when none are removed.
    pub raw: f64,
    /// Estimate of the similarity by signatures.
    pub estimate: f64,
    /// Weights of the shingles, if shingles have weights; similarity and containment are then computed from the
    /// weights.
    pub weights: Option<PairWeights>,
}

/// Keeps the first lines of an order.
#[derive(Debug)]
pub struct Ranking {
    sort: PairSort,
    most: usize,
    num_added: u64,
    /// The kept lines; the last one in the order is on top.
    kept: BinaryHeap<RankedLine>,
}

#[derive(Debug)]
struct RankedLine {
    value: f64,
    number: u64,
    line: Box<[u8]>,
}

impl PairCounts {
    /// |A ∩ B| / |A ∪ B| in shingles or weights, as the nearest `f64`.
    pub fn jaccard(self) -> f64 {
        self.intersection() as f64 / self.union() as f64
    }

    /// |A ∩ B| in shingles, or in weight units if shingles have weights.
    pub fn intersection(self) -> u64 {
        self.weights.map_or(self.shared, |weights| weights.shared)
    }

    /// |A ∪ B| in shingles, or in weight units if shingles have weights.
    pub fn union(self) -> u64 {
        self.weights.map_or(self.shingles_a + self.shingles_b - self.shared, PairWeights::union)
    }

    /// The smaller of |A| and |B| in shingles, or in weight units if shingles have weights.
    fn smaller(self) -> u64 {
        self.weights.map_or(self.shingles_a.min(self.shingles_b), |weights| weights.a.min(weights.b))
    }

    /// Whether the pair reaches the Jaccard similarity `threshold`, compared in integers.
    pub fn reaches(self, threshold: Threshold) -> bool {
        threshold.is_met(self.intersection(), self.union())
    }

    /// The counts with the coverage and the tokens of the pair's passages.
    pub fn with_passages(self, passages: Option<&LocatedPassages>) -> Self {
        let Some(passages) = passages else { return self };
        let matched = || passages.passages.iter().map(|passage| passage.matched);
        let (sum, longest) = (|| matched().sum(), || matched().max().unwrap_or(0));
        Self {
            coverage: passages.coverage_a.max(passages.coverage_b),
            matched: passages.totals.map_or_else(sum, |totals| totals.matched),
            longest: passages.totals.map_or_else(longest, |totals| totals.longest),
            ..self
        }
    }

    /// Whether one document contains the share `least` or more of the other; compared in integers.
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
            longest: 0,
            kept: pair.kept_similarity().unwrap_or(0.0),
            raw: pair.raw_similarity().unwrap_or(0.0),
            estimate: pair.estimate(),
            weights,
        }
    }
}

impl From<&PairRecord<'_>> for PairCounts {
    fn from(pair: &PairRecord<'_>) -> Self {
        let PairRecord { shared, shingles_a, shingles_b, coverage_a, coverage_b, .. } = *pair;
        let passages = || pair.passages.iter().flatten().flatten().map(|passage| passage.matched);
        let matched = pair.matched.unwrap_or_else(|| passages().sum());
        let longest = pair.longest.unwrap_or_else(|| passages().max().unwrap_or(0));
        let coverage = coverage_a.unwrap_or(0.0).max(coverage_b.unwrap_or(0.0));
        let kept = pair.jaccard_kept.unwrap_or(0.0);
        let (raw, estimate, weights) = (pair.jaccard_raw.unwrap_or(0.0), pair.estimate, pair.weights());
        Self { shared, shingles_a, shingles_b, coverage, matched, longest, kept, raw, estimate, weights }
    }
}

impl PairSort {
    fn value(self, counts: PairCounts) -> f64 {
        let PairCounts { shared, coverage, matched, longest, kept, raw, estimate, .. } = counts;
        match self {
            Self::Order => 0.0,
            Self::Jaccard => counts.jaccard(),
            Self::Containment => counts.intersection() as f64 / counts.smaller() as f64,
            Self::Shared => shared as f64,
            Self::Shingles => counts.shingles_a.max(counts.shingles_b) as f64,
            Self::WeightShared => counts.weights.map_or(0.0, |weights| weights.shared as f64),
            Self::Weight => counts.weights.map_or(0.0, |weights| weights.a.max(weights.b) as f64),
            Self::Coverage => coverage,
            Self::Matched => matched as f64,
            Self::Longest => longest as f64,
            Self::Raw => raw,
            Self::Estimate => estimate,
            Self::Kept => kept,
        }
    }
}

impl Ranking {
    /// Creates a ranking that keeps the first `most` lines of an order, and only these in memory.
    pub fn new(sort: PairSort, most: usize) -> Self {
        Self { sort, most, num_added: 0, kept: BinaryHeap::new() }
    }

    /// Adds the next pair in document order.
    ///
    /// * `line`: formats the pair's line; called only if the pair is among the first `most` so far.
    pub fn add(&mut self, counts: PairCounts, line: impl FnOnce() -> Box<[u8]>) {
        let (value, number) = (self.sort.value(counts), self.num_added);
        self.num_added += 1;
        if self.kept.len() == self.most {
            // On equal values an earlier pair comes before a later one.
            if self.kept.peek().is_none_or(|last| last.value >= value) {
                return;
            }
            self.kept.pop();
        }
        self.kept.push(RankedLine { value, number, line: line() });
    }

    /// The first kept line.
    pub fn first(&self) -> Option<&[u8]> {
        self.kept.iter().min().map(|ranked| &*ranked.line)
    }

    /// The kept lines in order.
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
                longest: 0,
                raw: 0.0,
                estimate: 0.0,
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
