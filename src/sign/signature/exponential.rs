//! Exponential numbers without floating-point logarithms: −log₂ of 64 random bits as a fraction.
//!
//! The logarithms of processors and libraries differ in the last bits, but signatures must be equal everywhere. So the
//! logarithm is interpolated from a table of integers ([`log2`]) by the parabola through three neighbouring points.

use std::sync::LazyLock;

use crate::base::flat::log2::{FRACTION_BITS, log2};

/// Base-2 logarithm of the number of parabolas.
const PARABOLAS: u32 = 10;

/// log₂(1 + j / 2048) for j = 0..=2048, in units of 2⁻⁵².
static LOGARITHMS: LazyLock<Box<[u64]>> = LazyLock::new(|| {
    let points = 1u64 << (PARABOLAS + 1);
    (0..=points).map(|point| log2(points + point) - (u64::from(PARABOLAS + 1) << FRACTION_BITS)).collect()
});

/// Generates exponential numbers of rate ln 2.
#[derive(Debug, Clone, Copy)]
pub(super) struct Exponential(&'static [u64]);

impl Exponential {
    pub(super) fn new() -> Self {
        Self(&LOGARITHMS)
    }

    /// −log₂(`bits` / 2⁶⁴) in units of 2⁻⁵², where 0 counts as 1; the result is above 0.
    ///
    /// The rate of the distribution is constant to about one part in a million.
    #[inline]
    pub(super) fn of(self, bits: u64) -> u64 {
        let bits = bits.max(1);
        let zeros = bits.leading_zeros();
        let mantissa = bits << zeros;
        let parabola = (mantissa >> (63 - PARABOLAS)) as usize & ((1 << PARABOLAS) - 1);
        // Position within the interval of the parabola, in units of 2⁻³².
        let position = mantissa >> (31 - PARABOLAS) & 0xFFFF_FFFF;
        let points = &self.0[2 * parabola..2 * parabola + 3];
        let line = (u128::from(points[2] - points[0]) * u128::from(position)) >> 32;
        let bow = 2 * points[1] - points[0] - points[2];
        let above = (2 * bow * ((position * ((1 << 32) - position)) >> 32)) >> 32;
        (u64::from(zeros + 1) << FRACTION_BITS) - (points[0] + line as u64 + above)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: f64 = (1u64 << FRACTION_BITS) as f64;

    fn mixed(number: u64) -> u64 {
        xxhash_rust::xxh3::xxh3_64(&number.to_le_bytes())
    }

    #[test]
    fn they_are_logarithms() {
        let exponential = Exponential::new();
        let ends = [0, 1, 2, 3, 1 << 63, (1 << 63) - 1, u64::MAX, u64::MAX - 1, u64::MAX << 21, u64::MAX << 54];
        for bits in ends.into_iter().chain((0..20_000).map(mixed)) {
            let exact = 64.0 - (bits.max(1) as f64).log2();
            let ours = exponential.of(bits) as f64 / ONE;
            assert!(exponential.of(bits) > 0 && (ours - exact).abs() < 2e-10, "{bits}: {ours} {exact}");
        }
    }

    #[test]
    fn their_rate_is_the_same_everywhere() {
        // Measures the slope over short intervals from the middle of the range to its end; only this part matters for
        // large texts.
        let exponential = Exponential::new();
        let slope = |bits: u64, step: u64| {
            let fall = (exponential.of(bits) - exponential.of(bits + step)) as f64 / ONE;
            fall * 2f64.powi(64) / step as f64
                * std::f64::consts::LN_2
                * ((bits as f64 + step as f64 / 2.0) / 2f64.powi(64))
        };
        for number in 0..5000 {
            let bits = 1 << 63 | mixed(number) >> 1;
            let slope = slope(bits - (1 << 50), 1 << 49);
            assert!((slope - 1.0).abs() < 2e-6, "{bits}: {slope}");
        }
        let near_the_end = slope(u64::MAX - (1 << 40), 1 << 39);
        assert!((near_the_end - 1.0).abs() < 2e-6, "{near_the_end}");
    }

    #[test]
    fn a_larger_number_is_never_a_later_one() {
        let exponential = Exponential::new();
        for number in 0..20_000 {
            let bits = mixed(number);
            for step in [1, 1 << 20, 1 << 43] {
                assert!(exponential.of(bits) >= exponential.of(bits.saturating_add(step)), "{bits} {step}");
            }
        }
    }
}
