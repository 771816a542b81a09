//! Odd sketches: a lower bound of the difference of two sets, for a hundredth of the cost of comparing them.
//!
//! Each hash flips the bit that its lowest bits select. The XOR of two sketches is therefore the sketch of the
//! symmetric difference: a hash in both sets flips its bit twice (Mitzenmacher, Pagh and Pham 2014). Each bit that
//! remains was flipped by at least one hash of the difference, and different bits by different hashes. So the popcount
//! never exceeds |A Δ B|, and a pair is rejected only if it cannot reach the threshold. Unlike in a bitmap of the
//! hashes, the shared hashes, which are most hashes of near-duplicates, hide nothing. With these sizes and a threshold
//! of 0.8, nearly all pairs below 0.75 are ruled out.

use super::Threshold;
use super::kernel::differ_by_more_than;

/// Appends the sketch of a set of distinct hashes: two to four bits per hash, a power of two of bits, at least one
/// word.
pub(super) fn append_odd_sketch(hashes: &[u64], words: &mut Vec<u64>) {
    let num_bits = (hashes.len() * 2).next_power_of_two().max(64);
    let start = words.len();
    words.resize(start + num_bits / 64, 0);
    add_to_odd_sketch(hashes, &mut words[start..]);
}

/// Adds distinct hashes that are not in the sketch yet. The length of the sketch in words is a power of two.
pub(crate) fn add_to_odd_sketch(hashes: &[u64], sketch: &mut [u64]) {
    let num_bits = 64 * sketch.len();
    for &hash in hashes {
        let bit = hash as usize & (num_bits - 1);
        sketch[bit / 64] ^= 1 << (bit % 64);
    }
}

/// The parts of a set that the cheap tests need: its size, the words of its sketch, and the weight of its shingles.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outline<'a> {
    pub(crate) len: usize,
    pub(crate) sketch: &'a [u64],
    /// Total weight of the shingles; 0 if shingles have no weights.
    pub(crate) weight: u64,
}

impl Outline<'_> {
    /// Whether sizes or sketches show that a pair cannot reach the threshold; never true for a pair that reaches it.
    #[inline]
    pub(crate) fn rules_out(&self, other: &Self, threshold: Threshold) -> bool {
        // A sketch counts shingles, and says little about their weights.
        if self.weight > 0 {
            return self.weight.min(other.weight) < threshold.least_shared(self.weight, other.weight);
        }
        let least = threshold.least_shared(self.len as u64, other.len as u64) as usize;
        if self.len.min(other.len) < least {
            return true;
        }
        // Maximum number of differing hashes of a pair that reaches the threshold.
        let most = self.len + other.len - 2 * least;
        // A larger sketch, folded to fewer bits, equals the sketch built with fewer bits.
        if self.sketch.len() <= other.sketch.len() {
            differ_by_more_than(self.sketch, other.sketch, most)
        } else {
            differ_by_more_than(other.sketch, self.sketch, most)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    fn sketch(hashes: &[u64]) -> Vec<u64> {
        let mut words = Vec::new();
        append_odd_sketch(hashes, &mut words);
        words
    }

    fn outline<'a>(hashes: &[u64], sketch: &'a [u64]) -> Outline<'a> {
        Outline { len: hashes.len(), sketch, weight: 0 }
    }

    proptest! {
        #[test]
        fn no_pair_that_reaches_the_threshold_is_ruled_out(
            a in prop::collection::hash_set(0u64..3000, 0..1000),
            b in prop::collection::hash_set(0u64..3000, 0..400),
            extra in prop::collection::hash_set(0u64..3000, 0..40),
            percent in 0u32..=100,
        ) {
            let threshold = Threshold::new(f64::from(percent) / 100.0).unwrap();
            let near: HashSet<u64> = a.symmetric_difference(&extra).copied().collect();
            for b in [&b, &near, &a] {
                let (shared, union) = (a.intersection(b).count(), a.union(b).count());
                let (a, b): (Vec<u64>, Vec<u64>) = (a.iter().copied().collect(), b.iter().copied().collect());
                let (sketch_a, sketch_b) = (sketch(&a), sketch(&b));
                let (a, b) = (outline(&a, &sketch_a), outline(&b, &sketch_b));
                let ruled_out = a.rules_out(&b, threshold);
                prop_assert!(!(ruled_out && threshold.is_met(shared as u64, union as u64)));
                prop_assert_eq!(ruled_out, b.rules_out(&a, threshold));
            }
        }
    }

    #[test]
    fn the_bound_is_good_enough_to_be_worth_it() {
        let hash = |i: u64| xxhash_rust::xxh3::xxh3_64(&i.to_le_bytes());
        let a: Vec<u64> = (0..1000).map(hash).collect();
        // Shifted by d, the similarity is (1000 - d) / (1000 + d): 0.74 at 150, 0.82 at 100.
        let ruled_out = |shift: u64| {
            let b: Vec<u64> = (shift..1000 + shift).map(hash).collect();
            let (sketch_a, sketch_b) = (sketch(&a), sketch(&b));
            outline(&a, &sketch_a).rules_out(&outline(&b, &sketch_b), Threshold::default())
        };
        assert!(ruled_out(150) && ruled_out(500) && !ruled_out(100));
    }
}
