//! How many pairs of the truth are found: the mean by the S-curve, the variance from the sets themselves.
//!
//! All pairs are judged by the same hash functions, so two pairs whose documents have shingles in common are found or
//! missed together more often than by chance, and a binomial variance is too small: for the licences, whose families hold
//! hundreds of pairs, several times. The covariance of two pairs is known, though. With s₁ and s₂ their similarities, U₁
//! and U₂ the unions and I₁ and I₂ the intersections of their sets, take the element of U₁ ∪ U₂ that a random hash function
//! puts first. In I₁ ∩ I₂ it makes the signature value of both pairs equal; in I₁ \ U₂ it does so for the first, and
//! leaves the second to its own chance; anywhere in U₁ \ I₁ or U₂ \ I₂ it makes one of them unequal. So both are equal with
//!
//! ```text
//! q = (|I₁ ∩ I₂| + |I₁ \ U₂| s₂ + |I₂ \ U₁| s₁) / |U₁ ∪ U₂|
//! ```
//!
//! A band misses both pairs with 1 − s₁⁵ − s₂⁵ + q⁵, and twenty bands give the chance that both are missed, of which the
//! product of the single chances is taken off. Pairs without a common shingle have q = s₁s₂ and covariance 0.

use std::collections::HashMap;

use super::corpus::{Corpus, shingles};

/// The banding of the S-curve.
pub(crate) const BANDS: i32 = 20;
pub(crate) const ROWS: i32 = 5;

/// The chance of every pair of the truth to be found, and the covariances.
pub(crate) struct Expected {
    chances: Vec<f64>,
    /// One row after another, symmetric.
    covariances: Vec<f64>,
}

/// What to expect of a number of pairs found.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moments {
    pub(crate) mean: f64,
    pub(crate) sd: f64,
    /// How many pairs are missed together: the variance as a multiple of what it were without covariances.
    pub(crate) cluster: f64,
}

impl Moments {
    /// How far the mean over `num_seeds` may lie from its expectation.
    ///
    /// Bernstein's inequality: a sum of independent parts, of variance v in all and with tails that fall off at least
    /// like those of an exponential variable of scale m, is off by more than sqrt(2vL) + mL with probability below
    /// 2 exp(-L). With L = 12.5 the first term is five standard deviations, all that matters where many pairs are found
    /// or missed. The second is for high similarities, where misses are rare and come a family at a time (44 of the
    /// licences above 0.7 with one seed of a thousand, where 2 are expected). They are taken as Poisson clusters of
    /// geometric size: a model, not a bound. Its scale, the mean size, is below `cluster`, the mean as a pair sees it.
    pub(crate) fn tolerance(&self, num_seeds: usize) -> f64 {
        let num_seeds = num_seeds as f64;
        5.0 * self.sd / num_seeds.sqrt() + 12.5 * self.cluster / num_seeds
    }

    /// Whether the sum over `num_seeds` is of 25 clusters or more, so that a sample's own spread means something; with a
    /// handful of misses in all, it is mostly 0 or one family.
    pub(crate) fn is_nearly_normal(&self, num_seeds: usize) -> bool {
        self.sd.powi(2) * num_seeds as f64 >= 25.0 * self.cluster.powi(2)
    }
}

impl Expected {
    /// Computes chances and covariances from the truth and the sets.
    pub(crate) fn new(corpus: &Corpus) -> Self {
        let similarities: Vec<f64> = corpus.truth.iter().map(|pair| pair.similarity()).collect();
        let both_equal = both_equal(corpus, &similarities);
        let num_pairs = similarities.len();
        let same_band = |similarity: f64| similarity.powi(ROWS);
        let missed = |same_band: f64| (1.0 - same_band).powi(BANDS);
        let mut covariances = vec![0.0; num_pairs * num_pairs];
        for x in 0..num_pairs {
            for y in 0..num_pairs {
                let (same_x, same_y) = (same_band(similarities[x]), same_band(similarities[y]));
                let either = same_x + same_y - same_band(both_equal[x * num_pairs + y]);
                covariances[x * num_pairs + y] = missed(either) - missed(same_x) * missed(same_y);
            }
        }
        Self { chances: similarities.iter().map(|&s| 1.0 - missed(same_band(s))).collect(), covariances }
    }

