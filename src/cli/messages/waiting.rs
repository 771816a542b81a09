//! What a person at a terminal may wait for without knowing it: standard input, and the other end of a FIFO.

use std::io::{self, IsTerminal};
use std::path::Path;

use dedup_scan::shown;

use super::report::line;
use crate::cli::streams::Destination;

/// Says on a terminal that an input waits for somebody.
pub(crate) fn tell_of_input(path: &Path) {
    if path == Path::new("-") {
        if io::stdin().is_terminal() {
            line("dedup: -: reading standard input from the terminal; end it with Ctrl-D");
        }
    } else if is_waiting_fifo(path) {
        let path = shown(&path.to_string_lossy());
        line(&format!("dedup: {path}: waiting for a program that writes to this FIFO"));
    }
}

/// Says on a terminal that the summary waits for somebody.
pub(crate) fn tell_of_output(path: &Path) {
    if is_waiting_fifo(path) {
        let path = shown(&path.to_string_lossy());
        line(&format!("dedup: {path}: waiting for a program that reads from this FIFO"));
    }
}

/// Whether a person should know of a FIFO. One that is open already, as of `<(command)`, has its other end.
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
