//! Recognises how a file is read, by its name and its first bytes.

pub(super) mod kind_table;
pub(super) mod binary_kinds;
pub(super) mod mail_kinds;
pub(super) mod array;
pub(super) mod format;
