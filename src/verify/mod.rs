//! Verification: the exact Jaccard similarity of two shingle sets, compared with the threshold in integers.
//!
//! A pair passes three tests, the cheap ones first: the sizes, the odd sketches, and the count of shared shingles, which
//! stops as soon as the pair cannot reach the threshold. No test drops a pair that reaches it. Where many sets are near to
//! one, their pairs are counted by how they differ from it.

mod chunks;
mod kernel;
mod odd_sketch;
mod pivot_group;
mod threshold;
mod verifier;

use crate::document::DocId;
use crate::flat::hash_index::HashIndex;
use crate::shingle::ShingleSet;
use crate::weights::to_number;

pub(crate) use self::odd_sketch::{Outline, Outlines, add_to_odd_sketch};
pub(crate) use self::pivot_group::{Difference, PivotGroup, PivotGroupVerifier};
pub use self::threshold::Threshold;
pub(crate) use self::verifier::Indexes;
pub(crate) use self::verifier::SharedShingles;
pub use self::verifier::{VerifiableSet, Verifier};

/// A pair of documents whose exact Jaccard similarity reaches the threshold; `a` stands before `b`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DuplicatePair {
    /// The document that comes first in document order.
    pub a: DocId,
    /// The document that comes second.
    pub b: DocId,
    /// Shingles in both.
    pub shared: u64,
    /// Distinct shingles of `a`.
    pub shingles_a: u64,
    /// Distinct shingles of `b`.
    pub shingles_b: u64,
    /// Equal values of the two signatures.
    pub equal_values: u32,
    /// Values in a signature.
    pub num_hashes: u32,
    /// The shingles that were removed from both before the comparison; the numbers above are of the others. `None` when
    /// the run removes no shingles.
    pub removed: Option<RemovedShingles>,
    /// The shingles of both with names kept. `None` unless the run compares these too.
    pub kept_names: Option<KeptNames>,
    /// What its shingles weigh, where they have weights: then these decide, and say how similar the documents are.
    pub weights: Option<PairWeights>,
}

/// What the shingles of a pair weigh, in units of 2⁻¹⁶.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PairWeights {
    /// Those in both.
    pub shared: u64,
    /// Those of `a`.
    pub a: u64,
    /// Those of `b`.
    pub b: u64,
}

impl PairWeights {
    /// What the shingles of either weigh.
    pub fn union(self) -> u64 {
        self.a + self.b - self.shared
    }

    /// What those of `a`, of `b` and in both weigh, as numbers; exact up to 2³⁷.
    pub fn numbers(self) -> [f64; 3] {
        [self.a, self.b, self.shared].map(to_number)
    }
}

/// How programs compare when their names are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeptNames {
    /// Distinct shingles in both.
    pub shared: u64,
    /// Distinct shingles in either.
    pub all: u64,
}

impl KeptNames {
    /// |A ∩ B| / |A ∪ B|; 0 of two programs without such shingles.
    pub fn similarity(self) -> f64 {
        if self.all == 0 { 0.0 } else { self.shared as f64 / self.all as f64 }
    }
}

/// How many distinct shingles were removed from the documents of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RemovedShingles {
    /// From `a`.
    pub a: u64,
    /// From `b`.
    pub b: u64,
    /// From both.
    pub shared: u64,
}

impl DuplicatePair {
    /// |A ∩ B| / |A ∪ B|, of the weights of these where shingles have weights: exact, up to collisions of 64-bit shingle hashes;
    /// the nearest `f64`.
    pub fn similarity(&self) -> f64 {
        let (shared, a, b) = self.sizes();
        shared as f64 / (a + b - shared) as f64
    }

    /// What both have, and each: in shingles, or in the weight of these.
    fn sizes(&self) -> (u64, u64, u64) {
        let counts = (self.shared, self.shingles_a, self.shingles_b);
        self.weights.map_or(counts, |weights| (weights.shared, weights.a, weights.b))
    }

    /// The similarity before shingles were removed, without weights; `None` when the run removes none.
    pub fn raw_similarity(&self) -> Option<f64> {
        self.removed.map(|removed| {
            let shared = self.shared + removed.shared;
            shared as f64 / (self.shingles_a + removed.a + self.shingles_b + removed.b - shared) as f64
        })
    }

    /// The similarity with names kept: exact, as [`similarity`](Self::similarity) is; `None` unless the run looks for it.
    pub fn kept_similarity(&self) -> Option<f64> {
        self.kept_names.map(KeptNames::similarity)
    }

    /// |A ∩ B| / |A|, of weights too.
    pub fn containment_a(&self) -> f64 {
        let (shared, a, _) = self.sizes();
        shared as f64 / a as f64
    }

    /// |A ∩ B| / |B|, of weights too.
    pub fn containment_b(&self) -> f64 {
        let (shared, _, b) = self.sizes();
        shared as f64 / b as f64
    }

    /// The share of equal signature values.
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

/// |A ∩ B|: the number of shingles in both sets, exact up to collisions of their 64-bit hashes. Divided by the length
/// of one set it is that set's containment in the other.
pub fn shared_shingles(a: &ShingleSet, b: &ShingleSet) -> usize {
    let mut index = HashIndex::default();
    index.rebuild(a.hashes());
    b.hashes().iter().filter(|&&hash| index.find(a.hashes(), hash).is_some()).count()
}
