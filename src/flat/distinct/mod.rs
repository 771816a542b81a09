//! `DistinctHashes`: which hashes are in a list already.
//!
//! An open-addressing table of the hashes themselves: one look at one place for most hashes, where an index of positions
//! takes two. Buckets of four slots (of the table, and not of documents), linear probing by bucket, at most five eighths full,
//! 8 bytes a slot.

mod kernel;

use super::hash_index::first_slot;

/// Marks a slot that is not taken; the hash of this value has a flag of its own.
const VACANT: u64 = 0;
/// Hashes that are put into a larger table at a time: 8 KiB, which stay in the nearest cache.
const BLOCK: usize = 1 << 10;
/// Slots of a bucket.
const SLOTS: usize = 4;

/// Slots that are looked at together. Those that are taken come before those that are vacant.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(32))]
struct Bucket([u64; SLOTS]);

/// The hashes of a list that its owner keeps.
#[derive(Debug, Clone, Default)]
pub(crate) struct DistinctHashes {
    /// A power of two of buckets, or none.
    buckets: Vec<Bucket>,
    has_vacant: bool,
}

impl DistinctHashes {
    const LEAST_BUCKETS: usize = 1 << 4;

    /// Appends those hashes of a block to the list that are not in it, each once, in their order.
    ///
    /// * `list`: the hashes that were appended since the last [`clear`](Self::clear).
    pub(crate) fn append(&mut self, list: &mut Vec<u64>, block: &[u64]) {
        let vacant = if self.has_vacant { None } else { block.iter().position(|&hash| hash == VACANT) };
        let (before, rest) = block.split_at(vacant.unwrap_or(block.len()));
        self.append_others(list, before);
        if vacant.is_some() {
            self.has_vacant = true;
            list.push(VACANT);
            self.append_others(list, rest);
        }
    }

    /// As [`append`](Self::append), but for [`VACANT`].
    fn append_others(&mut self, list: &mut Vec<u64>, block: &[u64]) {
        if block.is_empty() {
            return;
        }
        let len = list.len();
        // Room for all of the block first, so that the loop need not look.
        self.reserve(list, len + block.len());
        list.resize(len + block.len(), 0);
        let len = kernel::best()(&mut self.buckets, list, len, block);
        list.truncate(len);
    }

    /// Makes room for `len` hashes, of which `list` are in already.
    pub(crate) fn reserve(&mut self, list: &[u64], len: usize) {
        if len > most_hashes(self.buckets.len()) {
            let num_buckets = (len / 5 * 8 + 8).next_power_of_two() / SLOTS;
            self.buckets.clear();
            self.buckets.resize(num_buckets.max(Self::LEAST_BUCKETS), Bucket::default());
            let mut again = [0; BLOCK];
            for block in list.chunks(BLOCK) {
                kernel::best()(&mut self.buckets, &mut again, 0, block);
            }
        }
    }

    /// Forgets all hashes and keeps the memory; slots are marked vacant again when room is reserved, as many as needed.
    pub(crate) fn clear(&mut self) {
        self.buckets.clear();
        self.has_vacant = false;
    }
}

/// Most hashes in a table of so many buckets.
fn most_hashes(num_buckets: usize) -> usize {
    num_buckets * SLOTS / 8 * 5
}

/// Where a hash is looked for first among a power of two of buckets.
#[inline]
fn first_bucket(hash: u64, num_buckets: usize) -> usize {
    first_slot(hash, 64 - num_buckets.ilog2())
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
        assert!(
            list.len() == 1000
                && list.capacity() <= 2 * (1000 + 4096)
                && SLOTS * distinct.buckets.capacity() <= 1 << 14
        );
    }
}
