//! `ArrowWriter`: fields in, a stream of Arrow IPC out: the schema, batches of some thousand rows, and the marker of the end.

use std::io::{self, BufWriter, Write};
use std::sync::Arc;

use arrow_array::builder::{ArrayBuilder, BinaryBuilder, Int64Builder, ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};

use super::columns::{FieldColumn, FieldKind, RowField};

/// Most rows of a batch.
const MOST_ROWS: usize = 4096;

/// Bytes of texts and lists that end a batch, so that long texts make small batches.
const BATCH_BYTES: usize = 1 << 20;

/// Bytes of texts that no batch can reach: its places are signed numbers of 32 bits.
const MOST_BYTES: usize = i32::MAX as usize;

/// Writes rows of strings and numbers.
pub(super) struct ArrowWriter<'a> {
    stream: StreamWriter<BufWriter<&'a mut (dyn Write + Send)>>,
    schema: SchemaRef,
    columns: Vec<ArrowColumn>,
    num_rows: usize,
    /// Bytes of the batch so far.
    num_bytes: usize,
}

/// The values of a column in a batch.
enum ArrowColumn {
    Text(StringBuilder),
    Number(Int64Builder),
    Numbers(ListBuilder<Int64Builder>),
    Bytes(BinaryBuilder),
}

impl<'a> ArrowWriter<'a> {
    /// Writes the schema.
    pub(super) fn new(output: &'a mut (dyn Write + Send), columns: &[FieldColumn]) -> io::Result<Self> {
        let field = |column: &FieldColumn| match column.kind {
            FieldKind::Text => Field::new(column.name, DataType::Utf8, true),
            FieldKind::Number => Field::new(column.name, DataType::Int64, true),
            FieldKind::Bytes => Field::new(column.name, DataType::Binary, true),
            FieldKind::Numbers => Field::new_list(column.name, Field::new_list_field(DataType::Int64, true), true),
        };
        let builder = |column: &FieldColumn| match column.kind {
            FieldKind::Text => ArrowColumn::Text(StringBuilder::new()),
            FieldKind::Number => ArrowColumn::Number(Int64Builder::new()),
            FieldKind::Bytes => ArrowColumn::Bytes(BinaryBuilder::new()),
            FieldKind::Numbers => ArrowColumn::Numbers(ListBuilder::new(Int64Builder::new())),
        };
        let schema = Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()));
        let stream = StreamWriter::try_new_buffered(output, &schema).map_err(failed)?;
        Ok(Self { stream, schema, columns: columns.iter().map(builder).collect(), num_rows: 0, num_bytes: 0 })
    }

    /// Appends a row, whose fields are of the kinds of the columns.
    pub(super) fn push(&mut self, fields: &[RowField]) -> io::Result<()> {
        let len: usize = fields.iter().map(num_bytes).sum();
        if self.num_bytes.saturating_add(len) >= MOST_BYTES {
            self.write_batch()?;
            if len >= MOST_BYTES {
                return Err(io::Error::other("a row has 2 GiB or more; use TSV for such rows"));
            }
        }
        for (column, &field) in self.columns.iter_mut().zip(fields) {
            column.push(field)?;
        }
        self.num_rows += 1;
        self.num_bytes += len;
        if self.num_rows < MOST_ROWS && self.num_bytes < BATCH_BYTES { Ok(()) } else { self.write_batch() }
    }

    fn write_batch(&mut self) -> io::Result<()> {
        if self.num_rows > 0 {
            let arrays = self.columns.iter_mut().map(ArrowColumn::finish).collect();
            let batch = RecordBatch::try_new(Arc::clone(&self.schema), arrays).map_err(failed)?;
            self.stream.write(&batch).map_err(failed)?;
            (self.num_rows, self.num_bytes) = (0, 0);
        }
        Ok(())
    }

    /// Writes what is left, and the end.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.write_batch()?;
        self.stream.finish().map_err(failed)
    }
}

impl ArrowColumn {
    fn push(&mut self, field: RowField) -> io::Result<()> {
        match self {
            Self::Text(values) => match field {
                RowField::Text(text) => {
                    let text = simdutf8::basic::from_utf8(text);
                    values.append_value(text.map_err(|_| io::Error::other("a text is not valid UTF-8"))?);
                }
                _ => values.append_null(),
            },
            Self::Number(values) => match field {
                RowField::Number(number) => values.append_value(number),
                _ => values.append_null(),
            },
            Self::Bytes(values) => match field {
                RowField::Bytes(bytes) => values.append_value(bytes),
                _ => values.append_null(),
            },
            Self::Numbers(lists) => {
                field.for_each_number(|number| lists.values().append_value(number));
                lists.append(true);
            }
        }
        Ok(())
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Text(values) => ArrayBuilder::finish(values),
            Self::Number(values) => ArrayBuilder::finish(values),
            Self::Numbers(lists) => ArrayBuilder::finish(lists),
            Self::Bytes(values) => ArrayBuilder::finish(values),
        }
    }
}

fn num_bytes(field: &RowField) -> usize {
    match field {
        RowField::Text(bytes) | RowField::Bytes(bytes) => bytes.len(),
        RowField::Nothing | RowField::Number(_) => 0,
        RowField::Keys(keys) => 8 * keys.len(),
        RowField::Values(values) => 8 * values.len(),
    }
}

fn failed(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        other => io::Error::other(other),
    }
}
