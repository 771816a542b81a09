//! `Resources`: how many threads and how much memory a run may use.

use std::num::NonZeroUsize;

use super::limit::limit;
use crate::error::{Error, Result};

/// What a run may use of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resources {
    /// Worker threads. Default: as many as the machine runs at once.
    pub threads: NonZeroUsize,
    /// Most bytes of what [`MemoryPlan`](crate::MemoryPlan) shares out; less is slower and gives the same. Default: a
    /// quarter of the memory that the process may take.
    pub memory_bytes: u64,
}

impl Default for Resources {
    fn default() -> Self {
        Self::with_memory_bytes(Self::default_memory_bytes())
    }
}

impl Resources {
    /// Most worker threads.
    pub const MOST_THREADS: usize = 1024;
    /// Least bytes to share out.
    pub const LEAST_MEMORY_BYTES: u64 = 16 << 20;

    /// All threads that the machine runs at once, and this many bytes. The memory of the machine is not looked at.
    pub fn with_memory_bytes(memory_bytes: u64) -> Self {
        Self { threads: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN), memory_bytes }
    }

    /// A quarter of the memory that the process may take: that of the machine, or what its control groups or the limit of
    /// its address space allow. 512 MiB where none of these is known.
    pub fn default_memory_bytes() -> u64 {
        limit().map_or(512 << 20, |bytes| bytes / 4).max(Self::LEAST_MEMORY_BYTES)
    }

    /// The bytes to share out, checked.
    ///
    /// # Errors
    /// When they are fewer than [`LEAST_MEMORY_BYTES`](Self::LEAST_MEMORY_BYTES).
    pub fn checked_memory_bytes(bytes: u64) -> Result<u64> {
        let least = Self::LEAST_MEMORY_BYTES;
        if bytes >= least { Ok(bytes) } else { Err(Error::Memory { bytes, least }) }
    }

    /// The number of worker threads, checked.
    ///
    /// # Errors
    /// When it is 0 or above [`MOST_THREADS`](Self::MOST_THREADS).
    pub fn checked_threads(threads: usize) -> Result<NonZeroUsize> {
        let most = Self::MOST_THREADS;
        NonZeroUsize::new(threads).filter(|_| threads <= most).ok_or(Error::Threads { threads, most })
    }
}
