//! `GramFilter`: which hashes may occur more than once, in a table of bits.
//!
//! Each hash has a position with two bits. Its first occurrence sets one bit, and a later one sets the other. Hashes can
//! share a position, so some that occur once count as repeated, and the next pass compares them exactly; no repeated hash
//! is missed. The bits do not depend on the order of the hashes.

use std::sync::atomic::{AtomicU64, Ordering};

/// The number of positions for each expected hash, so that about one in eight hashes is taken for repeated.
const POSITIONS: u64 = 8;
const MIN_POSITIONS: u64 = 1 << 16;

/// The bits of the hashes of a corpus; any thread adds to them.
pub(super) struct GramFilter {
    once: Box<[AtomicU64]>,
    twice: Box<[AtomicU64]>,
    shift: u32,
}

impl GramFilter {
    /// * `num_hashes`: the expected number of hashes.
    /// * `most_bytes`: the maximum size of the table; at least 16 KiB are used.
    pub(super) fn new(num_hashes: u64, most_bytes: u64) -> Self {
        let most_positions = (most_bytes * 4).max(MIN_POSITIONS);
        let positions = (num_hashes.saturating_mul(POSITIONS)).clamp(MIN_POSITIONS, most_positions);
        // The greatest power of two that is not larger.
        let positions = 1u64 << positions.ilog2();
        let bits = || (0..positions / 64).map(|_| AtomicU64::new(0)).collect();
        Self { once: bits(), twice: bits(), shift: 64 - positions.ilog2() }
    }

    /// Adds an occurrence of a hash.
    pub(super) fn add(&self, hash: u64) {
        let (word, bit) = self.position(hash);
        if self.once[word].fetch_or(bit, Ordering::Relaxed) & bit != 0 {
            self.twice[word].fetch_or(bit, Ordering::Relaxed);
        }
    }

    /// Whether a hash may have been added more than once; `true` for each that was.
    pub(super) fn may_repeat(&self, hash: u64) -> bool {
        let (word, bit) = self.position(hash);
        self.twice[word].load(Ordering::Relaxed) & bit != 0
    }

    pub(super) fn num_bytes(&self) -> usize {
        2 * size_of_val::<[AtomicU64]>(&self.once)
    }

    fn position(&self, hash: u64) -> (usize, u64) {
        let position = hash >> self.shift;
        ((position / 64) as usize, 1 << (position % 64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_that_occur_twice_are_never_missed_and_most_others_are_excluded() {
        let filter = GramFilter::new(100_000, 1 << 30);
        let hash = |number: u64| xxhash_rust::xxh3::xxh3_64(&number.to_le_bytes());
        (0..100_000).for_each(|number| filter.add(hash(number)));
        (0..100_000).step_by(10).for_each(|number| filter.add(hash(number)));
        assert!((0..100_000).step_by(10).all(|number| filter.may_repeat(hash(number))));
        let others = (0..100_000).filter(|number| number % 10 != 0);
        let taken = others.filter(|&number| filter.may_repeat(hash(number))).count();
        // 8 or 4 positions for each hash: about 1 in 8 or 1 in 5.
        assert!((1000..25_000).contains(&taken), "{taken}");
        assert!(GramFilter::new(u64::MAX, 1 << 16).num_bytes() <= 1 << 16);
    }
}
