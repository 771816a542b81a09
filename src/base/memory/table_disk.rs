//! The room on the disk for tables that do not fit in memory, if the program's allocator can use it.

use std::sync::OnceLock;

static FREE: OnceLock<fn() -> u64> = OnceLock::new();

/// Says that the program's allocator keeps tables on the disk when they have no room within
/// [`Resources::memory_bytes`](super::Resources::memory_bytes), so that forecasts count with the disk. The first call counts.
///
/// * `free`: the number of bytes that the disk has room for.
pub fn tables_may_be_on_disk(free: fn() -> u64) {
    let _ = FREE.set(free);
}

/// The bytes that the disk has room for; `None` if tables are always in memory.
pub(crate) fn table_disk() -> Option<u64> {
    FREE.get().map(|free| free())
}
