//! Seeds: pairs of places at which two texts have the same `min_run` tokens, found by their hashes.
//!
//! A hash that occurs in a text more than [`MOST_PLACES`] times has seeds at its first places there alone, so that a text
//! of n tokens has at most 64 n seeds, however repetitive it is.

use crate::flat::bit_set::BitSet;

/// Most places of one hash in one text that have seeds; at most 253, and more than 1.
pub(super) const MOST_PLACES: u32 = 64;

/// The first places of each hash in one text, and how often each was found in the other one.
#[derive(Debug, Clone)]
pub(super) struct SeedIndex {
    /// [`MOST_PLACES`], or fewer in tests.
    most_places: u32,
    /// A power of two of slots, about two thirds of them taken, and never all.
    slots: Vec<SeedSlot>,
    num_taken: usize,
    /// For each place, the one before it with the same hash.
    before: Vec<u32>,
    /// For each place, the last one that is kept of its hash: the place itself, unless its hash is repeated.
    last: Vec<u32>,
    /// How often the hash of a place was found in the other text, by the last of its places that are kept; [`IN_NO_SLOT`]
    /// for a place that was not added, and [`NOT_YET`] for a hash of more than 64 places that was not found.
    found: Vec<u8>,
    /// The last kept places of hashes with more than 64 places, and how many these are.
    crowded: Vec<(u32, u32)>,
    /// All places of these hashes.
    in_crowd: BitSet,
    /// Places of hashes with several places.
    repeated: BitSet,
    /// The last place of each hash whose kept places do not all have the same token before them.
    several_before: BitSet,
    /// Places that have no seeds.
    capped: BitSet,
}

#[derive(Debug, Clone, Copy, Default)]
struct SeedSlot {
    hash: u64,
    /// The last of its places that are kept.
    last: u32,
    /// How often it occurs in the text; 0 for a slot that is not taken.
    num_places: u32,
}

const NONE: u32 = u32::MAX;
const IN_NO_SLOT: u8 = u8::MAX;
const NOT_YET: u8 = u8::MAX - 1;

impl SeedIndex {
    /// Most bytes of slots for each place that is added.
    pub(super) const PLACE_BYTES: usize = 3 * size_of::<SeedSlot>();

    /// * `most_places`: of one hash that have seeds.
    pub(super) fn new(most_places: u32) -> Self {
        Self {
            most_places,
            slots: Vec::new(),
            num_taken: 0,
            before: Vec::new(),
            last: Vec::new(),
            found: Vec::new(),
            crowded: Vec::new(),
            in_crowd: BitSet::default(),
            repeated: BitSet::default(),
            several_before: BitSet::default(),
            capped: BitSet::default(),
        }
    }

    /// Empties the index and makes room for `num_added` of the `num_places` places of a text.
    pub(super) fn reset(&mut self, num_places: usize, num_added: usize) {
        let num_slots = (num_added + num_added / 2).next_power_of_two().max(2);
        self.slots.clear();
        self.slots.resize(num_slots, SeedSlot::default());
        self.num_taken = 0;
        self.before.clear();
        self.before.resize(num_places, NONE);
        self.last.clear();
        self.last.extend(0..num_places as u32);
        self.crowded.clear();
        self.found.clear();
        self.found.resize(num_places, IN_NO_SLOT);
        self.repeated.reset(num_places);
        self.several_before.reset(num_places);
        self.in_crowd.reset(num_places);
    }

    /// Forgets which places have no seeds; those of a text that is added in parts are known when all parts were added.
    pub(super) fn reset_capped(&mut self, num_places: usize) {
        self.capped.reset(num_places);
    }

    /// Adds a place; places come in ascending order.
    ///
    /// * `same_before`: whether the token before the place is the one before that other place.
    #[inline]
    pub(super) fn insert(&mut self, hash: u64, place: u32, same_before: impl FnOnce(u32) -> bool) {
        let most_places = self.most_places;
        let slot = self.slot(hash);
        let slot = &mut self.slots[slot];
        slot.num_places += 1;
        self.found[place as usize] = 0;
        if slot.num_places == 1 {
            (slot.hash, slot.last) = (hash, place);
            self.num_taken += 1;
            // The hashes of a part can be more than it has room for.
            if 8 * self.num_taken > 7 * self.slots.len() {
                self.grow();
            }
            return;
        }
        self.repeated.insert(place as usize);
        if slot.num_places > most_places {
            self.capped.insert(place as usize);
            self.last[place as usize] = slot.last;
            return;
        }
        self.repeated.insert(slot.last as usize);
        if self.several_before.contains(slot.last as usize) || !same_before(slot.last) {
            self.several_before.insert(place as usize);
        }
        self.before[place as usize] = slot.last;
        slot.last = place;
    }

