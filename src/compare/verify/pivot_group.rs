//! Pivot groups: sets that are similar to one set, the pivot, each stored as its difference from the pivot.
//!
//! A member is stored as a row of bits and a list of extras. The row has a bit for each hash of the pivot, set if the
//! member contains it. The extras are the member's other hashes, each replaced by a number. Two members share the bits
//! and the extras that both have:
//!
//! ```text
//! |A ∩ B| = |A ∩ B ∩ P| + |(A ∖ P) ∩ (B ∖ P)|
//! ```
//!
//! Finding the difference of one set costs as much as verifying one pair. After that, a pair of members costs a 64th of
//! the memory traffic of their hashes. Extras are counted for one member against all others at once, from the list of
//! members that contain each extra: one addition for each extra that a pair shares, which are few. The count is exact,
//! as in [`Verifier`].

use std::ops::Range;

use super::Threshold;
use super::kernel::overlap::overlap;
use super::verifier::{Shared, VerifiableSet, Verifier};
use crate::base::flat::bit_set::BitSet;
use crate::base::flat::ragged::Ragged;
use crate::text::shingle::ShingleNumbers;

/// The difference of a set from a pivot.
#[derive(Debug)]
pub(crate) struct Difference {
    /// The positions of the pivot's hashes that the set contains.
    in_pivot: BitSet,
    extras: Vec<u64>,
    len: usize,
}

impl Difference {
    /// Computes the difference of `set` from the document of `verifier`.
    pub(crate) fn new(verifier: &mut Verifier<'_>, set: &VerifiableSet) -> Self {
        let in_pivot = BitSet::new(verifier.num_hashes());
        let mut difference = Self { in_pivot, extras: Vec::new(), len: set.set().len() };
        let all = verifier.compare(set, u64::MAX, &mut difference);
        debug_assert!(all.is_some(), "nothing is too much");
        difference
    }

    /// Maximum bytes of the difference of a set with `len` hashes from a pivot with `pivot_len` hashes.
    pub(crate) fn most_bytes(len: usize, pivot_len: usize) -> u64 {
        // The bytes of a vector that doubles, and of the bits.
        (16 * len + 8 * pivot_len.div_ceil(64) + size_of::<Self>()) as u64
    }

    /// Maximum bytes by which a group grows when the set joins it.
    pub(crate) fn most_bytes_in_group(&self) -> u64 {
        let bits = 2 * self.in_pivot.num_bytes();
        (bits + PivotGroup::EXTRA_BYTES * self.extras.len() + PivotGroup::MEMBER_BYTES) as u64
    }
}

impl Shared for Difference {
    fn range(&mut self, range: Range<usize>) {
        self.in_pivot.insert_range(range);
    }

    fn missing(&mut self, hash: u64, _: usize) -> u64 {
        self.extras.push(hash);
        1
    }
}

/// Sets that are similar to a pivot.
#[derive(Debug, Default)]
pub(crate) struct PivotGroup {
    /// Words of one member's bits.
    num_words: usize,
    /// The bits of all members, one after another.
    bits: Vec<u64>,
    /// Number of hashes of each member.
    lens: Vec<u32>,
    /// The numbers of each member's extras.
    extras: Ragged<u32>,
    /// Assigns a number to each distinct extra.
    numbers: ShingleNumbers,
    /// The members that contain each extra, ascending.
    holders: Ragged<u32>,
}

impl PivotGroup {
    /// Bytes of an extra: its hash, its entry in an index that is at least an eighth full, its number, its holder, and
    /// the end of the holders; most of them in vectors that double.
    const EXTRA_BYTES: usize = 2 * 8 + 8 * 4 + 2 * 3 * 4;
    /// Bytes of a member: its size and the end of its extras, in vectors that double.
    const MEMBER_BYTES: usize = 2 * 2 * 4;

    /// Adds sets to the group and numbers their extras. The new members have numbers from the previous
    /// [`len`](Self::len).
    ///
    /// # Panics
    /// When the members have 2³² extras or more.
    pub(crate) fn extend(&mut self, differences: &[Difference]) {
        for Difference { in_pivot, extras, len } in differences {
            let bits = in_pivot.words();
            assert!(self.lens.is_empty() || bits.len() == self.num_words, "one pivot for all");
            self.num_words = bits.len();
            self.bits.extend_from_slice(bits);
            self.lens.push(u32::try_from(*len).expect("fewer than 2^32 shingles"));
            self.extras.open_row().extend(self.numbers.number(extras));
            self.extras.end_row();
        }
    }

    /// Rebuilds the list of holders of each extra after members were added; no pair of a group can be verified before
    /// that.
    pub(crate) fn settle(&mut self) {
        if !self.is_settled() {
            self.holders.invert(&self.extras, self.numbers.len());
        }
    }

    fn is_settled(&self) -> bool {
        self.holders.items().len() == self.extras.items().len()
    }

    /// Number of members.
    pub(crate) fn len(&self) -> usize {
        self.lens.len()
    }

