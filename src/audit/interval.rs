//! `Interval`: a share that was measured on some pairs, and how far the true one may be from it.

/// The shares that are likely, of which a measured one is the best guess.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Interval {
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Interval {
    /// Standard deviations of 95 %.
    pub(super) const USUAL: f64 = 1.959_964;
    /// Standard deviations of 99.9 %.
    pub(super) const SURE: f64 = 3.290_527;

    /// Wilson's score interval (Wilson 1927), which is good for shares near 1 too.
    ///
    /// * `share`: measured on so many pairs that know nothing of each other.
    /// * `deviations`: of the normal distribution.
    pub(super) fn new(share: f64, num_pairs: f64, deviations: f64) -> Self {
        let z = deviations * deviations / num_pairs;
        let middle = (share + z / 2.0) / (1.0 + z);
        let half = (deviations / (1.0 + z)) * (share * (1.0 - share) / num_pairs + z / (4.0 * num_pairs)).sqrt();
        // What was measured is always likely; rounding could leave it outside.
        Self { low: (middle - half).clamp(0.0, share), high: (middle + half).clamp(share, 1.0) }
    }

    pub(super) fn contains(self, share: f64) -> bool {
        (self.low..=self.high).contains(&share)
    }
}

/// How many pairs that know nothing of each other are worth as much as these: (Σ m)² / Σ m² for clusters of m pairs (Kish 1965).
///
/// The pairs of one component share their texts, whose signatures are alike where the texts are: what misses one of them is
/// likely to miss others. The number is right when it misses all or none, and otherwise too small, which widens the interval.
pub(super) fn independent_pairs(clusters: impl Iterator<Item = u64>) -> f64 {
    let (sum, squares) = clusters.fold((0.0, 0.0), |(sum, squares), pairs| {
        let pairs = pairs as f64;
        (sum + pairs, squares + pairs * pairs)
    });
    if squares > 0.0 { sum * sum / squares } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_wilsons() {
        // Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
        for (found, all, low, high) in [
            (81.0, 263.0, 0.2553, 0.3662),
            (15.0, 148.0, 0.0624, 0.1605),
            (0.0, 20.0, 0.0, 0.1611),
            (1.0, 29.0, 0.0061, 0.1718),
        ] {
            let interval = Interval::new(found / all, all, Interval::USUAL);
            assert!((interval.low - low).abs() < 6e-5 && (interval.high - high).abs() < 6e-5, "{interval:?}");
            assert!(interval.contains(found / all));
        }
    }

    #[test]
    fn pairs_of_one_cluster_count_for_one() {
        assert_eq!(independent_pairs([1; 50].into_iter()), 50.0);
        assert_eq!(independent_pairs([10; 5].into_iter()), 5.0);
        assert_eq!(independent_pairs([1000, 0].into_iter()), 1.0);
        assert_eq!(independent_pairs([].into_iter()), 0.0);
    }
}
