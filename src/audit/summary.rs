//! `AuditSummary`: the measured recall beside the promised one, in numbers.

use serde::Serialize;

use super::interval::{Interval, independent_pairs};
use super::missed::MissedPair;

/// The recall of a run as it was measured. Pairs are of different texts; exact copies are always found, and do not count, also
/// across sides and groups.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AuditSummary {
    /// Texts that were drawn.
    pub texts: u64,
    /// Texts that they were drawn of: all distinct ones.
    pub of_texts: u64,
    /// All pairs.
    #[serde(flatten)]
    pub all: AuditCounts,
    /// Whether the promise is outside of the interval of 99.9 %: it differs from what was measured by more than chance.
    pub differs: bool,
    /// Whether the pairs can tell: the interval of 99.9 % spans less than half of all shares. Without that a wrong promise need not
    /// differ.
    pub decisive: bool,
    /// The same by similarity, from the threshold to 1 in steps that are equal up to rounding.
    pub by_similarity: Vec<AuditBucket>,
    /// The most similar of the pairs that the run missed, at most 100.
    pub missed: Vec<MissedPair>,
}

/// The pairs of a range of similarities.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct AuditBucket {
    /// The least similarity, inclusive.
    pub from: f64,
    /// The end of the range, exclusive but for 1.
    pub to: f64,
    /// Its pairs.
    #[serde(flatten)]
    pub counts: AuditCounts,
}

/// Pairs, how many of them the run found, and how many it promised to find.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct AuditCounts {
    /// The pairs that there are, with a text that was drawn.
    pub pairs: u64,
    /// Those that the run found.
    pub found: u64,
    /// The share of those; `None` without a pair.
    pub recall: Option<f64>,
    /// The interval of the true share, 95 %: Clopper and Pearson's, of as many pairs as are independent. `None` without a pair.
    pub interval: Option<[f64; 2]>,
    /// The mean of the S-curve at the similarities of the pairs; `None` without a pair.
    pub promised: Option<f64>,
    /// The number of pairs that are worth as much as these and know nothing of each other.
    pub independent: f64,
}

/// The pairs of one component that there are, and those that were found, by similarity.
pub(super) type ComponentCounts = [(u64, u64); AuditSummary::BUCKETS];

impl AuditSummary {
    /// Ranges of similarities.
    pub const BUCKETS: usize = 10;

    /// Without any pair.
    pub(super) fn new(texts: u64, of_texts: u64, threshold: f64) -> Self {
        let step = (1.0 - threshold) / Self::BUCKETS as f64;
        // To a millionth, so that what people read is what counts.
        let edge = |number: usize| ((threshold + step * number as f64) * 1e6).round() / 1e6;
        let mut edges = vec![threshold];
        for edge in (1..=Self::BUCKETS).map(edge) {
            // Near a threshold of 1 steps are too small for numbers that people read.
            if edge > edges[edges.len() - 1] {
                edges.push(edge);
            }
        }
        if edges.len() == 1 {
            edges.push(1.0);
        }
        let bucket = |edges: &[f64]| AuditBucket { from: edges[0], to: edges[1], counts: AuditCounts::default() };
        let by_similarity = edges.windows(2).map(bucket).collect();
        let (all, missed) = (AuditCounts::default(), Vec::new());
        Self { texts, of_texts, all, differs: false, decisive: false, by_similarity, missed }
    }

    /// The bucket of a similarity at or above the threshold.
    pub(super) fn bucket_of(&self, similarity: f64) -> usize {
        self.by_similarity.iter().rposition(|bucket| similarity >= bucket.from).unwrap_or(0)
    }

    /// Sets the numbers.
    ///
    /// * `promised`: by bucket, the sum of the chances of its pairs.
    pub(super) fn set<'c>(
        &mut self,
        components: impl Iterator<Item = &'c ComponentCounts> + Clone,
        promised: [f64; Self::BUCKETS],
    ) {
        for (number, bucket) in self.by_similarity.iter_mut().enumerate() {
            let counts = components.clone().map(|component| component[number]);
            bucket.counts = AuditCounts::new(counts, promised[number]);
        }
        let sum = |component: &ComponentCounts| {
            component.iter().fold((0, 0), |sum, &(all, found)| (sum.0 + all, sum.1 + found))
        };
        self.all = AuditCounts::new(components.map(sum), promised.iter().sum());
        (self.differs, self.decisive) = self.all.verdict();
    }
}

