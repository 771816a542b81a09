//! `JoinSummary`: what an exhaustive join looked at, in numbers.

use serde::Serialize;

/// What an exhaustive join looked at. The candidates that it left are counted as those of any run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct JoinSummary {
    /// Rare shingles of texts by which pairs were looked for.
    pub postings: u64,
    /// Looks at a text that shares one, each costing some nanoseconds.
    pub checks: u64,
}

impl JoinSummary {
    /// Seconds of a check, about, on one thread.
    pub const SECONDS_OF_CHECK: f64 = 4e-9;
}
