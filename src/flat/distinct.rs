//! `DistinctHashes`: which hashes are in a list already.
//!
//! An open-addressing table of the hashes themselves: one look at one place for most hashes, where an index of positions
//! takes two. Linear probing, at most five eighths full, 8 bytes a slot.

use super::hash_index::first_slot;
use super::prefetch::{AHEAD, prefetch};

/// Marks a slot that is not taken; the hash of this value has a flag of its own.
const VACANT: u64 = 0;

/// The hashes of a list that its owner keeps.
#[derive(Debug, Clone, Default)]
pub(crate) struct DistinctHashes {
    /// A power of two of slots, or none.
    slots: Vec<u64>,
    has_vacant: bool,
}

impl DistinctHashes {
    const LEAST_SLOTS: usize = 1 << 6;

    /// Appends those hashes of a block to the list that are not in it, each once, in their order.
    ///
    /// * `list`: the hashes that were appended since the last [`clear`](Self::clear).
    pub(crate) fn append(&mut self, list: &mut Vec<u64>, block: &[u64]) {
        if block.is_empty() {
            return;
        }
        let mut len = list.len();
        // Room for all of the block first, so that the loop need not look.
        self.reserve(list, len + block.len());
        list.resize(len + block.len(), 0);
        let slots = self.slots.as_mut_slice();
        let (shift, mask) = (shift(slots.len()), slots.len() - 1);
        for (at, &hash) in block.iter().enumerate() {
            if let Some(&soon) = block.get(at + AHEAD) {
                prefetch(slots, first_slot(soon, shift));
            }
            let mut slot = first_slot(hash, shift);
            // No processor can foresee whether a hash is new, so that takes no branch.
            let mut is_new = loop {
                let there = slots[slot];
                if (there == hash) | (there == VACANT) {
                    break there == VACANT;
                }
                slot = (slot + 1) & mask;
            };
            if hash == VACANT {
                is_new = !std::mem::replace(&mut self.has_vacant, true);
            }
            slots[slot] = hash;
            list[len] = hash;
            len += usize::from(is_new);
        }
        list.truncate(len);
    }

    /// Makes room for `len` hashes, of which `list` are in already.
    pub(crate) fn reserve(&mut self, list: &[u64], len: usize) {
        if len > most_hashes(self.slots.len()) {
            let num_slots = (len / 5 * 8 + 8).next_power_of_two().max(Self::LEAST_SLOTS);
            self.slots.clear();
            self.slots.resize(num_slots, VACANT);
            for &hash in list {
                let mut slot = first_slot(hash, shift(num_slots));
                while self.slots[slot] != VACANT {
                    slot = (slot + 1) & (num_slots - 1);
                }
                self.slots[slot] = hash;
            }
        }
    }

    /// Forgets all hashes and keeps the memory; slots are marked vacant again when room is reserved, as many as needed.
    pub(crate) fn clear(&mut self) {
        self.slots.clear();
        self.has_vacant = false;
    }
}

/// Most hashes in a table of so many slots.
fn most_hashes(num_slots: usize) -> usize {
    num_slots / 8 * 5
}

fn shift(num_slots: usize) -> u32 {
    64 - num_slots.ilog2()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_list_has_each_hash_once_in_its_order(
            // Equal top bits, multiples of a power of two, repeats and the mark of vacant slots.
            hashes in prop::collection::vec(prop_oneof![0u64..50, (0u64..3000).prop_map(|h| h << 40), any::<u64>()], 0..3000),
            cut in 0usize..3000,
            reserved in 0usize..4000,
        ) {
            let (mut distinct, mut list) = (DistinctHashes::default(), Vec::new());
            distinct.append(&mut list, &[]);
            distinct.append(&mut list, &[0, 5, 0]);
            distinct.clear();
            list.clear();
            distinct.reserve(&list, reserved);
            let (first, second) = hashes.split_at(cut.min(hashes.len()));
            distinct.append(&mut list, first);
            distinct.append(&mut list, second);
            let mut seen = HashSet::new();
            let expected: Vec<u64> = hashes.iter().copied().filter(|&hash| seen.insert(hash)).collect();
            prop_assert_eq!(list, expected);
        }
    }

    #[test]
    fn repeats_cost_no_memory() {
        let (mut distinct, mut list) = (DistinctHashes::default(), Vec::new());
        let block: Vec<u64> = (0..4096).map(|i| i % 1000).collect();
        for _ in 0..1000 {
            distinct.append(&mut list, &block);
        }
        // Room for the distinct hashes and one block, doubled at most.
        assert!(list.len() == 1000 && list.capacity() <= 1 << 13 && distinct.slots.capacity() <= 1 << 14);
    }
}
