//! JSON in files whose names do not say how it is written: the first two values decide.
//!
//! Spark, C4 and Dolma write JSON Lines with the extension `.json` or without an extension. Other programs write pretty-printed
//! objects with the extension `.jsonl`.

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use super::records::fields::Fields;
use super::records::json;
use super::records::malformed::begins_pretty;
use super::records::record::Record;
use crate::base::setting::Setting;
use crate::base::shown::shown;
use crate::base::storage::read_at;
use crate::documents::input::bytes::decode::{BINARY_PREFIX, Utf32};
use crate::documents::input::codec::Codec;
use crate::documents::input::formats::array::{Beginning, Elements, beginning};
use crate::documents::input::formats::format::{Format, is_json, is_named_a_text, is_named_office};
use crate::documents::input::formats::mail_kinds::may_begin_container;
use crate::documents::input::marks::UTF8_MARK;
use crate::documents::input::paths::path_bytes;
use crate::documents::input::settings::Inputs;
use crate::documents::input::streams::stream::Peeked;

/// Maximum bytes of the first two values.
const MOST: u64 = 16 << 20;
/// Bytes at the start of a file that suffice to rule out JSON in most files.
const LEAST_START: usize = 16;
/// Maximum bytes in which the first two values are looked for when they span several lines.
const MOST_ON_LINES: usize = 1 << 20;
/// The character before each value of a JSON text sequence.
const RECORD_SEPARATOR: u8 = 0x1E;
/// Words of a string that is more than a name or a keyword.
const LEAST_WORDS: usize = 5;

/// How content is read according to its first two values, or its first lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum JsonProbe {
    /// Both values are records, or it is mail or a web crawl; the format that reads them.
    Records(Format),
    /// They may be meant as records, and are compared as one text: the note that says so.
    OneText(String),
    /// Anything else.
    Other,
}

impl JsonProbe {
    /// Examines the first two values of a stream without consuming them.
    ///
    /// * `format`: the format that the name of the content says.
    /// * `name`: of the content.
    pub(crate) fn of<R: Read>(inputs: Inputs, format: Format, name: &[u8], stream: &mut Peeked<R>) -> Self {
        if let Format::Text { .. } = format
            && let Some(container) = Format::of_container(name, &stream.start)
        {
            return Self::Records(container);
        }
        // Only the container of an office program is looked for under its name.
        if is_named_office(name) {
            return Self::Other;
        }
        let (begins, is_json_file) = (beginning(&stream.start), format == Format::JsonOrText);
        if is_json_file && Utf32::of_start(&stream.start).is_some() {
            return Self::OneText(UTF32.to_owned());
        }
        match begins {
            Some(Beginning::Object) => {}
            Some(Beginning::ArrayOfObjects) if format == Format::JsonLines => {}
            Some(Beginning::ArrayOfObjects) if !is_json_file => return Self::of_array(inputs, &stream.start),
            Some(Beginning::Array) if is_json_file => return Self::of_strings(&stream.start),
            None if is_json_file => return Self::after_comments(inputs, &stream.start),
            _ => return Self::Other,
        }
        let num_lines = if format == Format::JsonLines { 1 } else { 2 };
        stream.peek_lines(num_lines, MOST.min(inputs.unpacked_bytes()));
        if is_named_a_text(name) {
            // Where the name says that it is a text, only records on a line each are more than that.
            return match are_lines_of_records(inputs, &stream.start) {
                true => Self::Records(Format::JsonLines),
                false => Self::of_named_text(inputs, stream),
            };
        }
        let [first, second] = first_lines(text_of(&stream.start));
        match (is_json(first), second.is_empty()) {
            (true, false) if format == Format::JsonLines => return Self::Other,
            (true, false) if is_object(second) => return Self::of_objects(inputs, Format::JsonLines, &[first, second]),
            (true, false) if is_json(second) => return Self::OneText(without_text()),
            (true, false) => return Self::Other,
            _ => {}
        }
        // A value has several lines, or is the only one.
        let most = MOST_ON_LINES.max(stream.start.len() + 1);
        stream.peek_lines(usize::MAX, most as u64);
        let is_whole = stream.start.len() < most;
        Self::of_values(inputs, format, text_of(&stream.start), is_whole)
    }

    /// Looks at values that have several lines, or at the only one.
    ///
    /// * `is_whole`: whether the text does not go on after `start`.
    fn of_values(inputs: Inputs, format: Format, start: &[u8], is_whole: bool) -> Self {
        if format == Format::JsonLines {
            let [first, second] = first_lines(start);
            // Any other line is a record, or one with a fault.
            let is_readable = || first_elements(start, 1).first().is_some_and(|object| is_object(object));
            let is_pretty = begins_pretty(first, second) && is_readable();
            return if is_pretty { Self::Records(Format::Json) } else { Self::Other };
        }
        let objects = first_elements(start, 2);
        let objects: Vec<&[u8]> = objects.iter().map(Vec::as_slice).take_while(|object| is_object(object)).collect();
        match (objects.as_slice(), is_whole) {
            ([_, _], _) => Self::of_objects(inputs, Format::Json, &objects),
            ([object], true) if is_json(start) => {
                let is_line = is_json(first_lines(start)[0]);
                let format = if is_line { Format::JsonLines } else { Format::Json };
                match Self::of_objects(inputs, format, &[object]) {
                    Self::Records(format) => Self::Records(format),
                    _ => Self::of_field(inputs, start),
                }
            }
            _ if format == Format::JsonOrText => Self::of_field(inputs, start),
            _ => Self::Other,
        }
    }

