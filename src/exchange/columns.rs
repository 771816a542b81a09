//! `RowFormat`, `RowColumn`, `FieldColumn` and `RowField`: how rows are written, which columns come in and leave, and what a field is.

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowFormat {
    /// Fields between tabs, a row a line.
    Tsv,
    /// A JSON object a line.
    JsonLines,
    /// A stream of Arrow IPC: the schema, batches of rows, and the marker of its end.
    #[cfg(feature = "arrow")]
    Arrow,
}

/// A field of a row.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowColumn {
    pub(super) name: &'static str,
    pub(super) kind: ColumnKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnKind {
    /// Names a document or what it belongs to: not empty.
    Name,
    /// Sorts documents by its bytes; may be empty, or missing in JSON.
    Order,
    /// A text.
    Text,
    /// A whole number.
    Count,
    /// Bytes: in lines two hexadecimal digits each.
    Bytes,
}

/// A column of rows that leave; formats of lines need its place alone.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(not(feature = "arrow"), allow(dead_code))]
pub(super) struct FieldColumn {
    pub(super) name: &'static str,
    pub(super) kind: FieldKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldKind {
    /// A string, or nothing.
    Text,
    /// A whole number, or nothing.
    Number,
    /// A list of whole numbers.
    Numbers,
    /// Bytes, or nothing.
    Bytes,
}

/// A field of a row.
#[derive(Debug, Clone, Copy)]
pub(super) enum RowField<'f> {
    /// A text without tabs and line ends, of valid UTF-8.
    Text(&'f [u8]),
    /// No text, number or bytes: empty in TSV, null in Arrow.
    Nothing,
    Number(i64),
    /// Bytes: hexadecimal digits in TSV.
    Bytes(&'f [u8]),
    /// Keys, as signed numbers, since engines have no others.
    Keys(&'f [u64]),
    Values(&'f [u32]),
}

impl RowField<'_> {
    /// Calls `each` with every number of a list.
    pub(super) fn for_each_number(self, mut each: impl FnMut(i64)) {
        match self {
            RowField::Keys(keys) => keys.iter().for_each(|&key| each(key as i64)),
            RowField::Values(values) => values.iter().for_each(|&value| each(value.into())),
            RowField::Number(number) => each(number),
            RowField::Text(_) | RowField::Bytes(_) | RowField::Nothing => {}
        }
    }
}
