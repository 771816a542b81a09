//! Sketches: a lower bound of how much two shingle sets differ, from about a bit and a half for each shingle.
//!
//! Each shingle sets the bit that its lowest bits name. A bit that is set in one sketch and not in the other was set by a
//! shingle that only one of the documents has, and different bits by different ones, so the number of bits that differ
//! never exceeds |A Δ B|. Repeats set what is set already: a sketch is made in one pass, without a set, while the document
//! is signed. A pair is ruled out only when it cannot reach the threshold: nothing is ever lost to a sketch.

use super::Threshold;
use super::kernel::differ_by_more_than;

/// The largest sketch, in words: a text of more than a million shingles has a fuller one.
const MOST_WORDS: usize = 1 << 15;

/// Bits of a sketch for each shingle, as a power of two: from 2^this up to twice that many.
const LOG_BITS: u32 = 0;

/// The words of a sketch of so many shingles, repeats counted; a power of two.
pub(crate) fn sketch_words(num_shingles: usize) -> usize {
    (num_shingles << LOG_BITS).next_power_of_two().div_ceil(64).clamp(1, MOST_WORDS)
}

/// Sets the bits of some shingles.
///
/// * `sketch`: a power of two of words.
pub(crate) fn add_to_sketch(sketch: &mut [u64], shingles: &[u64]) {
    let mask = sketch.len() - 1;
    for &hash in shingles {
        sketch[(hash >> 6) as usize & mask] |= 1 << (hash & 63);
    }
}

/// Folds a sketch upon itself until it has so many words; returns the first part.
pub(crate) fn fold_sketch(sketch: &mut [u64], num_words: usize) -> &[u64] {
    let (folded, rest) = sketch.split_at_mut(num_words);
    for part in rest.chunks_exact(num_words) {
        folded.iter_mut().zip(part).for_each(|(word, part)| *word |= part);
    }
    folded
}

/// A document as the first test sees it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sketch<'a> {
    /// At least the number of distinct shingles.
    pub(crate) num_shingles: u64,
    /// A power of two of words; none rules nothing out.
    pub(crate) words: &'a [u64],
}

impl Sketch<'_> {
    /// Whether the pair cannot reach the threshold; never true of one that does.
    #[inline]
    pub(crate) fn rules_out(&self, other: &Self, threshold: Threshold) -> bool {
        let (small, large) = if self.words.len() <= other.words.len() { (self, other) } else { (other, self) };
        if small.words.is_empty() {
            return false;
        }
        let most = threshold.most_difference(self.num_shingles + other.num_shingles);
        differ_by_more_than(small.words, large.words, most as usize)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    fn sketch(shingles: &[u64]) -> Vec<u64> {
        let mut words = vec![0; sketch_words(shingles.len())];
        add_to_sketch(&mut words, shingles);
        words
    }

    proptest! {
        #[test]
        fn no_pair_that_reaches_the_threshold_is_ruled_out(
            a in prop::collection::vec(0u64..3000, 1..1500),
            b in prop::collection::vec(0u64..3000, 1..400),
            extra in prop::collection::hash_set(0u64..3000, 0..40),
            spread in any::<bool>(),
            percent in 0u32..=100,
        ) {
            let hash = |&i: &u64| if spread { xxhash_rust::xxh3::xxh3_64(&i.to_le_bytes()) } else { i };
            let threshold = Threshold::new(f64::from(percent) / 100.0).unwrap();
            let a: Vec<u64> = a.iter().map(hash).collect();
            let extra: HashSet<u64> = extra.iter().map(hash).collect();
            let near: Vec<u64> = a.iter().copied().filter(|hash| !extra.contains(hash)).chain(extra.iter().copied()).collect();
            let sets = |list: &[u64]| list.iter().copied().collect::<HashSet<u64>>();
            for b in [b.iter().map(hash).collect(), near, a.clone()] {
                let (set_a, set_b) = (sets(&a), sets(&b));
                let shared = set_a.intersection(&set_b).count() as u64;
                let union = set_a.union(&set_b).count() as u64;
                let (words_a, words_b) = (sketch(&a), sketch(&b));
                let a = Sketch { num_shingles: a.len() as u64, words: &words_a };
                let b = Sketch { num_shingles: b.len() as u64, words: &words_b };
                let ruled_out = a.rules_out(&b, threshold);
                prop_assert!(!(ruled_out && threshold.is_met(shared, union)));
                prop_assert_eq!(ruled_out, b.rules_out(&a, threshold));
            }
        }

        #[test]
        fn a_folded_sketch_is_the_one_that_fewer_words_would_have_made(
            shingles in prop::collection::vec(any::<u64>(), 0..300),
            log in 0u32..5,
        ) {
            let mut large = vec![0; 16];
            add_to_sketch(&mut large, &shingles);
            let mut small = vec![0; 1 << log.min(4)];
            add_to_sketch(&mut small, &shingles);
            let len = small.len();
            prop_assert_eq!(fold_sketch(&mut large, len), &small);
        }
    }

    #[test]
    fn the_bound_is_good_enough_to_be_worth_it() {
        let hash = |i: u64| xxhash_rust::xxh3::xxh3_64(&i.to_le_bytes());
        let a: Vec<u64> = (0..1000).map(hash).collect();
        // Shifted by d, the similarity is (1000 - d) / (1000 + d): 0.43 at 400, 0.82 at 100.
        let ruled_out = |shift: u64| {
            let b: Vec<u64> = (shift..1000 + shift).map(hash).collect();
            let (words_a, words_b) = (sketch(&a), sketch(&b));
            let of = |words| Sketch { num_shingles: 1000, words };
            of(words_a.as_slice()).rules_out(&of(words_b.as_slice()), Threshold::default())
        };
        assert!(ruled_out(400) && ruled_out(700) && !ruled_out(100));
    }
}
