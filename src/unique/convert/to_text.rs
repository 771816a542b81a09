//! Writes records as JSON Lines, a JSON array, CSV or TSV.
//!
//! CSV has an empty field for null and for a missing field, and `""` for an empty text. TSV has quotation marks only
//! if a text contains a quotation mark, a tab or a line end; then the header is quoted too, so that readers detect
//! it.

use std::io::{self, Write};

use super::super::form::Conversion;
use super::columns::AllColumns;
use super::rows::{CellValue, SpooledRow, SpooledRows};
use crate::documents::input::FileKind;

/// Writes all records.
///
/// # Errors
/// When the records cannot be read again, or `out` fails.
pub(super) fn write(
    kind: FileKind,
    conversion: &Conversion,
    columns: &AllColumns,
    rows: SpooledRows,
    out: &mut dyn Write,
) -> io::Result<()> {
    match kind {
        FileKind::Json => write_json(conversion.is_array, columns, rows, out),
        FileKind::Tsv => write_table(b'\t', columns, rows, out),
        _ => write_table(conversion.delimiter, columns, rows, out),
    }
}

fn write_json(is_array: bool, columns: &AllColumns, rows: SpooledRows, out: &mut dyn Write) -> io::Result<()> {
    let names: Vec<String> = columns.names.iter().map(|name| text_of_json(name)).collect();
    let mut is_first = true;
    for row in rows {
        let mut line = String::new();
        if is_array {
            line.push_str(if is_first { "[\n" } else { ",\n" });
        }
        is_first = false;
        let row = row?;
        if let [(_, CellValue::Record(record))] = row.as_slice() {
            line.push_str(record);
            line.push_str(if is_array { "" } else { "\n" });
            out.write_all(line.as_bytes())?;
            continue;
        }
        line.push('{');
        for (number, (column, cell)) in row.into_iter().enumerate() {
            if number > 0 {
                line.push(',');
            }
            line.push_str(&names[column as usize]);
            line.push(':');
            match cell {
                CellValue::Null => line.push_str("null"),
                CellValue::Bool(value) => line.push_str(if value { "true" } else { "false" }),
                CellValue::Number(text) | CellValue::Nested(text) | CellValue::Record(text) => line.push_str(&text),
                CellValue::Text(text) => line.push_str(&text_of_json(&text)),
            }
        }
        line.push_str(if is_array { "}" } else { "}\n" });
        out.write_all(line.as_bytes())?;
    }
    match (is_array, is_first) {
        (true, true) => out.write_all(b"[]\n"),
        (true, false) => out.write_all(b"\n]\n"),
        (false, _) => Ok(()),
    }
}

fn text_of_json(text: &str) -> String {
    serde_json::to_string(text).expect("texts have no faults")
}

fn write_table(delimiter: u8, columns: &AllColumns, rows: SpooledRows, out: &mut dyn Write) -> io::Result<()> {
    if columns.names.is_empty() {
        return Ok(());
    }
    let quotes_header = delimiter == b'\t' && columns.has_marks;
    let mut line = Vec::new();
    for (number, name) in columns.names.iter().enumerate() {
        push_delimiter(number, delimiter, &mut line);
        push_field(name, quotes_header || name.is_empty(), delimiter, &mut line);
    }
    line.push(b'\n');
    for row in rows {
        let cells = in_columns(row?, columns.names.len());
        for (number, cell) in cells.into_iter().enumerate() {
            push_delimiter(number, delimiter, &mut line);
            match cell.unwrap_or(CellValue::Null) {
                // Readers skip blank lines, so a lone null is quoted.
                CellValue::Null => line.extend_from_slice(if columns.names.len() == 1 { b"\"\"" } else { b"" }),
                CellValue::Bool(value) => line.extend_from_slice(if value { b"true" } else { b"false" }),
                CellValue::Number(text) => line.extend_from_slice(text.as_bytes()),
                CellValue::Nested(text) | CellValue::Record(text) => push_field(&text, false, delimiter, &mut line),
                CellValue::Text(text) => push_field(&text, text.is_empty(), delimiter, &mut line),
            }
        }
        line.push(b'\n');
        out.write_all(&line)?;
        line.clear();
    }
    out.write_all(&line)
}

/// Arranges the cells of a record by the index of their column.
pub(super) fn in_columns(row: SpooledRow, num_columns: usize) -> Vec<Option<CellValue>> {
    let mut cells = vec![None; num_columns];
    row.into_iter().for_each(|(column, cell)| cells[column as usize] = Some(cell));
    cells
}

fn push_delimiter(number: usize, delimiter: u8, line: &mut Vec<u8>) {
    line.extend((number > 0).then_some(delimiter));
}

/// Appends a field, quoted if needed.
fn push_field(text: &str, quotes: bool, delimiter: u8, line: &mut Vec<u8>) {
    let is_special = |byte: u8| byte == delimiter || matches!(byte, b'"' | b'\n' | b'\r');
    if !quotes && !text.bytes().any(is_special) {
        return line.extend_from_slice(text.as_bytes());
    }
    line.push(b'"');
    for byte in text.bytes() {
        line.extend((byte == b'"').then_some(b'"'));
        line.push(byte);
    }
    line.push(b'"');
}
