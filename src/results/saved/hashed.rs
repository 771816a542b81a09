//! `HashedFile`: writes a file of the result and computes its length and hash for the header.

use std::io::{self, Write};
use std::path::Path;

use xxhash_rust::xxh3::Xxh3;

use super::header::InputRecord;
use super::inputs::name_of;
use crate::records::PendingFile;

/// A file of a result while it is written. It is hashed at the same time, so that it need not be read again.
pub(super) struct HashedFile {
    file: PendingFile,
    num_bytes: u64,
    hash: Xxh3,
}

impl HashedFile {
    /// Creates an unfinished file.
    ///
    /// # Errors
    /// When the file cannot be created in the folder.
    pub(super) fn in_folder(folder: &Path) -> io::Result<Self> {
        Ok(Self { file: PendingFile::in_folder(folder)?, num_bytes: 0, hash: Xxh3::new() })
    }

    /// The length and hash of the bytes written so far, under the file's name.
    pub(super) fn record(&self, name: &str) -> InputRecord {
        let hash = format!("{:032x}", self.hash.digest128());
        InputRecord { file: name_of(Path::new(name)), bytes: self.num_bytes, hash }
    }

    pub(super) fn into_file(self) -> PendingFile {
        self.file
    }
}

impl Write for HashedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.file.write(bytes)?;
        self.hash.update(&bytes[..count]);
        self.num_bytes += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl std::fmt::Debug for HashedFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HashedFile").field("num_bytes", &self.num_bytes).finish_non_exhaustive()
    }
}
