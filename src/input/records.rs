//! JSON Lines: one line in, the record's id and text out.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

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
pub(super) fn parse(line: &[u8], id_field: &str, text_field: &str, record: &mut Record) -> Result<(), String> {
    record.id = None;
    record.text.clear();
    let mut deserializer = serde_json::Deserializer::from_slice(line);
    let fields = Fields { id_field, text_field, record };
    let found = deserializer.deserialize_map(fields).and_then(|found| deserializer.end().map(|()| found));
    match found {
        Ok(true) => Ok(()),
        Ok(false) => Err(format!("the record has no field `{text_field}`; name the text's field with --text-field")),
        Err(error) => Err(reason(&error)),
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
                map.next_value_seed(Text(&mut self.record.text))?;
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

/// A string, copied into a buffer.
struct Text<'a>(&'a mut String);

impl<'de> DeserializeSeed<'de> for Text<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Text<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a string as text")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.0.clear();
        self.0.push_str(text);
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
        parse(line.as_bytes(), "id", "text", &mut record).map(|()| (record.id, record.text))
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
        parse(br#"{"text":"t"}"#, "text", "text", &mut record).unwrap();
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
        let error = parse(b"{\"text\":\"\xFF\"}", "id", "text", &mut record).unwrap_err();
        assert!(error.contains("invalid unicode"), "{error}");
    }
}
