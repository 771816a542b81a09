//! `ArrowRows`: reads the fields of each row from a stream of Arrow IPC.
//!
//! Columns are found by name; other columns are ignored. Strings may have any of Arrow's string types, also in a
//! dictionary. A stream must end with its marker: a stream without one, even if it stops between two batches, was cut
//! off.

use std::io::{self, BufRead, ErrorKind, Read, Write};

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, BinaryArray, LargeBinaryArray, LargeStringArray, StringArray, StringViewArray};
use arrow_ipc::reader::StreamReader;
use arrow_schema::{ArrowError, DataType, Schema};

use super::columns::{ColumnKind, RowColumn};
use crate::documents::input::contain;

/// Reads rows from record batches.
pub(super) struct ArrowRows<'a> {
    /// The input, before the first read.
    input: Option<MarkedInput<'a>>,
    /// The stream, after the first read.
    stream: Option<StreamReader<MarkedInput<'a>>>,
    /// The position of each wanted column in a batch.
    positions: Vec<usize>,
    has_numbers_only: bool,
    /// The wanted columns of the current batch.
    batch: Vec<BatchColumn>,
    next_row: usize,
    num_rows: usize,
}

/// The input, and whether its end has been reached.
struct MarkedInput<'a> {
    input: &'a mut dyn BufRead,
    is_at_end: bool,
}

impl Read for MarkedInput<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let len = self.input.read(bytes)?;
        self.is_at_end |= len == 0 && !bytes.is_empty();
        Ok(len)
    }
}

impl<'a> ArrowRows<'a> {
    pub(super) fn new(input: &'a mut dyn BufRead) -> Self {
        Self {
            input: Some(MarkedInput { input, is_at_end: false }),
            stream: None,
            positions: Vec::new(),
            has_numbers_only: false,
            batch: Vec::new(),
            next_row: 0,
            num_rows: 0,
        }
    }

    /// Whether every wanted column has a signed integer type; `false` before the first read.
    pub(super) fn has_numbers_only(&self) -> bool {
        self.has_numbers_only
    }

    /// Reads the next row into `fields`. Returns `None` after the last row, and an error message for an unusable row.
    pub(super) fn read(
        &mut self,
        columns: &[RowColumn],
        fields: &mut [Vec<u8>],
    ) -> io::Result<Option<Result<(), String>>> {
        while self.next_row == self.num_rows {
            if !self.read_batch(columns)? {
                return Ok(None);
            }
        }
        let row = self.next_row;
        self.next_row += 1;
        for ((column, values), field) in columns.iter().zip(&self.batch).zip(fields) {
            field.clear();
            if !values.push_to(row, field) {
                return Ok(Some(Err(format!("the field `{}` is null; give it a value", column.name))));
            }
        }
        Ok(Some(Ok(())))
    }

    /// Reads the next batch; returns `false` after the last one. The arrow library panics on some damaged input, so
    /// panics are caught.
    fn read_batch(&mut self, columns: &[RowColumn]) -> io::Result<bool> {
        contain(|| self.read_uncontained(columns))?
    }

    fn read_uncontained(&mut self, columns: &[RowColumn]) -> io::Result<bool> {
        if let Some(input) = self.input.take() {
            let stream = StreamReader::try_new(input, None).map_err(failed)?;
            let schema = stream.schema();
            self.positions = columns.iter().map(|column| position_of(column, &schema)).collect::<io::Result<_>>()?;
            let is_signed = |&position: &usize| schema.field(position).data_type().is_signed_integer();
            self.has_numbers_only = self.positions.iter().all(is_signed);
            self.stream = Some(stream);
        }
        let stream = self.stream.as_mut().expect("it was opened");
        match stream.next() {
            None => {
                let ended = stream.get_mut();
                if ended.is_at_end {
                    return Err(invalid("the stream has no marker of its end; the input was cut off"));
                }
                if !ended.input.fill_buf()?.is_empty() {
                    return Err(invalid("there is data after the end of the stream; write one stream"));
                }
                Ok(false)
            }
            Some(batch) => {
                let batch = batch.map_err(failed)?;
                let column = |&position: &usize| BatchColumn::new(batch.column(position).as_ref());
                self.batch = self.positions.iter().map(column).collect();
                (self.next_row, self.num_rows) = (0, batch.num_rows());
                Ok(true)
            }
        }
    }
}

