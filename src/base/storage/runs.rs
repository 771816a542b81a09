//! Runs: sorted records in the spill, partition after partition, in blocks of records.

use super::blocks::{SpillWriter, SpilledRecords, bytes_of};
use super::record::{KeyRange, PARTITIONS, RecordWords, SortRecord};
use super::spill::Spill;
use crate::base::error::Result;

/// The offsets of the partitions of a run.
#[derive(Debug)]
pub(super) struct SpilledRun {
    /// The start offset of each partition in the spill, and the end of the last one.
    starts: Box<[u64]>,
}

impl SpilledRun {
    /// Writes sorted records to the spill.
    ///
    /// # Errors
    /// When the records cannot be written to the disk.
    pub(super) fn write<R: SortRecord>(spill: &Spill, records: &[R], range: KeyRange) -> Result<Self> {
        let ends = partition_ends(records, range);
        let partitions = || ends.iter().scan(0, |start, &end| Some(&records[std::mem::replace(start, end)..end]));
        let mut starts = vec![0];
        starts.extend(partitions().scan(0, |len, records| {
            *len += bytes_of::<R>(records.len());
            Some(*len)
        }));
        let offset = spill.reserve(starts[PARTITIONS]);
        starts.iter_mut().for_each(|start| *start += offset);
        let mut writer = SpillWriter::new(spill, offset);
        for records in partitions() {
            records.iter().try_for_each(|&record| writer.push(record))?;
            writer.end_block()?;
        }
        writer.finish()?;
        Ok(Self { starts: starts.into() })
    }

    /// An upper bound of the number of records of a partition, a few more than there are.
    pub(super) fn most_records<R: SortRecord>(&self, partition: usize) -> usize {
        usize::try_from((self.starts[partition + 1] - self.starts[partition]) / R::Words::BYTES as u64)
            .unwrap_or(usize::MAX)
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
        SpilledRecords::new(spill, self.starts[partition]..self.starts[partition + 1], most_bytes)
    }
}

/// The end of each partition in sorted records.
pub(super) fn partition_ends<R: SortRecord>(records: &[R], range: KeyRange) -> Vec<usize> {
    (0..PARTITIONS)
        .map(|partition| records.partition_point(|record| range.partition(record.key()) <= partition))
        .collect()
}
