//! `Estimate`: extrapolates a count of pairs from a sample of the documents to all documents, with its error.
//!
//! When each document is in the sample with probability p, a pair is in it with probability p², so the number of pairs
//! seen is divided by p². Pairs with a document in common are seen or missed together, which increases the error.
//! [`Degrees`] counts the pairs and how often two of them have a document in common. It counts by texts, since the
//! pairs among a million equal documents are too many to list.

use std::collections::HashMap;

use serde::Serialize;

/// An estimated number with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The expected number.
    pub expected: f64,
    /// The lower end of the 95 % interval.
    pub low: f64,
    /// The upper end of the 95 % interval.
    pub high: f64,
}

/// Standard deviations on either side of the mean that make a 95 % interval.
const DEVIATIONS: f64 = 1.96;

impl Estimate {
    /// Estimates the pairs of all documents when each document is in the sample independently, with probability
    /// `share`.
    ///
    /// * `seen`: the pairs with both documents in the sample.
    /// * `paths`: the number of times that two of these pairs have a document in common.
    ///
    /// A pair is seen with probability share². Two pairs with a common document are seen together with probability
    /// share³, which makes the variance larger when pairs form clusters.
    pub(super) fn of_pairs(seen: u64, paths: f64, share: f64) -> Self {
        let pairs = seen as f64;
        // The variance of the number seen; the paths among all documents are estimated as paths / share³.
        let variance = pairs * (1.0 - share * share) + 2.0 * paths * (1.0 - share);
        let sums = [pairs / share.powi(2), variance / share.powi(4)];
        if share >= 1.0 { Self::exactly(pairs) } else { Self::of_sums(seen, sums, share.powi(-2)) }
    }

    /// A number that is known exactly.
    pub(super) fn exactly(number: f64) -> Self {
        Self { expected: number, low: number, high: number }
    }

    /// Makes an estimate like [`of_pairs`](Self::of_pairs), but from the expected number of pairs of all documents and
    /// its variance.
    ///
    /// * `weight`: how many pairs of all documents each seen pair represents.
    pub(super) fn of_sums(seen: u64, [expected, variance]: [f64; 2], weight: f64) -> Self {
        // The interval holds all numbers from which the number seen is within the error (like Wilson's interval). This
        // matters for few pairs: seeing none does not prove that there are none.
        let middle = DEVIATIONS * DEVIATIONS / 2.0 * weight;
        let error = DEVIATIONS * (variance + middle * weight / 2.0).sqrt();
        Self { expected, low: (expected + middle - error).max(seen as f64), high: expected + middle + error }
    }

    /// Limits the estimate to at most `most`.
    pub(super) fn at_most(self, most: f64) -> Self {
        Self { expected: self.expected.min(most), low: self.low.min(most), high: self.high.min(most) }
    }

    /// Adds a known number to the estimate.
    pub(super) fn plus(self, known: f64) -> Self {
        Self { expected: self.expected + known, low: self.low + known, high: self.high + known }
    }
}

/// Counts pairs of documents by their texts: all documents with the same text have the same number of pairs.
#[derive(Debug, Default)]
pub(super) struct Degrees {
    texts: HashMap<usize, TextDegree>,
    pairs: u64,
}

/// The documents that have one text.
#[derive(Debug)]
struct TextDegree {
    documents: u64,
    pairs_of_each: u64,
}

impl Degrees {
    /// Adds the pairs between the documents with a text and the documents with another text.
    ///
    /// * `texts`: the number of each text, and how many documents have it.
    pub(super) fn add(&mut self, texts: [(usize, u64); 2]) {
        let [(_, documents_a), (_, documents_b)] = texts;
        self.pairs += documents_a * documents_b;
        for ((text, documents), others) in texts.into_iter().zip([documents_b, documents_a]) {
            self.text(text, documents).pairs_of_each += others;
        }
    }

    /// Adds the pairs among the documents with one text.
    pub(super) fn add_copies(&mut self, text: usize, documents: u64) {
        self.pairs += documents * documents.saturating_sub(1) / 2;
        self.text(text, documents).pairs_of_each += documents.saturating_sub(1);
    }

    fn text(&mut self, text: usize, documents: u64) -> &mut TextDegree {
        self.texts.entry(text).or_insert(TextDegree { documents, pairs_of_each: 0 })
    }

    /// The number of pairs.
    pub(super) fn pairs(&self) -> u64 {
        self.pairs
    }