    /// Looks at objects in a file whose name says that it is a text.
    fn of_named_text<R: Read>(inputs: Inputs, stream: &mut Peeked<R>) -> Self {
        let [first, second] = first_lines(text_of(&stream.start));
        if is_object(first) && is_object(second) {
            return Self::OneText(without_text());
        }
        if !begins_pretty(first, second) {
            return Self::Other;
        }
        stream.peek_lines(usize::MAX, MOST_ON_LINES as u64);
        let objects = first_elements(text_of(&stream.start), 2);
        let objects: Vec<&[u8]> = objects.iter().map(Vec::as_slice).filter(|object| is_object(object)).collect();
        let are_several = objects.len() == 2 && are_records(inputs, &objects);
        if are_several { Self::OneText(lines_as_one_text()) } else { Self::Other }
    }

    /// Looks at an array that begins with an object, in a file whose name does not say that it is JSON.
    fn of_array(inputs: Inputs, start: &[u8]) -> Self {
        let elements = first_elements(text_of(start), 2);
        let elements: Vec<&[u8]> = elements.iter().map(Vec::as_slice).filter(|element| is_object(element)).collect();
        let are_several = elements.len() == 2 && are_records(inputs, &elements);
        if are_several { Self::OneText(array_as_one_text()) } else { Self::Other }
    }

    fn of_objects(inputs: Inputs, format: Format, objects: &[&[u8]]) -> Self {
        if are_records(inputs, objects) { Self::Records(format) } else { Self::OneText(without_text()) }
    }

    /// Looks for an array of records in a field of an object, which may be cut short.
    fn of_field(inputs: Inputs, object: &[u8]) -> Self {
        let Some(field) = field_of_records(inputs, object) else { return Self::Other };
        let field = String::from_utf8_lossy(field);
        let is_plain = field.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let is_plain = is_plain && !field.starts_with(|first: char| first.is_ascii_digit());
        let path = if is_plain { format!(".{field}") } else { ".[\"FIELD\"]".to_owned() };
        Self::OneText(format!(
            "an object with an array of records in its field `{}`; compared as one text (jq -c '{path}[]' FILE prints the \
             records as JSON Lines)",
            shown(&field)
        ))
    }

    /// Looks at an array that does not begin with an object.
    fn of_strings(start: &[u8]) -> Self {
        let is_text = |element: &Vec<u8>| {
            serde_json::from_slice::<String>(element).is_ok_and(|text| text.split_whitespace().count() >= LEAST_WORDS)
        };
        let elements = first_elements(text_of(start), 2);
        let are_texts = elements.len() == 2 && elements.iter().all(is_text);
        if are_texts { Self::OneText(STRINGS.to_owned()) } else { Self::Other }
    }

    /// Looks for records on lines that follow comment lines.
    fn after_comments(inputs: Inputs, start: &[u8]) -> Self {
        let is_comment = |line: &[u8]| line.starts_with(b"#") || line.starts_with(b"//");
        let start = text_of(start);
        if !is_comment(start) {
            return Self::Other;
        }
        // The last line may not be whole.
        let whole = &start[..memchr::memrchr(b'\n', start).unwrap_or(0)];
        let mut lines = whole.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
        let mut lines = lines.by_ref().skip_while(|line| line.is_empty() || is_comment(line));
        let first = lines.next().unwrap_or_default();
        let are_lines =
            is_object(first) && are_records(inputs, &[first]) && lines.all(|line| line.is_empty() || is_object(line));
        if are_lines { Self::OneText(after_comments()) } else { Self::Other }
    }

    /// Examines the first two values of a file.
    pub(crate) fn of_file(inputs: Inputs, format: Format, name: &[u8], file: &mut File) -> Self {
        Self::of(inputs, format, name, &mut Peeked::new(file, BINARY_PREFIX))
    }

    /// Opens a file and examines its first two values. The first bytes rule out almost all files. Read errors are reported later.
    pub(crate) fn of_path(inputs: Inputs, format: Format, path: &Path) -> Self {
        let Ok(mut file) = File::open(path) else { return Self::Other };
        let mut start = Vec::new();
        let read = read_at(&file, 0, LEAST_START, &mut start);
        let is_json = !matches!(format, Format::Text { .. });
        let may_be = is_json
            || start.trim_ascii_start().starts_with(b"{")
            || start.trim_ascii_start().starts_with(b"[")
            || start.starts_with(UTF8_MARK)
            || may_begin_container(&start);
        if read.is_err() || !may_be {
            return Self::Other;
        }
        Self::of_file(inputs, format, path_bytes(path), &mut file)
    }
}

