//! Lists the implementations of the inner loops that this processor runs.

use crate::sign::signature;
use crate::text::{normalize, shingle};

/// The inner loops that fold, split and sign texts, each with the implementation that this processor runs, such as
/// `avx2`. Results do not depend on the implementation.
pub fn kernels() -> Vec<(&'static str, &'static str)> {
    let kernels = [normalize::kernels().to_vec(), shingle::kernels().to_vec(), signature::kernels().to_vec()];
    kernels.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_loop_has_an_implementation() {
        let kernels = kernels();
        assert_eq!(kernels.len(), 5);
        assert!(kernels.iter().all(|(_, name)| ["scalar", "portable", "avx2", "avx512"].contains(name)), "{kernels:?}");
    }
}
