//! `RunFilter`: says of two texts how many tokens can match at most, many times faster than an alignment does.

use super::rolling_hash::{RollingHash, TokenId};
use crate::shingle::{Ids, Tokens};

/// The hashes of all runs of `min_run` tokens of a text, in order, as their highest 32 bits.
pub(crate) fn run_hashes(tokens: &Tokens, min_run: usize) -> Vec<u32> {
    fn of<T: TokenId>(ids: &[T], min_run: usize) -> Vec<u32> {
        if ids.len() < min_run {
            return Vec::new();
        }
        let mut hashes = RollingHash::new(ids, min_run);
        (0..=ids.len() - min_run).map(|at| (hashes.at(at) >> 32) as u32).collect()
    }
    match tokens.ids() {
        Ids::Ascii(ids) => of(ids, min_run),
        Ids::Chars(ids) => of(ids, min_run),
        Ids::Pieces(ids) => of(ids, min_run),
    }
}

/// What two texts can match at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MostMatched {
    /// Tokens of the other text in runs of hashes that the indexed one has, too.
    pub(crate) tokens: u64,
    /// Such hashes in a row.
    pub(crate) longest: usize,
}

/// The hashes of one text, to be looked up with those of others; keeps its buffers.
///
/// Every tile is made of runs of `min_run` tokens that are in both texts, and no token is in two tiles. So a text has no more
/// matched tokens than such runs cover. Hashes that are equal by chance add to that, and nothing takes away from it.
#[derive(Debug, Clone)]
pub(crate) struct RunFilter {
    /// A bit for the highest 18 bits of each hash. Of a text of some thousand tokens few are set: they alone tell nearly all
    /// hashes that are not there, and stay in the processor's cache.
    bits: Box<[u64; BIT_WORDS]>,
    /// The hashes, each at the place of its highest bits or behind; 0 for none, and in place of 0 itself 1.
    slots: Vec<u32>,
    slots_shift: u32,
}

/// Words of bits: 32 KiB.
const BIT_WORDS: usize = 1 << 12;
/// Hashes that are looked up in the bits together.
const AT_A_TIME: usize = 8;

impl Default for RunFilter {
    fn default() -> Self {
        Self { bits: Box::new([0; BIT_WORDS]), slots: vec![0; 2], slots_shift: 31 }
    }
}

impl RunFilter {
    /// Forgets what was there and takes the hashes of a text.
    pub(crate) fn index(&mut self, hashes: &[u32]) {
        self.bits.fill(0);
        let num_slots = (2 * hashes.len()).next_power_of_two().max(2);
        self.slots.clear();
        self.slots.resize(num_slots, 0);
        self.slots_shift = 32 - num_slots.ilog2().min(32);
        for &hash in hashes {
            self.bits[(hash >> 20) as usize] |= 1 << (hash >> 14 & 63);
            let slot = self.slot(hash);
            self.slots[slot] = hash.max(1);
        }
    }

    /// How many tokens of another text can match.
    ///
    /// * `hashes`: its hashes, of runs of `min_run` tokens.
    pub(crate) fn most_matched(&self, hashes: &[u32], min_run: usize) -> MostMatched {
        let (mut tokens, mut covered_to) = (0, 0);
        let (mut longest, mut in_a_row, mut next) = (0, 0, 0);
        for (number, some) in hashes.chunks(AT_A_TIME).enumerate() {
            // Most texts share next to nothing, and need no branch for each hash.
            if !some.iter().fold(false, |any, &hash| any | self.may_contain(hash)) {
                continue;
            }
            for (at, &hash) in (number * AT_A_TIME..).zip(some) {
                if !self.may_contain(hash) || self.slots[self.slot(hash)] == 0 {
                    continue;
                }
                tokens += at + min_run - covered_to.max(at);
                covered_to = at + min_run;
                in_a_row = if at == next { in_a_row + 1 } else { 1 };
                next = at + 1;
                longest = in_a_row.max(longest);
            }
        }
        MostMatched { tokens: tokens as u64, longest }
    }

    #[inline(always)]
    fn may_contain(&self, hash: u32) -> bool {
        self.bits[(hash >> 20) as usize] >> (hash >> 14 & 63) & 1 == 1
    }

    /// The slot that a hash is in, or would be put into.
    #[inline]
    fn slot(&self, hash: u32) -> usize {
        let hash = hash.max(1);
        let mask = self.slots.len() - 1;
        let mut slot = (hash >> self.slots_shift) as usize & mask;
        while self.slots[slot] != 0 && self.slots[slot] != hash {
            slot = (slot + 1) & mask;
        }
        slot
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_can_match_is_what_shared_hashes_cover(
            a in prop::collection::vec(prop_oneof![0u32..40, any::<u32>()], 0..80),
            b in prop::collection::vec(prop_oneof![0u32..40, any::<u32>()], 0..80),
            min_run in 1usize..7,
            spread in any::<bool>(),
        ) {
            // Hashes as they are in texts, spread over all of their range, and others.
            let hashes = |list: Vec<u32>| -> Vec<u32> {
                list.into_iter().map(|hash| if spread { hash.wrapping_mul(0x9E37_79B1) } else { hash.max(1) }).collect()
            };
            let (a, b) = (hashes(a), hashes(b));
            let mut filter = RunFilter::default();
            for _ in 0..2 {
                filter.index(&b);
                filter.index(&a);
            }
            let is_shared: Vec<bool> = b.iter().map(|hash| a.contains(hash)).collect();
            let num_tokens = if b.is_empty() { 0 } else { b.len() + min_run - 1 };
            let is_covered = |token: usize| {
                (0..b.len()).any(|at| is_shared[at] && (at..at + min_run).contains(&token))
            };
            let tokens = (0..num_tokens).filter(|&token| is_covered(token)).count() as u64;
            let runs = is_shared.chunk_by(|a, b| a == b).filter(|run| run[0]);
            let longest = runs.map(<[bool]>::len).max().unwrap_or(0);
            // 0 and 1 count as one.
            let has_both = |list: &[u32]| list.iter().any(|&hash| hash < 2);
            if !(has_both(&a) && has_both(&b)) {
                prop_assert_eq!(filter.most_matched(&b, min_run), MostMatched { tokens, longest });
            }
        }
    }
}
