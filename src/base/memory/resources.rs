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
