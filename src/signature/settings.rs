//! `SignatureSettings`: the method by which signatures are made, and the seed of its hash functions.

use serde::Serialize;

/// The method by which signatures are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SignatureMethod {
    /// Each value is the minimum of its own universal hash function over the set (Broder 1997; MMDS 3.3.5).
    Classic,
    /// Fast Similarity Sketching: one evaluation a shingle, more only until every value is set (Dahlgaard, Knudsen,
    /// Houen, Thorup 2017, arXiv 1704.04370). Variance no greater than classic's.
    Fast,
    /// Poisson processes whose rates are weights, so that values are equal with the probability of the *weighted* Jaccard
    /// similarity (ProbMinHash1: Ertl 2020, arXiv 1911.00675). What runs with weights use.
    Weighted,
}

/// How signatures are made. Default: classic, seed 42.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignatureSettings {
    /// The method.
    pub method: SignatureMethod,
    /// Where the hash functions' coefficients come from.
    pub seed: u64,
}

impl Default for SignatureSettings {
    fn default() -> Self {
        Self { method: SignatureMethod::Classic, seed: Self::DEFAULT_SEED }
    }
}

impl SignatureSettings {
    /// The seed when none is given.
    pub const DEFAULT_SEED: u64 = 42;
}
