//! `SimilaritySample`: how many pairs of a corpus have each similarity, and what a banding would make of them.
//!
//! The partners of drawn texts are counted in a thousand ranges of similarity. A pair is seen from each of its texts
//! that is drawn, so of n texts with d drawn, each partner represents n / d / 2 pairs. The S-curve of a banding at the
//! similarity of each range then gives the expected numbers of candidates and of missed pairs.

use std::collections::HashMap;

use crate::compare::verify::Threshold;
use crate::documents::document::DocId;
use crate::sign::banding::Banding;

/// The number of similarity ranges, each a thousandth wide.
const RANGES: usize = 1000;
/// Standard deviations on either side of the mean that make a 95 % interval.
const DEVIATIONS: f64 = 1.96;

/// How many partners of drawn texts have each similarity.
#[derive(Debug, Clone)]
pub(super) struct SimilarityHistogram {
    below: Vec<PartnerRange>,
    /// The partners that reach the threshold.
    above: Vec<PartnerRange>,
    /// The number of partners at the threshold of each drawn text.
    of_drawn: HashMap<DocId, u64>,
}

/// The number of units in a similarity of 1.
const UNITS: f64 = (1u64 << 32) as f64;

/// The partners in one range of similarity.
#[derive(Debug, Clone, Copy, Default)]
struct PartnerRange {
    number: u64,
    /// The sum of their similarities in units of 2⁻³². An integer sum does not depend on the order.
    sum: u64,
}

impl Default for SimilarityHistogram {
    fn default() -> Self {
        let none = vec![PartnerRange::default(); RANGES + 1];
        Self { below: none.clone(), above: none, of_drawn: HashMap::new() }
    }
}

impl SimilarityHistogram {
    /// Adds a partner of a drawn text.
    pub(super) fn add(&mut self, drawn: DocId, similarity: f64, threshold: Threshold) {
        let is_above = similarity >= threshold.value();
        if is_above {
            *self.of_drawn.entry(drawn).or_default() += 1;
        }
        let ranges = if is_above { &mut self.above } else { &mut self.below };
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
        other.of_drawn.iter().for_each(|(&drawn, number)| *self.of_drawn.entry(drawn).or_default() += number);
    }
}

/// The similarities of drawn texts to all others; made by [`sample_similarities`](crate::search::sample_similarities).
#[derive(Debug, Clone)]
pub struct SimilaritySample {
    /// The number of distinct texts in the corpus.
    pub texts: u64,
    /// The number of drawn texts.
    pub drawn: u64,
    /// The minimum similarity of a duplicate pair.
    pub threshold: f64,
    /// The wall time to read a text once more and to make its set, in seconds, with all threads.
    pub seconds_per_text: f64,
    /// The wall time to verify a pair whose sets are in memory, in seconds, with all threads.
    pub seconds_per_candidate: f64,
    pub(super) histogram: SimilarityHistogram,
}

/// The expected work and result of a run with some banding.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExpectedRun {
    /// The candidate pairs of distinct texts.
    pub candidates: f64,
    /// The candidate pairs below the threshold, which are verified needlessly.
    pub false_candidates: f64,
    /// The pairs at or above the threshold that are not candidates.
    pub missed: f64,
    /// The wall time to verify the candidates, in seconds: to read their texts again, and to compare them.
    pub seconds: f64,
}

impl SimilaritySample {
    /// The number of pairs of distinct texts for each partner of a drawn text.
    fn scale(&self) -> f64 {
        // Either text of a pair may be drawn.
        if self.drawn == 0 { 0.0 } else { self.texts as f64 / self.drawn as f64 / 2.0 }
    }

    /// The estimated number of pairs at or above the threshold.
    pub fn pairs(&self) -> f64 {
        self.scale() * self.histogram.above.iter().map(|range| range.number as f64).sum::<f64>()
    }

    /// The 95 % interval of the number of pairs; exact where all texts were drawn.
    ///
    /// A drawn text contributes all of its pairs, so the error is the error of a mean over the drawn texts.
    pub fn pairs_between(&self) -> [f64; 2] {
        if self.drawn >= self.texts {
            return [self.pairs(); 2];
        }
        let (drawn, partners) = (self.drawn as f64, self.partners() as f64);
        // Integers, since their sum does not depend on the order.
        let squares = self.histogram.of_drawn.values().map(|number| number * number).sum::<u64>() as f64;
        let variance = (squares - partners * partners / drawn.max(1.0)).max(0.0) * (1.0 - drawn / self.texts as f64);
        // The interval holds all numbers from which the number seen is within the error. This matters for few pairs:
        // seeing none does not prove that there are none.
        let middle = DEVIATIONS * DEVIATIONS / 2.0;
        let error = DEVIATIONS * (variance + middle / 2.0).sqrt();
        let low = (self.scale() * (partners + middle - error)).max(partners / 2.0);
        [low, self.scale() * (partners + middle + error)]
    }