    #[cold]
    fn grow(&mut self) {
        let num_slots = 2 * self.slots.len();
        let old = std::mem::replace(&mut self.slots, vec![SeedSlot::default(); num_slots]);
        for taken in old.into_iter().filter(|slot| slot.num_places > 0) {
            let slot = self.slot(taken.hash);
            self.slots[slot] = taken;
        }
    }

    /// Ends what was begun by [`reset`](Self::reset), when all places were added.
    pub(super) fn finish(&mut self) {
        for place in (0..self.before.len()).rev() {
            if self.before[place] != NONE {
                self.last[self.before[place] as usize] = self.last[place];
            }
        }
        if !self.capped.is_empty() {
            let crowded = self.slots.iter().filter(|slot| slot.num_places > self.most_places);
            self.crowded.extend(crowded.map(|slot| (slot.last, slot.num_places)));
            self.crowded.sort_unstable();
            self.crowded.iter().for_each(|&(last, _)| self.found[last as usize] = NOT_YET);
            for (place, &last) in self.last.iter().enumerate() {
                if self.found[last as usize] == NOT_YET {
                    self.in_crowd.insert(place);
                }
            }
        }
    }

    /// Begins to count anew how often hashes are found.
    ///
    /// # Panics
    /// In debug builds, when the index has a part of the places alone.
    pub(super) fn forget_found(&mut self) {
        debug_assert!(!self.found.contains(&IN_NO_SLOT), "all places were added");
        self.found.fill(0);
        self.crowded.iter().for_each(|&(last, _)| self.found[last as usize] = NOT_YET);
    }

    /// Looks a hash of the other text up, and counts that: the last of its places, and whether all of them have seeds;
    /// `None` when there are no seeds here.
    ///
    /// * `cap`: called with the number of places that have no seeds, as far as they become known with this one, and whether
    ///   this one is among them.
    #[inline]
    pub(super) fn find(&mut self, hash: u64, cap: impl FnOnce(u64, bool)) -> Option<(u32, bool)> {
        self.peek(hash).filter(|&(last, _)| self.count(last, cap))
    }

    /// What [`find`](Self::find) says of a hash, without counting that.
    #[inline]
    pub(super) fn peek(&self, hash: u64) -> Option<(u32, bool)> {
        let SeedSlot { last, num_places, .. } = self.slots[self.slot(hash)];
        (num_places > 0).then_some((last, num_places <= self.most_places))
    }

    /// Counts that a hash was found, by the last of its places; returns whether there are seeds here. For `cap` see
    /// [`find`](Self::find).
    #[inline]
    fn count(&mut self, last: u32, cap: impl FnOnce(u64, bool)) -> bool {
        let most_places = self.most_places;
        let found = &mut self.found[last as usize];
        if u32::from(*found) < most_places {
            *found += 1;
            return true;
        }
        match *found {
            IN_NO_SLOT => false,
            NOT_YET => {
                *found = 1;
                let at = self.crowded.partition_point(|&(other, _)| other < last);
                cap(u64::from(self.crowded[at].1 - most_places), false);
                true
            }
            _ => {
                cap(1, true);
                false
            }
        }
    }

    /// Passes over some of the `most` places from this one on, which are those of a run, and counts their hashes as found: up to
    /// the last whose places all have seeds, or up to the first whose hash has other places. Returns how many.
    ///
    /// * `to_last`: the former.
    /// * `cap`: as for [`find`](Self::find), with the offset of the place first.
    #[inline]
    pub(super) fn pass_over(
        &mut self,
        place: usize,
        most: usize,
        to_last: bool,
        mut cap: impl FnMut(usize, u64, bool),
    ) -> usize {
        let end = if to_last {
            self.in_crowd.last_not_in(place..place + most).map_or(place, |last| last + 1)
        } else {
            self.repeated.first_in(place..place + most).unwrap_or(place + most)
        };
        let mut at = place;
        while at < end {
            let repeated = self.repeated.first_in(at..end).unwrap_or(end);
            let found = &mut self.found[at..repeated];
            if u32::from(found.iter().fold(0, |most, &found| found.max(most))) < self.most_places {
                found.iter_mut().for_each(|found| *found += 1);
            } else {
                (at..repeated).for_each(|at| _ = self.count(at as u32, |num, is_here| cap(at - place, num, is_here)));
            }
            at = repeated;
            while at < end && self.repeated.contains(at) {
                self.count(self.last[at], |num, is_here| cap(at - place, num, is_here));
                at += 1;
            }
        }
        end - place
    }

