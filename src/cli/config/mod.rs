//! `dedup.toml`: turns the settings of a project into flags, and merges them with the command line.
//!
//! A key of the file is the name of a flag, so that the parser of the flag checks its value. `file` finds and reads
//! the file, and `keys` lists the flags that it may set. `value` turns a value into arguments. `merged` puts these
//! before the arguments of the command line, unless the command line replaces them.

mod fault;
mod file;
mod keys;
mod merged;
mod value;

use std::ffi::OsString;
use std::sync::OnceLock;

pub(crate) use self::keys::{READERS, keys_of, with_flags};
pub(crate) use self::merged::{Merged, UsedConfig};

/// The merged arguments of this process, and the settings file that some of them come from.
static RUN: OnceLock<(Vec<OsString>, Option<UsedConfig>)> = OnceLock::new();

/// Stores the merged arguments of this process, without the program's name.
pub(crate) fn keep_arguments(merged: &Merged) {
    // Only `main` sets them, once.
    let _ = RUN.set((merged.arguments[1..].to_vec(), merged.used()));
}

/// The settings file of this process, if it uses one.
pub(crate) fn used() -> Option<&'static UsedConfig> {
    RUN.get().and_then(|(_, used)| used.as_ref())
}

/// The merged arguments of this process, without the program's name.
pub(crate) fn arguments() -> Vec<OsString> {
    RUN.get().map(|(arguments, _)| arguments.clone()).unwrap_or_default()
}