    /// The number of partners of drawn texts at or above the threshold, on which [`pairs`](Self::pairs) is based.
    pub fn partners(&self) -> u64 {
        self.histogram.above.iter().map(|range| range.number).sum()
    }

    /// The estimated number of pairs in ranges of similarity of equal width, from 0 to 1; pairs at 1 are in the last
    /// range. Pairs that share nothing are not counted.
    ///
    /// # Panics
    /// When a thousand is not divisible by `ranges`.
    pub fn histogram(&self, ranges: usize) -> Vec<f64> {
        assert!(ranges > 0 && RANGES.is_multiple_of(ranges), "ranges of whole thousandths");
        let mut pairs = vec![0.0; ranges];
        let SimilarityHistogram { below, above, .. } = &self.histogram;
        for (position, range) in below.iter().enumerate().chain(above.iter().enumerate()) {
            pairs[(position / (RANGES / ranges)).min(ranges - 1)] += self.scale() * range.number as f64;
        }
        pairs
    }

    /// The expected result of a run with this banding.
    pub fn expected(&self, banding: Banding) -> ExpectedRun {
        let found = |ranges: &[PartnerRange]| -> (f64, f64) {
            let filled = ranges.iter().filter(|range| range.number > 0);
            filled.fold((0.0, 0.0), |(found, missed), range| {
                let recall = banding.recall((range.sum as f64 / UNITS / range.number as f64).min(1.0));
                let number = self.scale() * range.number as f64;
                (found + number * recall, missed + number * (1.0 - recall))
            })
        };
        let (false_candidates, _) = found(&self.histogram.below);
        let (true_pairs, missed) = found(&self.histogram.above);
        let candidates = false_candidates + true_pairs;
        let texts = (2.0 * candidates).min(self.texts as f64);
        let seconds = texts * self.seconds_per_text + candidates * self.seconds_per_candidate;
        ExpectedRun { candidates, false_candidates, missed, seconds }
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
            one.add(DocId::new(0), similarity, threshold);
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
        // A partner of a drawn text represents 100 / 20 / 2 pairs.
        let chances = |is_above: bool| similarities.iter().filter(move |&&s| (s >= 0.8) == is_above);
        let false_candidates: f64 = chances(false).map(|&s| 2.5 * banding.recall(s)).sum();
        let missed: f64 = chances(true).map(|&s| 2.5 * (1.0 - banding.recall(s))).sum();
        let expected = sample.expected(banding);
        assert!(
            (expected.false_candidates - false_candidates).abs() < 0.02 && (expected.missed - missed).abs() < 1e-4,
            "{expected:?}"
        );
        assert!((expected.candidates - false_candidates - (7.5 - missed)).abs() < 0.02);
        assert_eq!((sample.pairs(), sample.partners()), (7.5, 3));
        assert_eq!(sample.histogram(10), [2.5, 0.0, 5.0, 0.0, 0.0, 2.5, 0.0, 2.5, 2.5, 5.0]);
        assert!((expected.seconds - 2.0 * expected.candidates - 0.5 * expected.candidates).abs() < 1e-9);
    }

    #[test]
    fn the_truth_is_within_the_interval_as_often_as_it_says() {
        use rand::SeedableRng;
        use rand::rngs::ChaCha12Rng;

        // 600 clusters of 1 to 6 texts, in which all texts are alike; 300 texts are drawn.
        let family_of: Vec<usize> = (0..600).flat_map(|family| vec![family; family % 6 + 1]).collect();
        let size = |family: usize| (family % 6 + 1) as u64;
        let truth = (0..600).map(|family| size(family) * (size(family) - 1) / 2).sum::<u64>() as f64;
        let mut random = ChaCha12Rng::seed_from_u64(11);
        let (mut within, trials) = (0, 400);
        for _ in 0..trials {
            let mut histogram = SimilarityHistogram::default();
            for text in rand::seq::index::sample(&mut random, family_of.len(), 300) {
                (1..size(family_of[text])).for_each(|_| histogram.add(DocId::new(text), 1.0, Threshold::default()));
            }
            let (texts, drawn) = (family_of.len() as u64, 300);
            let sample = SimilaritySample { texts, drawn, histogram, ..sample(&[], 0) };
            let [low, high] = sample.pairs_between();
            within += u32::from(low <= truth && truth <= high);
        }
        // 400 trials of 0.95 have a standard deviation of 4.4.
        assert!((360..=400).contains(&within), "{within} of {trials}");
    }

    #[test]
    fn nothing_seen_is_no_proof_of_nothing_and_all_drawn_is_exact() {
        let [low, high] = sample(&[], 20).pairs_between();
        assert!(low == 0.0 && (5.0..15.0).contains(&high), "{high}");
        let all = sample(&[0.9, 0.9], 100);
        assert_eq!(all.pairs_between(), [all.pairs(); 2]);
    }
}
