//! `IndexAnswer`: a document of an index that is similar to a question, with the counts that prove it.

use std::cmp::Ordering;

use crate::verify::RemovedShingles;

/// A document of an index that is similar to a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct IndexAnswer {
    /// The number of the document.
    pub(super) document: u32,
    pub(super) shared: u64,
    /// Distinct shingles of the question.
    pub(super) shingles_a: u64,
    /// Distinct shingles of the document.
    pub(super) shingles_b: u64,
    pub(super) equal_values: u32,
    pub(super) removed: Option<RemovedShingles>,
}

impl IndexAnswer {
    /// The answer to a question that is the very text of a document.
    ///
    /// * `number`: of the document.
    /// * `count`: its distinct shingles, and those that were removed.
    /// * `num_hashes`: the length of its signature.
    /// * `removes`: whether shingles are removed from texts.
    pub(super) fn of_equal(number: u32, (shingles, removed): (usize, usize), num_hashes: usize, removes: bool) -> Self {
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

    /// Of which of two answers the smaller set is in the other one by a greater part; exact.
    pub(super) fn compare_containment(&self, other: &Self) -> Ordering {
        let smaller = |answer: &Self| u128::from(answer.shingles_a.min(answer.shingles_b));
        (u128::from(self.shared) * smaller(other)).cmp(&(u128::from(other.shared) * smaller(self)))
    }

    /// Which of two answers is more similar to its question; exact.
    pub(super) fn compare_similarity(&self, other: &Self) -> Ordering {
        let union = |answer: &Self| u128::from(answer.shingles_a + answer.shingles_b - answer.shared);
        (u128::from(self.shared) * union(other)).cmp(&(u128::from(other.shared) * union(self)))
    }
}
