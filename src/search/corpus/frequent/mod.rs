//! Document frequencies: finds the shingles that are in more than N documents, exactly and in bounded memory.
//!
//! `bound` counts during the first reading, in approximate counters that are never too low. `exact` then counts only
//! the shingles that may be in too many documents. It reads the documents once more, or several times when the counts
//! do not fit the memory.

mod bound;
mod exact;

use std::collections::HashSet;

pub(super) use self::bound::Tally;
use super::reread::Rereader;
use crate::base::memory::MemoryPlan;
use crate::documents::document::{DocId, Documents};
use crate::text::removal::MaxDf;

/// The numbers of texts of the shingles that are in many texts.
#[derive(Debug, Default)]
pub(super) struct TextCounts {
    /// The number of distinct texts. Exact copies count once.
    pub(super) num_texts: u64,
    /// The shingles, ascending, each with its number of texts.
    pub(super) counts: Vec<(u64, u32)>,
}

impl TextCounts {
    /// Counts the texts of all shingles that are in more than a limit.
    ///
    /// * `limit`: shingles in at most this many texts are not counted.
    /// * `max_df`: a second limit; the lower of the two limits applies.
    /// * `tally`: upper bounds of the counts of all documents, made for `limit`.
    pub(super) fn above(
        limit: MaxDf,
        max_df: Option<MaxDf>,
        memory: MemoryPlan,
        tally: Tally,
        documents: &Documents,
        rereader: &Rereader,
    ) -> Self {
        let mut seen = HashSet::new();
        let firsts = (0..documents.len()).map(DocId::new).filter(|&document| documents.is_first(document));
        // A text may be in several cells.
        let texts: Vec<DocId> =
            firsts.filter(|&first| documents.scope().is_all() || seen.insert(documents.content(first))).collect();
        let num_texts = texts.len() as u64;
        let limit = max_df.map_or(u64::MAX, |max_df| max_df.most(num_texts)).min(limit.most(num_texts));
        let candidates = tally.into_candidates(limit);
        if candidates.is_empty() {
            return Self { num_texts, counts: Vec::new() };
        }
        Self { num_texts, counts: exact::frequent(&candidates, limit, &texts, rereader, memory.counts()) }
    }

    /// The shingles that are in more texts than `max_df` allows, ascending, and the number of texts that it allows.
    pub(super) fn frequent(&self, max_df: MaxDf) -> (u64, Vec<u64>) {
        let limit = max_df.most(self.num_texts);
        let is_frequent = |&&(_, count): &&(u64, u32)| u64::from(count) > limit;
        (limit, self.counts.iter().filter(is_frequent).map(|&(hash, _)| hash).collect())
    }
}

#[cfg(test)]
mod tests;
