//! `Removal`: the shingles to remove, and `Remaining`: the shingles of a document without them.

use crate::base::flat::bit_set::BitSet;
use crate::base::flat::hash_index::HashIndex;
use crate::text::shingle::{BLOCK_LEN, ShingleHashes, ShingleSet, ShingleSetBuilder};

/// The shingles to remove. Each needs 8 to 16 bytes for its hash, 16 to 32 for its index, 4 to 8 for the filter.
#[derive(Debug)]
pub(crate) struct Removal {
    shingles: ShingleSet,
    index: HashIndex,
    /// A bit for the highest bits of each shingle's hash; most bits are clear. The filter detects nearly all remaining
    /// shingles without the index, and stays in the processor's cache.
    filter: BitSet,
    filter_shift: u32,
}

/// Bits of the filter per shingle.
const FILTER_BITS: usize = 32;
/// Number of shingles that are looked up in the filter together.
const AT_A_TIME: usize = 8;

impl Removal {
    pub(crate) fn new(shingles: ShingleSet) -> Self {
        let mut index = HashIndex::default();
        index.rebuild(shingles.hashes());
        let num_bits = (shingles.len() * FILTER_BITS).next_power_of_two().max(64);
        let filter_shift = 64 - num_bits.ilog2();
        let mut filter = BitSet::new(num_bits);
        shingles.hashes().iter().for_each(|hash| filter.insert((hash >> filter_shift) as usize));
        Self { shingles, index, filter, filter_shift }
    }

    /// Creates a removal that also removes the shingles `more`.
    pub(crate) fn with_shingles(self, more: &[u64]) -> Self {
        let mut all = ShingleSetBuilder::default();
        all.extend(self.shingles.hashes());
        more.chunks(BLOCK_LEN).for_each(|block| all.extend(block));
        Self::new(all.take())
    }

    /// Hashes of the shingles to remove.
    pub(crate) fn hashes(&self) -> &[u64] {
        self.shingles.hashes()
    }

    /// Number of distinct shingles to remove.
    pub(crate) fn len(&self) -> usize {
        self.shingles.len()
    }

    /// Bytes of the hashes, their index and the filter.
    pub(crate) fn num_bytes(&self) -> usize {
        size_of_val(self.shingles.hashes()) + self.index.num_bytes() + self.filter.num_bytes()
    }

    pub(crate) fn contains(&self, hash: u64) -> bool {
        self.may_contain(hash) && self.index.find(self.shingles.hashes(), hash).is_some()
    }

    #[inline(always)]
    fn may_contain(&self, hash: u64) -> bool {
        self.filter.contains((hash >> self.filter_shift) as usize)
    }
}

/// The shingles of a document without those of a `Removal`; counts the removed ones.
pub(crate) struct Remaining<'r, S> {
    shingles: S,
    removal: Option<&'r Removal>,
    remaining: &'r mut Vec<u64>,
    /// Number of shingles that the last pass removed, including repeats.
    pub(crate) num_removed: usize,
}

impl<'r, S: ShingleHashes> Remaining<'r, S> {
    /// Creates the remaining shingles of a document.
    ///
    /// * `removal`: `None` removes nothing, and costs nothing.
    /// * `buffer`: scratch memory.
    pub(crate) fn new(shingles: S, removal: Option<&'r Removal>, buffer: &'r mut Vec<u64>) -> Self {
        Self { shingles, removal, remaining: buffer, num_removed: 0 }
    }

    /// Same as [`for_each_block`](ShingleHashes::for_each_block), and passes the removed hashes to `removed`.
    pub(crate) fn for_each_block_and(&mut self, removed: &mut dyn FnMut(u64), visit: &mut dyn FnMut(&[u64])) {
        let Self { shingles, removal, remaining, num_removed } = self;
        *num_removed = 0;
        shingles.for_each_block(&mut |block| {
            let Some(removal) = removal else {
                return visit(block);
            };
            remaining.clear();
            for some in block.chunks(AT_A_TIME) {
                // Most shingles remain, so a group without a removed one needs only one branch.
                if !some.iter().fold(false, |any, &hash| any | removal.may_contain(hash)) {
                    remaining.extend_from_slice(some);
                    continue;
                }
                for &hash in some {
                    if removal.contains(hash) { removed(hash) } else { remaining.push(hash) }
                }
            }
            *num_removed += block.len() - remaining.len();
            if !remaining.is_empty() {
                visit(remaining);
            }
        });
    }
}

impl<S: ShingleHashes> ShingleHashes for Remaining<'_, S> {
    fn for_each_block(&mut self, visit: &mut dyn FnMut(&[u64])) {
        self.for_each_block_and(&mut |_| {}, visit);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn remaining_and_removed_shingles_equal_the_naive_twin(
            hashes in prop::collection::vec(0u64..60, 0..200),
            template in prop::collection::hash_set(0u64..60, 0..40),
            is_used in any::<bool>(),
        ) {
            let list: Vec<u64> = template.iter().copied().collect();
            let removal = Removal::new(ShingleSet::new(list.as_slice()));
            prop_assert_eq!(removal.len(), template.len());
            let template = if is_used { template } else { HashSet::new() };
            let (mut remaining, mut removed, mut buffer) = (Vec::new(), Vec::new(), Vec::new());
            let mut stream = Remaining::new(hashes.as_slice(), is_used.then_some(&removal), &mut buffer);
            for _ in 0..2 {
                (remaining, removed) = (Vec::new(), Vec::new());
                stream.for_each_block_and(&mut |hash| removed.push(hash), &mut |block| {
                    assert!(!block.is_empty());
                    remaining.extend_from_slice(block);
                });
            }
            prop_assert_eq!(stream.num_removed, removed.len());
            let (in_template, others): (Vec<u64>, Vec<u64>) = hashes.iter().partition(|hash| template.contains(hash));
            prop_assert_eq!((remaining, removed), (others, in_template));
        }
    }
}