    /// The number found among these pairs of the truth.
    pub(crate) fn number_found(&self, pairs: &[usize]) -> Moments {
        let num_pairs = self.chances.len();
        let covariance = |x: usize| pairs.iter().map(|&y| self.covariances[x * num_pairs + y]).sum::<f64>();
        let variance = pairs.iter().map(|&x| covariance(x)).sum::<f64>().max(0.0);
        let binomial: f64 = pairs.iter().map(|&x| self.chances[x] * (1.0 - self.chances[x])).sum();
        Moments {
            mean: pairs.iter().map(|&x| self.chances[x]).sum(),
            sd: variance.sqrt(),
            // Equal sets are never missed and vary by nothing.
            cluster: if binomial > 0.0 { (variance / binomial).max(1.0) } else { 1.0 },
        }
    }
}

/// For every two pairs the chance that one hash function makes both pairs' signature values equal: q above.
fn both_equal(corpus: &Corpus, similarities: &[f64]) -> Vec<f64> {
    let num_pairs = similarities.len();
    let mut pairs_of: Vec<Vec<usize>> = vec![Vec::new(); corpus.documents.len()];
    for (index, pair) in corpus.truth.iter().enumerate() {
        pairs_of[pair.a].push(index);
        pairs_of[pair.b].push(index);
    }
    // Of the upper triangle, |U₁ ∩ U₂| and what overlaps take from the numerator.
    let mut common = vec![0.0; num_pairs * num_pairs];
    let mut numerator = vec![0.0; num_pairs * num_pairs];
    for (documents, num_shingles) in membership(corpus) {
        let num_shingles = num_shingles as f64;
        // The pairs with these shingles in their union: in the intersection, too, when they come up twice.
        let mut touched: Vec<usize> =
            documents.iter().flat_map(|&document| pairs_of[document].iter().copied()).collect();
        touched.sort_unstable();
        let touched: Vec<(usize, f64)> =
            touched.chunk_by(|x, y| x == y).map(|chunk| (chunk[0], if chunk.len() == 2 { 1.0 } else { 0.0 })).collect();
        for (place, &(x, x_shares)) in touched.iter().enumerate() {
            for &(y, y_shares) in &touched[place..] {
                let at = x * num_pairs + y;
                common[at] += num_shingles;
                numerator[at] +=
                    num_shingles * (x_shares * y_shares - x_shares * similarities[y] - y_shares * similarities[x]);
            }
        }
    }
    let mut both_equal = vec![0.0; num_pairs * num_pairs];
    for x in 0..num_pairs {
        for y in x..num_pairs {
            let at = x * num_pairs + y;
            let [pair_x, pair_y] = [corpus.truth[x], corpus.truth[y]];
            let apart = pair_x.shared as f64 * similarities[y] + pair_y.shared as f64 * similarities[x];
            let q = (numerator[at] + apart) / (pair_x.union as f64 + pair_y.union as f64 - common[at]);
            both_equal[at] = q;
            both_equal[y * num_pairs + x] = q;
        }
    }
    both_equal
}

/// The shingles of all documents in any pair of the truth, counted by the documents that hold them.
fn membership(corpus: &Corpus) -> HashMap<Vec<usize>, u64> {
    let mut paired: Vec<usize> = corpus.truth.iter().flat_map(|pair| [pair.a, pair.b]).collect();
    paired.sort_unstable();
    paired.dedup();
    let mut holders: HashMap<&str, Vec<usize>> = HashMap::new();
    for document in paired {
        for shingle in shingles(&corpus.documents[document].text) {
            holders.entry(shingle).or_default().push(document);
        }
    }
    let mut membership = HashMap::new();
    for documents in holders.into_values() {
        *membership.entry(documents).or_default() += 1;
    }
    membership
}
