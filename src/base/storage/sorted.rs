//! `SortedRecords`: distinct sorted records, read partition by partition.

use std::ops::Range;

use super::blocks::SpilledRecords;
use super::merge::{Merge, SortedSource};
use super::record::{KeyRange, PARTITIONS, SortRecord};
use super::runs::{SpilledRun, partition_ends};
use super::spill::Spill;
use crate::base::error::Result;

/// The maximum number of bytes of a run that are read at a time.
const MOST_READ: u64 = 256 << 10;
/// The divisor of the memory limit for the read buffers of all threads.
const READ_SHARE: u64 = 8;

/// Distinct records in partitions; the records of a partition are smaller than the records of the next one.
pub(crate) struct SortedRecords<R> {
    /// Sorted runs in memory, and the end of each partition in them.
    kept: Vec<(Vec<R>, Vec<usize>)>,
    spill: Spill,
    runs: Vec<SpilledRun>,
    memory_bytes: u64,
}

/// A run in memory or in the spill.
enum RunSource<'s, R> {
    Kept(std::slice::Iter<'s, R>),
    Spilled(SpilledRecords<'s, R>),
}

impl<R: SortRecord> SortedRecords<R> {
    pub(super) fn new(
        range: KeyRange,
        kept: Vec<Vec<R>>,
        spill: Spill,
        runs: Vec<SpilledRun>,
        memory_bytes: u64,
    ) -> Self {
        let with_ends = |records: Vec<R>| {
            let ends = partition_ends(&records, range);
            (records, ends)
        };
        Self { kept: kept.into_iter().map(with_ends).collect(), spill, runs, memory_bytes }
    }

    /// The number of partitions.
    pub(crate) fn num_partitions(&self) -> usize {
        PARTITIONS
    }

    /// The longest range of partitions from `start` on with at most `most` records, counting repeated ones; at least
    /// one partition.
    pub(crate) fn partitions_of(&self, start: usize, most: usize) -> Range<usize> {
        let mut num_records = 0;
        let fits = |&partition: &usize| {
            num_records += self.kept.iter().map(|(_, ends)| ends[partition] - start_of(ends, partition)).sum::<usize>();
            num_records += self.runs.iter().map(|run| run.most_records::<R>(partition)).sum::<usize>();
            num_records <= most
        };
        let len = (start..PARTITIONS).take_while(fits).count().max(1);
        start..start + len
    }

    /// Calls `visit` for each distinct record of a partition, ascending.
    ///
    /// * `num_readers`: the number of partitions that are read at a time.
    ///
    /// # Errors
    /// When records cannot be read, or `visit` fails.
    pub(crate) fn for_each(
        &self,
        partition: usize,
        num_readers: usize,
        mut visit: impl FnMut(R) -> Result<()>,
    ) -> Result<()> {
        let read_bytes = self.memory_bytes / READ_SHARE / (num_readers * self.runs.len().max(1)) as u64;
        let read_bytes = read_bytes.min(MOST_READ) as usize;
        let kept = self
            .kept
            .iter()
            .map(|(records, ends)| RunSource::Kept(records[start_of(ends, partition)..ends[partition]].iter()));
        let spilled = self.runs.iter().map(|run| RunSource::Spilled(run.read(&self.spill, partition, read_bytes)));
        let mut records = Merge::new(kept.chain(spilled).collect())?;
        let mut last = None;
        while let Some((record, _)) = records.next()? {
            if last != Some(record) {
                visit(record)?;
                last = Some(record);
            }
        }
        Ok(())
    }

    /// Calls `visit` for the distinct records of a partition that have the same group, ascending.
    ///
    /// * `group`: the group of a record; the records of a group follow one another, in one partition.
    ///
    /// # Errors
    /// Like [`for_each`](Self::for_each).
    pub(crate) fn for_each_group<K: Eq>(
        &self,
        partition: usize,
        num_readers: usize,
        group: impl Fn(R) -> K,
        mut visit: impl FnMut(&[R]) -> Result<()>,
    ) -> Result<()> {
        let mut records = Vec::new();
        let mut group_of_records = None;
        self.for_each(partition, num_readers, |record| {
            let group = Some(group(record));
            if group != group_of_records {
                if !records.is_empty() {
                    visit(&records)?;
                }
                records.clear();
                group_of_records = group;
            }
            records.push(record);
            Ok(())
        })?;
        if records.is_empty() { Ok(()) } else { visit(&records) }
    }

    /// Bytes of the records in memory.
    #[cfg(test)]
    pub(super) fn num_bytes(&self) -> usize {
        self.kept.iter().map(|(records, _)| size_of::<R>() * records.capacity()).sum()
    }

    #[cfg(test)]
    pub(super) fn num_runs(&self) -> usize {
        self.runs.len()
    }

    #[cfg(test)]
    pub(super) fn spill(&self) -> &Spill {
        &self.spill
    }
}

fn start_of(ends: &[usize], partition: usize) -> usize {
    partition.checked_sub(1).map_or(0, |before| ends[before])
}

impl<R: SortRecord> SortedSource for RunSource<'_, R> {
    type Item = R;

    #[inline]
    fn next(&mut self) -> Result<Option<R>> {
        match self {
            Self::Kept(records) => Ok(records.next().copied()),
            Self::Spilled(records) => records.next(),
        }
    }
}
