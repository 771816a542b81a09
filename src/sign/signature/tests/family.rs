//! Tests of the hash functions: they are uniform and pairwise independent, and each element is equally likely to be the
//! minimum.
//!
//! Coefficients are random, arguments fixed. Counts in bins that should be equally likely are compared by χ².

use super::super::hash_family::{ClassicFamily, P31, P61, RoundHash, residue31, round_hashes};
use super::*;

/// Asserts that the counts fit equally likely bins, neither uneven nor suspiciously even.
///
/// χ² with d degrees of freedom is, by Wilson and Hilferty, d(1 − 2/(9d) + z sqrt(2/(9d)))³ with z standard normal;
/// z within ±5 is five standard deviations.
fn assert_even(counts: &[u32], what: &str) {
    let total: u32 = counts.iter().sum();
    let expected = f64::from(total) / counts.len() as f64;
    assert!(expected >= 50.0, "too few counts for the approximation");
    let chi_square: f64 = counts.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum();
    let d = (counts.len() - 1) as f64;
    let at = |z: f64| d * (1.0 - 2.0 / (9.0 * d) + z * (2.0 / (9.0 * d)).sqrt()).powi(3);
    assert!((at(-5.0)..=at(5.0)).contains(&chi_square), "{what}: {chi_square} outside {}..{}", at(-5.0), at(5.0));
}

/// Counts in bins. The index of a bin is a number in some base, with one digit for each value.
#[derive(Clone)]
struct Histogram(Vec<u32>);

impl Histogram {
    fn new(bins: usize) -> Self {
        Self(vec![0; bins])
    }

    fn add(&mut self, digits: &[usize], base: usize) {
        self.0[digits.iter().fold(0, |bin, &digit| bin * base + digit)] += 1;
    }
}

/// The index of the equal part, out of `base`, of the range below 2³¹ − 1 (`digit61`: 2⁶¹ − 1) that contains a value.
fn digit31(value: u32, base: usize) -> usize {
    assert!(value < P31);
    (value as usize * base) >> 31
}

fn digit61(value: u64, base: usize) -> usize {
    assert!(value < P61);
    ((u128::from(value) * base as u128) >> 61) as usize
}

/// Arguments with and without structure: the functions guarantee independence for any two.
const ARGUMENTS: [(u64, u64); 4] =
    [(1 << 33, 2 << 33), (0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3210), (5 << 40, 10 << 40), (1 << 63, 3 << 62)];

fn families(count: u64) -> impl Iterator<Item = ClassicFamily> {
    (0..count).map(|seed| ClassicFamily::new(BANDS, ROWS, seed))
}

fn value31(family: &ClassicFamily, band: usize, row: usize, shingle: u64) -> u32 {
    family.rows()[row][band].hash(residue31(shingle))
}

#[test]
fn values_of_every_band_are_uniform() {
    for band in 0..BANDS {
        for (shingle, _) in ARGUMENTS {
            let (mut high, mut low) = (Histogram::new(64), Histogram::new(64));
            for family in families(1_000) {
                for row in 0..ROWS {
                    let value = value31(&family, band, row, shingle);
                    high.add(&[digit31(value, 64)], 64);
                    low.add(&[value as usize % 64], 64);
                }
            }
            assert_even(&high.0, &format!("high bits, band {band}, {shingle:x}"));
            assert_even(&low.0, &format!("low bits, band {band}, {shingle:x}"));
        }
    }
}

#[test]
fn values_of_every_round_are_uniform() {
    for (shingle, _) in ARGUMENTS {
        let (mut high, mut low) = (Histogram::new(64), Histogram::new(64));
        for function in (0..200).flat_map(|seed| round_hashes(2 * NUM_HASHES, seed)) {
            let value = function.hash(shingle);
            high.add(&[digit61(value, 64)], 64);
            low.add(&[value as usize % 64], 64);
        }
        assert_even(&high.0, &format!("high bits, {shingle:x}"));
        assert_even(&low.0, &format!("low bits, {shingle:x}"));
    }
}

