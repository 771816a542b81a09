//! `SearchSummary`: the numbers of the second pass.

use crate::base::problem::ProblemCounts;

/// The second pass's part of a run's summary.
#[derive(Debug, Default)]
pub(crate) struct SearchSummary {
    /// The candidate pairs of texts that were verified or excluded.
    pub(crate) candidates: u64,
    /// The candidate pairs that their signatures excluded.
    pub(crate) excluded: u64,
    /// The pairs that were reported.
    pub(crate) pairs: u64,
    /// The documents that changed or could not be read again.
    pub(crate) problems: ProblemCounts,
    /// The peak bytes of shingle sets and of pairs that waited for their turn.
    pub(crate) set_bytes: u64,
}

impl SearchSummary {
    /// Adds candidates that were excluded before the search.
    pub(super) fn with_excluded(self, excluded: u64) -> Self {
        Self { candidates: self.candidates + excluded, excluded: self.excluded + excluded, ..self }
    }

    /// Adds the numbers of a search that followed this one.
    pub(super) fn add(&mut self, next: Self) {
        let Self { candidates, excluded, pairs, problems: _, set_bytes } = next;
        self.candidates += candidates;
        self.excluded += excluded;
        self.pairs += pairs;
        self.set_bytes = self.set_bytes.max(set_bytes);
    }
}
