//! `VerifyContext`: everything that all methods of verification share: the candidates, the shingle sets, the threshold and the
//! count of memory.

use super::sets::{SetMemory, SetSource};
use crate::base::observe::Observer;
use crate::compare::verify::Threshold;
use crate::documents::document::{DocId, Documents};
use crate::sign::banding::CandidateSource;

/// The context that all counters borrow.
pub(super) struct VerifyContext<'a> {
    pub(super) observer: &'a dyn Observer,
    pub(super) documents: &'a Documents,
    pub(super) candidates: &'a dyn CandidateSource,
    pub(super) sets: &'a dyn SetSource,
    pub(super) threshold: Threshold,
    pub(super) memory: SetMemory,
    reports_copies: bool,
}

impl<'a> VerifyContext<'a> {
    pub(super) fn new(
        observer: &'a dyn Observer,
        documents: &'a Documents,
        candidates: &'a dyn CandidateSource,
        sets: &'a dyn SetSource,
        threshold: Threshold,
    ) -> Self {
        let memory = SetMemory::default();
        Self { observer, documents, candidates, sets, threshold, memory, reports_copies: true }
    }

    /// Restricts the context to pairs of different texts.
    pub(super) fn without_copies(self) -> Self {
        Self { reports_copies: false, ..self }
    }

    /// Appends the candidates of a text that may form a pair with it in the scope of the run, ascending.
    pub(super) fn gather(&self, first: DocId, candidates: &mut Vec<DocId>) {
        // Candidates come after the text.
        if self.documents.scope().is_settled(first) {
            return;
        }
        let start = candidates.len();
        self.candidates.gather(first, candidates);
        self.documents.scope().retain(first, candidates, start);
    }

    /// Whether pairs of a text and its exact copies are reported, and the text has copies.
    pub(super) fn has_copies(&self, first: DocId) -> bool {
        self.reports_copies && self.documents.has_copies(first) && self.documents.scope().compares_within_cell(first)
    }
}
