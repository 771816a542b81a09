//! The program's allocator. When the system refuses memory, the program ends with one line (`refusal`). Tables that grow
//! with the corpus and have no room within `--memory` are allocated in a temporary file (`disk_memory`), whose pages leave
//! the memory when the program has more of them than it may (`page_limit`); `tables` decides which ones. All other memory is the system allocator's.
//!
//! The library says which allocations are for such tables (see [`is_allocating_table`](dedup_scan::base::is_allocating_table)). The data of a table on the disk is
//! the same as in memory, so that no other code needs to know where it is.

mod disk_memory;
#[allow(unsafe_code, reason = "the trait of an allocator is unsafe")]
mod kernel;
mod page_limit;
mod refusal;
mod tables;

pub(crate) use self::page_limit::limit_memory;
pub(crate) use self::refusal::{end_if_refused, note_report, prepare};
pub(crate) use self::tables::disk_fault;

#[global_allocator]
static ALLOCATOR: kernel::Allocator = kernel::Allocator;
