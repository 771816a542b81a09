//! Writes records as Parquet. Each column is optional and has the type of its values; texts are strings, objects and
//! arrays are JSON.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::{Type, TypePtr};

use super::columns::{AllColumns, ColumnType};
use super::rows::{CellValue, SpooledRows};
use super::to_text::in_columns;

/// Maximum rows and bytes of a row group.
const ROWS: usize = 1 << 16;
const BYTES: usize = 64 << 20;

/// Writes all records.
///
/// # Errors
/// When the records cannot be read again, or `out` fails.
pub(super) fn write(columns: &AllColumns, rows: SpooledRows, out: &mut (dyn Write + Send)) -> io::Result<()> {
    write_rows(columns, rows, out).map_err(|error| match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    })
}

fn write_rows(columns: &AllColumns, rows: SpooledRows, out: &mut (dyn Write + Send)) -> Result<(), ParquetError> {
    let types = columns.types();
    let fields = columns.names.iter().zip(&types).map(|(name, &kind)| field(name, kind));
    let root = Type::group_type_builder("records").with_fields(fields.collect::<Result<_, _>>()?).build()?;
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by(concat!("dedup ", env!("CARGO_PKG_VERSION")).to_owned());
    let mut writer = SerializedFileWriter::new(out, Arc::new(root), Arc::new(properties.build()))?;
    let new = || types.iter().map(|&kind| GatheredColumn::new(kind)).collect::<Vec<_>>();
    let (mut gathered, mut num_rows, mut num_bytes) = (new(), 0, 0);
    for row in rows {
        let cells = in_columns(row.map_err(|error| ParquetError::External(Box::new(error)))?, types.len());
        for (column, cell) in gathered.iter_mut().zip(cells) {
            num_bytes += column.push(cell.unwrap_or(CellValue::Null));
        }
        num_rows += 1;
        if num_rows == ROWS || num_bytes >= BYTES {
            write_group(&mut writer, std::mem::replace(&mut gathered, new()))?;
            (num_rows, num_bytes) = (0, 0);
        }
    }
    if num_rows > 0 {
        write_group(&mut writer, gathered)?;
    }
    writer.close().map(drop)
}

fn field(name: &str, kind: ColumnType) -> Result<TypePtr, ParquetError> {
    let (physical, logical) = match kind {
        ColumnType::Bool => (Physical::BOOLEAN, None),
        ColumnType::Integer => (Physical::INT64, None),
        ColumnType::Float => (Physical::DOUBLE, None),
        ColumnType::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        ColumnType::Json => (Physical::BYTE_ARRAY, Some(LogicalType::Json)),
    };
    let builder = Type::primitive_type_builder(name, physical).with_repetition(Repetition::OPTIONAL);
    builder.with_logical_type(logical).build().map(Arc::new)
}

fn write_group<W: Write + Send>(
    writer: &mut SerializedFileWriter<W>,
    columns: Vec<GatheredColumn>,
) -> Result<(), ParquetError> {
    let mut group = writer.next_row_group()?;
    for GatheredColumn { values, levels } in columns {
        let mut column = group.next_column()?.expect("a column of the schema for each");
        match values {
            TypedValues::Bools(values) => write_column::<BoolType>(&mut column, &values, &levels)?,
            TypedValues::Integers(values) => write_column::<Int64Type>(&mut column, &values, &levels)?,
            TypedValues::Floats(values) => write_column::<DoubleType>(&mut column, &values, &levels)?,
            TypedValues::Texts(values) => write_column::<ByteArrayType>(&mut column, &values, &levels)?,
        }
        column.close()?;
    }
    group.close().map(drop)
}

fn write_column<D: DataType>(
    column: &mut SerializedColumnWriter<'_>,
    values: &[D::T],
    levels: &[i16],
) -> Result<(), ParquetError> {
    column.typed::<D>().write_batch(values, Some(levels), None).map(drop)
}

/// The values of a column in a row group; a missing value has definition level 0.
struct GatheredColumn {
    values: TypedValues,
    levels: Vec<i16>,
}

enum TypedValues {
    Bools(Vec<bool>),
    Integers(Vec<i64>),
    Floats(Vec<f64>),
    Texts(Vec<ByteArray>),
}

impl GatheredColumn {
    fn new(kind: ColumnType) -> Self {
        let values = match kind {
            ColumnType::Bool => TypedValues::Bools(Vec::new()),
            ColumnType::Integer => TypedValues::Integers(Vec::new()),
            ColumnType::Float => TypedValues::Floats(Vec::new()),
            ColumnType::Text | ColumnType::Json => TypedValues::Texts(Vec::new()),
        };
        Self { values, levels: Vec::new() }
    }

    /// Adds a value and returns its length in bytes.
    fn push(&mut self, cell: CellValue) -> usize {
        self.levels.push(i16::from(cell != CellValue::Null));
        match (&mut self.values, cell) {
            (_, CellValue::Null) => {}
            (TypedValues::Bools(values), CellValue::Bool(value)) => values.push(value),
            (TypedValues::Integers(values), CellValue::Number(number)) => {
                values.push(number.parse().expect("the column has such numbers"));
            }
            (TypedValues::Floats(values), CellValue::Number(number)) => {
                values.push(number.parse().expect("the column has such numbers"));
            }
            (TypedValues::Texts(values), CellValue::Text(text) | CellValue::Nested(text)) => {
                let len = text.len();
                values.push(text.into_bytes().into());
                return len + 8;
            }
            _ => unreachable!("a column has one type"),
        }
        8
    }
}
