//! JSON Lines: one line in, the record's id and text out. Where documents are sets, the text is one element a line, and a
//! line of plain text is a record as well, of its fields.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::config::InputConfig;

/// A record's id and text; the buffers are used again for the next.
#[derive(Debug, Default)]
pub(super) struct Record {
    pub(super) id: Option<String>,
    pub(super) text: String,
}

/// Reads `line` into `record`. Other fields are passed over; of a repeated field the last counts.
///
/// # Errors
/// One sentence: what is wrong with the line.
pub(super) fn parse(line: &[u8], config: &InputConfig, record: &mut Record) -> Result<(), String> {
    let InputConfig { id_field, text_field, sets, .. } = config;
    record.id = None;
    record.text.clear();
    let mut deserializer = serde_json::Deserializer::from_slice(line);
    let fields = Fields { id_field, text_field, sets: *sets, record };
    let found = deserializer.deserialize_map(fields).and_then(|found| deserializer.end().map(|()| found));
    match found {
        Ok(true) => Ok(()),
        Ok(false) => Err(format!("the record has no field `{text_field}`; name the text's field with --text-field")),
        Err(error) => Err(reason(&error)),
    }
}

/// Reads a line of plain text into `record`: its fields, which white space separates, are the elements of a set.
///
/// # Errors
/// When it is not UTF-8.
pub(super) fn parse_fields(line: &[u8], record: &mut Record) -> Result<(), String> {
    record.id = None;
    record.text.clear();
    let line = std::str::from_utf8(line)
        .map_err(|error| format!("not valid UTF-8 at byte {} of the line; skipped", error.valid_up_to()))?;
    push_fields(line, &mut record.text);
    Ok(())
}

fn push_fields(text: &str, elements: &mut String) {
    for field in text.split_whitespace() {
        elements.push_str(field);
        elements.push('\n');
    }
}

/// The parser counts lines within the record, which is one; the column alone tells where.
fn reason(error: &serde_json::Error) -> String {
    /// Characters of the parser's words that are shown; they may quote a value of any length.
    const SHOWN: usize = 200;
    let text = error.to_string();
    let text = text.rsplit_once(" at line ").map_or(text.as_str(), |(text, _)| text);
    let text = match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    };
    format!("malformed record, column {}: {text}; skipped", error.column())
}

struct Fields<'a> {
    id_field: &'a str,
    text_field: &'a str,
    sets: bool,
    record: &'a mut Record,
}

impl<'de> Visitor<'de> for Fields<'_> {
    /// Whether the text was there.
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<bool, M::Error> {
        let mut found = false;
        let names = [self.id_field, self.text_field];
        while let Some(field) = map.next_key_seed(FieldName(names))? {
            if field == Some(1) {
                map.next_value_seed(Text { text: &mut self.record.text, sets: self.sets })?;
                found = true;
                if self.id_field == self.text_field {
                    self.record.id = Some(self.record.text.clone());
                }
            } else if field == Some(0) {
                let value: &RawValue = map.next_value()?;
                self.record.id =
                    id_of(value).ok_or_else(|| Error::custom("the id is neither a string nor a number"))?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(found)
    }
}

/// Which of the wanted fields a key names; the later one when both have one name.
struct FieldName<'a>([&'a str; 2]);

impl<'de> DeserializeSeed<'de> for FieldName<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for FieldName<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a field name")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<Self::Value, E> {
        Ok(self.0.iter().rposition(|name| *name == key))
    }
}

/// A string, copied into a buffer; of a set its fields, or the elements of an array, one a line.
struct Text<'a> {
    text: &'a mut String,
    sets: bool,
}

impl<'de> DeserializeSeed<'de> for Text<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        if self.sets { deserializer.deserialize_any(self) } else { deserializer.deserialize_str(self) }
    }
}

impl<'de> Visitor<'de> for Text<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(if self.sets { "an array of strings and numbers, or a string, as set" } else { "a string as text" })
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.text.clear();
        if self.sets {
            push_fields(text, self.text);
        } else {
            self.text.push_str(text);
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<(), A::Error> {
        self.text.clear();
        while let Some(element) = elements.next_element::<&RawValue>()? {
            let element = id_of(element).flatten();
            let element =
                element.ok_or_else(|| Error::custom("an element of the set is neither a string nor a number"))?;
            // A line end within an element is white space like any other.
            let is_line_end = |c| matches!(c, '\n'..='\r' | '\u{85}' | '\u{2028}' | '\u{2029}');
            self.text.extend(element.chars().map(|c| if is_line_end(c) { ' ' } else { c }));
            self.text.push('\n');
        }
        Ok(())
    }
}

