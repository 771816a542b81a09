//! `TextValues`: finds the values of a stored record that are its text, so that a part of the text can be replaced where it
//! is stored.

use std::fmt;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;

use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::delimited::{TableColumns, rows_of};
use super::dialect::Dialect;
use super::fields::{Fields, Node};
use super::splitter::Splitter;
use crate::documents::input::marks::UTF8_MARK;
use crate::documents::input::panic_guard::contain;
use crate::documents::input::settings::Inputs;

/// The text of a record, and where its parts are stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextValues {
    /// The values of the text, joined as for a document.
    pub(crate) text: String,
    /// The values, in the order of the text.
    pub(crate) values: Vec<TextValue>,
}

/// A value that is part of the text of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextValue {
    /// The bytes of the value in the record, with its quotation marks.
    pub(crate) stored: Range<usize>,
    /// The bytes of the value in the text.
    pub(crate) text: Range<usize>,
}

/// Finds the text of JSON records.
pub(crate) struct JsonTexts {
    fields: Fields,
}

impl JsonTexts {
    pub(crate) fn new(inputs: Inputs) -> Self {
        Self { fields: Fields::new(inputs) }
    }

    /// Finds the text of a record; `None` when it is not an object, or has no text.
    ///
    /// * `record`: the record without a byte order mark.
    pub(crate) fn find(&self, record: &str) -> Option<TextValues> {
        let mut parts: Vec<PartValues> = vec![None; self.fields.texts.len()];
        let walked = contain(|| walk(record, record.as_ptr() as usize, &self.fields.root, &mut parts));
        walked.ok()??;
        let (mut text, mut values, mut is_first) = (String::new(), Vec::new(), true);
        for part in parts.into_iter().flatten() {
            if !std::mem::take(&mut is_first) {
                text.push('\n');
            }
            for (number, (stored, value)) in part.into_iter().enumerate() {
                if number > 0 {
                    text.push('\n');
                }
                let start = text.len();
                text.push_str(&value);
                values.push(TextValue { stored, text: start..text.len() });
            }
        }
        (!is_first).then_some(TextValues { text, values })
    }
}

/// The values of a text field and where they are stored; `None` if the record has none.
type PartValues = Option<Vec<(Range<usize>, String)>>;

/// Collects the texts of a value at a place in the tree of fields. `None` when the value is not JSON.
///
/// * `base`: the address of the record.
/// * `parts`: the values of each text field.
fn walk(raw: &str, base: usize, node: &Node, parts: &mut [PartValues]) -> Option<()> {
    match raw.trim_start().as_bytes().first()? {
        b'"' => {
            if let Some(part) = node.text {
                let start = raw.as_ptr() as usize - base;
                let value = (start..start + raw.len(), serde_json::from_str(raw).ok()?);
                parts[part].get_or_insert_default().push(value);
            }
        }
        b'{' if !node.children.is_empty() => {
            let mut deserializer = serde_json::Deserializer::from_str(raw);
            for (key, value) in deserializer.deserialize_map(ObjectFields).ok()? {
                if let Some((_, child)) = node.children.iter().find(|(name, _)| *name == key) {
                    walk(value.get(), base, child, parts)?;
                }
            }
        }
        b'[' if node.is_entered() => {
            let mut deserializer = serde_json::Deserializer::from_str(raw);
            let elements = deserializer.deserialize_seq(ArrayElements).ok()?;
            if let Some(part) = node.text.filter(|_| elements.is_empty()) {
                parts[part].get_or_insert_default();
            }
            elements.into_iter().try_for_each(|element| walk(element.get(), base, node, parts))?;
        }
        _ => {}
    }
    Some(())
}

/// The fields of an object, in order.
struct ObjectFields;

impl<'de> Visitor<'de> for ObjectFields {
    type Value = Vec<(String, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(entries)
    }
}

/// The elements of an array.
struct ArrayElements;

impl<'de> Visitor<'de> for ArrayElements {
    type Value = Vec<&'de RawValue>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut list: S) -> Result<Self::Value, S::Error> {
        let mut elements = Vec::new();
        while let Some(element) = list.next_element()? {
            elements.push(element);
        }
        Ok(elements)
    }
}

/// A JSON string with this text.
///
/// * `is_ascii`: whether characters beyond ASCII are written as escapes, as in a record that is ASCII.
pub(crate) fn json_string(text: &str, is_ascii: bool) -> Vec<u8> {
    let string = serde_json::to_string(text).expect("a string is JSON");
    if !is_ascii || string.is_ascii() {
        return string.into_bytes();
    }
    let mut ascii = String::with_capacity(2 * string.len());
    for c in string.chars() {
        match c.is_ascii() {
            true => ascii.push(c),
            false => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| ascii.push_str(&format!("\\u{unit:04x}"))),
        }
    }
    ascii.into_bytes()
}

