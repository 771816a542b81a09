//! Shingle sets: the distinct hashes of a document, found with an open-addressing table and kept in text order.
//!
//! Sets are not sorted. In the order of their first occurrence, near-duplicates share long runs of hashes, which
//! verification compares as such; and a table costs a third of a sort.

use super::hashes::ShingleHashes;
use crate::flat::distinct::DistinctHashes;
use crate::flat::hash_index::HashIndex;

/// Hashes from which on a document's buffers serve no other one.
const HUGE: usize = 1 << 17;

/// The set of a document's shingle hashes: each once, in the order of first occurrence; 8 bytes each.
///
/// Exact up to collisions of 64-bit hashes: about n² / 2⁶⁵ for n distinct shingles.
#[derive(Debug, Clone, Default)]
pub struct ShingleSet {
    hashes: Box<[u64]>,
}

impl ShingleSet {
    /// The set of all hashes that `shingles` yields.
    pub fn new(mut shingles: impl ShingleHashes) -> Self {
        let mut builder = ShingleSetBuilder::default();
        shingles.for_each_block(&mut |block| builder.extend(block));
        builder.take()
    }

    /// The hashes, each once.
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// The number of distinct shingles.
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Whether the document has no shingle at all.
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }
}

impl ShingleHashes for &ShingleSet {
    fn for_each_block(&mut self, visit: &mut dyn FnMut(&[u64])) {
        self.hashes().for_each_block(visit);
    }
}

/// Gathers hashes into a [`ShingleSet`]; keeps its buffers from one set to the next.
#[derive(Debug, Clone, Default)]
pub(crate) struct ShingleSetBuilder {
    hashes: Vec<u64>,
    distinct: DistinctHashes,
}

impl ShingleSetBuilder {
    /// Makes room in the table for about `num_hashes` hashes, so that it need not grow step by step.
    pub(crate) fn expect(&mut self, num_hashes: usize) {
        // The bound on the memory that is wasted when there are fewer: a long text may be one sentence again and again.
        const MOST: usize = 1 << 18;
        self.distinct.reserve(&self.hashes, num_hashes.min(MOST));
    }

    pub(crate) fn extend(&mut self, block: &[u64]) {
        self.distinct.append(&mut self.hashes, block);
    }

    /// As [`extend`](Self::extend); appends the weights of those hashes that are new, in their order.
    ///
    /// * `of_block`: the weight of each hash of the block, the same wherever the hash occurs.
    pub(crate) fn extend_weighted(&mut self, block: &[u64], of_block: &[u32], weights: &mut Vec<u32>) {
        let start = self.hashes.len();
        self.extend(block);
        // The new ones are the block's own, in its order.
        let mut rest = block.iter().zip(of_block);
        let weight = |hash: &u64| rest.find(|&(other, _)| other == hash).map(|(_, &weight)| weight);
        weights.extend(self.hashes[start..].iter().map(weight).map(|weight| weight.expect("it is of the block")));
    }

    /// The number of distinct hashes gathered so far.
    pub(crate) fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Returns the set gathered so far and clears the builder.
    pub(crate) fn take(&mut self) -> ShingleSet {
        // The buffers of a huge document become the set's own. Those of a usual one are copied from, and reused.
        if self.hashes.len() > HUGE {
            return ShingleSet { hashes: std::mem::take(self).hashes.into() };
        }
        let set = ShingleSet { hashes: self.hashes.as_slice().into() };
        self.clear();
        set
    }

    /// Forgets what was gathered, and frees the buffers of a huge document.
    pub(crate) fn clear(&mut self) {
        if self.hashes.len() > HUGE {
            *self = Self::default();
        }
        self.hashes.clear();
        self.distinct.clear();
    }
}

/// Numbers the hashes of many sets, in the order in which they first occur.
#[derive(Debug, Clone, Default)]
pub(crate) struct ShingleNumbers {
    hashes: Vec<u64>,
    index: HashIndex,
}

impl ShingleNumbers {
    /// Numbers those of some hashes that have no number yet, and passes on the numbers of all.
    pub(crate) fn number<'n>(&'n mut self, hashes: &'n [u64]) -> impl Iterator<Item = u32> + 'n {
        self.index.append_distinct(&mut self.hashes, hashes);
        hashes.iter().map(|&hash| self.index.find(&self.hashes, hash).expect("just put in") as u32)
    }

    /// How many hashes have a number.
    pub(crate) fn len(&self) -> usize {
        self.hashes.len()
    }

    /// The hashes, by number, and where each stands among them.
    pub(crate) fn into_index(mut self) -> (Vec<u64>, HashIndex) {
        // Even of no hashes, an index has slots to look at.
        self.index.reserve(&self.hashes, 0);
        (self.hashes, self.index)
    }

    /// Bytes of the hashes and their index.
    pub(crate) fn num_bytes(&self) -> usize {
        8 * self.hashes.capacity() + self.index.num_bytes()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_set_holds_each_hash_once_in_text_order(
            // Equal top bits, multiples of a power of two, and repeats all crowd an index.
            hashes in prop::collection::vec(prop_oneof![0u64..50, (0u64..3000).prop_map(|h| h << 40), any::<u64>()], 0..3000),
            cut in 0usize..3000,
            expected in 0usize..4000,
        ) {
            let mut builder = ShingleSetBuilder::default();
            builder.extend(&[1, 2, 3]);
            builder.take();
            builder.expect(expected);
            let (first, second) = hashes.split_at(cut.min(hashes.len()));
            builder.extend(first);
            builder.extend(second);
            let set = builder.take();
            let mut seen = HashSet::new();
            let expected: Vec<u64> = hashes.iter().copied().filter(|&hash| seen.insert(hash)).collect();
            prop_assert_eq!(set.hashes(), &expected);
        }
    }
}
