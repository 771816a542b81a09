//! `SetSource`: the interface through which the search for pairs gets shingle sets and signatures.

use crate::documents::document::DocId;

/// Makes the shingle sets of documents, from any thread of the run's pool. All requested documents are the first of
/// their texts.
pub(crate) trait SetSource: Sync {
    /// Passes the shingles of a document on, in blocks with their weights, which are empty where shingles have no weights.
    /// Returns the distinct removed shingles, ascending. `None` when the source can no longer provide them; then nothing was
    /// passed on, and the source reports why.
    fn shingles(&self, document: DocId, visit: &mut dyn FnMut(&[u64], &[u32])) -> Option<Vec<u64>>;

    /// The maximum number of shingles of a document, repeats counted.
    fn most_shingles(&self, document: DocId) -> usize;

    /// Whether shingles have no weights and none are removed.
    fn is_plain(&self) -> bool;

    /// The signature of distinct shingles.
    ///
    /// * `weights`: the weight of each shingle; empty where shingles have no weights.
    fn sign(&self, hashes: &[u64], weights: &[u32]) -> Box<[u32]>;

    /// The signature of a document, which is read for it; `None` as for [`shingles`](Self::shingles).
    fn signature(&self, document: DocId) -> Option<Box<[u32]>>;
}
