//! The threshold: a decimal fraction that is compared in integers.

use crate::base::error::{Error, Result};

/// The minimum Jaccard similarity of reported pairs, inclusive: an exact decimal fraction of at most 18 positions.
///
/// ```
/// let threshold = dedup_scan::Threshold::new(0.8).unwrap();
/// assert!(threshold.is_met(4, 5) && !threshold.is_met(7_999, 10_000));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Threshold {
    /// Numerator of the reduced fraction. Reduced, usual thresholds are compared in 64-bit words.
    numerator: u64,
    denominator: u64,
}

impl Default for Threshold {
    /// The default threshold, 0.8.
    fn default() -> Self {
        Self { numerator: 4, denominator: 5 }
    }
}

impl Threshold {
    /// Denominator of the fraction before it is reduced.
    const ONE: u64 = 1_000_000_000_000_000_000;

    /// Creates the threshold from the shortest decimal fraction of `value`: 0.8 means four fifths, not the nearest
    /// binary number.
    ///
    /// # Errors
    /// When `value` is not in 0..=1.
    pub fn new(value: f64) -> Result<Self> {
        if !(0.0..=1.0).contains(&value) {
            return Err(Error::Threshold(value));
        }
        // `Display` prints the shortest decimal that reads back as `value`, without an exponent. Adding 0 turns -0.0
        // into 0.0.
        let shortest = format!("{}", value + 0.0);
        let (whole, fraction) = shortest.split_once('.').unwrap_or((&shortest, ""));
        let kept = &fraction[..fraction.len().min(18)];
        let mut units: u64 = format!("{whole}{kept:0<18}").parse().expect("decimal digits");
        // Digits beyond the 18th round up, so that nothing below the threshold passes.
        units += u64::from(fraction[kept.len()..].bytes().any(|digit| digit != b'0'));
        let divisor = greatest_common_divisor(units, Self::ONE);
        Ok(Self { numerator: units / divisor, denominator: Self::ONE / divisor })
    }

    /// The threshold 0, which every pair reaches.
    pub(crate) const ZERO: Self = Self { numerator: 0, denominator: 1 };

    /// The threshold as the nearest `f64`.
    pub fn value(self) -> f64 {
        // Division would round twice; parsing a decimal number rounds once.
        format!("{}e-18", self.numerator * (Self::ONE / self.denominator)).parse().expect("a decimal number")
    }

    /// Whether a pair with `shared` common shingles and `union` shingles in total reaches the threshold.
    pub fn is_met(self, shared: u64, union: u64) -> bool {
        u128::from(shared) * u128::from(self.denominator) >= u128::from(self.numerator) * u128::from(union)
    }

    /// Minimum number of shared shingles with which sets of these two sizes reach the threshold.
    pub fn least_shared(self, len_a: u64, len_b: u64) -> u64 {
        // s / (a + b - s) >= t, solved for s.
        let Self { numerator, denominator } = self;
        match len_a.checked_add(len_b).and_then(|total| total.checked_mul(numerator)) {
            Some(product) => product.div_ceil(numerator + denominator),
            None => {
                let total = u128::from(len_a) + u128::from(len_b);
                let least = (u128::from(numerator) * total).div_ceil(u128::from(numerator) + u128::from(denominator));
                u64::try_from(least).expect("at most half of the total")
            }
        }
    }

    /// Minimum size of a set that can reach the threshold with a set of size `len`.
    pub(crate) fn least_size(self, len: u64) -> u64 {
        narrow((u128::from(len) * u128::from(self.numerator)).div_ceil(u128::from(self.denominator)))
    }

    /// Maximum size of a set that can reach the threshold with a set of size `len` when they share at most `shared`
    /// shingles; 0 if there is no such size.
    pub(crate) fn most_size(self, len: u64, shared: u64) -> u64 {
        // s / (a + b - s) >= t, solved for b.
        let Self { numerator, denominator } = self;
        let both = u128::from(shared) * (u128::from(numerator) + u128::from(denominator));
        both.checked_div(u128::from(numerator)).map_or(u64::MAX, |both| narrow(both.saturating_sub(u128::from(len))))
    }
}

fn narrow(number: u128) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_are_decimal_fractions() {
        // As binary numbers, 0.8, 0.7 and 0.1 + 0.2 are not exactly the decimal fractions.
        assert!(Threshold::new(0.8).unwrap().is_met(4, 5));
        assert!(Threshold::new(0.7).unwrap().is_met(7, 10));
        assert!(Threshold::new(0.35).unwrap().is_met(7, 20));
        assert!(!Threshold::new(0.1 + 0.2).unwrap().is_met(3, 10));
        assert!(Threshold::new(1.0).unwrap().is_met(5, 5));
        assert!(!Threshold::new(1.0).unwrap().is_met(4_999_999, 5_000_000));
        assert!(Threshold::new(0.0).unwrap().is_met(0, 5));
        assert!(!Threshold::new(1e-300).unwrap().is_met(0, 5));
        assert_eq!(Threshold::new(0.8).unwrap(), Threshold::default());
        assert_eq!(Threshold::default().value(), 0.8);
    }

    #[test]
    fn the_least_that_is_shared_is_the_first_that_reaches_the_threshold() {
        for value in [0.0, 0.3, 0.8, 0.85, 0.123_456_789_012_345_68, 1.0 / 3.0, 1.0] {
            let threshold = Threshold::new(value).unwrap();
            for (len_a, len_b) in [(0, 0), (1, 1), (5, 5), (17, 40), (1000, 999), (1 << 40, (1 << 40) + 12_345)] {
                let least = threshold.least_shared(len_a, len_b);
                assert!(threshold.is_met(least, len_a + len_b - least), "{value} {len_a} {len_b}");
                assert!(
                    least == 0 || !threshold.is_met(least - 1, len_a + len_b - least + 1),
                    "{value} {len_a} {len_b}"
                );
            }
        }
    }

    #[test]
    fn sizes_that_can_reach_the_threshold_are_those_that_the_definition_allows() {
        for value in [0.0, 0.15, 0.5, 0.8, 0.85, 0.9, 1.0 / 3.0, 1.0] {
            let threshold = Threshold::new(value).unwrap();
            for len in 1..60 {
                let least = (0..=len).find(|&other| threshold.is_met(other, len));
                assert_eq!(Some(threshold.least_size(len)), least, "{value} {len}");
                for shared in 0..=len {
                    let can_reach = |other: u64| threshold.least_shared(len, other) <= shared;
                    let most = (1..1000).rev().find(|&other| can_reach(other)).unwrap_or(0);
                    assert_eq!(threshold.most_size(len, shared).min(999), most, "{value} {len} {shared}");
                }
            }
        }
    }

    #[test]
    fn thresholds_outside_0_to_1_are_refused() {
        for value in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
            assert!(Threshold::new(value).is_err(), "{value}");
        }
        assert!(Threshold::new(-0.0).is_ok());
    }
}
