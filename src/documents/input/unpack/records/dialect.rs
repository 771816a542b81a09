//! `Dialect`: how the fields of a table are delimited, quoted and escaped; `first_rows` chooses it.

/// The conventions by which a table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::documents::input) struct Dialect {
    pub(in crate::documents::input) delimiter: u8,
    /// Whether quotation marks enclose fields.
    pub(in crate::documents::input) quoting: bool,
    /// The character that makes the next one an ordinary character.
    pub(in crate::documents::input) escape: Option<u8>,
    /// Whether the escape character also applies outside quotation marks, as MySQL and Hive write it. Spark escapes only within them.
    pub(in crate::documents::input) escapes_unquoted: bool,
}

impl Dialect {
    /// Whether the escape character makes this character an ordinary one.
    pub(in crate::documents::input) fn is_escapable(self, byte: u8) -> bool {
        byte == self.delimiter
            || Some(byte) == self.escape
            || matches!(byte, b'\n' | b'\r')
            || (byte == b'"' && self.quoting)
    }
}
