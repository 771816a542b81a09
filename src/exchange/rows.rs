//! `RowReader`: reads the fields of each row, in any format.
//!
//! `arrow_reader` reads rows of Arrow. In TSV the fields have a fixed order and no quotes. A text contains backslashes,
//! tabs and line ends as `\\`, `\t`, `\n` and `\r`. Names cannot contain tabs and line ends; a backslash in a name is
//! an ordinary character.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::BufRead;

use serde_json::value::RawValue;

#[cfg(feature = "arrow")]
use super::arrow_reader::ArrowRows;
use super::columns::{ColumnKind, RowColumn, RowFormat};
use crate::base::error::{Error, ExchangeError, Result};

/// Reads rows, one after another.
pub(super) struct RowReader<'a> {
    source: RowSource<'a>,
    columns: &'static [RowColumn],
    fields: Vec<Vec<u8>>,
    number: u64,
}

/// The source of the rows.
enum RowSource<'a> {
    Lines(RowLines<'a>),
    #[cfg(feature = "arrow")]
    Arrow(ArrowRows<'a>),
}

/// Rows with one line each.
struct RowLines<'a> {
    input: &'a mut dyn BufRead,
    is_json: bool,
    line: Vec<u8>,
}

impl<'a> RowReader<'a> {
    pub(super) fn new(input: &'a mut dyn BufRead, format: RowFormat, columns: &'static [RowColumn]) -> Self {
        let fields = vec![Vec::new(); columns.len()];
        let lines = |input, is_json| RowSource::Lines(RowLines { input, is_json, line: Vec::new() });
        let source = match format {
            RowFormat::Tsv => lines(input, false),
            RowFormat::JsonLines => lines(input, true),
            #[cfg(feature = "arrow")]
            RowFormat::Arrow => RowSource::Arrow(ArrowRows::new(input)),
        };
        Self { source, columns, fields, number: 0 }
    }

    /// Reads the next row; returns `false` after the last one.
    ///
    /// # Errors
    /// When the row cannot be read, or is invalid.
    pub(super) fn read(&mut self) -> Result<bool> {
        let read = match &mut self.source {
            RowSource::Lines(lines) => lines.read(self.columns, &mut self.fields),
            #[cfg(feature = "arrow")]
            RowSource::Arrow(rows) => rows.read(self.columns, &mut self.fields),
        };
        let parsed = match read.map_err(|error| Error::Exchange(ExchangeError::Input(error)))? {
            None => return Ok(false),
            Some(parsed) => parsed,
        };
        self.number += 1;
        let checked = parsed
            .and_then(|()| self.columns.iter().zip(&self.fields).try_for_each(|(column, field)| check(column, field)));
        checked.map_err(|fault| self.fault(fault))?;
        Ok(true)
    }

    /// Whether every column has a signed integer type; always `false` in line formats.
    pub(super) fn has_numbers_only(&self) -> bool {
        match &self.source {
            RowSource::Lines(_) => false,
            #[cfg(feature = "arrow")]
            RowSource::Arrow(rows) => rows.has_numbers_only(),
        }
    }

    /// The number of rows that were read.
    pub(super) fn num_rows(&self) -> u64 {
        self.number
    }

    /// The number of fields of a row.
    pub(super) fn num_columns(&self) -> usize {
        self.columns.len()
    }

    /// A field of the current row.
    pub(super) fn field(&self, column: usize) -> &[u8] {
        &self.fields[column]
    }

    /// A field of the current row, to be changed.
    pub(super) fn field_mut(&mut self, column: usize) -> &mut Vec<u8> {
        &mut self.fields[column]
    }

    /// The number in a field of kind [`ColumnKind::Count`].
    pub(super) fn count(&self, column: usize) -> u64 {
        std::str::from_utf8(self.field(column)).ok().and_then(|digits| digits.parse().ok()).expect("it was parsed")
    }

    /// The error for a fault of the current row.
    pub(super) fn fault(&self, fault: impl Into<String>) -> Error {
        Error::Exchange(ExchangeError::Row { row: self.number, fault: fault.into() })
    }
}

