//! Seeds: pairs of positions at which two texts have the same `min_run` tokens, found by their hashes.
//!
//! A hash that occurs more than [`MOST_POSITIONS`] times in a text has seeds only at its first positions. So a text of n
//! tokens has at most 64 n seeds, however repetitive it is.

use std::ops::Range;

use super::seed_slots::SeedSlots;
use crate::base::flat::bit_set::BitSet;
use crate::base::flat::spread::SpreadMap;

/// Maximum number of positions of one hash in one text that have seeds; above 1 and at most [`SeedSlots::MOST_POSITIONS`].
pub(super) const MOST_POSITIONS: u32 = 64;

/// The first positions of each hash in one text, and the number of times that each hash was found in the other text.
///
/// A hash is *crowded* if it has more positions than are kept; positions that are not kept are *capped*.
#[derive(Debug, Clone)]
pub(super) struct SeedIndex {
    /// [`MOST_POSITIONS`], or fewer in tests.
    most_positions: u32,
    /// For each hash, its last kept position and its number of positions. Only for one part of the hashes if they do
    /// not fit.
    slots: SeedSlots,
    /// For each position, the preceding one with the same hash.
    before: Vec<u32>,
    /// For each position, the last kept one with the same hash: the position itself, unless its hash is repeated.
    last: Vec<u32>,
    /// How often the hash of a position was found in the other text, stored at the last kept position of the hash.
    /// [`NOT_YET`] for a crowded hash that was not found.
    found: Vec<u8>,
    /// Number of capped positions of each crowded hash, by the last kept position of the hash.
    crowded: SpreadMap<u32>,
    /// All positions of crowded hashes.
    in_crowd: BitSet,
    /// Positions of hashes with several positions.
    repeated: BitSet,
    /// The last position of each hash whose kept positions have different preceding tokens.
    several_before: BitSet,
    /// Positions without seeds.
    capped: BitSet,
}

/// Marks the absence of a position; the positions of every text are smaller.
pub(super) const NO_POSITION: u32 = u32::MAX;
const NOT_YET: u8 = u8::MAX;

impl SeedIndex {
    /// Bytes of slots for each position that is added between two calls of [`begin_part`](Self::begin_part). Each
    /// position of the text needs 10 more bytes.
    pub(super) const POSITION_BYTES: usize = SeedSlots::HASH_BYTES;

    /// Creates an empty index; `most_positions` is the maximum number of positions of one hash that have seeds.
    pub(super) fn new(most_positions: u32) -> Self {
        assert!((2..=SeedSlots::MOST_POSITIONS).contains(&most_positions), "a number that a slot can hold");
        Self {
            most_positions,
            slots: SeedSlots::default(),
            before: Vec::new(),
            last: Vec::new(),
            found: Vec::new(),
            crowded: SpreadMap::default(),
            in_crowd: BitSet::default(),
            repeated: BitSet::default(),
            several_before: BitSet::default(),
            capped: BitSet::default(),
        }
    }

    /// Empties the index, for a text of `num_positions` positions. They are added in one or several parts, all positions
    /// of a hash in the same part.
    pub(super) fn reset(&mut self, num_positions: usize) {
        self.before.clear();
        self.before.resize(num_positions, NO_POSITION);
        self.last.clear();
        self.last.extend(0..num_positions as u32);
        self.found.clear();
        self.found.resize(num_positions, 0);
        self.crowded.clear();
        let bits = [&mut self.in_crowd, &mut self.repeated, &mut self.several_before, &mut self.capped];
        bits.into_iter().for_each(|bits| bits.reset(num_positions));
    }

    /// Forgets the hashes of the previous part, and reserves memory for `num_added` positions.
    pub(super) fn begin_part(&mut self, num_added: usize) {
        self.slots.reset(num_added);
    }

    /// Fetches the memory that is needed to add these hashes, or to find them.
    #[inline]
    pub(super) fn fetch(&self, hashes: &[u64]) {
        self.slots.fetch(hashes);
    }

    /// Adds a position; the positions of a part must come in ascending order.
    ///
    /// * `same_before`: whether the tokens before `position` and before the given position are equal.
    #[inline]
    pub(super) fn insert(&mut self, hash: u64, position: u32, same_before: impl FnOnce(u32) -> bool) {
        let (slot, before) = self.slots.count(hash, position);
        let Some((last, num_positions)) = before else { return };
        self.repeated.insert(position as usize);
        if num_positions >= self.most_positions {
            self.cap(position, last);
            return;
        }
        self.repeated.insert(last as usize);
        if self.several_before.contains(last as usize) || !same_before(last) {
            self.several_before.insert(position as usize);
        }
        self.before[position as usize] = last;
        self.slots.set_last(slot, position);
    }