/// Whether a file may be an array of records. A file that cannot be read is reported later.
pub(crate) fn begins_as_array(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| read_at(&file, 0, BINARY_PREFIX, &mut start));
    let is_array = || beginning(&start) == Some(Beginning::ArrayOfObjects) && Utf32::of_start(&start).is_none();
    read.is_ok() && (is_array() || Codec::of_magic(&start).is_some())
}

/// The note about a text that is compared as one, although it may be meant as records; `None` for other texts.
///
/// * `is_utf32`: whether the text was stored as UTF-32.
pub(crate) fn note_of_text(inputs: Inputs, text: &[u8], is_utf32: bool) -> Option<Cow<'static, str>> {
    let are_arrays = || {
        let is_array = |line: &&[u8]| line.trim_ascii_start().starts_with(b"[") && is_json(line);
        first_lines(text).iter().all(is_array)
    };
    match text {
        [b'{', ..] if are_lines_of_records(inputs, text) => {
            Some(if is_utf32 { UTF32.into() } else { lines_as_one_text().into() })
        }
        [b'[', ..] if are_arrays() => Some(LINES_OF_ARRAYS.into()),
        [RECORD_SEPARATOR, b'{', ..] if is_object(first_lines(&text[1..])[0]) => Some(SEQUENCE.into()),
        _ => None,
    }
}

/// Whether a text begins with two records on a line each.
fn are_lines_of_records(inputs: Inputs, text: &[u8]) -> bool {
    let lines = first_lines(text_of(text));
    lines.iter().all(|line| is_object(line)) && are_records(inputs, &lines)
}

fn are_records(inputs: Inputs, objects: &[&[u8]]) -> bool {
    let (fields, mut record) = (Fields::new(inputs), Record::default());
    objects.iter().all(|object| json::parse(object, &fields, &mut record).is_ok())
}

fn is_object(value: &[u8]) -> bool {
    value.trim_ascii_start().starts_with(b"{") && is_json(value)
}

/// The text without its byte order mark.
fn text_of(start: &[u8]) -> &[u8] {
    start.strip_prefix(UTF8_MARK).unwrap_or(start)
}

/// The first two lines that are not blank; empty where there are fewer.
fn first_lines(text: &[u8]) -> [&[u8]; 2] {
    let mut lines = text.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    [lines.next().unwrap_or_default(), lines.next().unwrap_or_default()]
}

/// The first elements of an array, or the first of several values, that are whole.
fn first_elements(text: &[u8], count: usize) -> Vec<Vec<u8>> {
    let mut lines = BufReader::new(Elements::new(text));
    let mut next = || {
        let mut line = Vec::new();
        let is_whole = lines.read_until(b'\n', &mut line).is_ok() && line.ends_with(b"\n");
        Some(line).filter(|_| is_whole)
    };
    (0..count).map_while(|_| next()).collect()
}

/// The name of the first field that has an array as its value, if the first element of that array is a record.
fn field_of_records<'o>(inputs: Inputs, object: &'o [u8]) -> Option<&'o [u8]> {
    let (mut depth, mut at, mut name) = (0_usize, 0, &object[..0]);
    while at < object.len() {
        match object[at] {
            b'"' => {
                let end = string_end(object, at + 1)?;
                if depth == 1 {
                    name = &object[at + 1..end];
                }
                at = end;
            }
            b'[' if depth == 1 => {
                let first = first_elements(&object[at..], 1);
                if first.first().is_some_and(|first| is_object(first) && are_records(inputs, &[first])) {
                    return Some(name);
                }
                depth += 1;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
    None
}

/// The offset of the quotation mark that ends a JSON string with its content from `at` on.
fn string_end(text: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr::memchr2(b'"', b'\\', text.get(at..)?)?;
        if text[at] == b'"' {
            return Some(at);
        }
        at += 2;
    }
}

/// The note about values one after another that are not all records.
fn without_text() -> String {
    format!(
        "JSON values one after another, the first two not both objects with a text; compared as one text \
         ({} NAME gives the field of the text, {} jsonl or json reads records)",
        Setting::TextFields,
        Setting::Format
    )
}

fn array_as_one_text() -> String {
    format!("an array of JSON records; compared as one text ({} json reads its records)", Setting::Format)
}

fn after_comments() -> String {
    format!(
        "JSON Lines after comment lines; compared as one text ({} jsonl reads the records, and reports the comment lines)",
        Setting::Format
    )
}

/// The note about records on a line each that are compared as one text.
fn lines_as_one_text() -> String {
    format!("JSON records one after another; compared as one text ({} jsonl or json reads records)", Setting::Format)
}

/// The note about JSON in UTF-32.
const UTF32: &str = "JSON in UTF-32; compared as one text (for its records, convert it: iconv -f UTF-32 -t UTF-8)";
const STRINGS: &str = "an array of strings; compared as one text (jq -c '.[] | {text: .}' FILE makes a record of each)";
const LINES_OF_ARRAYS: &str =
    "JSON arrays, one on each line; compared as one text (jq -c '{text: .[0]}' FILE makes a record of each)";
const SEQUENCE: &str = "a JSON text sequence (RFC 7464); compared as one text (tr -d '\\036' makes JSON Lines of it)";
