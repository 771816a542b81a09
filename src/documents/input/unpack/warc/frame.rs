//! Cuts a web crawl into records (WARC 1.0 and 1.1, ISO 28500).

use std::io::{self, BufRead, BufReader, Read};

use crate::documents::input::formats::mail_kinds::is_warc_version;

/// Bytes read at a time.
const CHUNK: usize = 256 << 10;
/// Maximum bytes of a header, and of a line of it.
const MOST_HEADER: usize = 64 << 10;

/// The header of a record.
#[derive(Debug, Default)]
pub(super) struct RecordHeader {
    /// The offset of the record in the unpacked content.
    pub(super) offset: u64,
    /// Bytes of the block that follows the header.
    pub(super) len: u64,
    /// Names in small letters, and values.
    fields: Vec<(String, String)>,
}

impl RecordHeader {
    /// The value of a field, by its name in small letters.
    pub(super) fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }
}

/// Why no further record can be read.
#[derive(Debug)]
pub(super) enum FrameFault {
    /// The file cannot be read.
    Read(io::Error),
    /// There is something else where a record should begin, at this offset. Reading goes on at the next record.
    NotARecord(u64),
}

impl From<io::Error> for FrameFault {
    fn from(error: io::Error) -> Self {
        Self::Read(error)
    }
}

/// Reads the records of a stream.
pub(super) struct Records<R> {
    stream: BufReader<R>,
    /// The offset in the stream.
    offset: u64,
    /// Bytes of the block that were not read yet.
    rest: u64,
    /// The line that was read last, or a part of a long line.
    line: Vec<u8>,
    /// Whether `line` is the beginning of a line.
    is_start: bool,
    /// Whether `line` is the first line of the next record.
    is_held: bool,
}

impl<R: Read> Records<R> {
    pub(super) fn new(stream: R) -> Self {
        let (offset, rest, line, is_start, is_held) = Default::default();
        Self { stream: BufReader::with_capacity(CHUNK, stream), offset, rest, line, is_start, is_held }
    }

    /// Reads the header of the next record; `None` at the end of the stream.
    pub(super) fn next(&mut self) -> Result<Option<RecordHeader>, FrameFault> {
        self.skip_rest()?;
        let mut header = RecordHeader::default();
        loop {
            if !std::mem::take(&mut self.is_held) && self.read_line()? == 0 {
                return Ok(None);
            }
            header.offset = self.offset - self.line.len() as u64;
            if self.begins_record() {
                break;
            }
            if !self.line.trim_ascii().is_empty() {
                return self.seek_record(header.offset);
            }
        }
        let start = self.offset;
        loop {
            if self.read_line()? == 0 {
                return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
            }
            if self.begins_record() {
                // The header of the record before has no end.
                self.is_held = true;
                return Err(FrameFault::NotARecord(header.offset));
            }
            if self.offset - start > MOST_HEADER as u64 {
                return self.seek_record(header.offset);
            }
            let text = String::from_utf8_lossy(&self.line);
            let text = text.trim_end();
            if text.is_empty() {
                break;
            }
            match (text.starts_with([' ', '\t']), header.fields.last_mut(), text.split_once(':')) {
                // A value may go on in the next line.
                (true, Some((_, value)), _) => {
                    value.push(' ');
                    value.push_str(text.trim());
                }
                (_, _, Some((name, value))) => {
                    header.fields.push((name.trim().to_ascii_lowercase(), value.trim().to_owned()));
                }
                _ => {}
            }
        }
        match header.field("content-length").and_then(|len| len.parse().ok()) {
            Some(len) => header.len = len,
            None => return self.seek_record(header.offset),
        }
        self.rest = header.len;
        Ok(Some(header))
    }

