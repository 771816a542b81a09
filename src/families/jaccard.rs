//! `JaccardFamily`: sets by MinHash.

use super::draws::Draws;
use super::family::{HashFamily, HashFunction};
use crate::signature::RoundHash;

/// MinHash over sets of 64-bit hashes, with the Jaccard distance 1 − |A ∩ B| / |A ∪ B| (Broder 1997; MMDS 3.3, 3.6.2).
///
/// Two sets agree with probability 1 − d, as for a random permutation of the elements: the functions are (a·x + b) mod 2⁶¹ − 1,
/// whose deviation from that is too small to measure beyond sets of two or three elements.
///
/// [`Signer`](crate::Signer) with [`band_keys`](crate::banding::band_keys) is this family with `.and(rows).or(bands)`, a hundred
/// functions at a time; take it for texts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct JaccardFamily;

/// A function of [`JaccardFamily`]: the least hash of a set.
#[derive(Debug, Clone, Copy)]
pub struct LeastHash(RoundHash);

impl HashFamily for JaccardFamily {
    /// Hashes of the elements; order and repeats do not matter. All empty sets have one key.
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

/// MinHash by a hash function that is given and not drawn: the least value of the function over a set.
///
/// For other hash families, and for permutations of rows by hand: give the place of each row in the order.
///
/// ```
/// use dedup_scan::families::{HashFunction, LeastBy};
///
/// let function = LeastBy::new(|row| (3 * row + 1) % 5);
/// assert_eq!(function.keys(&[2, 4]), [2]);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct LeastBy<H>(H);

impl<H: Fn(u64) -> u64> LeastBy<H> {
    /// MinHash by this hash function of an element.
    pub fn new(hash: H) -> Self {
        Self(hash)
    }
}

impl<H: Fn(u64) -> u64> HashFunction for LeastBy<H> {
    type Point = [u64];

    fn num_keys(&self) -> usize {
        1
    }

    /// The key of an empty set is `u64::MAX`, which stands for no value yet.
    fn push_keys(&self, point: &[u64], keys: &mut Vec<u64>) {
        keys.push(point.iter().map(|&element| (self.0)(element)).min().unwrap_or(u64::MAX));
    }
}
