//! `SetSource`: the interface through which the search for pairs gets shingle sets and signatures.

use std::borrow::Cow;

use super::loaded::LoadedDocument;
use crate::documents::document::DocId;

/// Makes the shingle sets of documents, from any thread of the run's pool. All requested documents are the first of
/// their texts.
pub(crate) trait SetSource: Sync {
    /// The set of a document and the shingles removed from it; `None` when the source can no longer provide them. The
    /// source reports why.
    fn load(&self, document: DocId) -> Option<LoadedDocument>;

    /// An upper bound of the bytes of the loaded document, known before it is loaded.
    fn most_bytes(&self, document: DocId) -> u64;

    /// The signature of a loaded document; `None` as for [`load`](Self::load).
    fn signature(&self, document: &LoadedDocument) -> Option<Box<[u32]>>;

    /// The distinct shingles of a document in a slice; `None` as for [`load`](Self::load).
    fn slice(&self, document: DocId, slice: Slice) -> Option<SlicedHashes<'static>>;
}

/// The distinct shingles of a document in a slice.
#[derive(Debug, Default)]
pub(crate) struct SlicedHashes<'d> {
    /// The hashes of the shingles, ascending.
    pub(crate) hashes: Cow<'d, [u64]>,
    /// The weight of each shingle; empty where shingles have no weights.
    pub(crate) weights: Vec<u32>,
}

/// One of 2^`bits` equal parts of the range of hashes: the hashes whose highest bits are `number`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slice {
    pub(crate) number: u64,
    pub(crate) bits: u32,
}

impl Slice {
    /// All slices of this many bits.
    pub(super) fn all(bits: u32) -> impl Iterator<Item = Self> {
        (0..1u64 << bits).map(move |number| Self { number, bits })
    }

    /// The part of ascending hashes that is in the slice.
    pub(super) fn of(self, sorted: &[u64]) -> &[u64] {
        let start = |number: u64| match number.checked_shl(64 - self.bits).filter(|_| number >> self.bits == 0) {
            Some(least) => sorted.partition_point(|&hash| hash < least),
            // With 0 bits the only slice begins with the first hash, and the last slice always ends with the last hash.
            None if number == 0 => 0,
            None => sorted.len(),
        };
        &sorted[start(self.number)..start(self.number + 1)]
    }

    /// Whether a hash is in the slice.
    #[inline]
    pub(crate) fn contains(self, hash: u64) -> bool {
        hash.checked_shr(64 - self.bits).unwrap_or(0) == self.number
    }
}
