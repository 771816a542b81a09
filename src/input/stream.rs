//! Streams: standard input and pipes, which come once, and whose names need not tell what they hold.

use std::borrow::Cow;
use std::io::{self, Read};

use super::decode::{Decoding, UTF8_MARK, utf16_of_mark};
use super::format::{Format, TOLD_BY, has_extension};
use super::records::array::{Beginning, beginning};
use super::unpack::{Bytes, Content, Unpacker};
use crate::input::settings::Inputs;

/// Bytes looked at in search of a line's end at a time.
const LOOK_AHEAD: u64 = 64 << 10;

impl Unpacker<'_> {
    /// Reads what comes once: standard input, or a pipe by its name, which may tell the format.
    pub(super) fn stream(&mut self, name: &[u8], named: bool, stream: &mut dyn Read) {
        let stream = &mut UntilEnd { stream, has_ended: false };
        // Better told before much was read.
        if let Err(error) = self.shop.sources.spool() {
            return self.shop.sources.fail_to_keep(name, error);
        }
        let is_told = has_extension(name);
        let format = Format::of(self.shop.config, name, false);
        let content = Content { name, format, format_name: name, named, depth: 0, is_decoded: false, is_told };
        if is_told { self.read(content, Bytes::Stream(stream)) } else { self.look(content, stream) }
    }

    /// Reads a stream whose name tells nothing.
    pub(super) fn look(&mut self, content: Content, stream: &mut dyn Read) {
        let config = self.shop.config;
        let mut stream = Peeked::new(stream, TOLD_BY);
        let format = Format::of_start(config, content.name == b"-", &stream.start);
        let format = format.unwrap_or_else(|| {
            // A line of text is not looked at to its end.
            if beginning(&stream.start) == Some(Beginning::Object) {
                stream.peek_line(config.unpacked_bytes());
            }
            Format::of_first_line(config, &first_line(config, &stream.start))
        });
        self.read(Content { format, ..content }, Bytes::Stream(&mut stream));
    }
}

/// The first line of a text, as UTF-8.
fn first_line<'s>(config: Inputs, start: &'s [u8]) -> Cow<'s, [u8]> {
    let encoding = utf16_of_mark(start).or(Decoding::new(config).wide());
    let text: Cow<[u8]> = match encoding {
        Some(encoding) => encoding.decode_with_bom_removal(start).0.into_owned().into_bytes().into(),
        None => start.strip_prefix(UTF8_MARK).unwrap_or(start).into(),
    };
    let end = memchr::memchr(b'\n', &text).unwrap_or(text.len());
    match text {
        Cow::Borrowed(text) => text[..end].into(),
        Cow::Owned(text) => text[..end].to_vec().into(),
    }
}

/// A stream whose first bytes were looked at; it gives them once more, and then what comes behind them.
pub(super) struct Peeked<R> {
    pub(super) start: Vec<u8>,
    given: usize,
    /// What ended the look, which comes when what was read before it is given.
    fault: Option<io::Error>,
    rest: R,
}

impl<R: Read> Peeked<R> {
    /// Looks at the first `len` bytes; there are fewer where the stream ends, or cannot be read on.
    pub(super) fn new(mut rest: R, len: usize) -> Self {
        let mut start = Vec::new();
        let fault = (&mut rest).take(len as u64).read_to_end(&mut start).err();
        Self { start, given: 0, fault, rest }
    }

    /// Gives nothing but a fault, or what comes next of a stream.
    pub(super) fn faulty(fault: Option<io::Error>, rest: R) -> Self {
        Self { start: Vec::new(), given: 0, fault, rest }
    }

    /// Looks on to the end of the line, or as far as it may be.
    fn peek_line(&mut self, most: u64) {
        let mut looked = 0;
        while self.fault.is_none() && (self.start.len() as u64) < most {
            // In UTF-16 a line end is one of two bytes; the other is looked at as well.
            let has_line =
                memchr::memchr(b'\n', &self.start[looked..]).is_some_and(|at| looked + at + 1 < self.start.len());
            looked = self.start.len().saturating_sub(1);
            if has_line {
                return;
            }
            match (&mut self.rest).take(LOOK_AHEAD).read_to_end(&mut self.start) {
                Ok(0) => return,
                Ok(_) => {}
                Err(error) => self.fault = Some(error),
            }
        }
    }

    /// Does not give the first `len` bytes that were looked at.
    pub(super) fn skip(&mut self, len: usize) {
        self.given += len;
    }
}

impl<R: Read> Read for Peeked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = (&self.start[self.given..]).read(buffer)?;
        self.given += count;
        match self.fault.take_if(|_| count == 0 && !buffer.is_empty()) {
            Some(fault) => Err(fault),
            None if count > 0 => Ok(count),
            None => self.rest.read(buffer),
        }
    }
}

/// A stream that is not read beyond its end: a terminal would go on after Ctrl-D.
struct UntilEnd<'a> {
    stream: &'a mut dyn Read,
    has_ended: bool,
}

impl Read for UntilEnd<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.has_ended {
            return Ok(0);
        }
        let count = self.stream.read(buffer)?;
        self.has_ended = count == 0 && !buffer.is_empty();
        Ok(count)
    }
}
