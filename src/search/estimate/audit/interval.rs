//! `Interval`: a measured share of pairs, and how far the true share may be from it.
//!
//! The interval is exact for independent pairs. Pairs that share texts are not independent: when one is missed, others
//! are likely to be missed with it. So [`independent_pairs`] first estimates the number of independent pairs that would
//! say as much as the measured ones.

/// A confidence interval of a share.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Interval {
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Interval {
    /// The probability that the true share is outside a 95 % interval.
    pub(super) const USUAL: f64 = 0.05;
    /// The probability that the true share is outside a 99.9 % interval.
    pub(super) const SURE: f64 = 0.001;

    /// The exact interval of Clopper and Pearson (1934), which also holds for shares near 1.
    ///
    /// * `share`: the share measured on `num_pairs` independent pairs. Unless `num_pairs` is a whole number it is
    ///   rounded down, which makes the interval wider.
    /// * `outside`: the maximum probability that the true share is outside the interval.
    pub(super) fn new(share: f64, num_pairs: f64, outside: f64) -> Self {
        let pairs = (num_pairs.floor() as u64).max(1);
        let missed = (1.0 - share) * pairs as f64;
        // Values within rounding of an integer count as that integer.
        let (least, most) = ((missed + 1e-9).floor() as u64, ((missed - 1e-9).ceil() as u64).min(pairs));
        let high = match least {
            0 => 1.0,
            least => 1.0 - solve(|chance| 1.0 - at_most(least - 1, pairs, chance) >= outside / 2.0),
        };
        let low = if most == pairs { 0.0 } else { 1.0 - solve(|chance| at_most(most, pairs, chance) <= outside / 2.0) };
        Self { low: low.min(share), high: high.max(share) }
    }

    pub(super) fn contains(self, share: f64) -> bool {
        (self.low..=self.high).contains(&share)
    }
}

/// The lowest probability from which on `holds` is true, by bisection.
fn solve(holds: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..50 {
        let middle = (low + high) / 2.0;
        if holds(middle) { high = middle } else { low = middle }
    }
    high
}

/// The probability of at most `most` events in `all` trials, each with probability `chance`: the binomial distribution.
fn at_most(most: u64, all: u64, chance: f64) -> f64 {
    if most >= all || chance <= 0.0 {
        return 1.0;
    }
    if chance >= 1.0 {
        return 0.0;
    }
    if 2 * most > all {
        return 1.0 - at_most(all - most - 1, all, 1.0 - chance);
    }
    let odds = chance.ln() - (-chance).ln_1p();
    let mut log = all as f64 * (-chance).ln_1p();
    let mut sum = log.exp();
    for number in 1..=most {
        log += ((all - number + 1) as f64 / number as f64).ln() + odds;
        sum += log.exp();
    }
    sum.min(1.0)
}

/// The number of clusters from which on their variance is measured instead of assumed.
const ENOUGH_CLUSTERS: u64 = 30;
/// The numbers of found and of missed pairs from which on the variance between clusters is measured.
const ENOUGH_EVENTS: u64 = 10;

