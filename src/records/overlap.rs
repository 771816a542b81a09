//! `OverlapRecord`: two groups of documents that copy each other, as one line of output.

use serde::{Deserialize, Serialize};

use super::Name;

/// Two groups of documents that have a pair in common. Later versions only add keys.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OverlapRecord<'a> {
    /// Name of the group whose first document comes first: its folders, field, host, or part of a name.
    #[serde(borrow)]
    pub a: Name<'a>,
    /// Name of the other group.
    #[serde(borrow)]
    pub b: Name<'a>,
    /// Number of compared documents in the first group.
    pub documents_a: u64,
    /// Number of compared documents in the second group.
    pub documents_b: u64,
    /// Number of documents of the first group that have a verified partner in the second one.
    pub matched_a: u64,
    /// Number of documents of the second group that have a verified partner in the first one.
    pub matched_b: u64,
    /// `matched_a` as a share of `documents_a`.
    pub share_a: f64,
    /// `matched_b` as a share of `documents_b`.
    pub share_b: f64,
    /// Number of pairs between the groups.
    pub pairs: u64,
}