impl RowLines<'_> {
    /// Reads the next row into `fields`. Returns `None` after the last row, and an error message for an unusable row.
    fn read(&mut self, columns: &[RowColumn], fields: &mut [Vec<u8>]) -> std::io::Result<Option<Result<(), String>>> {
        self.line.clear();
        if self.input.read_until(b'\n', &mut self.line)? == 0 {
            return Ok(None);
        }
        let is_whole = self.line.pop_if(|last| *last == b'\n').is_some();
        Ok(Some(if self.is_json {
            parse_json(&self.line, columns, fields)
        } else if is_whole {
            parse_tsv(&self.line, columns, fields)
        } else {
            // A truncated text would look like a shorter text.
            Err("it has no line end; the input was cut off".to_owned())
        }))
    }
}

fn parse_tsv(line: &[u8], columns: &[RowColumn], fields: &mut [Vec<u8>]) -> Result<(), String> {
    simdutf8::basic::from_utf8(line).map_err(|_| "it is not valid UTF-8".to_owned())?;
    let num_fields = memchr::memchr_iter(b'\t', line).count() + 1;
    if num_fields != columns.len() {
        let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
        let (wanted, names) = (columns.len(), names.join(", "));
        return Err(format!(
            "{num_fields} fields instead of {wanted} ({names}); write tabs and line ends in a text as \\t, \\n and \\r"
        ));
    }
    for ((given, column), field) in line.split(|&byte| byte == b'\t').zip(columns).zip(fields) {
        field.clear();
        match column.kind {
            ColumnKind::Text => {
                unescape(given, field)?;
                continue;
            }
            ColumnKind::Bytes => {
                push_bytes(given, field)
                    .ok_or_else(|| format!("the field {} does not consist of hexadecimal digits", column.name))?;
                continue;
            }
            _ => {}
        }
        field.extend_from_slice(given);
        if given.contains(&b'\r') {
            return Err(format!("the field {} has a carriage return; use JSON Lines for such names", column.name));
        }
    }
    Ok(())
}

/// Appends a text with its escapes decoded.
fn unescape(given: &[u8], text: &mut Vec<u8>) -> Result<(), String> {
    let mut rest = given;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        text.extend_from_slice(&rest[..at]);
        text.push(match rest.get(at + 1) {
            Some(b'\\') => b'\\',
            Some(b't') => b'\t',
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            _ => {
                return Err("a backslash in the text is not one of \\\\, \\t, \\n and \\r; write it as \\\\".to_owned());
            }
        });
        rest = &rest[at + 2..];
    }
    text.extend_from_slice(rest);
    Ok(())
}

/// Appends the bytes of hexadecimal digits, two per byte.
fn push_bytes(digits: &[u8], bytes: &mut Vec<u8>) -> Option<()> {
    let value = |digit: u8| char::from(digit).to_digit(16);
    for pair in digits.chunks(2) {
        let &[high, low] = pair else { return None };
        bytes.push((value(high)? << 4 | value(low)?) as u8);
    }
    Some(())
}

fn parse_json(line: &[u8], columns: &[RowColumn], fields: &mut [Vec<u8>]) -> Result<(), String> {
    let not_an_object = |error: serde_json::Error| format!("not a JSON object ({error}); write one a line");
    let record: BTreeMap<Cow<str>, &RawValue> = serde_json::from_slice(line).map_err(not_an_object)?;
    for (column, field) in columns.iter().zip(fields) {
        let RowColumn { name, kind } = *column;
        field.clear();
        let Some(value) = record.get(name).map(|value| value.get()) else {
            if kind == ColumnKind::Order {
                continue;
            }
            return Err(format!("missing field `{name}`; write it even if it is empty"));
        };
        let is_number = value.starts_with(|c: char| c == '-' || c.is_ascii_digit());
        match value.as_bytes()[0] {
            b'"' if !matches!(kind, ColumnKind::Count | ColumnKind::Bytes) => {
                let value: Cow<str> = serde_json::from_str(value).map_err(|error| format!("`{name}`: {error}"))?;
                field.extend_from_slice(value.as_bytes());
            }
            _ if kind == ColumnKind::Bytes => return Err(format!("the field `{name}` is of bytes; use TSV or Arrow")),
            _ if is_number && kind != ColumnKind::Text => field.extend_from_slice(value.as_bytes()),
            _ if kind == ColumnKind::Text => return Err(format!("the field `{name}` is no string; write one")),
            _ => return Err(format!("the field `{name}` is neither a string nor a number; write one of these")),
        }
    }
    Ok(())
}

