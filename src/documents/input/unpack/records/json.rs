//! JSON: parses one line and finds the id, group and text of its record.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::fields::{Fields, NULL_TEXT, Node};
use super::malformed::{OBJECT, reason, words};
use super::record::Record;
use super::sets::{push_element, push_fields};
use crate::base::problem::Reason;
use crate::base::shown::shown;
use crate::documents::input::marks::UTF8_MARK;
use crate::documents::input::panic_guard::contain;

/// The name of a number in messages about a value of the wrong type.
const NUMBER: &str = "a number";

/// Parses `line` into `record`. Fields that were not requested are skipped.
///
/// # Errors
/// The category of the problem, and a sentence about it. A requested field that occurs more than once is an error too.
pub(in crate::documents::input) fn parse(
    line: &[u8],
    fields: &Fields,
    record: &mut Record,
) -> Result<(), (Reason, String)> {
    // A byte order mark starts each of several concatenated files.
    let line = line.strip_prefix(UTF8_MARK).unwrap_or(line);
    record.begin(fields);
    let object = Object { node: &fields.root, record: &mut *record, sets: fields.sets };
    let parsed = contain(|| {
        let mut deserializer = serde_json::Deserializer::from_slice(line);
        deserializer.deserialize_map(object).and_then(|()| deserializer.end()).map_err(|error| reason(&error, line))
    });
    let parsed = parsed.map_err(|panicked| format!("malformed record: {panicked}; skipped")).flatten();
    parsed.map_err(|detail| (Reason::Malformed, detail))?;
    if !record.has_text() {
        let is_null = fields.texts.iter().any(|name| record.has_met_since(record.first_object - 1, fields, name));
        let detail = if is_null { NULL_TEXT.to_owned() } else { fields.missing("the record") };
        return Err((Reason::NoText, detail));
    }
    record.join();
    Ok(())
}

/// An object at a place in the tree of fields.
struct Object<'a> {
    node: &'a Node,
    record: &'a mut Record,
    /// Whether texts are sets, with one element per line.
    sets: bool,
}

impl<'de> Visitor<'de> for Object<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(OBJECT)
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        let Self { record, sets, .. } = self;
        record.num_objects += 1;
        let object = record.num_objects;
        while let Some(field) = map.next_key_seed(FieldName(self.node))? {
            let Some(node) = field.map(|index| &self.node.children[index].1) else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            if record.note_field(node, object) {
                return Err(Error::custom(format_args!("more than one field `{}`", shown(&node.name))));
            }
            let value = Value { node, record: &mut *record, sets };
            if node.is_id || node.is_group {
                let raw: &RawValue = map.next_value()?;
                if node.is_entered() {
                    let mut deserializer = serde_json::Deserializer::from_str(raw.get());
                    value
                        .deserialize(&mut deserializer)
                        .map_err(|error| M::Error::custom(words(&error.to_string())))?;
                }
                if node.is_id {
                    let id = if matches!(raw.get(), "true" | "false") {
                        Some(Some(raw.get().to_owned()))
                    } else {
                        id_of(raw)
                    };
                    record.id = id.ok_or_else(|| Error::custom("the id is neither a string nor a number"))?;
                }
                if node.is_group {
                    // Any value can identify a group, as long as equal values have the same text.
                    record.group = id_of(raw).unwrap_or_else(|| Some(raw.get().to_owned()));
                }
            } else {
                map.next_value_seed(value)?;
            }
        }
        Ok(())
    }
}

/// Finds the requested field that has the name of a key.
struct FieldName<'a>(&'a Node);

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
        Ok(self.0.children.iter().position(|(name, _)| name == key))
    }
}

/// A value at a place in the tree of fields: the text itself, a list of texts, or an object that contains texts.
struct Value<'a> {
    node: &'a Node,
    record: &'a mut Record,
    sets: bool,
}

