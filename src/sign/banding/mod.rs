//! Banding: finds candidate pairs from signatures (Indyk and Motwani 1998; MMDS 3.4).
//!
//! A signature is cut into bands of `rows` values. Two documents with an equal band share a bucket in that band, and
//! documents that share a bucket in any band are a candidate pair.

mod bucket_table;
mod candidate_source;
mod listed_candidates;
mod params;
mod partners;
mod shared_keys;
mod signature_filter;
mod signature_bits;
mod filtered_candidates;
mod text_pair;

use xxhash_rust::xxh3::xxh3_64_with_seed;

pub use self::bucket_table::{BucketTable, Candidates};
pub(crate) use self::candidate_source::{CandidateSource, TableCandidates};
pub(crate) use self::filtered_candidates::FilteredCandidates;
pub(crate) use self::listed_candidates::ListedCandidates;
pub use self::params::{Banding, MAX_HASHES};
pub(crate) use self::partners::{Partners, for_each_text};
pub(crate) use self::shared_keys::shared_keys;
pub(crate) use self::signature_bits::{BandBits, SignatureBits, append_bits, bytes_of_bits, equal_bits};
pub(crate) use self::signature_filter::SignatureFilter;
pub(crate) use self::text_pair::{TextPair, text_pair_sorter};

/// Writes the key of each band of a signature: `xxh3_64` of the band's values as little-endian bytes, seeded with the
/// band's number.
///
/// * `signature`: bands × rows values, band after band.
/// * `keys`: one value per band. Equal bands have equal keys; different bands have equal keys with probability 2⁻⁶⁴.
///
/// # Panics
/// When the signature's length is not a multiple of the number of keys.
pub fn band_keys(signature: &[u32], keys: &mut [u64]) {
    assert!(signature.len().is_multiple_of(keys.len()), "a signature is cut into equal bands");
    let rows = signature.len() / keys.len();
    // Clearing memory for the maximum band length would cost as much as hashing twenty bands of five rows.
    let (mut short, mut long) = ([0; 256], Vec::new());
    let bytes = if 4 * rows <= short.len() {
        &mut short[..4 * rows]
    } else {
        long.resize(4 * rows, 0);
        long.as_mut_slice()
    };
    for (band, (values, key)) in (0..).zip(signature.chunks_exact(rows).zip(keys)) {
        for (target, value) in bytes.chunks_exact_mut(4).zip(values) {
            target.copy_from_slice(&value.to_le_bytes());
        }
        *key = xxh3_64_with_seed(bytes, band);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_depends_on_the_band_and_on_every_row() {
        let mut keys = [0; 2];
        band_keys(&[1, 2, 3, 1, 2, 3], &mut keys);
        assert_ne!(keys[0], keys[1]);
        let mut other = [0; 2];
        for changed in 0..3 {
            let mut signature = [1, 2, 3, 1, 2, 3];
            signature[changed] += 1;
            band_keys(&signature, &mut other);
            assert_ne!(keys[0], other[0]);
            assert_eq!(keys[1], other[1]);
        }
    }

    #[test]
    fn band_keys_are_pinned() {
        let mut keys = [0; 2];
        band_keys(&[1, 2, 3, 4], &mut keys);
        assert_eq!(keys, [254984204845929552, 5681563201217060630]);
    }
}
