//! Blocks: records in the spill, in blocks of at most 4 KiB with a checksum each.

use std::marker::PhantomData;
use std::ops::Range;

use super::merge::SortedSource;
use super::record::{RecordWords, SortRecord};
use super::spill::{CHECKSUM_BYTES, Spill, push_checksum};
use crate::base::error::Result;

/// The maximum number of bytes of a block, with its checksum.
const BLOCK_BYTES: usize = 4 << 10;
/// The number of bytes that are written at a time.
const WRITTEN_BYTES: usize = 1 << 18;

/// The number of records of a full block.
pub(super) const fn block_len<R: SortRecord>() -> usize {
    (BLOCK_BYTES - CHECKSUM_BYTES) / R::Words::BYTES
}

/// The number of bytes of `len` records in blocks.
pub(super) const fn bytes_of<R: SortRecord>(len: usize) -> u64 {
    (len * R::Words::BYTES + len.div_ceil(block_len::<R>()) * CHECKSUM_BYTES) as u64
}

/// Writes records as blocks that follow one another.
pub(super) struct SpillWriter<'s> {
    spill: &'s Spill,
    /// The position of the first byte of `bytes` in the spill.
    written: u64,
    /// The bytes that are not written yet.
    bytes: Vec<u8>,
    /// The position of the current block in `bytes`.
    block_start: usize,
}

impl<'s> SpillWriter<'s> {
    /// * `start`: the position of the first block in the spill.
    pub(super) fn new(spill: &'s Spill, start: u64) -> Self {
        Self { spill, written: start, bytes: Vec::new(), block_start: 0 }
    }

    /// Adds a record, and completes the block if it is full.
    ///
    /// # Errors
    /// When blocks cannot be written to the disk.
    #[inline]
    pub(super) fn push<R: SortRecord>(&mut self, record: R) -> Result<()> {
        record.words().write(&mut self.bytes);
        let is_full = self.bytes.len() - self.block_start == block_len::<R>() * R::Words::BYTES;
        if is_full { self.end_block() } else { Ok(()) }
    }

    /// Completes the current block, unless it has no records.
    ///
    /// # Errors
    /// When blocks cannot be written to the disk.
    pub(super) fn end_block(&mut self) -> Result<()> {
        if self.bytes.len() > self.block_start {
            push_checksum(&mut self.bytes, self.block_start, self.written + self.block_start as u64);
            self.block_start = self.bytes.len();
        }
        if self.bytes.len() >= WRITTEN_BYTES { self.flush() } else { Ok(()) }
    }

    /// Writes the last block; returns its end in the spill.
    ///
    /// # Errors
    /// When blocks cannot be written to the disk.
    pub(super) fn finish(mut self) -> Result<u64> {
        self.end_block()?;
        self.flush()?;
        Ok(self.written)
    }

    fn flush(&mut self) -> Result<()> {
        if !self.bytes.is_empty() {
            self.spill.write(self.written, &self.bytes)?;
        }
        self.written += self.bytes.len() as u64;
        self.bytes.clear();
        self.block_start = 0;
        Ok(())
    }
}

/// Reads the records of one of the blocks that follow one another in a part of the spill.
///
/// * `bytes`: receives the block.
///
/// # Errors
/// When the block cannot be read, or is damaged.
pub(super) fn read_spilled<'b, R: SortRecord>(
    spill: &Spill,
    part: Range<u64>,
    block: usize,
    bytes: &'b mut Vec<u8>,
) -> Result<&'b [u8]> {
    let start = part.start + block as u64 * bytes_of::<R>(block_len::<R>());
    let len = (part.end - start).min(bytes_of::<R>(block_len::<R>()));
    bytes.clear();
    spill.read(start, len as usize, bytes)?;
    spill.checked(start, bytes)
}

/// The records of blocks that follow one another, in their order.
pub(super) struct SpilledRecords<'s, R> {
    spill: &'s Spill,
    next: u64,
    end: u64,
    most_blocks: usize,
    /// The blocks that were read last.
    bytes: Vec<u8>,
    /// The offset of the next record, and the end of the records of its block.
    at: usize,
    block_end: usize,
    records: PhantomData<R>,
}

impl<'s, R: SortRecord> SpilledRecords<'s, R> {
    /// * `part`: the position of the blocks in the spill.
    /// * `most_bytes`: the number of bytes to read at a time, but at least one block.
    pub(super) fn new(spill: &'s Spill, part: Range<u64>, most_bytes: usize) -> Self {
        let most_blocks = (most_bytes / BLOCK_BYTES).max(1);
        let (next, end) = (part.start, part.end);
        Self { spill, next, end, most_blocks, bytes: Vec::new(), at: 0, block_end: 0, records: PhantomData }
    }

    /// Moves to the next block and checks it; returns whether there is one.
    fn next_block(&mut self) -> Result<bool> {
        let full_block = bytes_of::<R>(block_len::<R>()) as usize;
        let mut start = if self.bytes.is_empty() { 0 } else { self.block_end + CHECKSUM_BYTES };
        if start == self.bytes.len() {
            let left = usize::try_from(self.end - self.next).unwrap_or(usize::MAX);
            if left == 0 {
                return Ok(false);
            }
            self.bytes.clear();
            let len = left.min(self.most_blocks * full_block);
            self.spill.read(self.next, len, &mut self.bytes)?;
            self.next += len as u64;
            start = 0;
        }
        let end = (start + full_block).min(self.bytes.len());
        let position = self.next - (self.bytes.len() - start) as u64;
        let records = self.spill.checked(position, &self.bytes[start..end])?;
        (self.at, self.block_end) = (start, start + records.len());
        Ok(true)
    }
}

impl<R: SortRecord> SortedSource for SpilledRecords<'_, R> {
    type Item = R;

    /// Returns the next record, or `None` after the last one.
    ///
    /// # Errors
    /// When the record cannot be read, or its block is damaged.
    #[inline]
    fn next(&mut self) -> Result<Option<R>> {
        if self.at == self.block_end && !self.next_block()? {
            return Ok(None);
        }
        let record = R::of_words(R::Words::read(&self.bytes[self.at..self.at + R::Words::BYTES]));
        self.at += R::Words::BYTES;
        Ok(Some(record))
    }
}
