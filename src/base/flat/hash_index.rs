//! `HashIndex`: finds the position of a hash in a list of distinct hashes.
//!
//! An open-addressing table of positions in a list that the caller keeps, so that the list stays an array in its own
//! order. It probes linearly and is at most a quarter full; a slot is 4 bytes.

use super::prefetch::{AHEAD, prefetch};

/// The position of each hash in a list of distinct hashes. Every method must receive the list that the index was built
/// from.
#[derive(Debug, Clone, Default)]
pub(crate) struct HashIndex {
    /// The slots of the table, a power of two.
    positions: Vec<u32>,
    /// 64 − log₂ of the number of slots.
    shift: u32,
}

/// Marks a vacant slot.
const VACANT: u32 = u32::MAX;

impl HashIndex {
    const LEAST_SLOTS: usize = 1 << 6;

    /// Indexes another list of distinct hashes; reuses the allocated memory.
    pub(crate) fn rebuild(&mut self, hashes: &[u64]) {
        self.clear();
        self.reserve(&[], hashes.len());
        self.insert_all(hashes);
    }

    /// The position of a hash in the indexed list.
    #[inline]
    pub(crate) fn find(&self, hashes: &[u64], hash: u64) -> Option<usize> {
        match self.positions[self.slot(hashes, hash)] {
            VACANT => None,
            position => Some(position as usize),
        }
    }

    /// Appends the hashes of `block` that the list does not contain, each once, in their order, and indexes them.
    pub(crate) fn append_distinct(&mut self, hashes: &mut Vec<u64>, block: &[u64]) {
        let mut len = hashes.len();
        // The table grows for the whole block first, so that the loop need not check.
        self.reserve(hashes, len + block.len());
        hashes.resize(len + block.len(), 0);
        let positions = self.positions.as_mut_slice();
        let mask = positions.len() - 1;
        for (at, &hash) in block.iter().enumerate() {
            if let Some(&soon) = block.get(at + AHEAD) {
                prefetch(positions, first_slot(soon, self.shift));
            }
            let mut slot = first_slot(hash, self.shift);
            // No processor can predict whether a hash is new, so this takes no branch: a vacant slot counts as a match.
            let (position, is_new) = loop {
                let position = positions[slot];
                let is_vacant = position == VACANT;
                let there = hashes[if is_vacant { 0 } else { position as usize }];
                if (if is_vacant { hash } else { there }) == hash {
                    break (position, is_vacant);
                }
                slot = (slot + 1) & mask;
            };
            positions[slot] = if is_new { len as u32 } else { position };
            hashes[len] = hash;
            len += usize::from(is_new);
        }
        hashes.truncate(len);
    }

    /// Makes room for `len` hashes in total; `hashes` is the list that is indexed already.
    pub(crate) fn reserve(&mut self, hashes: &[u64], len: usize) {
        assert!(len < VACANT as usize, "fewer than 2^32 - 1 hashes in one list");
        let num_slots = (len * 4).next_power_of_two().max(Self::LEAST_SLOTS);
        if num_slots > self.positions.len() {
            self.positions.clear();
            self.positions.resize(num_slots, VACANT);
            self.shift = 64 - num_slots.ilog2();
            self.insert_all(hashes);
        }
    }

    /// Removes all hashes and keeps the memory; [`reserve`](Self::reserve) marks as many slots vacant as it needs.
    pub(crate) fn clear(&mut self) {
        self.positions.clear();
    }

    /// Bytes of the table, without the list of hashes.
    pub(crate) fn num_bytes(&self) -> usize {
        4 * self.positions.capacity()
    }

    /// The slot that contains `hash`, or the vacant slot that it would be written to.
    #[inline(always)]
    fn slot(&self, hashes: &[u64], hash: u64) -> usize {
        let mask = self.positions.len() - 1;
        let mut slot = first_slot(hash, self.shift);
        loop {
            let position = self.positions[slot];
            if position == VACANT || hashes[position as usize] == hash {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Indexes the whole list; the table must be empty.
    fn insert_all(&mut self, hashes: &[u64]) {
        let positions = self.positions.as_mut_slice();
        let mask = positions.len() - 1;
        for (at, &hash) in hashes.iter().enumerate() {
            if let Some(&soon) = hashes.get(at + AHEAD) {
                prefetch(positions, first_slot(soon, self.shift));
            }
            let mut slot = first_slot(hash, self.shift);
            while positions[slot] != VACANT {
                slot = (slot + 1) & mask;
            }
            positions[slot] = at as u32;
        }
    }
}

/// The slot at which probing for a hash begins. Hashes of a caller may differ in any bits, so they are spread (Knuth,
/// 6.4).
#[inline(always)]
pub(crate) fn first_slot(hash: u64, shift: u32) -> usize {
    (hash.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> shift) as usize
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn an_index_finds_what_a_hash_map_does(
            // Equal top bits, multiples of a power of two, and repeats cause collisions.
            hashes in prop::collection::vec(prop_oneof![0u64..50, (0u64..3000).prop_map(|h| h << 40), any::<u64>()], 0..3000),
            cut in 0usize..3000,
        ) {
            let (mut appended, mut list) = (HashIndex::default(), Vec::new());
            let (first, second) = hashes.split_at(cut.min(hashes.len()));
            appended.append_distinct(&mut list, first);
            appended.append_distinct(&mut list, second);
            let mut twin = HashMap::new();
            for &hash in &hashes {
                let next = twin.len();
                twin.entry(hash).or_insert(next);
            }
            prop_assert_eq!(list.len(), twin.len());
            let mut rebuilt = HashIndex::default();
            rebuilt.rebuild(&[7, 8]);
            rebuilt.rebuild(&list);
            for hash in hashes.iter().flat_map(|&hash| [hash, !hash]) {
                prop_assert_eq!(appended.find(&list, hash), twin.get(&hash).copied());
                prop_assert_eq!(rebuilt.find(&list, hash), twin.get(&hash).copied());
            }
        }
    }

    #[test]
    fn repeats_cost_no_memory() {
        let (mut index, mut list) = (HashIndex::default(), Vec::new());
        let block: Vec<u64> = (0..4096).map(|i| i % 1000).collect();
        for _ in 0..1000 {
            index.append_distinct(&mut list, &block);
        }
        // The list has room for the distinct hashes and one block, at most doubled.
        assert!(list.len() == 1000 && list.capacity() <= 1 << 13 && index.num_bytes() <= 4 << 15);
    }
}
