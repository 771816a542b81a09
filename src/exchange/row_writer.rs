//! `RowWriter`: fields in, rows of any format out.
//!
//! Lines are gathered and written many at a time. Rows of Arrow are in `arrow_writer`.

use std::io::{self, Write};

use serde::Serialize;

#[cfg(feature = "arrow")]
use super::arrow_writer::ArrowWriter;
use super::rows::RowFormat;
use crate::error::{Error, ExchangeError, Result};
use crate::output::push_json;

/// Bytes of rows that are written at a time.
const WRITTEN_BYTES: usize = 1 << 16;

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
    /// A whole number.
    Number,
    /// A list of whole numbers.
    Numbers,
}

/// A field of a row.
#[derive(Debug, Clone, Copy)]
pub(super) enum RowField<'f> {
    /// A text without tabs and line ends, of valid UTF-8.
    Text(&'f [u8]),
    /// No text: empty in TSV, null in Arrow.
    NoText,
    Number(i64),
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
            RowField::Text(_) | RowField::NoText => {}
        }
    }
}

/// Writes rows.
pub(super) enum RowWriter<'a> {
    /// TSV or JSON Lines.
    Lines { output: &'a mut (dyn Write + Send), rows: Vec<u8> },
    /// Arrow.
    #[cfg(feature = "arrow")]
    Arrow(Box<ArrowWriter<'a>>),
}

impl<'a> RowWriter<'a> {
    /// * `columns`: those of the rows, which `push` gets in this order.
    ///
    /// # Errors
    /// When their names cannot be written.
    pub(super) fn new(output: &'a mut (dyn Write + Send), format: RowFormat, columns: &[FieldColumn]) -> Result<Self> {
        match format {
            #[cfg(feature = "arrow")]
            RowFormat::Arrow => {
                ArrowWriter::new(output, columns).map(|writer| Self::Arrow(Box::new(writer))).map_err(failed)
            }
            RowFormat::Tsv | RowFormat::JsonLines => {
                let _ = columns;
                Ok(Self::Lines { output, rows: Vec::new() })
            }
        }
    }

    /// Appends a row of TSV or Arrow.
    ///
    /// # Errors
    /// When rows cannot be written.
    pub(super) fn push(&mut self, fields: &[RowField]) -> Result<()> {
        match self {
            #[cfg(feature = "arrow")]
            Self::Arrow(writer) => writer.push(fields).map_err(failed),
            Self::Lines { rows, .. } => {
                for (place, &field) in fields.iter().enumerate() {
                    if place > 0 {
                        rows.push(b'\t');
                    }
                    push_tsv(rows, field);
                }
                self.end_line()
            }
        }
    }

    /// Appends a row of JSON Lines.
    ///
    /// # Errors
    /// When rows cannot be written.
    ///
    /// # Panics
    /// In another format.
    pub(super) fn push_json(&mut self, record: &impl Serialize) -> Result<()> {
        match self {
            Self::Lines { rows, .. } => push_json(rows, record),
            #[cfg(feature = "arrow")]
            Self::Arrow(_) => unreachable!("records are for JSON Lines"),
        }
        self.end_line()
    }

    fn end_line(&mut self) -> Result<()> {
        if let Self::Lines { output, rows } = self {
            rows.push(b'\n');
            if rows.len() >= WRITTEN_BYTES {
                output.write_all(rows).map_err(failed)?;
                rows.clear();
            }
        }
        Ok(())
    }

    /// Writes what is left.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn finish(self) -> Result<()> {
        match self {
            #[cfg(feature = "arrow")]
            Self::Arrow(writer) => writer.finish().map_err(failed),
            Self::Lines { output, rows } => output.write_all(&rows).and_then(|()| output.flush()).map_err(failed),
        }
    }
}

fn failed(error: io::Error) -> Error {
    Error::Exchange(ExchangeError::Output(error))
}

fn push_tsv(row: &mut Vec<u8>, field: RowField) {
    if let RowField::Text(text) = field {
        row.extend_from_slice(text);
    }
    let mut is_first = true;
    field.for_each_number(|number| {
        let comma = if std::mem::take(&mut is_first) { "" } else { "," };
        write!(row, "{comma}{number}").expect("a Vec takes every number");
    });
}