/// Finds the text of the rows of a table.
pub(crate) struct TableTexts {
    dialect: Dialect,
    splitter: Splitter,
    columns: TableColumns,
}

impl TableTexts {
    /// Reads the header of a table.
    ///
    /// # Errors
    /// When the header cannot be read, or has no column of the text.
    pub(crate) fn new(inputs: Inputs, delimiter: u8, stream: &mut dyn Read) -> io::Result<Self> {
        let table = rows_of(inputs, Path::new(""), stream, delimiter);
        let (mut rows, mut splitter) = table.map_err(|problem| io::Error::other(problem.detail))?;
        let wanted = Fields::new(inputs);
        while let Some(row) = rows.next()? {
            let bytes = row.bytes.map_err(|_| io::Error::other("it is uncertain where the header ends"))?;
            if splitter.split(bytes)? {
                let columns = TableColumns::find(&splitter, &wanted, delimiter).map_err(io::Error::other)?;
                return Ok(Self { dialect: splitter.dialect(), splitter, columns });
            }
        }
        Err(io::Error::other("it has no header"))
    }

    /// Finds the text of a row; `None` when the row has another number of fields than the header, or is not UTF-8.
    pub(crate) fn find(&mut self, row: &[u8]) -> Option<TextValues> {
        if !self.splitter.split(row).ok()? || self.splitter.len() != self.columns.num_columns {
            return None;
        }
        let row = row.strip_suffix(b"\n").unwrap_or(row);
        let row = row.strip_suffix(b"\r").unwrap_or(row);
        let stored = stored_fields(row, self.dialect);
        if stored.len() != self.splitter.len() {
            return None;
        }
        let (mut text, mut values) = (String::new(), Vec::new());
        let columns = self.columns.texts.iter().filter(|&&column| !self.splitter.is_null(column));
        for (number, &column) in columns.enumerate() {
            if number > 0 {
                text.push('\n');
            }
            let start = text.len();
            text.push_str(std::str::from_utf8(self.splitter.get(column)).ok()?);
            values.push(TextValue { stored: stored[column].clone(), text: start..text.len() });
        }
        Some(TextValues { text, values })
    }

    /// A field with this text.
    ///
    /// * `stored`: the field that it replaces.
    pub(crate) fn field(&self, text: &str, stored: &[u8]) -> Vec<u8> {
        let Dialect { delimiter, quoting, escape, escapes_unquoted } = self.dialect;
        let is_border = |byte: u8| byte == delimiter || matches!(byte, b'\n' | b'\r');
        let needs_quotes = || text.bytes().any(|byte| byte == b'"' || is_border(byte) && !escapes_unquoted);
        // Without quotation marks it would be null.
        let is_null = escape.is_some() && text == "\\N";
        let is_quoted = quoting && (stored.first() == Some(&b'"') || is_null || needs_quotes());
        let mut field = Vec::with_capacity(text.len() + 2);
        field.extend(is_quoted.then_some(b'"'));
        for byte in text.bytes() {
            let escaped = match escape {
                Some(escape) if is_quoted => (byte == escape || byte == b'"').then_some(escape),
                Some(escape) if escapes_unquoted => (byte == escape || is_border(byte)).then_some(escape),
                Some(_) => None,
                None => (is_quoted && byte == b'"').then_some(b'"'),
            };
            field.extend(escaped);
            field.push(byte);
        }
        field.extend(is_quoted.then_some(b'"'));
        field
    }
}

/// The bytes of the fields of a row without its line end, with their quotation marks.
fn stored_fields(row: &[u8], dialect: Dialect) -> Vec<Range<usize>> {
    let Dialect { delimiter, quoting, escape, escapes_unquoted } = dialect;
    let is_escape =
        |at: usize| Some(row[at]) == escape && row.get(at + 1).is_some_and(|&next| dialect.is_escapable(next));
    let (mut fields, mut start, mut at) = (Vec::new(), 0, 0);
    loop {
        if quoting && row.get(at) == Some(&b'"') {
            at += 1;
            while at < row.len() {
                match row[at] {
                    _ if is_escape(at) => at += 2,
                    b'"' if row.get(at + 1) == Some(&b'"') => at += 2,
                    b'"' => break,
                    _ => at += 1,
                }
            }
            at = (at + 1).min(row.len());
        }
        while at < row.len() && row[at] != delimiter {
            at += if escapes_unquoted && is_escape(at) { 2 } else { 1 };
        }
        at = at.min(row.len());
        fields.push(start..at);
        if at == row.len() {
            return fields;
        }
        at += 1;
        start = at;
    }
}

