//! Shingles of sentences: normalisation has put each on a line.

use super::cutter::Kind;
use super::lines;
use crate::normalize::Units;

pub(super) const KIND: Kind = Kind { units: Units::Sentences, ..Kind::of(lines::cutter) };
