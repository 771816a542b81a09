//! `SignatureFilter`: the rule that excludes candidates whose signatures differ too much (MMDS 3.4.3, step 6).
//!
//! A few bits of each value are kept. The bits of two values are equal if the values are, which has the probability s, the
//! similarity, and by chance with a probability of 2⁻ᵇ otherwise. So the number of equal values has a binomial
//! distribution, and its lower tail at the threshold is the probability that the filter excludes a pair. The minimum number
//! of equal values is the largest for which this tail stays below a small limit.

use super::Banding;

/// The number of bits of each value that are kept. With 8 bits, 12 % fewer candidates remain, for twice the memory.
pub(crate) const BITS: usize = 4;

/// Excludes candidates by the number of equal values in the kept bits of their signatures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SignatureFilter {
    num_hashes: usize,
    least_equal: usize,
    /// The natural logarithm of the number of ways to choose `least_equal` of `num_hashes` values.
    ln_ways: f64,
}

impl SignatureFilter {
    /// The filter for pairs at a threshold; `None` where it would not exclude any candidate.
    ///
    /// It excludes a pair at the threshold with a probability of at most [`Banding::most_loss`]. Pairs above the threshold
    /// are excluded less often.
    pub(crate) fn new(banding: Banding, threshold: f64) -> Option<Self> {
        let num_hashes = banding.num_hashes();
        let most_loss = banding.most_loss(threshold);
        let with_least = |least_equal| Self { num_hashes, least_equal: 0, ln_ways: 0.0 }.with_least(least_equal);
        // The tail grows with the minimum number, so the numbers whose tail is small enough come first.
        let (mut least, mut above) = (0, num_hashes + 1);
        while above - least > 1 {
            let middle = least + (above - least) / 2;
            if with_least(middle).loss(threshold) <= most_loss { least = middle } else { above = middle }
        }
        // A candidate has an equal band, so at least as many equal values as a band has rows.
        (least > banding.rows()).then(|| with_least(least))
    }

    /// The filter with another minimum number of equal values.
    pub(super) fn with_least(self, least_equal: usize) -> Self {
        // ln C(n, k) as a sum of the logarithms of n/1, (n - 1)/2, ...
        let ways = (1..=least_equal).map(|k| ((self.num_hashes + 1 - k) as f64 / k as f64).ln());
        Self { num_hashes: self.num_hashes, least_equal, ln_ways: ways.sum() }
    }

    /// The minimum number of equal values of a pair that is compared.
    pub(crate) fn least_equal(self) -> usize {
        self.least_equal
    }

    /// The number of values in a signature.
    pub(crate) fn num_hashes(self) -> usize {
        self.num_hashes
    }

    /// The probability that the filter excludes a pair of this similarity: the lower tail of a binomial distribution.
    pub(crate) fn loss(self, similarity: f64) -> f64 {
        let equal = similarity + (1.0 - similarity) / (1u64 << BITS) as f64;
        let (least, n) = (self.least_equal as f64, self.num_hashes as f64);
        if equal == 1.0 {
            return 0.0;
        }
        // The term of `least_equal`; its neighbours are products of it with quotients. On the side of the mean they grow, so
        // the sum is over the other side.
        let ln_term = self.ln_ways + least * equal.ln() + (n - least) * (-equal).ln_1p();
        let (odds, mut term) = (equal / (1.0 - equal), ln_term.exp());
        let mut sum = 0.0;
        if least > n * equal {
            for k in self.least_equal..=self.num_hashes {
                sum += term;
                term *= (n - k as f64) / (k as f64 + 1.0) * odds;
            }
            return (1.0 - sum).max(0.0);
        }
        for k in (1..=self.least_equal).rev() {
            term *= k as f64 / (n - k as f64 + 1.0) / odds;
            sum += term;
        }
        sum
    }
}

impl Banding {
    /// The probability that a run at a threshold finds a pair of this similarity: the pair becomes a candidate, and its
    /// signatures are similar enough for the filter.
    ///
    /// Equal values make both more likely, so both together are at least as likely as the product (Harris 1960). The
    /// product is returned.
    pub fn recall_of_run(self, threshold: f64, similarity: f64) -> f64 {
        SignatureFilter::recall(SignatureFilter::new(self, threshold), self, similarity)
    }
}

