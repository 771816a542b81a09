//! A bitmap of a shingle set: a lower bound of how much two sets differ, for a hundredth of the price of comparing them.
//!
//! Each hash sets the bit that its lowest bits name. A bit that is set in one map only was set by a hash that is in one
//! set only, and different bits by different hashes; so the popcount of the XOR never exceeds |A Δ B|, and a pair is
//! dropped only when it cannot reach the threshold.

use super::kernel::count_differences;

/// Four to eight bits a shingle: a power of two of bits, at least one word.
#[derive(Debug, Clone)]
pub(crate) struct Bitmap {
    words: Box<[u64]>,
}

impl Bitmap {
    pub(crate) fn new(hashes: &[u64]) -> Self {
        let num_bits = (hashes.len() * 4).next_power_of_two().max(64);
        let mut words = vec![0; num_bits / 64].into_boxed_slice();
        for &hash in hashes {
            let bit = hash as usize & (num_bits - 1);
            words[bit / 64] |= 1 << (bit % 64);
        }
        Self { words }
    }

    /// Whether the set may hold `hash`; `false` is certain.
    #[inline(always)]
    pub(crate) fn may_contain(&self, hash: u64) -> bool {
        let bit = hash as usize & (64 * self.words.len() - 1);
        self.words[bit / 64] >> (bit % 64) & 1 != 0
    }

    /// At most the number of hashes that are in one of the two sets only.
    pub(crate) fn least_difference(&self, other: &Self) -> usize {
        let (small, large) = if self.words.len() <= other.words.len() {
            (&self.words, &other.words)
        } else {
            (&other.words, &self.words)
        };
        if small.len() == large.len() {
            return count_differences(small, large);
        }
        // Folded upon itself, the larger map is the one that fewer bits would have made.
        let mut folded = vec![0; small.len()];
        for part in large.chunks_exact(small.len()) {
            for (word, part) in folded.iter_mut().zip(part) {
                *word |= part;
            }
        }
        count_differences(small, &folded)
    }

    pub(crate) fn num_bytes(&self) -> usize {
        8 * self.words.len()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_bound_never_exceeds_the_difference(
            a in prop::collection::hash_set(0u64..3000, 0..1000),
            b in prop::collection::hash_set(0u64..3000, 0..400),
        ) {
            let map = |set: &HashSet<u64>| Bitmap::new(&set.iter().copied().collect::<Vec<_>>());
            let bound = map(&a).least_difference(&map(&b));
            prop_assert!(bound <= a.symmetric_difference(&b).count());
            prop_assert_eq!(bound, map(&b).least_difference(&map(&a)));
            prop_assert_eq!(map(&a).least_difference(&map(&a)), 0);
            prop_assert!(a.iter().all(|&hash| map(&a).may_contain(hash)));
        }
    }

    #[test]
    fn the_bound_is_good_enough_to_be_worth_it() {
        // 1,000 of 1,500 hashes differ; with two bits a hash at least half of that must show.
        let hash = |i: u64| xxhash_rust::xxh3::xxh3_64(&i.to_le_bytes());
        let a: Vec<u64> = (0..1000).map(hash).collect();
        let b: Vec<u64> = (500..1500).map(hash).collect();
        assert!(Bitmap::new(&a).least_difference(&Bitmap::new(&b)) > 500);
    }
}
