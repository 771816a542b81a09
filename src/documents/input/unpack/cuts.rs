//! `cut_records`: finds the bytes and the place of each record in a stream, with the same code that reads records.
//!
//! A place counts from 1, like the place of a document: the line of JSON Lines, the line on which a row of a table
//! begins, or the position of an element in an array.

use std::io::{self, Read};
use std::ops::Range;

use super::peel::{CodeUnits, Shape, code_units};
use super::records::delimited::{SwallowedRows, window};
use super::records::doubtful_quotes::DoubtfulQuotes;
use super::records::first_rows::{SAMPLE, delimiter_of, dialect_of};
use super::records::rows::{RowFault, Rows};
use super::records::splitter::Splitter;
use crate::documents::input::formats::array::Elements;
use crate::documents::input::settings::{InputFormat, Inputs};
use crate::documents::input::streams::stream::Peeked;

/// Bytes read at a time.
const CHUNK: usize = 256 << 10;
/// Length of the longest byte order mark, in bytes.
const MARK: usize = 3;

/// A record as it is stored. Bytes between two records belong to neither: blank lines, a header, brackets and commas.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StoredRecord {
    pub(crate) place: u64,
    /// The record's bytes in the stream, including its line end, if any.
    pub(crate) bytes: Range<u64>,
}

/// Cuts a stream into its records and passes on each, in order. Returns the place from which on the borders of records
/// are uncertain, because an earlier record may continue there; `None` when they are certain everywhere.
///
/// # Errors
/// When the stream cannot be read or cut to its end, and the error that `pass` returns.
pub(crate) fn cut_records(
    inputs: Inputs,
    shape: Shape,
    stream: impl Read,
    pass: &mut dyn FnMut(StoredRecord) -> io::Result<()>,
) -> io::Result<Option<u64>> {
    let mut stream = Peeked::new(stream, MARK);
    let cuts_any = matches!(shape, Shape::Elements | Shape::ElementsOrWhole);
    let (units, mark) = code_units(inputs, &stream.start, cuts_any)
        .map_err(|encoding| io::Error::other(format!("records in {encoding} are not cut as they are stored")))?;
    stream.skip(mark);
    let (mark, width) = (mark as u64, if units == CodeUnits::Bytes { 1 } else { 2 });
    let pass = &mut |place, bytes: Range<u64>| {
        pass(StoredRecord { place, bytes: mark + bytes.start * width..mark + bytes.end * width })
    };
    match units {
        CodeUnits::Bytes => cut_bytes(inputs, shape, &mut stream, pass),
        CodeUnits::Pairs { is_little } => cut_bytes(inputs, shape, &mut Narrow { stream, is_little }, pass),
    }
}

type Pass<'p> = &'p mut dyn FnMut(u64, Range<u64>) -> io::Result<()>;

fn cut_bytes(inputs: Inputs, shape: Shape, stream: &mut dyn Read, pass: Pass) -> io::Result<Option<u64>> {
    match shape {
        Shape::Lines => cut_lines(stream, pass)
            .map(|uncertain| uncertain.filter(|_| !inputs.sets && inputs.format != InputFormat::Lines)),
        Shape::Rows { delimiter } => cut_rows(inputs, stream, delimiter, pass),
        Shape::Elements | Shape::ElementsOrWhole => cut_elements(stream, pass).map(|()| None),
        Shape::Whole | Shape::Parquet | Shape::Arrow | Shape::Tar | Shape::Zip | Shape::Container => {
            unreachable!("these hold no records in a row")
        }
    }
}

