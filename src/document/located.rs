//! `Located`: the source, offset and length by which a document is read again.

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
}
