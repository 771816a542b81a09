//! Record of `dedup unique --removed`: one JSON object for each document that another document represents.

use serde::{Deserialize, Serialize};

use super::Name;
use crate::documents::document::{DocId, Documents};

/// A document that is not in the clean corpus. Later versions only add keys.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RemovedRecord<'a> {
    /// Name of the removed document.
    #[serde(borrow)]
    pub removed: Name<'a>,
    /// Name of the kept document that represents it.
    #[serde(borrow)]
    pub kept: Name<'a>,
    /// Exact Jaccard similarity of the two documents; absent if the saved result does not contain it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jaccard: Option<f64>,
    /// With `--match passages`: share of the removed document's tokens in the passages of both; absent if the saved
    /// result does not contain it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage_removed: Option<f64>,
    /// With `--match passages`: share of the kept document's tokens in the passages of both; absent if the saved result
    /// does not contain it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage_kept: Option<f64>,
    /// Share of the removed document's shingles that the kept document has; with `--several`, that all similar documents
    /// have that are kept. Absent without `--preserve`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preserved: Option<f64>,
}

/// A document that is not in the clean corpus because too little is left of it, by `dedup unique --cut --drop-shorter`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DroppedRecord<'a> {
    /// Name of the removed document.
    pub removed: Name<'a>,
    /// The number of tokens that are left after the cuts.
    pub left: u64,
}

impl<'a> RemovedRecord<'a> {
    /// Creates the record of a removed document and the document that represents it.
    ///
    /// * `similarity`: the Jaccard similarity of the two documents; `None` if it is not known.
    /// * `coverages`: the coverages of the removed and of the kept document; `None` if they are not known.
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
            preserved: None,
        }
    }
}
