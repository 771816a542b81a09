//! The universal hash functions h(x) = (a·x + b) mod p of both signatures (Carter and Wegman 1979).
//!
//! Both primes are Mersenne primes, so the remainder is shifts and additions. Coefficients are drawn from the seed by
//! ChaCha12, whose stream is fixed by its definition, with rejection, so every coefficient is exactly uniform.

use rand::rngs::ChaCha12Rng;
use rand::{Rng, SeedableRng};

/// The prime of the classic signature, 2³¹ − 1.
pub(crate) const P31: u32 = (1 << 31) - 1;
/// The prime of the fast signature, 2⁶¹ − 1.
pub(crate) const P61: u64 = (1 << 61) - 1;

/// Draws coefficients; one stream for each seed and purpose.
#[derive(Debug)]
pub(crate) struct Coefficients(ChaCha12Rng);

impl Coefficients {
    pub(crate) fn new(seed: u64, purpose: &[u8; 8]) -> Self {
        // The key is spelt out because `seed_from_u64` is free to change between releases of `rand`.
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(purpose);
        Self(ChaCha12Rng::from_seed(key))
    }

    /// The next number of the stream.
    pub(crate) fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A uniform value in `low..P31`.
    fn below_p31(&mut self, low: u32) -> u32 {
        loop {
            let value = (self.0.next_u64() >> 33) as u32;
            if (low..P31).contains(&value) {
                return value;
            }
        }
    }

    /// A uniform value in `low..P61`.
    fn below_p61(&mut self, low: u64) -> u64 {
        loop {
            let value = self.0.next_u64() >> 3;
            if (low..P61).contains(&value) {
                return value;
            }
        }
    }
}

/// (a·x + b) mod 2³¹ − 1 for `a`, `x`, `b` below the prime.
#[inline(always)]
pub(crate) fn hash31(a: u32, b: u32, x: u32) -> u32 {
    // At most p·(p − 1): below 2⁶², and its two halves add up to at most 2p − 2.
    let wide = u64::from(a) * u64::from(x) + u64::from(b);
    let sum = (wide as u32 & P31) + (wide >> 31) as u32;
    // One of the two is below p; the other is larger, having wrapped or not been reduced.
    sum.min(sum.wrapping_sub(P31))
}

/// A shingle hash as the classic functions see it: its top 31 bits, mod 2³¹ − 1.
#[inline(always)]
pub(crate) fn residue31(shingle: u64) -> u32 {
    let top = (shingle >> 33) as u32;
    if top == P31 { 0 } else { top }
}

/// One row's coefficients: band `j` uses a = `a` + j·`a_step`, b = `b` + j·`b_step` (mod p).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RowCoefficients {
    pub(crate) a: u32,
    pub(crate) a_step: u32,
    pub(crate) b: u32,
    pub(crate) b_step: u32,
}

impl RowCoefficients {
    /// The coefficients (a, b) of one band.
    pub(crate) fn of_band(&self, band: usize) -> (u32, u32) {
        let band = u32::try_from(band).expect("at most 4,096 bands");
        (hash31(band, self.a, self.a_step), hash31(band, self.b, self.b_step))
    }

    /// The same progression, begun at `band`.
    pub(crate) fn starting_at(&self, band: usize) -> Self {
        let (a, b) = self.of_band(band);
        Self { a, b, ..*self }
    }
}

/// The functions of the classic signature: rows are independent, the bands of a row form a progression.
///
/// Band j of row r is h(x) = u + j·v mod p with u = a·x + b and v = a′·x + b′, so that one more band costs one addition.
/// Every function is a member of the universal family, and two bands of a row are pairwise independent.
#[derive(Debug, Clone)]
pub(crate) struct ProgressionFamily {
    pub(crate) rows: Vec<RowCoefficients>,
    pub(crate) bands: usize,
}

impl ProgressionFamily {
    pub(crate) fn new(bands: usize, rows: usize, seed: u64) -> Self {
        let mut coefficients = Coefficients::new(seed, b"classic\0");
        let mut draw = || loop {
            let row = RowCoefficients {
                a: coefficients.below_p31(1),
                a_step: coefficients.below_p31(1),
                b: coefficients.below_p31(0),
                b_step: coefficients.below_p31(0),
            };
            // A band with a = 0 would be a constant.
            if (0..bands).all(|band| row.of_band(band).0 != 0) {
                return row;
            }
        };
        Self { rows: (0..rows).map(|_| draw()).collect(), bands }
    }
}

