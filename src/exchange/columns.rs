//! `RowFormat`, `RowColumn`, `FieldColumn` and `RowField`: the formats of rows, the input and output columns, and the
//! fields.

/// The format of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowFormat {
    /// One row per line; fields are separated by tabs.
    Tsv,
    /// One JSON object per line.
    JsonLines,
    /// A stream of Arrow IPC: the schema, batches of rows, and the end marker.
    #[cfg(feature = "arrow")]
    Arrow,
}

/// An input column.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowColumn {
    pub(super) name: &'static str,
    pub(super) kind: ColumnKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnKind {
    /// The name of a document, node, key or group; must not be empty.
    Name,
    /// A sort key of documents, compared by its bytes; may be empty, or missing in JSON.
    Order,
    /// A text.
    Text,
    /// A whole number.
    Count,
    /// Bytes; in TSV two hexadecimal digits each.
    Bytes,
}

/// An output column; line formats only use its position.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(not(feature = "arrow"), allow(dead_code))]
pub(super) struct FieldColumn {
    pub(super) name: &'static str,
    pub(super) kind: FieldKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldKind {
    /// A string, or null.
    Text,
    /// A whole number, or null.
    Number,
    /// A list of whole numbers.
    Numbers,
    /// Bytes, or null.
    Bytes,
}

/// A field of an output row.
#[derive(Debug, Clone, Copy)]
pub(super) enum RowField<'f> {
    /// A text in valid UTF-8, without tabs and line ends.
    Text(&'f [u8]),
    /// A missing text, number or bytes: empty in TSV, null in Arrow.
    Nothing,
    Number(i64),
    /// Bytes; hexadecimal digits in TSV.
    Bytes(&'f [u8]),
    /// Keys, written as signed numbers because engines do not have unsigned ones.
    Keys(&'f [u64]),
    Values(&'f [u32]),
}

impl RowField<'_> {
    /// Calls `each` with every number of the field.
    pub(super) fn for_each_number(self, mut each: impl FnMut(i64)) {
        match self {
            RowField::Keys(keys) => keys.iter().for_each(|&key| each(key as i64)),
            RowField::Values(values) => values.iter().for_each(|&value| each(value.into())),
            RowField::Number(number) => each(number),
            RowField::Text(_) | RowField::Bytes(_) | RowField::Nothing => {}
        }
    }
}
