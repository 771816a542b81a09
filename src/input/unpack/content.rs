//! `Content` and `Bytes`: the name and place of something to unpack, and its bytes.

use std::fs::File;
use std::io::{self, Read};

use crate::input::format::Format;

/// Something to be read: how it is named, and where it was found.
#[derive(Debug, Clone, Copy)]
pub(in crate::input) struct Content<'a> {
    /// As documents and problems have it.
    pub(in crate::input) name: &'a [u8],
    pub(in crate::input) format: Format,
    /// The name that tells the format.
    pub(in crate::input) format_name: &'a [u8],
    /// Whether it was given as an argument and was meant.
    pub(in crate::input) named: bool,
    pub(in crate::input) depth: usize,
    /// Whether its records were decoded already.
    pub(in crate::input) is_decoded: bool,
    /// Whether its name tells the format; else its first bytes do.
    pub(in crate::input) is_told: bool,
}

/// The bytes of something to be read.
pub(in crate::input) enum Bytes<'a> {
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
    /// As messages have it.
    pub(in crate::input) fn place(&self) -> String {
        String::from_utf8_lossy(self.name).into_owned()
    }

    /// The name of a member.
    pub(in crate::input) fn member_name(&self, member: &[u8]) -> Vec<u8> {
        [self.name, b"!", member].concat()
    }
}