/// An id as it is written: a string, a number with all its digits, or null for none.
fn id_of(value: &RawValue) -> Option<Option<String>> {
    match value.get().as_bytes()[0] {
        b'"' => serde_json::from_str(value.get()).ok().map(Some),
        b'-' | b'0'..=b'9' => Some(Some(value.get().to_owned())),
        b'n' => Some(None),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<(Option<String>, String), String> {
        let mut record = Record::default();
        parse(line.as_bytes(), &InputConfig::default(), &mut record).map(|()| (record.id, record.text))
    }

    fn set(text: &str) -> Result<String, String> {
        let mut record = Record::default();
        let config = InputConfig { sets: true, ..InputConfig::default() };
        parse(format!(r#"{{"id":1,"text":{text}}}"#).as_bytes(), &config, &mut record).map(|()| record.text)
    }

    #[test]
    fn sets_are_arrays_or_fields_with_an_element_a_line() {
        assert_eq!(set(r#"["olive oil", 17, -1.50, "a\nb\u2028c", ""]"#), Ok("olive oil\n17\n-1.50\na b c\n\n".into()));
        assert_eq!(set(r#"" one\ttwo  three\n""#), Ok("one\ntwo\nthree\n".into()));
        assert_eq!(set("[]"), Ok(String::new()));
        for wrong in ["[null]", "[true]", "[[1]]", r#"[{"a":1}]"#] {
            let error = set(wrong).unwrap_err();
            assert!(error.contains("an element of the set is neither a string nor a number"), "{wrong}: {error}");
        }
        let error = set("7").unwrap_err();
        assert!(error.contains("expected an array of strings and numbers, or a string, as set"), "{error}");
        let mut record = Record::default();
        assert_eq!(parse_fields("x  y\u{3000}x\r".as_bytes(), &mut record), Ok(()));
        assert_eq!((record.id, record.text.as_str()), (None, "x\ny\nx\n"));
    }

    #[test]
    fn ids_are_strings_numbers_or_absent() {
        for (id, expected) in [
            ("\"x\\n\"", Some("x\n")),
            ("18446744073709551617", Some("18446744073709551617")),
            ("17", Some("17")),
            ("-3", Some("-3")),
            ("null", None),
        ] {
            let line = format!(r#"{{"other":[1,{{"text":"no"}}],"id":{id},"text":"a\nb\u00e9"}}"#);
            assert_eq!(parsed(&line), Ok((expected.map(String::from), "a\nbé".into())));
        }
        assert_eq!(parsed(r#"{"text":"first","text":"last"}"#), Ok((None, "last".into())));
    }

    #[test]
    fn one_field_may_be_both() {
        let mut record = Record::default();
        parse(br#"{"text":"t"}"#, &InputConfig { id_field: "text".into(), ..InputConfig::default() }, &mut record)
            .unwrap();
        assert_eq!((record.id.as_deref(), record.text.as_str()), (Some("t"), "t"));
    }

    #[test]
    fn malformed_records_say_what_and_where() {
        for (line, message) in [
            (r#"{"text":"cut"#, "column 12: EOF while parsing a string"),
            (r#"{"text":5}"#, "column 9: invalid type: integer `5`, expected a string as text"),
            (r#"{"id":{},"text":"x"}"#, "the id is neither a string nor a number"),
            (r#"{"id":1}"#, "the record has no field `text`"),
            (r#"[1]"#, "invalid type: sequence, expected a JSON object"),
            (r#"{"text":"x"} y"#, "column 14: trailing characters"),
        ] {
            let error = parsed(line).unwrap_err();
            assert!(error.contains(message), "{line}: {error}");
        }
        let mut record = Record::default();
        let error = parse(b"{\"text\":\"\xFF\"}", &InputConfig::default(), &mut record).unwrap_err();
        assert!(error.contains("invalid unicode"), "{error}");
    }
}
