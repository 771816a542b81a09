//! `RollingHash`: the hash of each run of a fixed number of tokens in a text.

/// A token, represented by a number that is equal for equal tokens.
pub(super) trait TokenId: Copy + Eq {
    fn number(self) -> u64;
}

impl TokenId for u8 {
    #[inline(always)]
    fn number(self) -> u64 {
        self.into()
    }
}

impl TokenId for u32 {
    #[inline(always)]
    fn number(self) -> u64 {
        self.into()
    }
}

impl TokenId for u64 {
    #[inline(always)]
    fn number(self) -> u64 {
        self
    }
}

/// An odd factor with well-mixed bits: the fractional part of the golden ratio.
const BASE: u64 = 0x9E37_79B9_7F4A_7C15;

/// The hash of the `len` tokens at a moving position: a polynomial of them (Karp and Rabin 1987), modulo 2⁶⁴ and then
/// mixed.
#[derive(Debug, Clone)]
pub(super) struct RollingHash<'t, T> {
    tokens: &'t [T],
    len: usize,
    /// The factor of the token that leaves the run.
    leaving_factor: u64,
    at: usize,
    hash: u64,
}

impl<'t, T: TokenId> RollingHash<'t, T> {
    /// Creates the hash at position 0.
    ///
    /// # Panics
    /// When there are fewer than `len` tokens.
    pub(super) fn new(tokens: &'t [T], len: usize) -> Self {
        let leaving_factor = (1..len).fold(1u64, |power, _| power.wrapping_mul(BASE));
        Self { tokens, len, leaving_factor, at: 0, hash: polynomial(&tokens[..len]) }
    }

    /// The hash at a position, which must not be before the last one.
    #[inline]
    pub(super) fn at(&mut self, at: usize) -> u64 {
        if at - self.at > self.len {
            self.hash = polynomial(&self.tokens[at..at + self.len]);
            self.at = at;
        }
        while self.at < at {
            let (leaving, entering) = (self.tokens[self.at], self.tokens[self.at + self.len]);
            let rest = self.hash.wrapping_sub(mixed(leaving.number()).wrapping_mul(self.leaving_factor));
            self.hash = rest.wrapping_mul(BASE).wrapping_add(mixed(entering.number()));
            self.at += 1;
        }
        mixed(self.hash)
    }
}

/// The hash of a text that is shorter than a run; the number of tokens is part of the hash.
pub(super) fn hash_of_all<T: TokenId>(tokens: &[T]) -> u64 {
    mixed(polynomial(tokens) ^ !(tokens.len() as u64))
}

fn polynomial<T: TokenId>(tokens: &[T]) -> u64 {
    tokens.iter().fold(0, |hash: u64, &id| hash.wrapping_mul(BASE).wrapping_add(mixed(id.number())))
}

/// Spreads differences over all bits; different numbers stay different.
#[inline]
fn mixed(number: u64) -> u64 {
    let number = (number ^ number >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    number ^ number >> 32
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn equal_runs_of_tokens_have_equal_hashes_and_others_do_not(
            tokens in prop::collection::vec(0u8..3, 0..200),
            len in 1usize..9,
            stride in 1usize..20,
        ) {
            let mut hashes = HashMap::new();
            // Once step by step, once in strides.
            for stride in [1, stride] {
                let num_positions = (tokens.len() + 1).saturating_sub(len);
                let mut rolling = (num_positions > 0).then(|| RollingHash::new(&tokens, len));
                for (at, run) in tokens.windows(len).enumerate().step_by(stride) {
                    let hash = rolling.as_mut().expect("there are places").at(at);
                    prop_assert_eq!(*hashes.entry(run).or_insert(hash), hash);
                }
            }
            let mut distinct: Vec<u64> = hashes.values().copied().collect();
            distinct.sort_unstable();
            distinct.dedup();
            prop_assert_eq!(distinct.len(), hashes.len());
        }
    }
}
