//! `HashLists`: lists the texts of each hash, and counts for one text after another what it has in common with each
//! longer text.
//!
//! To make the lists, the hashes of all texts are distributed to parts by their highest bits, and each part is sorted.
//! [`ListTally`] then looks up each hash of a text and adds it to the [`CommonRuns`] of all longer texts in the list.
//! Its cost depends on the number of common hashes, not on the lengths of the longer texts.

use rayon::prelude::*;

use crate::base::flat::radix_sort::sort_by_hash;
use crate::compare::passages::{CommonRuns, RunLimits};

/// The number of parts of the lists; the highest bits of a hash choose its part.
const PARTS: usize = 1 << PART_BITS;
const PART_BITS: u32 = 8;
/// The number of texts whose hashes are distributed to the parts in one task.
const TEXTS: usize = 64;

/// The data of a text that the filter needs before alignment.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextHashes<'t> {
    /// The hashes of all its runs of `min_run` tokens.
    pub(super) hashes: &'t [u32],
    pub(super) num_tokens: u64,
    /// Texts with different salts never form a pair.
    pub(super) salt: u32,
}

/// The texts of each hash that several texts have: 4 bytes for each of these texts, 12 for each such hash, and during
/// construction 16 for each hash of a text.
pub(super) struct HashLists {
    parts: Vec<ListPart>,
}

/// The lists of the hashes with the same highest bits.
#[derive(Default)]
struct ListPart {
    /// For each value of the bits after the highest `PART_BITS`, the index in `hashes` where its hashes begin; at the
    /// end, their number.
    starts: Vec<u32>,
    shift: u32,
    hashes: Vec<u32>,
    /// The end of each hash's part of `texts`.
    ends: Vec<u32>,
    /// The texts of each hash, ascending for each.
    texts: Vec<u32>,
}

impl HashLists {
    /// Builds the lists, in the thread pool.
    pub(super) fn new(texts: &[TextHashes<'_>]) -> Self {
        let dealt: Vec<Vec<Vec<u64>>> = texts
            .par_chunks(TEXTS)
            .enumerate()
            .map(|(chunk, texts)| {
                let mut dealt = vec![Vec::new(); PARTS];
                for (number, text) in (chunk * TEXTS..).zip(texts) {
                    for hash in text.hashes.iter().map(|hash| hash ^ text.salt) {
                        dealt[(hash >> (32 - PART_BITS)) as usize].push(u64::from(hash) << 32 | number as u64);
                    }
                }
                dealt
            })
            .collect();
        let part = |(entries, scratch): &mut (Vec<u64>, Vec<u64>), part: usize| {
            entries.clear();
            dealt.iter().for_each(|dealt| entries.extend_from_slice(&dealt[part]));
            sort_by_hash(entries, scratch, |entry| entry << PART_BITS);
            ListPart::new(entries)
        };
        let parts = (0..PARTS).into_par_iter().map_init(Default::default, part).collect();
        Self { parts }
    }

    /// The texts of a hash, ascending; empty if only one text has the hash.
    #[inline]
    fn texts(&self, hash: u32) -> &[u32] {
        self.parts[(hash >> (32 - PART_BITS)) as usize].texts(hash)
    }
}

impl ListPart {
    /// * `entries`: hashes and texts, ascending.
    fn new(entries: &[u64]) -> Self {
        let mut part = Self::default();
        for same in entries.chunk_by(|entry, next| entry >> 32 == next >> 32) {
            if same[0] as u32 == same[same.len() - 1] as u32 {
                continue;
            }
            let start = part.texts.len();
            part.texts.extend(same.iter().map(|&entry| entry as u32));
            let mut end = start + 1;
            for at in start + 1..part.texts.len() {
                part.texts[end] = part.texts[at];
                end += usize::from(part.texts[end - 1] != part.texts[at]);
            }
            part.texts.truncate(end);
            part.hashes.push((same[0] >> 32) as u32);
            part.ends.push(end as u32);
        }
        let bits = (part.hashes.len().max(1).ilog2() + 1).min(32 - PART_BITS);
        part.shift = 32 - PART_BITS - bits;
        part.starts = vec![0; (1 << bits) + 1];
        for hash in &part.hashes {
            let slot = part.slot(*hash);
            part.starts[slot + 1] += 1;
        }
        let mut sum = 0;
        part.starts.iter_mut().for_each(|start| {
            sum += *start;
            *start = sum;
        });
        part
    }

    #[inline]
    fn slot(&self, hash: u32) -> usize {
        (hash << PART_BITS >> PART_BITS >> self.shift) as usize
    }

    #[inline]
    fn texts(&self, hash: u32) -> &[u32] {
        let slot = self.slot(hash);
        let (start, end) = (self.starts[slot] as usize, self.starts[slot + 1] as usize);
        let Some(at) = self.hashes[start..end].iter().position(|&other| other == hash) else { return &[] };
        let at = start + at;
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.texts[start as usize..self.ends[at] as usize]
    }
}

/// Counts what one text has in common with each longer text; keeps its buffers. 20 bytes per text.
#[derive(Debug, Default)]
pub(super) struct ListTally {
    common: Vec<CommonRuns>,
    /// The texts that have anything in common with the current one.
    counted: Vec<u32>,
}

impl ListTally {
    /// Counts what a text has in common with the texts of higher numbers.
    ///
    /// * `num_texts`: the number of texts in all lists.
    pub(super) fn count(
        &mut self,
        lists: &HashLists,
        number: u32,
        text: &TextHashes<'_>,
        num_texts: usize,
        limits: RunLimits,
    ) {
        let Self { common, counted } = self;
        counted.drain(..).for_each(|text| common[text as usize] = CommonRuns::default());
        common.resize(num_texts.max(common.len()), CommonRuns::default());
        for (at, hash) in (0..).zip(text.hashes) {
            for &other in lists.texts(hash ^ text.salt).iter().rev().take_while(|&&other| other > number) {
                let common = &mut common[other as usize];
                if common.is_empty() {
                    counted.push(other);
                }
                common.add(at, limits);
            }
        }
    }

    /// The common runs of the counted text and a text of a higher number.
    pub(super) fn common_runs(&self, other: u32) -> CommonRuns {
        self.common[other as usize]
    }
}
