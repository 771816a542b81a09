//! Whether the program's allocator keeps tables on the disk when they have no room in memory.

use std::sync::atomic::{AtomicBool, Ordering};

static HAS_DISK: AtomicBool = AtomicBool::new(false);

/// Says that the program's allocator keeps tables in the folder of `TMPDIR` when they have no room within
/// [`Resources::memory_bytes`](super::Resources::memory_bytes), so that forecasts count with the disk.
pub fn tables_may_be_on_disk() {
    HAS_DISK.store(true, Ordering::Relaxed);
}

/// Whether tables may be on the disk.
pub(crate) fn has_table_disk() -> bool {
    HAS_DISK.load(Ordering::Relaxed)
}