/// One function of the fast signature, (a·x + b) mod 2⁶¹ − 1 over the whole shingle hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RoundHash {
    pub(super) a: u64,
    pub(super) b: u64,
}

impl RoundHash {
    pub(crate) fn drawn(coefficients: &mut Coefficients) -> Self {
        Self { a: coefficients.below_p61(1), b: coefficients.below_p61(0) }
    }

    #[inline(always)]
    pub(crate) fn hash(self, shingle: u64) -> u64 {
        let x = (shingle & P61) + (shingle >> 61);
        let x = x.min(x.wrapping_sub(P61));
        // As in `hash31`: at most p·(p − 1), and the halves add up to at most 2p − 2.
        let wide = u128::from(self.a) * u128::from(x) + u128::from(self.b);
        let sum = (wide as u64 & P61) + (wide >> 61) as u64;
        sum.min(sum.wrapping_sub(P61))
    }
}

/// The functions of the fast signature, one for each round.
pub(crate) fn round_hashes(rounds: usize, seed: u64) -> Vec<RoundHash> {
    let mut coefficients = Coefficients::new(seed, b"fast\0\0\0\0");
    (0..rounds).map(|_| RoundHash::drawn(&mut coefficients)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn hash31_is_the_formula(a in 0..P31, b in 0..P31, x in 0..P31) {
            let exact = (u128::from(a) * u128::from(x) + u128::from(b)) % u128::from(P31);
            prop_assert_eq!(u128::from(hash31(a, b, x)), exact);
        }

        #[test]
        fn hash61_is_the_formula(a in 1..P61, b in 0..P61, x in any::<u64>()) {
            let exact = (u128::from(a) * u128::from(x % P61) + u128::from(b)) % u128::from(P61);
            prop_assert_eq!(u128::from(RoundHash { a, b }.hash(x)), exact);
        }

        #[test]
        fn bands_are_a_progression(seed in any::<u64>(), x in 0..P31) {
            let family = ProgressionFamily::new(50, 2, seed);
            for row in &family.rows {
                let step = hash31(row.a_step, row.b_step, x);
                for band in 1..50 {
                    let (a, b) = row.of_band(band);
                    let (a_before, b_before) = row.of_band(band - 1);
                    let expected = (u64::from(hash31(a_before, b_before, x)) + u64::from(step)) % u64::from(P31);
                    prop_assert_eq!(u64::from(hash31(a, b, x)), expected);
                }
            }
        }
    }

    #[test]
    fn the_ends_of_the_ranges_are_exact() {
        for x in [0, 1, P31 - 1] {
            for (a, b) in [(1, 0), (P31 - 1, P31 - 1), (P31 - 1, 0), (1, P31 - 1)] {
                let exact = (u128::from(a) * u128::from(x) + u128::from(b)) % u128::from(P31);
                assert_eq!(u128::from(hash31(a, b, x)), exact);
            }
        }
        for x in [0, P61 - 1, P61, P61 + 1, u64::MAX] {
            for (a, b) in [(1, 0), (P61 - 1, P61 - 1)] {
                let exact = (u128::from(a) * u128::from(x % P61) + u128::from(b)) % u128::from(P61);
                assert_eq!(u128::from(RoundHash { a, b }.hash(x)), exact);
            }
        }
        assert_eq!(residue31(u64::MAX), 0, "the prime itself is 0");
    }

    #[test]
    fn coefficients_are_pinned() {
        let family = ProgressionFamily::new(20, 2, 42);
        let first = family.rows[0];
        assert_eq!([first.a, first.a_step, first.b, first.b_step], [26006521, 1487765131, 1147927570, 156032253]);
        let rounds = round_hashes(2, 42);
        assert_eq!(
            [rounds[0].a, rounds[0].b, rounds[1].a, rounds[1].b],
            [450909963048754308, 2009305873373194414, 1939479700286819708, 790985016152772699]
        );
    }
}
