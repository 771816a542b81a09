//! Recognises JSON objects one after another in files whose names do not say so, by the first two values.
//!
//! Spark, C4 and Dolma write JSON Lines files with the extension `.json`, or without an extension.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use crate::input::decode::BINARY_PREFIX;
use crate::input::format::{Format, is_json, is_named_a_text};
use crate::input::marks::UTF8_MARK;
use crate::input::paths::path_bytes;
use crate::input::settings::Inputs;
use crate::input::stream::Peeked;
use crate::input::unpack::records::array::{Beginning, Elements, beginning};
use crate::input::unpack::records::fields::Fields;
use crate::input::unpack::records::json;
use crate::input::unpack::records::record::Record;
use crate::storage::read_at;

/// Maximum bytes of the first two values.
const MOST: u64 = 16 << 20;
/// Bytes at the start of a file that suffice to rule out JSON in most files.
const LEAST_START: usize = 16;
/// Maximum bytes in which the first two values are looked for when they span several lines.
const MOST_ON_LINES: usize = 1 << 20;

/// The kind of the first two values of some content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FirstValues {
    /// Both values are records; the format that reads them.
    Records(Format),
    /// Both values are objects, and at least one has no text.
    WithoutText,
    /// Any other content.
    Other,
}

impl FirstValues {
    /// Examines the first two values of a stream without consuming them.
    ///
    /// * `name`: the name of the content.
    pub(super) fn of<R: Read>(inputs: Inputs, name: &[u8], stream: &mut Peeked<R>) -> Self {
        if beginning(&stream.start) != Some(Beginning::Object) {
            return Self::Other;
        }
        stream.peek_lines(2, MOST.min(inputs.unpacked_bytes()));
        match Self::of_start(inputs, &stream.start) {
            // With an extension of text files, only records with one record per line override the name.
            Self::Records(Format::Json) | Self::WithoutText if is_named_a_text(name) => Self::Other,
            values => values,
        }
    }

    /// Examines the first two values at the start of a text, which must contain the first two lines in full.
    pub(super) fn of_start(inputs: Inputs, start: &[u8]) -> Self {
        let start = start.strip_prefix(UTF8_MARK).unwrap_or(start);
        if !start.trim_ascii_start().starts_with(b"{") {
            return Self::Other;
        }
        let mut lines = start.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
        let (first, second) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
        let is_object = |line: &[u8]| line.trim_ascii_start().starts_with(b"{") && is_json(line);
        if is_object(first) {
            return match is_object(second) {
                true => Self::of_objects(inputs, Format::JsonLines, [first, second]),
                false => Self::Other,
            };
        }
        let mut lines = BufReader::new(Elements::new(&start[..start.len().min(MOST_ON_LINES)]));
        let mut next = || {
            let mut line = Vec::new();
            let is_whole = lines.read_until(b'\n', &mut line).is_ok() && line.ends_with(b"\n");
            Some(line).filter(|line| is_whole && is_object(line))
        };
        match (next(), next()) {
            (Some(first), Some(second)) => Self::of_objects(inputs, Format::Json, [&first, &second]),
            _ => Self::Other,
        }
    }

    fn of_objects(inputs: Inputs, format: Format, objects: [&[u8]; 2]) -> Self {
        let (fields, mut record) = (Fields::new(inputs), Record::default());
        let are_records = objects.iter().all(|object| json::parse(object, &fields, &mut record).is_ok());
        if are_records { Self::Records(format) } else { Self::WithoutText }
    }

    /// Examines the first two values of an open file.
    pub(super) fn of_file(inputs: Inputs, name: &[u8], file: &mut File) -> Self {
        Self::of(inputs, name, &mut Peeked::new(file, BINARY_PREFIX))
    }

    /// Examines the first two values of the file at `path`. Most files are ruled out by their first bytes. A file that
    /// cannot be read is reported later.
    pub(super) fn of_path(inputs: Inputs, path: &Path) -> Self {
        let Ok(mut file) = File::open(path) else { return Self::Other };
        let mut start = Vec::new();
        let read = read_at(&file, 0, LEAST_START, &mut start);
        if read.is_err() || !start.trim_ascii_start().starts_with(b"{") && !start.starts_with(UTF8_MARK) {
            return Self::Other;
        }
        Self::of_file(inputs, path_bytes(path), &mut file)
    }
}

/// The message about JSON objects one after another that are compared as one text.
pub(super) const ONE_TEXT: &str = "JSON objects one after another, the first two not both with a text; compared as one text \
                                   (--text-field NAME gives the field of the text, --input-format jsonl or json reads records)";
/// The message about JSON records that are compared as one text because the file name says that it is a text.
pub(super) const NAMED_A_TEXT: &str =
    "JSON records one after another; compared as one text for its name (--input-format jsonl or json reads records)";
