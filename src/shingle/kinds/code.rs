//! Shingles of programs: a text with one token on each line in, as normalisation writes it.

use super::cutter::Kind;
use super::lines;
use crate::normalize::Units;

pub(super) const KIND: Kind =
    Kind { default_size: 12, units: Units::Tokens, bytes_per_shingle: TOKEN_BYTES, ..Kind::of(lines::cutter) };

/// A token, most often one character, and its line end.
const TOKEN_BYTES: usize = 3;
