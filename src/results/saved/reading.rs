//! `ReadingRecord`: the input settings that determine the documents, by the names of their flags, and the difference
//! between two such records.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::base::error::ReadingDifference;
use crate::documents::input::{InputSettings, ReadSettings};

/// The value of each flag that determines which documents the files contain, and their names and texts.
///
/// The record does not say which files are read; the result lists them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ReadingRecord(Map<String, Value>);

impl ReadingRecord {
    /// The record of the settings of a run.
    pub fn of(input: &InputSettings) -> Self {
        let Ok(Value::Object(fields)) = serde_json::to_value(ReadSettings::of(input, false)) else {
            unreachable!("a struct of plain values is an object")
        };
        let mut flags: Map<String, Value> =
            fields.into_iter().filter_map(|(name, value)| flag_of(&name, value)).collect();
        flags.insert("id-prefix".into(), if input.id_prefix { "file" } else { "none" }.into());
        let filters = input.filters.iter().map(|filter| format!("{}={}", filter.extension, filter.command));
        flags.insert("filter".into(), filters.collect());
        if input.unit.is_some() {
            flags.insert("unit".into(), true.into());
        }
        Self(flags)
    }

    /// Whether documents are joined from files.
    pub(crate) fn joins_files(&self) -> bool {
        self.0.get("unit") == Some(&Value::Bool(true))
    }

    /// The first difference of the settings of a run from these saved ones; `None` when they are equal.
    pub(crate) fn difference(&self, run: &Self) -> Option<ReadingDifference> {
        let flags = self.0.keys().chain(run.0.keys());
        let value = |record: &Self, flag: &str| record.0.get(flag).cloned().unwrap_or(Value::Null);
        let (flag, saved, given) =
            flags.map(|flag| (flag, value(self, flag), value(run, flag))).find(|(_, saved, given)| saved != given)?;
        Some(ReadingDifference { name: flag.clone(), saved: values(&saved), given: values(&given) })
    }
}

/// The flag of a field of [`ReadSettings`], with its value. Flags that are younger than the format are omitted if they have
/// their defaults.
fn flag_of(field: &str, value: Value) -> Option<(String, Value)> {
    let character = || value.as_u64().map(|byte| Value::from(String::from(char::from(byte as u8))));
    let (flag, value) = match field {
        // These follow from the kind of shingles.
        "notebook_cells" | "sets" => return None,
        "format" => ("input-format", value),
        "text_fields" => ("text-field", value),
        "quoting" => ("quoted", Value::from(value == "on")),
        "delimiter" | "csv_escape" => (field, character()?),
        _ => (field, value),
    };
    let is_default = match flag {
        "quoted" | "mail_subject" => value == false,
        "markup" => value == "keep",
        "mail_quotes" => value == "strip",
        _ => false,
    };
    (!is_default).then(|| (flag.replace('_', "-"), value))
}

/// The values of a flag: no values for a switch that is given, and `None` for a flag that is not.
fn values(value: &Value) -> Option<Vec<String>> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    match value {
        Value::Null | Value::Bool(false) => None,
        Value::Bool(true) => Some(Vec::new()),
        Value::Array(values) => {
            Some(values.iter().map(text).collect()).filter(|values: &Vec<String>| !values.is_empty())
        }
        value => Some(vec![text(value)]),
    }
}
