//! Which tables are on the disk, and the limit of memory that decides it.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread::Thread;

use dedup_scan::Error;
use dedup_scan::base::is_allocating_table;

use super::disk_memory::DiskMemory;

/// Tables that have no room in memory.
pub(super) static DISK: DiskMemory = DiskMemory::new();

/// The bytes of memory that the process may use; `u64::MAX` without a limit.
pub(super) static LIMIT: AtomicU64 = AtomicU64::new(u64::MAX);

/// The bytes of large allocations that are not on the disk.
pub(super) static LARGE_BYTES: AtomicUsize = AtomicUsize::new(0);

/// The thread that removes pages of the disk from the memory. It sleeps until there are any.
pub(super) static WATCHER: OnceLock<Thread> = OnceLock::new();

/// The minimum bytes of an allocation that may be on the disk, or counts in [`LARGE_BYTES`].
pub(super) const LARGE: usize = 1 << 15;

/// The minimum bytes of a table that is allocated on the disk while it grows. A shorter one goes there when it has reached its
/// length, and gives back what it does not need: the rows of a piece of the inputs, for example.
pub(super) const GROWING: usize = 1 << 20;

/// The part of the limit that large allocations may use until further tables go to the disk. The rest is for the pages of
/// these tables, for smaller allocations, and for the sets of the second pass, which are allocated later.
const SHARE: u64 = 4;

/// Whether an allocation is a table that has no room in memory.
///
/// * `least`: the minimum bytes of such a table.
pub(super) fn is_for_disk(num_bytes: usize, least: usize) -> bool {
    let limit = LIMIT.load(Ordering::Relaxed);
    num_bytes >= least
        && limit != u64::MAX
        && is_allocating_table()
        && LARGE_BYTES.load(Ordering::Relaxed).saturating_add(num_bytes) as u64 > limit / SHARE
}

/// Wakes the thread when there is a table on the disk.
pub(super) fn wake_if(is_on_disk: bool) {
    if is_on_disk && let Some(watcher) = WATCHER.get() {
        watcher.unpark();
    }
}

/// The error of a disk that has no room for a table; `None` if there was room for all of them.
pub(crate) fn disk_fault() -> Option<Error> {
    let (source, num_bytes) = DISK.fault()?;
    Some(Error::Spill { what: "tables", dir: std::env::temp_dir(), bytes: num_bytes as u64, source })
}
