//! Verification: the exact Jaccard similarity of two shingle sets, compared with the threshold in integers.
//!
//! A candidate pair passes two tests, and neither can drop a pair that reaches the threshold: its sketches, made while the
//! documents were signed, show most pairs that differ too much; what is left is counted exactly, a block of documents at
//! a time, in the characteristic matrix of their shingles.

mod characteristic;
mod chunks;
mod kernel;
mod sketch;
mod threshold;
mod verifier;

use crate::document::DocId;
use crate::shingle::{ShingleIndex, ShingleSet};

pub(crate) use self::characteristic::{CharacteristicMatrix, Tally};
pub(crate) use self::sketch::{Sketch, add_to_sketch, fold_sketch, sketch_words};
pub use self::threshold::Threshold;
pub use self::verifier::Verifier;

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
    /// What was taken out of both before they were compared, when anything is: the numbers above are of what is left.
    pub taken_out: Option<TakenOut>,
}

/// The shingles taken out of a pair, each counted once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TakenOut {
    /// Out of `a`.
    pub a: u64,
    /// Out of `b`.
    pub b: u64,
    /// Out of both.
    pub shared: u64,
}

impl DuplicatePair {
    /// |A ∩ B| / |A ∪ B|: exact, up to collisions of 64-bit shingle hashes; the nearest `f64`.
    pub fn similarity(&self) -> f64 {
        self.shared as f64 / (self.shingles_a + self.shingles_b - self.shared) as f64
    }

    /// The similarity before anything was taken out; `None` when nothing ever is.
    pub fn raw_similarity(&self) -> Option<f64> {
        self.taken_out.map(|out| {
            let shared = self.shared + out.shared;
            shared as f64 / (self.shingles_a + out.a + self.shingles_b + out.b - shared) as f64
        })
    }

    /// |A ∩ B| / |A|.
    pub fn containment_a(&self) -> f64 {
        self.shared as f64 / self.shingles_a as f64
    }

    /// |A ∩ B| / |B|.
    pub fn containment_b(&self) -> f64 {
        self.shared as f64 / self.shingles_b as f64
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
    let mut index = ShingleIndex::default();
    index.rebuild(a.hashes());
    b.hashes().iter().filter(|&&hash| index.find(a.hashes(), hash).is_some()).count()
}
