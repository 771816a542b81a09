//! The inner loops of the signatures, which lower the minima by a block of shingles.
//!
//! `scalar` defines the loop of the classic signature. `lanes` has the same arithmetic on blocks of numbers, which the
//! compiler vectorises for each instruction set. `slots` is the loop of the fast signature. A signer chooses its
//! implementation once, when it is created.

mod lanes;
mod scalar;
pub(super) mod slots;

use super::hash_family::ClassicFamily;

/// Lowers `minima` to the minimum of each function of the family over `residues`.
///
/// * `residues`: shingle hashes converted by [`residue31`](super::hash_family::residue31); order and repeats do not
///   matter.
/// * `minima`: bands × rows values, band after band; start it at `u32::MAX`. No residues leave it unchanged.
///
/// One pass, O(residues × minima) time, no allocation.
pub(super) type LowerMinima = fn(&ClassicFamily, &[u32], &mut [u32]);

/// The fastest implementation that this processor can run.
pub(super) fn best() -> LowerMinima {
    available().last().expect("the scalar kernel runs everywhere").1
}

/// Every implementation that this processor can run, with its name: the reference first and the fastest last.
pub(super) fn available() -> Vec<(&'static str, LowerMinima)> {
    let mut kernels: Vec<(&'static str, LowerMinima)> = vec![("scalar", scalar::lower_minima)];
    kernels.extend(lanes::available());
    kernels
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::hash_family::P31;
    use super::*;

    proptest! {
        #[test]
        fn every_kernel_equals_the_scalar_one(
            residues in prop::collection::vec(prop_oneof![0..P31, Just(0), Just(P31 - 1)], 0..300),
            bands in 1usize..80,
            rows in 1usize..6,
            seed in any::<u64>(),
        ) {
            let family = ClassicFamily::new(bands, rows, seed);
            let mut expected = vec![u32::MAX; bands * rows];
            scalar::lower_minima(&family, &residues, &mut expected);
            for (name, lower_minima) in available() {
                // Two calls, as for a long document.
                let (first, second) = residues.split_at(residues.len() / 3);
                let mut minima = vec![u32::MAX; bands * rows];
                lower_minima(&family, first, &mut minima);
                lower_minima(&family, second, &mut minima);
                prop_assert_eq!(&minima, &expected, "{}", name);
            }
        }
    }
}
