//! `VerifiedEdge`: two documents and their exact similarity; `Joined`: an edge with a direction, from the document that
//! it added to a group.

use std::cmp::Ordering;

use crate::compare::verify::DuplicatePair;
use crate::documents::document::DocId;

/// Two documents whose similarity was verified. 16 bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VerifiedEdge {
    /// The document that comes first in document order.
    pub a: DocId,
    /// The document that comes second in document order.
    pub b: DocId,
    /// Exact Jaccard similarity of the two documents, from 0 to 1.
    pub similarity: f64,
}

/// A member of a group, and the edge that added it. 16 bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Joined {
    /// The added member.
    pub document: DocId,
    /// The earlier member of the group that it was joined to.
    pub by: DocId,
    /// Exact similarity of the two members, from 0 to 1.
    pub similarity: f64,
}

impl VerifiedEdge {
    /// Creates the edge of two documents, in any order.
    ///
    /// # Panics
    /// When both are the same document.
    pub fn new(one: DocId, other: DocId, similarity: f64) -> Self {
        assert!(one != other, "an edge joins two documents");
        Self { a: one.min(other), b: one.max(other), similarity }
    }

    /// The order in which edges join groups: by descending similarity, then by document order.
    pub(super) fn by_strength(&self, other: &Self) -> Ordering {
        other.similarity.total_cmp(&self.similarity).then_with(|| self.ends().cmp(&other.ends()))
    }

    pub(super) fn ends(&self) -> (DocId, DocId) {
        (self.a, self.b)
    }
}

impl From<&DuplicatePair> for VerifiedEdge {
    fn from(pair: &DuplicatePair) -> Self {
        Self::new(pair.a, pair.b, pair.similarity())
    }
}
