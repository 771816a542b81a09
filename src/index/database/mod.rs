//! One SQLite file, and the rows that describe the index in it.

pub(super) mod file_system;
pub(super) mod file_faults;
pub(super) mod file;
pub(super) mod pending;
pub(super) mod state;
pub(super) mod sampling;
pub(super) mod read_settings;
pub(super) mod result_settings;
pub(super) mod meta;
pub(super) mod tombstones;