/// The number of independent pairs that would say as much as these clusters of pairs.
///
/// The pairs of one component share their texts, and similar texts have similar signatures, so whatever misses one pair
/// of a component is likely to miss others. For clusters of m pairs the number is at least (Σ m)² / Σ m² (Kish 1965),
/// which is right when each cluster is found or missed as a whole. When there are enough clusters, found pairs and
/// missed pairs, the measured variance between clusters gives the number (the ratio estimator of Cochran 1977, 11.3).
///
/// * `clusters`: for each cluster, its number of pairs and the number of them that were found.
pub(super) fn independent_pairs(clusters: impl Iterator<Item = (u64, u64)> + Clone) -> f64 {
    let clusters = clusters.filter(|&(pairs, _)| pairs > 0);
    let (mut num_clusters, mut pairs, mut found, mut squares) = (0, 0, 0, 0.0);
    for (of_cluster, found_of_it) in clusters.clone() {
        (num_clusters, pairs, found) = (num_clusters + 1, pairs + of_cluster, found + found_of_it);
        squares += (of_cluster as f64).powi(2);
    }
    if pairs == 0 {
        return 0.0;
    }
    let all = pairs as f64;
    let least = all * all / squares;
    if num_clusters < ENOUGH_CLUSTERS || found < ENOUGH_EVENTS || pairs - found < ENOUGH_EVENTS {
        return least;
    }
    let share = found as f64 / all;
    let deviations: f64 = clusters.map(|(pairs, found)| (found as f64 - share * pairs as f64).powi(2)).sum();
    let variance = deviations * num_clusters as f64 / (num_clusters - 1) as f64 / (all * all);
    (share * (1.0 - share) / variance).clamp(least, all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_that_of_clopper_and_pearson() {
        // Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
        for (found, all, low, high) in [
            (81.0, 263.0, 0.2527, 0.3676),
            (15.0, 148.0, 0.0578, 0.1617),
            (0.0, 20.0, 0.0, 0.1684),
            (1.0, 29.0, 0.0009, 0.1776),
        ] {
            for (share, low, high) in [(found / all, low, high), (1.0 - found / all, 1.0 - high, 1.0 - low)] {
                let interval = Interval::new(share, all, Interval::USUAL);
                assert!((interval.low - low).abs() < 6e-5 && (interval.high - high).abs() < 6e-5, "{interval:?}");
                assert!(interval.contains(share));
            }
        }
    }

    #[test]
    fn one_of_few_that_is_missed_breaks_no_promise() {
        // A miss this rare still happens once in 37 runs.
        assert!(Interval::new(257.0 / 258.0, 258.0, Interval::SURE).contains(0.99989));
        assert!(!Interval::new(250.0 / 258.0, 258.0, Interval::SURE).contains(0.99989));
        assert_eq!(Interval::new(0.0, 0.4, Interval::USUAL).low, 0.0);
    }

    #[test]
    fn the_binomial_distribution_adds_up() {
        let choose = [1.0, 5.0, 10.0, 10.0, 5.0, 1.0];
        for chance in [0.0, 0.1, 0.5, 0.9, 1.0f64] {
            for most in 0..=5usize {
                let exact = |number: usize| {
                    choose[number] * chance.powi(number as i32) * (1.0 - chance).powi(5 - number as i32)
                };
                let sum: f64 = (0..=most).map(exact).sum();
                assert!((at_most(most as u64, 5, chance) - sum).abs() < 1e-12, "{most} {chance}");
            }
        }
    }

    #[test]
    fn pairs_of_one_cluster_count_for_one() {
        assert_eq!(independent_pairs([(1, 1); 50].into_iter()), 50.0);
        assert_eq!(independent_pairs([(10, 9); 5].into_iter()), 5.0);
        assert_eq!(independent_pairs([(1000, 0), (0, 0)].into_iter()), 1.0);
        assert_eq!(independent_pairs([].into_iter()), 0.0);
    }

    #[test]
    fn many_clusters_say_themselves_how_much_their_pairs_know_of_each_other() {
        // Each cluster is found or missed as a whole, so it counts as one pair.
        let whole = (0..1000).map(|cluster| (10, if cluster % 2 == 0 { 10 } else { 0 }));
        assert_eq!(independent_pairs(whole), 1000.0);
        // Half of the pairs of each cluster are found, by chance, so nearly all of them are independent.
        let halves = (0..1000u64).map(|cluster| (10, u64::from((mix(cluster) & 1023).count_ones())));
        let independent = independent_pairs(halves);
        // The number of ones in ten bits has the variance of ten coins. From 1,000 samples that variance is known to
        // within 5 standard deviations of sqrt(2 / 1,000) times itself.
        assert!((independent - 10_000.0).abs() < 10_000.0 * 0.23, "{independent}");
        // With few clusters the lower bound is used.
        assert_eq!(independent_pairs((0..29).map(|cluster| (10, cluster % 10))), 29.0);
    }

    fn mix(number: u64) -> u64 {
        xxhash_rust::xxh3::xxh3_64(&number.to_le_bytes())
    }
}
