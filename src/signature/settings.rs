//! `SignatureSettings`: how signatures are made.

use super::{SignatureMethod, Signer};
use crate::banding::Banding;

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

    /// Makes signatures that are cut into these bands.
    pub fn signer(self, banding: Banding) -> Signer {
        Signer::new(self.method, banding.bands(), banding.rows(), self.seed)
    }
}
