//! `SetMemory`: counts the bytes of shingle sets, and of what is made of them, that are in memory at a time.

use std::sync::atomic::{AtomicU64, Ordering};

/// The bytes in memory at a time, by kind, and the most of their sum.
#[derive(Debug, Default)]
pub(crate) struct SetMemory {
    /// Sets that the cache keeps.
    kept: AtomicU64,
    /// Sets in use that no cache keeps.
    passing: AtomicU64,
    /// What was made of sets: pairs that wait for their turn, and pivot groups.
    beside: AtomicU64,
    peak: AtomicU64,
}

/// Bytes of sets in use, counted until it is dropped.
#[must_use]
pub(crate) struct PassingBytes<'m> {
    memory: &'m SetMemory,
    num_bytes: u64,
}

impl SetMemory {
    /// Counts sets in use that no cache keeps. From any thread.
    pub(crate) fn pass(&self, num_bytes: u64) -> PassingBytes<'_> {
        self.passing.fetch_add(num_bytes, Ordering::Relaxed);
        self.update_peak();
        PassingBytes { memory: self, num_bytes }
    }

    /// From now on so many bytes of what was made of sets are in memory.
    pub(crate) fn set_beside(&self, num_bytes: u64) {
        self.beside.store(num_bytes, Ordering::Relaxed);
        self.update_peak();
    }

    /// From now on the cache keeps so many bytes of sets. Counts for the peak at the next call of another method, since
    /// the caller still counts what it loads.
    pub(super) fn set_kept(&self, num_bytes: u64) {
        self.kept.store(num_bytes, Ordering::Relaxed);
    }

    /// Most bytes that were in memory at a time.
    pub(crate) fn peak(&self) -> u64 {
        self.peak.load(Ordering::Relaxed)
    }

    fn update_peak(&self) {
        let now: u64 =
            [&self.kept, &self.passing, &self.beside].map(|bytes| bytes.load(Ordering::Relaxed)).iter().sum();
        self.peak.fetch_max(now, Ordering::Relaxed);
    }
}

impl Drop for PassingBytes<'_> {
    fn drop(&mut self) {
        self.memory.passing.fetch_sub(self.num_bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_the_most_of_all_kinds_together() {
        let memory = SetMemory::default();
        memory.set_kept(100);
        let first = memory.pass(20);
        {
            let _second = memory.pass(3);
        }
        memory.set_beside(5);
        drop(first);
        memory.set_beside(0);
        assert_eq!((memory.peak(), memory.passing.load(Ordering::Relaxed)), (125, 0));
    }
}
