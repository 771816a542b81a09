//! The universal hash functions h(x) = (a·x + b) mod p of both signatures (Carter and Wegman 1979).
//!
//! Both primes are Mersenne primes, so the remainder needs only shifts and additions. Coefficients are drawn from the
//! seed by ChaCha12, whose stream is fixed by its definition, with rejection, so every coefficient is exactly uniform.

use rand::rngs::ChaCha12Rng;
use rand::{Rng, SeedableRng};

/// The prime of the classic signature, 2³¹ − 1.
pub(crate) const P31: u32 = (1 << 31) - 1;
/// The prime of the fast signature, 2⁶¹ − 1.
pub(crate) const P61: u64 = (1 << 61) - 1;

/// Draws coefficients; each seed and purpose has its own stream.
#[derive(Debug)]
pub(crate) struct Coefficients(ChaCha12Rng);

impl Coefficients {
    pub(crate) fn new(seed: u64, purpose: &[u8; 8]) -> Self {
        // The key is set explicitly because `seed_from_u64` may change between releases of `rand`.
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
    // The value is at most p·(p − 1), below 2⁶²; its two halves add up to at most 2p − 2.
    let wide = u64::from(a) * u64::from(x) + u64::from(b);
    let sum = (wide as u32 & P31) + (wide >> 31) as u32;
    // The smaller one is the remainder; the other one is larger because it wrapped or was not reduced.
    sum.min(sum.wrapping_sub(P31))
}

/// The part of a shingle hash that the classic functions use: its top 31 bits, mod 2³¹ − 1.
#[inline(always)]
pub(crate) fn residue31(shingle: u64) -> u32 {
    let top = (shingle >> 33) as u32;
    if top == P31 { 0 } else { top }
}

/// One function of the classic signature, (a·x + b) mod 2³¹ − 1 over a [`residue31`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BandHash {
    pub(crate) a: u32,
    pub(crate) b: u32,
}

impl BandHash {
    #[inline(always)]
    pub(crate) fn hash(self, x: u32) -> u32 {
        hash31(self.a, self.b, x)
    }

    /// The function whose value is the sum of both values, mod p.
    fn plus(self, other: Self) -> Self {
        Self { a: hash31(1, self.a, other.a), b: hash31(1, self.b, other.b) }
    }
}

/// The functions of the classic signature: rows are independent, the bands of a row are Fibonacci sequences.
///
/// The coefficients of the first two bands of a sequence are drawn; the coefficients of each later band are the sums of
/// the two preceding ones, mod p. The same holds for the values, so one more band costs one addition. Let u and v be
/// the values of the first two bands and F the Fibonacci numbers: band j has the value F(j−1)·u + F(j)·v. Two bands i
/// and j are independent on any one x, since the map from (u, v) has the determinant ±F(j−i), and 2³¹ − 1 divides no
/// Fibonacci number before F(2³¹).
///
/// Three bands in sequence are not independent: all are small if u and v are small. This matters if there are few
/// bands, so rows of fewer than [`ONE_SEQUENCE`](Self::ONE_SEQUENCE) bands have three sequences.
///
/// An arithmetic progression u + j·v costs the same, but if v is small, all its values are close together. If u is
/// small too, one shingle is the minimum in nearly all bands of a row. If only one of two texts has that shingle,
/// almost no bands are equal.
#[derive(Debug, Clone)]
pub(crate) struct ClassicFamily {
    rows: Vec<Vec<BandHash>>,
    sequence_len: usize,
}

impl ClassicFamily {
    /// Number of bands from which on a row is a single sequence. `method.md` states the cost of that.
    const ONE_SEQUENCE: usize = 20;

    pub(crate) fn new(bands: usize, rows: usize, seed: u64) -> Self {
        let mut coefficients = Coefficients::new(seed, b"classic\0");
        let sequence_len = if bands >= Self::ONE_SEQUENCE { bands } else { bands.div_ceil(3) };
        let mut row = || {
            let mut row = Vec::with_capacity(bands);
            while row.len() < bands {
                let len = sequence_len.min(bands - row.len());
                let [a, next_a] = [(); 2].map(|()| coefficients.below_p31(1));
                let [b, next_b] = [(); 2].map(|()| coefficients.below_p31(0));
                let sequence = Self::sequence(BandHash { a, b }, BandHash { a: next_a, b: next_b }, len);
                // A band with a = 0 would be a constant.
                if sequence.iter().all(|function| function.a != 0) {
                    row.extend(sequence);
                }
            }
            row
        };
        Self { rows: (0..rows).map(|_| row()).collect(), sequence_len }
    }

    fn sequence(first: BandHash, second: BandHash, len: usize) -> Vec<BandHash> {
        let functions = std::iter::successors(Some((first, second)), |&(before, last)| Some((last, before.plus(last))));
        functions.map(|(function, _)| function).take(len).collect()
    }

    /// Number of bands in a sequence; the last sequence of a row may be shorter.
    pub(crate) fn sequence_len(&self) -> usize {
        self.sequence_len
    }

    /// The functions of each row, band after band.
    pub(crate) fn rows(&self) -> &[Vec<BandHash>] {
        &self.rows
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
        fn each_band_of_a_sequence_is_the_sum_of_the_two_before(seed in any::<u64>(), x in 0..P31, bands in 1usize..50) {
            let family = ClassicFamily::new(bands, 2, seed);
            prop_assert_eq!(family.sequence_len(), if bands < 20 { bands.div_ceil(3) } else { bands });
            for row in family.rows() {
                prop_assert_eq!(row.len(), bands);
                for bands in row.chunks(family.sequence_len()).flat_map(|sequence| sequence.windows(3)) {
                    let [first, second, third] = [0, 1, 2].map(|band| u64::from(bands[band].hash(x)));
                    prop_assert_eq!(third, (first + second) % u64::from(P31));
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

    /// Computes the factors of u and v in each band from sequences that start with (1, 0) and (0, 1). The determinant
    /// of two bands is never 0.
    #[test]
    fn no_two_bands_of_a_row_depend_on_each_other() {
        const BANDS: usize = 4096;
        let (zero, one) = (BandHash { a: 0, b: 0 }, BandHash { a: 1, b: 0 });
        let (of_u, of_v) = (ClassicFamily::sequence(one, zero, BANDS), ClassicFamily::sequence(zero, one, BANDS));
        let product = |x: u32, y: u32| u64::from(x) * u64::from(y) % u64::from(P31);
        for first in [0, 1, 2, 31, 1000] {
            for second in (0..BANDS).filter(|&second| second != first) {
                let products = [product(of_u[first].a, of_v[second].a), product(of_u[second].a, of_v[first].a)];
                assert_ne!(products[0], products[1], "bands {first} and {second}");
            }
        }
        assert_eq!([of_u[10].a, of_v[10].a], [34, 55]);
    }

    #[test]
    fn coefficients_are_pinned() {
        let family = ClassicFamily::new(20, 2, 42);
        let [first, second] = [family.rows()[0][0], family.rows()[0][1]];
        assert_eq!([first.a, second.a, first.b, second.b], [26006521, 1487765131, 1147927570, 156032253]);
        let rounds = round_hashes(2, 42);
        assert_eq!(
            [rounds[0].a, rounds[0].b, rounds[1].a, rounds[1].b],
            [450909963048754308, 2009305873373194414, 1939479700286819708, 790985016152772699]
        );
    }
}
