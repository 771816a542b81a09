//! `HashNumbers`: the number of each hash, in the order in which hashes were first added.
//!
//! The hashes of a set are added in the order of its text, and similar texts are the same over long runs. So the added
//! hashes are kept in their order, with their numbers, as a list of *positions*. A table finds the first position of a hash. Where a
//! hash is known, those that follow it are compared with those that follow its position: as long as they are equal they have
//! the numbers that are there, and none of them is looked up. Such a run of known hashes is added to the list again only if
//! it is short, so that the next text can be compared beyond it.
//!
//! ```text
//! text 1: a b c d e f         positions: a b c d e f | x        numbers: 0 1 2 3 4 5 | 6
//! text 2: a b c x e f         looked up: a (a run of 3), x (new), e (a run of 2)
//! ```
//!
//! The table is an open-addressing table of positions. It probes linearly and is at most a third full; a slot is 4 bytes.

use crate::base::flat::hash_index::first_slot;
use crate::base::flat::prefetch::{AHEAD, prefetch};

/// The position of a vacant slot.
const VACANT: u32 = u32::MAX;
/// The number of slots for each hash, at least.
const SLOTS: usize = 3;
/// A known run of at least this many hashes is not added to the list again. With 16 instead of 32, texts took 4 % longer; 64
/// made no difference.
const LONG_RUN: usize = 32;
/// A table of at least this many slots does not stay in the caches of a core, so its slots are prefetched.
const LARGE_TABLE: usize = 1 << 16;
/// There are at most half as many positions again as hashes, and this many more. With a quarter instead of a half, texts took up to
/// a fifth longer; as many again made no difference.
const MORE_POSITIONS: usize = 1 << 10;

/// Numbers hashes from 0 on.
#[derive(Debug, Clone, Default)]
pub(super) struct HashNumbers {
    /// The first position of each hash; none or a power of two.
    slots: Vec<u32>,
    /// 64 − log₂ of the number of slots.
    shift: u32,
    /// The hash at each position.
    hashes: Vec<u64>,
    /// The number of the hash at each position.
    numbers: Vec<u32>,
    /// The hash of each number.
    distinct: Vec<u64>,
}

/// Consecutive hashes that were added.
pub(super) struct AddedRun<'n> {
    /// The position of the first one among the hashes that were added.
    pub(super) at: usize,
    pub(super) numbers: &'n [u32],
    /// Whether all of them are new, and have consecutive numbers.
    pub(super) is_new: bool,
}

impl HashNumbers {
    const LEAST_SLOTS: usize = 1 << 6;

    /// Forgets all hashes and makes room for `expected`; keeps the memory.
    pub(super) fn clear(&mut self, expected: usize) {
        let Self { slots, shift: _, hashes, numbers, distinct } = self;
        slots.clear();
        hashes.clear();
        numbers.clear();
        distinct.clear();
        self.resize(num_slots(expected));
    }

    /// The number of hashes.
    pub(super) fn len(&self) -> usize {
        self.distinct.len()
    }

    /// The hash of each number.
    pub(super) fn distinct(&self) -> &[u64] {
        &self.distinct
    }

