//! Reads standard input and pipes, and keeps inputs that cannot be read twice.

pub(super) mod stream;
pub(super) mod spool;