/// The position of a column, if its type fits.
fn position_of(column: &RowColumn, schema: &Schema) -> io::Result<usize> {
    let name = column.name;
    let (position, field) =
        schema.column_with_name(name).ok_or_else(|| invalid(format!("missing column `{name}`; add it")))?;
    let found = match field.data_type() {
        DataType::Dictionary(_, values) => values.as_ref(),
        found => found,
    };
    let (is_text, is_number) = (found.is_string(), found == field.data_type() && found.is_integer());
    let (fits, wanted) = match column.kind {
        ColumnKind::Text => (is_text, "strings"),
        ColumnKind::Name | ColumnKind::Order => (is_text || is_number, "strings or whole numbers"),
        ColumnKind::Count => (is_number, "whole numbers"),
        ColumnKind::Bytes => {
            (matches!(field.data_type(), DataType::Binary | DataType::LargeBinary), "bytes without a dictionary")
        }
    };
    if fits {
        return Ok(position);
    }
    Err(invalid(format!("the column `{name}` has the type {}, not {wanted}; cast it", field.data_type())))
}

/// A column of a batch.
struct BatchColumn {
    values: BatchValues,
    /// The position of the value of each row in `values`, for a dictionary.
    positions: Option<Vec<usize>>,
    /// Whether each row is null, if any is.
    is_null: Option<Vec<bool>>,
}

enum BatchValues {
    Text(StringArray),
    LargeText(LargeStringArray),
    TextView(StringViewArray),
    Bytes(BinaryArray),
    LargeBytes(LargeBinaryArray),
    Number(Vec<i128>),
}

impl BatchColumn {
    /// Reads a column.
    ///
    /// * `array`: an array with a type that [`position_of`] accepts.
    fn new(array: &dyn Array) -> Self {
        let nulls = array.logical_nulls().filter(|nulls| nulls.null_count() > 0);
        let is_null = nulls.map(|nulls| nulls.iter().map(|is_valid| !is_valid).collect());
        let Some(dictionary) = array.as_any_dictionary_opt() else {
            return Self { values: BatchValues::new(array), positions: None, is_null };
        };
        // A dictionary without values means that all rows are null.
        let is_empty = dictionary.values().is_empty();
        let positions = if is_empty { vec![0; array.len()] } else { dictionary.normalized_keys() };
        Self { values: BatchValues::new(dictionary.values().as_ref()), positions: Some(positions), is_null }
    }

    /// Appends the value of a row; returns `false` for null.
    fn push_to(&self, row: usize, field: &mut Vec<u8>) -> bool {
        if self.is_null.as_ref().is_some_and(|is_null| is_null[row]) {
            return false;
        }
        let position = self.positions.as_ref().map_or(row, |positions| positions[row]);
        match &self.values {
            BatchValues::Text(texts) => field.extend_from_slice(texts.value(position).as_bytes()),
            BatchValues::LargeText(texts) => field.extend_from_slice(texts.value(position).as_bytes()),
            BatchValues::TextView(texts) => field.extend_from_slice(texts.value(position).as_bytes()),
            BatchValues::Bytes(values) => field.extend_from_slice(values.value(position)),
            BatchValues::LargeBytes(values) => field.extend_from_slice(values.value(position)),
            BatchValues::Number(numbers) => write!(field, "{}", numbers[position]).expect("a Vec takes every number"),
        }
        true
    }
}

impl BatchValues {
    fn new(array: &dyn Array) -> Self {
        match array.data_type() {
            DataType::Utf8 => Self::Text(array.as_string().clone()),
            DataType::LargeUtf8 => Self::LargeText(array.as_string().clone()),
            DataType::Utf8View => Self::TextView(array.as_string_view().clone()),
            DataType::Binary => Self::Bytes(array.as_binary().clone()),
            DataType::LargeBinary => Self::LargeBytes(array.as_binary().clone()),
            DataType::Int8 => Self::numbers::<Int8Type>(array),
            DataType::Int16 => Self::numbers::<Int16Type>(array),
            DataType::Int32 => Self::numbers::<Int32Type>(array),
            DataType::Int64 => Self::numbers::<Int64Type>(array),
            DataType::UInt8 => Self::numbers::<UInt8Type>(array),
            DataType::UInt16 => Self::numbers::<UInt16Type>(array),
            DataType::UInt32 => Self::numbers::<UInt32Type>(array),
            DataType::UInt64 => Self::numbers::<UInt64Type>(array),
            other => unreachable!("columns of {other} are refused"),
        }
    }

    fn numbers<T: ArrowPrimitiveType<Native: Into<i128>>>(array: &dyn Array) -> Self {
        Self::Number(array.as_primitive::<T>().values().iter().map(|&number| number.into()).collect())
    }
}

fn invalid(fault: impl Into<String>) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, fault.into())
}

fn failed(error: ArrowError) -> io::Error {
    match error {
        // The library's message for a premature end is unclear.
        ArrowError::IoError(_, error) if error.kind() == ErrorKind::UnexpectedEof => {
            invalid("the stream ends within a batch; the input was cut off")
        }
        ArrowError::IoError(_, error) => error,
        other => invalid(format!("not a stream of Arrow IPC ({other})")),
    }
}
