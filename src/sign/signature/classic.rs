//! The classic signature: each value is the minimum of one universal hash function over the shingle set.
//!
//! Broder 1997; MMDS 3.3.5. The functions are in `hash_family`, the inner loop in `kernel`.

use super::hash_family::{ClassicFamily, residue31};
use super::kernel::{self, LowerMinima};
use super::repeats::Repeats;
use crate::text::shingle::ShingleHashes;

#[derive(Debug, Clone)]
pub(super) struct ClassicSigner {
    family: ClassicFamily,
    lower_minima: LowerMinima,
    residues: Vec<u32>,
    repeats: Repeats,
}

impl ClassicSigner {
    pub(super) fn new(bands: usize, rows: usize, seed: u64) -> Self {
        Self::with_kernel(bands, rows, seed, kernel::best())
    }

    pub(super) fn with_kernel(bands: usize, rows: usize, seed: u64, lower_minima: LowerMinima) -> Self {
        let family = ClassicFamily::new(bands, rows, seed);
        Self { family, lower_minima, residues: Vec::new(), repeats: Repeats::new() }
    }

    /// Writes the signature of a text. Returns whether the text has a shingle.
    pub(super) fn sign(&mut self, shingles: &mut dyn ShingleHashes, signature: &mut [u32]) -> bool {
        signature.fill(u32::MAX);
        self.repeats.begin();
        let mut any = false;
        shingles.for_each_block(&mut |block| {
            any = true;
            self.residues.clear();
            self.residues.extend(block.iter().map(|&shingle| residue31(shingle)));
            self.repeats.remove_repeats(&mut self.residues);
            (self.lower_minima)(&self.family, &self.residues, signature);
        });
        any
    }
}
