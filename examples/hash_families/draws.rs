//! `Draws`: draws the random numbers of hash functions from a seed.

use std::f64::consts::TAU;

use rand::rngs::ChaCha12Rng;
use rand::{Rng, SeedableRng};

/// The prime of the universal hash functions, 2⁶¹ − 1.
const P61: u64 = (1 << 61) - 1;

/// A source of random functions: equal seeds draw equal functions in equal order.
///
/// The stream is ChaCha12, as for signatures. Normally distributed numbers also need a logarithm, a sine and a cosine,
/// whose last bit may differ between platforms. A point within a rounding error of a border may then be in another
/// bucket.
#[derive(Debug)]
pub struct Draws(ChaCha12Rng);

/// A universal hash function, (a·x + b) mod 2⁶¹ − 1.
#[derive(Debug, Clone, Copy)]
pub struct UniversalHash {
    a: u64,
    b: u64,
}

impl Draws {
    /// Creates the source of a seed.
    pub fn new(seed: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(b"family\0\0");
        Self(ChaCha12Rng::from_seed(key))
    }

    /// A uniform number of 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A uniform number in 0..1, a multiple of 2⁻⁵³.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A uniform number in 0..`end`, exactly.
    ///
    /// # Panics
    /// When `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        assert!(end > 0, "there is no number below 0");
        let end = end as u64;
        // Numbers above the last multiple of `end` are drawn again.
        let most = u64::MAX - (u64::MAX % end + 1) % end;
        loop {
            let bits = self.bits();
            if bits <= most {
                return (bits % end) as usize;
            }
        }
    }

    /// Independent numbers of the standard normal distribution (Box and Muller 1958).
    pub fn normals(&mut self, len: usize) -> Vec<f64> {
        let mut normals = Vec::with_capacity(len + 1);
        while normals.len() < len {
            // The argument is never 0, which has no logarithm.
            let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
            let (sin, cos) = (TAU * self.unit()).sin_cos();
            normals.extend([radius * cos, radius * sin]);
        }
        normals.truncate(len);
        normals
    }

    /// A universal hash function of 61 bits.
    pub(super) fn universal(&mut self) -> UniversalHash {
        UniversalHash { a: self.below_p61(1), b: self.below_p61(0) }
    }

    /// A uniform value in `low..P61`.
    fn below_p61(&mut self, low: u64) -> u64 {
        loop {
            let value = self.bits() >> 3;
            if (low..P61).contains(&value) {
                return value;
            }
        }
    }
}

impl UniversalHash {
    pub(super) fn hash(self, x: u64) -> u64 {
        ((u128::from(self.a) * u128::from(x) + u128::from(self.b)) % u128::from(P61)) as u64
    }
}