impl Value<'_> {
    /// Handles a value that cannot be a text: an error if a text must be here, ignored if texts may only be further
    /// down.
    fn other<E: Error>(&self, what: &str) -> Result<(), E> {
        if self.node.text.is_some() { Err(self.no_text(what)) } else { Ok(()) }
    }

    fn no_text<E: Error>(&self, what: &str) -> E {
        let (which, texts) =
            if self.sets { ("set", "an array of strings and numbers, nor a string") } else { ("text", "a string") };
        E::custom(format_args!("the {which} is {what} and not {texts}"))
    }
}

impl<'de> DeserializeSeed<'de> for Value<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Value<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<(), E> {
        if let Some(part) = self.node.text {
            let (text, is_there) = &mut self.record.parts[part];
            if self.sets {
                *is_there = true;
                push_fields(value, text);
                return Ok(());
            }
            if std::mem::replace(is_there, true) {
                text.push('\n');
            }
            text.push_str(value);
        }
        Ok(())
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut list: S) -> Result<(), S::Error> {
        let Self { node, record, sets } = self;
        if let Some(part) = node.text.filter(|_| sets) {
            let (text, is_there) = &mut record.parts[part];
            *is_there = true;
            while let Some(element) = list.next_element::<&RawValue>()? {
                let element = id_of(element).flatten();
                let element =
                    element.ok_or_else(|| Error::custom("an element of the set is neither a string nor a number"))?;
                push_element(&element, text);
            }
            return Ok(());
        }
        let mut is_empty = true;
        while list.next_element_seed(Value { node, record: &mut *record, sets })?.is_some() {
            is_empty = false;
        }
        if let Some(part) = node.text.filter(|_| is_empty) {
            record.parts[part].1 = true;
        }
        Ok(())
    }

    fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<(), M::Error> {
        if self.node.children.is_empty() {
            return Err(self.no_text("an object"));
        }
        let Self { node, record, sets } = self;
        Object { node, record, sets }.visit_map(map)
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        // A null counts as an absent field.
        Ok(())
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.other(if value { "true" } else { "false" })
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        self.other(NUMBER)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        self.other(NUMBER)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        self.other(NUMBER)
    }
}