    pub(crate) fn num_bytes(&self) -> usize {
        let lists = self.extras.num_bytes() + self.holders.num_bytes();
        8 * self.bits.capacity() + 4 * self.lens.capacity() + lists + self.numbers.num_bytes()
    }

    fn bits(&self, member: usize) -> &[u64] {
        &self.bits[member * self.num_words..][..self.num_words]
    }
}

/// Verifies members of a group against one member.
pub(crate) struct PivotGroupVerifier<'g> {
    group: &'g PivotGroup,
    bits: &'g [u64],
    len: u64,
    /// For each member of a range, the number of extras that it shares with this one; `first` is the first member of
    /// the range.
    shared_extras: Vec<u32>,
    first: usize,
}

impl<'g> PivotGroupVerifier<'g> {
    /// Creates a verifier of `member` against the members in the range `others`.
    ///
    /// * `memory`: the result of [`take_memory`](Self::take_memory) of another verifier, or an empty vector.
    pub(crate) fn new(group: &'g PivotGroup, member: usize, others: Range<usize>, memory: Vec<u32>) -> Self {
        assert!(group.is_settled(), "a group is settled before pairs are verified");
        let mut shared_extras = memory;
        shared_extras.clear();
        shared_extras.resize(others.len(), 0);
        for &number in group.extras.row(member) {
            let holders = group.holders.row(number as usize);
            let holders = &holders[holders.partition_point(|&holder| (holder as usize) < others.start)..];
            for &holder in holders {
                let Some(count) = shared_extras.get_mut(holder as usize - others.start) else { break };
                *count += 1;
            }
        }
        let len = group.lens[member].into();
        Self { group, bits: group.bits(member), len, shared_extras, first: others.start }
    }

    /// Returns the number of shared shingles if the pair reaches the threshold, otherwise `None`.
    ///
    /// # Panics
    /// When `other` is not in the range.
    #[inline]
    pub(crate) fn verify(&self, other: usize, threshold: Threshold) -> Option<usize> {
        let least = threshold.least_shared(self.len, self.group.lens[other].into()) as usize;
        let shared = self.shared_extras[other - self.first] as usize + overlap(self.bits, self.group.bits(other));
        (shared >= least).then_some(shared)
    }

    /// Returns the memory, for another verifier; this one can verify no further pair.
    pub(crate) fn take_memory(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.shared_extras)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;
    use crate::text::shingle::ShingleSet;

    /// Hashes distributed like real ones, so that chunks of all lengths occur.
    fn verifiable(items: &[u64]) -> VerifiableSet {
        let hashes: Vec<u64> = items.iter().map(|item| xxhash_rust::xxh3::xxh3_64(&item.to_le_bytes())).collect();
        VerifiableSet::new(ShingleSet::new(hashes.as_slice()))
    }

    fn edited(base: &[u64], edits: &[(usize, usize, u64)]) -> Vec<u64> {
        let mut items = base.to_vec();
        for &(at, len, put) in edits {
            let at = at.min(items.len());
            let cut: Vec<u64> = items.drain(at..(at + len).min(items.len())).collect();
            items.insert(at, put);
            if put % 2 == 0 {
                items.extend(cut);
            }
        }
        items
    }

    proptest! {
        #[test]
        fn pairs_of_a_pivot_group_are_counted_like_hash_sets(
            length in 0usize..500,
            edits in prop::collection::vec(
                prop::collection::vec((0usize..500, 0usize..60, 0u64..700), 0..6), 1..12),
            batch in 1usize..5,
            from in 0usize..12,
            percent in 0u32..=100,
        ) {
            let base: Vec<u64> = (0..length as u64).collect();
            let texts: Vec<Vec<u64>> = edits.iter().map(|edits| edited(&base, edits)).collect();
            let sets: Vec<VerifiableSet> = texts.iter().map(|text| verifiable(text)).collect();
            // The pivot is one of the members, and members are added in batches.
            let (pivot, mut group) = (verifiable(&texts[0]), PivotGroup::default());
            let mut verifier = Verifier::new(&pivot);
            for sets in sets.chunks(batch) {
                let differences: Vec<Difference> =
                    sets.iter().map(|set| Difference::new(&mut verifier, set)).collect();
                group.extend(&differences);
                group.settle();
            }
            let from = from.min(texts.len());
            let threshold = Threshold::new(f64::from(percent) / 100.0).unwrap();
            let mut memory = Vec::new();
            for (one, a) in texts.iter().enumerate() {
                let mut verifier = PivotGroupVerifier::new(&group, one, from..texts.len(), memory);
                for (other, b) in texts.iter().enumerate().skip(from) {
                    let (a, b): (HashSet<u64>, HashSet<u64>) = (a.iter().copied().collect(), b.iter().copied().collect());
                    let (shared, union) = (a.intersection(&b).count(), a.union(&b).count());
                    let expected = threshold.is_met(shared as u64, union as u64).then_some(shared);
                    prop_assert_eq!(verifier.verify(other, threshold), expected);
                }
                memory = verifier.take_memory();
            }
        }
    }
}
