//! Detects the format of standard input and pipes, which can be read once and whose names may not show it.

use std::borrow::Cow;
use std::io::{self, Read};

use crate::documents::input::bytes::decode::{BINARY_PREFIX, Decoding};
use crate::documents::input::charset::Charset;
use crate::documents::input::formats::array::{Beginning, beginning};
use crate::documents::input::formats::binary_kinds::document_kind_of;
use crate::documents::input::formats::format::Format;
use crate::documents::input::formats::kind_table::NOTEBOOK;
use crate::documents::input::formats::mail_kinds::may_begin_container;
use crate::documents::input::marks::{UTF8_MARK, utf16_of_mark};
use crate::documents::input::settings::Inputs;

/// Bytes read at a time while looking for a line's end.
const LOOK_AHEAD: u64 = 64 << 10;

/// The format of a stream whose name says nothing about it, by its first
/// [`FORMAT_PREFIX`](crate::documents::input::formats::format::FORMAT_PREFIX) bytes and its first line.
///
/// * `is_stdin`: whether the stream is standard input.
pub(crate) fn format_of<R: Read>(inputs: Inputs, is_stdin: bool, stream: &mut Peeked<R>) -> Format {
    Format::of_start(inputs, is_stdin, &stream.start).unwrap_or_else(|| {
        if may_begin_container(&stream.start) {
            stream.peek_lines(usize::MAX, BINARY_PREFIX as u64);
            if let Some(container) = Format::of_container(b"-", &stream.start) {
                return container;
            }
        }
        // Only the first line of an object needs to be complete.
        if beginning(&stream.start) == Some(Beginning::Object) {
            stream.peek_lines(1, inputs.unpacked_bytes());
        }
        let line = first_line(inputs, &stream.start);
        match document_kind_of(&line).is_some_and(|kind| kind == &NOTEBOOK) {
            true if is_only_line(stream, inputs.unpacked_bytes()) => Format::text_of(inputs),
            _ => Format::of_first_line(inputs, &first_line(inputs, &stream.start)),
        }
    })
}

/// Whether a stream has a single line that is not blank.
fn is_only_line<R: Read>(stream: &mut Peeked<R>, most: u64) -> bool {
    let is_other = |line: &&[u8]| line.iter().any(|byte| !byte.is_ascii_whitespace());
    stream.peek_lines(usize::MAX, (stream.start.len() as u64 + LOOK_AHEAD).min(most));
    stream.start.split(|&byte| byte == b'\n').filter(is_other).count() < 2
}

/// The first line of a text that is not blank, as UTF-8.
fn first_line<'s>(inputs: Inputs, start: &'s [u8]) -> Cow<'s, [u8]> {
    let encoding = utf16_of_mark(start).or_else(|| {
        let decoding = Decoding::new(inputs);
        let wide = decoding.wide().filter(|_| !decoding.is_utf8_instead(start));
        wide.and_then(Charset::of_web)
    });
    let text: Cow<[u8]> = match encoding {
        Some(encoding) => encoding.decode_with_bom_removal(start).0.into_owned().into_bytes().into(),
        None => start.strip_prefix(UTF8_MARK).unwrap_or(start).into(),
    };
    // Blank lines may come first.
    let start = text.len() - text.trim_ascii_start().len();
    let end = memchr::memchr(b'\n', &text[start..]).map_or(text.len(), |end| start + end);
    match text {
        Cow::Borrowed(text) => text[start..end].into(),
        Cow::Owned(text) => text[start..end].to_vec().into(),
    }
}

/// A stream whose first bytes were examined. Reading it yields these bytes first, and then the rest.
pub(crate) struct Peeked<R> {
    pub(crate) start: Vec<u8>,
    given: usize,
    /// The error that ended the examination. It is returned after the bytes that were read before it.
    fault: Option<io::Error>,
    rest: R,
}

impl<R: Read> Peeked<R> {
    /// Examines the first `len` bytes. There are fewer if the stream ends or fails earlier.
    pub(crate) fn new(mut rest: R, len: usize) -> Self {
        let mut start = Vec::new();
        let fault = (&mut rest).take(len as u64).read_to_end(&mut start).err();
        Self { start, given: 0, fault, rest }
    }

    /// A stream that returns `fault`, if any, and then the rest.
    pub(crate) fn faulty(fault: Option<io::Error>, rest: R) -> Self {
        Self { start: Vec::new(), given: 0, fault, rest }
    }

    /// Reads on until `count` lines are complete, or `most` bytes were read.
    pub(crate) fn peek_lines(&mut self, count: usize, most: u64) {
        let (mut looked, mut num_lines) = (0, 0);
        while self.fault.is_none() && (self.start.len() as u64) < most {
            // In UTF-16 a line end is two bytes; the second must have been read as well.
            let end = self.start.len().saturating_sub(1);
            num_lines += memchr::memchr_iter(b'\n', &self.start[looked..end]).count();
            looked = end;
            if num_lines >= count {
                return;
            }
            match (&mut self.rest).take(LOOK_AHEAD).read_to_end(&mut self.start) {
                Ok(0) => return,
                Ok(_) => {}
                Err(error) => self.fault = Some(error),
            }
        }
    }

    /// Takes the error that ended the examination.
    pub(crate) fn take_fault(&mut self) -> Option<io::Error> {
        self.fault.take()
    }

    /// Skips the first `len` examined bytes when the stream is read.
    pub(crate) fn skip(&mut self, len: usize) {
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
pub(crate) struct UntilEnd<'a> {
    stream: &'a mut dyn Read,
    has_ended: bool,
}

impl<'a> UntilEnd<'a> {
    pub(crate) fn new(stream: &'a mut dyn Read) -> Self {
        Self { stream, has_ended: false }
    }
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
