//! `AbsentFields`: detects requested fields that no record of a piece of JSON Lines has.
//!
//! A table's header lists its fields; JSON Lines have no header, so every record is examined, piece by piece.

use std::fmt;

use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::fields::{Fields, asked_for, listed, no_field, setting_of};
use super::record::Record;
use crate::base::setting::Setting;
use crate::documents::input::panic_guard::contain;

/// Maximum depth of nested objects whose fields are listed.
const DEPTH: usize = 4;
/// Maximum number of names that are collected, which is more than a message shows.
const MOST_NAMES: usize = 64;

/// The requested fields that no record of a piece has; possibly none.
#[derive(Debug)]
pub(crate) struct AbsentFields {
    /// The setting of each field, and the field as messages show it.
    fields: Vec<(Setting, String)>,
    /// Whether all text fields are absent, so that no record is compared.
    is_textless: bool,
    /// A list of the fields of one of the records.
    there_are: String,
}

impl AbsentFields {
    /// Keeps only fields that are absent from another piece as well.
    pub(crate) fn intersect(&mut self, other: &Self) {
        self.fields.retain(|field| other.fields.contains(field));
        self.is_textless &= other.is_textless;
    }

    /// Whether no record has a text.
    pub(crate) fn is_textless(&self) -> bool {
        self.is_textless
    }

    /// The setting to check for a source that lacks the fields.
    pub(crate) fn setting(&self) -> Option<Setting> {
        setting_of(self.fields.iter().map(|&(setting, _)| setting))
    }

    /// The note about a source that lacks the fields.
    pub(crate) fn note(&self) -> Option<String> {
        let but = if self.is_textless { "" } else { "; compared without" };
        let fields: Vec<&str> = self.fields.iter().map(|(_, field)| field.as_str()).collect();
        (!fields.is_empty()).then(|| no_field(&fields, &self.there_are) + but)
    }
}

/// Determines which fields are absent from a piece of records.
#[derive(Debug)]
pub(in crate::documents::input) struct Absence {
    /// The number of objects that were begun before the piece.
    num_objects: u64,
    /// A list of the fields of the first record.
    there_are: Option<String>,
}

impl Absence {
    /// Starts a piece.
    pub(in crate::documents::input) fn new(record: &Record) -> Self {
        Self { num_objects: record.num_objects(), there_are: None }
    }

    /// Whether [`see`](Self::see) still needs the line of a record.
    pub(in crate::documents::input) fn wants_line(&self) -> bool {
        self.there_are.is_none()
    }

    /// Examines the line of a record, which must be valid JSON.
    pub(in crate::documents::input) fn see(&mut self, line: &[u8], record: &Record, fields: &Fields) {
        let is_whole = self.absent(record, fields).next().is_none();
        self.there_are = Some(if is_whole { String::new() } else { there_are(line) });
    }

    /// The absent fields; `None` when there was no record.
    pub(in crate::documents::input) fn end(self, record: &Record, fields: &Fields) -> Option<AbsentFields> {
        let absent: Vec<_> = self.absent(record, fields).collect();
        let num_texts = absent.iter().filter(|(setting, _)| *setting == Setting::TextFields).count();
        Some(AbsentFields {
            fields: absent.into_iter().map(|field| (field.0, asked_for(field))).collect(),
            is_textless: num_texts == fields.texts.len(),
            there_are: self.there_are?,
        })
    }

    fn absent<'f>(&self, record: &Record, fields: &'f Fields) -> impl Iterator<Item = (Setting, &'f str)> {
        let before = self.num_objects;
        fields.asked().filter(move |(_, name)| !record.has_met_since(before, fields, name))
    }
}

/// A list of the names of a record's fields.
fn there_are(line: &[u8]) -> String {
    let mut names = Vec::new();
    // Errors were reported when the record was parsed.
    let _ = contain(|| {
        let names = FieldNames { path: "", depth: 1, names: &mut names };
        serde_json::Deserializer::from_slice(line).deserialize_map(names).is_ok()
    });
    listed(names.into_iter().map(Into::into))
}

/// Collects the names of an object's fields; a field of a nested object is prefixed with the object's name and a dot.
struct FieldNames<'a> {
    path: &'a str,
    depth: usize,
    names: &'a mut Vec<String>,
}

impl<'de> Visitor<'de> for FieldNames<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        while let Some(key) = map.next_key::<String>()? {
            let name = if self.path.is_empty() { key } else { format!("{}.{key}", self.path) };
            if self.names.len() >= MOST_NAMES || self.names.contains(&name) {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            let value: &RawValue = map.next_value()?;
            if value.get().starts_with('{') && self.depth < DEPTH {
                let names = FieldNames { path: &name, depth: self.depth + 1, names: self.names };
                let _ = serde_json::Deserializer::from_str(value.get()).deserialize_map(names);
            } else {
                self.names.push(name);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::input::settings::{InputSettings, Inputs};
    use crate::documents::input::unpack::records::json::parse;

    fn absent(lines: &[&str], texts: &[&str], id: Option<&str>) -> Option<Option<String>> {
        let text_fields = texts.iter().map(|&name| name.to_owned()).collect();
        let settings = InputSettings { id_field: id.map(Into::into), text_fields, ..InputSettings::default() };
        let fields = Fields::new(Inputs { settings: &settings, sets: false });
        let mut record = Record::default();
        let _ = parse(br#"{"text":"of an earlier piece","id":1,"t":"x"}"#, &fields, &mut record);
        let mut absence = Absence::new(&record);
        for line in lines {
            let _ = parse(line.as_bytes(), &fields, &mut record);
            if absence.wants_line() {
                absence.see(line.as_bytes(), &record, &fields);
            }
        }
        absence.end(&record, &fields).map(|absent| absent.note())
    }

    #[test]
    fn a_field_is_absent_when_no_record_has_it() {
        let lines = [r#"{"text":"x","a":{"b":1,"c":{}}}"#, r#"{"id":null,"text":"y","u":"z"}"#];
        assert_eq!(absent(&lines, &["text", "u"], Some("id")), Some(None));
        assert_eq!(absent(&[], &["text"], Some("id")), None);
        let note = "there is no field `uid` (input.id_field), `t` (input.text_fields); there are: `text`, `a.b`; compared without";
        assert_eq!(absent(&lines, &["text", "t"], Some("uid")), Some(Some(note.into())));
        let note = "there is no field `t` (input.text_fields); there are: `text`, `a.b`";
        assert_eq!(absent(&lines, &["t"], None), Some(Some(note.into())));
        assert_eq!(absent(&lines, &["text", "a.b"], None), Some(None));
        assert_eq!(
            absent(&["{}"], &["t"], None).flatten().unwrap(),
            "there is no field `t` (input.text_fields); there are: none"
        );
    }

    #[test]
    fn what_is_absent_from_all_pieces_is_absent() {
        let piece = |fields: &[&str], is_textless| AbsentFields {
            fields: fields.iter().map(|&field| (Setting::TextFields, field.to_owned())).collect(),
            is_textless,
            there_are: "`x`".into(),
        };
        let mut both = piece(&["a", "b"], true);
        both.intersect(&piece(&["b", "c"], false));
        assert_eq!(both.note().unwrap(), "there is no field b; there are: `x`; compared without");
        both.intersect(&piece(&["c"], true));
        assert_eq!(both.note(), None);
    }
}
