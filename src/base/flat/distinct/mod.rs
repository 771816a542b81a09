//! `DistinctHashes`: appends new hashes to a list and ignores repeated ones.
//!
//! An open-addressing table that contains the hashes themselves: one memory access for most hashes, where an index of
//! positions needs two. It has buckets of four slots (table buckets, unrelated to buckets of documents) and probes
//! linearly by bucket. At most five eighths of the slots are full; a slot is 8 bytes.

mod kernel;

use super::hash_index::first_slot;

/// Marks a vacant slot; a separate flag records whether the list contains this value.
const VACANT: u64 = 0;
/// The number of hashes that are moved to a larger table at a time: 8 KiB, which fit in the first-level cache.
const BLOCK: usize = 1 << 10;
/// The number of slots of a bucket.
const SLOTS: usize = 4;

/// A bucket: slots that are compared together. Its occupied slots come before its vacant ones.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(32))]
struct Bucket([u64; SLOTS]);

/// The set of the hashes in a list that the caller keeps.
#[derive(Debug, Clone, Default)]
pub(crate) struct DistinctHashes {
    /// The table: empty, or a power of two of buckets.
    buckets: Vec<Bucket>,
    has_vacant: bool,
}

impl DistinctHashes {
    const LEAST_BUCKETS: usize = 1 << 4;

    /// Appends the hashes of `block` that `list` does not contain, each once, in their order.
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

    /// Does the work of [`append`](Self::append) for blocks without [`VACANT`].
    fn append_others(&mut self, list: &mut Vec<u64>, block: &[u64]) {
        if block.is_empty() {
            return;
        }
        let len = list.len();
        // The table grows for the whole block first, so that the loop need not check.
        self.reserve(list, len + block.len());
        list.resize(len + block.len(), 0);
        let len = kernel::best()(&mut self.buckets, list, len, block);
        list.truncate(len);
    }

    /// Makes room for `len` hashes in total; `list` is the hashes that the table contains already.
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

    /// Removes all hashes and keeps the memory; [`reserve`](Self::reserve) marks as many slots vacant as it needs.
    pub(crate) fn clear(&mut self) {
        self.buckets.clear();
        self.has_vacant = false;
    }
}

/// The maximum number of hashes in a table of `num_buckets` buckets.
fn most_hashes(num_buckets: usize) -> usize {
    num_buckets * SLOTS / 8 * 5
}

/// The bucket at which probing for a hash begins; `num_buckets` is a power of two.
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
            // Equal top bits, multiples of a power of two, repeats, and the mark of vacant slots.
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
        // The list has room for the distinct hashes and one block, at most doubled.
        assert!(
            list.len() == 1000
                && list.capacity() <= 2 * (1000 + 4096)
                && SLOTS * distinct.buckets.capacity() <= 1 << 14
        );
    }
}
