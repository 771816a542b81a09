//! `SharedCounts`: the shingles that each pair of a family shares, added up over the slices.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::compare::block::ShingleCounts;

/// The sizes of the sets of a family, and the shared shingles of its pairs; 4 bytes for each pair, and 16 more if
/// shingles have weights or were removed.
pub(in crate::search::pairs) struct SharedCounts {
    /// The size of each set; `None` for a document that can no longer be read.
    sizes: Vec<Option<ShingleCounts>>,
    shingles: Vec<AtomicU32>,
    others: Vec<(AtomicU64, AtomicU32)>,
    /// The signature of each set, once it is known or it turned out that the document can no longer be read.
    signatures: Vec<OnceLock<Option<Box<[u32]>>>>,
}

impl SharedCounts {
    /// * `is_plain`: whether shingles have no weights and none were removed.
    pub(super) fn new(num_documents: usize, num_pairs: usize, is_plain: bool) -> Self {
        let num_others = if is_plain { 0 } else { num_pairs };
        Self {
            sizes: vec![Some(ShingleCounts::default()); num_documents],
            shingles: (0..num_pairs).map(|_| AtomicU32::new(0)).collect(),
            signatures: (0..num_documents).map(|_| OnceLock::new()).collect(),
            others: (0..num_others).map(|_| (AtomicU64::new(0), AtomicU32::new(0))).collect(),
        }
    }

    /// Adds the part of a set that is in a slice; `None` if it can no longer be read.
    pub(super) fn add_size(&mut self, position: usize, size: Option<ShingleCounts>) {
        let all = &mut self.sizes[position];
        match (all.as_mut(), size) {
            (Some(all), Some(size)) => all.add(size),
            _ => *all = None,
        }
    }

    /// Stores the signature of a set.
    pub(super) fn set_signature(&mut self, position: usize, signature: Box<[u32]>) {
        self.signatures[position] = OnceLock::from(Some(signature));
    }

    /// The signature of a set, which the first call makes unless it is known.
    pub(super) fn signature_or(&self, position: usize, make: impl FnOnce() -> Option<Box<[u32]>>) -> Option<&[u32]> {
        self.signatures[position].get_or_init(make).as_deref()
    }

    /// Adds shingles that a pair shares. No other thread may add to the same pair at the same time.
    #[inline]
    pub(super) fn add(&self, pair: usize, shared: ShingleCounts) {
        // Loading and storing is much faster than adding atomically.
        let all = &self.shingles[pair];
        all.store(all.load(Ordering::Relaxed) + shared.shingles, Ordering::Relaxed);
        if let Some((weight, removed)) = self.others.get(pair) {
            weight.store(weight.load(Ordering::Relaxed) + shared.weight, Ordering::Relaxed);
            removed.store(removed.load(Ordering::Relaxed) + shared.removed, Ordering::Relaxed);
        }
    }

    /// The size of the set at a position; `None` for a document that can no longer be read.
    pub(in crate::search::pairs) fn size(&self, position: usize) -> Option<ShingleCounts> {
        self.sizes[position]
    }

    /// The shingles that a pair shares.
    #[inline]
    pub(in crate::search::pairs) fn shared(&self, pair: usize) -> ShingleCounts {
        let shingles = self.shingles[pair].load(Ordering::Relaxed);
        let others = self.others.get(pair);
        let (weight, removed) = others
            .map_or((0, 0), |(weight, removed)| (weight.load(Ordering::Relaxed), removed.load(Ordering::Relaxed)));
        ShingleCounts { shingles, removed, weight }
    }

    /// Bytes in memory.
    pub(super) fn num_bytes(&self) -> usize {
        size_of::<Option<ShingleCounts>>() * self.sizes.len()
            + size_of::<AtomicU32>() * self.shingles.len()
            + size_of::<(AtomicU64, AtomicU32)>() * self.others.len()
    }
}
