//! Ends the program on SIGINT, SIGTERM and SIGHUP, with the exit code of the signal (130 for SIGINT).
//!
//! The program ends between two lines of output, never within one. Temporary files are unlinked from the start, so
//! only running filters have to be ended.

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

/// Numbers of the signals that end the program; they are the same on every system.
const SIGHUP: i32 = 1;
const SIGINT: i32 = 2;
const SIGTERM: i32 = 15;

/// Number of the signal that was received, or 0.
static SIGNAL: AtomicI32 = AtomicI32::new(0);
/// Handle that cancels the run of this process.
static CANCEL: LazyLock<Cancel> = LazyLock::new(Cancel::default);
/// Whether the first signal cancels the current work instead of ending the program at once.
static IS_CANCELLED: AtomicBool = AtomicBool::new(false);
/// The part of the output that remains after a signal.
static LEFT: Mutex<Left> = Mutex::new(Left::Part);
/// The number of signals that were received.
static RECEIVED: AtomicU8 = AtomicU8::new(0);
/// Lock that a thread holds while it writes lines.
static WRITING: Mutex<()> = Mutex::new(());

/// The handle with which a signal cancels the run and its filters.
pub(crate) fn cancel() -> Cancel {
    CANCEL.clone()
}

thread_local! {
    /// Whether this thread holds `WRITING`.
    static IS_WRITING: Cell<bool> = const { Cell::new(false) };
}

/// Handles SIGINT, SIGTERM and SIGHUP, except signals that are ignored at the start: these stay ignored.
///
/// The first signal waits until the current lines are completely written. A second one does not wait.
///
/// # Errors
/// When the system refuses the thread that waits for signals.
#[cfg(unix)]
pub(crate) fn install() -> Result<()> {
    // Allocated here, since `allocator::refusal` uses the handle when there may be no memory.
    LazyLock::force(&CANCEL);
    // A file that grows too large becomes an error of the write, with the file's name, instead of ending the program.
    let _ = signal_hook::flag::register(libc::SIGXFSZ, Arc::default());
    let signals = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !kernel::is_ignored(signal));
    // If the handler cannot be installed, signals still end the program, but possibly within a line.
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
    // A closed terminal and a supervisor may each send a signal. While documents are added to an index, a second
    // signal waits too, since results that were printed depend on the current batch. A third signal ends the program
    // in any case.
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

/// The part of the output that remains when a signal has ended the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Left {
    /// Some of the lines.
    Part,
    /// Nothing, because the output appears when it is complete.
    Nothing,
    /// The answers of a person to `review`, whose prompt is on the screen.
    Answers,
    /// The documents of an index that were reported as added.
    Added,
}

/// Sets the part of the output that remains after a signal from now on.
pub(crate) fn signal_leaves(left: Left) {
    *LEFT.lock().unwrap_or_else(PoisonError::into_inner) = left;
}

fn left() -> Left {
    *LEFT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls `work`, which a signal cancels, so that it returns early and can delete its temporary files. A second signal
/// does not wait.
pub(crate) fn cancelled_by_signals<T>(work: impl FnOnce() -> T) -> T {
    IS_CANCELLED.store(true, Ordering::SeqCst);
    if SIGNAL.load(Ordering::SeqCst) != 0 {
        CANCEL.cancel();
    }
    let done = work();
    IS_CANCELLED.store(false, Ordering::SeqCst);
    done
}

/// Calls `write`. A signal during the call ends the program after the call, unless it [cancels](cancelled_by_signals)
/// the work.
pub(crate) fn uninterrupted<T>(write: impl FnOnce() -> T) -> T {
    let writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    IS_WRITING.set(true);
    let written = write();
    IS_WRITING.set(false);
    drop(writing);
    match SIGNAL.load(Ordering::SeqCst) {
        0 => written,
        // The work detects the cancellation, finishes or deletes its files, and returns.
        _ if IS_CANCELLED.load(Ordering::SeqCst) => written,
        signal => end(signal),
    }
}

/// Waits until other threads have completed their lines, and prevents further lines. To be called just before the
/// program ends itself.
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