#[test]
fn values_of_two_shingles_in_two_bands_are_independent() {
    // Two bands of a row on both shingles: all 4⁴ combinations of (x, y in one band, x, y in the other) are equally
    // likely.
    for (band, other) in [(0, 1), (0, 19), (7, 8), (3, 12), (9, 18)] {
        for (x, y) in ARGUMENTS {
            let mut histogram = Histogram::new(256);
            for family in families(4_000) {
                for row in 0..ROWS {
                    let at = |band, shingle| digit31(value31(&family, band, row, shingle), 4);
                    histogram.add(&[at(band, x), at(band, y), at(other, x), at(other, y)], 4);
                }
            }
            assert_even(&histogram.0, &format!("bands {band} and {other}, {x:x} and {y:x}"));
        }
    }
}

#[test]
fn the_rows_of_a_band_are_independent() {
    for band in [0, 1, 19] {
        for (x, y) in ARGUMENTS {
            let (mut all_rows, mut two_rows) = (Histogram::new(243), Histogram::new(256));
            for family in families(20_000) {
                let digits: Vec<usize> = (0..ROWS).map(|row| digit31(value31(&family, band, row, x), 3)).collect();
                all_rows.add(&digits, 3);
                let at = |row, shingle| digit31(value31(&family, band, row, shingle), 4);
                two_rows.add(&[at(0, x), at(0, y), at(4, x), at(4, y)], 4);
            }
            assert_even(&all_rows.0, &format!("five rows, band {band}, {x:x}"));
            assert_even(&two_rows.0, &format!("two rows, band {band}, {x:x} and {y:x}"));
        }
    }
}

#[test]
fn values_of_two_shingles_in_two_rounds_are_independent() {
    for (x, y) in ARGUMENTS {
        let mut histogram = Histogram::new(256);
        for functions in (0..300).map(|seed| round_hashes(2 * NUM_HASHES, seed)) {
            // Disjoint pairs, so that counts are independent.
            for pair in functions.chunks_exact(2) {
                let at = |function: RoundHash, shingle| digit61(function.hash(shingle), 4);
                histogram.add(&[at(pair[0], x), at(pair[0], y), at(pair[1], x), at(pair[1], y)], 4);
            }
        }
        assert_even(&histogram.0, &format!("{x:x} and {y:x}"));
    }
}

/// The index of the element with the minimum value.
fn least<V: Ord>(values: impl Iterator<Item = V>) -> usize {
    values.enumerate().min_by(|(_, a), (_, b)| a.cmp(b)).expect("a set with elements").0
}

// Affine functions treat any two elements equally, but more elements only if these have no small linear relation (of 0,
// 1, 2 the middle one is the minimum too rarely). Shingle hashes have none, so the sets here are hashes of items.

#[test]
fn each_element_is_the_minimum_of_a_band_equally_often() {
    for size in [2, 3, 8] {
        let set = items(100..100 + size);
        for band in 0..BANDS {
            let mut minima = Histogram::new(set.len());
            for family in families(2_000) {
                for row in 0..ROWS {
                    let values = set.iter().map(|&shingle| value31(&family, band, row, shingle));
                    minima.add(&[least(values)], 0);
                }
            }
            assert_even(&minima.0, &format!("{size} elements, band {band}"));
        }
    }
}

#[test]
fn each_element_is_the_minimum_of_a_slot_equally_often() {
    for size in [2, 3, 8] {
        let set = items(100..100 + size);
        let mut by_round = Histogram::new(set.len());
        let mut by_slot = vec![Histogram::new(set.len()); NUM_HASHES];
        for seed in 0..2_000 {
            for function in round_hashes(20, seed) {
                by_round.add(&[least(set.iter().map(|&shingle| function.hash(shingle)))], 0);
            }
            // Signatures of single elements do not show which element wins a slot of the set, but equal values do. The
            // values of the set and of the set without one element differ where that element was the minimum.
            let whole = signature(SignatureMethod::Fast, seed, &mut set.as_slice());
            for left_out in 0..set.len() {
                let rest: Vec<u64> = set.iter().copied().filter(|&shingle| shingle != set[left_out]).collect();
                let rest = signature(SignatureMethod::Fast, seed, &mut rest.as_slice());
                for slot in (0..NUM_HASHES).filter(|&slot| whole[slot] != rest[slot]) {
                    by_slot[slot].add(&[left_out], 0);
                }
            }
        }
        assert_even(&by_round.0, &format!("{size} elements, by round"));
        for (slot, minima) in by_slot.iter().enumerate() {
            assert_eq!(minima.0.iter().sum::<u32>(), 2_000, "each slot has one least element");
            assert_even(&minima.0, &format!("{size} elements, slot {slot}"));
        }
    }
}
