//! The flags of threads and memory: how much of the machine a run may use.

use clap::Args;
use dedup_scan::{Resources, Result};

use super::values::{size, whole};
use crate::cli::allocator::limit_memory;

/// The number of threads.
#[derive(Debug, Clone, Args)]
pub(crate) struct ThreadFlags {
    /// Number of worker threads; small inputs use fewer [default: number of processors]
    #[arg(short = 'j', long, value_name = "N", value_parser = whole::<usize>(1..=Resources::MOST_THREADS as u64), allow_negative_numbers = true,
        help_heading = "Resources")]
    threads: Option<usize>,
}

/// The number of threads, and the memory of the program.
#[derive(Debug, Clone, Args)]
pub(crate) struct ResourceFlags {
    #[command(flatten)]
    pub(crate) threads: ThreadFlags,

    /// Maximum memory of the program, such as 512MiB or 4GB; at least 16MiB. Tables that have no room are kept in a file in
    /// TMPDIR. Less memory is slower and prints the same [default: a quarter of the memory that the machine, the control
    /// group or `ulimit -v` allows]
    #[arg(long, value_name = "SIZE", value_parser = size(Resources::LEAST_MEMORY_BYTES..=1 << 60, "from 16MiB to 1EiB"),
        allow_negative_numbers = true, help_heading = "Resources")]
    memory: Option<u64>,
}

impl ThreadFlags {
    /// Whether a number of threads is given.
    pub(crate) fn are_given(&self) -> bool {
        self.threads.is_some()
    }

    /// The resources, with the number of threads on the command line if it is given.
    pub(crate) fn of(&self, resources: Resources) -> Result<Resources> {
        let threads = self.threads.map_or(Ok(resources.threads), Resources::checked_threads)?;
        Ok(Resources { threads, ..resources })
    }
}

impl ResourceFlags {
    /// The resources of the flags. The program keeps within their memory from then on.
    pub(crate) fn settings(&self) -> Result<Resources> {
        let resources = match self.memory {
            Some(memory) => Resources::with_memory_bytes(Resources::checked_memory_bytes(memory)?),
            None => Resources::default(),
        };
        limit_memory(resources.memory_bytes);
        self.threads.of(resources)
    }
}
