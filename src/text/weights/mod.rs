//! Weights: assigns weights to the shingles of a document, for a weighted Jaccard similarity.
//!
//! A shingle has the same weight in every document: by its rarity in the corpus ([`IdfWeights`]), or by the weights of
//! its tokens in a table ([`TokenWeights`]). So the similarity Σ min / Σ max of two documents is the weight of their
//! common shingles divided by the weight of all their shingles. This also holds for multisets, whose occurrences are
//! separate elements. Weights are integers in units of 2⁻¹⁶, so sums are exact and equal on every machine.

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
