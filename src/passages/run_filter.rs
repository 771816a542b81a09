//! `RunFilter`: says of two texts how many tokens can match at most, many times faster than an alignment does.

use super::rolling_hash::{RollingHash, TokenId};
use super::settings::PassageSettings;
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

/// What counts as a passage, in hashes of runs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RunLimits {
    min_run: u32,
    /// Hashes of an anchor, one after another.
    anchor: u32,
    /// From a common hash to the next one of the same passage.
    most_step: u32,
}

impl RunLimits {
    pub(crate) fn new(settings: PassageSettings) -> Self {
        let small = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Self {
            min_run: small(settings.min_run()),
            anchor: small(settings.anchor() + 1 - settings.min_run()),
            most_step: small(settings.min_run().saturating_add(settings.max_gap())),
        }
    }
}

/// Counts how many tokens of a text can match another one at most, from one common hash to the next.
///
/// Every tile is made of runs of `min_run` tokens that are in both texts, and no token is in two tiles. The tiles of a passage
/// have no larger gaps than `max_gap` between them, and one has an anchor. So there are no more matched tokens than such
/// runs cover in parts that have a stretch as long as an anchor, where a part ends at each larger gap. Hashes that are equal by
/// chance add to that, and nothing takes away from it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct CommonRuns {
    /// Of the parts that are over and have an anchor.
    tokens: u32,
    /// Of the last part.
    of_part: u32,
    has_anchor: bool,
    /// Common hashes in a row.
    in_a_row: u32,
    /// The place behind the last one; 0 for none.
    next: u32,
}

impl CommonRuns {
    /// Adds the hash at a place, which is behind the last one.
    #[inline]
    pub(crate) fn add(&mut self, at: u32, limits: RunLimits) {
        let step = at + 1 - self.next;
        if self.next == 0 || step > limits.most_step {
            self.tokens = self.most_tokens();
            (self.of_part, self.has_anchor, self.in_a_row) = (limits.min_run, false, 1);
        } else {
            self.of_part += limits.min_run.min(step);
            self.in_a_row = if step == 1 { self.in_a_row + 1 } else { 1 };
        }
        self.has_anchor |= self.in_a_row >= limits.anchor;
        self.next = at + 1;
    }

    /// The most tokens in passages.
    pub(crate) fn most_tokens(&self) -> u32 {
        self.tokens + if self.has_anchor { self.of_part } else { 0 }
    }

    /// Whether there is no common hash.
    pub(crate) fn is_empty(&self) -> bool {
        self.next == 0
    }
}

/// The hashes of one text, to be looked up with those of others; keeps its buffers.
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

    /// What another text has in common with the one that was indexed.
    ///
    /// * `hashes`: its hashes.
    pub(crate) fn common_runs(&self, hashes: &[u32], limits: RunLimits) -> CommonRuns {
        let mut common = CommonRuns::default();
        for (number, some) in hashes.chunks(AT_A_TIME).enumerate() {
            // Most texts share next to nothing, and need no branch for each hash.
            if !some.iter().fold(false, |any, &hash| any | self.may_contain(hash)) {
                continue;
            }
            for (at, &hash) in (number * AT_A_TIME..).zip(some) {
                if self.may_contain(hash) && self.slots[self.slot(hash)] != 0 {
                    common.add(at as u32, limits);
                }
            }
        }
        common
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

/// What decides whether two texts are aligned, from the hashes of their runs on: the most tokens of the second one that passages
/// can cover.
///
/// This is the door through which benchmarks time it, and no part of the interface.
#[doc(hidden)]
pub fn most_tokens_in_passages(settings: PassageSettings, a: &Tokens, b: &Tokens) -> impl FnMut() -> u32 + use<> {
    let hashes = [a, b].map(|tokens| run_hashes(tokens, settings.min_run()));
    let (mut filter, limits) = (RunFilter::default(), RunLimits::new(settings));
    move || {
        filter.index(&hashes[0]);
        filter.common_runs(&hashes[1], limits).most_tokens()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_can_match_is_what_shared_hashes_cover_around_anchors(
            a in prop::collection::vec(prop_oneof![0u32..40, any::<u32>()], 0..80),
            b in prop::collection::vec(prop_oneof![0u32..40, any::<u32>()], 0..80),
            min_run in 1usize..7,
            more in 0usize..4,
            max_gap in 0usize..5,
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
            // 0 and 1 count as one.
            let has_both = |list: &[u32]| list.iter().any(|&hash| hash < 2);
            if !(has_both(&a) && has_both(&b)) {
                let settings = PassageSettings::new(min_run, min_run + more, max_gap).unwrap();
                let common = filter.common_runs(&b, RunLimits::new(settings));
                prop_assert_eq!(common.most_tokens(), most_tokens(&is_shared, settings));
                prop_assert_eq!(common.is_empty(), !is_shared.contains(&true));
            }
        }
    }

    /// By the definition, token by token.
    fn most_tokens(is_shared: &[bool], settings: PassageSettings) -> u32 {
        let (min_run, anchor) = (settings.min_run(), settings.anchor());
        let mut is_covered = vec![false; is_shared.len() + min_run - 1];
        (0..is_shared.len()).filter(|&at| is_shared[at]).for_each(|at| is_covered[at..at + min_run].fill(true));
        let covered: Vec<usize> = (0..is_covered.len()).filter(|&token| is_covered[token]).collect();
        let parts = covered.chunk_by(|token, next| next - token - 1 <= settings.max_gap());
        let has_anchor = |part: &&[usize]| {
            let runs = (part[0]..=part[part.len() - 1] + 1 - min_run).collect::<Vec<_>>();
            runs.windows(anchor + 1 - min_run).any(|runs| runs.iter().all(|&at| is_shared[at]))
        };
        parts.filter(has_anchor).map(<[usize]>::len).sum::<usize>() as u32
    }
}
