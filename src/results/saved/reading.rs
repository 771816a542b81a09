//! `ReadingRecord`: the input settings that determine the documents, by the names of their flags, and the difference
//! between two such records.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::base::shown::shown;
use crate::documents::input::{HtmlMode, InputFormat, InputSettings, InvalidBytes, MailQuotes, MarkupMode, Quoting};

/// The value of each flag that determines which documents the files contain, and their names and texts.
///
/// The record does not say which files are read; the result lists them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ReadingRecord(Map<String, Value>);

/// The flags of a [`ReadingRecord`]; the keys are the names of the flags.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct ReadingFlags<'a> {
    input_format: InputFormat,
    #[serde(skip_serializing_if = "is_false")]
    no_header: bool,
    delimiter: char,
    no_quoting: bool,
    #[serde(skip_serializing_if = "is_false")]
    quoted: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    csv_escape: Option<char>,
    id_field: Option<&'a str>,
    id_prefix: &'static str,
    text_field: &'a [String],
    html: HtmlMode,
    #[serde(skip_serializing_if = "Option::is_none")]
    markup: Option<MarkupMode>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mail_quotes: Option<MailQuotes>,
    #[serde(skip_serializing_if = "is_false")]
    mail_subject: bool,
    filter: Vec<String>,
    encoding: String,
    invalid: InvalidBytes,
    max_document_bytes: Option<u64>,
}

fn is_false(value: &bool) -> bool {
    !value
}

impl ReadingRecord {
    /// The record of the settings of a run.
    pub fn of(input: &InputSettings) -> Self {
        let flags = ReadingFlags {
            input_format: input.format,
            no_header: input.no_header,
            delimiter: char::from(input.delimiter),
            no_quoting: input.quoting == Quoting::Off,
            quoted: input.quoting == Quoting::On,
            csv_escape: input.csv_escape.map(char::from),
            id_field: input.id_field.as_deref(),
            id_prefix: if input.id_prefix { "file" } else { "none" },
            text_field: &input.text_fields,
            html: input.html,
            markup: Some(input.markup).filter(|&markup| markup != MarkupMode::default()),
            mail_quotes: Some(input.mail_quotes).filter(|&quotes| quotes != MailQuotes::default()),
            mail_subject: input.mail_subject,
            filter: input.filters.iter().map(|filter| format!("{}={}", filter.extension, filter.command)).collect(),
            encoding: input.encoding.label(),
            invalid: input.invalid,
            max_document_bytes: input.max_document_bytes,
        };
        match serde_json::to_value(flags) {
            Ok(Value::Object(flags)) => Self(flags),
            _ => unreachable!("a struct of plain values is an object"),
        }
    }

    /// How the settings of a run differ from these saved ones, as the end of a message; `None` when they are equal.
    pub(crate) fn difference(&self, run: &Self) -> Option<String> {
        let flags = self.0.keys().chain(run.0.keys());
        let value = |record: &Self, flag: &str| record.0.get(flag).cloned().unwrap_or(Value::Null);
        let (flag, saved, given) =
            flags.map(|flag| (flag, value(self, flag), value(run, flag))).find(|(_, saved, given)| saved != given)?;
        let [saved, given] = [saved, given].map(|value| with_value(flag, &value));
        Some(format!("it was saved {saved}, and this run is {given}; give the flags of the saved run, or scan again"))
    }
}

/// The setting of a flag in words: `with --html strip`, or `without --html`.
fn with_value(flag: &str, value: &Value) -> String {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let values = match value {
        Value::Null | Value::Bool(false) => Vec::new(),
        Value::Bool(true) => return format!("with --{flag}"),
        Value::Array(values) => values.iter().map(text).collect(),
        value => vec![text(value)],
    };
    if values.is_empty() {
        return format!("without --{flag}");
    }
    let given = values.iter().map(|value| format!("--{flag} {}", shown(value)));
    format!("with {}", given.collect::<Vec<_>>().join(" "))
}
