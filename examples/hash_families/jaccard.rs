//! `JaccardFamily`: hashes sets by MinHash.

use super::draws::{Draws, UniversalHash};
use super::family::{HashFamily, HashFunction};

/// MinHash over sets of 64-bit hashes, with the Jaccard distance 1 − |A ∩ B| / |A ∪ B| (Broder 1997; MMDS 3.3, 3.6.2).
///
/// Two sets agree with probability 1 − d, as for a random permutation of the elements. The functions are (a·x + b) mod
/// 2⁶¹ − 1, whose deviation from a random permutation is too small to measure for sets of more than three elements.
///
/// The library's `Signer` with `band_keys` is equivalent to this family with
/// `.and(rows).or(bands)`, but computes a hundred functions at a time; prefer it for texts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct JaccardFamily;

/// A function of [`JaccardFamily`]: the minimum hash of a set.
#[derive(Debug, Clone, Copy)]
pub struct LeastHash(UniversalHash);

impl HashFamily for JaccardFamily {
    /// The hashes of the elements; order and repeats do not matter. All empty sets have the same key.
    type Point = [u64];
    type Function = LeastHash;

    fn draw(&self, draws: &mut Draws) -> LeastHash {
        LeastHash(draws.universal())
    }

    fn max_distance(&self) -> f64 {
        1.0
    }

    fn chance(&self, distance: f64) -> f64 {
        1.0 - distance
    }
}

impl HashFunction for LeastHash {
    type Point = [u64];

    fn num_keys(&self) -> usize {
        1
    }

    fn push_keys(&self, point: &[u64], keys: &mut Vec<u64>) {
        keys.push(point.iter().map(|&element| self.0.hash(element)).min().unwrap_or(u64::MAX));
    }
}

/// MinHash by a given hash function: the minimum value of the function over a set.
///
/// Use it for other hash functions, or for an explicit permutation of rows: return the position of each row in the
/// permuted order.
#[derive(Debug, Clone, Copy)]
pub struct LeastBy<H>(H);

impl<H: Fn(u64) -> u64> LeastBy<H> {
    /// Creates MinHash by a hash function of an element.
    pub fn new(hash: H) -> Self {
        Self(hash)
    }
}

impl<H: Fn(u64) -> u64> HashFunction for LeastBy<H> {
    type Point = [u64];

    fn num_keys(&self) -> usize {
        1
    }

    /// The key of an empty set is `u64::MAX`, which represents the absence of a value.
    fn push_keys(&self, point: &[u64], keys: &mut Vec<u64>) {
        keys.push(point.iter().map(|&element| (self.0)(element)).min().unwrap_or(u64::MAX));
    }
}
