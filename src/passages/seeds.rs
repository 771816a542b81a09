//! Seeds: pairs of places at which two texts have the same `min_run` tokens, found by their hashes.
//!
//! A hash that occurs in a text more than [`MOST_PLACES`] times has seeds at its first places there alone, so that a text
//! of n tokens has at most 64 n seeds, however repetitive it is.

/// Most places of one hash in one text that have seeds.
pub(super) const MOST_PLACES: u32 = 64;

/// A number that is equal for equal tokens.
pub(super) trait TokenId: Copy + Eq {
    fn number(self) -> u64;
}

impl TokenId for u8 {
    fn number(self) -> u64 {
        self.into()
    }
}

impl TokenId for u32 {
    fn number(self) -> u64 {
        self.into()
    }
}

impl TokenId for u64 {
    fn number(self) -> u64 {
        self
    }
}

/// Odd, with bits of both kinds everywhere: the golden ratio's fraction.
const BASE: u64 = 0x9E37_79B9_7F4A_7C15;

/// Calls `visit` with each place of a text and the hash of the `len` tokens there: a polynomial of them (Karp and Rabin
/// 1987), modulo 2⁶⁴ and then mixed.
pub(super) fn for_each_hash<T: TokenId>(tokens: &[T], len: usize, mut visit: impl FnMut(u32, u64)) {
    if tokens.len() < len {
        return;
    }
    let leaving_factor = (1..len).fold(1u64, |power, _| power.wrapping_mul(BASE));
    let mut hash =
        tokens[..len].iter().fold(0, |hash: u64, &id| hash.wrapping_mul(BASE).wrapping_add(mixed(id.number())));
    visit(0, mixed(hash));
    for (at, (&leaving, &entering)) in (1..).zip(tokens.iter().zip(&tokens[len..])) {
        let rest = hash.wrapping_sub(mixed(leaving.number()).wrapping_mul(leaving_factor));
        hash = rest.wrapping_mul(BASE).wrapping_add(mixed(entering.number()));
        visit(at, mixed(hash));
    }
}

/// Spreads what differs over all bits; no two numbers become one.
#[inline]
fn mixed(number: u64) -> u64 {
    let number = (number ^ number >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    number ^ number >> 32
}

/// The first places of each hash in one text, and how often each was found in both.
#[derive(Debug, Clone, Default)]
pub(super) struct SeedIndex {
    /// A power of two of slots, at most half of them taken.
    slots: Vec<SeedSlot>,
    /// The places of all hashes, each with the number of the next one of its hash.
    places: Vec<(u32, u32)>,
}

#[derive(Debug, Clone, Copy, Default)]
struct SeedSlot {
    hash: u64,
    /// The numbers of its first and its last place among `places`.
    first: u32,
    last: u32,
    /// How often it occurs in the text that is indexed; 0 for a slot that is not taken.
    num_indexed: u32,
    /// How often it was looked up.
    num_found: u32,
}

/// What a hash of the other text has in the index.
#[derive(Debug, Clone, Copy)]
pub(super) struct SharedHash {
    /// The number of its first place.
    first: u32,
    /// Places at which it has no seeds that became known with this one.
    pub(super) num_capped: u64,
    /// Whether this place has no seeds.
    pub(super) is_capped: bool,
}

const NONE: u32 = u32::MAX;

impl SeedIndex {
    /// Bytes for each place.
    pub(super) const PLACE_BYTES: usize = 4 * size_of::<SeedSlot>() + size_of::<(u32, u32)>();

    /// Empties the index and makes room for so many places.
    pub(super) fn reset(&mut self, num_places: usize) {
        let num_slots = (2 * num_places).next_power_of_two().max(2);
        self.slots.clear();
        self.slots.resize(num_slots, SeedSlot::default());
        self.places.clear();
        self.places.reserve(num_places);
    }

    /// Adds a place; those of a hash come in ascending order.
    pub(super) fn insert(&mut self, hash: u64, place: u32) {
        let number = self.places.len() as u32;
        let slot = self.slot(hash);
        let slot = &mut self.slots[slot];
        if slot.num_indexed == 0 {
            *slot = SeedSlot { hash, first: number, last: number, num_indexed: 1, num_found: 0 };
        } else {
            slot.num_indexed += 1;
            if slot.num_indexed > MOST_PLACES {
                return;
            }
            self.places[slot.last as usize].1 = number;
            slot.last = number;
        }
        self.places.push((place, NONE));
    }

    /// Looks a hash of the other text up, and counts that.
    pub(super) fn find(&mut self, hash: u64) -> Option<SharedHash> {
        let slot = self.slot(hash);
        let slot = &mut self.slots[slot];
        if slot.num_indexed == 0 {
            return None;
        }
        slot.num_found += 1;
        let is_capped = slot.num_found > MOST_PLACES;
        let capped_here = if slot.num_found == 1 { slot.num_indexed.saturating_sub(MOST_PLACES) } else { 0 };
        Some(SharedHash { first: slot.first, num_capped: u64::from(is_capped) + u64::from(capped_here), is_capped })
    }

    /// The places of a hash that was found, ascending.
    pub(super) fn places(&self, found: SharedHash) -> impl Iterator<Item = u32> + '_ {
        let mut next = found.first;
        std::iter::from_fn(move || {
            let &(place, after) = self.places.get(next as usize)?;
            next = after;
            Some(place)
        })
    }

    /// Bytes of the index.
    pub(super) fn num_bytes(&self) -> usize {
        self.slots.capacity() * size_of::<SeedSlot>() + self.places.capacity() * size_of::<(u32, u32)>()
    }

    /// The slot that a hash is in, or would be put into.
    #[inline]
    fn slot(&self, hash: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = (hash as usize) & mask;
        while self.slots[slot].num_indexed > 0 && self.slots[slot].hash != hash {
            slot = (slot + 1) & mask;
        }
        slot
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn equal_runs_of_tokens_have_equal_hashes_and_others_do_not(
            tokens in prop::collection::vec(0u8..3, 0..200),
            len in 1usize..9,
        ) {
            let mut hashes = HashMap::new();
            let mut num_places = 0;
            for_each_hash(&tokens, len, |at, hash| {
                assert_eq!(at, num_places);
                num_places += 1;
                let run = &tokens[at as usize..][..len];
                assert_eq!(*hashes.entry(run).or_insert(hash), hash);
            });
            prop_assert_eq!(num_places as usize, (tokens.len() + 1).saturating_sub(len));
            let mut distinct: Vec<u64> = hashes.values().copied().collect();
            distinct.sort_unstable();
            distinct.dedup();
            prop_assert_eq!(distinct.len(), hashes.len());
        }
    }

    #[test]
    fn a_hash_has_its_first_places_and_the_others_are_counted() {
        let mut index = SeedIndex::default();
        index.reset(200);
        (0..100).for_each(|place| {
            index.insert(7, 2 * place);
            index.insert(7 + 512, 2 * place + 1);
        });
        let found = index.find(7).unwrap();
        assert_eq!(index.places(found).collect::<Vec<_>>(), (0..64).map(|place| 2 * place).collect::<Vec<_>>());
        assert_eq!((found.num_capped, found.is_capped), (36, false));
        let later: Vec<(u64, bool)> =
            (0..64).map(|_| index.find(7).unwrap()).map(|found| (found.num_capped, found.is_capped)).collect();
        assert!(later[..63].iter().all(|&later| later == (0, false)) && later[63] == (1, true));
        assert!(index.find(8).is_none());
    }
}
