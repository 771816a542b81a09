//! `RowWriter`: writes rows in any format.
//!
//! Lines are collected in a buffer and written together. `arrow_writer` writes rows of Arrow.

use std::io::{self, Write};

use serde::Serialize;

#[cfg(feature = "arrow")]
use super::arrow_writer::ArrowWriter;
use super::columns::{FieldColumn, RowField, RowFormat};
use crate::base::error::{Error, ExchangeError, Result};
use crate::records::push_json;

/// The number of bytes of rows that are written at a time.
const WRITTEN_BYTES: usize = 1 << 16;

/// Writes rows.
pub(super) enum RowWriter<'a> {
    /// Rows of TSV or JSON Lines.
    Lines { output: &'a mut (dyn Write + Send), rows: Vec<u8> },
    /// Rows of Arrow.
    #[cfg(feature = "arrow")]
    Arrow(Box<ArrowWriter<'a>>),
}

impl<'a> RowWriter<'a> {
    /// Creates a writer.
    ///
    /// * `columns`: the columns of the rows, in the order of the fields that `push` receives.
    ///
    /// # Errors
    /// When the schema cannot be written.
    pub(super) fn new(output: &'a mut (dyn Write + Send), format: RowFormat, columns: &[FieldColumn]) -> Result<Self> {
        match format {
            #[cfg(feature = "arrow")]
            RowFormat::Arrow => {
                let writer = ArrowWriter::new(output, columns).map_err(failed)?;
                Ok(Self::Arrow(Box::new(writer)))
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
            Self::Lines { output, rows } => {
                for (position, &field) in fields.iter().enumerate() {
                    if position > 0 {
                        rows.push(b'\t');
                    }
                    push_tsv(rows, field);
                }
                end_line(output, rows)
            }
        }
    }

    /// Appends a row of JSON Lines.
    ///
    /// # Errors
    /// When rows cannot be written.
    ///
    /// # Panics
    /// When the format is not JSON Lines.
    pub(super) fn push_json(&mut self, record: &impl Serialize) -> Result<()> {
        match self {
            Self::Lines { output, rows } => {
                push_json(rows, record);
                end_line(output, rows)
            }
            #[cfg(feature = "arrow")]
            Self::Arrow(_) => unreachable!("records are for JSON Lines"),
        }
    }

    /// Writes the remaining rows.
    ///
    /// # Errors
    /// When they cannot be written.
    pub(super) fn finish(self) -> Result<()> {
        match self {
            #[cfg(feature = "arrow")]
            Self::Arrow(writer) => writer.finish().map_err(failed),
            Self::Lines { output, rows } => output.write_all(&rows).and_then(|()| output.flush()).map_err(failed),
        }
    }
}

/// Ends a line, and writes the buffer when it is full.
fn end_line(output: &mut dyn Write, rows: &mut Vec<u8>) -> Result<()> {
    rows.push(b'\n');
    if rows.len() >= WRITTEN_BYTES {
        output.write_all(rows).map_err(failed)?;
        rows.clear();
    }
    Ok(())
}

fn failed(error: io::Error) -> Error {
    Error::Exchange(ExchangeError::Output(error))
}

fn push_tsv(row: &mut Vec<u8>, field: RowField) {
    match field {
        RowField::Text(text) => row.extend_from_slice(text),
        RowField::Bytes(bytes) => push_hexadecimal(row, bytes),
        _ => {}
    }
    let mut is_first = true;
    field.for_each_number(|number| {
        let comma = if std::mem::take(&mut is_first) { "" } else { "," };
        write!(row, "{comma}{number}").expect("a Vec takes every number");
    });
}

fn push_hexadecimal(row: &mut Vec<u8>, bytes: &[u8]) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    row.extend(bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]).map(|half| DIGITS[half as usize]));
}
