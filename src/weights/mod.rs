//! Weights: the shingles of a document in, the same with their weights out, for a weighted Jaccard similarity.
//!
//! A shingle weighs the same in every document: as much as it is rare in the corpus ([`IdfWeights`]), or as its tokens weigh in a
//! table ([`TokenWeights`]). So Σ min / Σ max over two documents is what their common shingles weigh of what all of either do, for
//! sets, and for multisets too, whose occurrences are elements of their own. Weights are integers, in units of 2⁻¹⁶: sums are
//! exact and the same on every machine.

mod fixed;
mod idf;
mod tokens;
mod weigher;
mod weighting;

pub use self::fixed::weight_of_frequency;
pub(crate) use self::fixed::{to_number, to_units};
pub(crate) use self::idf::IdfWeights;
pub use self::tokens::{TokenWeights, WeightTableRecord};
pub(crate) use self::weigher::{Weigher, Weighing};
pub use self::weighting::Weighting;
