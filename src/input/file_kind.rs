//! `FileKind`: the format that an output's name promises, and the format of an input.

use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;

use super::format::{codec_of_name, name_inside};
use super::paths::{path_bytes, path_of};
use super::settings::{InputFormat, InputSettings, Inputs};
use super::unpack::meter::Meter;
use super::unpack::peel::{Shape, peel};

/// The kind of content of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileKind {
    /// JSON Lines and JSON arrays; dedup reads both under either name.
    Json,
    Csv,
    Tsv,
    Parquet,
    Tar,
    Zip,
    /// Any other content.
    Text,
}

impl FileKind {
    /// The kind that a name promises, also with a compression suffix; `None` for other names.
    pub(crate) fn of_name(name: &[u8]) -> Option<Self> {
        let inside = if codec_of_name(name).is_some() { name_inside(name) } else { name.to_owned() };
        let extension = path_of(&inside).extension()?.to_str()?.to_ascii_lowercase();
        Some(match extension.as_str() {
            "jsonl" | "ndjson" | "ldjson" | "jsonlines" | "json" => Self::Json,
            "csv" => Self::Csv,
            "tsv" | "tab" => Self::Tsv,
            "parquet" => Self::Parquet,
            "tar" => Self::Tar,
            "zip" => Self::Zip,
            _ => return None,
        })
    }

    /// Whether a file of this kind may hold the rows of a table of the other kind: CSV with tabs as delimiter is like
    /// TSV.
    pub(crate) fn holds_rows_of(self, other: Self, delimiter: u8) -> bool {
        let is_table = |kind| matches!(kind, Self::Csv | Self::Tsv);
        is_table(self) && is_table(other) && delimiter == b'\t'
    }

    /// Whether files of this kind hold records, which can be converted to any other kind that holds records.
    pub(crate) fn holds_records(self) -> bool {
        match self {
            Self::Json | Self::Csv | Self::Tsv => true,
            Self::Parquet => cfg!(feature = "parquet"),
            Self::Tar | Self::Zip | Self::Text => false,
        }
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

/// The kind of the records in a file; `None` when the file holds no records, or cannot be read.
pub(crate) fn kind_of_records(input: &InputSettings, path: &Path) -> Option<FileKind> {
    let (name, mut file) = (path_bytes(path), File::open(path).ok()?);
    let mut start = [0; 4];
    let len = file.read(&mut start).ok()?;
    if let Some(kind) = input_kind(input, name, &start[..len]) {
        return Some(kind).filter(|kind| kind.holds_records());
    }
    file.rewind().ok()?;
    let inputs = Inputs { settings: input, sets: false };
    let meter = Meter::new(input.max_unpacked, file.metadata().ok()?.len());
    let shape = peel(inputs, name, false, Box::new(&file), &meter).ok()?.shape;
    let kind = match shape {
        Shape::Lines | Shape::Elements | Shape::ElementsOrWhole => FileKind::Json,
        Shape::Rows { delimiter: b'\t' } => FileKind::Tsv,
        Shape::Rows { .. } => FileKind::Csv,
        Shape::Parquet => FileKind::Parquet,
        Shape::Whole | Shape::Tar | Shape::Zip => return None,
    };
    Some(kind).filter(|kind| kind.holds_records())
}

/// The kind of an input; `None` when neither its name nor its first bytes show it.
///
/// * `start`: the first bytes of the input.
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
