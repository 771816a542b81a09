//! Shingles of sentences: a text with one sentence on each line in, as normalisation writes it.

use super::cutter::Kind;
use super::lines;
use crate::normalize::Units;

pub(super) const KIND: Kind = Kind { units: Units::Sentences, ..Kind::of(lines::cutter) };
