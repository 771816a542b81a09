//! Reads records of JSON Lines, JSON, CSV and TSV as cells.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::rows::CellValue;
use crate::base::storage::{FileSpan, read_at};
use crate::documents::input::{Inputs, Shape, StoredRecord, contain, cut_records, stored_rows};

/// Receives the place and the cells of a record.
pub(super) type UseCells<'u> = &'u mut dyn FnMut(&str, Vec<(&str, CellValue)>) -> io::Result<()>;

/// Passes the records of JSON Lines, or of a JSON array, to `pass`.
///
/// * `keeps`: whether a record on one line is passed on unchanged, as a [`CellValue::Record`].
///
/// # Errors
/// When the records cannot be read, a record is not an object, or `pass` fails.
pub(super) fn json_rows(inputs: Inputs, shape: Shape, file: &File, keeps: bool, pass: UseCells) -> io::Result<()> {
    let mut record = Vec::new();
    let stream = FileSpan::new(file, 0, file.metadata()?.len());
    cut_records(inputs, shape, stream, &mut |StoredRecord { place, bytes }| {
        let at = |fault: String| io::Error::other(format!("record at line {place}: {fault}"));
        record.clear();
        read_at(file, bytes.start, (bytes.end - bytes.start) as usize, &mut record)?;
        let text = std::str::from_utf8(&record).map_err(|_| at("not UTF-8, which only is converted".to_owned()))?;
        let text = text.trim_start_matches('\u{FEFF}').trim();
        if text.is_empty() {
            return Ok(());
        }
        let parsed = contain(|| serde_json::from_str::<JsonFields>(text));
        let fields = parsed.map_err(io::Error::from)?.map_err(|_| at("not an object of JSON".to_owned()))?;
        if keeps && !text.contains(['\n', '\r']) {
            return pass(&format!("record at line {place}"), vec![("", CellValue::Record(text.to_owned()))]);
        }
        let cells: Result<Vec<_>, String> =
            fields.0.iter().map(|(name, raw)| Ok((name.as_str(), cell_of_json(raw.get())?))).collect();
        pass(&format!("record at line {place}"), cells.map_err(at)?)
    })?;
    Ok(())
}

/// Passes the rows of a table to `pass`; all cells are text.
///
/// # Errors
/// When the rows cannot be read, or `pass` fails.
pub(super) fn table_rows(inputs: Inputs, delimiter: u8, stream: &mut dyn Read, pass: UseCells) -> io::Result<()> {
    let mut names: Option<Vec<String>> = None;
    stored_rows(inputs, delimiter, stream, &mut |line, fields| {
        let text = |field: &[u8]| {
            let text = std::str::from_utf8(field).map(str::to_owned);
            text.map_err(|_| io::Error::other(format!("line {line}: not UTF-8, which only is converted")))
        };
        let Some(names) = &names else {
            let header: io::Result<Vec<String>> = fields.iter().map(|field| text(field.unwrap_or_default())).collect();
            names = Some(header?);
            return Ok(());
        };
        let cell = |field: &Option<&[u8]>| {
            Ok::<_, io::Error>(field.map(text).transpose()?.map_or(CellValue::Null, CellValue::Text))
        };
        let cells = names.iter().zip(fields).map(|(name, field)| Ok((name.as_str(), cell(field)?)));
        pass(&format!("line {line}"), cells.collect::<io::Result<Vec<_>>>()?)
    })
}

/// All fields of an object in their order, including duplicate names.
struct JsonFields(Vec<(String, Box<RawValue>)>);

impl<'de> Deserialize<'de> for JsonFields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FieldsVisitor;
        impl<'de> Visitor<'de> for FieldsVisitor {
            type Value = JsonFields;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<JsonFields, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(JsonFields(fields))
            }
        }
        deserializer.deserialize_map(FieldsVisitor)
    }
}

/// Converts a JSON value to a cell.
fn cell_of_json(raw: &str) -> Result<CellValue, String> {
    Ok(match raw.as_bytes().first() {
        Some(b'n') => CellValue::Null,
        Some(b't') => CellValue::Bool(true),
        Some(b'f') => CellValue::Bool(false),
        Some(b'"') => CellValue::Text(
            serde_json::from_str(raw)
                .map_err(|_| "a text with half of a surrogate pair, which is no character".to_owned())?,
        ),
        Some(b'{' | b'[') => CellValue::Nested(on_one_line(raw)),
        _ => CellValue::Number(raw.to_owned()),
    })
}

/// Removes the white space between the parts of JSON that has more than one line.
fn on_one_line(json: &str) -> String {
    if !json.contains(['\n', '\r']) {
        return json.to_owned();
    }
    let (mut is_text, mut is_escaped) = (false, false);
    let mut stays = |c: char| {
        let ends = is_text && !is_escaped && c == '"';
        is_escaped = is_text && !is_escaped && c == '\\';
        let stays = is_text || !matches!(c, ' ' | '\t' | '\n' | '\r');
        is_text = !ends && (is_text || c == '"');
        stays
    };
    json.chars().filter(|&c| stays(c)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_keep_their_white_space_on_one_line() {
        let json = "[ 1,\n {\"a b\": \"x\\\" y\\\\\", \"c\" :\t[ ]}]";
        assert_eq!(on_one_line(json), r#"[1,{"a b":"x\" y\\","c":[]}]"#);
        assert_eq!(on_one_line("[ 1, 2 ]"), "[ 1, 2 ]");
    }
}
