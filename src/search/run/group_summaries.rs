//! `ClusterSummary` and `OverlapSummary`: the numbers of groups in a summary.

use serde::Serialize;

/// The numbers of the groups that were formed from pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ClusterSummary {
    /// Groups of at least two documents.
    pub groups: u64,
    /// The number of documents in groups.
    pub documents: u64,
    /// The number of documents in the largest group; 0 without groups.
    pub largest: u64,
    /// Groups in which some two members have little in common.
    pub loose: u64,
    /// Groups that were not checked, because they are too large or a document could not be read again.
    pub unchecked: u64,
}

/// The numbers of the groups that have pairs in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct OverlapSummary {
    /// Pairs of groups between which there is a pair of documents.
    pub group_pairs: u64,
    /// Groups in such a pair.
    pub groups: u64,
    /// Documents with a partner in another group.
    pub documents: u64,
}