    /// The number of times that two pairs have a document in common.
    pub(super) fn paths(&self) -> f64 {
        let paths = |text: &TextDegree| {
            let pairs = text.pairs_of_each as f64;
            text.documents as f64 * pairs * (pairs - 1.0) / 2.0
        };
        self.texts.values().map(paths).sum()
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::ChaCha12Rng;
    use rand::{RngExt, SeedableRng};

    use super::*;

    /// Draws samples of a graph that consists of `groups` complete graphs of `size` documents. Returns how often the
    /// truth is within the interval, and the mean of the expected number relative to the truth.
    fn try_groups(groups: usize, size: usize, share: f64, trials: u64) -> (f64, f64) {
        let mut random = ChaCha12Rng::seed_from_u64(7);
        let truth = (groups * size * (size - 1) / 2) as f64;
        let (mut within, mut sum) = (0, 0.0);
        for _ in 0..trials {
            let (mut seen, mut degrees) = (0, Degrees::default());
            for group in 0..groups {
                let taken: Vec<usize> =
                    (0..size).map(|at| group * size + at).filter(|_| random.random_bool(share)).collect();
                for (at, &a) in taken.iter().enumerate() {
                    for &b in &taken[at + 1..] {
                        seen += 1;
                        degrees.add([(a, 1), (b, 1)]);
                    }
                }
            }
            let estimate = Estimate::of_pairs(seen, degrees.paths(), share);
            within += u64::from(estimate.low <= truth && truth <= estimate.high);
            sum += estimate.expected;
        }
        (within as f64 / trials as f64, sum / trials as f64 / truth)
    }

    #[test]
    fn the_truth_is_within_the_estimate_as_often_as_it_says() {
        // 400 trials: the share within has a standard deviation of 0.011; groups make it skew, hence the wide bounds.
        for (groups, size, share, least) in [(3000, 2, 0.1, 0.9), (500, 5, 0.2, 0.9), (10, 60, 0.3, 0.85)] {
            let (within, mean) = try_groups(groups, size, share, 400);
            assert!(within >= least, "{groups} groups of {size}: within {within}");
            assert!((mean - 1.0).abs() < 0.06, "{groups} groups of {size}: mean {mean}");
        }
    }

    #[test]
    fn the_truth_is_as_often_within_what_pairs_seen_with_a_great_chance_say() {
        let mut random = ChaCha12Rng::seed_from_u64(8);
        for (chance, pairs) in [(0.9, 100), (0.5, 30), (0.1, 300)] {
            let mut within = 0;
            for _ in 0..400 {
                let seen = (0..pairs).filter(|_| random.random_bool(chance)).count() as f64;
                let sums = [seen / chance, seen * (1.0 - chance) / (chance * chance)];
                let estimate = Estimate::of_sums(seen as u64, sums, 1.0 / chance);
                within += u64::from(estimate.low <= f64::from(pairs) && f64::from(pairs) <= estimate.high);
            }
            // 380 of 400 on average, with a standard deviation of 4.4.
            assert!(within >= 360, "{chance}: {within}");
        }
    }

    #[test]
    fn pairs_of_copies_are_counted_as_one_by_one() {
        // 4 documents have text 0, 3 have text 1, and 1 has text 2. The first two texts are similar, and the last two
        // are.
        let texts = [0, 0, 0, 0, 1, 1, 1, 2];
        let (mut by_text, mut one_by_one) = (Degrees::default(), Degrees::default());
        by_text.add([(0, 4), (1, 3)]);
        by_text.add([(1, 3), (2, 1)]);
        by_text.add_copies(0, 4);
        by_text.add_copies(1, 3);
        for a in 0..texts.len() {
            for b in (a + 1..texts.len()).filter(|&b| texts[b] - texts[a] < 2) {
                one_by_one.add([(a, 1), (b, 1)]);
            }
        }
        assert_eq!(by_text.pairs(), 12 + 3 + 6 + 3);
        assert_eq!((by_text.pairs(), by_text.paths()), (one_by_one.pairs(), one_by_one.paths()));
    }

    #[test]
    fn nothing_seen_is_no_proof_of_nothing() {
        let none = Estimate::of_pairs(0, 0.0, 0.1);
        assert_eq!((none.expected, none.low), (0.0, 0.0));
        assert!((300.0..400.0).contains(&none.high), "{none:?}");
        assert_eq!(Estimate::of_pairs(7, 3.0, 1.0), Estimate { expected: 7.0, low: 7.0, high: 7.0 });
    }
}
