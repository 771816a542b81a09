//! Streams: standard input and pipes, which come once, and whose names need not tell what they hold.

use std::io::Read;

use super::format::{Format, TOLD_BY, has_extension};
use super::path_of;
use super::unpack::{Bytes, Content, Unpacker};
use super::walk::unusable;
use crate::error::Error;
use crate::shown::shown;

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
            None => self.shop.sources.fail(Error::StreamFormat { place: shown(&content.place()) }),
        }
    }
}
