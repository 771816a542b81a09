//! Temporary files in the folder of TMPDIR, unlinked from the start: they disappear however the program ends.

use std::fs::File;
use std::io;
use std::path::Path;

/// Creates an empty temporary file.
pub(crate) fn temporary_file() -> io::Result<File> {
    // The library's message contains the name that it tried, which differs every time; its source has the system's
    // message.
    let why = |error: &io::Error| error.get_ref()?.source().map(ToString::to_string);
    tempfile::tempfile().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound if std::env::temp_dir().is_dir() => {
            io::Error::new(error.kind(), "no file can be made there")
        }
        io::ErrorKind::NotFound => io::Error::new(error.kind(), "there is no such folder"),
        // The error of the system keeps its message: many errors have no kind, and would be shown as an uncategorized
        // error.
        _ if error.raw_os_error().is_some() => error,
        kind => io::Error::new(kind, why(&error).unwrap_or_else(|| kind.to_string())),
    })
}

/// The bytes that are free on the file system of a folder; `None` if this is unknown.
#[cfg(target_os = "linux")]
pub(crate) fn free_bytes(folder: &Path) -> Option<u64> {
    rustix::fs::statvfs(folder).ok().map(|disk| disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Always `None` on other systems.
#[cfg(not(target_os = "linux"))]
pub(crate) fn free_bytes(_folder: &Path) -> Option<u64> {
    None
}
