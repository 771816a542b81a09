//! The program's allocator. When the system refuses memory, the program ends with one line (`refusal`). Tables that grow
//! with the corpus and have no room within `--memory` are allocated in a temporary file (`disk_memory`), whose pages leave
//! the memory when the program has more of them than it may (`page_limit`). All other memory is the system allocator's.
//!
//! The library says which allocations are for such tables (see [`is_allocating_table`]). The data of a table on the disk is
//! the same as in memory, so that no other code needs to know where it is.

mod disk_memory;
#[allow(unsafe_code, reason = "the trait of an allocator is unsafe")]
mod kernel;
mod page_limit;
mod refusal;

use std::sync::atomic::{AtomicUsize, Ordering};

use dedup_scan::base::is_allocating_table;

use self::disk_memory::DiskMemory;
pub(crate) use self::page_limit::limit_memory;
pub(crate) use self::refusal::{end_if_refused, prepare};

#[global_allocator]
static ALLOCATOR: kernel::Allocator = kernel::Allocator;

/// Tables that have no room in memory.
static DISK: DiskMemory = DiskMemory::new();

/// The minimum bytes of an allocation that may be on the disk, or counts in [`LARGE_BYTES`].
const LARGE: usize = 1 << 15;

/// The minimum bytes of a table that is allocated on the disk while it grows. A shorter one goes there when it has reached its
/// length, and gives back what it does not need: the rows of a piece of the inputs, for example.
const GROWING: usize = 1 << 20;

/// The part of `--memory` that large allocations may use until further tables go to the disk. The rest is for the pages of
/// these tables, for smaller allocations, and for the sets of the second pass, which are allocated later.
const SHARE: u64 = 4;

/// The bytes of large allocations that are not on the disk.
static LARGE_BYTES: AtomicUsize = AtomicUsize::new(0);

/// Whether an allocation is a table that has no room in memory.
///
/// * `least`: the minimum bytes of such a table.
fn is_for_disk(num_bytes: usize, least: usize) -> bool {
    num_bytes >= least
        && is_allocating_table()
        && page_limit::limit()
            .is_some_and(|limit| LARGE_BYTES.load(Ordering::Relaxed).saturating_add(num_bytes) as u64 > limit / SHARE)
}

/// The line about a disk that has no room for a table; `None` if there was room for all of them.
pub(crate) fn disk_fault() -> Option<String> {
    let say = |fault| {
        format!("tables that have no room within --memory are in the folder of TMPDIR: {fault}; free some space there")
    };
    DISK.fault().map(say)
}
