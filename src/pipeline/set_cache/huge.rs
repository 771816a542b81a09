//! Sets too large to hold: counted slice by slice of the hash range, so that only a part of either set is ever in memory.

use std::sync::OnceLock;

use super::{Cached, SetCache, Shingles};
use crate::document::DocId;
use crate::shingle::ShingleHashes;
use crate::verify::{Threshold, VerifiableSet, Verifier};

/// A set that is counted in `2^slice_bits` slices, by the highest bits of the hashes.
pub(in crate::pipeline) struct Huge {
    slice_bits: u32,
    num_shingles: OnceLock<u64>,
}

impl Huge {
    /// A set in at least this many slices.
    pub(super) fn new(num_slices: usize) -> Self {
        Self { slice_bits: num_slices.next_power_of_two().ilog2(), num_shingles: OnceLock::new() }
    }
}

impl Cached {
    fn slice_bits(&self) -> u32 {
        match &self.shingles {
            Shingles::Set(_) => 0,
            Shingles::Huge(huge) => huge.slice_bits,
        }
    }
}

impl SetCache<'_> {
    /// The number of distinct shingles of a loaded document; `None` when it has to be read again and cannot.
    pub(in crate::pipeline) fn num_shingles(&self, first: DocId, document: &Cached) -> Option<u64> {
        match &document.shingles {
            Shingles::Set(verifiable) => Some(verifiable.set().len() as u64),
            Shingles::Huge(huge) => {
                if huge.num_shingles.get().is_none() {
                    let _ = huge.num_shingles.set(self.count_shared(first, document, first, document)?);
                }
                huge.num_shingles.get().copied()
            }
        }
    }

    /// The number of shared shingles when the pair reaches the threshold, for pairs of which one is huge: slice by slice, so
    /// that only a part of either set is ever held. Reads both documents once a slice.
    pub(in crate::pipeline) fn verify_huge(
        &self,
        a: (DocId, &Cached),
        b: (DocId, &Cached),
        threshold: Threshold,
    ) -> Option<u64> {
        let (len_a, len_b) = (self.num_shingles(a.0, a.1)?, self.num_shingles(b.0, b.1)?);
        let least = threshold.least_shared(len_a, len_b);
        if len_a.min(len_b) < least {
            return None;
        }
        self.count_shared(a.0, a.1, b.0, b.1).filter(|&shared| shared >= least)
    }

    fn count_shared(&self, a: DocId, cached_a: &Cached, b: DocId, cached_b: &Cached) -> Option<u64> {
        // One at a time, since two would hold twice as much.
        let _counting = self.counting_huge.lock().expect("no holder panics");
        let slice_bits = cached_a.slice_bits().max(cached_b.slice_bits());
        let mut shared = 0;
        for slice in 0..1u64 << slice_bits {
            let slice_of = |document| {
                self.read_again(document, &mut |text, loader| {
                    let in_slice = |hash: &u64| hash.checked_shr(64 - slice_bits).unwrap_or(0) == slice;
                    let mut hashes = Vec::new();
                    loader.shingler.shingles_utf8(text).for_each_block(&mut |block| {
                        hashes.clear();
                        hashes.extend(block.iter().copied().filter(in_slice));
                        loader.builder.extend(&hashes);
                    });
                    loader.builder.take()
                })
            };
            let verifiable = VerifiableSet::new(slice_of(a)?);
            shared +=
                if a == b { verifiable.set().len() } else { Verifier::new(&verifiable).count_shared(&slice_of(b)?) }
                    as u64;
        }
        Some(shared)
    }
}
