//! Shingle sets: the distinct hashes of a document, found with an open-addressing index and kept in text order.
//!
//! Sets are not sorted. In the order of their first occurrence, near-duplicates share long runs of hashes, which
//! verification compares as such; and an index costs a third of a sort.

use super::hashes::ShingleHashes;

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
    index: ShingleIndex,
}

impl ShingleSetBuilder {
    /// Makes room for a set of about so many hashes, which is then not made step by step.
    pub(crate) fn expect(&mut self, num_hashes: usize) {
        // Should they be fewer, no more room is wasted than this.
        const MOST: usize = 1 << 18;
        self.index.reserve(&self.hashes, num_hashes.min(MOST));
    }

    pub(crate) fn extend(&mut self, block: &[u64]) {
        let mut len = self.hashes.len();
        // Room for all of the block first, so that the loop need not look.
        self.index.reserve(&self.hashes, len + block.len());
        self.hashes.resize(len + block.len(), 0);
        let positions = self.index.positions.as_mut_slice();
        let mask = positions.len() - 1;
        for &hash in block {
            let mut slot = first_slot(hash, self.index.shift);
            // Whether a hash is new no processor can foresee, so that takes no branch: a vacant slot counts as holding it.
            let (position, is_new) = loop {
                let position = positions[slot];
                let is_vacant = position == VACANT;
                let there = self.hashes[if is_vacant { 0 } else { position as usize }];
                if (if is_vacant { hash } else { there }) == hash {
                    break (position, is_vacant);
                }
                slot = (slot + 1) & mask;
            };
            positions[slot] = if is_new { len as u32 } else { position };
            self.hashes[len] = hash;
            len += usize::from(is_new);
        }
        self.hashes.truncate(len);
    }

    /// The number of distinct hashes gathered so far.
    pub(crate) fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Where a hash stands among those gathered so far, in the order of their first occurrence.
    #[inline]
    pub(crate) fn position(&self, hash: u64) -> Option<usize> {
        if self.hashes.is_empty() { None } else { self.index.find(&self.hashes, hash) }
    }

    /// Bytes of the buffers.
    pub(crate) fn num_bytes(&self) -> usize {
        8 * self.hashes.capacity() + self.index.num_bytes()
    }

    /// The set gathered so far; the builder starts anew.
    pub(crate) fn take(&mut self) -> ShingleSet {
        // The buffers of a huge document are given away, those of a common one are used again.
        if self.hashes.len() > 1 << 17 {
            return ShingleSet { hashes: std::mem::take(self).hashes.into() };
        }
        let set = ShingleSet { hashes: self.hashes.as_slice().into() };
        self.hashes.clear();
        self.index.clear();
        set
    }
}

/// Marks a slot that is not taken.
const VACANT: u32 = u32::MAX;

/// Where each hash stands in a list of distinct hashes: linear probing, at most a quarter full, 4 bytes a slot.
#[derive(Debug, Clone, Default)]
pub(crate) struct ShingleIndex {
    /// A power of two of slots.
    positions: Vec<u32>,
    /// 64 − log₂ of their number.
    shift: u32,
}

impl ShingleIndex {
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

    /// Makes room for `len` hashes, of which `hashes` are in already.
    fn reserve(&mut self, hashes: &[u64], len: usize) {
        assert!(len < VACANT as usize, "fewer than 2^32 - 1 shingles in one set");
        let num_slots = (len * 4).next_power_of_two().max(Self::LEAST_SLOTS);
        if num_slots > self.positions.len() {
            self.positions.clear();
            self.positions.resize(num_slots, VACANT);
            self.shift = 64 - num_slots.ilog2();
            self.insert_all(hashes);
        }
    }

    fn insert_all(&mut self, hashes: &[u64]) {
        for (position, &hash) in (0..).zip(hashes) {
            let slot = self.slot(hashes, hash);
            self.positions[slot] = position;
        }
    }

    /// Bytes of the index, without the hashes.
    pub(crate) fn num_bytes(&self) -> usize {
        4 * self.positions.capacity()
    }

    /// Forgets all hashes and keeps the memory; slots are marked vacant again when room is reserved, as many as needed.
    fn clear(&mut self) {
        self.positions.clear();
    }
}

/// Where probing for a hash begins. Hashes given by a caller may differ in any bits, so they are spread (Knuth, 6.4).
#[inline(always)]
fn first_slot(hash: u64, shift: u32) -> usize {
    (hash.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> shift) as usize
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

            let mut index = ShingleIndex::default();
            index.rebuild(&[7, 8]);
            index.rebuild(set.hashes());
            for (position, &hash) in expected.iter().enumerate() {
                prop_assert_eq!(index.find(set.hashes(), hash), Some(position));
                prop_assert_eq!(index.find(set.hashes(), !hash).is_some(), seen.contains(&!hash));
            }
        }
    }

    #[test]
    fn repeats_cost_no_memory() {
        let mut builder = ShingleSetBuilder::default();
        let block: Vec<u64> = (0..4096).map(|i| i % 1000).collect();
        for _ in 0..1000 {
            builder.extend(&block);
        }
        // Room for the distinct hashes and one block, doubled at most.
        assert!(builder.hashes.capacity() <= 1 << 13 && builder.index.positions.len() <= 1 << 15);
        assert_eq!(builder.take().len(), 1000);
    }
}
