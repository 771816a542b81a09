//! Multisets as sets: turns each occurrence of a shingle into a separate element. The i-th occurrence of a shingle has
//! its own element.
//!
//! The multiset {a, a, b} becomes the set {(a, 0), (a, 1), (b, 0)}. For a shingle that occurs m and n times, the
//! intersection of two such sets has min(m, n) elements and their union max(m, n). So their Jaccard similarity is
//! exactly Σ min / Σ max, and all properties of sets apply (Haveliwala, Gionis and Indyk 2000).

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use xxhash_rust::xxh3::xxh3_64;

/// Maximum capacity of a map that is kept for the next text.
const KEPT: usize = 1 << 16;

/// Counts how often each shingle has occurred in the current text.
#[derive(Debug, Clone, Default)]
pub(super) struct Bag {
    counts: HashMap<u64, u32, BuildHasherDefault<IdentityHasher>>,
    elements: Vec<u64>,
}

impl Bag {
    /// Forgets the previous text.
    pub(super) fn begin(&mut self) {
        // Clearing a map needs time in proportion to its capacity, not its length.
        if self.counts.capacity() > KEPT {
            self.counts = HashMap::default();
        }
        self.counts.clear();
    }

    /// Converts the next hashes of the text to elements; the element of a first occurrence is the hash itself.
    pub(super) fn elements(&mut self, block: &[u64]) -> &[u64] {
        let Self { counts, elements } = self;
        elements.clear();
        elements.extend(block.iter().map(|&hash| {
            let count = counts.entry(hash).or_default();
            let element = occurrence(hash, *count);
            *count += 1;
            element
        }));
        elements
    }
}

/// The element of an occurrence of `hash` that follows `before` earlier ones. For later occurrences it is a hash of
/// both numbers, as 12 bytes in little-endian order.
fn occurrence(hash: u64, before: u32) -> u64 {
    if before == 0 {
        return hash;
    }
    let mut bytes = [0; 12];
    bytes[..8].copy_from_slice(&hash.to_le_bytes());
    bytes[8..].copy_from_slice(&before.to_le_bytes());
    xxh3_64(&bytes)
}

/// A hasher that returns a 64-bit hash unchanged.
#[derive(Debug, Clone, Copy, Default)]
struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are u64");
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashSet};

    use proptest::prelude::*;

    use super::*;

    fn elements(bag: &mut Bag, hashes: &[u64], block_len: usize) -> HashSet<u64> {
        bag.begin();
        let mut elements = HashSet::new();
        for block in hashes.chunks(block_len) {
            elements.extend(bag.elements(block));
        }
        assert_eq!(elements.len(), hashes.len(), "every occurrence is an element");
        elements
    }

    fn counts(hashes: &[u64]) -> BTreeMap<u64, u64> {
        let mut counts = BTreeMap::new();
        hashes.iter().for_each(|&hash| *counts.entry(hash).or_default() += 1);
        counts
    }

    proptest! {
        #[test]
        fn elements_are_shared_as_often_as_the_least_count(
            a in prop::collection::vec(0u64..12, 0..80),
            b in prop::collection::vec(0u64..12, 0..80),
            block_len in 1usize..20,
        ) {
            let mut bag = Bag::default();
            let (a_elements, b_elements) = (elements(&mut bag, &a, block_len), elements(&mut bag, &b, 4096));
            let (a, b) = (counts(&a), counts(&b));
            let least: u64 = a.iter().map(|(hash, &count)| count.min(b.get(hash).copied().unwrap_or(0))).sum();
            prop_assert_eq!(a_elements.intersection(&b_elements).count() as u64, least);
        }
    }

    #[test]
    fn elements_are_pinned() {
        assert_eq!(occurrence(7, 0), 7);
        assert_eq!([occurrence(7, 1), occurrence(7, 2)], [12809954538978069345, 17962387598585339901]);
    }

    #[test]
    fn a_huge_text_leaves_no_room_behind() {
        let mut bag = Bag::default();
        let hashes: Vec<u64> = (0..200_000).collect();
        bag.elements(&hashes);
        bag.begin();
        assert!(bag.counts.capacity() <= KEPT);
    }
}
