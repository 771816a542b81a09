//! `DocId`: the number of a document. `DocSet`: a set of them.

use crate::base::flat::bit_set::BitSet;

/// The number of a document in document order: input arguments in the order given, inside a directory by the bytes of
/// the relative path, inside a file by position.
///
/// An id is below 2³¹, so that flat tables can store a flag in the remaining bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocId(u32);

impl DocId {
    /// Maximum number of documents in one run.
    pub const LIMIT: usize = 1 << 31;

    /// The id of the document at `index`.
    ///
    /// # Panics
    /// When `index` is not below [`DocId::LIMIT`].
    pub fn new(index: usize) -> Self {
        assert!(index < Self::LIMIT, "at most 2^31 documents in one run");
        Self(index as u32)
    }

    /// The index of the document in document order, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) fn get(self) -> u32 {
        self.0
    }
}

/// A set of documents, as one bit per document. `contains` is `false` for documents beyond its end.
#[derive(Debug, Default)]
pub(crate) struct DocSet {
    bits: BitSet,
}

impl DocSet {
    /// An empty set for `num_documents` documents.
    pub(crate) fn new(num_documents: usize) -> Self {
        Self { bits: BitSet::new(num_documents) }
    }

    /// Adds a document.
    ///
    /// # Panics
    /// When the document is beyond the end of the set.
    pub(crate) fn insert(&mut self, document: DocId) {
        self.bits.insert(document.index());
    }

    /// Adds a document, and makes room for it where it is beyond the end.
    pub(crate) fn insert_growing(&mut self, document: DocId) {
        if document.index() >= self.bits.limit() {
            self.bits.grow(document.index() + 1);
        }
        self.bits.insert(document.index());
    }

    /// Removes a document.
    ///
    /// # Panics
    /// When the document is beyond the end of the set.
    pub(crate) fn remove(&mut self, document: DocId) {
        self.bits.remove(document.index());
    }

    /// All documents in the set, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = DocId> + '_ {
        self.bits.iter().map(DocId::new)
    }

    pub(crate) fn contains(&self, document: DocId) -> bool {
        document.index() < self.bits.limit() && self.bits.contains(document.index())
    }

    pub(crate) fn num_bytes(&self) -> usize {
        self.bits.num_bytes()
    }
}
