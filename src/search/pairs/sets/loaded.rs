//! `LoadedDocument`: the shingles and the signature of a document, in memory for verification.

use std::sync::OnceLock;

use crate::compare::verify::{SharedShingles, VerifiableSet};
use crate::documents::document::DocId;

/// A document as verification needs it: its shingles, and its signature once a pair with it is reported.
pub(crate) struct LoadedDocument {
    pub(crate) document: DocId,
    pub(crate) shingles: LoadedShingles,
    /// The distinct shingles that were removed from the document, ascending.
    removed: Box<[u64]>,
    signature: OnceLock<Box<[u32]>>,
    num_bytes: u64,
}

/// The shingle set of a loaded document.
pub(crate) enum LoadedShingles {
    /// The whole set is in memory.
    Whole(VerifiableSet),
    /// The set is too large for an index, and is counted in sorted order. If it is also too large for the memory, it is
    /// counted slice by slice.
    Sliced(SlicedSet),
}

/// A set that is counted in 2^`slice_bits` slices.
pub(crate) struct SlicedSet {
    slice_bits: u32,
    has_weights: bool,
    /// The whole set, ascending, if it fits the memory.
    sorted: Option<Box<[u64]>>,
    /// The size of the whole set, once it is counted.
    size: OnceLock<SharedShingles>,
}

impl SlicedSet {
    /// A set in at least `num_slices` slices.
    pub(crate) fn new(num_slices: usize, has_weights: bool) -> Self {
        let slice_bits = num_slices.next_power_of_two().ilog2();
        Self { slice_bits, has_weights, sorted: None, size: OnceLock::new() }
    }

    /// A set without weights that is in memory.
    ///
    /// * `sorted`: the distinct shingles, ascending.
    pub(crate) fn sorted(sorted: Box<[u64]>) -> Self {
        let size = SharedShingles { shingles: sorted.len() as u64, weight: 0 };
        Self { slice_bits: 0, has_weights: false, sorted: Some(sorted), size: OnceLock::from(size) }
    }
}

impl LoadedDocument {
    /// * `removed`: the distinct shingles that were removed from the document, ascending.
    /// * `signature_bytes`: the size of its signature, which is counted from the start.
    pub(crate) fn new(document: DocId, shingles: LoadedShingles, removed: Box<[u64]>, signature_bytes: usize) -> Self {
        let set_bytes = match &shingles {
            LoadedShingles::Whole(set) => set.num_bytes(),
            LoadedShingles::Sliced(sliced) => sliced.sorted.as_deref().map_or(0, size_of_val),
        };
        let num_bytes = (set_bytes + size_of_val(&*removed) + signature_bytes + size_of::<Self>()) as u64;
        Self { document, shingles, removed, signature: OnceLock::new(), num_bytes }
    }

    /// An upper bound of the bytes of a loaded document with `num_shingles` shingles.
    pub(crate) fn most_bytes(num_shingles: usize, signature_bytes: usize, has_weights: bool) -> u64 {
        // For each shingle: a hash, four bits of sketch, and a sixteenth of a 16-byte chunk.
        let weights = if has_weights { 4 * num_shingles } else { 0 };
        (num_shingles * 19 / 2 + weights + signature_bytes + size_of::<Self>()) as u64
    }

    /// The bytes of the document in memory, including its signature.
    pub(crate) fn num_bytes(&self) -> u64 {
        self.num_bytes
    }

    /// The set of the document, unless it is sliced.
    #[inline]
    pub(crate) fn whole_set(&self) -> Option<&VerifiableSet> {
        match &self.shingles {
            LoadedShingles::Whole(set) => Some(set),
            LoadedShingles::Sliced(_) => None,
        }
    }

    /// The shingles of the document, ascending, if they are in memory in this order.
    pub(crate) fn sorted_hashes(&self) -> Option<&[u64]> {
        match &self.shingles {
            LoadedShingles::Whole(_) => None,
            LoadedShingles::Sliced(sliced) => sliced.sorted.as_deref(),
        }
    }

    /// The number of distinct shingles that were removed from the document.
    pub(crate) fn num_removed(&self) -> u64 {
        self.removed.len() as u64
    }

    /// The number of distinct shingles that were removed from both documents.
    pub(crate) fn shared_removed(&self, other: &Self) -> u64 {
        num_shared(&self.removed, &other.removed)
    }

    /// The signature of the document, made by the first call; `None` when `make` cannot provide it.
    pub(crate) fn signature_or(&self, make: impl FnOnce() -> Option<Box<[u32]>>) -> Option<&[u32]> {
        if self.signature.get().is_none() {
            // Another thread may have set it first; the values are the same.
            let _ = self.signature.set(make()?);
        }
        self.signature.get().map(|signature| &**signature)
    }

    /// The number of distinct shingles and their weight, unless they are still to be counted.
    pub(super) fn known_size(&self) -> Option<SharedShingles> {
        match &self.shingles {
            LoadedShingles::Whole(set) => {
                Some(SharedShingles { shingles: set.set().len() as u64, weight: set.weight() })
            }
            LoadedShingles::Sliced(sliced) => sliced.size.get().copied(),
        }
    }

    /// Stores the size of a sliced set.
    pub(super) fn set_size(&self, size: SharedShingles) {
        if let LoadedShingles::Sliced(sliced) = &self.shingles {
            // Another thread may have set it first; the count is the same.
            let _ = sliced.size.set(size);
        }
    }

    /// Whether the shingles of the document have weights.
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

/// The number of values in both of two ascending lists without repeats.
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
