//! `HashNumbers`: the number of each hash, in the order in which hashes were first added.
//!
//! An open-addressing table of hashes with their numbers, so that a look-up is one memory access. It probes linearly; five
//! eighths of its slots may be used. A slot has 16 bytes.

use crate::base::flat::hash_index::first_slot;
use crate::base::flat::prefetch::{AHEAD, prefetch};

/// The number of a vacant slot.
const VACANT: u32 = u32::MAX;

#[derive(Debug, Clone, Copy)]
struct Slot {
    hash: u64,
    number: u32,
}

/// Numbers hashes from 0 on.
#[derive(Debug, Clone, Default)]
pub(crate) struct HashNumbers {
    /// The slots of the table, none or a power of two.
    slots: Vec<Slot>,
    /// 64 − log₂ of the number of slots.
    shift: u32,
}

impl HashNumbers {
    const LEAST_SLOTS: usize = 1 << 6;
    /// The number of hashes for which there is room before they are added: known hashes do not make the table grow.
    const AT_A_TIME: usize = 128;

    /// Forgets all hashes and makes room for `expected`; keeps the memory.
    pub(crate) fn clear(&mut self, expected: usize) {
        self.slots.clear();
        self.resize(expected);
    }

    /// Passes the number of each hash of a block on, with its place in the block; hashes that are not in the table get the
    /// next numbers.
    ///
    /// * `hashes`: the hashes by their numbers.
    #[inline(always)]
    pub(crate) fn add(&mut self, hashes: &mut Vec<u64>, block: &[u64], mut pass: impl FnMut(usize, u32)) {
        for (start, part) in (0..).step_by(Self::AT_A_TIME).zip(block.chunks(Self::AT_A_TIME)) {
            self.reserve(hashes, hashes.len() + part.len());
            let (slots, shift) = (self.slots.as_mut_slice(), self.shift);
            let mask = slots.len() - 1;
            for (at, &hash) in (start..).zip(part) {
                if let Some(&soon) = block.get(at + AHEAD) {
                    prefetch(slots, first_slot(soon, shift));
                }
                let mut place = first_slot(hash, shift);
                let number = loop {
                    let slot = &mut slots[place & mask];
                    if slot.number == VACANT {
                        *slot = Slot { hash, number: hashes.len() as u32 };
                        hashes.push(hash);
                        break slot.number;
                    }
                    if slot.hash == hash {
                        break slot.number;
                    }
                    place += 1;
                };
                pass(at, number);
            }
        }
    }

    /// Bytes of a table of `len` hashes, at most.
    pub(crate) fn bytes_with(&self, len: usize) -> usize {
        size_of::<Slot>() * if self.has_room(len) { self.slots.len() } else { num_slots(len) }
    }

    /// Bytes in memory.
    pub(crate) fn num_bytes(&self) -> usize {
        size_of::<Slot>() * self.slots.capacity()
    }

    /// Makes room for `len` hashes in total.
    fn reserve(&mut self, hashes: &[u64], len: usize) {
        assert!(len < VACANT as usize, "fewer than 2^32 - 1 hashes in one table");
        if !self.has_room(len) {
            self.slots.clear();
            self.resize(len);
            let mask = self.slots.len() - 1;
            for (number, &hash) in (0..).zip(hashes) {
                let mut place = first_slot(hash, self.shift);
                while self.slots[place & mask].number != VACANT {
                    place += 1;
                }
                self.slots[place & mask] = Slot { hash, number };
            }
        }
    }

    fn resize(&mut self, len: usize) {
        let num_slots = num_slots(len);
        self.slots.resize(num_slots, Slot { hash: 0, number: VACANT });
        self.shift = 64 - num_slots.ilog2();
    }

    fn has_room(&self, len: usize) -> bool {
        len <= self.slots.len() / 8 * 5
    }
}

/// The number of slots of a table that is made for `len` hashes.
fn num_slots(len: usize) -> usize {
    (len / 5 * 8 + 8).next_power_of_two().max(HashNumbers::LEAST_SLOTS)
}
