//! `SearchSummary`: what the second pass did, in numbers.

use crate::problem::ProblemCounts;

/// What the second pass did; the parts of a run's summary that are its own.
#[derive(Debug, Default)]
pub(crate) struct SearchSummary {
    /// Pairs of texts that shared a bucket and were verified.
    pub(crate) candidates: u64,
    /// Pairs reported.
    pub(crate) pairs: u64,
    /// With passages: see [`Summary`](crate::Summary).
    pub(crate) seeds_capped: Option<u64>,
    /// Documents that were no longer what they were.
    pub(crate) problems: ProblemCounts,
    /// Most bytes of shingle sets, and of pairs that waited for their turn, at a time.
    pub(crate) set_bytes: u64,
}

impl SearchSummary {
    /// Adds a search that came after this one.
    pub(super) fn add(&mut self, next: Self) {
        let Self { candidates, pairs, problems: _, set_bytes, seeds_capped: _ } = next;
        self.candidates += candidates;
        self.pairs += pairs;
        self.set_bytes = self.set_bytes.max(set_bytes);
    }
}
