//! `DocId`: the number of a document. `DocSet`: a set of them.

use crate::flat::bit_set::BitSet;

/// The number of a document in document order: input arguments in the order given, inside a directory by the bytes of
/// the relative path, inside a file by position.
///
/// Below 2³¹, so that flat tables can keep a flag beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocId(u32);

impl DocId {
    /// Most documents in one run.
    pub const LIMIT: usize = 1 << 31;

    /// The id of the document at `index`.
    ///
    /// # Panics
    /// When `index` is not below [`DocId::LIMIT`].
    pub fn new(index: usize) -> Self {
        assert!(index < Self::LIMIT, "at most 2^31 documents in one run");
        Self(index as u32)
    }

    /// The document's place, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) fn get(self) -> u32 {
        self.0
    }
}

/// A set of documents: a bit for each. Documents beyond its end are not in it.
#[derive(Debug, Default)]
pub(crate) struct DocSet {
    bits: BitSet,
}

impl DocSet {
    /// The empty set of so many documents.
    pub(crate) fn new(num_documents: usize) -> Self {
        Self { bits: BitSet::new(num_documents) }
    }

    /// # Panics
    /// When there is no such document.
    pub(crate) fn insert(&mut self, document: DocId) {
        self.bits.insert(document.index());
    }

    pub(crate) fn contains(&self, document: DocId) -> bool {
        document.index() < self.bits.limit() && self.bits.contains(document.index())
    }

    pub(crate) fn num_bytes(&self) -> usize {
        self.bits.num_bytes()
    }
}