/// The length of the byte order mark of UTF-8 at the start of a record.
pub(crate) fn mark_len(record: &[u8]) -> usize {
    if record.starts_with(UTF8_MARK) { UTF8_MARK.len() } else { 0 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::test_runner::FileFailurePersistence;

    use super::*;
    use crate::documents::input::settings::InputSettings;
    use crate::documents::input::unpack::records::json::parse;
    use crate::documents::input::unpack::records::record::Record;

    fn settings(texts: &[&str]) -> InputSettings {
        InputSettings { text_fields: texts.iter().map(|&name| name.to_owned()).collect(), ..InputSettings::default() }
    }

    /// Checks that the text is the text of the record, and that each value is stored where it is said to be.
    #[track_caller]
    fn check_json(record: &str, texts: &[&str], expected: &[&str]) {
        let settings = settings(texts);
        let inputs = Inputs { settings: &settings, sets: false };
        let found = JsonTexts::new(inputs).find(record).unwrap();
        let mut parsed = Record::default();
        parse(record.as_bytes(), &Fields::new(inputs), &mut parsed).unwrap();
        assert_eq!(found.text, parsed.text);
        let values: Vec<&str> = found.values.iter().map(|value| &record[value.stored.clone()]).collect();
        assert_eq!(values, expected);
        for value in &found.values {
            let decoded: String = serde_json::from_str(&record[value.stored.clone()]).unwrap();
            assert_eq!(&found.text[value.text.clone()], decoded);
        }
    }

    #[test]
    fn texts_of_json_are_found_where_they_are_stored() {
        check_json(r#" { "id":1, "text" : "a\n\u00e9" }"#, &["text"], &[r#""a\n\u00e9""#]);
        let chat = r#"{"chat":[{"role":"a","says":"Hello"},{"says":"Bye","role":"b"},7],"t":null,"u":[]}"#;
        check_json(chat, &["chat.says", "t", "u", "chat.role"], &[r#""Hello""#, r#""Bye""#, r#""a""#, r#""b""#]);
        check_json(r#"{"t":["one",null,["two"]],"a":{"b":"x"}}"#, &["a.b", "t"], &[r#""x""#, r#""one""#, r#""two""#]);
        check_json(r#"{"a.b":"its whole name"}"#, &["a.b"], &[r#""its whole name""#]);
        let settings = settings(&["text"]);
        let json = JsonTexts::new(Inputs { settings: &settings, sets: false });
        assert_eq!((json.find("[]"), json.find("{\"text\":null}"), json.find("{\"text")), (None, None, None));
        assert_eq!(json_string("a\"é🙂\n", false), "\"a\\\"é🙂\\n\"".as_bytes());
        assert_eq!(json_string("a\"é🙂\n", true), b"\"a\\\"\\u00e9\\ud83d\\ude42\\n\"");
    }

    /// The cases that failed once are tried first.
    fn cases() -> ProptestConfig {
        let failed = FileFailurePersistence::Direct("tests/regressions/text_values.txt");
        ProptestConfig { failure_persistence: Some(Box::new(failed)), ..ProptestConfig::default() }
    }

    proptest! {
        #![proptest_config(cases())]

        #[test]
        fn a_field_that_is_replaced_is_read_as_its_new_text(
            fields in prop::collection::vec("[a\"\\\\,;\tN\n é]{0,6}", 2..5),
            quotes in prop::collection::vec(any::<bool>(), 5),
            text in "[a\"\\\\,;\tN é]{0,6}",
            dialect in 0usize..4,
        ) {
            let (delimiter, quoting, escape, escapes_unquoted) = [
                (b',', true, None, false), (b'\t', false, None, false), (b',', true, Some(b'\\'), false),
                (b'\t', false, Some(b'\\'), true),
            ][dialect];
            let dialect = Dialect { delimiter, quoting, escape, escapes_unquoted };
            let columns = TableColumns::of_all(fields.len());
            let mut table = TableTexts { dialect, splitter: Splitter::new(dialect), columns };
            let is_writable = |text: &String| quoting || escapes_unquoted || !text.contains(['\n', '\t']);
            prop_assume!(fields.iter().chain([&text]).all(is_writable));
            let row = |fields: &[String]| {
                let fields = fields.iter().zip(&quotes).map(|(text, &is_quoted)| {
                    table.field(text, if is_quoted { b"\"" } else { b"" })
                });
                [fields.collect::<Vec<_>>().join(&delimiter), b"\n".to_vec()].concat()
            };
            let stored = row(&fields);
            // A row of one empty field is blank, and `\N` is null.
            prop_assume!(fields.iter().any(|field| !field.is_empty()));
            let mut replaced = stored.clone();
            let found = table.find(&stored).unwrap();
            prop_assert_eq!(&found.text, &fields.join("\n"));
            let value = found.values[1].clone();
            let new = table.field(&text, &stored[value.stored.clone()]);
            replaced.splice(value.stored, new);
            let again = table.find(&replaced).unwrap();
            let mut expected = fields.clone();
            expected[1] = text;
            prop_assert_eq!(again.text, expected.join("\n"));
        }
    }
}
