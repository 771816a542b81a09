//! Storage: sorts fixed-size records from many threads and returns the distinct ones in order, in bounded memory.
//!
//! ```text
//! records -sorter-> sorted runs, in memory or in the spill -merge-> distinct records by partition, ascending
//! ```
//!
//! Each thread fills a buffer and sorts it. A buffer that is full of distinct records becomes a run in the *spill*: one
//! unlinked file in the folder of TMPDIR, in blocks with a checksum. A run stores where each *partition*, a part of the
//! range of keys, begins, so that threads can merge different partitions in parallel. Records that fit in memory are
//! never written to the disk.
//!
//! The spill has one kind of blocks (`blocks`), whose records follow one another. A column of numbers
//! ([`NumberColumn`]) reads them by position. A map of hashes ([`SpilledMap`]) supports look-ups while it grows, and its
//! runs are merged like the runs of a sorter. Byte strings ([`SpilledParts`]) have one checksum each.
//!
//! The records that are returned depend only on the records that were added: not on threads, memory, or the order of
//! arrival.

mod blocks;
mod merge;
mod numbers;
mod parts;
mod positioned;
mod record;
mod runs;
mod sorted;
mod sorter;
mod spill;
mod spilled_map;
mod temporary;

pub(crate) use self::merge::{Merge, SortedSource};
pub(crate) use self::numbers::NumberColumn;
pub(crate) use self::parts::SpilledParts;
pub(crate) use self::positioned::{FileSpan, read_at, write_at};
pub(crate) use self::record::{SortRecord, halves, whole};
pub(crate) use self::sorted::SortedRecords;
pub(crate) use self::sorter::RecordSorter;
pub(crate) use self::spilled_map::{MapEntry, SpilledMap};
pub(crate) use self::temporary::{free_bytes, temporary_file};

#[cfg(test)]
mod tests;
