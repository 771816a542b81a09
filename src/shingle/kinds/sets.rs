//! Shingles of sets: a text with one element on each line in, one shingle for each element out.

use super::cutter::Kind;
use super::lines;
use crate::normalize::Units;

pub(super) const KIND: Kind = Kind { units: Units::Lines, is_unordered: true, ..Kind::of(lines::cutter) };
