//! Temporary files with copies of streams, so that a stream can be read again.
//!
//! Failure to create or write a temporary file ends the run, because the document is not at fault and the next one
//! would fail too.

use std::fs::File;
use std::io::{self, Read, Seek, Write};

use crate::base::storage::temporary_file;

/// Bytes copied at a time.
const CHUNK: usize = 256 << 10;

/// The reason why a copy failed.
#[derive(Debug)]
pub(crate) enum CopyFault {
    /// The original cannot be read to its end.
    Read(io::Error),
    /// The copy cannot be written.
    Keep(io::Error),
}

/// A temporary file with these bytes, positioned at its start.
pub(crate) fn of(bytes: &[u8]) -> io::Result<File> {
    let mut file = temporary_file()?;
    file.write_all(bytes)?;
    file.rewind()?;
    Ok(file)
}

/// A reader that writes everything that is read through it to a temporary file.
pub(crate) struct Copied<R> {
    from: R,
    copy: File,
    fault: Option<io::Error>,
}

impl<R: Read> Copied<R> {
    pub(crate) fn new(from: R) -> io::Result<Self> {
        Ok(Self { from, copy: temporary_file()?, fault: None })
    }

    /// The copy, positioned at its start.
    ///
    /// # Errors
    /// The reason why the copy is incomplete.
    pub(crate) fn into_copy(mut self) -> io::Result<File> {
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
            // Many system errors have no `ErrorKind`, and would be shown as an uncategorized error.
            let same = fault.raw_os_error().map_or_else(|| fault.kind().into(), io::Error::from_raw_os_error);
            self.fault = Some(fault);
            same
        })
    }
}

/// Copies at most `most` bytes into a temporary file. Returns the file, positioned at its start, and its length.
pub(crate) fn copy(from: &mut dyn Read, most: u64) -> Result<(File, u64), CopyFault> {
    let mut file = temporary_file().map_err(CopyFault::Keep)?;
    let len = append(&mut file, from, most)?;
    file.rewind().map_err(CopyFault::Keep)?;
    Ok((file, len))
}

/// Appends at most `most` bytes to a file; returns how many it appended.
pub(crate) fn append(file: &mut File, from: &mut dyn Read, most: u64) -> Result<u64, CopyFault> {
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
