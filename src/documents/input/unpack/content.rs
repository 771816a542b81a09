//! `Content` and `Bytes`: the name and format of content to unpack, and its bytes.

use std::fs::File;
use std::io::{self, Read};

use crate::documents::input::formats::format::Format;

/// Content to be read: its name, its format, and how it was found.
#[derive(Debug, Clone, Copy)]
pub(in crate::documents::input) struct Content<'a> {
    /// The name of the content in documents and problems.
    pub(in crate::documents::input) name: &'a [u8],
    pub(in crate::documents::input) format: Format,
    /// The name that determines the format.
    pub(in crate::documents::input) format_name: &'a [u8],
    /// Whether the content was given as an argument and was meant to be read.
    pub(in crate::documents::input) named: bool,
    pub(in crate::documents::input) depth: usize,
    /// Whether its records were already decoded to UTF-8.
    pub(in crate::documents::input) is_decoded: bool,
    /// Whether its name determines the format; otherwise its first bytes do.
    pub(in crate::documents::input) by_name: bool,
}

/// The bytes of content to be read.
pub(in crate::documents::input) enum Bytes<'a> {
    File(File),
    Stream(&'a mut dyn Read),
}

impl Read for Bytes<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(buffer),
            Self::Stream(stream) => stream.read(buffer),
        }
    }
}

impl Content<'_> {
    /// The name of the content in messages.
    pub(in crate::documents::input) fn place(&self) -> String {
        String::from_utf8_lossy(self.name).into_owned()
    }

    /// The document name of a member of this archive.
    pub(in crate::documents::input) fn member_name(&self, member: &[u8]) -> Vec<u8> {
        [self.name, b"!", member].concat()
    }
}
