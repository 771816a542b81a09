//! Shingles of sets: each line of the normalised text is one element and one shingle.

use super::cutter::Kind;
use super::lines;
use crate::text::normalize::Units;

pub(super) const KIND: Kind = Kind { units: Units::Lines, is_unordered: true, ..Kind::of(lines::cutter) };
