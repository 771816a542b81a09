//! Streams: standard input and pipes, which come once, and whose names need not tell what they hold.

use std::io::{self, Read};

use super::format::{Format, TOLD_BY, has_extension};
use super::path_of;
use super::unpack::{Bytes, Content, Unpacker};
use super::walk::unusable;
use crate::error::{Error, escaped};

impl Unpacker<'_> {
    /// Reads what comes once: standard input, or a pipe by its name, which may tell the format.
    pub(super) fn stream(&mut self, name: &[u8], named: bool, stream: &mut dyn Read) {
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
        let mut start = Vec::new();
        if let Err(error) = (&mut *stream).take(TOLD_BY as u64).read_to_end(&mut start) {
            return match content.depth {
                0 => self.problem(unusable(path_of(content.name), &error)),
                _ => self.damaged(content, &error, "skipped"),
            };
        }
        match Format::of_start(self.shop.config, content.name == b"-", &start) {
            Some(format) => self.read(Content { format, ..content }, Bytes::Stream(&mut start.chain(stream))),
            None => self.shop.sources.fail(Error::StreamFormat { place: escaped(&content.place()) }),
        }
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
