//! Converts errors of system calls and of SQLite into errors with advice.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

use super::file_system::has_no_room;
use crate::base::error::{Error, IndexError};

/// The error for a failed system call.
pub(crate) fn io_fault(path: &Path, doing: &'static str, error: &std::io::Error) -> Error {
    let remedy = match error.kind() {
        std::io::ErrorKind::NotFound => "; check its name",
        std::io::ErrorKind::PermissionDenied => "; check its permissions",
        std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => NO_SPACE,
        _ if error.raw_os_error() == Some(TOO_MANY_FILES) => "",
        _ => "; check the file and its disk",
    };
    Error::Index(IndexError::Storage { path: path.to_owned(), doing, fault: format!("{error}{remedy}") })
}

const NO_SPACE: &str = "; make room on its disk, and run the same command again";

fn no_space(path: PathBuf, doing: &'static str) -> Error {
    Error::Index(IndexError::Storage { path, doing, fault: format!("no space is left{NO_SPACE}") })
}

/// The system's error number when a process has too many open files.
const TOO_MANY_FILES: i32 = 24;

/// Whether the process cannot open as many files as an index needs. SQLite does not pass on the system's error.
fn has_no_descriptor() -> bool {
    const MOST_FILES: usize = 4;
    let files: Vec<_> = (0..MOST_FILES).map(|_| std::fs::File::open("/dev/null")).collect();
    files.iter().flat_map(|file| file.as_ref().err()).any(|error| error.raw_os_error() == Some(TOO_MANY_FILES))
}

pub(crate) fn storage_fault(path: &Path, doing: &'static str, error: &rusqlite::Error) -> Error {
    let path = path.to_owned();
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
            Error::Index(IndexError::Damaged { path, part: "a page".to_owned() })
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            Error::Index(IndexError::Busy { path, holder: String::new() })
        }
        Some(ErrorCode::DiskFull) => no_space(path, doing),
        // Shared memory is a file too, and SQLite reports a full disk there as an I/O error.
        Some(ErrorCode::SystemIoFailure) if has_no_room(&path) => no_space(path, doing),
        Some(ErrorCode::CannotOpen | ErrorCode::SystemIoFailure) if has_no_descriptor() => {
            let fault = std::io::Error::from_raw_os_error(TOO_MANY_FILES).to_string();
            Error::Index(IndexError::Storage { path, doing, fault })
        }
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => {
            Error::Index(IndexError::Storage {
                path,
                doing,
                fault: format!("{error}; check the permissions of it and its folder"),
            })
        }
        _ => Error::Index(IndexError::Storage { path, doing, fault: format!("{error}; check the file and its disk") }),
    }
}
