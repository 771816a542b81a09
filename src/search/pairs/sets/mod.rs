//! The shingle sets that verification compares: a [`SetSource`] makes them, for instance by reading the documents again,
//! and [`SetMemory`] counts the bytes in use.

mod memory;
mod reread;
mod source;

pub(super) use self::memory::{PassingBytes, SetMemory};
pub(super) use self::reread::RereadSets;
pub(super) use self::source::SetSource;

#[cfg(test)]
mod tests;
