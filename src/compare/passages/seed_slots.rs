//! `SeedSlots`: a table from hashes to their last position and number of positions.

/// Hashes of a text, each with its last position and its number of positions.
///
/// Open addressing with a step of one slot. A slot needs 12 bytes: 57 bits of the hash, 7 bits of the number, and the
/// position.
#[derive(Debug, Clone, Default)]
pub(super) struct SeedSlots {
    /// The slots; at least one is always empty.
    slots: Vec<SeedSlot>,
    num_taken: usize,
}

#[derive(Debug, Clone, Copy, Default)]
struct SeedSlot {
    /// The higher half of the hash.
    high: u32,
    /// The highest 25 bits of the lower half of the hash, and the number of positions; 0 for an empty slot.
    low: u32,
    last: u32,
}

/// The index of a slot in the table.
#[derive(Debug, Clone, Copy)]
pub(super) struct SlotId(usize);

impl SeedSlots {
    /// The largest number of positions that is counted exactly.
    pub(super) const MOST_POSITIONS: u32 = NUMBER_MASK - 1;

    /// Bytes per hash for which memory is reserved.
    pub(super) const HASH_BYTES: usize = size_of::<SeedSlot>() * 3 / 2;

    /// Forgets all hashes and reserves memory for `num_hashes` hashes.
    pub(super) fn reset(&mut self, num_hashes: usize) {
        self.slots.clear();
        self.slots.resize(num_hashes + num_hashes / 2 + 2, SeedSlot::default());
        self.num_taken = 0;
    }

    /// The last position of a hash and its number of positions, [`MOST_POSITIONS`](Self::MOST_POSITIONS) + 1 for more; `None`
    /// for a hash that is not in the table.
    #[inline]
    pub(super) fn get(&self, hash: u64) -> Option<(u32, u32)> {
        let slot = &self.slots[self.slot(hash)];
        (slot.num_positions() > 0).then_some((slot.last, slot.num_positions()))
    }

    /// Counts one more position of a hash. Returns its slot and, if the hash was already in the table, its last
    /// position and its previous number of positions.
    #[inline]
    pub(super) fn count(&mut self, hash: u64, position: u32) -> (SlotId, Option<(u32, u32)>) {
        let at = self.slot(hash);
        let slot = &mut self.slots[at];
        if slot.num_positions() > 0 {
            let before = (slot.last, slot.num_positions());
            slot.low += u32::from(slot.num_positions() < NUMBER_MASK);
            return (SlotId(at), Some(before));
        }
        *slot = SeedSlot { high: (hash >> 32) as u32, low: hash as u32 & !NUMBER_MASK | 1, last: position };
        self.num_taken += 1;
        // There can be more hashes than memory was reserved for.
        if 8 * self.num_taken > 7 * self.slots.len() {
            self.grow();
            return (SlotId(self.slot(hash)), None);
        }
        (SlotId(at), None)
    }

    /// Sets the last position of the hash in a slot; no other hash may have been counted since the slot was returned.
    #[inline]
    pub(super) fn set_last(&mut self, slot: SlotId, position: u32) {
        self.slots[slot.0].last = position;
    }

    /// Fetches the slots of hashes that are about to be counted, all at once, because access to their memory is slow.
    #[inline]
    pub(super) fn fetch(&self, hashes: &[u64]) {
        let bits = hashes.iter().fold(0, |bits, &hash| bits | self.slots[self.first_slot(hash)].low);
        std::hint::black_box(bits);
    }

    /// Bytes of the table.
    pub(super) fn num_bytes(&self) -> usize {
        self.slots.capacity() * size_of::<SeedSlot>()
    }

    #[cold]
    fn grow(&mut self) {
        let num_slots = 2 * self.slots.len();
        let old = std::mem::replace(&mut self.slots, vec![SeedSlot::default(); num_slots]);
        for taken in old.into_iter().filter(|slot| slot.num_positions() > 0) {
            let slot = self.slot(taken.hash());
            self.slots[slot] = taken;
        }
    }

    /// The slot that contains a hash, or the empty slot for it.
    #[inline]
    fn slot(&self, hash: u64) -> usize {
        let mut at = self.first_slot(hash);
        loop {
            let slot = &self.slots[at];
            if slot.num_positions() == 0 || slot.hash() == hash & !u64::from(NUMBER_MASK) {
                return at;
            }
            at = if at + 1 == self.slots.len() { 0 } else { at + 1 };
        }
    }

    /// The first slot to search, which depends only on the bits of the hash that a slot stores.
    #[inline]
    fn first_slot(&self, hash: u64) -> usize {
        ((u128::from(hash & !u64::from(NUMBER_MASK)) * self.slots.len() as u128) >> 64) as usize
    }
}

const NUMBER_MASK: u32 = 0x7F;

impl SeedSlot {
    #[inline]
    fn num_positions(&self) -> u32 {
        self.low & NUMBER_MASK
    }

    /// The hash without its lowest 7 bits.
    #[inline]
    fn hash(&self) -> u64 {
        u64::from(self.high) << 32 | u64::from(self.low & !NUMBER_MASK)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_those_of_a_map_however_many_hashes_there_are() {
        let mut slots = SeedSlots::default();
        for room in [4, 1000] {
            slots.reset(room);
            // Neighbours at both ends of the table, and hashes that differ only in their highest bits.
            let hash = |number: u64| ((number % 50) << 7).wrapping_sub(25 << 7) ^ (number % 3) << 60;
            let mut expected = std::collections::BTreeMap::new();
            for position in 0..20_000u64 {
                let (slot, before) = slots.count(hash(position * position), position as u32);
                let (last, num_positions) = expected.entry(hash(position * position)).or_insert((0, 0));
                assert_eq!(before, (*num_positions > 0).then_some((*last, *num_positions)));
                (*last, *num_positions) = (position as u32, (*num_positions + 1).min(SeedSlots::MOST_POSITIONS + 1));
                slots.set_last(slot, position as u32);
            }
            assert!(expected.iter().all(|(&hash, &found)| slots.get(hash) == Some(found)));
            assert_eq!(slots.get(hash(1) ^ 1 << 40), None);
        }
    }
}
