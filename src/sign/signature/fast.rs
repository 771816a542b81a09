//! The fast signature: Fast Similarity Sketching (Dahlgaard, Knudsen, Houen, Thorup 2017, arXiv 1704.04370).
//!
//! With t slots, round i < t throws each shingle into one slot chosen by its hash and keeps the minimum hash of each
//! slot; round t + j offers every shingle to slot j only. Rounds end when every slot is set, and a slot set in an
//! earlier round is never changed by a later one. A large set needs one round, a single shingle at most 2t.
//!
//! The slot is the hash scaled to 0..t, so the minimum hash of a slot is the minimum of uniform values within it.

use std::sync::Arc;

use super::hash_family::{RoundHash, round_hashes};
use super::kernel::slots::{self, SlotKernel, UNSET};
use crate::text::shingle::{ShingleHashes, ShingleSetBuilder};

#[derive(Debug, Clone)]
pub(super) struct FastSigner {
    /// 2t functions, one per round.
    rounds: Arc<[RoundHash]>,
    kernel: SlotKernel,
    slots: Vec<u64>,
    /// The slots and hashes of the shingles that fall into unset slots in a later round.
    found: Vec<(u32, u64)>,
    /// A copy of the shingles while they are few enough to be needed again.
    few: Vec<u64>,
    distinct: ShingleSetBuilder,
}

impl FastSigner {
    pub(super) fn new(num_hashes: usize, seed: u64) -> Self {
        Self::with_kernel(num_hashes, seed, slots::best())
    }

    pub(super) fn with_kernel(num_hashes: usize, seed: u64, kernel: SlotKernel) -> Self {
        Self {
            rounds: round_hashes(2 * num_hashes, seed).into(),
            kernel,
            slots: vec![UNSET; num_hashes],
            found: Vec::new(),
            few: Vec::new(),
            distinct: ShingleSetBuilder::default(),
        }
    }

    pub(super) fn sign(&mut self, shingles: &mut dyn ShingleHashes, signature: &mut [u32]) -> bool {
        // Larger sets than t·(ln t + 5) leave a slot empty with a probability below e⁻⁵: not worth a copy.
        let num_slots = self.slots.len();
        let enough = num_slots * (num_slots.ilog2() as usize + 5);
        let first = self.rounds[0];
        let mut num_shingles = 0;
        self.slots.fill(UNSET);
        self.few.clear();
        shingles.for_each_block(&mut |block| {
            num_shingles += block.len();
            if num_shingles <= enough {
                self.few.extend_from_slice(block);
            }
            (self.kernel.throw)(first, block, &mut self.slots);
        });
        let num_unset = if num_shingles > 0 { self.slots.iter().filter(|&&slot| slot == UNSET).count() } else { 0 };
        if num_unset > 0 {
            if num_shingles <= enough {
                let few = std::mem::take(&mut self.few);
                self.later_rounds(&few, num_unset);
                self.few = few;
            } else {
                // Many shingles, but few distinct ones: find those first.
                shingles.for_each_block(&mut |block| self.distinct.extend(block));
                let set = self.distinct.take();
                self.later_rounds(set.hashes(), num_unset);
            }
        }
        for (value, &slot) in signature.iter_mut().zip(&self.slots) {
            *value = slot as u32;
        }
        num_shingles > 0
    }

    /// The slots after the first round over a part of a set. The minima over all parts are the slots of the set, unless
    /// one of the minima is `UNSET`.
    pub(super) fn first_slots(&mut self, shingles: &mut dyn ShingleHashes) -> Box<[u64]> {
        let first = self.rounds[0];
        self.slots.fill(UNSET);
        shingles.for_each_block(&mut |block| (self.kernel.throw)(first, block, &mut self.slots));
        self.slots.as_slice().into()
    }

    /// Sets the slots that no shingle has reached in the first round.
    ///
    /// * `num_unset`: the number of these slots.
    fn later_rounds(&mut self, shingles: &[u64], mut num_unset: usize) {
        let num_slots = self.slots.len();
        for (round, &function) in self.rounds.iter().enumerate().skip(1) {
            if num_unset == 0 {
                return;
            }
            match round.checked_sub(num_slots) {
                None => {
                    self.found.clear();
                    (self.kernel.find_unset)(function, shingles, &self.slots, &mut self.found);
                    for &(slot, hash) in &self.found {
                        let slot = &mut self.slots[slot as usize];
                        num_unset -= usize::from(*slot == UNSET);
                        *slot = hash.min(*slot);
                    }
                }
                Some(slot) if self.slots[slot] == UNSET => {
                    let least = shingles.iter().map(|&shingle| function.hash(shingle)).min();
                    self.slots[slot] = least.expect("a set without shingles has no rounds");
                    num_unset -= 1;
                }
                Some(_) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    /// The definition in the paper, with a hash map of slots and without shortcuts.
    fn naive(shingles: &[u64], num_slots: usize, seed: u64) -> Vec<u32> {
        let functions = round_hashes(2 * num_slots, seed);
        let mut slots: HashMap<usize, (usize, u64)> = HashMap::new();
        for (round, function) in functions.iter().enumerate() {
            for &shingle in shingles {
                let hash = function.hash(shingle);
                let slot = match round.checked_sub(num_slots) {
                    Some(slot) => slot,
                    None => ((u128::from(hash >> 29) * num_slots as u128) >> 32) as usize,
                };
                let value = (round, hash);
                slots.entry(slot).and_modify(|least| *least = value.min(*least)).or_insert(value);
            }
            if slots.len() == num_slots {
                break;
            }
        }
        (0..num_slots).map(|slot| slots[&slot].1 as u32).collect()
    }

    #[test]
    fn equals_the_papers_definition_at_every_size() {
        for num_slots in [1, 2, 7, 100] {
            let mut signer = FastSigner::new(num_slots, 7);
            for size in [1, 2, 3, 5, 20, 100, 300, 1000, 5000] {
                let shingles: Vec<u64> = (0..size).map(|i: u64| xxhash_rust::xxh3::xxh3_64(&i.to_le_bytes())).collect();
                let mut signature = vec![0; num_slots];
                assert!(signer.sign(&mut shingles.as_slice(), &mut signature));
                assert_eq!(signature, naive(&shingles, num_slots, 7), "{num_slots} slots, {size} shingles");
            }
        }
    }

    #[test]
    fn repeats_and_order_change_nothing() {
        for distinct in [3u64, 500] {
            let once: Vec<u64> = (0..distinct).map(|i| xxhash_rust::xxh3::xxh3_64(&i.to_le_bytes())).collect();
            let often: Vec<u64> = once.iter().rev().cycle().take(20_000).copied().collect();
            let mut signer = FastSigner::new(100, 1);
            let (mut a, mut b) = (vec![0; 100], vec![0; 100]);
            signer.sign(&mut once.as_slice(), &mut a);
            signer.sign(&mut often.as_slice(), &mut b);
            assert_eq!(a, b, "{distinct} distinct shingles");
        }
    }

    #[test]
    fn no_shingles_sign_nothing() {
        let mut signature = [0; 4];
        assert!(!FastSigner::new(4, 1).sign(&mut [].as_slice(), &mut signature));
        assert_eq!(signature, [u32::MAX; 4]);
    }
}
