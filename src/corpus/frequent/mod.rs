//! Document frequencies: finds the shingles that are in more than N documents, exactly, in bounded memory.
//!
//! `bound` counts during the first reading, and is never too low. `exact` then counts the shingles that may be in too many
//! documents. It reads the documents once more, or several times when the counts do not fit the memory.

mod bound;
mod exact;

use std::collections::HashSet;

pub(super) use self::bound::Tally;
use crate::corpus::reread::Rereader;
use crate::document::{DocId, Documents};
use crate::memory::MemoryPlan;
use crate::removal::MaxDf;

/// The texts of the shingles that are in many.
#[derive(Debug, Default)]
pub(super) struct TextCounts {
    /// The number of distinct texts. Exact copies count once.
    pub(super) num_texts: u64,
    /// Shingles and the number of texts that they are in, ascending by shingle.
    pub(super) counts: Vec<(u64, u32)>,
}

impl TextCounts {
    /// Counts the texts of all shingles that are in more than a limit.
    ///
    /// * `limit`: the most texts of a shingle that is not counted.
    /// * `max_df`: another limit, which may come to fewer texts.
    /// * `tally`: the counts of all documents, made for this limit.
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

    /// The shingles that are in more texts than `max_df` allows, ascending, and how many it allows.
    pub(super) fn frequent(&self, max_df: MaxDf) -> (u64, Vec<u64>) {
        let limit = max_df.most(self.num_texts);
        let is_frequent = |&&(_, count): &&(u64, u32)| u64::from(count) > limit;
        (limit, self.counts.iter().filter(is_frequent).map(|&(hash, _)| hash).collect())
    }
}

#[cfg(test)]
mod tests;
