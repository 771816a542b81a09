//! `FileKind` and `FileForm`: the format that the name of an output promises, and the one that an input has.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::meter::Meter;
use super::peel::{Peeled, Shape, peel};
use crate::documents::input::codec::Codec;
use crate::documents::input::formats::binary_kinds::is_office;
use crate::documents::input::formats::format::{FORMAT_PREFIX, codec_of_name, name_inside};
use crate::documents::input::paths::{path_bytes, path_of};
use crate::documents::input::settings::{InputSettings, Inputs};

/// The kind of content of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileKind {
    /// JSON Lines and JSON arrays; dedup reads both under either name.
    Json,
    Csv,
    Tsv,
    Parquet,
    /// Arrow IPC or Feather.
    Arrow,
    Tar,
    Zip,
    /// An office document or a book, which is a zip file.
    Document,
    /// Mail or a web crawl.
    Container,
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
            "arrow" | "arrows" | "feather" => Self::Arrow,
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
            Self::Arrow | Self::Tar | Self::Zip | Self::Document | Self::Container | Self::Text => false,
        }
    }

    /// The format's name in messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Json => "JSON",
            Self::Csv => "CSV",
            Self::Tsv => "TSV",
            Self::Parquet => "Parquet",
            Self::Arrow => "Arrow",
            Self::Tar => "tar",
            Self::Zip => "zip",
            Self::Document => "an office document",
            Self::Container => "mail or a web crawl",
            Self::Text => "text",
        }
    }
}

/// How a file is stored, as its content says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileForm {
    pub(crate) kind: FileKind,
    /// Whether it is one value of JSON, and not JSON Lines.
    pub(crate) is_array: bool,
    /// Its compression, from the outermost on.
    pub(crate) codecs: Vec<Codec>,
}

impl FileForm {
    /// Looks at the beginning of a file; `None` when it cannot be read.
    pub(crate) fn of(input: &InputSettings, path: &Path) -> Option<Self> {
        let file = File::open(path).ok()?;
        let meter = Meter::new(input.max_unpacked, file.metadata().ok()?.len());
        let inputs = Inputs { settings: input, sets: false };
        let Peeled { shape, mut stream, codecs } =
            peel(inputs, path_bytes(path), false, Box::new(&file), &meter).ok()?;
        let kind = match shape {
            Shape::Lines | Shape::Elements | Shape::ElementsOrWhole => FileKind::Json,
            Shape::Rows { delimiter: b'\t' } => FileKind::Tsv,
            Shape::Rows { .. } => FileKind::Csv,
            Shape::Parquet => FileKind::Parquet,
            Shape::Arrow => FileKind::Arrow,
            Shape::Tar => FileKind::Tar,
            Shape::Zip => FileKind::Zip,
            Shape::Container => FileKind::Container,
            Shape::Whole => {
                let mut start = Vec::new();
                stream.by_ref().take(FORMAT_PREFIX as u64).read_to_end(&mut start).ok()?;
                match start.as_slice() {
                    [b'P', b'A', b'R', b'1', ..] => FileKind::Parquet,
                    start if is_office(start) => FileKind::Document,
                    [b'P', b'K', 3 | 5, 4 | 6, ..] => FileKind::Zip,
                    _ => FileKind::Text,
                }
            }
        };
        Some(Self { kind, is_array: kind == FileKind::Json && shape != Shape::Lines, codecs })
    }
}
