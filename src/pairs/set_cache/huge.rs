//! Sets too large to hold: counted slice by slice of the hash range, so that only a part of either set is ever in memory.

use std::sync::OnceLock;

use super::{Cached, SetLoader, Shingles, count_shared};
use crate::document::DocId;
use crate::flat::radix_sort::sort_by_hash;
use crate::shingle::ShingleHashes;
use crate::verify::Threshold;

/// A set that is counted in `2^slice_bits` slices, by the highest bits of the hashes.
pub(crate) struct Huge {
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
    /// The number of distinct shingles, unless it is still to be counted.
    fn known_len(&self) -> Option<u64> {
        match &self.shingles {
            Shingles::Set(verifiable) => Some(verifiable.set().len() as u64),
            Shingles::Huge(huge) => huge.num_shingles.get().copied(),
        }
    }

    fn slice_bits(&self) -> u32 {
        match &self.shingles {
            Shingles::Set(_) => 0,
            Shingles::Huge(huge) => huge.slice_bits,
        }
    }
}

/// The sizes of two sets and of what they share.
#[derive(Default)]
struct Counts {
    a: u64,
    b: u64,
    shared: u64,
}

impl SetLoader<'_> {
    /// The number of distinct shingles of a loaded document; `None` when it has to be read again and cannot.
    pub(crate) fn num_shingles(&self, first: DocId, document: &Cached) -> Option<u64> {
        document.known_len().or_else(|| self.count((first, document), None).map(|counts| counts.a))
    }

    /// The number of shared shingles when the pair reaches the threshold, for pairs of which one is huge. Reads both
    /// documents once a slice.
    pub(crate) fn verify_huge(&self, a: (DocId, &Cached), b: (DocId, &Cached), threshold: Threshold) -> Option<u64> {
        if let (Some(len_a), Some(len_b)) = (a.1.known_len(), b.1.known_len())
            && len_a.min(len_b) < threshold.least_shared(len_a, len_b)
        {
            return None;
        }
        let counts = self.count(a, Some(b))?;
        (counts.shared >= threshold.least_shared(counts.a, counts.b)).then_some(counts.shared)
    }

    /// Counts one set, or two and what they share, and keeps the sizes.
    fn count(&self, a: (DocId, &Cached), b: Option<(DocId, &Cached)>) -> Option<Counts> {
        // One at a time, since two would hold twice as much.
        let _counting = self.counting_huge.lock().expect("no holder panics");
        let slice_bits = a.1.slice_bits().max(b.map_or(0, |b| b.1.slice_bits()));
        let mut counts = Counts::default();
        for slice in 0..1u64 << slice_bits {
            let hashes_a = self.slice(a.0, slice, slice_bits)?;
            counts.a += hashes_a.len() as u64;
            if let Some(b) = b {
                let hashes_b = self.slice(b.0, slice, slice_bits)?;
                counts.b += hashes_b.len() as u64;
                counts.shared += count_shared(&hashes_a, &hashes_b);
            }
        }
        for (document, count) in [(Some(a), counts.a), (b, counts.b)] {
            if let Some((_, Cached { shingles: Shingles::Huge(huge), .. })) = document {
                // Another thread may have been first; the count is the same.
                let _ = huge.num_shingles.set(count);
            }
        }
        Some(counts)
    }

    /// The distinct hashes of a document whose highest bits are `slice`, ascending: sorting touches memory in order,
    /// which for so many is several times faster than an index.
    fn slice(&self, document: DocId, slice: u64, slice_bits: u32) -> Option<Vec<u64>> {
        self.rereader.read_again(document, &mut |text, tools| {
            let in_slice = |hash: &u64| hash.checked_shr(64 - slice_bits).unwrap_or(0) == slice;
            let (mut hashes, mut scratch) = (Vec::new(), Vec::new());
            let mut distinct = |hashes: &mut Vec<u64>| {
                sort_by_hash(hashes, &mut scratch, |&hash| hash << slice_bits);
                hashes.dedup();
            };
            let mut compact_at = self.most_shingles;
            tools.left(text).for_each_block(&mut |block| {
                hashes.extend(block.iter().copied().filter(in_slice));
                if hashes.len() > compact_at {
                    distinct(&mut hashes);
                    compact_at = self.most_shingles.max(2 * hashes.len());
                }
            });
            distinct(&mut hashes);
            hashes
        })
    }
}
