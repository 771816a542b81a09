//! `Fault`: what is wrong with a file of settings, and where.

use std::path::Path;

use dedup_scan::base::shown;

use crate::cli::messages::Failure;

/// The fault of a line of a file.
///
/// * `line`: from 1.
pub(super) fn fault_at(path: &Path, line: usize, fault: &str) -> Failure {
    Failure::Config { place: format!("{}:{line}", shown(&path.to_string_lossy())), fault: fault.to_owned() }
}

/// The fault of a file as a whole.
pub(super) fn fault_of(path: &Path, fault: &str) -> Failure {
    Failure::Config { place: shown(&path.to_string_lossy()), fault: fault.to_owned() }
}
