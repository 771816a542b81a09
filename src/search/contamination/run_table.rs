//! `RunTable`: all runs of a number of words of the benchmarks, found by the hash of a run.
//!
//! The hash of a run is a polynomial in the hashes of its words, so it is updated with two multiplications when the run
//! moves on by a word. Nearly all runs of other texts are rejected by one word of a filter.

use crate::base::error::Result;
use crate::base::memory::reserve_exact;

/// The factor of the polynomial; odd, so that no bit of a word is lost.
const BASE: u64 = 0x2545_F491_4F6C_DD1D;
/// Bits of the filter for each distinct run.
const FILTER_BITS: usize = 16;
/// The name of the table in the message of a failed allocation.
const TABLE: &str = "the runs of the benchmarks";

/// The runs of `len` words.
#[derive(Debug)]
pub(super) struct RunTable {
    len: usize,
    /// `BASE` to the power of `len`.
    power: u64,
    /// The hash of each distinct run, ascending.
    hashes: Vec<u64>,
    /// The end of the positions of each distinct run.
    ends: Vec<u32>,
    /// The positions of all runs, by distinct run: where they begin in the words of all benchmarks.
    positions: Vec<u32>,
    /// The number of a distinct run plus 1, at a slot that its hash determines or after it; 0 for a free slot.
    slots: Vec<u32>,
    filter: Vec<u64>,
}

/// The hash of the last words of a text.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RunHash(u64);

impl RunHash {
    /// Adds a word.
    #[inline(always)]
    pub(super) fn add(&mut self, word: u64) {
        self.0 = self.0.wrapping_mul(BASE).wrapping_add(word);
    }
}