    /// The kept places of a hash, the last first, without counting that it was found.
    #[inline]
    pub(super) fn places_of(&self, hash: u64) -> impl Iterator<Item = u32> + '_ {
        let SeedSlot { last, num_places, .. } = self.slots[self.slot(hash)];
        self.places(if num_places > 0 { last } else { NONE })
    }

    /// Whether all places that have the hash of this one are kept.
    #[inline]
    pub(super) fn has_all(&self, place: usize) -> bool {
        !self.in_crowd.contains(place)
    }

    /// The kept places that have the hash of this one, the last first.
    #[inline]
    pub(super) fn places_like(&self, place: usize) -> impl Iterator<Item = u32> + '_ {
        self.places(self.last[place])
    }

    /// Whether all kept places of a hash have the same token before them as the last one.
    #[inline]
    pub(super) fn has_one_before(&self, last: u32) -> bool {
        !self.several_before.contains(last as usize)
    }

    /// The places of a hash that was found, the last first.
    #[inline]
    pub(super) fn places(&self, last: u32) -> impl Iterator<Item = u32> + '_ {
        let mut next = last;
        std::iter::from_fn(move || {
            let place = next;
            next = *self.before.get(place as usize)?;
            Some(place)
        })
    }

    /// Whether a place is beyond the first 64 of its hash.
    #[inline]
    pub(super) fn is_capped(&self, place: usize) -> bool {
        self.capped.contains(place)
    }

    /// Bytes of the index.
    pub(super) fn num_bytes(&self) -> usize {
        let bits = [&self.repeated, &self.several_before, &self.capped, &self.in_crowd];
        let bits = bits.map(BitSet::num_bytes).iter().sum::<usize>();
        let lists = 4 * (self.before.capacity() + self.last.capacity()) + self.found.capacity();
        self.slots.capacity() * size_of::<SeedSlot>() + size_of::<(u32, u32)>() * self.crowded.capacity() + lists + bits
    }

    /// The slot that a hash is in, or would be put into.
    #[inline]
    fn slot(&self, hash: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = (hash as usize) & mask;
        while self.slots[slot].num_places > 0 && self.slots[slot].hash != hash {
            slot = (slot + 1) & mask;
        }
        slot
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_with_too_little_room_grows() {
        let mut index = SeedIndex::new(MOST_PLACES);
        index.reset(100, 4);
        index.reset_capped(100);
        (0..100).for_each(|place| index.insert(u64::from(place) % 50, place, |_| true));
        index.finish();
        assert!((0..50).all(|hash| index.places_of(hash).eq([hash as u32 + 50, hash as u32])));
        assert_eq!(index.places_of(50).count(), 0);
    }

    #[test]
    fn a_hash_has_its_first_places_and_the_others_are_counted() {
        let mut index = SeedIndex::new(MOST_PLACES);
        index.reset(201, 201);
        index.reset_capped(201);
        (0..100).for_each(|place| {
            index.insert(7, 2 * place, |last| last != 40);
            index.insert(7 + 512, 2 * place + 1, |_| true);
        });
        index.insert(9, 200, |_| unreachable!("it is the first"));
        index.finish();
        assert!(!index.has_one_before(126) && [127, 200].into_iter().all(|last| index.has_one_before(last)));
        let mut find = |hash| {
            let mut capped = (0, false);
            (index.find(hash, |num, is_here| capped = (num, is_here)), capped)
        };
        assert_eq!(find(7), (Some((126, false)), (36, false)));
        assert!((1..64).all(|_| find(7) == (Some((126, false)), (0, false))));
        assert_eq!([find(7), find(8)], [(None, (1, true)), (None, (0, false))]);
        assert!(index.places(126).eq((0..64).rev().map(|place| 2 * place)));
        assert_eq!([126, 128, 200].map(|place| index.is_capped(place)), [false, true, false]);
        let mut pass = |place, most, to_last| {
            let mut capped = Vec::new();
            (index.pass_over(place, most, to_last, |offset, num, is_here| capped.push((offset, num, is_here))), capped)
        };
        assert!((0..63).all(|_| pass(200, 1, false) == (1, vec![])));
        assert_eq!(pass(199, 2, false), (0, vec![]));
        assert_eq!(pass(198, 2, true), (0, vec![]));
        // The other hash is found for the first time, and the hash that was found 64 times once more.
        assert_eq!(pass(198, 3, true), (3, vec![(0, 1, true), (1, 36, false)]));
        assert_eq!(pass(199, 2, true), (2, vec![(1, 1, true)]));
        assert!(index.places_like(0).eq(index.places_of(7)) && index.places_of(8).next().is_none());
        index.forget_found();
        assert_eq!(index.find(7, |num, is_here| assert_eq!((num, is_here), (36, false))), Some((126, false)));
        assert_eq!(index.find(9, |_, _| unreachable!("it has one place")), Some((200, true)));
    }
}
