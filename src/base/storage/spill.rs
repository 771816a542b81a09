//! `Spill`: one temporary file of a run, which any thread may write and read in pieces.

use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::positioned::{read_at, write_at};
use super::temporary::temporary_file;
use crate::base::error::{Error, Result};

/// Bytes of the checksum at the end of a block: `xxh3_64` of the bytes before it, seeded with the offset of the block.
pub(super) const CHECKSUM_BYTES: usize = 8;

/// Appends the checksum of a block.
///
/// * `block_start`: where the block begins in `bytes`.
/// * `offset`: where the block will be in the spill.
pub(super) fn push_checksum(bytes: &mut Vec<u8>, block_start: usize, offset: u64) {
    let checksum = xxh3_64_with_seed(&bytes[block_start..], offset);
    bytes.extend_from_slice(&checksum.to_le_bytes());
}

/// A temporary file that is created with the first write, and disappears when the value is dropped or the program ends.
#[derive(Debug)]
pub(super) struct Spill {
    /// The kind of data, for messages.
    what: &'static str,
    file: Mutex<Option<Arc<File>>>,
    end: AtomicU64,
}

impl Spill {
    /// Creates an empty spill.
    ///
    /// * `what`: the kind of data, in the singular, for messages.
    pub(super) fn new(what: &'static str) -> Self {
        Self { what, file: Mutex::default(), end: AtomicU64::new(0) }
    }

    /// The kind of data, for messages.
    pub(super) fn what(&self) -> &'static str {
        self.what
    }

    /// Reserves the next `len` bytes; returns their offset.
    pub(super) fn reserve(&self, len: u64) -> u64 {
        self.end.fetch_add(len, Ordering::Relaxed)
    }

    /// The bytes that were reserved.
    pub(super) fn num_bytes(&self) -> u64 {
        self.end.load(Ordering::Relaxed)
    }

    /// Writes into reserved bytes.
    ///
    /// # Errors
    /// When the bytes cannot be written to the disk.
    pub(super) fn write(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        let written = self.file().and_then(|file| write_at(&file, offset, bytes));
        written.map_err(|source| self.failed(source))
    }

    /// Appends `len` bytes from `offset` on to `buffer`.
    ///
    /// # Errors
    /// When the bytes cannot be read, or the file has become shorter.
    pub(super) fn read(&self, offset: u64, len: usize, buffer: &mut Vec<u8>) -> Result<()> {
        let start = buffer.len();
        let read = self.file().and_then(|file| read_at(&file, offset, len, buffer));
        read.map_err(|source| self.failed(source))?;
        if buffer.len() - start == len { Ok(()) } else { Err(self.damaged()) }
    }

    /// The contents of a block without its checksum.
    ///
    /// * `offset`: where the block is in the spill.
    ///
    /// # Errors
    /// When the block has changed since it was written.
    pub(super) fn checked<'b>(&self, offset: u64, block: &'b [u8]) -> Result<&'b [u8]> {
        let (contents, checksum) = block.split_at(block.len() - CHECKSUM_BYTES);
        let is_same = xxh3_64_with_seed(contents, offset).to_le_bytes() == *checksum;
        if is_same { Ok(contents) } else { Err(self.damaged()) }
    }

    /// The error for bytes that have changed since they were written.
    pub(super) fn damaged(&self) -> Error {
        Error::DamagedSpill { what: self.what, dir: std::env::temp_dir() }
    }

    fn failed(&self, source: io::Error) -> Error {
        Error::Spill { what: self.what, dir: std::env::temp_dir(), bytes: self.num_bytes(), source }
    }

    fn file(&self) -> io::Result<Arc<File>> {
        let mut file = self.file.lock().expect("no holder panics");
        if file.is_none() {
            *file = Some(Arc::new(temporary_file()?));
        }
        Ok(Arc::clone(file.as_ref().expect("it was just made")))
    }
}