impl AuditCounts {
    /// * `components`: for each its pairs, and those that were found.
    fn new(components: impl Iterator<Item = (u64, u64)> + Clone, promised: f64) -> Self {
        let (pairs, found) = components.clone().fold((0, 0), |sum, (all, found)| (sum.0 + all, sum.1 + found));
        let independent = independent_pairs(components);
        if pairs == 0 {
            return Self::default();
        }
        let recall = found as f64 / pairs as f64;
        let Interval { low, high } = Interval::new(recall, independent, Interval::USUAL);
        let promised = Some((promised / pairs as f64).min(1.0));
        Self { pairs, found, recall: Some(recall), interval: Some([low, high]), promised, independent }
    }

    /// Whether the promise differs from what was measured by more than chance, and whether it could.
    fn verdict(&self) -> (bool, bool) {
        let Some((recall, promised)) = self.recall.zip(self.promised) else { return (false, false) };
        let sure = Interval::new(recall, self.independent, Interval::SURE);
        let differs = !sure.contains(promised);
        (differs, differs || sure.high - sure.low < 0.5)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_go_from_the_threshold_to_1_and_hold_both_ends() {
        let summary = AuditSummary::new(1, 1, 0.8);
        let edges: Vec<f64> = summary.by_similarity.iter().map(|bucket| bucket.from).collect();
        assert_eq!(edges, [0.8, 0.82, 0.84, 0.86, 0.88, 0.9, 0.92, 0.94, 0.96, 0.98]);
        let buckets = [0.8, 0.8199, 0.82, 0.999, 1.0].map(|similarity| summary.bucket_of(similarity));
        assert_eq!(buckets, [0, 0, 1, 9, 9]);
        let ranges = |threshold| {
            let ranges = AuditSummary::new(1, 1, threshold).by_similarity;
            ranges.iter().map(|bucket| (bucket.from, bucket.to)).collect::<Vec<_>>()
        };
        assert_eq!(ranges(1.0), [(1.0, 1.0)]);
        assert_eq!(ranges(0.999_999_94), [(0.999_999_94, 1.0)]);
        assert_eq!(ranges(0.999_998), [(0.999_998, 0.999_999), (0.999_999, 1.0)]);
        assert_eq!(AuditSummary::new(1, 1, 1.0).bucket_of(1.0), 0);
    }

    #[test]
    fn a_promise_that_is_broken_by_chance_does_not_differ_and_one_that_is_not_does() {
        let of = |components: &[ComponentCounts], chance: f64| {
            let mut summary = AuditSummary::new(1, 1, 0.5);
            let pairs: u64 = components.iter().map(|component| component[0].0).sum();
            let mut promised = [0.0; AuditSummary::BUCKETS];
            promised[0] = chance * pairs as f64;
            summary.set(components.iter(), promised);
            summary
        };
        let component = |all, found| {
            let mut counts = ComponentCounts::default();
            counts[0] = (all, found);
            counts
        };
        let alone: Vec<ComponentCounts> = (0..1000).map(|number| component(1, u64::from(number >= 100))).collect();
        assert!(!of(&alone, 0.92).differs && of(&alone, 0.96).differs);
        assert_eq!((of(&alone, 0.92).all.pairs, of(&alone, 0.92).all.recall), (1000, Some(0.9)));
        // A hundred that were missed in one component are one that was missed.
        let together = of(&[component(100, 0), component(900, 900)], 0.96);
        assert!(!together.differs && !together.decisive && together.all.independent < 2.0);
        assert!(of(&alone, 0.92).decisive && of(&alone, 0.96).decisive);
        assert_eq!(of(&[], 0.9).all, AuditCounts::default());
    }
}
