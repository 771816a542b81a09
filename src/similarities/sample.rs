//! `SimilaritySample`: how many pairs of a corpus there are at each similarity, and what a banding would make of them.

use crate::banding::Banding;
use crate::verify::Threshold;

/// Ranges of similarity, each a thousandth.
const RANGES: usize = 1000;

/// How many partners have each similarity.
#[derive(Debug, Clone)]
pub(super) struct SimilarityHistogram {
    below: Vec<PartnerRange>,
    /// Those that reach the threshold.
    above: Vec<PartnerRange>,
}

/// Units of a similarity of 1.
const UNITS: f64 = (1u64 << 32) as f64;

/// Partners in a range of similarity.
#[derive(Debug, Clone, Copy, Default)]
struct PartnerRange {
    number: u64,
    /// The sum of their similarities in units of 2⁻³², which does not depend on the order.
    sum: u64,
}

impl Default for SimilarityHistogram {
    fn default() -> Self {
        let none = vec![PartnerRange::default(); RANGES + 1];
        Self { below: none.clone(), above: none }
    }
}

impl SimilarityHistogram {
    pub(super) fn add(&mut self, similarity: f64, threshold: Threshold) {
        let ranges = if similarity >= threshold.value() { &mut self.above } else { &mut self.below };
        let range = &mut ranges[((similarity * RANGES as f64) as usize).min(RANGES)];
        range.number += 1;
        range.sum += (similarity * UNITS).round() as u64;
    }

    pub(super) fn join(&mut self, other: &Self) {
        for (ours, theirs) in [(&mut self.below, &other.below), (&mut self.above, &other.above)] {
            for (ours, theirs) in ours.iter_mut().zip(theirs) {
                ours.number += theirs.number;
                ours.sum += theirs.sum;
            }
        }
    }
}

/// The similarities of drawn texts to all others; made by [`sample_similarities`](crate::sample_similarities).
#[derive(Debug, Clone)]
pub struct SimilaritySample {
    /// Distinct texts of the corpus.
    pub texts: u64,
    /// How many of them were drawn.
    pub drawn: u64,
    /// The least similarity of a pair.
    pub threshold: f64,
    /// Wall time to read a text once more and to make its set, in seconds, all threads together.
    pub seconds_per_text: f64,
    /// Wall time to verify a pair whose sets are in memory, likewise.
    pub seconds_per_candidate: f64,
    pub(super) histogram: SimilarityHistogram,
}

/// What a banding is expected to do with a corpus.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExpectedRun {
    /// Candidate pairs of distinct texts.
    pub candidates: f64,
    /// Those of them that are below the threshold.
    pub in_vain: f64,
    /// Pairs at the threshold that are no candidates.
    pub missed: f64,
    /// Wall time to verify the candidates, in seconds: to read their texts again, and to compare them.
    pub seconds: f64,
}

impl SimilaritySample {
    /// How many pairs of distinct texts there are for a partner of a drawn one.
    fn scale(&self) -> f64 {
        // Each pair has two texts that may be drawn.
        if self.drawn == 0 { 0.0 } else { self.texts as f64 / self.drawn as f64 / 2.0 }
    }

    /// The estimated number of pairs at or above the threshold.
    pub fn pairs(&self) -> f64 {
        self.scale() * self.histogram.above.iter().map(|range| range.number as f64).sum::<f64>()
    }

    /// The number of partners of drawn texts at or above the threshold, on which [`pairs`](Self::pairs) rests.
    pub fn partners(&self) -> u64 {
        self.histogram.above.iter().map(|range| range.number).sum()
    }

    /// The estimated number of pairs in ranges of similarity of equal width, from 0 to 1; those at 1 are in the last. Pairs that
    /// share nothing are in none.
    ///
    /// # Panics
    /// When a thousand is not divisible by `ranges`.
    pub fn histogram(&self, ranges: usize) -> Vec<f64> {
        assert!(ranges > 0 && RANGES.is_multiple_of(ranges), "ranges of whole thousandths");
        let mut pairs = vec![0.0; ranges];
        let SimilarityHistogram { below, above } = &self.histogram;
        for (place, range) in below.iter().enumerate().chain(above.iter().enumerate()) {
            pairs[(place / (RANGES / ranges)).min(ranges - 1)] += self.scale() * range.number as f64;
        }
        pairs
    }

    /// What a run with this banding is expected to do.
    pub fn expected(&self, banding: Banding) -> ExpectedRun {
        let found = |ranges: &[PartnerRange]| -> (f64, f64) {
            let filled = ranges.iter().filter(|range| range.number > 0);
            filled.fold((0.0, 0.0), |(found, missed), range| {
                let recall = banding.recall((range.sum as f64 / UNITS / range.number as f64).min(1.0));
                let number = self.scale() * range.number as f64;
                (found + number * recall, missed + number * (1.0 - recall))
            })
        };
        let (in_vain, _) = found(&self.histogram.below);
        let (true_pairs, missed) = found(&self.histogram.above);
        let candidates = in_vain + true_pairs;
        let texts = (2.0 * candidates).min(self.texts as f64);
        let seconds = texts * self.seconds_per_text + candidates * self.seconds_per_candidate;
        ExpectedRun { candidates, in_vain, missed, seconds }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(similarities: &[f64], drawn: u64) -> SimilaritySample {
        let mut histogram = SimilarityHistogram::default();
        let threshold = Threshold::default();
        for &similarity in similarities {
            let mut one = SimilarityHistogram::default();
            one.add(similarity, threshold);
            histogram.join(&one);
        }
        let (seconds_per_text, seconds_per_candidate) = (1.0, 0.5);
        SimilaritySample { texts: 100, drawn, threshold: 0.8, seconds_per_text, seconds_per_candidate, histogram }
    }

    #[test]
    fn expected_numbers_are_sums_over_pairs() {
        let similarities = [0.0005, 0.25, 0.2504, 0.5, 0.79999, 0.8, 0.9, 1.0];
        let sample = sample(&similarities, 20);
        let banding = Banding::default();
        // A partner of a drawn text stands for 100 / 20 / 2 pairs.
        let chances = |is_above: bool| similarities.iter().filter(move |&&s| (s >= 0.8) == is_above);
        let in_vain: f64 = chances(false).map(|&s| 2.5 * banding.recall(s)).sum();
        let missed: f64 = chances(true).map(|&s| 2.5 * (1.0 - banding.recall(s))).sum();
        let expected = sample.expected(banding);
        assert!((expected.in_vain - in_vain).abs() < 0.02 && (expected.missed - missed).abs() < 1e-4, "{expected:?}");
        assert!((expected.candidates - in_vain - (7.5 - missed)).abs() < 0.02);
        assert_eq!((sample.pairs(), sample.partners()), (7.5, 3));
        assert_eq!(sample.histogram(10), [2.5, 0.0, 5.0, 0.0, 0.0, 2.5, 0.0, 2.5, 2.5, 5.0]);
        assert!((expected.seconds - 2.0 * expected.candidates - 0.5 * expected.candidates).abs() < 1e-9);
    }
}
