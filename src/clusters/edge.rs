//! `VerifiedEdge`: two documents and their exact similarity; and `Joined`, an edge as seen from the document it brought in.

use std::cmp::Ordering;

use crate::document::DocId;
use crate::verify::DuplicatePair;

/// Two documents whose similarity was verified. 16 bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VerifiedEdge {
    /// The document that comes first in document order.
    pub a: DocId,
    /// The document that comes second.
    pub b: DocId,
    /// Their exact Jaccard similarity, from 0 to 1.
    pub similarity: f64,
}

/// A member of a group, and the edge that brought it in. 16 bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Joined {
    /// The member.
    pub document: DocId,
    /// The member that it is joined to, which was in the group before.
    pub by: DocId,
    /// The exact similarity of the two, from 0 to 1.
    pub similarity: f64,
}

impl VerifiedEdge {
    /// The edge of two documents, in any order.
    ///
    /// # Panics
    /// When they are one document.
    pub fn new(one: DocId, other: DocId, similarity: f64) -> Self {
        assert!(one != other, "an edge joins two documents");
        Self { a: one.min(other), b: one.max(other), similarity }
    }

    /// The order in which edges join groups: by falling similarity, then by document order.
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
