//! `Located`: the source, offset and length by which a document is read again.

use super::offsets_of::OffsetsOf;

/// Where a document can be read again. 16 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Located {
    pub(crate) offset: u64,
    pub(crate) len: u32,
    pub(crate) source: u32,
}

impl Located {
    /// A file: its name is its path.
    pub(crate) const FILE: u32 = u32::MAX;
    /// The spool of texts.
    pub(crate) const SPOOL: u32 = u32::MAX - 1;
    /// In place of a length: the source as a whole is one text.
    pub(crate) const WHOLE: u32 = u32::MAX;

    /// What the offsets in the document are offsets in.
    pub(crate) fn offsets_of(self) -> OffsetsOf {
        match self.source {
            Self::FILE => OffsetsOf::File,
            Self::SPOOL => OffsetsOf::Member,
            _ => OffsetsOf::Field,
        }
    }
}
