//! `Observer`: receives the progress and the problems of a run, for a progress bar or a log.

use crate::problem::Problem;

/// The parts of a run that take time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Reading the pairs of a saved result; units are bytes.
    Load,
    /// Reading and signing all documents.
    Read,
    /// Reading all texts again to count how many have each shingle.
    Count,
    /// Reading all texts again for the hashes by which common passages are found, or for their rarest shingles.
    Index,
    /// Finding candidate pairs: building the bucket table, or pairing the texts that share a hash.
    Band,
    /// Finding the pairs of texts that share a rare shingle.
    Join,
    /// Aligning the pairs that share a hash.
    Align,
    /// Verifying the candidate pairs.
    Verify,
    /// Making one sorted run of an index of several; units are blocks.
    Merge,
}

/// Watches a run; every method may be called from any thread and does nothing by default.
pub trait Observer: Sync {
    /// A stage begins.
    fn begin(&self, _stage: Stage) {}
    /// The stage has this many units of work, as far as is known; files, parts of files, or documents.
    fn total(&self, _units: u64) {}
    /// Units of work are done, and with them documents and bytes.
    fn advance(&self, _units: u64, _documents: u64, _bytes: u64) {}
    /// An input is not used, or not as given. Called in document order for each stage.
    fn problem(&self, _problem: &Problem) {}
    /// The tables of all documents will hardly fit the memory. Called at most once for each reading of the inputs.
    fn memory_is_short(&self, _forecast: &MemoryForecast) {}
    /// The pairs among equal texts alone will be this many, in a number of groups of which this is the largest.
    fn many_copies(&self, _pairs: u64, _groups: u64, _largest: u64) {}
    /// An exhaustive join will look about `checks` times at a text that shares one of `postings` rare shingles with another,
    /// which takes some nanoseconds each. Called once, before it does.
    fn join_forecast(&self, _postings: u64, _checks: u64) {}
    /// The texts that share hashes make up to `pairs` pairs to align, and `below` of them by hashes that are in no more than
    /// `max_key_df` texts. Called once for many documents, unless there is such a limit.
    fn many_keys(&self, _documents: u64, _pairs: u64, _max_key_df: u64, _below: u64) {}
}

/// For what nobody watches.
pub struct Unwatched;

impl Observer for Unwatched {}

/// What the documents of a run will take, by the first of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryForecast {
    /// How many there will be, as far as inputs were found.
    pub documents: u64,
    /// Bytes of their tables.
    pub tables: u64,
    /// Most bytes of shingle sets beside them.
    pub sets: u64,
    /// Bytes that the process may take.
    pub limit: u64,
}
