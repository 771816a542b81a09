//! `WaitingFile`: a temporary file for the part of a report that has to wait until the rest is known.

use std::fs::File;
use std::io::{self, Read, Seek, Write};

use crate::base::error::Error;
use crate::base::storage::temporary_file;

/// A temporary file. Its errors contain an [`Error`] with the folder of the file, since the report itself goes
/// elsewhere.
pub(super) struct WaitingFile {
    file: File,
    format: &'static str,
}

impl WaitingFile {
    /// * `format`: the name of the report's format.
    pub(super) fn new(format: &'static str) -> io::Result<Self> {
        temporary_file().map_err(|source| failed(format, source)).map(|file| Self { file, format })
    }

    /// Copies the whole file to `out`.
    pub(super) fn copy_to(mut self, out: &mut dyn Write) -> io::Result<()> {
        self.file.rewind().map_err(|source| failed(self.format, source))?;
        io::copy(&mut self, out).map(drop)
    }
}

impl Write for WaitingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes).map_err(|source| failed(self.format, source))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for WaitingFile {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.file.read(bytes).map_err(|source| failed(self.format, source))
    }
}

fn failed(format: &str, source: io::Error) -> io::Error {
    let (place, dir) = (format.to_owned(), std::env::temp_dir());
    io::Error::new(source.kind(), Error::Spool { place, what: "the report", dir, source })
}
