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

/// What `max_df` allows, as a number of texts, and the shingles that are in more, ascending; each text counts once however
/// many copies it has.
///
/// * `tally`: has counted all the documents.
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
