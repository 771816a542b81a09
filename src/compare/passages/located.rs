//! `LocatedPassages`: the passages of a pair in the coordinates of the original documents, as in the output.

use serde::{Deserialize, Serialize};

use crate::documents::document::OffsetsOf;

/// The passages of two documents, and the share of each document that they cover.
#[derive(Debug, Clone, PartialEq)]
pub struct LocatedPassages {
    /// Share of the first document's tokens that are in tiles of passages, from 0 to 1.
    pub coverage_a: f64,
    /// Share of the second document's tokens that are in tiles of passages, from 0 to 1.
    pub coverage_b: f64,
    /// Totals of all passages, if documents match by their passages.
    pub totals: Option<PassageTotals>,
    /// The passages, in the order of their positions in the first document.
    pub passages: Vec<LocatedPassage>,
}

/// Numbers of tokens in the passages of two documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PassageTotals {
    /// Number of tokens in the passages' tiles, equal on both sides.
    pub matched: u64,
    /// Number of tokens in the longest tile.
    pub longest: u64,
}

/// A passage of two documents, serialised as an item of `passages` in a line of output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LocatedPassage {
    /// The part of the first document that the passage covers.
    pub a: DocumentPart,
    /// The part of the second document that the passage covers.
    pub b: DocumentPart,
    /// Number of tokens in the passage's tiles, equal on both sides.
    pub matched: u64,
    /// Whether both documents have the same tokens there, without a gap.
    pub exact: bool,
    /// The files of the first document (`--unit`) in which the passage begins and ends; lines and bytes of `a` count in
    /// these. Absent if the document is not joined from files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files_a: Option<PartFiles>,
    /// The files of the second document in which the passage begins and ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files_b: Option<PartFiles>,
}

/// The files of a document in which a part of it begins and ends: one name if it is one file, otherwise two.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PartFiles(Vec<String>);

impl PartFiles {
    pub(crate) fn new(first: &str, last: &str) -> Self {
        let files = if first == last { &[first][..] } else { &[first, last] };
        Self(files.iter().map(|&name| name.to_owned()).collect())
    }

    /// The file in which the part begins.
    pub fn first(&self) -> &str {
        self.0.first().map_or("", |name| name)
    }

    /// The file in which the part ends, if it is another one.
    pub fn last(&self) -> Option<&str> {
        self.0.get(1).map(String::as_str)
    }
}

/// A part of a document, in the coordinates of the original.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentPart {
    /// The first and the last line, from 1, both inclusive.
    pub lines: [u64; 2],
    /// The first and the last slide, chapter or notebook cell, from 1, both inclusive; omitted for a document without them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<[u64; 2]>,
    /// The start and the end in bytes, from 0; the end is exclusive.
    pub bytes: [u64; 2],
    /// The kind of original that the coordinates refer to; omitted for a file.
    #[serde(default, skip_serializing_if = "OffsetsOf::is_file")]
    pub of: OffsetsOf,
}
