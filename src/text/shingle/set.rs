//! Shingle sets: the distinct shingle hashes of a document, collected with an open-addressing table and stored in text
//! order.
//!
//! Sets are not sorted. In the order of first occurrence, near-duplicates share long runs of hashes, which verification
//! compares as a whole. Also, the table needs a third of the time of sorting.

use super::hashes::ShingleHashes;
use crate::base::flat::distinct::DistinctHashes;
use crate::base::flat::hash_index::HashIndex;

/// Number of hashes from which on the buffers are not kept for the next document.
const HUGE: usize = 1 << 17;

/// The set of a document's shingle hashes: each hash once, in the order of first occurrence, 8 bytes each.
///
/// Exact up to collisions of 64-bit hashes: about n² / 2⁶⁵ for n distinct shingles.
#[derive(Debug, Clone, Default)]
pub struct ShingleSet {
    hashes: Box<[u64]>,
}

impl ShingleSet {
    /// Creates the set of all hashes that `shingles` yields.
    pub fn new(mut shingles: impl ShingleHashes) -> Self {
        let mut builder = ShingleSetBuilder::default();
        shingles.for_each_block(&mut |block| builder.extend(block));
        builder.take()
    }

    /// The distinct hashes, in the order of first occurrence.
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// Number of distinct shingles.
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Whether the document has no shingles.
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }
}

impl ShingleHashes for &ShingleSet {
    fn for_each_block(&mut self, visit: &mut dyn FnMut(&[u64])) {
        self.hashes().for_each_block(visit);
    }
}

/// Collects hashes into a [`ShingleSet`]; keeps its buffers from one set to the next.
#[derive(Debug, Clone, Default)]
pub(crate) struct ShingleSetBuilder {
    hashes: Vec<u64>,
    distinct: DistinctHashes,
}

impl ShingleSetBuilder {
    pub(crate) fn extend(&mut self, block: &[u64]) {
        self.distinct.append(&mut self.hashes, block);
    }

    /// Same as [`extend`](Self::extend); appends the weights of the new hashes, in their order.
    ///
    /// * `of_block`: the weight of each hash of the block; equal hashes have equal weights.
    pub(crate) fn extend_weighted(&mut self, block: &[u64], of_block: &[u32], weights: &mut Vec<u32>) {
        let start = self.hashes.len();
        self.extend(block);
        // The new hashes come from the block, in its order.
        let mut rest = block.iter().zip(of_block);
        let weight = |hash: &u64| rest.find(|&(other, _)| other == hash).map(|(_, &weight)| weight);
        weights.extend(self.hashes[start..].iter().map(weight).map(|weight| weight.expect("it is of the block")));
    }

    /// Number of distinct hashes collected so far.
    pub(crate) fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Returns the set collected so far and clears the builder.
    pub(crate) fn take(&mut self) -> ShingleSet {
        // The set of a huge document takes over the buffer. The hashes of other documents are copied, so that the
        // buffer is reused.
        if self.hashes.len() > HUGE {
            return ShingleSet { hashes: std::mem::take(self).hashes.into() };
        }
        let set = ShingleSet { hashes: self.hashes.as_slice().into() };
        self.clear();
        set
    }

    /// Clears the builder, and frees the buffers of a huge document.
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
    /// Numbers the hashes that have no number yet, and returns the numbers of all.
    pub(crate) fn number<'n>(&'n mut self, hashes: &'n [u64]) -> impl Iterator<Item = u32> + 'n {
        self.index.append_distinct(&mut self.hashes, hashes);
        hashes.iter().map(|&hash| self.index.find(&self.hashes, hash).expect("just put in") as u32)
    }

    /// Number of hashes that have a number.
    pub(crate) fn len(&self) -> usize {
        self.hashes.len()
    }

    /// The hashes by number, and the index from hashes to numbers.
    pub(crate) fn into_index(mut self) -> (Vec<u64>, HashIndex) {
        // An index needs slots even if it is empty.
        self.index.reserve(&self.hashes, 0);
        (self.hashes, self.index)
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
            // Equal top bits, multiples of a power of two, and repeats all cause collisions in an index.
            hashes in prop::collection::vec(prop_oneof![0u64..50, (0u64..3000).prop_map(|h| h << 40), any::<u64>()], 0..3000),
            cut in 0usize..3000,
        ) {
            let mut builder = ShingleSetBuilder::default();
            builder.extend(&[1, 2, 3]);
            builder.take();
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
