//! `OffsetsOf`: which bytes the offsets of a document count.

/// What the offsets in a document are offsets in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OffsetsOf {
    /// The file, as it is stored, or what came from standard input or a pipe.
    File,
    /// The text of a record: its decoded field, or its fields joined by U+000A.
    Field,
    /// What a filter printed.
    Filter,
    /// What was unpacked: a member of an archive, or the content of a compressed file.
    Member,
}

impl OffsetsOf {
    pub(super) const ALL: [Self; 4] = [Self::File, Self::Field, Self::Filter, Self::Member];

    /// As the output has it.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Field => "field",
            Self::Filter => "filter",
            Self::Member => "member",
        }
    }
}
