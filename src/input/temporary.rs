//! Temporary files with copies of streams, so that what can be read once is read again.
//!
//! A temporary file that cannot be made or filled ends the run: it is no fault of the document, and the next would fail too.

use std::fs::File;
use std::io::{self, Read, Seek, Write};

use crate::storage::temporary_file;

/// Bytes copied at a time.
const CHUNK: usize = 256 << 10;

/// Why there is no copy.
#[derive(Debug)]
pub(super) enum CopyFault {
    /// What was to be copied cannot be read to its end.
    Read(io::Error),
    /// It cannot be kept.
    Keep(io::Error),
}

/// A file with these bytes, to be read from its start.
pub(super) fn of(bytes: &[u8]) -> io::Result<File> {
    let mut file = temporary_file()?;
    file.write_all(bytes)?;
    file.rewind()?;
    Ok(file)
}

/// Reads a stream and keeps a copy of what was read.
pub(super) struct Copied<R> {
    from: R,
    copy: File,
    fault: Option<io::Error>,
}

impl<R: Read> Copied<R> {
    pub(super) fn new(from: R) -> io::Result<Self> {
        Ok(Self { from, copy: temporary_file()?, fault: None })
    }

    /// The copy, to be read from its start.
    ///
    /// # Errors
    /// Why it is not whole.
    pub(super) fn into_copy(mut self) -> io::Result<File> {
        match self.fault {
            Some(fault) => Err(fault),
            None => self.copy.rewind().map(|()| self.copy),
        }
    }
}

impl<R: Read> Read for Copied<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.from.read(buffer)?;
        self.copy.write_all(&buffer[..count]).map(|()| count).map_err(|fault| {
            // Many errors of the system have no kind, and would be shown as an uncategorized error.
            let same = fault.raw_os_error().map_or_else(|| fault.kind().into(), io::Error::from_raw_os_error);
            self.fault = Some(fault);
            same
        })
    }
}

/// Copies at most `most` bytes; the copy, to be read from its start, and its length.
pub(super) fn copy(from: &mut dyn Read, most: u64) -> Result<(File, u64), CopyFault> {
    let mut file = temporary_file().map_err(CopyFault::Keep)?;
    let len = append(&mut file, from, most)?;
    file.rewind().map_err(CopyFault::Keep)?;
    Ok((file, len))
}

/// Adds at most `most` bytes to a file; returns how many.
pub(super) fn append(file: &mut File, from: &mut dyn Read, most: u64) -> Result<u64, CopyFault> {
    let mut from = from.take(most);
    let (mut buffer, mut len) = (vec![0; CHUNK], 0);
    loop {
        let count = match from.read(&mut buffer) {
            Ok(0) => return Ok(len),
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(CopyFault::Read(error)),
        };
        file.write_all(&buffer[..count]).map_err(CopyFault::Keep)?;
        len += count as u64;
    }
}