/// Cuts lines. When a line begins an object without ending it and a later line does not begin an object, the object may
/// span several lines. A line in between that looks like a record may be part of that object.
fn cut_lines(stream: &mut dyn Read, pass: Pass) -> io::Result<Option<u64>> {
    let mut buffer = vec![0; CHUNK];
    let (mut position, mut start, mut line) = (0, 0, 1);
    // The first and the last byte of the line, ignoring white space, as far as the line was read.
    let mut ends: Option<(u8, u8)> = None;
    let (mut unended, mut goes_on) = (None, false);
    let see = |part: &[u8], ends: &mut Option<(u8, u8)>| {
        if let [first, .., last] | [first @ last] = part.trim_ascii() {
            *ends = Some((ends.map_or(*first, |(first, _)| first), *last));
        }
    };
    let mut end_line = |(first, last): (u8, u8), line: u64| match (first, last) {
        (b'{', b'}') => {}
        (b'{' | b'[', _) if unended.is_none() => unended = Some(line),
        // A byte order mark may precede an object.
        (b'{' | 0xEF, _) => {}
        _ => goes_on |= unended.is_some(),
    };
    loop {
        let count = read(stream, &mut buffer)?;
        if count == 0 {
            if let Some(ends) = ends {
                end_line(ends, line);
                pass(line, start..position)?;
            }
            return Ok(unended.filter(|_| goes_on));
        }
        let mut from = 0;
        for newline in memchr::memchr_iter(b'\n', &buffer[..count]) {
            see(&buffer[from..newline], &mut ends);
            let end = position + newline as u64 + 1;
            if let Some(ends) = ends.take() {
                end_line(ends, line);
                pass(line, start..end)?;
            }
            (from, start, line) = (newline + 1, end, line + 1);
        }
        see(&buffer[from..count], &mut ends);
        position += count as u64;
    }
}

/// Cuts a table. Malformed rows are passed on like rows; they may be parts of the rows before them.
fn cut_rows(inputs: Inputs, stream: &mut dyn Read, delimiter: u8, pass: Pass) -> io::Result<Option<u64>> {
    let stream = Peeked::new(stream, SAMPLE);
    let (delimiter, has_line) = delimiter_of(delimiter, &stream.start);
    let dialect = dialect_of(inputs, delimiter, &stream.start);
    let mut rows = Rows::new(stream, dialect, window(inputs.unpacked_bytes()));
    if has_line {
        rows.skip_first_line()?;
    }
    let (mut fields, mut num_columns, mut uncertain) = (Splitter::new(dialect), None, None);
    let (mut has_header, mut faulty) = (false, None);
    let mut doubtful = DoubtfulQuotes::new(inputs, dialect);
    let (mut swallowed, may_swallow) = (SwallowedRows::default(), SwallowedRows::are_possible(inputs, dialect));
    loop {
        let start = rows.position();
        let Some(row) = rows.next()? else {
            return Ok(uncertain.into_iter().chain(swallowed.first()).chain(doubtful.first()).min());
        };
        let (line, mut is_row, row_is_faulty) = (row.line, true, row.bytes.is_err());
        let is_blank = match row.bytes {
            Ok(bytes) => {
                let is_blank = bytes.trim_ascii().is_empty();
                if !is_blank {
                    is_row = fields.split(bytes).is_ok();
                    let num_fields = fields.len();
                    let expected = *num_columns.get_or_insert(num_fields);
                    if has_header {
                        doubtful.look(line, bytes, expected);
                    }
                    is_row &= num_fields >= expected;
                    if may_swallow && has_header && is_row && num_fields == expected {
                        swallowed.look(line, bytes, delimiter, expected);
                    }
                }
                is_blank
            }
            Err(fault) => {
                is_row = fault == RowFault::TooLong;
                false
            }
        };
        // No later row exists that could continue the last row.
        if !is_blank && let Some(line) = faulty {
            uncertain.get_or_insert(line);
        }
        if !is_row && row_is_faulty {
            faulty.get_or_insert(line + 1);
        } else if !is_row {
            uncertain.get_or_insert(line + 1);
        }
        if !is_blank && std::mem::replace(&mut has_header, true) {
            pass(line + 1, start..rows.position())?;
        }
    }
}

fn cut_elements(stream: &mut dyn Read, pass: Pass) -> io::Result<()> {
    let (mut elements, mut buffer, mut place) = (Elements::with_spans(stream), vec![0; CHUNK], 0);
    loop {
        let is_over = read(&mut elements, &mut buffer)? == 0;
        for span in elements.take_spans() {
            place += 1;
            pass(place, span)?;
        }
        if is_over {
            return Ok(());
        }
    }
}

fn read(stream: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match stream.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}

/// Reads UTF-16 as one byte per unit: an ASCII unit becomes its byte, any other unit a byte beyond ASCII.
struct Narrow<R> {
    stream: R,
    is_little: bool,
}

