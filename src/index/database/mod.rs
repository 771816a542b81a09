//! One SQLite file, and the rows that describe the index in it.

pub(super) mod place;
pub(super) mod file_faults;
pub(super) mod file;
pub(super) mod pending;
pub(super) mod state;
pub(super) mod sampling;
pub(super) mod reading_way;
pub(super) mod meaning;
pub(super) mod meta;
pub(super) mod marks;
