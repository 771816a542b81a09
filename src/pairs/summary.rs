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
