//! `ReadSettings`: the settings with which inputs were read, as an index and a saved result store them.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::settings::{InputFormat, InputSettings, InvalidBytes, Quoting, TextEncoding};
use super::text_modes::{HtmlMode, MailQuotes, MarkupMode, NotebookCells};

/// The settings that affect texts, without the programs that extract texts and the prefixes of ids. An index stores all of
/// them, and a saved result stores them by their flags, so a setting that is added here is in both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadSettings {
    format: InputFormat,
    #[serde(default, skip_serializing_if = "is_false")]
    no_header: bool,
    delimiter: u8,
    no_quoting: bool,
    /// Absent from older indexes, which were read without this setting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    quoting: Option<Quoting>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    csv_escape: Option<u8>,
    id_field: Option<String>,
    text_fields: Vec<String>,
    encoding: Option<String>,
    invalid: InvalidBytes,
    html: HtmlMode,
    #[serde(default)]
    markup: MarkupMode,
    #[serde(default)]
    notebook_cells: NotebookCells,
    #[serde(default)]
    mail_quotes: MailQuotes,
    #[serde(default)]
    mail_subject: bool,
    max_document_bytes: Option<u64>,
    /// Whether documents are sets, with a line of fields each.
    pub(crate) sets: bool,
}

fn is_false(value: &bool) -> bool {
    !value
}

impl ReadSettings {
    /// The reading settings among the settings of inputs.
    ///
    /// * `sets`: whether documents are sets.
    pub(crate) fn of(input: &InputSettings, sets: bool) -> Self {
        Self {
            format: input.format,
            no_header: input.no_header,
            delimiter: input.delimiter,
            no_quoting: input.quoting == Quoting::Off,
            quoting: Some(input.quoting),
            csv_escape: input.csv_escape,
            id_field: input.id_field.clone(),
            text_fields: input.text_fields.clone(),
            encoding: Some(input.encoding.label()),
            invalid: input.invalid,
            html: input.html,
            markup: input.markup,
            notebook_cells: input.notebook_cells,
            mail_quotes: input.mail_quotes,
            mail_subject: input.mail_subject,
            max_document_bytes: input.max_document_bytes,
            sets,
        }
    }

    /// Input settings that read a file in this way.
    ///
    /// * `paths`: the file; empty for reading at places.
    pub(crate) fn inputs(&self, paths: Vec<PathBuf>) -> InputSettings {
        InputSettings {
            format: self.format,
            no_header: self.no_header,
            delimiter: self.delimiter,
            quoting: self.quoting.unwrap_or(if self.no_quoting { Quoting::Off } else { Quoting::On }),
            csv_escape: self.csv_escape,
            id_field: self.id_field.clone(),
            text_fields: self.text_fields.clone(),
            // An unknown label leads to other texts, which are then reported as changed. Older indexes without a label were
            // read as UTF-8.
            encoding: self.encoding.as_deref().and_then(|name| name.parse().ok()).unwrap_or(TextEncoding::UTF_8),
            invalid: self.invalid,
            html: self.html,
            markup: self.markup,
            notebook_cells: self.notebook_cells,
            mail_quotes: self.mail_quotes,
            mail_subject: self.mail_subject,
            max_document_bytes: self.max_document_bytes,
            hidden: true,
            follow: true,
            ..InputSettings::of(paths)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_comes_back_and_reads_as_before() {
        let input = InputSettings {
            format: InputFormat::Tsv,
            no_header: true,
            delimiter: b';',
            text_fields: vec!["title".into(), "body".into()],
            encoding: "latin1".parse().unwrap(),
            invalid: InvalidBytes::Replace,
            html: HtmlMode::Strip,
            markup: MarkupMode::Strip,
            notebook_cells: NotebookCells::Code,
            mail_quotes: MailQuotes::Keep,
            mail_subject: true,
            max_document_bytes: Some(7),
            ..InputSettings::of(vec!["a.tsv".into()])
        };
        let way = ReadSettings::of(&input, true);
        let stored: ReadSettings = serde_json::from_slice(&serde_json::to_vec(&way).unwrap()).unwrap();
        assert_eq!(stored, way);
        assert_eq!(ReadSettings::of(&stored.inputs(input.paths), true), way);
    }
}