    fn cap(&mut self, position: u32, last: u32) {
        self.capped.insert(position as usize);
        self.in_crowd.insert(position as usize);
        self.last[position as usize] = last;
        let num_capped = self.crowded.entry(last.into()).or_insert(0);
        *num_capped += 1;
        if *num_capped == 1 {
            self.found[last as usize] = NOT_YET;
            let mut kept = last;
            while kept != NO_POSITION {
                self.in_crowd.insert(kept as usize);
                kept = self.before[kept as usize];
            }
        }
    }

    /// Completes the index after all positions were added.
    pub(super) fn finish(&mut self) {
        for position in (0..self.before.len()).rev() {
            if self.before[position] != NO_POSITION {
                self.last[self.before[position] as usize] = self.last[position];
            }
        }
    }

    /// Resets the counts of how often hashes are found.
    pub(super) fn forget_found(&mut self) {
        self.found.fill(0);
        self.crowded.keys().for_each(|&last| self.found[last as usize] = NOT_YET);
    }

    /// Looks up and counts a hash of the other text. Returns the last position of the hash, and whether all its
    /// positions have seeds. Returns `None` if there are no seeds here.
    ///
    /// * `cap`: called with a number of positions without seeds that this lookup determines, and whether the looked-up
    ///   position is the one.
    #[inline]
    pub(super) fn find(&mut self, hash: u64, cap: impl FnOnce(u64, bool)) -> Option<(u32, bool)> {
        self.peek(hash).filter(|&(last, _)| self.count(last, cap))
    }

    /// Returns the same as [`find`](Self::find), without counting the hash.
    #[inline]
    pub(super) fn peek(&self, hash: u64) -> Option<(u32, bool)> {
        self.slots.get(hash).map(|(last, num_positions)| (last, num_positions <= self.most_positions))
    }

    /// Counts that a hash was found, given the last of its positions; returns whether there are seeds here. For `cap`
    /// see [`find`](Self::find).
    #[inline]
    fn count(&mut self, last: u32, cap: impl FnOnce(u64, bool)) -> bool {
        let found = &mut self.found[last as usize];
        if u32::from(*found) < self.most_positions {
            *found += 1;
            return true;
        }
        if *found == NOT_YET {
            *found = 1;
            cap(u64::from(self.crowded[&last.into()]), false);
            return true;
        }
        cap(1, true);
        false
    }

    /// Counts that the hashes at a range of positions were found.
    ///
    /// * `cap`: as for [`find`](Self::find), with the position as the first argument.
    #[inline]
    pub(super) fn count_all(&mut self, positions: Range<usize>, mut cap: impl FnMut(usize, u64, bool)) {
        let mut at = positions.start;
        while at < positions.end {
            let repeated = self.repeated.first_in(at..positions.end).unwrap_or(positions.end);
            let found = &mut self.found[at..repeated];
            if u32::from(found.iter().fold(0, |most, &found| found.max(most))) < self.most_positions {
                found.iter_mut().for_each(|found| *found += 1);
            } else {
                (at..repeated).for_each(|at| _ = self.count(at as u32, |num, is_here| cap(at, num, is_here)));
            }
            at = repeated;
            while at < positions.end && self.repeated.contains(at) {
                self.count(self.last[at], |num, is_here| cap(at, num, is_here));
                at += 1;
            }
        }
    }

    /// Number of leading positions in a range whose hashes have no other position.
    #[inline]
    pub(super) fn num_unrepeated(&self, positions: Range<usize>) -> usize {
        self.repeated.first_in(positions.clone()).unwrap_or(positions.end) - positions.start
    }

    /// Number of leading positions in a range up to and including the last one whose hash is not crowded.
    #[inline]
    pub(super) fn num_to_last_uncrowded(&self, positions: Range<usize>) -> usize {
        self.in_crowd.last_not_in(positions.clone()).map_or(0, |last| last + 1 - positions.start)
    }

    /// Whether all positions with the hash of this one are kept.
    #[inline]
    pub(super) fn has_all(&self, position: usize) -> bool {
        !self.in_crowd.contains(position)
    }