/// Checks a field that is not a text.
fn check(column: &RowColumn, field: &[u8]) -> Result<(), String> {
    let is_count = || std::str::from_utf8(field).is_ok_and(|digits| digits.parse::<u64>().is_ok());
    match column.kind {
        ColumnKind::Name if field.is_empty() => Err(format!("the field {} is empty; give it a value", column.name)),
        ColumnKind::Count if !is_count() => Err(format!("the field {} is no whole number; write one", column.name)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: &[RowColumn] =
        &[RowColumn { name: "id", kind: ColumnKind::Name }, RowColumn { name: "text", kind: ColumnKind::Text }];

    fn read(format: RowFormat, input: &str) -> Result<Vec<(String, String)>, String> {
        let mut input = input.as_bytes();
        let mut reader = RowReader::new(&mut input, format, COLUMNS);
        let mut rows = Vec::new();
        while reader.read().map_err(|error| error.to_string())? {
            let [id, text] = [0, 1].map(|column| String::from_utf8(reader.field(column).to_vec()).unwrap());
            rows.push((id, text));
        }
        Ok(rows)
    }

    #[test]
    fn a_text_of_tsv_has_its_tabs_and_line_ends_back() {
        let rows = read(RowFormat::Tsv, "a\\b\tx\\ty\\nz\\r\\\\n\0\u{2028}\n7\t\n").unwrap();
        assert_eq!(rows, [("a\\b".into(), "x\ty\nz\r\\n\0\u{2028}".into()), ("7".into(), String::new())]);
    }

    #[test]
    fn a_row_that_cannot_be_used_is_named() {
        for (input, fault) in [
            ("a\tx\nb\n", "row 2: 1 fields instead of 2"),
            ("a\tx\ty\n", "row 1: 3 fields"),
            ("a\tx", "row 1: it has no line end"),
            ("\tx\n", "row 1: the field id is empty"),
            ("a\r\tx\n", "row 1: the field id has a carriage return"),
            ("a\tx\\y\n", "row 1: a backslash"),
            ("a\tx\\", "row 1: it has no line end"),
        ] {
            let found = read(RowFormat::Tsv, input).unwrap_err();
            assert!(found.starts_with(fault), "{input:?}: {found}");
        }
        for (input, fault) in [
            ("{\"id\":1}\n", "row 1: missing field `text`"),
            ("{\"id\":1,\"text\":\"x\"}\n{\"id\":1,\"te", "row 2: not a JSON object"),
            ("[]\n", "row 1: not a JSON object"),
            ("\n", "row 1: not a JSON object"),
            ("{\"id\":null,\"text\":\"x\"}\n", "row 1: the field `id` is neither"),
            ("{\"id\":1,\"text\":2}\n", "row 1: the field `text` is no string"),
            ("{\"id\":\"\",\"text\":\"\"}\n", "row 1: the field id is empty"),
        ] {
            let found = read(RowFormat::JsonLines, input).unwrap_err();
            assert!(found.starts_with(fault), "{input:?}: {found}");
        }
    }

    #[test]
    fn numbers_are_names_as_they_are_written() {
        let rows = read(RowFormat::JsonLines, "{\"text\":\"\\u0041\",\"id\":10.50,\"more\":{}}\n").unwrap();
        assert_eq!(rows, [("10.50".into(), "A".into())]);
    }
}
