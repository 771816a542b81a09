//! Runs: sorted records in the spill, partition after partition, in blocks of at most 4 KiB with a checksum each.

use std::marker::PhantomData;

use super::record::{KeyRange, PARTITIONS, SortRecord};
use super::spill::{CHECKSUM_BYTES, Spill, push_checksum};
use crate::base::error::Result;

/// The maximum number of bytes of a block, with its checksum.
const BLOCK_BYTES: usize = 4 << 10;
/// The number of bytes that are written at a time.
const WRITTEN_BYTES: usize = 1 << 20;

/// The offsets of the partitions of a run.
#[derive(Debug)]
pub(super) struct SpilledRun {
    /// The start offset of each partition in the spill, and the end of the last one.
    starts: Box<[u64]>,
}

/// The maximum number of records of a block.
const fn block_len<R: SortRecord>() -> usize {
    (BLOCK_BYTES - CHECKSUM_BYTES) / R::BYTES
}

/// The number of bytes of `len` records in blocks.
fn bytes_of<R: SortRecord>(len: usize) -> u64 {
    (len * R::BYTES + len.div_ceil(block_len::<R>()) * CHECKSUM_BYTES) as u64
}

impl SpilledRun {
    /// Writes sorted records to the spill.
    ///
    /// # Errors
    /// When the records cannot be written to the disk.
    pub(super) fn write<R: SortRecord>(spill: &Spill, records: &[R], range: KeyRange) -> Result<Self> {
        let ends: Vec<usize> = partition_ends(records, range);
        let mut starts = Vec::with_capacity(PARTITIONS + 1);
        let (mut len, mut start) = (0, 0);
        for &end in &ends {
            starts.push(len);
            len += bytes_of::<R>(end - start);
            start = end;
        }
        starts.push(len);
        let offset = spill.reserve(len);
        starts.iter_mut().for_each(|start| *start += offset);
        let (mut bytes, mut written, mut start) = (Vec::with_capacity(WRITTEN_BYTES + BLOCK_BYTES), offset, 0);
        for end in ends {
            for block in records[start..end].chunks(block_len::<R>()) {
                let place = written + bytes.len() as u64;
                let block_start = bytes.len();
                block.iter().for_each(|record| record.write(&mut bytes));
                push_checksum(&mut bytes, block_start, place);
                if bytes.len() >= WRITTEN_BYTES {
                    spill.write(written, &bytes)?;
                    written += bytes.len() as u64;
                    bytes.clear();
                }
            }
            start = end;
        }
        if !bytes.is_empty() {
            spill.write(written, &bytes)?;
        }
        Ok(Self { starts: starts.into() })
    }

    /// An upper bound of the number of records of a partition, a few more than there are.
    pub(super) fn most_records<R: SortRecord>(&self, partition: usize) -> usize {
        usize::try_from((self.starts[partition + 1] - self.starts[partition]) / R::BYTES as u64).unwrap_or(usize::MAX)
    }

    /// Reads a partition.
    ///
    /// * `most_bytes`: the number of bytes to read at a time, but at least one block.
    pub(super) fn read<'s, R: SortRecord>(
        &self,
        spill: &'s Spill,
        partition: usize,
        most_bytes: usize,
    ) -> SpilledRecords<'s, R> {
        SpilledRecords {
            spill,
            next: self.starts[partition],
            end: self.starts[partition + 1],
            most_blocks: (most_bytes / BLOCK_BYTES).max(1),
            bytes: Vec::new(),
            at: 0,
            block_end: 0,
            records: PhantomData,
        }
    }
}

/// The end of each partition in sorted records.
pub(super) fn partition_ends<R: SortRecord>(records: &[R], range: KeyRange) -> Vec<usize> {
    (0..PARTITIONS)
        .map(|partition| records.partition_point(|record| range.partition(record.key()) <= partition))
        .collect()
}

/// The records of a partition of a run, ascending.
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

impl<R: SortRecord> SpilledRecords<'_, R> {
    /// Returns the next record, or `None` after the last one.
    ///
    /// # Errors
    /// When the record cannot be read, or its block is damaged.
    #[inline]
    pub(super) fn next(&mut self) -> Result<Option<R>> {
        if self.at == self.block_end && !self.next_block()? {
            return Ok(None);
        }
        let record = R::read(&self.bytes[self.at..self.at + R::BYTES]);
        self.at += R::BYTES;
        Ok(Some(record))
    }

    /// Moves to the next block and checks it; returns whether there is one.
    fn next_block(&mut self) -> Result<bool> {
        let full_block = block_len::<R>() * R::BYTES + CHECKSUM_BYTES;
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
        let place = self.next - (self.bytes.len() - start) as u64;
        let records = self.spill.checked(place, &self.bytes[start..end])?;
        (self.at, self.block_end) = (start, start + records.len());
        Ok(true)
    }
}