    /// The kept positions with the hash of this one, in descending order.
    #[inline]
    pub(super) fn positions_like(&self, position: usize) -> impl Iterator<Item = u32> + '_ {
        self.positions(self.last[position])
    }

    /// Whether all kept positions of a hash have the same preceding token as the last one.
    #[inline]
    pub(super) fn has_one_before(&self, last: u32) -> bool {
        !self.several_before.contains(last as usize)
    }

    /// The kept positions of a hash, in descending order.
    ///
    /// * `last`: the last kept position, or [`NO_POSITION`].
    #[inline]
    pub(super) fn positions(&self, last: u32) -> impl Iterator<Item = u32> + '_ {
        let mut next = last;
        std::iter::from_fn(move || {
            let position = next;
            next = *self.before.get(position as usize)?;
            Some(position)
        })
    }

    /// Whether a position is beyond the first 64 of its hash.
    #[inline]
    pub(super) fn is_capped(&self, position: usize) -> bool {
        self.capped.contains(position)
    }

    /// Bytes of the index.
    pub(super) fn num_bytes(&self) -> usize {
        let bits = [&self.repeated, &self.several_before, &self.capped, &self.in_crowd];
        let bits = bits.map(BitSet::num_bytes).iter().sum::<usize>();
        let lists = 4 * (self.before.capacity() + self.last.capacity()) + self.found.capacity();
        self.slots.num_bytes() + size_of::<(u64, u32)>() * self.crowded.capacity() + lists + bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lowest bits of a hash are not kept.
    fn hash(number: u32) -> u64 {
        u64::from(number) << 7
    }

    #[test]
    fn an_index_with_too_little_room_grows() {
        let mut index = SeedIndex::new(MOST_POSITIONS);
        index.reset(100);
        index.begin_part(4);
        (0..100).for_each(|position| index.insert(hash(position % 50), position, |_| true));
        index.finish();
        assert!((0..50).all(|number| index.peek(hash(number)) == Some((number + 50, true))));
        assert!((0..50).all(|position| index.positions_like(position).eq([position as u32 + 50, position as u32])));
        assert_eq!(index.peek(hash(50)), None);
    }

    #[test]
    fn a_hash_has_its_first_positions_and_the_others_are_counted() {
        let mut index = SeedIndex::new(MOST_POSITIONS);
        index.reset(201);
        index.begin_part(201);
        (0..100).for_each(|position| {
            index.insert(hash(7), 2 * position, |last| last != 40);
            index.insert(hash(7 + 512), 2 * position + 1, |_| true);
        });
        index.insert(hash(9), 200, |_| unreachable!("it is the first"));
        index.finish();
        assert!(!index.has_one_before(126) && [127, 200].into_iter().all(|last| index.has_one_before(last)));
        let mut find = |number| {
            let mut capped = (0, false);
            (index.find(hash(number), |num, is_here| capped = (num, is_here)), capped)
        };
        assert_eq!(find(7), (Some((126, false)), (36, false)));
        assert!((1..64).all(|_| find(7) == (Some((126, false)), (0, false))));
        assert_eq!([find(7), find(8)], [(None, (1, true)), (None, (0, false))]);
        assert!(index.positions(126).eq((0..64).rev().map(|position| 2 * position)));
        assert_eq!([126, 128, 200].map(|position| index.is_capped(position)), [false, true, false]);
        assert_eq!([0, 126, 128, 199, 200].map(|position| index.has_all(position)), [false, false, false, false, true]);
        assert_eq!([index.num_unrepeated(199..201), index.num_unrepeated(200..201)], [0, 1]);
        assert_eq!([index.num_to_last_uncrowded(198..200), index.num_to_last_uncrowded(198..201)], [0, 3]);
        let mut count = |positions| {
            let mut capped = Vec::new();
            index.count_all(positions, |position, num, is_here| capped.push((position, num, is_here)));
            capped
        };
        assert!((0..63).all(|_| count(200..201).is_empty()));
        // The other hash is found for the first time, and the hash that was found 64 times is found again.
        assert_eq!(count(198..201), [(198, 1, true), (199, 36, false)]);
        assert_eq!(count(199..201), [(200, 1, true)]);
        assert!(index.positions_like(0).eq(index.positions(126)) && index.peek(hash(8)).is_none());
        index.forget_found();
        assert_eq!(index.find(hash(7), |num, is_here| assert_eq!((num, is_here), (36, false))), Some((126, false)));
        assert_eq!(index.find(hash(9), |_, _| unreachable!("it has one place")), Some((200, true)));
    }
}
