//! `OffsetsOf`: which bytes the offsets of a document count.

use serde::{Deserialize, Serialize};

/// What the offsets in a document are offsets in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OffsetsOf {
    /// The file, as it is stored, or what came from standard input or a pipe.
    #[default]
    File,
    /// The text of a record: its decoded field, or its fields joined by U+000A.
    Field,
    /// What a filter printed.
    Filter,
    /// What was unpacked: a member of an archive, or the content of a compressed file.
    Member,
    /// The text itself, decoded and without markup, where an index has this text and not the bytes that it was made of.
    Text,
}

impl OffsetsOf {
    /// All that a document which is read has; `Text` is of answers alone.
    pub(crate) const ALL: [Self; 4] = [Self::File, Self::Field, Self::Filter, Self::Member];

    /// Whether it is a file, which the output need not say.
    pub(crate) fn is_file(&self) -> bool {
        *self == Self::File
    }

    /// Whether it is what was unpacked.
    pub(crate) fn is_member(&self) -> bool {
        *self == Self::Member
    }
}
