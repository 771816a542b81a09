//! `SetMemory`: counts the bytes of shingle sets, and of structures derived from them, and records their peak.

use std::sync::atomic::{AtomicU64, Ordering};

/// The bytes that are in memory now, by kind, and the maximum of their sum.
#[derive(Debug, Default)]
pub(crate) struct SetMemory {
    /// The blocks and classes in use.
    passing: AtomicU64,
    /// The pairs that wait for their turn.
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
    /// Counts blocks or classes in use. May be called from any thread.
    pub(crate) fn pass(&self, num_bytes: u64) -> PassingBytes<'_> {
        self.passing.fetch_add(num_bytes, Ordering::Relaxed);
        self.update_peak();
        PassingBytes { memory: self, num_bytes }
    }

    /// Sets the bytes of the pairs that wait for their turn.
    pub(crate) fn set_beside(&self, num_bytes: u64) {
        self.beside.store(num_bytes, Ordering::Relaxed);
        self.update_peak();
    }

    /// The maximum number of bytes in memory at any time.
    pub(crate) fn peak(&self) -> u64 {
        self.peak.load(Ordering::Relaxed)
    }

    fn update_peak(&self) {
        let now: u64 = [&self.passing, &self.beside].map(|bytes| bytes.load(Ordering::Relaxed)).iter().sum();
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
        let first = memory.pass(120);
        {
            let _second = memory.pass(3);
        }
        memory.set_beside(5);
        drop(first);
        memory.set_beside(0);
        assert_eq!((memory.peak(), memory.passing.load(Ordering::Relaxed)), (125, 0));
    }
}
