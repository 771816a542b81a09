//! `ShingleParts`: the distinct shingles of a text, all at once or, when there are too many for the memory, part by part.
//!
//! The highest bits of a hash choose its part, so the parts have about the same size and no shingle is in two of them.
//! For each part the whole text is cut into shingles again, and the shingles of other parts are skipped.

use crate::search::corpus::Tools;
use crate::text::shingle::{ShingleHashes, ShingleSet};

/// Bytes per shingle of a text that is held whole, including its position in an index and its frequency.
const WHOLE_BYTES: u64 = 40;
/// The minimum number of shingles in a part, whatever the memory.
const LEAST: u64 = 16;

/// The distinct shingles of a text that are not removed, in parts of bounded size. Each part reads the whole
/// text again.
pub(super) struct ShingleParts<'t, 'r> {
    text: &'t [u8],
    tools: &'t mut Tools<'r>,
    /// There are 2 to the power of this many parts. The highest bits of a hash are the number of its part.
    bits: u32,
    /// The whole set, where there is one part.
    whole: Option<(ShingleSet, Vec<u32>)>,
    hashes: Vec<u64>,
}

impl<'t, 'r> ShingleParts<'t, 'r> {
    /// * `num_shingles`: an upper bound of the text's number of shingles.
    /// * `most_bytes`: the maximum size of the shingles of a whole text, with the structures made from them.
    /// * `most`: about the maximum number of shingles in a part.
    pub(super) fn new(
        text: &'t [u8],
        tools: &'t mut Tools<'r>,
        num_shingles: u32,
        most_bytes: u64,
        most: usize,
    ) -> Self {
        let num_shingles = u64::from(num_shingles);
        let is_whole = num_shingles <= (most_bytes / WHOLE_BYTES).max(LEAST);
        let most = (most as u64).max(LEAST);
        let bits = if is_whole { 0 } else { num_shingles.div_ceil(most).next_power_of_two().ilog2() };
        Self { text, tools, bits, whole: None, hashes: Vec::new() }
    }

    /// Whether there is one part.
    pub(super) fn is_whole(&self) -> bool {
        self.bits == 0
    }

    /// Calls `visit` with each part, and with the weights of its shingles where shingles have weights.
    pub(super) fn for_each(&mut self, mut visit: impl FnMut(&[u64], &[u32])) {
        let Self { text, tools, bits, whole, hashes } = self;
        let has_weights = tools.has_weights();
        if *bits == 0 {
            let (set, weights) = whole.get_or_insert_with(|| match has_weights {
                true => tools.weighted_set_of(text),
                false => (tools.set_of(text), Vec::new()),
            });
            return visit(set.hashes(), weights);
        }
        if has_weights {
            return self.for_each_weighted(visit);
        }
        for part in 0..1u64 << *bits {
            hashes.clear();
            let mut full = 1 << 16;
            tools.remaining(text).for_each_block(&mut |block| {
                hashes.extend(block.iter().filter(|&hash| hash >> (64 - *bits) == part));
                if hashes.len() > full {
                    make_distinct(hashes);
                    full = full.max(2 * hashes.len());
                }
            });
            make_distinct(hashes);
            visit(hashes, &[]);
        }
    }

    /// Does the work of [`for_each`](Self::for_each) for several parts with weights.
    fn for_each_weighted(&mut self, mut visit: impl FnMut(&[u64], &[u32])) {
        let mut shingles: Vec<(u64, u32)> = Vec::new();
        for part in 0..1u64 << self.bits {
            shingles.clear();
            let mut full = 1 << 16;
            self.tools.for_each_weighted(self.text, &mut |_| {}, &mut |hashes, weights| {
                let all = hashes.iter().copied().zip(weights.iter().copied());
                shingles.extend(all.filter(|&(hash, _)| hash >> (64 - self.bits) == part));
                if shingles.len() > full {
                    make_distinct(&mut shingles);
                    full = full.max(2 * shingles.len());
                }
            });
            make_distinct(&mut shingles);
            let (hashes, weights): (Vec<u64>, Vec<u32>) = shingles.iter().copied().unzip();
            visit(&hashes, &weights);
        }
    }
}

fn make_distinct<T: Ord>(shingles: &mut Vec<T>) {
    shingles.sort_unstable();
    shingles.dedup();
}
