//! `SetMemory`: counts the bytes of shingle sets, and of structures derived from them, and records their peak.

use std::sync::atomic::{AtomicU64, Ordering};

/// The bytes that are in memory now, by kind, and the maximum of their sum.
#[derive(Debug, Default)]
pub(crate) struct SetMemory {
    /// The sets that the cache keeps.
    kept: AtomicU64,
    /// The sets in use that the cache does not keep.
    passing: AtomicU64,
    /// The structures derived from sets: pairs that wait for their turn, and pivot groups.
    beside: AtomicU64,
    peak: AtomicU64,
}

/// Bytes of sets in use, counted until this is dropped.
#[must_use]
pub(crate) struct PassingBytes<'m> {
    memory: &'m SetMemory,
    num_bytes: u64,
}

impl SetMemory {
    /// Counts sets in use that the cache does not keep. May be called from any thread.
    pub(crate) fn pass(&self, num_bytes: u64) -> PassingBytes<'_> {
        self.passing.fetch_add(num_bytes, Ordering::Relaxed);
        self.update_peak();
        PassingBytes { memory: self, num_bytes }
    }

    /// Sets the bytes of structures derived from sets.
    pub(crate) fn set_beside(&self, num_bytes: u64) {
        self.beside.store(num_bytes, Ordering::Relaxed);
        self.update_peak();
    }

    /// Sets the bytes of the sets that the cache keeps. The peak is not updated until another method is called, since
    /// the caller has yet to count the sets that it has loaded and does not keep.
    pub(super) fn set_kept(&self, num_bytes: u64) {
        self.kept.store(num_bytes, Ordering::Relaxed);
    }

    /// The maximum number of bytes in memory at any time.
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
