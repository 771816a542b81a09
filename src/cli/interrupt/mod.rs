//! Signals: SIGINT, SIGTERM and SIGHUP in; the end of the program out, with the exit code of the signal (130 for SIGINT).
//!
//! The program ends between two lines of output, never within one. Temporary files are unlinked from the start, so only
//! running filters have to be ended.

#[cfg(unix)]
#[allow(unsafe_code, reason = "calls of the system, for signals")]
mod kernel;

use std::cell::Cell;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU8, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

use dedup_scan::documents::Cancel;
use dedup_scan::{Error, Result};

use crate::cli::messages::{beside_bar, clear_bar, line};

/// The signals that end the program. Their numbers are the same on every system.
const SIGHUP: i32 = 1;
const SIGINT: i32 = 2;
const SIGTERM: i32 = 15;

/// The signal that was received, or 0.
static SIGNAL: AtomicI32 = AtomicI32::new(0);
/// Ends the run of this process.
static CANCEL: LazyLock<Cancel> = LazyLock::new(Cancel::default);
/// Whether the first signal cancels what runs, and does not end the program at once.
static IS_CANCELLED: AtomicBool = AtomicBool::new(false);
/// The part of the output that is there after a signal.
static LEFT: Mutex<Left> = Mutex::new(Left::Part);
/// The number of signals that were received.
static RECEIVED: AtomicU8 = AtomicU8::new(0);
/// A thread holds it while it writes lines.
static WRITING: Mutex<()> = Mutex::new(());

/// The handle through which a signal ends the run and its filters.
pub(crate) fn cancel() -> Cancel {
    CANCEL.clone()
}

thread_local! {
    /// Whether this thread holds `WRITING`.
    static IS_WRITING: Cell<bool> = const { Cell::new(false) };
}

/// Handles SIGINT, SIGTERM and SIGHUP, except those that are ignored at the start: these stay ignored.
///
/// The first signal waits until the lines that are being written are complete. A second one does not wait.
///
/// # Errors
/// When the system refuses the thread that waits for signals.
#[cfg(unix)]
pub(crate) fn install() -> Result<()> {
    // Allocated here, since `out_of_memory` uses it when there may be no memory.
    LazyLock::force(&CANCEL);
    // A file that grows too large is an error where it is written, with the file's name, and not the end of the program.
    let _ = signal_hook::flag::register(libc::SIGXFSZ, Arc::default());
    let signals = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !kernel::is_ignored(signal));
    // Without the handler signals still end the program, but perhaps within a line.
    if let Ok(mut signals) = signal_hook::iterator::Signals::new(signals) {
        let wait = move || signals.forever().for_each(receive);
        std::thread::Builder::new().spawn(wait).map_err(Error::Thread)?;
    }
    Ok(())
}

#[cfg(not(unix))]
pub(crate) fn install() -> Result<()> {
    let _ = ctrlc::set_handler(|| receive(SIGINT));
    Ok(())
}

fn receive(signal: i32) {
    SIGNAL.store(signal, Ordering::SeqCst);
    let received = RECEIVED.fetch_add(1, Ordering::SeqCst).saturating_add(1);
    // Held until the program ends, so that no other line begins.
    let not_writing = WRITING.try_lock();
    // A terminal that is closed and a supervisor may send two signals. A batch that answers depend on is worth some milliseconds,
    // also while an answer is written. A third signal ends the program in any case.
    let is_adding = left() == Left::Added && received == 2;
    if IS_CANCELLED.load(Ordering::SeqCst) && (received == 1 || is_adding) {
        return CANCEL.cancel();
    }
    if received > 1 || not_writing.is_ok() {
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
    let left = left();
    let output = match left {
        Left::Part => "the output is incomplete",
        Left::Nothing => "nothing was written",
        Left::Answers => "the answers so far are kept",
        Left::Added => "the documents that were reported as added are in the index",
    };
    clear_bar();
    // The prompt of `review` is on the line before.
    let start = if left == Left::Answers { "\n" } else { "" };
    line(&format!("{start}dedup: {what}; {output}"));
    // The shells' convention.
    std::process::exit(128 + signal)
}

/// The part of the output that is there when a signal has ended the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Left {
    /// Lines that were printed, and not all of them.
    Part,
    /// Nothing: the output appears when it is whole.
    Nothing,
    /// The answers of a person to `review`, whose prompt is on the screen.
    Answers,
    /// The documents of an index that were reported as added.
    Added,
}

/// Sets the part of the output that is there if a signal comes from now on.
pub(crate) fn signal_leaves(left: Left) {
    *LEFT.lock().unwrap_or_else(PoisonError::into_inner) = left;
}

fn left() -> Left {
    *LEFT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls `work`, which a signal cancels: it ends by itself, so that it can delete what it has begun. A second signal does not
/// wait.
pub(crate) fn cancelled_by_signals<T>(work: impl FnOnce() -> T) -> T {
    IS_CANCELLED.store(true, Ordering::SeqCst);
    if SIGNAL.load(Ordering::SeqCst) != 0 {
        CANCEL.cancel();
    }
    let done = work();
    IS_CANCELLED.store(false, Ordering::SeqCst);
    done
}

/// Calls `write`; a signal in the meantime ends the program afterwards, unless it [cancels](cancelled_by_signals) the work.
pub(crate) fn uninterrupted<T>(write: impl FnOnce() -> T) -> T {
    let writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    IS_WRITING.set(true);
    let written = write();
    IS_WRITING.set(false);
    drop(writing);
    match SIGNAL.load(Ordering::SeqCst) {
        0 => written,
        // The work sees that it is cancelled, finishes or deletes its files, and returns.
        _ if IS_CANCELLED.load(Ordering::SeqCst) => written,
        signal => end(signal),
    }
}

/// Waits until the lines that other threads are writing are complete, and lets no thread begin another. Call it just before
/// the program ends itself.
pub(crate) fn finish_lines() {
    if !IS_WRITING.get() {
        std::mem::forget(WRITING.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// Whether standard output may share a terminal with a progress bar.
fn stdout_is_terminal() -> bool {
    static IS_TERMINAL: OnceLock<bool> = OnceLock::new();
    *IS_TERMINAL.get_or_init(|| io::stdout().is_terminal())
}

/// A writer whose calls are [`uninterrupted`].
#[derive(Debug)]
pub(crate) struct Uninterrupted<W>(pub(crate) W);

impl<W: Write> Write for Uninterrupted<W> {
    fn write(&mut self, lines: &[u8]) -> io::Result<usize> {
        self.write_all(lines).map(|()| lines.len())
    }

    fn write_all(&mut self, lines: &[u8]) -> io::Result<()> {
        uninterrupted(|| match stdout_is_terminal() {
            true => beside_bar(|| self.0.write_all(lines)),
            false => self.0.write_all(lines),
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
