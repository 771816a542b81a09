//! A value that stands behind a space, where its flag takes one behind `=` alone: it was taken for a path.

use std::path::Path;

use dedup_scan::Settings;

use crate::cli::messages::{Failure, Result};

/// The inputs of a run.
pub(super) fn paths(settings: &Settings) -> impl Iterator<Item = &Path> {
    let against = settings.input.against.iter().flat_map(|against| &against.paths);
    settings.input.paths.iter().chain(against).map(AsRef::as_ref)
}

/// Refuses a path that is a value of a flag, and that is not there.
///
/// * `what`: that the value is.
pub(super) fn refuse_value(settings: &Settings, flag: &str, what: &str, is_value: fn(&str) -> bool) -> Result<()> {
    let is_meant = |path: &&Path| path.to_str().is_some_and(is_value) && !path.exists();
    match paths(settings).find(is_meant) {
        None => Ok(()),
        Some(path) => {
            let path = path.display();
            Err(Failure::Usage { message: format!("{path}: no such file or folder; for {what} write {flag}={path}") })
        }
    }
}
