//! Verification: compares the exact Jaccard similarity of two shingle sets with the threshold, in integers.
//!
//! A pair passes three tests, the cheap ones first: the sizes, the odd sketches, and the count of shared shingles,
//! which stops as soon as the pair cannot reach the threshold. No test rejects a pair that reaches it.

mod kernel;
mod odd_sketch;
mod threshold;
mod verifier;

use crate::base::flat::hash_index::HashIndex;
use crate::documents::document::DocId;
use crate::text::shingle::ShingleSet;
use crate::text::weights::to_number;

pub(crate) use self::odd_sketch::{Outline, add_to_odd_sketch};
pub use self::threshold::Threshold;
pub use self::verifier::{VerifiableSet, Verifier};

/// A pair of documents whose exact Jaccard similarity reaches the threshold; `a` comes before `b` in document order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DuplicatePair {
    /// The document that comes first in document order.
    pub a: DocId,
    /// The document that comes second in document order.
    pub b: DocId,
    /// Number of distinct shingles in both documents.
    pub shared: u64,
    /// Number of distinct shingles of `a`.
    pub shingles_a: u64,
    /// Number of distinct shingles of `b`.
    pub shingles_b: u64,
    /// Number of equal values in the two signatures.
    pub equal_values: u32,
    /// Number of values in a signature.
    pub num_hashes: u32,
    /// Numbers of shingles that were removed before the comparison and that the counts above exclude; `None` if the run
    /// removes no shingles.
    pub removed: Option<RemovedShingles>,
    /// Numbers of shingles with identifiers kept; `None` unless the run compares these too.
    pub kept_names: Option<KeptNames>,
    /// Weights of the shingles, if shingles have weights; the similarity is then computed from the weights.
    pub weights: Option<PairWeights>,
}

/// Weights of the shingles of a pair, in units of 2⁻¹⁶.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PairWeights {
    /// Weight of the shingles in both documents.
    pub shared: u64,
    /// Weight of the shingles of `a`.
    pub a: u64,
    /// Weight of the shingles of `b`.
    pub b: u64,
}

impl PairWeights {
    /// Weight of the shingles in at least one of the documents.
    pub fn union(self) -> u64 {
        self.a + self.b - self.shared
    }

    /// Weights of the shingles of `a`, of `b` and in both, as numbers; exact up to 2³⁷.
    pub fn numbers(self) -> [f64; 3] {
        [self.a, self.b, self.shared].map(to_number)
    }
}

/// Numbers of shingles of a pair of programs when identifiers are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeptNames {
    /// Number of distinct shingles in both programs.
    pub shared: u64,
    /// Number of distinct shingles in at least one of the programs.
    pub all: u64,
}

impl KeptNames {
    /// The numbers of two programs with these shingles.
    pub(crate) fn of(a: &ShingleSet, b: &ShingleSet) -> Self {
        let shared = shared_shingles(a, b) as u64;
        Self { shared, all: (a.len() + b.len()) as u64 - shared }
    }

    /// Jaccard similarity |A ∩ B| / |A ∪ B|; 0 for two programs without such shingles.
    pub fn similarity(self) -> f64 {
        if self.all == 0 { 0.0 } else { self.shared as f64 / self.all as f64 }
    }
}

/// Numbers of distinct shingles that were removed from the documents of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RemovedShingles {
    /// Number of shingles that were removed from `a`.
    pub a: u64,
    /// Number of shingles that were removed from `b`.
    pub b: u64,
    /// Number of removed shingles that are in both documents.
    pub shared: u64,
}

impl DuplicatePair {
    /// Jaccard similarity |A ∩ B| / |A ∪ B| as the nearest `f64`, exact up to collisions of 64-bit shingle hashes. If
    /// shingles have weights, the similarity of the weights.
    pub fn similarity(&self) -> f64 {
        let (shared, a, b) = self.sizes();
        shared as f64 / (a + b - shared) as f64
    }

    /// Sizes of the intersection, of `a` and of `b`: in shingles, or in weight units if shingles have weights.
    pub(crate) fn sizes(&self) -> (u64, u64, u64) {
        let counts = (self.shared, self.shingles_a, self.shingles_b);
        self.weights.map_or(counts, |weights| (weights.shared, weights.a, weights.b))
    }

    /// Jaccard similarity before shingles were removed, without weights; `None` if the run removes none.
    pub fn raw_similarity(&self) -> Option<f64> {
        self.removed.map(|removed| {
            let shared = self.shared + removed.shared;
            shared as f64 / (self.shingles_a + removed.a + self.shingles_b + removed.b - shared) as f64
        })
    }

    /// Exact Jaccard similarity with identifiers kept; `None` unless the run computes it.
    pub fn kept_similarity(&self) -> Option<f64> {
        self.kept_names.map(KeptNames::similarity)
    }

    /// Containment |A ∩ B| / |A|, of the weights if shingles have weights.
    pub fn containment_a(&self) -> f64 {
        let (shared, a, _) = self.sizes();
        shared as f64 / a as f64
    }

    /// Containment |A ∩ B| / |B|, of the weights if shingles have weights.
    pub fn containment_b(&self) -> f64 {
        let (shared, _, b) = self.sizes();
        shared as f64 / b as f64
    }

    /// Share of equal signature values.
    pub fn estimate(&self) -> f64 {
        f64::from(self.equal_values) / f64::from(self.num_hashes)
    }
}

/// The exact Jaccard similarity of two sets: |A ∩ B| / |A ∪ B|; 0 when both are empty.
pub fn jaccard(a: &ShingleSet, b: &ShingleSet) -> f64 {
    let shared = shared_shingles(a, b);
    let union = a.len() + b.len() - shared;
    if union == 0 { 0.0 } else { shared as f64 / union as f64 }
}

/// |A ∩ B|: the number of shingles in both sets, exact up to collisions of their 64-bit hashes. Divided by the size of
/// one set, it is the containment of that set in the other.
pub fn shared_shingles(a: &ShingleSet, b: &ShingleSet) -> usize {
    let mut index = HashIndex::default();
    index.rebuild(a.hashes());
    b.hashes().iter().filter(|&&hash| index.find(a.hashes(), hash).is_some()).count()
}
