//! Rows and texts as sealed, compressed blocks of bytes.

pub(super) mod packing;
pub(super) mod run_block;
pub(super) mod sealed;
pub(super) mod compression;
pub(super) mod read_ahead;
