//! The shingle sets that verification compares: where they come from, and which of them stay in memory.
//!
//! A [`SetSource`] makes the sets, for instance by reading the documents again. [`SetCache`] keeps the sets that later
//! blocks need, in a bounded number of bytes. A set that is too large for the memory is never loaded as a whole: a
//! [`SliceCounter`] counts it slice by slice, where a slice is a part of the range of hashes.

mod cache;
pub(super) mod loaded;
mod memory;
mod reread;
mod slices;
pub(super) mod source;

pub(super) use self::cache::{LoadedSets, SetCache};
pub(super) use self::loaded::LoadedDocument;
pub(super) use self::memory::SetMemory;
pub(super) use self::reread::RereadSets;
pub(super) use self::slices::SliceCounter;
pub(super) use self::source::SetSource;

#[cfg(test)]
mod tests;
