//! Weights as integers in units of 2⁻¹⁶.

use crate::base::flat::log2::{FRACTION_BITS, log2};

/// Number of fraction bits of a weight.
const WEIGHT_BITS: u32 = 16;
/// Number of units in a weight of 1.
const ONE: f64 = (1u32 << WEIGHT_BITS) as f64;

/// Maximum weight in a table, so that the weights of a huge text can be added.
pub(super) const MOST: f64 = 65_535.0;

/// The weight of a shingle in `frequency` of `num_texts` texts: log₂((n + 1) / d), in units of 2⁻¹⁶, at least one unit.
///
/// Both logarithms are exact to 52 bits and rounded down, and their difference is rounded to the nearest unit, halves
/// up. Adding one to n gives a shingle in all texts a positive weight.
///
/// ```
/// assert_eq!(dedup_scan::text::weight_of_frequency(1023, 1), 10 << 16);
/// assert_eq!(dedup_scan::text::weight_of_frequency(1023, 512), 1 << 16);
/// assert_eq!(dedup_scan::text::weight_of_frequency(1_000_000_000, 1_000_000_000), 1);
/// ```
pub fn weight_of_frequency(num_texts: u64, frequency: u64) -> u32 {
    let difference = log2(num_texts.saturating_add(1)).saturating_sub(log2(frequency));
    let shift = FRACTION_BITS - WEIGHT_BITS;
    let rounded = (difference + (1 << (shift - 1))) >> shift;
    u32::try_from(rounded).expect("at most 64 << 16").max(1)
}

/// The weight nearest to a number, at least one unit; `None` if the number is out of range.
pub(super) fn from_number(number: f64) -> Option<u32> {
    (0.0..=MOST).contains(&number).then(|| ((number * ONE).round() as u32).max(1))
}

/// The units of a number that [`to_number`] returned.
pub(crate) fn to_units(number: f64) -> u64 {
    (number * ONE) as u64
}

/// A sum of weights as a number, exact up to 2⁵³ units.
pub(crate) fn to_number(units: u64) -> f64 {
    units as f64 / ONE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_the_logarithms_of_rarity() {
        for num_texts in [1u64, 2, 3, 10, 999, 1_000_000, (1 << 31) - 1] {
            for frequency in
                [1, 2, 3, 7, num_texts / 2, num_texts].into_iter().filter(|&df| (1..=num_texts).contains(&df))
            {
                let exact = ((num_texts + 1) as f64 / frequency as f64).log2() * ONE;
                let weight = f64::from(weight_of_frequency(num_texts, frequency));
                assert!((weight - exact).abs() < 0.5 + 1e-6 || weight == 1.0 && exact < 1.0, "{num_texts} {frequency}");
            }
        }
        let pinned = [(1, 1), (2, 1), (2, 2), (10, 3), (1000, 17), (1000, 1000), (12_345_678, 2)];
        let pinned = pinned.map(|(num_texts, frequency)| weight_of_frequency(num_texts, frequency));
        assert_eq!(pinned, [65536, 103872, 38336, 122845, 385336, 95, 1478329]);
    }

    #[test]
    fn numbers_are_rounded_to_units_and_nothing_weighs_nothing() {
        let weights = [0.0, 1e-9, 1.0, 0.5, 2.25, 65_535.0].map(from_number);
        assert_eq!(weights, [Some(1), Some(1), Some(65_536), Some(32_768), Some(147_456), Some(65_535 << 16)]);
        assert_eq!([-0.1, 65_536.0, f64::NAN, f64::INFINITY].map(from_number), [None; 4]);
        assert_eq!((to_number(147_456), to_units(2.25)), (2.25, 147_456));
        assert!(
            (0..60).map(|bits| (1u64 << bits) | 1).all(|units| units > 1 << 53 || to_units(to_number(units)) == units)
        );
    }
}
