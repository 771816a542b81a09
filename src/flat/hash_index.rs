//! `HashIndex`: where each hash stands in a list of distinct hashes.
//!
//! An open-addressing table of positions beside a list that its owner keeps, so that the list stays an array in its own
//! order. Linear probing, at most a quarter full, 4 bytes a slot.

use super::prefetch::{AHEAD, prefetch};

/// Where each hash stands in a list of distinct hashes. Each call gets the list that the index was made of.
#[derive(Debug, Clone, Default)]
pub(crate) struct HashIndex {
    /// A power of two of slots.
    positions: Vec<u32>,
    /// 64 − log₂ of their number.
    shift: u32,
}

/// Marks a slot that is not taken.
const VACANT: u32 = u32::MAX;

impl HashIndex {
    const LEAST_SLOTS: usize = 1 << 6;

    /// Indexes a list of distinct hashes anew, in the memory it has.
    pub(crate) fn rebuild(&mut self, hashes: &[u64]) {
        self.clear();
        self.reserve(&[], hashes.len());
        self.insert_all(hashes);
    }

    /// The position of a hash in the list that was indexed.
    #[inline]
    pub(crate) fn find(&self, hashes: &[u64], hash: u64) -> Option<usize> {
        match self.positions[self.slot(hashes, hash)] {
            VACANT => None,
            position => Some(position as usize),
        }
    }

    /// Appends those hashes of a block to the list that are not in it, each once, in their order, and indexes them.
    pub(crate) fn append_distinct(&mut self, hashes: &mut Vec<u64>, block: &[u64]) {
        let mut len = hashes.len();
        // Room for all of the block first, so that the loop need not look.
        self.reserve(hashes, len + block.len());
        hashes.resize(len + block.len(), 0);
        let positions = self.positions.as_mut_slice();
        let mask = positions.len() - 1;
        for (at, &hash) in block.iter().enumerate() {
            if let Some(&soon) = block.get(at + AHEAD) {
                prefetch(positions, first_slot(soon, self.shift));
            }
            let mut slot = first_slot(hash, self.shift);
            // No processor can foresee whether a hash is new, so that takes no branch: a vacant slot counts as holding it.
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

    /// Makes room for `len` hashes, of which `hashes` are in already.
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

    /// Forgets all hashes and keeps the memory; slots are marked vacant again when room is reserved, as many as needed.
    pub(crate) fn clear(&mut self) {
        self.positions.clear();
    }

    /// Bytes of the index, without the hashes.
    pub(crate) fn num_bytes(&self) -> usize {
        4 * self.positions.capacity()
    }

    /// The slot that `hash` is in, or would be put into.
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

    /// Indexes distinct hashes, none of which is in.
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

/// Where probing for a hash begins. Hashes given by a caller may differ in any bits, so they are spread (Knuth, 6.4).
#[inline(always)]
pub(super) fn first_slot(hash: u64, shift: u32) -> usize {
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
            // Equal top bits, multiples of a power of two, and repeats all crowd an index.
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
        // Room for the distinct hashes and one block, doubled at most.
        assert!(list.len() == 1000 && list.capacity() <= 1 << 13 && index.num_bytes() <= 4 << 15);
    }
}
