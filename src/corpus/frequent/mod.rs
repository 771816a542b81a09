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

/// Returns the number of texts that `max_df` allows, and the shingles that are in more, ascending. Exact copies count once.
///
/// * `tally`: the counts of all documents.
pub(super) fn frequent_shingles(
    memory: MemoryPlan,
    max_df: MaxDf,
    tally: Tally,
    documents: &Documents,
    rereader: &Rereader,
) -> (u64, Vec<u64>) {
    let mut seen = HashSet::new();
    let firsts = (0..documents.len()).map(DocId::new).filter(|&document| documents.is_first(document));
    // A text may be in several cells.
    let texts: Vec<DocId> =
        firsts.filter(|&first| documents.scope().is_all() || seen.insert(documents.content(first))).collect();
    let limit = max_df.most(texts.len() as u64);
    let candidates = tally.into_candidates(limit);
    if candidates.is_empty() {
        return (limit, Vec::new());
    }
    (limit, exact::frequent(&candidates, limit, &texts, rereader, memory.counts()))
}

#[cfg(test)]
mod tests;
