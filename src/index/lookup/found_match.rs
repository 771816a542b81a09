//! `FoundMatch`: a query result with its place: one of the searched indexes, or the open batch.

use crate::index::read::index_match::IndexMatch;
use crate::index::texts::docs::DocRow;

/// A result of a query: a document of an index, or a document that will be added to the first index.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FoundMatch {
    pub(crate) matched: IndexMatch,
    /// The position of the index among the searched ones.
    pub(crate) index: usize,
    /// Whether the document is in the open batch.
    pub(crate) is_open: bool,
}

/// The row of the document of a result.
pub(crate) enum MatchRow<'r> {
    Stored(DocRow),
    Open(&'r DocRow),
}

impl MatchRow<'_> {
    pub(crate) fn get(&self) -> &DocRow {
        match self {
            Self::Stored(row) => row,
            Self::Open(row) => row,
        }
    }
}

/// Keeps the `best` results, the best first, if a number is given. Equally good results keep their order.
///
/// * `by_containment`: whether to rank by containment first, and then by similarity.
pub(crate) fn keep_best<T>(
    found: &mut Vec<T>,
    best: Option<usize>,
    by_containment: bool,
    matched: impl Fn(&T) -> &IndexMatch,
) {
    if let Some(best) = best {
        let compare = |a: &IndexMatch, b: &IndexMatch| match by_containment {
            true => a.compare_containment(b).then_with(|| a.compare_similarity(b)),
            false => a.compare_similarity(b),
        };
        found.sort_by(|a, b| compare(matched(b), matched(a)));
        found.truncate(best);
    }
}
