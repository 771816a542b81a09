//! Interrupts: the program ends between two lines of output, with exit code 130.
//!
//! Temporary files are unlinked from the start, so there is nothing to clean up but filters that are running.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use super::{ExitCode, report};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// Held while lines are written.
static WRITING: Mutex<()> = Mutex::new(());

/// Takes SIGINT over. The first one waits for the lines that are being written, a second one for nothing.
pub(crate) fn install() {
    // When the handler cannot be installed, an interrupt still ends the program, only not between lines.
    let _ = ctrlc::set_handler(|| {
        let again = INTERRUPTED.swap(true, Ordering::SeqCst);
        // Held to the end of the program, so that no other line begins.
        let not_writing = WRITING.try_lock();
        if again || not_writing.is_ok() {
            end();
        }
    });
}

fn end() -> ! {
    dedup::end_filters();
    report::line("dedup: interrupted; the output is incomplete");
    std::process::exit(ExitCode::Interrupted as i32)
}

/// A writer that is never interrupted within a call.
#[derive(Debug)]
pub(crate) struct Uninterrupted<W>(pub(crate) W);

impl<W: Write> Write for Uninterrupted<W> {
    fn write(&mut self, lines: &[u8]) -> io::Result<usize> {
        self.write_all(lines).map(|()| lines.len())
    }

    fn write_all(&mut self, lines: &[u8]) -> io::Result<()> {
        let writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
        let written = self.0.write_all(lines);
        drop(writing);
        if INTERRUPTED.load(Ordering::SeqCst) {
            end();
        }
        written
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
