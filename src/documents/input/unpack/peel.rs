//! `peel`: removes the compression of a stored file or member and determines its format, by the same rules as `unpack`.

use std::io::{self, Read};

use super::json_probe::JsonProbe;
use super::meter::Meter;
use crate::documents::input::bytes::decode::{BINARY_PREFIX, Decoding};
use crate::documents::input::charset::Charset;
use crate::documents::input::codec::Codec;
use crate::documents::input::formats::format::{Format, name_inside};
use crate::documents::input::marks::{UTF8_MARK, utf16_of_mark};
use crate::documents::input::messages::MAX_DEPTH;
use crate::documents::input::settings::Inputs;
use crate::documents::input::streams::stream::Peeked;

/// The form of a file's content without its compression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// One document, or none.
    Whole,
    /// One record per line.
    Lines,
    /// One record per row, after a header.
    Rows {
        delimiter: u8,
    },
    /// One record per element of an array, or per object.
    Elements,
    /// Like `Elements`, or one document.
    ElementsOrWhole,
    Parquet,
    Arrow,
    Tar,
    Zip,
    /// Messages or pages that are read and never rewritten: mail or a web crawl.
    Container,
}

/// A stream without its compression.
pub(crate) struct Peeled<'r> {
    /// The codecs that were removed, from the outermost on.
    pub(crate) codecs: Vec<Codec>,
    pub(crate) shape: Shape,
    pub(crate) stream: Box<dyn Read + 'r>,
}

/// Removes the compression of content with this name.
///
/// * `is_member`: whether it is a member of an archive.
/// * `meter`: counts the unpacked bytes.
///
/// # Errors
/// When the content cannot be read, unpacks to more than the limit, or is compressed too many times.
pub(crate) fn peel<'r>(
    inputs: Inputs,
    name: &[u8],
    is_member: bool,
    bytes: Box<dyn Read + 'r>,
    meter: &Meter,
) -> io::Result<Peeled<'r>> {
    let mut name = name.to_owned();
    let mut format = Format::of(inputs, &name, is_member);
    let mut peeled = Peeled { codecs: Vec::new(), shape: Shape::Whole, stream: bytes };
    while !matches!(format, Format::Filtered(_)) {
        let mut stream = Peeked::new(peeled.stream, Codec::MAGIC);
        let found = Codec::of_magic(&stream.start);
        if let Some(fault) = stream.take_fault() {
            return Err(fault);
        }
        let codec = match (found, format) {
            (None, Format::Compressed(codec)) => Some(codec),
            (found, _) => found,
        };
        let Some(codec) = codec else {
            peeled.stream = Box::new(stream);
            break;
        };
        if peeled.codecs.len() == MAX_DEPTH {
            return Err(io::Error::other("compressed too many times"));
        }
        if matches!(format, Format::Compressed(_)) {
            name = name_inside(&name);
            format = Format::of(inputs, &name, is_member || !peeled.codecs.is_empty());
        }
        peeled.codecs.push(codec);
        peeled.stream = Box::new(meter.unpacked(codec.decoder(stream, inputs.max_window)?));
    }
    if format.may_be_values(inputs, &name) {
        let mut stream = Peeked::new(peeled.stream, BINARY_PREFIX);
        match JsonProbe::of(inputs, format, &name, &mut stream) {
            JsonProbe::Records(records) => format = records,
            JsonProbe::OneText(_) => format = format.or_text(inputs),
            JsonProbe::Other => {}
        }
        peeled.stream = Box::new(stream);
    }
    peeled.shape = match format {
        Format::Text { .. } | Format::Filtered(_) | Format::Compressed(_) => Shape::Whole,
        Format::JsonLines | Format::SetLines | Format::TextLines => Shape::Lines,
        Format::Delimited(delimiter) => Shape::Rows { delimiter },
        Format::Json => Shape::Elements,
        Format::JsonOrText => Shape::ElementsOrWhole,
        Format::Parquet => Shape::Parquet,
        Format::Arrow => Shape::Arrow,
        Format::Tar => Shape::Tar,
        Format::Zip => Shape::Zip,
        Format::Mail | Format::Mbox | Format::Warc => Shape::Container,
    };
    Ok(peeled)
}

/// The width of the code units in which line ends, commas and brackets are searched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CodeUnits {
    /// Single bytes.
    Bytes,
    /// Pairs of bytes in UTF-16; `is_little` when the low byte comes first.
    Pairs { is_little: bool },
}

/// The code units of records with these first bytes, and the length of their byte order mark.
///
/// * `cuts_any`: whether records are also cut at characters other than line ends and delimiters. Some encodings use the
///   bytes of these characters within other characters.
///
/// # Errors
/// When the records must be decoded before they can be cut: the name of the encoding.
pub(crate) fn code_units(inputs: Inputs, start: &[u8], cuts_any: bool) -> Result<(CodeUnits, usize), &'static str> {
    let decoding = Decoding::new(inputs);
    let marked = utf16_of_mark(start);
    let mark_len = match (marked, start.starts_with(UTF8_MARK)) {
        (Some(_), _) => 2,
        (None, true) => UTF8_MARK.len(),
        (None, false) => 0,
    };
    match marked.map(Charset::Web).or(decoding.wide()) {
        Some(encoding) if encoding == encoding_rs::UTF_16LE => Ok((CodeUnits::Pairs { is_little: true }, mark_len)),
        Some(encoding) if encoding == encoding_rs::UTF_16BE => Ok((CodeUnits::Pairs { is_little: false }, mark_len)),
        Some(encoding) => Err(encoding.name()),
        None => match decoding.given().filter(|encoding| cuts_any && !encoding.is_single_byte()) {
            Some(encoding) => Err(encoding.name()),
            None => Ok((CodeUnits::Bytes, mark_len)),
        },
    }
}
