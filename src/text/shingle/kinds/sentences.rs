//! Shingles of sentences: each line of the normalised text is one sentence.

use super::cutter::Kind;
use super::lines;
use crate::text::normalize::Units;

pub(super) const KIND: Kind = Kind { units: Units::Sentences, ..Kind::of(lines::cutter) };
