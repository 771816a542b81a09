//! Signals: the program ends between two lines of output, with the exit code of the signal: 130 for an interrupt.
//!
//! Temporary files are unlinked from the start, so there is nothing to clean up but filters that are running.

#[cfg(unix)]
#[allow(unsafe_code)]
mod kernel;

use std::cell::Cell;
use std::io::{self, Write};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use dedup_scan::{Cancel, Error, Result};

use crate::cli::messages::line;

/// What interrupts the program, in numbers that are the same everywhere.
const SIGHUP: i32 = 1;
const SIGINT: i32 = 2;
const SIGTERM: i32 = 15;

/// The signal that came, or 0.
static SIGNAL: AtomicI32 = AtomicI32::new(0);
/// Ends the run of this process.
static CANCEL: LazyLock<Cancel> = LazyLock::new(Cancel::default);
/// Held while lines are written.
static WRITING: Mutex<()> = Mutex::new(());

/// What an interrupt ends.
pub(crate) fn cancel() -> Cancel {
    CANCEL.clone()
}

thread_local! {
    /// Whether this thread holds it.
    static IS_WRITING: Cell<bool> = const { Cell::new(false) };
}

/// Takes SIGINT, SIGTERM and SIGHUP over, but those that are ignored, which are to stay so. The first one waits for the
/// lines that are being written, a second one for nothing.
///
/// # Errors
/// When there is no thread to wait for them.
#[cfg(unix)]
pub(crate) fn install() -> Result<()> {
    // Not when memory runs out.
    LazyLock::force(&CANCEL);
    // A file that grows too large is an error where it is written, with the file's name, and not the end of the program.
    let _ = signal_hook::flag::register(libc::SIGXFSZ, Arc::default());
    let signals = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !kernel::is_ignored(signal));
    // When they cannot be taken over, they still end the program, only not between lines.
    if let Ok(mut signals) = signal_hook::iterator::Signals::new(signals) {
        let wait = move || signals.forever().for_each(take);
        std::thread::Builder::new().spawn(wait).map_err(Error::Thread)?;
    }
    Ok(())
}

#[cfg(not(unix))]
pub(crate) fn install() -> Result<()> {
    let _ = ctrlc::set_handler(|| take(SIGINT));
    Ok(())
}

fn take(signal: i32) {
    let again = SIGNAL.swap(signal, Ordering::SeqCst) != 0;
    // Held to the end of the program, so that no other line begins.
    let not_writing = WRITING.try_lock();
    if again || not_writing.is_ok() {
        end(signal);
    }
}

fn end(signal: i32) -> ! {
    CANCEL.cancel();
    let what = match signal {
        SIGTERM => "terminated",
        SIGHUP => "hung up",
        _ => "interrupted",
    };
    line(&format!("dedup: {what}; the output is incomplete"));
    // As shells count it.
    std::process::exit(128 + signal)
}

/// Does `write` without being interrupted.
pub(crate) fn uninterrupted<T>(write: impl FnOnce() -> T) -> T {
    let writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    IS_WRITING.set(true);
    let written = write();
    IS_WRITING.set(false);
    drop(writing);
    match SIGNAL.load(Ordering::SeqCst) {
        0 => written,
        signal => end(signal),
    }
}

/// Waits for the lines that other threads are writing, and lets none begin, for a program that is about to end itself.
pub(crate) fn let_lines_end() {
    if !IS_WRITING.get() {
        std::mem::forget(WRITING.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// A writer that is never interrupted within a call.
#[derive(Debug)]
pub(crate) struct Uninterrupted<W>(pub(crate) W);

impl<W: Write> Write for Uninterrupted<W> {
    fn write(&mut self, lines: &[u8]) -> io::Result<usize> {
        self.write_all(lines).map(|()| lines.len())
    }

    fn write_all(&mut self, lines: &[u8]) -> io::Result<()> {
        uninterrupted(|| self.0.write_all(lines))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
