//! `RunFilter`: computes an upper bound of the number of matching tokens of two texts, many times faster than an
//! alignment.

use super::rolling_hash::{RollingHash, TokenId};
use super::settings::PassageSettings;
use crate::text::shingle::{Ids, Tokens};

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

/// The settings of passages, converted to hashes of runs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RunLimits {
    min_run: u32,
    /// Number of consecutive hashes in an anchor.
    anchor: u32,
    /// Maximum distance from a common hash to the next one of the same passage.
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

/// Computes an upper bound of the matching tokens of a text, from one common hash to the next.
///
/// Every tile consists of runs of `min_run` tokens that are in both texts, and no token is in two tiles. The gaps
/// between the tiles of a passage are at most `max_gap`, and one tile has the length of an anchor. Cut the text into
/// parts at each larger gap. The matched tokens are then at most the tokens that such runs cover in parts with a
/// span as long as an anchor. Hashes that are equal by chance only increase this bound.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct CommonRuns {
    /// Number of tokens in completed parts that have an anchor.
    tokens: u32,
    /// Number of tokens in the current part.
    of_part: u32,
    has_anchor: bool,
    /// Number of consecutive common hashes.
    in_a_row: u32,
    /// The position after the last common hash; 0 if there is none.
    next: u32,
}

impl CommonRuns {
    /// Adds the common hash at position `at`, which must be after the last one.
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

    /// Maximum number of tokens in passages.
    pub(crate) fn most_tokens(&self) -> u32 {
        self.tokens + if self.has_anchor { self.of_part } else { 0 }
    }

    /// Whether no common hash was added.
    pub(crate) fn is_empty(&self) -> bool {
        self.next == 0
    }
}

/// The run hashes of one text, in which the hashes of other texts are looked up; keeps its buffers.
#[derive(Debug, Clone)]
pub(crate) struct RunFilter {
    /// A bit for the highest 18 bits of each hash. For a text of some thousand tokens few bits are set. They rule out
    /// nearly all hashes that are not in the text, and stay in the processor's cache.
    bits: Box<[u64; BIT_WORDS]>,
    /// The hashes, each in the slot of its highest bits or a later one; 0 for an empty slot, and 1 for the hash 0.
    slots: Vec<u32>,
    slots_shift: u32,
}

/// Number of words of bits, 32 KiB.
const BIT_WORDS: usize = 1 << 12;
/// Number of hashes that are looked up in the bits together.
const AT_A_TIME: usize = 8;

impl Default for RunFilter {
    fn default() -> Self {
        Self { bits: Box::new([0; BIT_WORDS]), slots: vec![0; 2], slots_shift: 31 }
    }
}

impl RunFilter {
    /// Replaces the content by the hashes of a text.
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

    /// Finds the hashes that another text shares with the indexed one.
    ///
    /// * `hashes`: the run hashes of the other text.
    pub(crate) fn common_runs(&self, hashes: &[u32], limits: RunLimits) -> CommonRuns {
        let mut common = CommonRuns::default();
        for (number, some) in hashes.chunks(AT_A_TIME).enumerate() {
            // Most texts share almost no hash, so one branch for several hashes is faster.
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

    /// The slot that contains a hash, or the empty slot for it.
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

/// Measures the check that decides whether two texts are aligned, given the hashes of their runs: the maximum number of
/// the second text's tokens that passages can cover.
///
/// Benchmarks use this function; it is not part of the public interface.
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
            // Hashes as in texts, distributed over the entire range, and others.
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
            // The hashes 0 and 1 count as one.
            let has_both = |list: &[u32]| list.iter().any(|&hash| hash < 2);
            if !(has_both(&a) && has_both(&b)) {
                let settings = PassageSettings::new(min_run, min_run + more, max_gap).unwrap();
                let common = filter.common_runs(&b, RunLimits::new(settings));
                prop_assert_eq!(common.most_tokens(), most_tokens(&is_shared, settings));
                prop_assert_eq!(common.is_empty(), !is_shared.contains(&true));
            }
        }
    }

    /// The definition, token by token.
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