    /// Adds hashes, and passes their numbers on in runs, in their order; hashes that are not known get the next numbers.
    #[inline(always)]
    pub(super) fn add(&mut self, added: &[u64], mut pass: impl FnMut(AddedRun<'_>)) {
        let num_positions = self.hashes.len() + added.len();
        assert!(num_positions < VACANT as usize, "fewer than 2^32 - 1 hashes in one table");
        // The added hashes before `new` have been passed on; those from there up to `at` are new.
        let (mut new, mut at, mut prefetched) = (0, 0, 0);
        while at < added.len() {
            let hash = added[at];
            if self.slots.len() >= LARGE_TABLE {
                // The hashes of a run are not looked up, so prefetching begins after it.
                let soon = added.len().min(at + AHEAD);
                for &hash in &added[prefetched.max(at)..soon] {
                    prefetch(&self.slots, first_slot(hash, self.shift));
                }
                prefetched = soon;
            }
            match self.find(hash) {
                Err(slot) => {
                    self.push_new(hash, slot);
                    at += 1;
                }
                Ok(position) => {
                    self.pass_new(new, at, &mut pass);
                    let len = common_len(&added[at..], &self.hashes[position..]);
                    pass(AddedRun { at, numbers: &self.numbers[position..position + len], is_new: false });
                    if len < LONG_RUN && self.hashes.len() < most_positions(self.len()) {
                        self.hashes.extend_from_slice(&added[at..at + len]);
                        self.numbers.extend_from_within(position..position + len);
                    }
                    at += len;
                    new = at;
                }
            }
        }
        self.pass_new(new, at, &mut pass);
    }

    /// Passes the hashes from `start` to `end` on, which are at the last positions.
    #[inline(always)]
    fn pass_new(&self, start: usize, end: usize, pass: &mut impl FnMut(AddedRun<'_>)) {
        if end > start {
            let first = self.numbers.len() - (end - start);
            pass(AddedRun { at: start, numbers: &self.numbers[first..], is_new: true });
        }
    }

    /// The first position of a hash, or the slot for it.
    #[inline(always)]
    fn find(&self, hash: u64) -> Result<usize, usize> {
        let mask = self.slots.len() - 1;
        let mut slot = first_slot(hash, self.shift);
        loop {
            let position = self.slots[slot & mask];
            if position == VACANT {
                return Err(slot & mask);
            }
            if self.hashes[position as usize] == hash {
                return Ok(position as usize);
            }
            slot += 1;
        }
    }

    /// Adds a hash that is not known.
    ///
    /// * `slot`: the slot for it.
    #[inline(always)]
    fn push_new(&mut self, hash: u64, slot: usize) {
        let position = self.hashes.len() as u32;
        self.slots[slot] = position;
        self.numbers.push(self.distinct.len() as u32);
        self.hashes.push(hash);
        self.distinct.push(hash);
        if SLOTS * self.distinct.len() >= self.slots.len() {
            self.grow();
        }
    }

    /// Doubles the table.
    #[cold]
    fn grow(&mut self) {
        let num_slots = 2 * self.slots.len();
        self.slots.clear();
        self.resize(num_slots);
        let (slots, mask) = (self.slots.as_mut_slice(), num_slots - 1);
        let mut next = 0;
        for (position, (&hash, &number)) in (0..).zip(self.hashes.iter().zip(&self.numbers)) {
            // Only the first position of a number is in the table.
            if number == next {
                next += 1;
                let mut slot = first_slot(hash, self.shift);
                while slots[slot & mask] != VACANT {
                    slot += 1;
                }
                slots[slot & mask] = position;
            }
        }
    }

    fn resize(&mut self, num_slots: usize) {
        self.slots.resize(num_slots, VACANT);
        self.shift = 64 - num_slots.ilog2();
    }

    /// Bytes in memory once `more` hashes are added, at most.
    pub(super) fn bytes_with(&self, more: usize) -> usize {
        let len = self.len() + more;
        let num_slots = num_slots(len).max(self.slots.len());
        size_of::<u32>() * num_slots + size_of::<u64>() * len + POSITION_BYTES * (self.hashes.len() + more)
    }

    /// The maximum bytes in memory with `len` hashes.
    pub(super) fn most_bytes(len: usize) -> usize {
        size_of::<u32>() * num_slots(len) + size_of::<u64>() * len + POSITION_BYTES * (most_positions(len) + LONG_RUN)
    }

    /// Bytes in memory.
    pub(super) fn num_bytes(&self) -> usize {
        let Self { slots, shift: _, hashes, numbers, distinct } = self;
        let words = hashes.capacity() + distinct.capacity();
        size_of::<u64>() * words + size_of::<u32>() * (slots.capacity() + numbers.capacity())
    }
}

/// The number of positions from which on known hashes are not added to the list again.
fn most_positions(num_hashes: usize) -> usize {
    num_hashes + num_hashes / 2 + MORE_POSITIONS
}

/// The bytes of a hash and its number.
const POSITION_BYTES: usize = size_of::<u64>() + size_of::<u32>();

/// The number of slots of a table that is made for `len` hashes.
fn num_slots(len: usize) -> usize {
    (SLOTS * len + 1).next_power_of_two().max(HashNumbers::LEAST_SLOTS)
}

/// The number of hashes that two lists have in common at their beginnings; the first ones are equal.
#[inline(always)]
fn common_len(a: &[u64], b: &[u64]) -> usize {
    // Most runs are short.
    let most = a.len().min(b.len());
    let few = most.min(16);
    let mut len = 1;
    while len < few && a[len] == b[len] {
        len += 1;
    }
    if len == few && few < most { len + common_len_of_long(&a[len..], &b[len..]) } else { len }
}

/// Does what [`common_len`] does, faster for long runs: the loop is vectorised.
#[inline(never)]
fn common_len_of_long(a: &[u64], b: &[u64]) -> usize {
    const CHUNK: usize = 8;
    let is_same =
        |(a, b): &(&[u64; CHUNK], &[u64; CHUNK])| a.iter().zip(*b).fold(0, |bits, (a, b)| bits | (a ^ b)) == 0;
    let whole = CHUNK * a.as_chunks().0.iter().zip(b.as_chunks().0).take_while(is_same).count();
    whole + a[whole..].iter().zip(&b[whole..]).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_are_those_of_a_hash_map(
            // Few values make many short runs; equal top bits and multiples of a power of two collide.
            mut hashes in prop::collection::vec(
                prop_oneof![0u64..50, (0u64..3000).prop_map(|hash| hash << 40), any::<u64>()], 0..2000,
            ),
            // Parts that come again, as the revision of a text repeats most of it, with edits of single hashes.
            repeated in prop::collection::vec((0usize..3000, 0usize..400, any::<bool>()), 0..12),
            cuts in prop::collection::vec(0usize..5000, 0..4),
            expected in 0usize..2000,
        ) {
            for (start, len, is_edited) in repeated {
                let end = hashes.len().min(start + len);
                hashes.extend_from_within(start.min(end)..end);
                if is_edited {
                    hashes.push(len as u64);
                }
            }
            let mut ends: Vec<usize> = cuts.into_iter().map(|cut| cut.min(hashes.len())).chain([hashes.len()]).collect();
            ends.sort_unstable();
            let mut twin = HashMap::new();
            let (mut numbers, mut start) = (HashNumbers::default(), 0);
            // The memory of others is used again.
            numbers.clear(3);
            numbers.add(&[7, 8, 9, 7, 8], |_| {});
            numbers.clear(expected);
            for end in ends {
                let added = &hashes[start..end];
                let most_bytes = numbers.bytes_with(added.len());
                let mut next = 0;
                numbers.add(added, |run| {
                    assert!(run.at == next && !run.numbers.is_empty());
                    next += run.numbers.len();
                    for (&hash, &number) in added[run.at..next].iter().zip(run.numbers) {
                        let num_known = twin.len() as u32;
                        assert_eq!(run.is_new, number == num_known);
                        assert_eq!(number, *twin.entry(hash).or_insert(num_known));
                    }
                });
                prop_assert_eq!(next, added.len());
                prop_assert!(numbers.bytes_with(0) <= most_bytes);
                prop_assert!(expected > numbers.len() || numbers.bytes_with(0) <= HashNumbers::most_bytes(numbers.len()));
                start = end;
            }
            prop_assert_eq!(numbers.len(), twin.len());
            for (number, &hash) in numbers.distinct().iter().enumerate() {
                prop_assert_eq!(twin[&hash] as usize, number);
            }
        }

        #[test]
        fn common_lengths_are_counted(
            a in prop::collection::vec(0u64..2, 1..80), len in 0usize..80, b in prop::collection::vec(0u64..2, 0..80),
        ) {
            let b: Vec<u64> = a[..a.len().min(len + 1)].iter().chain(&b).copied().collect();
            prop_assert_eq!(common_len(&a, &b), a.iter().zip(&b).take_while(|(a, b)| a == b).count());
        }
    }

    #[test]
    fn a_revision_is_looked_up_only_at_its_edits() {
        let mut numbers = HashNumbers::default();
        let text: Vec<u64> = (0..1000).collect();
        numbers.clear(0);
        numbers.add(&text, |_| {});
        let mut runs = Vec::new();
        let revised: Vec<u64> = text[..400].iter().chain(&[5000, 5001]).chain(&text[403..]).copied().collect();
        // The second time the edit is known too.
        for _ in 0..2 {
            numbers.add(&revised, |run| runs.push((run.at, run.numbers.len(), run.is_new)));
        }
        assert_eq!(runs[..3], [(0, 400, false), (400, 2, true), (402, 597, false)]);
        assert_eq!(runs[3..], [(0, 400, false), (400, 2, false), (402, 597, false)]);
        assert_eq!((numbers.len(), numbers.hashes.len()), (1002, 1004));
    }

    #[test]
    fn repeats_cost_no_memory() {
        let mut numbers = HashNumbers::default();
        numbers.clear(0);
        // The parts of a text of 1000 hashes, each time in another order.
        for step in [1, 3, 7, 9, 11, 13, 17, 19, 21, 23] {
            let block: Vec<u64> = (0..1000).map(|at| at * step % 1000).collect();
            for _ in 0..100 {
                numbers.add(&block, |_| {});
            }
        }
        assert!(numbers.len() == 1000 && numbers.hashes.len() <= 1500 + MORE_POSITIONS + LONG_RUN);
    }
}