    /// Reads the block of the record, at most `most` bytes of it.
    ///
    /// # Errors
    /// When the stream ends before the block does.
    pub(super) fn block(&mut self, most: u64, block: &mut Vec<u8>) -> io::Result<()> {
        let wanted = self.rest.min(most);
        let read = (&mut self.stream).take(wanted).read_to_end(block);
        let count = block.len() as u64;
        (self.offset, self.rest) = (self.offset + count, self.rest - count);
        read?;
        if count < wanted { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
    }

    fn skip_rest(&mut self) -> io::Result<()> {
        while self.rest > 0 {
            let count = self.stream.fill_buf()?.len().min(usize::try_from(self.rest).unwrap_or(usize::MAX));
            if count == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            self.stream.consume(count);
            (self.offset, self.rest) = (self.offset + count as u64, self.rest - count as u64);
        }
        Ok(())
    }

    /// Prepares for the next record after an error; returns `false` if the stream does not go on.
    pub(super) fn resume(&mut self) -> bool {
        (self.rest, self.is_held) = (0, false);
        self.line.clear();
        self.stream.fill_buf().is_ok_and(|bytes| !bytes.is_empty())
    }

    /// Reads on to the next line that begins a record, so that the next call returns it.
    ///
    /// * `offset`: where a record should have begun.
    fn seek_record(&mut self, offset: u64) -> Result<Option<RecordHeader>, FrameFault> {
        while self.read_line()? > 0 {
            if self.begins_record() {
                self.is_held = true;
                break;
            }
        }
        Err(FrameFault::NotARecord(offset))
    }

    /// Whether the line that was read last begins a record.
    fn begins_record(&self) -> bool {
        self.is_start && is_warc_version(&self.line)
    }

    /// Reads a line, or the next part of a long one; returns how many bytes it has.
    fn read_line(&mut self) -> io::Result<usize> {
        self.is_start = self.line.is_empty() || self.line.ends_with(b"\n");
        self.line.clear();
        let read = (&mut self.stream).take(MOST_HEADER as u64).read_until(b'\n', &mut self.line);
        self.offset += self.line.len() as u64;
        read
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(len: usize, block: &str) -> String {
        format!("WARC/1.0\r\nWARC-Type: response\r\nX: a\r\n b\r\nContent-Length: {len}\r\n\r\n{block}\r\n\r\n")
    }

    fn all(crawl: &str) -> Vec<String> {
        let (mut records, mut all) = (Records::new(crawl.as_bytes()), Vec::new());
        loop {
            let mut block = Vec::new();
            match records.next() {
                Ok(None) => return all,
                Ok(Some(header)) => match records.block(5, &mut block) {
                    Ok(()) => {
                        let (x, block) = (header.field("x").unwrap_or_default(), String::from_utf8(block).unwrap());
                        all.push(format!("{} {x}: {block}", header.offset));
                    }
                    Err(_) => all.push(format!("{} cut short", header.offset)),
                },
                Err(FrameFault::NotARecord(offset)) => all.push(format!("{offset} other")),
                Err(FrameFault::Read(error)) => {
                    all.push(error.kind().to_string());
                    return all;
                }
            }
        }
    }

    #[test]
    fn records_are_cut_by_their_lengths() {
        let one = record(3, "abc");
        let next = one.len();
        assert_eq!(all(&(one.clone() + &record(9, "123456789"))), ["0 a b: abc", &format!("{next} a b: 12345")]);
        assert_eq!(all(""), Vec::<String>::new());
        let cut = all(&(one.clone() + &record(900, "123")));
        assert_eq!(cut, ["0 a b: abc".to_owned(), format!("{next} a b: 123\r\n"), "unexpected end of file".to_owned()]);
    }

    #[test]
    fn what_is_not_a_record_is_skipped() {
        let one = record(3, "abc");
        let next = one.len();
        let noise = "noise\n".repeat(100_000);
        let after = next + noise.len();
        let found = all(&format!("{one}{noise}{one}"));
        assert_eq!(found, ["0 a b: abc".to_owned(), format!("{next} other"), format!("{after} a b: abc")]);
        assert_eq!(all("WARC/1.0\r\nWARC-Type: x\r\n\r\nabc"), ["0 other"]);
    }
    #[test]
    fn the_record_after_damage_is_found_wherever_it_begins() {
        let one = record(3, "abc");
        let next = one.len();
        // The noise ends around the end of the bytes that are read at a time, and of a part of a line.
        let borders = [MOST_HEADER, CHUNK].into_iter().flat_map(|len| len - 100..len + 4);
        for len in [1, 2, 5, 6, 7, 8].into_iter().chain(borders) {
            for noise in ["x".repeat(len) + "\n", "x\n".to_owned() + &"x".repeat(len) + "\r\n"] {
                let found = all(&format!("{one}{noise}{one}"));
                let after = next + noise.len();
                assert_eq!(found, ["0 a b: abc".to_owned(), format!("{next} other"), format!("{after} a b: abc")]);
            }
        }
    }

    #[test]
    fn a_header_without_a_length_or_an_end_hides_no_other_record() {
        let one = record(3, "abc");
        for damaged in ["WARC/1.0\r\nWARC-Type: x\r\n\r\n", "WARC/1.0\r\nContent-Length: 9\r\n", "WARC/1.0\n"] {
            let found = all(&format!("{damaged}{one}"));
            assert_eq!(found, ["0 other".to_owned(), format!("{} a b: abc", damaged.len())], "{damaged:?}");
        }
        let sentence = "WARC/1.0 is a format.\n";
        assert_eq!(all(&format!("{sentence}{one}")), ["0 other".to_owned(), format!("{} a b: abc", sentence.len())]);
        let long = format!("WARC/1.0\r\nX: {}\r\nWARC/1.0\r\n", " ".repeat(MOST_HEADER));
        assert_eq!(all(&format!("{long}{one}"))[..2], ["0 other".to_owned(), format!("{} other", long.len() - 10)]);
        // A part of a long line does not begin a record.
        let part = "x".repeat(MOST_HEADER) + &one;
        assert_eq!(all(&part), ["0 other"]);
    }
}
