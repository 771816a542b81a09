//! `Observer`: receives the progress and the problems of a run, for a progress bar or a log.

use crate::base::problem::Problem;

/// The stages of a run that take a noticeable time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Reading the pairs of a saved result; units are bytes.
    Load,
    /// Reading and signing all documents, or reading all documents of an index.
    Read,
    /// Reading all texts again to count how many texts contain each shingle.
    Count,
    /// Reading all texts again: for the hashes that find common passages, for rare shingles, or to check the texts that
    /// an index refers to.
    Index,
    /// Finding candidate pairs: building the bucket table, or pairing the texts that share a hash.
    Band,
    /// Finding the pairs of texts that share a rare shingle.
    Join,
    /// Aligning the pairs that share a hash.
    Align,
    /// Verifying the candidate pairs.
    Verify,
    /// Merging the sorted runs of an index into one; units are blocks.
    Merge,
}

/// Watches a run; every method may be called from any thread and does nothing by default.
pub trait Observer: Sync {
    /// A stage begins.
    fn begin(&self, _stage: Stage) {}
    /// The stage has this many units of work, as far as is known: files, parts of files, or documents.
    fn total(&self, _units: u64) {}
    /// The given numbers of units, documents and bytes are done.
    fn advance(&self, _units: u64, _documents: u64, _bytes: u64) {}
    /// An input is skipped, or not used as it was given. Called in document order in each stage.
    fn problem(&self, _problem: &Problem) {}
    /// The tables of all documents will probably not fit in memory. Called at most once for each pass over the inputs.
    fn memory_is_short(&self, _forecast: &MemoryForecast) {}
    /// The band keys and tables that do not fit in memory will probably not fit on the disk. Called at most once.
    fn disk_is_short(&self, _forecast: &DiskForecast) {}
    /// Equal texts will form this many pairs, in `groups` groups with at most `largest` documents.
    fn many_copies(&self, _pairs: u64, _groups: u64, _largest: u64) {}
    /// An exhaustive join with `postings` entries of texts under their rare shingles will make about `checks`
    /// comparisons, at some nanoseconds each. Called once, before the join.
    fn join_forecast(&self, _postings: u64, _checks: u64) {}
    /// Texts that share hashes form up to `pairs` pairs to align; `below` of them share a hash that at most
    /// `max_key_df` texts contain. Called once for many documents, unless there is such a limit.
    fn many_keys(&self, _documents: u64, _pairs: u64, _max_key_df: u64, _below: u64) {}
}

/// An observer that ignores everything.
pub struct Unwatched;

impl Observer for Unwatched {}

/// The memory that the documents of a run will need, estimated from the first ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryForecast {
    /// The number of documents, as far as the inputs are known.
    pub documents: u64,
    /// Bytes of the tables of all documents.
    pub tables: u64,
    /// Maximum bytes of shingle sets, in addition to the tables.
    pub sets: u64,
    /// Bytes that the process may use.
    pub limit: u64,
}

/// The room on the disk that the documents of a run will need, estimated from the first ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiskForecast {
    /// The number of documents, as far as the inputs are known.
    pub documents: u64,
    /// Bytes that will be written to the folder for temporary files, in addition to the bytes that are there.
    pub bytes: u64,
    /// Bytes that are free there.
    pub free: u64,
}
