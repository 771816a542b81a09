//! `SetSource`: where the search for pairs gets shingle sets and signatures from.

use std::borrow::Cow;

use super::loaded::LoadedDocument;
use crate::document::DocId;

/// Makes the shingle sets of documents, from any thread of the run's pool. Every document that is asked for is the first
/// of its text.
pub(crate) trait SetSource: Sync {
    /// The set of a document and the shingles removed from it; `None` when the source can no longer provide them. The source
    /// reports why.
    fn load(&self, document: DocId) -> Option<LoadedDocument>;

    /// An upper bound of the bytes that the loaded document takes, known before it is loaded.
    fn most_bytes(&self, document: DocId) -> u64;

    /// The signature of a loaded document; `None` as for [`load`](Self::load).
    fn signature(&self, document: &LoadedDocument) -> Option<Box<[u32]>>;

    /// The distinct shingles of a document in a slice; `None` as for [`load`](Self::load).
    fn slice(&self, document: DocId, slice: Slice) -> Option<SlicedHashes<'static>>;
}

/// The distinct shingles of a document in a slice.
#[derive(Debug, Default)]
pub(crate) struct SlicedHashes<'d> {
    /// Ascending.
    pub(crate) hashes: Cow<'d, [u64]>,
    /// What each weighs; none where shingles have no weights.
    pub(crate) weights: Vec<u32>,
}

/// One of 2^`bits` equal parts of the range of hashes: those whose highest bits are `number`.
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
            // The range of no bits begins with the first hash, and the last one ends with the last.
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
