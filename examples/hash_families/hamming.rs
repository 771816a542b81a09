//! `HammingFamily`: hashes vectors of bits by random positions.

use super::draws::Draws;
use super::family::{HashFamily, HashFunction};

/// Hashes a vector to one random bit of it; the distance is the number of different bits (Indyk and Motwani 1998; MMDS
/// 3.7.1).
///
/// Two vectors agree with probability exactly 1 − d / bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HammingFamily {
    bits: usize,
}

/// A function of [`HammingFamily`].
#[derive(Debug, Clone, Copy)]
pub struct BitAt(usize);

impl HammingFamily {
    /// Creates the family over vectors of `bits` bits.
    ///
    /// # Panics
    /// When `bits` is 0.
    pub fn new(bits: usize) -> Self {
        assert!(bits > 0, "a vector has bits");
        Self { bits }
    }
}

impl HashFamily for HammingFamily {
    /// The bits of a vector, from the lowest one of the first word on.
    type Point = [u64];
    type Function = BitAt;

    fn draw(&self, draws: &mut Draws) -> BitAt {
        BitAt(draws.below(self.bits))
    }

    fn max_distance(&self) -> f64 {
        self.bits as f64
    }

    fn chance(&self, distance: f64) -> f64 {
        1.0 - distance / self.bits as f64
    }
}

impl HashFunction for BitAt {
    type Point = [u64];

    fn num_keys(&self) -> usize {
        1
    }

    fn push_keys(&self, point: &[u64], keys: &mut Vec<u64>) {
        keys.push(point[self.0 / 64] >> (self.0 % 64) & 1);
    }
}
