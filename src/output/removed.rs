//! The record of `dedup unique --removed`: one JSON object for each document that another one stands for.

use serde::{Deserialize, Serialize};

use super::Name;
use crate::document::{DocId, Documents};

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
    /// Their exact Jaccard similarity. Left out where a saved result does not have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jaccard: Option<f64>,
    /// Where documents match by their passages: the share of the removed document's tokens that those of both cover. Left out
    /// where a saved result does not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage_removed: Option<f64>,
    /// The same of the document that stands for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage_kept: Option<f64>,
}

impl<'a> RemovedRecord<'a> {
    /// The record of a document and the one that stands for it.
    ///
    /// * `similarity`: of the two; `None` where it is not known.
    /// * `coverages`: likewise, of the removed document and of the one that stands for it.
    pub fn new(
        documents: &'a Documents,
        removed: DocId,
        kept: DocId,
        similarity: Option<f64>,
        coverages: Option<[f64; 2]>,
    ) -> Self {
        let name = |document| Name::new(documents.name(document));
        Self {
            removed: name(removed),
            kept: name(kept),
            jaccard: similarity,
            coverage_removed: coverages.map(|[coverage, _]| coverage),
            coverage_kept: coverages.map(|[_, coverage]| coverage),
        }
    }
}
