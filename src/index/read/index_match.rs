//! `IndexMatch`: a result of a query: a document of an index that is similar to the query, with the counts that prove
//! it.

use std::cmp::Ordering;

use crate::compare::verify::RemovedShingles;

/// A document of an index that is similar to a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct IndexMatch {
    /// The number of the document.
    pub(crate) document: u32,
    pub(crate) shared: u64,
    /// The number of distinct shingles of the query.
    pub(crate) shingles_a: u64,
    /// The number of distinct shingles of the document.
    pub(crate) shingles_b: u64,
    pub(crate) equal_values: u32,
    pub(crate) removed: Option<RemovedShingles>,
}

impl IndexMatch {
    /// The result for a document that has exactly the text of the query.
    ///
    /// * `number`: the number of the document.
    /// * `shingles`, `removed`: the number of distinct shingles of the text, and of its removed shingles.
    /// * `num_hashes`: the length of a signature.
    /// * `removes`: whether the index removes template shingles from texts.
    pub(crate) fn of_equal(number: u32, (shingles, removed): (usize, usize), num_hashes: usize, removes: bool) -> Self {
        let (shingles, removed) = (shingles as u64, removed as u64);
        Self {
            document: number,
            shared: shingles,
            shingles_a: shingles,
            shingles_b: shingles,
            equal_values: num_hashes as u32,
            removed: removes.then_some(RemovedShingles { a: removed, b: removed, shared: removed }),
        }
    }

    /// Compares the containment of the smaller set in the other one between two results; exact.
    pub(crate) fn compare_containment(&self, other: &Self) -> Ordering {
        let smaller = |matched: &Self| u128::from(matched.shingles_a.min(matched.shingles_b));
        (u128::from(self.shared) * smaller(other)).cmp(&(u128::from(other.shared) * smaller(self)))
    }

    /// Compares the similarity to the query between two results; exact.
    pub(crate) fn compare_similarity(&self, other: &Self) -> Ordering {
        let union = |matched: &Self| u128::from(matched.shingles_a + matched.shingles_b - matched.shared);
        (u128::from(self.shared) * union(other)).cmp(&(u128::from(other.shared) * union(self)))
    }
}