/// An id as it is written: a string, a number with all its digits, or `Some(None)` for null.
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
    use crate::documents::document::GroupSettings;
    use crate::documents::input::settings::{InputSettings, Inputs};

    fn fields(id: &str, texts: &[&str]) -> Fields {
        let text_fields = texts.iter().map(|&name| name.to_owned()).collect();
        let settings = InputSettings { id_field: Some(id.into()), text_fields, ..InputSettings::default() };
        Fields::new(Inputs { settings: &settings, sets: false })
    }

    fn parsed_as(line: &str, fields: &Fields) -> Result<(Option<String>, String), String> {
        let mut record = Record::default();
        // Values of an earlier record must not become part of this one.
        let _ = parse(br#"{"text":"before","a":{"b":["x"]}}"#, fields, &mut record);
        let parsed = parse(line.as_bytes(), fields, &mut record).map(|()| (record.id, record.text));
        parsed.map_err(|(_, detail)| detail)
    }

    fn parsed(line: &str) -> Result<(Option<String>, String), String> {
        parsed_as(line, &fields("id", &["text"]))
    }

    #[test]
    fn texts_may_be_several_fields_nested_and_lists() {
        let of = |texts: &[&str], line| parsed_as(line, &fields("a.id", texts)).map(|(_, text)| text);
        assert_eq!(of(&["t", "a.b"], r#"{"a":{"b":"second","c":1},"t":"first"}"#), Ok("first\nsecond".into()));
        assert_eq!(of(&["t", "a.b"], r#"{"a":{"b":"only"},"t":null}"#), Ok("only".into()));
        assert_eq!(of(&["a.b"], r#"{"a.b":"its whole name"}"#), Ok("its whole name".into()));
        assert_eq!(of(&["t"], r#"{"t":["one",null,["two"]]}"#), Ok("one\ntwo".into()));
        assert_eq!(of(&["t"], r#"{"t":[]}"#), Ok(String::new()));
        assert_eq!(of(&["t", "t"], r#"{"t":"once"}"#), Ok("once".into()));
        let chat = r#"{"chat":[{"role":"a","says":"Hello"},{"says":"Bye","role":"b"},7]}"#;
        assert_eq!(of(&["chat.says"], chat), Ok("Hello\nBye".into()));
        assert_eq!(of(&["chat.says", "chat.role"], chat), Ok("Hello\nBye\na\nb".into()));
        let id = |line| parsed_as(line, &fields("a.id", &["t", "a.t"])).map(|(id, text)| (id.unwrap(), text));
        assert_eq!(id(r#"{"a":{"id":7,"t":"x"}}"#), Ok(("7".into(), "x".into())));
    }

    #[test]
    fn a_text_that_is_not_a_string_is_reported() {
        let of = |texts: &[&str], line| parsed_as(line, &fields("id", texts)).unwrap_err();
        assert!(of(&["a.b"], r#"{"a":"no object"}"#).starts_with("the record has no field `a.b`"));
        assert!(of(&["t", "u"], r#"{"v":null}"#).starts_with("the record has none of the fields `t`, `u`"));
        for (texts, line) in [
            (&["t", "u"][..], r#"{"t":null}"#),
            (&["t"], r#"{"t":[null]}"#),
            (&["a.b"], r#"{"a":[{"b":null},{"c":1}]}"#),
        ] {
            assert_eq!(of(texts, line), "the text is null; skipped");
        }
        assert!(of(&["t", "u"], r#"{"t":"x","u":{}}"#).contains("the text is an object and not a string"));
        assert!(of(&["t"], r#"{"t":["x",1]}"#).contains("the text is a number and not a string"));
    }

    #[test]
    fn sets_are_arrays_or_fields_with_an_element_a_line() {
        let sets = Inputs { settings: &InputSettings::default(), sets: true };
        let set = |text: &str| {
            let line = format!(r#"{{"id":1,"text":{text}}}"#);
            parsed_as(&line, &Fields::new(sets)).map(|(_, text)| text)
        };
        assert_eq!(set(r#"["olive oil", 17, -1.50, "a\nb\u2028c", ""]"#), Ok("olive oil\n17\n-1.50\na b c\n\n".into()));
        assert_eq!(set(r#"" one\ttwo  three\n""#), Ok("one\ntwo\nthree\n".into()));
        assert_eq!(set("[]"), Ok(String::new()));
        for wrong in ["[null]", "[true]", "[[1]]", r#"[{"a":1}]"#] {
            let error = set(wrong).unwrap_err();
            assert!(error.contains("an element of the set is neither a string nor a number"), "{wrong}: {error}");
        }
        let error = set("7").unwrap_err();
        assert!(error.contains("the set is a number and not an array of strings and numbers, nor a string"), "{error}");
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
    }

    #[test]
    fn a_wanted_field_that_occurs_twice_is_reported() {
        let of = |texts: &[&str], line| parsed_as(line, &fields("id", texts));
        for (texts, line, name) in [
            (&["text"][..], r#"{"text":"first","text":"last"}"#, "text"),
            (&["text"], r#"{"text":"first","text":null}"#, "text"),
            (&["text"], r#"{"id":1,"text":"x","id":2}"#, "id"),
            (&["a.b"], r#"{"a":{"b":"first"},"a":{"b":"last"}}"#, "a"),
            (&["a.b"], r#"{"a":{"b":"first","b":"last"}}"#, "a.b"),
            (&["a.b"], r#"{"a":[{"b":"x"},{"b":"first","b":"last"}]}"#, "a.b"),
            (&["a.b"], r#"{"a.b":"first","a":{"b":"last"}}"#, "a.b"),
            (&["a.b"], r#"{"a":[{"b":"first"}],"a.b":"last"}"#, "a.b"),
        ] {
            let error = of(texts, line).unwrap_err();
            assert!(error.ends_with(&format!(": more than one field `{name}`; skipped")), "{line}: {error}");
        }
        // In another object the name is a different field, and a field that was not requested may occur any number of
        // times.
        let line = r#"{"c":{"text":1,"id":2},"c":3,"a":[{"b":"x"},{"b":"y"}]}"#;
        assert_eq!(of(&["a.b"], line), Ok((None, "x\ny".into())));
    }

    #[test]
    fn a_group_is_a_string_or_as_it_is_written() {
        let of = |by: &str, line: &str| {
            let groups =
                Some(GroupSettings { by: format!("field:{by}").parse().unwrap(), within: false, with_names: false });
            let settings = InputSettings { groups, ..InputSettings::default() };
            let fields = Fields::new(Inputs { settings: &settings, sets: false });
            let mut record = Record::default();
            let _ = parse(br#"{"text":"before","by":"before"}"#, &fields, &mut record);
            parse(line.as_bytes(), &fields, &mut record).map(|()| record.group).map_err(|(_, detail)| detail)
        };
        for (by, group) in [
            (r#""ann \u00e9""#, Some("ann é")),
            ("17", Some("17")),
            (r#"["a","b"]"#, Some(r#"["a","b"]"#)),
            ("false", Some("false")),
            ("null", None),
        ] {
            let line = format!(r#"{{"text":"x","by":{by},"other":{{"by":"no"}}}}"#);
            assert_eq!(of("by", &line), Ok(group.map(String::from)));
        }
        assert_eq!(of("by", r#"{"text":"x"}"#), Ok(None));
        assert_eq!(of("a.by", r#"{"text":"x","a":{"by":"nested"}}"#), Ok(Some("nested".into())));
        assert_eq!(of("a.by", r#"{"text":"x","a.by":"its whole name"}"#), Ok(Some("its whole name".into())));
        assert_eq!(of("a.by", r#"{"text":"x","a":7}"#), Ok(None));
        // One field may be the group as well as the text or the id.
        assert_eq!(of("text", r#"{"text":"x"}"#), Ok(Some("x".into())));
        assert_eq!(of("id", r#"{"text":"x","id":3}"#), Ok(Some("3".into())));
        assert_eq!(of("id.a", r#"{"text":"x","id":3}"#), Ok(None));
    }

    #[test]
    fn one_field_may_be_both() {
        let mut record = Record::default();
        parse(br#"{"text":"t"}"#, &fields("text", &["text"]), &mut record).unwrap();
        assert_eq!((record.id.as_deref(), record.text.as_str()), (Some("t"), "t"));
    }

    #[test]
    fn malformed_records_say_what_and_where() {
        for (line, message) in [
            (r#"{"text":"cut"#, "column 12: it ends within a string"),
            (r#"{"text":5}"#, "column 9: the text is a number and not a string"),
            (r#"{"id":{},"text":"x"}"#, "the id is neither a string nor a number"),
            (r#"{"id":1}"#, "the record has no field `text`"),
            (r#"{"text":null}"#, "the text is null"),
            (r#"[1]"#, "an array, where a JSON object is read"),
            (r#"{"text":"\ud83dx"}"#, "half a surrogate pair"),
            (r#"{"text":"x"} y"#, "column 14: there is text after the object"),
            ("{nope}", "column 2: the name of a field is not in quotation marks"),
            ("nope", "column 2: a word is not true, false or null"),
        ] {
            let error = parsed(line).unwrap_err();
            assert!(error.contains(message), "{line}: {error}");
        }
        let mut record = Record::default();
        let (_, error) = parse(b"{\"text\":\"\xFF\"}", &fields("id", &["text"]), &mut record).unwrap_err();
        assert!(error.contains("bytes that are not UTF-8"), "{error}");
    }
}