impl<R: Read> Read for Narrow<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut pairs = Vec::with_capacity(2 * buffer.len());
        (&mut self.stream).take(2 * buffer.len() as u64).read_to_end(&mut pairs)?;
        // An odd byte at the end does not belong to a record.
        let units = pairs.chunks_exact(2).map(|pair| match (pair, self.is_little) {
            (&[byte @ ..0x80, 0], true) | (&[0, byte @ ..0x80], false) => byte,
            _ => 0x80,
        });
        let count = units.len();
        buffer.iter_mut().zip(units).for_each(|(byte, unit)| *byte = unit);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::input::settings::InputSettings;

    fn records_of(shape: Shape, text: &[u8]) -> Vec<(u64, Vec<u8>)> {
        let settings = InputSettings::default();
        let (inputs, mut records) = (Inputs { settings: &settings, sets: false }, Vec::new());
        let mut pass = |record: StoredRecord| {
            records.push((record.place, text[record.bytes.start as usize..record.bytes.end as usize].to_vec()));
            Ok(())
        };
        cut_records(inputs, shape, text, &mut pass).unwrap();
        records
    }

    fn records(shape: Shape, text: &str) -> Vec<(u64, String)> {
        let utf8 = |(place, bytes)| (place, String::from_utf8(bytes).unwrap());
        let records: Vec<_> = records_of(shape, text.as_bytes()).into_iter().map(utf8).collect();
        for (mark, bytes_of) in [(b"\xFF\xFE", u16::to_le_bytes as fn(u16) -> [u8; 2]), (b"\xFE\xFF", u16::to_be_bytes)]
        {
            let wide: Vec<u8> = mark
                .iter()
                .copied()
                .chain(text.trim_start_matches('\u{FEFF}').encode_utf16().flat_map(bytes_of))
                .collect();
            let expected =
                records.iter().map(|(place, record)| (*place, record.encode_utf16().flat_map(bytes_of).collect()));
            assert_eq!(records_of(shape, &wide), expected.collect::<Vec<_>>(), "{text:?} as UTF-16");
        }
        records
    }

    fn of(records: &[(u64, &str)]) -> Vec<(u64, String)> {
        records.iter().map(|&(place, record)| (place, record.to_owned())).collect()
    }

    #[test]
    fn lines_are_records_and_blank_ones_are_none() {
        let text = "\u{FEFF}{\"a\":1}\n\n \r\n{\"b\":2}\r\nno é\n{\"c\":3}";
        let expected = of(&[(1, "{\"a\":1}\n"), (4, "{\"b\":2}\r\n"), (5, "no é\n"), (6, "{\"c\":3}")]);
        assert_eq!(records(Shape::Lines, text), expected);
        assert_eq!(records(Shape::Lines, ""), []);
    }

    #[test]
    fn rows_are_named_by_their_first_lines_and_faulty_lines_are_rows() {
        let rows = Shape::Rows { delimiter: b',' };
        let text = "\nid,text\r\n1,\"a\r\nb\"\r\n\n2,\"x\"y\n3,\"é\"\n4,\"open\nend";
        let expected =
            of(&[(3, "1,\"a\r\nb\"\r\n"), (6, "2,\"x\"y\n"), (7, "3,\"é\"\n"), (8, "4,\"open\n"), (9, "end")]);
        assert_eq!(records(rows, text), expected);
    }

    #[test]
    fn the_line_with_the_delimiter_is_no_row() {
        let rows = Shape::Rows { delimiter: b',' };
        let expected = of(&[(3, "1;a\n"), (4, "2;b")]);
        assert_eq!(records(rows, "\u{FEFF}sep=;\nid;text\n1;a\n2;b"), expected);
    }

    #[test]
    fn elements_are_counted_and_what_is_between_them_is_of_none() {
        let text = "\u{FEFF}[ {\"a\":\n1} ,\n 2,\"é,\" ]\n";
        assert_eq!(records(Shape::Elements, text), of(&[(1, "{\"a\":\n1}"), (2, "2"), (3, "\"é,\"")]));
        assert_eq!(records(Shape::Elements, "{\"a\":1}\n{}{}"), of(&[(1, "{\"a\":1}"), (2, "{}"), (3, "{}")]));
    }
}
