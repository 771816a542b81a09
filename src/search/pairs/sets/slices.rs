//! `SliceCounter`: counts sets that are too large for the memory, one slice of the hash range at a time.
//!
//! The range of hashes is divided into 2^n equal slices. A shared hash is in the same slice of both sets, so the counts
//! of all slices add up to the exact count, and only one slice of each set is in memory. The price is that each slice
//! reads both documents again, unless their sorted hashes are in memory.

use std::sync::Mutex;

use super::loaded::LoadedDocument;
use super::source::{SetSource, Slice, SlicedHashes};
use crate::compare::verify::{SharedShingles, Threshold};

/// Counts the shingles of pairs in which at least one set is sliced.
pub(crate) struct SliceCounter<'a> {
    sets: &'a dyn SetSource,
    /// Lets only one count at a time load slices, since two would need twice the memory.
    counting: Mutex<()>,
}

/// The sizes of two sets and of their intersection.
#[derive(Default)]
struct SetSizes {
    a: SharedShingles,
    b: SharedShingles,
    shared: SharedShingles,
}

impl<'a> SliceCounter<'a> {
    pub(crate) fn new(sets: &'a dyn SetSource) -> Self {
        Self { sets, counting: Mutex::default() }
    }

    /// The number of distinct shingles of a loaded document and their weight; `None` when the source cannot provide
    /// them.
    pub(crate) fn size(&self, document: &LoadedDocument) -> Option<SharedShingles> {
        document.known_size().or_else(|| self.count(document, None).map(|sizes| sizes.a))
    }

    /// The shared shingles if the pair reaches the threshold, otherwise `None`; also `None` when the source cannot
    /// provide a set. Loads each slice of both documents once.
    pub(crate) fn verify(
        &self,
        a: &LoadedDocument,
        b: &LoadedDocument,
        threshold: Threshold,
    ) -> Option<SharedShingles> {
        let reaches = |shared: u64, a: u64, b: u64| shared >= threshold.least_shared(a, b);
        if let (Some(a), Some(b)) = (a.known_size(), b.known_size())
            && !reaches(a.measure().min(b.measure()), a.measure(), b.measure())
        {
            return None;
        }
        let SetSizes { a, b, shared } = self.count(a, Some(b))?;
        let is_reached = match a.weight {
            0 => reaches(shared.shingles, a.shingles, b.shingles),
            _ => reaches(shared.weight, a.weight, b.weight),
        };
        is_reached.then_some(shared)
    }

    /// Counts one set, or two sets and their intersection, and stores the sizes.
    fn count(&self, a: &LoadedDocument, b: Option<&LoadedDocument>) -> Option<SetSizes> {
        let loads = a.sorted_hashes().is_none() || b.is_some_and(|b| b.sorted_hashes().is_none());
        let _counting = loads.then(|| self.counting.lock().expect("no holder panics"));
        let mut sizes = SetSizes::default();
        for slice in Slice::all(a.slice_bits().max(b.map_or(0, LoadedDocument::slice_bits))) {
            let slice_a = self.slice_of(a, slice)?;
            sizes.a.add(slice_a.size());
            if let Some(b) = b {
                let slice_b = self.slice_of(b, slice)?;
                sizes.b.add(slice_b.size());
                sizes.shared.add(slice_a.shared(&slice_b));
            }
        }
        a.set_size(sizes.a);
        if let Some(b) = b {
            b.set_size(sizes.b);
        }
        Some(sizes)
    }

    /// A slice of a document: a part of its sorted hashes if they are in memory; otherwise the document is read again.
    fn slice_of<'d>(&self, document: &'d LoadedDocument, slice: Slice) -> Option<SlicedHashes<'d>> {
        match document.sorted_hashes() {
            Some(sorted) => Some(SlicedHashes { hashes: slice.of(sorted).into(), weights: Vec::new() }),
            None => self.sets.slice(document.document, slice),
        }
    }
}

impl SlicedHashes<'_> {
    fn size(&self) -> SharedShingles {
        let weight = self.weights.iter().map(|&weight| u64::from(weight)).sum();
        SharedShingles { shingles: self.hashes.len() as u64, weight }
    }

    /// The size of the intersection of two slices.
    fn shared(&self, other: &Self) -> SharedShingles {
        let (a, b) = (&self.hashes, &other.hashes);
        let (mut i, mut j, mut shared) = (0, 0, SharedShingles::default());
        while i < a.len() && j < b.len() {
            if a[i] == b[j] {
                let weight = self.weights.get(i).map_or(0, |&weight| weight.into());
                shared.add(SharedShingles { shingles: 1, weight });
            }
            let (from_a, from_b) = (a[i] <= b[j], b[j] <= a[i]);
            i += usize::from(from_a);
            j += usize::from(from_b);
        }
        shared
    }
}
