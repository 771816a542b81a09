//! `JoinSummary`: the work of an exhaustive join, in numbers.

use serde::Serialize;

/// The work of an exhaustive join. The candidates that remain are counted as in any other run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct JoinSummary {
    /// The rare shingles of all texts by which pairs were searched for.
    pub postings: u64,
    /// The number of times that a text was checked against another one with a common rare shingle, some nanoseconds
    /// each.
    pub checks: u64,
}

impl JoinSummary {
    /// The approximate time of one check on one thread, in seconds.
    pub const SECONDS_OF_CHECK: f64 = 4e-9;
}
