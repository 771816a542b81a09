//! `SliceCounter`: counts sets too large for the memory, slice by slice of the hash range, so that only a part of either
//! set is ever in memory.

use std::sync::Mutex;

use super::loaded::{LoadedDocument, num_shared};
use super::source::{SetSource, Slice};
use crate::verify::Threshold;

/// Counts documents of which at least one has a sliced set.
pub(crate) struct SliceCounter<'a> {
    sets: &'a dyn SetSource,
    /// One count at a time, since two would take twice the memory.
    counting: Mutex<()>,
}

/// The sizes of two sets and of what they share.
#[derive(Default)]
struct SetSizes {
    a: u64,
    b: u64,
    shared: u64,
}

impl<'a> SliceCounter<'a> {
    pub(crate) fn new(sets: &'a dyn SetSource) -> Self {
        Self { sets, counting: Mutex::default() }
    }

    /// The number of distinct shingles of a loaded document; `None` when the source cannot provide them.
    pub(crate) fn num_shingles(&self, document: &LoadedDocument) -> Option<u64> {
        document.known_len().or_else(|| self.count(document, None).map(|sizes| sizes.a))
    }

    /// The number of shared shingles when the pair reaches the threshold, `None` when it does not. Loads each slice of
    /// both documents once.
    pub(crate) fn verify(&self, a: &LoadedDocument, b: &LoadedDocument, threshold: Threshold) -> Option<u64> {
        if let (Some(len_a), Some(len_b)) = (a.known_len(), b.known_len())
            && len_a.min(len_b) < threshold.least_shared(len_a, len_b)
        {
            return None;
        }
        let sizes = self.count(a, Some(b))?;
        (sizes.shared >= threshold.least_shared(sizes.a, sizes.b)).then_some(sizes.shared)
    }

    /// Counts one set, or two and what they share, and keeps the sizes.
    fn count(&self, a: &LoadedDocument, b: Option<&LoadedDocument>) -> Option<SetSizes> {
        let _counting = self.counting.lock().expect("no holder panics");
        let mut sizes = SetSizes::default();
        for slice in Slice::all(a.slice_bits().max(b.map_or(0, LoadedDocument::slice_bits))) {
            let hashes_a = self.sets.slice(a.document, slice)?;
            sizes.a += hashes_a.len() as u64;
            if let Some(b) = b {
                let hashes_b = self.sets.slice(b.document, slice)?;
                sizes.b += hashes_b.len() as u64;
                sizes.shared += num_shared(&hashes_a, &hashes_b);
            }
        }
        a.set_len(sizes.a);
        if let Some(b) = b {
            b.set_len(sizes.b);
        }
        Some(sizes)
    }
}
