//! `AuditSummary`: the measured recall next to the promised one, in numbers.
//!
//! The true pairs are counted in ten ranges of similarity and in total. Each count has a 95 % interval of the recall,
//! and the promise that the S-curve makes for these pairs. The verdict, whether promise and measurement differ, uses
//! the wider interval of 99.9 %, since an audit should rarely raise a false alarm.

use serde::Serialize;

use super::interval::{Interval, independent_pairs};
use super::missed::MissedPair;

/// The measured recall of a run. All numbers count pairs of different texts only: exact copies are always found, and
/// pairs of them do not count, even across sides and groups.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AuditSummary {
    /// The number of drawn texts.
    pub texts: u64,
    /// The number of distinct texts from which they were drawn.
    pub of_texts: u64,
    /// The counts of all pairs.
    #[serde(flatten)]
    pub all: AuditCounts,
    /// Whether the promised recall is outside the 99.9 % interval, that is, differs from the measured recall by more
    /// than chance.
    pub differs: bool,
    /// Whether there were enough pairs for a verdict: the 99.9 % interval is narrower than 0.5. Otherwise even a wrong
    /// promise may not show.
    pub decisive: bool,
    /// The counts by similarity, from the threshold to 1 in ranges of equal width up to rounding.
    pub by_similarity: Vec<AuditBucket>,
    /// The most similar pairs that the run missed, at most 100.
    pub missed: Vec<MissedPair>,
}

/// The counts of the pairs in one range of similarities.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct AuditBucket {
    /// The lower end of the range, inclusive.
    pub from: f64,
    /// The upper end of the range, exclusive unless it is 1.
    pub to: f64,
    /// The counts of the pairs in the range.
    #[serde(flatten)]
    pub counts: AuditCounts,
}

/// The number of true pairs, how many of them the run found, and how many it promised to find.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct AuditCounts {
    /// The true pairs with at least one drawn text.
    pub pairs: u64,
    /// The pairs among them that the run found.
    pub found: u64,
    /// The share of `pairs` that the run found; `None` without a pair.
    pub recall: Option<f64>,
    /// The 95 % confidence interval of the recall (Clopper and Pearson), computed for `independent` pairs. `None`
    /// without a pair.
    pub interval: Option<[f64; 2]>,
    /// The promised recall: the mean of the S-curve at the similarities of the pairs. `None` without a pair.
    pub promised: Option<f64>,
    /// The number of independent pairs that would say as much as `pairs`.
    pub independent: f64,
}

/// For each range of similarity, the true pairs of one component and how many of them were found.
pub(super) type ComponentCounts = [(u64, u64); AuditSummary::BUCKETS];

impl AuditSummary {
    /// The number of similarity ranges.
    pub const BUCKETS: usize = 10;

    /// A summary without any pair.
    pub(super) fn new(texts: u64, of_texts: u64, threshold: f64) -> Self {
        let step = (1.0 - threshold) / Self::BUCKETS as f64;
        // Rounded to a millionth, so that the printed edges are the ones used.
        let edge = |number: usize| ((threshold + step * number as f64) * 1e6).round() / 1e6;
        let mut edges = vec![threshold];
        for edge in (1..=Self::BUCKETS).map(edge) {
            // Near a threshold of 1 the steps are smaller than a millionth, so edges that round to the same number are
            // merged.
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

    /// The range of a similarity at or above the threshold.
    pub(super) fn bucket_of(&self, similarity: f64) -> usize {
        self.by_similarity.iter().rposition(|bucket| similarity >= bucket.from).unwrap_or(0)
    }

    /// Sets the counts and the verdict.
    ///
    /// * `components`: the counts of each component.
    /// * `promised`: for each range, the sum of the probabilities that its pairs are found.
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
    /// * `components`: for each component, its number of pairs and the number of them that were found.
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

    /// Whether the promise differs from the measurement by more than chance, and whether there were enough pairs to
    /// show that.
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
        // A hundred pairs missed in one component count as one missed pair.
        let together = of(&[component(100, 0), component(900, 900)], 0.96);
        assert!(!together.differs && !together.decisive && together.all.independent < 2.0);
        assert!(of(&alone, 0.92).decisive && of(&alone, 0.96).decisive);
        assert_eq!(of(&[], 0.9).all, AuditCounts::default());
    }
}
