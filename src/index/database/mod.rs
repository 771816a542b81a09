//! One SQLite file, and the rows that describe the index in it.
//!
//! | Module | Contents |
//! | --- | --- |
//! | `file_system`, `file_faults` | What the file system and SQLite refuse, as errors of an index. |
//! | `file`, `pending` | The tables, transactions and queries; a new file that gets its name when it is complete. |
//! | `state`, `meta` | The numbers of documents and blocks, and the version. |
//! | `read_settings`, `result_settings` | The settings that inputs are read with, and those that change results. |
//! | `sampling`, `tombstones` | The sample for estimates, and the documents that were removed. |

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
