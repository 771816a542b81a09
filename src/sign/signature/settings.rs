//! `SignatureSettings`: the method of signatures, and the seed of their hash functions.

use serde::{Deserialize, Serialize};

/// The method by which signatures are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SignatureMethod {
    /// Each value is the minimum of its own universal hash function over the set (Broder 1997; MMDS 3.3.5).
    Classic,
    /// Fast Similarity Sketching: one hash evaluation per shingle, more only until every value is set (Dahlgaard,
    /// Knudsen, Houen, Thorup 2017, arXiv 1704.04370). The variance is not greater than with the classic method.
    Fast,
    /// Poisson processes whose rates are weights, so that values are equal with a probability equal to the *weighted*
    /// Jaccard similarity (ProbMinHash1: Ertl 2020, arXiv 1911.00675). Runs with weights use this method.
    Weighted,
}

/// The settings of signatures. Default: fast, seed 42.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignatureSettings {
    /// The method by which signatures are computed.
    #[serde(rename = "signature")]
    pub method: SignatureMethod,
    /// The seed from which the coefficients of the hash functions are drawn.
    pub seed: u64,
}

impl Default for SignatureSettings {
    fn default() -> Self {
        Self { method: SignatureMethod::Fast, seed: Self::DEFAULT_SEED }
    }
}

impl SignatureSettings {
    /// The default seed.
    pub const DEFAULT_SEED: u64 = 42;
}
