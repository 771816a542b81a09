//! `RecordSorter`: collects records from the threads of a pool and sorts them, in memory and on the disk.

use std::sync::Mutex;

use rayon::prelude::*;

use super::record::{KeyRange, SortRecord};
use super::runs::SpilledRun;
use super::sorted::SortedRecords;
use super::spill::Spill;
use crate::base::error::Result;
use crate::base::flat::per_thread::PerThread;
use crate::base::flat::radix_sort::sort_by_hash;
use crate::base::memory::reserve_share;

/// The minimum number of records of a buffer, whatever the memory limit.
const LEAST_ROOM: usize = 1 << 8;
/// The number of records that a buffer first has room for.
const FIRST_ROOM: usize = 1 << 10;

/// Sorts records and removes repeated ones.
///
/// The buffer of a thread is sorted when it is full. As long as removing repeats leaves half of it free, it is filled
/// again; otherwise it becomes a run in the spill.
pub(crate) struct RecordSorter<R> {
    range: KeyRange,
    /// The maximum number of records in the buffer of a thread.
    room: usize,
    memory_bytes: u64,
    buffers: PerThread<SortBuffer<R>>,
    spill: Spill,
    runs: Mutex<Vec<SpilledRun>>,
}

struct SortBuffer<R> {
    records: Vec<R>,
    scratch: Vec<R>,
}

impl<R: SortRecord> RecordSorter<R> {
    /// Creates an empty sorter.
    ///
    /// * `what`: the kind of records, in the singular, for messages.
    /// * `most_key`: the greatest possible key.
    /// * `memory_bytes`: the memory limit; half of it applies after [`finish`](Self::finish). Some kilobytes per thread
    ///   are used in any case.
    /// * `num_threads`: the number of threads of the pool.
    pub(crate) fn new(what: &'static str, most_key: u64, memory_bytes: u64, num_threads: usize) -> Self {
        // Sorting needs as much memory again.
        let room = usize::try_from(memory_bytes).unwrap_or(usize::MAX) / num_threads / (2 * size_of::<R>());
        Self {
            range: KeyRange::up_to(most_key),
            room: room.max(LEAST_ROOM),
            memory_bytes,
            buffers: PerThread::new(num_threads, || SortBuffer { records: Vec::new(), scratch: Vec::new() }),
            spill: Spill::new(what),
            runs: Mutex::default(),
        }
    }

    /// Adds records.
    ///
    /// # Errors
    /// When there is not enough memory or disk space.
    ///
    /// # Panics
    /// When called outside the pool.
    pub(crate) fn push(&self, records: impl IntoIterator<Item = R>) -> Result<()> {
        let mut buffer = self.buffers.get();
        for record in records {
            if buffer.records.len() == buffer.records.capacity() {
                self.make_room(&mut buffer)?;
            }
            buffer.records.push(record);
        }
        Ok(())
    }

    fn make_room(&self, buffer: &mut SortBuffer<R>) -> Result<()> {
        if buffer.records.len() >= self.room {
            buffer.sort(self.range);
            if buffer.records.len() > self.room / 2 {
                let run = SpilledRun::write(&self.spill, &buffer.records, self.range)?;
                self.runs.lock().expect("no holder panics").push(run);
                buffer.records.clear();
            }
            return Ok(());
        }
        let len = buffer.records.len();
        let more = (len.max(FIRST_ROOM)).min(self.room - len);
        reserve_share(&mut buffer.records, more, self.spill.what())
    }

    /// Returns the distinct records. Records that were not spilled stay in memory.
    ///
    /// # Panics
    /// When called outside the pool.
    pub(crate) fn finish(self) -> SortedRecords<R> {
        let range = self.range;
        let mut buffers: Vec<SortBuffer<R>> = self.buffers.into_values().collect();
        buffers.par_iter_mut().for_each(|buffer| {
            buffer.sort(range);
            buffer.scratch = Vec::new();
        });
        let kept = buffers.into_iter().map(|buffer| buffer.records).filter(|records| !records.is_empty());
        let runs = self.runs.into_inner().expect("no holder panics");
        SortedRecords::new(range, kept.collect(), self.spill, runs, self.memory_bytes)
    }
}

impl<R: SortRecord> SortBuffer<R> {
    /// Sorts the records and removes repeated ones.
    fn sort(&mut self, range: KeyRange) {
        let Self { records, scratch } = self;
        sort_by_hash(records, scratch, |record| range.spread(record.key()));
        records.chunk_by_mut(|a, b| a.key() == b.key()).filter(|same| same.len() > 1).for_each(<[R]>::sort_unstable);
        records.dedup();
    }
}