impl SignatureFilter {
    /// Does what [`Banding::recall_of_run`] does, with a filter that was made before, or without a filter.
    pub(crate) fn recall(filter: Option<Self>, banding: Banding, similarity: f64) -> f64 {
        banding.recall(similarity) * (1.0 - filter.map_or(0.0, |filter| filter.loss(similarity)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The distribution of the number of equal values, value by value.
    fn distribution(num_hashes: usize, equal: f64) -> Vec<f64> {
        let mut chances = vec![0.0; num_hashes + 1];
        chances[0] = 1.0;
        for num_values in 1..=num_hashes {
            for number in (0..=num_values).rev() {
                let one_less = if number > 0 { chances[number - 1] * equal } else { 0.0 };
                chances[number] = chances[number] * (1.0 - equal) + one_less;
            }
        }
        chances
    }

    #[test]
    fn the_loss_is_the_tail_of_the_distribution() {
        for (bands, rows) in [(20, 5), (52, 3), (9, 7), (4, 6), (28, 4), (200, 4)] {
            let banding = Banding::new(bands, rows).unwrap();
            for threshold in [0.3, 0.5, 0.8, 0.9] {
                let Some(filter) = SignatureFilter::new(banding, threshold) else { continue };
                for similarity in [0.2, threshold, (1.0 + threshold) / 2.0, 0.99] {
                    let chances = distribution(bands * rows, similarity + (1.0 - similarity) / 16.0);
                    let tail: f64 = chances[..filter.least_equal()].iter().sum();
                    let loss = filter.loss(similarity);
                    assert!((loss - tail).abs() <= 1e-9 * tail + 1e-300, "{banding:?}, {similarity}: {loss}, {tail}");
                }
                assert_eq!(filter.loss(1.0), 0.0);
            }
        }
    }

    #[test]
    fn the_minimum_is_the_largest_with_a_small_enough_loss() {
        let mut num_filters = 0;
        for (bands, rows) in [(20, 5), (52, 3), (4, 6), (68, 1), (512, 8), (4096, 1), (1, 100)] {
            let banding = Banding::new(bands, rows).unwrap();
            for percent in 1..100 {
                let threshold = f64::from(percent) / 100.0;
                let most = (0.1 * (1.0 - threshold.powi(rows as i32)).powi(bands as i32)).min(1e-5);
                // Smaller numbers have fewer digits.
                if most < 1e-290 {
                    continue;
                }
                let chances = distribution(bands * rows, threshold + (1.0 - threshold) / 16.0);
                let tail = |least: usize| chances[..least].iter().sum::<f64>();
                // The two sides round differently, so a tail this close to the limit may be on either side of it.
                let (low, high) = (most * (1.0 - 1e-9), most * (1.0 + 1e-9));
                match SignatureFilter::new(banding, threshold) {
                    None => assert!(tail(rows + 1) > low, "{banding:?} at {threshold}"),
                    Some(filter) => {
                        num_filters += 1;
                        let least = filter.least_equal();
                        assert!(least > rows && tail(least) <= high, "{banding:?} at {threshold}: {least}");
                        assert!(least == bands * rows || tail(least + 1) > low, "{banding:?} at {threshold}: {least}");
                    }
                }
            }
        }
        assert!(num_filters > 300, "{num_filters}");
    }

    #[test]
    fn the_filter_of_the_default_is_pinned() {
        let filter = SignatureFilter::new(Banding::default(), 0.8).unwrap();
        assert_eq!((filter.least_equal(), filter.num_hashes()), (63, 100));
        assert_eq!(format!("{:.1e}", filter.loss(0.8)), "5.4e-6");
        // At a threshold of 1 all values are equal.
        assert_eq!(SignatureFilter::new(Banding::default(), 1.0).unwrap().least_equal(), 100);
        // One value decides nothing.
        assert_eq!(SignatureFilter::new(Banding::new(1, 1).unwrap(), 0.8), None);
    }

    #[test]
    fn the_recall_of_a_run_is_at_most_the_curve_and_no_more_than_the_product_below_it() {
        let banding = Banding::default();
        assert_eq!(format!("{:.6} {:.6}", banding.recall(0.8), banding.recall_of_run(0.8, 0.8)), "0.999644 0.999639");
        for percent in 80..=100 {
            let similarity = f64::from(percent) / 100.0;
            let (curve, run) = (banding.recall(similarity), banding.recall_of_run(0.8, similarity));
            assert!(run <= curve && run >= curve - 1e-5, "{similarity}");
        }
    }
}
