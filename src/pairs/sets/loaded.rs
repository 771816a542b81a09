//! `LoadedDocument`: a document in memory, as verification sees it.

use std::sync::OnceLock;

use crate::document::DocId;
use crate::verify::{SharedShingles, VerifiableSet};

/// A document as verification sees it: its shingles, and its signature once a pair with it is reported.
pub(crate) struct LoadedDocument {
    pub(crate) document: DocId,
    pub(crate) shingles: LoadedShingles,
    /// The distinct shingles that were removed from it, ascending.
    removed: Box<[u64]>,
    signature: OnceLock<Box<[u32]>>,
    num_bytes: u64,
}

/// The shingle set of a loaded document.
pub(crate) enum LoadedShingles {
    /// All of it, in memory.
    Whole(VerifiableSet),
    /// Too large for an index: counted in sorted order, slice by slice where it is too large for the memory.
    Sliced(SlicedSet),
}

/// A set that is counted in 2^`slice_bits` slices.
pub(crate) struct SlicedSet {
    slice_bits: u32,
    has_weights: bool,
    /// All of it, ascending, where it fits the memory.
    sorted: Option<Box<[u64]>>,
    /// All of it.
    size: OnceLock<SharedShingles>,
}

impl SlicedSet {
    /// A set in at least this many slices.
    pub(crate) fn new(num_slices: usize, has_weights: bool) -> Self {
        let slice_bits = num_slices.next_power_of_two().ilog2();
        Self { slice_bits, has_weights, sorted: None, size: OnceLock::new() }
    }

    /// A set without weights that is in memory.
    ///
    /// * `sorted`: its distinct shingles, ascending.
    pub(crate) fn sorted(sorted: Box<[u64]>) -> Self {
        let size = SharedShingles { shingles: sorted.len() as u64, weight: 0 };
        Self { slice_bits: 0, has_weights: false, sorted: Some(sorted), size: OnceLock::from(size) }
    }
}

impl LoadedDocument {
    /// * `removed`: the distinct shingles that were removed from it, ascending.
    /// * `signature_bytes`: of its signature, which counts from the start.
    pub(crate) fn new(document: DocId, shingles: LoadedShingles, removed: Box<[u64]>, signature_bytes: usize) -> Self {
        let set_bytes = match &shingles {
            LoadedShingles::Whole(set) => set.num_bytes(),
            LoadedShingles::Sliced(sliced) => sliced.sorted.as_deref().map_or(0, size_of_val),
        };
        let num_bytes = (set_bytes + size_of_val(&*removed) + signature_bytes + size_of::<Self>()) as u64;
        Self { document, shingles, removed, signature: OnceLock::new(), num_bytes }
    }

    /// At most what a document of so many shingles takes.
    pub(crate) fn most_bytes(num_shingles: usize, signature_bytes: usize, has_weights: bool) -> u64 {
        // A hash, four bits of sketch, and a sixteenth of a chunk of 16 bytes.
        let weights = if has_weights { 4 * num_shingles } else { 0 };
        (num_shingles * 19 / 2 + weights + signature_bytes + size_of::<Self>()) as u64
    }

    /// Bytes that it takes, its signature included.
    pub(crate) fn num_bytes(&self) -> u64 {
        self.num_bytes
    }

    /// Its set, unless that is sliced.
    #[inline]
    pub(crate) fn whole_set(&self) -> Option<&VerifiableSet> {
        match &self.shingles {
            LoadedShingles::Whole(set) => Some(set),
            LoadedShingles::Sliced(_) => None,
        }
    }

    /// Its shingles, ascending, where they are in memory in this order.
    pub(crate) fn sorted_hashes(&self) -> Option<&[u64]> {
        match &self.shingles {
            LoadedShingles::Whole(_) => None,
            LoadedShingles::Sliced(sliced) => sliced.sorted.as_deref(),
        }
    }

    /// The number of distinct shingles that were removed from it.
    pub(crate) fn num_removed(&self) -> u64 {
        self.removed.len() as u64
    }

    /// The number of distinct shingles that were removed from both documents.
    pub(crate) fn shared_removed(&self, other: &Self) -> u64 {
        num_shared(&self.removed, &other.removed)
    }

    /// Its signature, which the first call makes; `None` when `make` cannot provide it.
    pub(crate) fn signature_or(&self, make: impl FnOnce() -> Option<Box<[u32]>>) -> Option<&[u32]> {
        if self.signature.get().is_none() {
            // Another thread may have been first; the values are the same.
            let _ = self.signature.set(make()?);
        }
        self.signature.get().map(|signature| &**signature)
    }

    /// Its distinct shingles, unless they are still to be counted.
    pub(super) fn known_size(&self) -> Option<SharedShingles> {
        match &self.shingles {
            LoadedShingles::Whole(set) => {
                Some(SharedShingles { shingles: set.set().len() as u64, weight: set.weight() })
            }
            LoadedShingles::Sliced(sliced) => sliced.size.get().copied(),
        }
    }

    /// Keeps the size of a sliced set.
    pub(super) fn set_size(&self, size: SharedShingles) {
        if let LoadedShingles::Sliced(sliced) = &self.shingles {
            // Another thread may have been first; the count is the same.
            let _ = sliced.size.set(size);
        }
    }

    /// Whether its shingles have weights.
    pub(crate) fn has_weights(&self) -> bool {
        match &self.shingles {
            LoadedShingles::Whole(set) => set.weight() > 0,
            LoadedShingles::Sliced(sliced) => sliced.has_weights,
        }
    }

    pub(super) fn slice_bits(&self) -> u32 {
        match &self.shingles {
            LoadedShingles::Whole(_) => 0,
            LoadedShingles::Sliced(sliced) => sliced.slice_bits,
        }
    }
}

/// How many values two ascending lists without repeats share.
pub(super) fn num_shared(a: &[u64], b: &[u64]) -> u64 {
    let (mut i, mut j, mut shared) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        shared += u64::from(a[i] == b[j]);
        let (from_a, from_b) = (a[i] <= b[j], b[j] <= a[i]);
        i += usize::from(from_a);
        j += usize::from(from_b);
    }
    shared
}
