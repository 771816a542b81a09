//! `Resources`: how many threads and how much memory a run may use.

use std::num::NonZeroUsize;

use super::limit::limit;
use crate::base::error::{Error, Result};

/// The resources of the machine that a run may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resources {
    /// The number of worker threads. Default: as many as the machine runs at once.
    pub threads: NonZeroUsize,
    /// The maximum number of bytes that [`MemoryPlan`](crate::base::MemoryPlan) divides; fewer bytes make a run slower and do
    /// not change its results. Default: a quarter of the memory that the process may use.
    pub memory_bytes: u64,
}

impl Default for Resources {
    fn default() -> Self {
        Self::with_memory_bytes(Self::default_memory_bytes())
    }
}

impl Resources {
    /// The maximum number of worker threads.
    pub const MOST_THREADS: usize = 1024;
    /// The minimum number of bytes for a plan.
    pub const LEAST_MEMORY_BYTES: u64 = 16 << 20;

    /// Uses this many bytes, whatever the memory of the machine, and as many threads as the machine runs at once.
    pub fn with_memory_bytes(memory_bytes: u64) -> Self {
        Self { threads: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN), memory_bytes }
    }

    /// The resources without the bytes of tables, but with an eighth of the memory or
    /// [`LEAST_MEMORY_BYTES`](Self::LEAST_MEMORY_BYTES) at the minimum. Never more than before.
    pub(crate) fn without_tables(self, table_bytes: u64) -> Self {
        let least = (self.memory_bytes / 8).max(Self::LEAST_MEMORY_BYTES).min(self.memory_bytes);
        Self { memory_bytes: self.memory_bytes.saturating_sub(table_bytes).max(least), ..self }
    }

    /// A quarter of the memory that the process may use, which the machine, its control groups or the limit of its
    /// address space restrict. 512 MiB when none of these is known.
    pub fn default_memory_bytes() -> u64 {
        limit().map_or(512 << 20, |bytes| bytes / 4).max(Self::LEAST_MEMORY_BYTES)
    }

    /// Checks the number of bytes for a plan.
    ///
    /// # Errors
    /// When there are fewer than [`LEAST_MEMORY_BYTES`](Self::LEAST_MEMORY_BYTES).
    pub fn checked_memory_bytes(bytes: u64) -> Result<u64> {
        let least = Self::LEAST_MEMORY_BYTES;
        if bytes >= least { Ok(bytes) } else { Err(Error::Memory { bytes, least }) }
    }

    /// Checks the number of worker threads.
    ///
    /// # Errors
    /// When the number is 0 or above [`MOST_THREADS`](Self::MOST_THREADS).
    pub fn checked_threads(threads: usize) -> Result<NonZeroUsize> {
        let most = Self::MOST_THREADS;
        NonZeroUsize::new(threads).filter(|_| threads <= most).ok_or(Error::Threads { threads, most })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_leave_an_eighth_of_the_memory() {
        let left = |memory_bytes, table_bytes| {
            Resources::with_memory_bytes(memory_bytes).without_tables(table_bytes).memory_bytes
        };
        assert_eq!(left(1 << 30, 1 << 20), (1 << 30) - (1 << 20));
        assert_eq!(left(1 << 30, 1 << 40), 1 << 27);
        assert_eq!(left(64 << 20, 64 << 20), 16 << 20);
        assert_eq!(left(1 << 10, 1 << 20), 1 << 10);
    }
}
