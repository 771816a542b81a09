//! `OffsetsOf`: which bytes the offsets in a document count.

use serde::{Deserialize, Serialize};

/// The bytes that the offsets in a document count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OffsetsOf {
    /// The file as it is stored, or the bytes of standard input or of a pipe.
    #[default]
    File,
    /// The text of a record: its decoded field, or its fields joined by U+000A.
    Field,
    /// The output of a filter program.
    Filter,
    /// Unpacked content: a member of an archive, or the content of a compressed file.
    Member,
    /// The text itself, decoded and without markup, when the bytes that it was made from are not text, such as an office
    /// document, or are not in an index.
    Text,
}

impl OffsetsOf {
    /// All values. An index stores their positions, so a new value comes last.
    pub(crate) const ALL: [Self; 5] = [Self::File, Self::Field, Self::Filter, Self::Member, Self::Text];

    /// Whether offsets count bytes of the file itself, which the output need not mention.
    pub(crate) fn is_file(&self) -> bool {
        *self == Self::File
    }
}
