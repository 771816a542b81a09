//! Reports on a terminal that the program waits for standard input, or for the other end of a FIFO.

use std::io::{self, IsTerminal};
use std::path::Path;

use dedup_scan::base::shown;

use super::report::line;
use crate::cli::streams::Destination;

/// Reports that the program waits for data on standard input or a FIFO.
pub(crate) fn report_waiting_input(path: &Path) {
    if path == Path::new("-") {
        if io::stdin().is_terminal() {
            line("dedup: -: reading standard input from the terminal; end it with Ctrl-D");
        }
    } else if is_waiting_fifo(path) {
        let path = shown(&path.to_string_lossy());
        line(&format!("dedup: {path}: waiting for a program that writes to this FIFO"));
    }
}

/// Reports that the program waits for a reader of its output FIFO.
pub(crate) fn report_waiting_output(path: &Path) {
    if is_waiting_fifo(path) {
        let path = shown(&path.to_string_lossy());
        line(&format!("dedup: {path}: waiting for a program that reads from this FIFO"));
    }
}

/// Whether `path` is a FIFO whose other end may be missing. A FIFO that the shell opened, as for `<(command)`, has both ends.
#[cfg(unix)]
fn is_waiting_fifo(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    io::stderr().is_terminal()
        && std::fs::metadata(path).is_ok_and(|metadata| metadata.file_type().is_fifo())
        && matches!(Destination::of(path), Ok(Destination::Path(_)))
}

#[cfg(not(unix))]
fn is_waiting_fifo(_: &Path) -> bool {
    false
}