impl RunTable {
    /// * `words`: the words of all benchmarks.
    /// * `positions`: where runs begin.
    ///
    /// # Errors
    /// When memory is too small for the table.
    pub(super) fn new(words: &[u64], len: usize, positions: impl Iterator<Item = u32> + Clone) -> Result<Self> {
        let mut runs: Vec<(u64, u32)> = Vec::new();
        reserve_exact(&mut runs, positions.clone().count(), TABLE)?;
        runs.extend(positions.map(|position| (hash(&words[position as usize..][..len]), position)));
        let run = |position: u32| &words[position as usize..][..len];
        // Runs with equal hashes that differ are distinct.
        runs.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| run(a.1).cmp(run(b.1))).then(a.1.cmp(&b.1)));
        let (mut hashes, mut ends, mut positions) = (Vec::new(), Vec::new(), Vec::new());
        reserve_exact(&mut positions, runs.len(), TABLE)?;
        for (at, &(hash, position)) in runs.iter().enumerate() {
            let is_new = at == 0 || runs[at - 1].0 != hash || run(runs[at - 1].1) != run(position);
            if is_new {
                hashes.push(hash);
                ends.push(0);
            }
            positions.push(position);
            *ends.last_mut().expect("just pushed") = positions.len() as u32;
        }
        drop(runs);
        let num_slots = (2 * hashes.len()).next_power_of_two().max(2);
        let (mut slots, mut filter) = (Vec::new(), Vec::new());
        reserve_exact(&mut slots, num_slots, TABLE)?;
        slots.resize(num_slots, 0);
        let num_words = (FILTER_BITS * hashes.len()).next_power_of_two().max(64) / 64;
        reserve_exact(&mut filter, num_words, TABLE)?;
        filter.resize(num_words, 0);
        let power = (0..len).fold(1u64, |power, _| power.wrapping_mul(BASE));
        let mut table = Self { len, power, hashes, ends, positions, slots, filter };
        for number in 0..table.hashes.len() {
            let hash = table.hashes[number];
            // The first run of a hash is found; the others follow it.
            if number > 0 && table.hashes[number - 1] == hash {
                continue;
            }
            let (word, bits) = table.filter_position(hash);
            table.filter[word] |= bits;
            let mut slot = table.first_slot(hash);
            while table.slots[slot] != 0 {
                slot = (slot + 1) & (table.slots.len() - 1);
            }
            table.slots[slot] = number as u32 + 1;
        }
        Ok(table)
    }

    /// The number of words of a run.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The number of distinct runs.
    pub(super) fn num_runs(&self) -> usize {
        self.hashes.len()
    }

    /// The positions of a distinct run in the words of all benchmarks, ascending.
    pub(super) fn positions(&self, run: usize) -> &[u32] {
        let start = run.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.positions[start..self.ends[run] as usize]
    }

    /// Removes the word that is `len` words before the last one from a rolling hash.
    #[inline(always)]
    pub(super) fn forget(&self, hash: &mut RunHash, word: u64) {
        hash.0 = hash.0.wrapping_sub(word.wrapping_mul(self.power));
    }

    /// The first distinct run with this hash.
    #[inline(always)]
    pub(super) fn find(&self, hash: RunHash) -> Option<usize> {
        let (word, bits) = self.filter_position(hash.0);
        if self.filter[word] & bits == bits { self.find_slot(hash.0) } else { None }
    }

    /// Whether any of these hashes is the hash of a run. The memory accesses of a block do not wait for each other.
    pub(super) fn has_any(&self, hashes: &[RunHash]) -> bool {
        hashes.iter().any(|&hash| self.find(hash).is_some())
    }

    fn find_slot(&self, hash: u64) -> Option<usize> {
        let mut slot = self.first_slot(hash);
        loop {
            let run = self.slots[slot].checked_sub(1)? as usize;
            if self.hashes[run] == hash {
                return Some(run);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    /// The distinct run that consists of these words, after a run with the same hash was found.
    ///
    /// * `words`: the words of all benchmarks.
    pub(super) fn prove(&self, first: usize, words: &[u64], run: &[u64]) -> Option<usize> {
        let hash = self.hashes[first];
        let same_hash = (first..self.hashes.len()).take_while(|&number| self.hashes[number] == hash);
        let mut same_hash = same_hash;
        same_hash.find(|&number| words[self.positions(number)[0] as usize..][..self.len] == *run)
    }

    /// The word of the filter and the two bits in it for a hash.
    #[inline(always)]
    fn filter_position(&self, hash: u64) -> (usize, u64) {
        // The high bits of a sum of products depend on all words.
        ((hash >> 20) as usize & (self.filter.len() - 1), 1 << (hash >> 58) | 1 << (hash >> 52 & 63))
    }

    fn first_slot(&self, hash: u64) -> usize {
        (hash.wrapping_mul(BASE) >> 24) as usize & (self.slots.len() - 1)
    }

    /// Bytes in memory.
    pub(super) fn num_bytes(&self) -> usize {
        8 * (self.hashes.capacity() + self.filter.capacity())
            + 4 * (self.ends.capacity() + self.positions.capacity() + self.slots.capacity())
    }
}

fn hash(run: &[u64]) -> u64 {
    let mut hash = RunHash::default();
    run.iter().for_each(|&word| hash.add(word));
    hash.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_run_is_found_with_its_positions_and_no_other() {
        let words: Vec<u64> = (0..500u64).map(|at| at * at % 31 % 7).collect();
        let words: Vec<u64> = words.iter().map(|word| word.wrapping_mul(0x9E37_79B9_7F4A_7C15)).collect();
        for len in [1, 3, 13] {
            let table = RunTable::new(&words, len, 0..(words.len() - len) as u32).unwrap();
            let mut hash = RunHash::default();
            for end in 0..words.len() {
                hash.add(words[end]);
                if end >= len {
                    table.forget(&mut hash, words[end - len]);
                }
                if end + 1 < len || end + 1 == words.len() {
                    continue;
                }
                let run = &words[end + 1 - len..=end];
                let found = table.find(hash).and_then(|first| table.prove(first, &words, run)).unwrap();
                let expected: Vec<u32> =
                    (0..(words.len() - len) as u32).filter(|&at| words[at as usize..][..len] == *run).collect();
                assert_eq!(table.positions(found), expected);
            }
            let mut other = RunHash::default();
            (0..len as u64).for_each(|word| other.add(word + 99));
            assert!(table.find(other).is_none());
        }
    }

    #[test]
    fn runs_with_one_hash_are_distinct() {
        // The second run has the same polynomial as the first.
        let words = [1, 0, 0, BASE];
        let table = RunTable::new(&words, 2, [0, 2].into_iter()).unwrap();
        let mut hash = RunHash::default();
        words[..2].iter().for_each(|&word| hash.add(word));
        let first = table.find(hash).unwrap();
        let found = [[1, 0], [0, BASE]].map(|run| table.prove(first, &words, &run).map(|run| table.positions(run)[0]));
        assert_eq!((found, table.num_runs()), ([Some(0), Some(2)], 2));
        assert_eq!(table.prove(first, &words, &[2, BASE]), None);
    }
}
