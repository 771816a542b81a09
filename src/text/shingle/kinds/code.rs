//! Shingles of programs: each line of the normalised text is one token.

use super::cutter::Kind;
use super::lines;
use crate::text::normalize::Units;

pub(super) const KIND: Kind =
    Kind { default_size: 12, units: Units::Tokens, bytes_per_shingle: TOKEN_BYTES, ..Kind::of(lines::cutter) };

/// Average bytes of a token, usually one character, and its line end.
const TOKEN_BYTES: usize = 3;
