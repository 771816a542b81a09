//! Failures for errors in a settings file, with their places.

use std::path::Path;

use dedup_scan::base::shown;

use crate::cli::messages::Failure;

/// The failure for a line of a settings file.
///
/// * `line`: the line number, from 1.
pub(super) fn fault_at(path: &Path, line: usize, fault: &str) -> Failure {
    Failure::new(format!("{}:{line}: {fault}", shown(&path.to_string_lossy())))
}

/// The failure for a settings file as a whole.
pub(super) fn fault_of(path: &Path, fault: &str) -> Failure {
    Failure::new(format!("{}: {fault}", shown(&path.to_string_lossy())))
}
