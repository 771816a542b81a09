//! Storage: fixed-size records in, from many threads; the distinct ones out, in order, in bounded memory.
//!
//! ```text
//! records -sorter-> sorted runs, in memory or in the spill -merge-> distinct records by partition, ascending
//! ```
//!
//! Each thread fills a buffer and sorts it. What is full of distinct records becomes a run in the *spill*: one unlinked file
//! in the folder of TMPDIR, in blocks with a checksum. A run knows where each *partition* begins, which is a part of the range
//! of keys, so that threads merge different partitions side by side. What fits the memory never sees the disk.
//!
//! A column of numbers ([`NumberColumn`]) is kept in the same way, and read by places. A map of hashes ([`SpilledMap`]) is asked while
//! it grows, and what fills its table goes to the disk.
//!
//! The records that come out depend on nothing but those that went in: not on threads, memory, or the order of arrival.

mod numbers;
mod positioned;
mod record;
mod runs;
mod sorted;
mod sorter;
mod spill;
mod spilled_map;
mod temporary;

pub(crate) use self::numbers::NumberColumn;
pub(crate) use self::positioned::{FileStretch, read_at, write_at};
pub(crate) use self::record::SortRecord;
pub(crate) use self::sorted::SortedRecords;
pub(crate) use self::sorter::RecordSorter;
pub(crate) use self::spilled_map::{MapEntry, SpilledMap};
pub(crate) use self::temporary::temporary_file;

#[cfg(test)]
mod tests;
