//! Odd sketches: a lower bound of how much two sets differ, for a hundredth of the cost of comparing them.
//!
//! Each hash flips the bit that its lowest bits name, so the XOR of two sketches is the sketch of the symmetric difference:
//! what both sets hold flips twice and is gone (Mitzenmacher, Pagh and Pham 2014). A bit that is left was flipped by at
//! least one hash of the difference, and different bits by different ones; so the popcount never exceeds |A Δ B|, and a
//! pair is dropped only when it cannot reach the threshold. Unlike in a bitmap of the hashes, nothing is lost to what the
//! two sets share, which is most of near-duplicates: with these sizes and a threshold of 0.8, nearly all pairs below 0.75 are
//! ruled out.

use super::Threshold;
use super::kernel::differ_by_more_than;

/// Appends the sketch of a set of distinct hashes: two to four bits a hash, a power of two of bits, at least one word.
pub(super) fn append_odd_sketch(hashes: &[u64], words: &mut Vec<u64>) {
    let num_bits = (hashes.len() * 2).next_power_of_two().max(64);
    let start = words.len();
    words.resize(start + num_bits / 64, 0);
    add_to_odd_sketch(hashes, &mut words[start..]);
}

/// Adds distinct hashes, which it does not have, to a sketch of a power of two of words.
pub(crate) fn add_to_odd_sketch(hashes: &[u64], sketch: &mut [u64]) {
    let num_bits = 64 * sketch.len();
    for &hash in hashes {
        let bit = hash as usize & (num_bits - 1);
        sketch[bit / 64] ^= 1 << (bit % 64);
    }
}

/// What the cheap tests need of a set: its size, the words of its sketch, and what its shingles weigh.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outline<'a> {
    pub(crate) len: usize,
    pub(crate) sketch: &'a [u64],
    /// 0 where shingles have no weights.
    pub(crate) weight: u64,
}

impl Outline<'_> {
    /// Whether sizes or sketches show that a pair cannot reach the threshold; never true of one that does.
    #[inline]
    pub(crate) fn rules_out(&self, other: &Self, threshold: Threshold) -> bool {
        // A sketch counts shingles, and says little of their weights.
        if self.weight > 0 {
            return self.weight.min(other.weight) < threshold.least_shared(self.weight, other.weight);
        }
        let least = threshold.least_shared(self.len as u64, other.len as u64) as usize;
        if self.len.min(other.len) < least {
            return true;
        }
        // What is not shared is in the difference: at most this many when the threshold is reached.
        let most = self.len + other.len - 2 * least;
        // Folded upon itself, the larger sketch is the one that fewer bits would have made.
        if self.sketch.len() <= other.sketch.len() {
            differ_by_more_than(self.sketch, other.sketch, most)
        } else {
            differ_by_more_than(other.sketch, self.sketch, most)
        }
    }
}

/// The outlines of many sets side by side, so that one set is compared with them without a jump in memory.
#[derive(Debug, Default)]
pub(crate) struct Outlines {
    words: Vec<u64>,
    rows: Vec<OutlineRow>,
}

#[derive(Debug)]
struct OutlineRow {
    start: usize,
    /// No words when there is no outline.
    num_words: u32,
    len: u32,
    weight: u64,
}

impl Outlines {
    /// Adds an outline, or a place without one.
    pub(crate) fn push(&mut self, outline: Option<Outline<'_>>) {
        let Outline { len, sketch, weight } = outline.unwrap_or(Outline { len: 0, sketch: &[], weight: 0 });
        let small = |number: usize| u32::try_from(number).expect("fewer than 2^32 shingles");
        let (start, num_words, len) = (self.words.len(), small(sketch.len()), small(len));
        self.rows.push(OutlineRow { start, num_words, len, weight });
        self.words.extend_from_slice(sketch);
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<Outline<'_>> {
        let OutlineRow { start, num_words, len, weight } = self.rows[index];
        let sketch = &self.words[start..start + num_words as usize];
        (num_words > 0).then_some(Outline { len: len as usize, sketch, weight })
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
