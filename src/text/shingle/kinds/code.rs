//! Shingles of programs: each line of the normalised text is one token.

use super::cutter::Kind;
use super::lines;
use crate::text::normalize::Units;

pub(super) const KIND: Kind = Kind { default_size: 12, units: Units::Tokens, ..Kind::of(lines::cutter) };
