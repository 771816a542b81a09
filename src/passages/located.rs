//! `LocatedPassages`: the passages of a pair in the coordinates of the originals, as the output has them.

use serde::{Deserialize, Serialize};

use crate::document::OffsetsOf;

/// The passages of two documents, and the share of each document that they cover.
#[derive(Debug, Clone, PartialEq)]
pub struct LocatedPassages {
    /// The share of the first document's tokens that are in tiles of passages, from 0 to 1.
    pub coverage_a: f64,
    /// The same of the second document.
    pub coverage_b: f64,
    /// Of documents that match by their passages.
    pub totals: Option<PassageTotals>,
    /// In the order of their places in the first document.
    pub passages: Vec<LocatedPassage>,
}

/// The tokens of all passages of two documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PassageTotals {
    /// Tokens of their tiles, the same number on both sides.
    pub matched: u64,
    /// Tokens of the longest tile.
    pub longest: u64,
}

/// A passage of two documents; serialised, it is one of `passages` in a line of output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LocatedPassage {
    /// Where it is in the first document.
    pub a: DocumentPart,
    /// Where it is in the second document.
    pub b: DocumentPart,
    /// Tokens of its tiles, the same number on both sides.
    pub matched: u64,
    /// Whether the same tokens are in both documents without a gap.
    pub exact: bool,
}

/// A part of a document, in the coordinates of the original.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DocumentPart {
    /// The first and the last line, from 1, both in it.
    pub lines: [u64; 2],
    /// Where its bytes begin and where they end, from 0; the end is not in it.
    pub bytes: [u64; 2],
    /// What the original is. Left out for a file.
    #[serde(default, skip_serializing_if = "OffsetsOf::is_file")]
    pub of: OffsetsOf,
}
