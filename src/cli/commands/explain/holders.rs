//! `check`: reports a name that is not a file, and suggests the file that contains the document.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

use dedup_scan::base::shown;

use crate::cli::messages::{Failure, Result};

/// Checks that both names are existing files.
///
/// # Errors
/// When a name is not a file.
pub(super) fn check(names: [&OsStr; 2]) -> Result<()> {
    if names.iter().all(|name| fs::metadata(name).is_ok_and(|found| found.is_dir())) {
        let [a, b] = names.map(|name| shown(&name.to_string_lossy()));
        let message = format!(
            "{a}: is a folder, but explain compares two documents; write: dedup compare {a} --against {b}, or add --unit path to compare all their files as two documents"
        );
        return Err(Failure::new(message));
    }
    let Some(missing) = names.into_iter().find(|name| is_missing(name)) else { return Ok(()) };
    // The files that contain both documents.
    let files: Option<BTreeSet<PathBuf>> = names.into_iter().map(holder).collect();
    match files {
        Some(files) => {
            let files: Vec<String> = files.iter().map(|file| shown(&file.to_string_lossy())).collect();
            Err(Failure::new(format!(
                "{}: without --in A and B are files; add --in {}",
                shown(&missing.to_string_lossy()),
                files.join(" ")
            )))
        }
        None => {
            let unheld = names.into_iter().find(|name| holder(name).is_none()).unwrap_or(missing);
            Err(Failure::new(format!(
                "{}: no such file or folder; check the path, or give the file that contains it with --in",
                shown(&unheld.to_string_lossy())
            )))
        }
    }
}

fn is_missing(name: &OsStr) -> bool {
    let is_absent = |kind| matches!(kind, ErrorKind::NotFound | ErrorKind::NotADirectory);
    name != "-" && fs::symlink_metadata(name).is_err_and(|error| is_absent(error.kind()))
}

/// The file itself, or the part before the `!` of `archive!member` or the `:` of `file:line` if that is a file.
fn holder(name: &OsStr) -> Option<PathBuf> {
    if !is_missing(name) {
        return Some(name.into());
    }
    let name = name.to_str()?;
    let is_line = |behind: &str| !behind.is_empty() && behind.bytes().all(|byte| byte.is_ascii_digit());
    let ends = name.match_indices(['!', ':']).filter(|&(at, found)| found == "!" || is_line(&name[at + 1..]));
    ends.map(|(at, _)| PathBuf::from(&name[..at])).find(|file| file.is_file())
}
