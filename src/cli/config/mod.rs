//! `dedup.toml`: the settings of a project in; the flags that they stand for, merged with those of the command line, out.
//!
//! A key of the file is the name of a flag, so that the parser of the flag checks its value. `file` finds and reads the file,
//! `keys` knows which flags may stand in it, `value` turns a value into arguments, and `merged` puts them before those of the
//! command line, except for those that the command line replaces.

mod fault;
mod file;
mod keys;
mod merged;
mod value;

use std::ffi::OsString;
use std::sync::OnceLock;

pub(crate) use self::keys::{READERS, keys_of, with_flags};
pub(crate) use self::merged::{Merged, UsedConfig};

/// The arguments of this process as they were run, and the file of settings that some of them come from.
static RUN: OnceLock<(Vec<OsString>, Option<UsedConfig>)> = OnceLock::new();

/// Keeps the arguments of this process, the program's name aside, with those that a file stands for.
pub(crate) fn keep_arguments(merged: &Merged) {
    // Only `main` sets them.
    let _ = RUN.set((merged.arguments[1..].to_vec(), merged.used()));
}

/// The file of settings that this process uses, if it uses one.
pub(crate) fn used() -> Option<&'static UsedConfig> {
    RUN.get().and_then(|(_, used)| used.as_ref())
}

/// The arguments of this process, the program's name aside, with those that a file stands for.
pub(crate) fn arguments() -> Vec<OsString> {
    RUN.get().map(|(arguments, _)| arguments.clone()).unwrap_or_default()
}
