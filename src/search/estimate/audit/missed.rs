//! `MissedPairs`: keeps the most similar of the pairs that a run missed.

use serde::Serialize;

use crate::compare::verify::DuplicatePair;
use crate::documents::document::{DocId, Documents};

/// A pair at or above the threshold that the run did not find.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MissedPair {
    /// The name of the document that comes first in document order, with U+FFFD instead of bytes that are not UTF-8.
    pub a: String,
    /// The name of the other document, in the same form.
    pub b: String,
    /// The exact Jaccard similarity of the two documents, weighted where shingles have weights.
    pub jaccard: f64,
}

/// The most similar of all pairs that are added, in bounded memory.
#[derive(Debug, Default)]
pub(super) struct MissedPairs(Vec<(f64, DocId, DocId)>);

impl MissedPairs {
    /// The number of pairs that are kept.
    const MOST: usize = 100;

    pub(super) fn add(&mut self, pair: &DuplicatePair) {
        self.0.push((pair.similarity(), pair.a, pair.b));
        if self.0.len() >= 2 * Self::MOST {
            self.keep_first();
        }
    }

    fn keep_first(&mut self) {
        let Self(pairs) = self;
        pairs.sort_unstable_by(|one, other| other.0.total_cmp(&one.0).then((one.1, one.2).cmp(&(other.1, other.2))));
        pairs.truncate(Self::MOST);
    }

    /// Returns the pairs with the names of their documents, the most similar first; pairs of equal similarity in
    /// document order.
    pub(super) fn named(mut self, documents: &Documents) -> Vec<MissedPair> {
        self.keep_first();
        let name = |document| String::from_utf8_lossy(documents.name(document)).into_owned();
        self.0.into_iter().map(|(jaccard, a, b)| MissedPair { a: name(a), b: name(b), jaccard }).collect()
    }
}
