//! Reads Parquet records as cells by their logical types; groups, lists and maps become JSON.

use std::fs::File;
use std::io;

use parquet::basic::Type as Physical;
use parquet::data_type::Decimal;
use parquet::errors::ParquetError;
use parquet::file::reader::RowGroupReader;
use parquet::record::{Field, Row};

use super::from_text::UseCells;
use super::rows::CellValue;
use crate::documents::input::{LogicalKind, ParquetFile, contain, of_float};

/// Passes all rows to `pass`.
///
/// # Errors
/// When the rows cannot be read or contain values that are neither text nor numbers, and when `pass` fails.
pub(super) fn rows(file: File, pass: UseCells) -> io::Result<()> {
    let reader = checked(|| ParquetFile::new(file))?;
    let schema = reader.metadata().file_metadata().schema_descr();
    let int96 = schema.columns().iter().find(|column| column.physical_type() == Physical::INT96);
    if let Some(column) = int96 {
        let name = column.path().string();
        return Err(io::Error::other(format!(
            "`{name}`: times of type INT96 are not converted; write them as timestamps"
        )));
    }
    let kind_of = |root: &str| {
        let column = schema.columns().iter().find(|column| column.path().parts() == [root])?;
        Some(LogicalKind::of(column))
    };
    let kinds: Vec<Option<LogicalKind>> =
        schema.root_schema().get_fields().iter().map(|field| kind_of(field.name())).collect();
    let mut number = 0u64;
    for group in 0..reader.metadata().num_row_groups() {
        let group = checked(|| reader.row_group(group))?;
        let mut rows = checked(|| group.get_row_iter(None))?;
        while let Some(row) = checked(|| rows.next().transpose())? {
            number += 1;
            let at = |fault: String| io::Error::other(format!("row {number}: {fault}"));
            let cells = row.get_column_iter().zip(&kinds).map(|((name, field), kind)| {
                let cell = cell_of(field, kind.unwrap_or(LogicalKind::Plain));
                cell.map(|cell| (name.as_str(), cell)).map_err(|fault| format!("`{name}`: {fault}"))
            });
            let cells: Vec<_> = cells.collect::<Result<_, _>>().map_err(at)?;
            pass(&format!("row {number}"), cells)?;
        }
    }
    Ok(())
}

/// Calls the Parquet library and converts its panics and errors.
fn checked<T>(call: impl FnOnce() -> Result<T, ParquetError>) -> io::Result<T> {
    contain(call)?.map_err(io::Error::other)
}

