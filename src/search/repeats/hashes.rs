//! `RunHasher`: hashes the tokens of a run, other than the shingler hashes grams.

use std::ops::Range;

use xxhash_rust::xxh3::xxh3_128_with_seed;

use crate::text::shingle::{Ids, ShingleKind, Tokens};

/// A seed that no other hash uses, so that this hash is independent of the hash of a gram.
const SEED: u64 = 0x7265_7065_6174_7321;

/// Hashes runs. It keeps its buffer from one run to the next.
#[derive(Debug, Default)]
pub(super) struct RunHasher {
    ids: Vec<u8>,
}

impl RunHasher {
    /// The hash of a range of tokens. Equal runs of any two texts have the same hash.
    pub(super) fn hash(&mut self, kind: ShingleKind, tokens: &Tokens, range: Range<usize>) -> u128 {
        match tokens.ids() {
            // The text between two words belongs to no token.
            Ids::Pieces(ids) if kind == ShingleKind::Word => {
                self.ids.clear();
                self.ids.extend(ids[range].iter().flat_map(|id| id.to_le_bytes()));
                xxh3_128_with_seed(&self.ids, SEED)
            }
            _ => xxh3_128_with_seed(tokens.text_of(range), SEED),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::shingle::Shingler;

    #[test]
    fn equal_runs_have_equal_hashes_whatever_is_around_and_between() {
        let tokens = |kind, text: &str| Shingler::new(kind, 1).tokens(text.to_owned());
        let mut hasher = RunHasher::default();
        let words = [tokens(ShingleKind::Word, "a, b c."), tokens(ShingleKind::Word, "x a b (c) é")];
        let hash = hasher.hash(ShingleKind::Word, &words[0], 0..3);
        assert_eq!(hasher.hash(ShingleKind::Word, &words[1], 1..4), hash);
        assert_ne!(hasher.hash(ShingleKind::Word, &words[1], 0..3), hash);
        let chars = [tokens(ShingleKind::Char, "abcd"), tokens(ShingleKind::Char, "é bc")];
        let hash = hasher.hash(ShingleKind::Char, &chars[0], 1..3);
        assert_eq!(hasher.hash(ShingleKind::Char, &chars[1], 2..4), hash);
    }
}
