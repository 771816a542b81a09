//! `ArrowWriter`: writes rows as a stream of Arrow IPC: the schema, batches of some thousand rows, and the end marker.

use std::io::{self, BufWriter, Write};
use std::sync::Arc;

use arrow_array::builder::{ArrayBuilder, BinaryBuilder, Int64Builder, ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};

use super::columns::{FieldColumn, FieldKind, RowField};

/// The maximum number of rows of a batch.
const MOST_ROWS: usize = 4096;

/// The number of bytes of texts and lists that ends a batch, so that long texts make small batches.
const BATCH_BYTES: usize = 1 << 20;

/// The exclusive maximum of bytes in a batch: Arrow offsets are signed 32-bit numbers.
const MOST_BYTES: usize = i32::MAX as usize;

/// Writes rows of strings, numbers and bytes.
pub(super) struct ArrowWriter<'a> {
    stream: StreamWriter<BufWriter<&'a mut (dyn Write + Send)>>,
    schema: SchemaRef,
    columns: Vec<ArrowColumn>,
    num_rows: usize,
    /// The number of bytes in the current batch.
    num_bytes: usize,
}

/// The values of a column in the current batch.
enum ArrowColumn {
    Text(StringBuilder),
    Number(Int64Builder),
    Numbers(ListBuilder<Int64Builder>),
    Bytes(BinaryBuilder),
}

impl<'a> ArrowWriter<'a> {
    /// Creates a writer and writes the schema.
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

    /// Appends a row; the kinds of its fields must match the columns.
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

    /// Writes the last batch and the end marker.
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
