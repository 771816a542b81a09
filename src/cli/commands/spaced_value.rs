//! Detects a flag value that was written after a space instead of `=`, and was parsed as a path.

use std::path::Path;

use dedup_scan::Settings;

use crate::cli::messages::{Failure, Result};

/// The input paths of a run, including the second side.
pub(super) fn paths(settings: &Settings) -> impl Iterator<Item = &Path> {
    let against = settings.input.against.iter().flat_map(|against| &against.paths);
    settings.input.paths.iter().chain(against).map(AsRef::as_ref)
}

/// Refuses a path that does not exist and could be a value of the flag.
///
/// * `what`: the noun for the value, such as `a share`.
/// * `is_value`: whether a text is a value of the flag.
pub(super) fn refuse_value(settings: &Settings, flag: &str, what: &str, is_value: fn(&str) -> bool) -> Result<()> {
    let is_meant = |path: &&Path| path.to_str().is_some_and(is_value) && !path.exists();
    match paths(settings).find(is_meant) {
        None => Ok(()),
        Some(path) => {
            let path = path.display();
            Err(Failure::new(format!("{path}: no such file or folder; for {what} write {flag}={path}")))
        }
    }
}
