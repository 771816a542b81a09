//! Positioned reads and writes: several threads use one file at different offsets.

use std::fs::File;
use std::io::{self, Read};

/// Appends up to `len` bytes of `file` from `offset` to `buffer`; fewer only at the end of the file.
pub(crate) fn read_at(file: &File, offset: u64, len: usize, buffer: &mut Vec<u8>) -> io::Result<()> {
    let start = buffer.len();
    buffer.resize(start + len, 0);
    let mut filled = start;
    while filled < buffer.len() {
        match positioned_read(file, offset + (filled - start) as u64, &mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => {
                buffer.truncate(start);
                return Err(error);
            }
        }
    }
    buffer.truncate(filled);
    Ok(())
}

/// Reads a part of a file, while other threads may read other parts.
pub(crate) struct FileSpan<'a> {
    file: &'a File,
    next: u64,
    end: u64,
}

impl<'a> FileSpan<'a> {
    /// The `len` bytes from `start` on; fewer when the file ends earlier.
    pub(crate) fn new(file: &'a File, start: u64, len: u64) -> Self {
        Self { file, next: start, end: start.saturating_add(len) }
    }
}

impl Read for FileSpan<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = usize::try_from(self.end - self.next).unwrap_or(usize::MAX).min(buffer.len());
        let count = positioned_read(self.file, self.next, &mut buffer[..len])?;
        self.next += count as u64;
        Ok(count)
    }
}

#[cfg(unix)]
fn positioned_read(file: &File, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
fn positioned_read(file: &File, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}

#[cfg(unix)]
pub(crate) fn write_at(file: &File, offset: u64, bytes: &[u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, offset)
}

#[cfg(windows)]
pub(crate) fn write_at(file: &File, mut offset: u64, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_write(file, bytes, offset)? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            count => (offset, bytes) = (offset + count as u64, &bytes[count..]),
        }
    }
    Ok(())
}
