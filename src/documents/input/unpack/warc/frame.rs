//! Cuts a web crawl into records (WARC 1.0 and 1.1, ISO 28500).

use std::io::{self, BufRead, BufReader, Read};

/// Bytes read at a time.
const CHUNK: usize = 256 << 10;
/// Maximum bytes of a header, and of a line of it.
const MOST_HEADER: usize = 64 << 10;
/// The first bytes of a record.
const VERSION: &[u8] = b"WARC/";

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
    line: Vec<u8>,
}

impl<R: Read> Records<R> {
    pub(super) fn new(stream: R) -> Self {
        Self { stream: BufReader::with_capacity(CHUNK, stream), offset: 0, rest: 0, line: Vec::new() }
    }

    /// Reads the header of the next record; `None` at the end of the stream.
    pub(super) fn next(&mut self) -> Result<Option<RecordHeader>, FrameFault> {
        self.skip_rest()?;
        let mut header = RecordHeader::default();
        loop {
            header.offset = self.offset;
            match self.read_line()? {
                0 => return Ok(None),
                _ if self.line.trim_ascii().is_empty() => {}
                _ if self.line.starts_with(VERSION) => break,
                _ => return self.seek_record(header.offset),
            }
        }
        let start = self.offset;
        loop {
            if self.read_line()? == 0 {
                return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
            }
            let text = String::from_utf8_lossy(&self.line);
            let text = text.trim_end();
            if text.is_empty() {
                break;
            }
            if self.offset - start > MOST_HEADER as u64 {
                return self.seek_record(header.offset);
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
        let count = io::copy(&mut (&mut self.stream).take(self.rest), &mut io::sink())?;
        (self.offset, self.rest) = (self.offset + count, self.rest - count);
        if self.rest > 0 { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
    }

    /// Reads on to the next line that begins a record, so that the next call returns it.
    ///
    /// * `offset`: where a record should have begun.
    fn seek_record(&mut self, offset: u64) -> Result<Option<RecordHeader>, FrameFault> {
        loop {
            let buffer = self.stream.fill_buf()?;
            // The last bytes may be the beginning of a record that goes on after them.
            let found = memchr::memmem::find(buffer, b"\nWARC/");
            let keeps = if buffer.len() > VERSION.len() { VERSION.len() } else { 0 };
            let skipped = found.map_or(buffer.len() - keeps, |at| at + 1);
            if buffer.is_empty() || skipped == 0 {
                return Err(FrameFault::NotARecord(offset));
            }
            self.stream.consume(skipped);
            self.offset += skipped as u64;
            if found.is_some() {
                return Err(FrameFault::NotARecord(offset));
            }
            if keeps > 0 && self.stream.buffer().len() == keeps {
                // A buffer is filled only when it is empty.
                self.stream.consume(keeps);
                self.offset += keeps as u64;
            }
        }
    }

    /// Reads a line, or the beginning of a long one; returns how many bytes it has.
    fn read_line(&mut self) -> io::Result<usize> {
        self.line.clear();
        let count = (&mut self.stream).take(MOST_HEADER as u64).read_until(b'\n', &mut self.line)?;
        self.offset += count as u64;
        Ok(count)
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
}
