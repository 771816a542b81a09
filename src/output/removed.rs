//! The record of `dedup unique --removed`: one JSON object for each document that another one stands for.

use serde::{Deserialize, Serialize};

use super::Name;
use crate::clusters::Joined;
use crate::document::Documents;

/// A document that is not in the clean corpus. Keys are only ever added.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RemovedRecord<'a> {
    /// The name of the document that is removed.
    #[serde(borrow)]
    pub removed: Name<'a>,
    /// The name of the document that stands for it.
    #[serde(borrow)]
    pub kept: Name<'a>,
    /// Their exact Jaccard similarity.
    pub jaccard: f64,
}

impl<'a> RemovedRecord<'a> {
    /// The record of a document and the one that stands for it.
    pub fn new(documents: &'a Documents, joined: &Joined) -> Self {
        Self {
            removed: Name::new(documents.name(joined.document)),
            kept: Name::new(documents.name(joined.by)),
            jaccard: joined.similarity,
        }
    }
}