/// Converts a value of a column to a cell.
///
/// * `kind`: the logical type of the column; inside groups and lists the library's [`Field`] determines it.
fn cell_of(field: &Field, kind: LogicalKind) -> Result<CellValue, String> {
    let float = |text: String| CellValue::Number(text);
    let whole = |value: i64, bits: u32| match kind {
        LogicalKind::Date | LogicalKind::Time(_) | LogicalKind::Timestamp(..) => {
            CellValue::Text(kind.of_integer(value, bits))
        }
        _ => CellValue::Number(value.to_string()),
    };
    Ok(match field {
        Field::Null => CellValue::Null,
        Field::Bool(value) => CellValue::Bool(*value),
        Field::Byte(value) => whole((*value).into(), 32),
        Field::Short(value) => whole((*value).into(), 32),
        Field::Int(value) => whole((*value).into(), 32),
        Field::Long(value) => whole(*value, 64),
        Field::UByte(value) => CellValue::Number(value.to_string()),
        Field::UShort(value) => CellValue::Number(value.to_string()),
        Field::UInt(value) => CellValue::Number(value.to_string()),
        Field::ULong(value) => CellValue::Number(value.to_string()),
        Field::Float16(value) => float(of_float(&value.to_f32(), value.is_finite())),
        Field::Float(value) => float(of_float(value, value.is_finite())),
        Field::Double(value) => float(of_float(value, value.is_finite())),
        Field::Decimal(value) => CellValue::Number(decimal(value)),
        Field::Str(text) => CellValue::Text(text.clone()),
        Field::Bytes(bytes) if kind == LogicalKind::Uuid => {
            CellValue::Text(kind.of_bytes(bytes.data()).ok_or("a UUID of another length")?)
        }
        Field::Bytes(bytes) => {
            let text = std::str::from_utf8(bytes.data());
            CellValue::Text(text.map_err(|_| "bytes that are no text, which no other format has")?.to_owned())
        }
        Field::Date(days) => CellValue::Text(LogicalKind::Date.of_integer((*days).into(), 32)),
        Field::TimeMillis(value) => CellValue::Text(LogicalKind::TIME_MILLIS.of_integer((*value).into(), 32)),
        Field::TimeMicros(value) => CellValue::Text(LogicalKind::TIME_MICROS.of_integer(*value, 64)),
        Field::TimestampMillis(value) => {
            CellValue::Text(time_kind(kind, LogicalKind::TIMESTAMP_MILLIS).of_integer(*value, 64))
        }
        Field::TimestampMicros(value) => {
            CellValue::Text(time_kind(kind, LogicalKind::TIMESTAMP_MICROS).of_integer(*value, 64))
        }
        Field::Group(_) | Field::ListInternal(_) | Field::MapInternal(_) => {
            let mut json = String::new();
            push_json(field, &mut json)?;
            CellValue::Nested(json)
        }
    })
}

/// The column's kind if it says whether its times are UTC, otherwise the other kind.
fn time_kind(kind: LogicalKind, other: LogicalKind) -> LogicalKind {
    if matches!(kind, LogicalKind::Timestamp(..)) { kind } else { other }
}

fn decimal(value: &Decimal) -> String {
    LogicalKind::Decimal(value.scale()).of_bytes(value.data()).unwrap_or_default()
}

fn push_json(field: &Field, json: &mut String) -> Result<(), String> {
    match field {
        Field::Group(row) => return push_object(row, json),
        Field::ListInternal(list) => {
            json.push('[');
            for (number, element) in list.elements().iter().enumerate() {
                json.push_str(if number > 0 { "," } else { "" });
                push_json(element, json)?;
            }
            json.push(']');
            return Ok(());
        }
        Field::MapInternal(map) => {
            json.push('{');
            for (number, (key, value)) in map.entries().iter().enumerate() {
                json.push_str(if number > 0 { "," } else { "" });
                let key = match cell_of(key, LogicalKind::Plain)? {
                    CellValue::Text(key) | CellValue::Number(key) => key,
                    _ => return Err("a map whose keys are no texts".to_owned()),
                };
                push_text(&key, json);
                json.push(':');
                push_json(value, json)?;
            }
            json.push('}');
            return Ok(());
        }
        _ => {}
    }
    match cell_of(field, LogicalKind::Plain)? {
        CellValue::Null => json.push_str("null"),
        CellValue::Bool(value) => json.push_str(if value { "true" } else { "false" }),
        CellValue::Number(number) if number.ends_with(|c: char| c.is_ascii_digit()) => json.push_str(&number),
        CellValue::Number(number) => return Err(format!("JSON has no {number}")),
        CellValue::Text(text) => push_text(&text, json),
        CellValue::Nested(_) | CellValue::Record(_) => unreachable!("handled above"),
    }
    Ok(())
}

fn push_object(row: &Row, json: &mut String) -> Result<(), String> {
    json.push('{');
    for (number, (name, field)) in row.get_column_iter().enumerate() {
        json.push_str(if number > 0 { "," } else { "" });
        push_text(name, json);
        json.push(':');
        push_json(field, json)?;
    }
    json.push('}');
    Ok(())
}

fn push_text(text: &str, json: &mut String) {
    json.push_str(&serde_json::to_string(text).expect("texts have no faults"));
}
