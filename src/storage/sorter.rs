//! `RecordSorter`: takes records from the threads of a pool and sorts them, in memory and beyond it.

use std::sync::Mutex;

use rayon::prelude::*;

use super::record::{KeyRange, SortRecord};
use super::runs::SpilledRun;
use super::sorted::SortedRecords;
use super::spill::Spill;
use crate::error::Result;
use crate::flat::per_thread::PerThread;
use crate::flat::radix_sort::sort_by_hash;
use crate::memory::reserve_exact;

/// Records of a buffer, whatever the memory.
const LEAST_ROOM: usize = 1 << 8;
/// Records that a buffer begins with.
const FIRST_ROOM: usize = 1 << 10;

/// Sorts records and leaves out repeated ones.
///
/// A thread's buffer is sorted when it is full. As long as repeats leave half of it free, it is filled again; else it becomes a
/// run in the spill.
pub(crate) struct RecordSorter<R> {
    range: KeyRange,
    /// Records of a thread's buffer.
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
    /// * `what`: what is sorted, in the singular, for messages.
    /// * `most_key`: the greatest key there may be.
    /// * `memory_bytes`: that it may take, half of them in the end; it takes at least some kilobytes a thread.
    /// * `num_threads`: of the pool.
    pub(crate) fn new(what: &'static str, most_key: u64, memory_bytes: u64, num_threads: usize) -> Self {
        // Sorting takes as much again.
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
    /// When there is no room for them, in memory or on the disk.
    ///
    /// # Panics
    /// Outside the pool.
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
        reserve_exact(&mut buffer.records, more, self.spill.what())
    }

    /// The distinct records. What was not spilled stays in memory.
    ///
    /// # Panics
    /// Outside the pool.
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
    /// Sorts the records and leaves out repeated ones.
    fn sort(&mut self, range: KeyRange) {
        let Self { records, scratch } = self;
        sort_by_hash(records, scratch, |record| range.spread(record.key()));
        records.chunk_by_mut(|a, b| a.key() == b.key()).filter(|same| same.len() > 1).for_each(<[R]>::sort_unstable);
        records.dedup();
    }
}
