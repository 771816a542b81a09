//! Shingles of paragraphs: normalisation writes each paragraph on a line, so they are cut like lines.

use super::cutter::Kind;
use super::lines;
use crate::text::normalize::Units;

pub(super) const KIND: Kind = Kind { units: Units::Paragraphs, ..Kind::of(lines::cutter) };
