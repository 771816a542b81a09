//! Temporary files in the folder of TMPDIR, unlinked from the start: nothing is left of them, however the program ends.

use std::fs::File;
use std::io;

/// A file that is empty.
pub(crate) fn temporary_file() -> io::Result<File> {
    // The library's error says which name it tried, and that is another every time; the system's is behind it.
    let why = |error: &io::Error| error.get_ref()?.source().map(ToString::to_string);
    tempfile::tempfile().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound if std::env::temp_dir().is_dir() => {
            io::Error::new(error.kind(), "no file can be made there")
        }
        io::ErrorKind::NotFound => io::Error::new(error.kind(), "there is no such folder"),
        // The system's own error keeps its words: many have no kind, and would be shown as an uncategorized error.
        _ if error.raw_os_error().is_some() => error,
        kind => io::Error::new(kind, why(&error).unwrap_or_else(|| kind.to_string())),
    })
}
