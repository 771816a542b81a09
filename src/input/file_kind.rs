//! `FileKind`: the format that the name of an output promises, and the one that an input has.

use super::format::{codec_of_name, name_inside};
use super::paths::path_of;
use super::settings::{InputFormat, InputSettings};

/// What a file holds, as its name says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileKind {
    /// JSON Lines, and arrays of JSON: both are read under either name.
    Json,
    Csv,
    Tsv,
    Parquet,
    Tar,
    Zip,
    /// Anything else.
    Text,
}

impl FileKind {
    /// The kind of a name that promises one; compression may be added to it.
    pub(crate) fn of_name(name: &[u8]) -> Option<Self> {
        let inside = if codec_of_name(name).is_some() { name_inside(name) } else { name.to_owned() };
        let extension = path_of(&inside).extension()?.to_str()?.to_ascii_lowercase();
        Some(match extension.as_str() {
            "jsonl" | "ndjson" | "json" => Self::Json,
            "csv" => Self::Csv,
            "tsv" | "tab" => Self::Tsv,
            "parquet" => Self::Parquet,
            "tar" => Self::Tar,
            "zip" => Self::Zip,
            _ => return None,
        })
    }

    /// Whether a file of this name may hold the rows of another table: that of CSV with tabs has the name of TSV.
    pub(crate) fn holds_rows_of(self, other: Self, delimiter: u8) -> bool {
        let is_table = |kind| matches!(kind, Self::Csv | Self::Tsv);
        is_table(self) && is_table(other) && delimiter == b'\t'
    }

    /// The format's name in messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Json => "JSON",
            Self::Csv => "CSV",
            Self::Tsv => "TSV",
            Self::Parquet => "Parquet",
            Self::Tar => "tar",
            Self::Zip => "zip",
            Self::Text => "text",
        }
    }
}

/// The kind of an input; `None` where neither its name nor its first bytes say it.
///
/// * `start`: its first bytes.
pub(crate) fn input_kind(input: &InputSettings, name: &[u8], start: &[u8]) -> Option<FileKind> {
    match input.format {
        InputFormat::Auto => {}
        InputFormat::Text => return Some(FileKind::Text),
        InputFormat::JsonLines | InputFormat::Json => return Some(FileKind::Json),
        InputFormat::Csv => return Some(FileKind::Csv),
        InputFormat::Tsv => return Some(FileKind::Tsv),
        InputFormat::Parquet => return Some(FileKind::Parquet),
        InputFormat::Tar => return Some(FileKind::Tar),
        InputFormat::Zip => return Some(FileKind::Zip),
    }
    FileKind::of_name(name).or(match start {
        [b'P', b'A', b'R', b'1', ..] => Some(FileKind::Parquet),
        [b'P', b'K', 3 | 5, 4 | 6, ..] => Some(FileKind::Zip),
        _ => None,
    })
}
