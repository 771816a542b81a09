//! `CandidateSums`: estimates the number of candidate pairs of all documents from the candidates of a sample.
//!
//! A text is in the sample with a known probability, its chance, which is higher for a text with many copies. A
//! candidate pair that is seen with probability c represents 1 / c pairs of all documents, so the sum of 1 / c is an
//! unbiased estimate.

use crate::base::error::{Error, Result};
use crate::documents::document::{DocId, Documents};
use crate::documents::input::Cancel;
use crate::search::corpus::Sample;
use crate::sign::banding::CandidateSource;

/// An estimate from pairs that are seen with unequal, known probabilities (Horvitz and Thompson 1952).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct CandidateSums {
    /// The expected number of candidates of all documents.
    pub(crate) expected: f64,
    /// The variance of `expected`.
    pub(crate) variance: f64,
    /// The number of candidates that a seen candidate represents, on average weighted by that number.
    pub(crate) weight: f64,
    /// The number of distinct texts of all documents for each text in the sample.
    pub(crate) texts: f64,
}

impl CandidateSums {
    /// Computes the sums, on one thread of the run's pool.
    ///
    /// # Errors
    /// When the run was cancelled.
    pub(super) fn new(
        sample: &Sample,
        documents: &Documents,
        candidates: &dyn CandidateSource,
        cancel: &Cancel,
    ) -> Result<Self> {
        let scope = documents.scope();
        let mut pairs = Vec::new();
        let mut sums = Sums::new(documents.len(), |document| {
            documents.is_first(document).then(|| sample.chance(documents, document))
        });
        for first in (0..documents.len()).map(DocId::new).filter(|&document| documents.is_first(document)) {
            if cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            pairs.clear();
            candidates.gather(first, &mut pairs);
            pairs.iter().filter(|&&other| scope.may_pair(first, other)).for_each(|&other| sums.add(first, other));
        }
        Ok(sums.finish())
    }
}

/// The sums over the candidate pairs that were added so far.
struct Sums {
    chances: Vec<f64>,
    /// For each document, the sums of 1 / chance and of its square over the other documents of its pairs.
    others: Vec<[f64; 2]>,
    expected: f64,
    squares: f64,
    /// The number of texts of all documents for each text in the sample.
    texts: f64,
}

impl Sums {
    /// * `chance`: the probability that a document is in the sample; `None` where it is not the first of its text.
    fn new(len: usize, chance: impl Fn(DocId) -> Option<f64>) -> Self {
        let (mut seen, mut texts) = (0u64, 0.0);
        let mut chance = |document| {
            chance(DocId::new(document)).map_or(1.0, |chance| {
                (seen, texts) = (seen + 1, texts + 1.0 / chance);
                chance
            })
        };
        let chances = (0..len).map(&mut chance).collect();
        let texts = if seen > 0 { texts / seen as f64 } else { 1.0 };
        Self { chances, others: vec![[0.0; 2]; len], expected: 0.0, squares: 0.0, texts }
    }

    fn add(&mut self, a: DocId, b: DocId) {
        let chance = self.chances[a.index()] * self.chances[b.index()];
        self.expected += 1.0 / chance;
        self.squares += 1.0 / (chance * chance);
        for (one, other) in [(a, b), (b, a)] {
            let weight = 1.0 / self.chances[other.index()];
            let [sum, squares] = &mut self.others[one.index()];
            *sum += weight;
            *squares += weight * weight;
        }
    }

    fn finish(self) -> CandidateSums {
        // Two pairs with a common document are seen together more often than two independent pairs.
        let common = self
            .chances
            .iter()
            .zip(&self.others)
            .map(|(&chance, &[sum, squares])| (1.0 - chance) / (chance * chance) * (sum * sum - squares));
        let Self { expected, squares, texts, .. } = self;
        // Without common documents, each pair adds (1 − chance) / chance².
        let variance = squares - expected + common.sum::<f64>();
        let weight = if expected > 0.0 { squares / expected } else { texts * texts };
        CandidateSums { expected, variance, weight, texts }
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::ChaCha12Rng;
    use rand::{RngExt, SeedableRng};

    use super::*;

    #[test]
    fn the_mean_is_the_truth_and_the_variance_that_of_the_estimates() {
        // Three clusters of texts, where some texts have many copies and most have few.
        let chances: Vec<f64> = (0..90).map(|text| if text % 9 == 0 { 0.9 } else { 0.2 }).collect();
        let is_pair = |a: usize, b: usize| a / 30 == b / 30 && (a.is_multiple_of(9) || (a + b).is_multiple_of(4));
        let truth = (0..90).flat_map(|b| (0..b).map(move |a| (a, b))).filter(|&(a, b)| is_pair(a, b)).count() as f64;
        let mut random = ChaCha12Rng::seed_from_u64(5);
        let (mut estimates, mut variances) = (Vec::new(), 0.0);
        const TRIALS: usize = 4000;
        for _ in 0..TRIALS {
            let seen: Vec<usize> = (0..90).filter(|&text| random.random_bool(chances[text])).collect();
            let mut sums = Sums::new(90, |document| Some(chances[document.index()]));
            for (position, &b) in seen.iter().enumerate() {
                seen[..position]
                    .iter()
                    .filter(|&&a| is_pair(a, b))
                    .for_each(|&a| sums.add(DocId::new(a), DocId::new(b)));
            }
            let CandidateSums { expected, variance, .. } = sums.finish();
            estimates.push(expected);
            variances += variance / TRIALS as f64;
        }
        let mean = estimates.iter().sum::<f64>() / TRIALS as f64;
        let variance = estimates.iter().map(|estimate| (estimate - mean).powi(2)).sum::<f64>() / TRIALS as f64;
        // Four standard errors of the mean; the variance of estimates is known within some percent.
        assert!((mean - truth).abs() < 4.0 * (variance / TRIALS as f64).sqrt(), "{mean}, {truth}");
        assert!((variances / variance - 1.0).abs() < 0.15, "{variances}, {variance}");
    }
}
