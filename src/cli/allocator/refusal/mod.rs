//! Ends the program with one line and exit code 2 when the system refuses memory. With the default allocator, the standard
//! library would abort.
//!
//! The library itself handles refusals for the tables that grow with the corpus, and reports the table (see
//! [`is_asking_for_memory`]). This module handles all other requests of the program and its libraries. The code after
//! a refusal does not allocate, since there may be no memory left.

#[allow(unsafe_code, reason = "calls of the C library")]
mod kernel;

use std::cell::Cell;
use std::fmt;
use std::io::{self, Write};
use std::panic::PanicHookInfo;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use dedup_scan::base::{is_asking_for_memory, system_words};

use super::tables::disk_fault;
use crate::cli::exit_code::ExitCode;
use crate::cli::interrupt;

/// Maximum number of bytes of the line.
const LINE: usize = 256;

/// Prepares for a limited address space (`ulimit -v`), in which reserved memory counts as used. To be called before
/// other threads start.
pub(crate) fn prepare() {
    #[cfg(unix)]
    if rustix::process::getrlimit(rustix::process::Resource::As).current.is_some() {
        kernel::share_arena();
    }
}

thread_local! {
    /// Whether this thread is ending the program.
    static IS_ENDING_HERE: Cell<bool> = const { Cell::new(false) };
}

/// Ends the program, unless the thread handles the refusal itself.
#[cold]
pub(super) fn refused(num_bytes: usize) {
    if !is_asking_for_memory() {
        if let Some(fault) = disk_fault() {
            end_with(format_args!("dedup: {}", system_words(&fault.to_string())));
        }
        end_with(format_args!(
            "dedup: out of memory: the system refused {} more; scan the corpus in parts, lower --bands or --memory, or \
             give the program more memory",
            Size(num_bytes)
        ));
    }
}

/// Ends the program if a new thread panicked because the system refused memory for the stack of its signal handlers. The
/// standard library does not return this refusal to the code that starts the thread.
pub(crate) fn end_if_refused(panic: &PanicHookInfo<'_>) {
    let payload = panic.payload();
    let message = payload.downcast_ref::<String>().map(String::as_str).or(payload.downcast_ref::<&str>().copied());
    if message.is_some_and(|message| message.starts_with("failed to allocate an alternative stack")) {
        end_with(format_args!(
            "dedup: cannot start a thread: out of memory; give the program more memory (ulimit -v) or lower --threads"
        ));
    }
}

/// Whether the program is ending with the line of a thread.
static IS_ENDING: AtomicBool = AtomicBool::new(false);

/// Notes that this thread has written the line of the failure with which the program ends, so that a refusal adds none.
pub(crate) fn note_report() {
    IS_ENDING_HERE.set(true);
    IS_ENDING.store(true, Ordering::SeqCst);
}

/// Ends the program with a line, without allocating.
fn end_with(message: fmt::Arguments<'_>) -> ! {
    // The code below should not allocate. If it does, its own refusal ends the program here.
    if IS_ENDING_HERE.replace(true) {
        kernel::end(ExitCode::Failure as i32);
    }
    if IS_ENDING.swap(true, Ordering::SeqCst) {
        // Another thread is ending the program with its own line.
        loop {
            std::thread::sleep(Duration::from_secs(1));
        }
    }
    let mut line = [0; LINE];
    let mut rest = &mut line[..];
    let _ = writeln!(rest, "{message}");
    let len = LINE - rest.len();
    let _ = io::stderr().write_all(&line[..len]);
    interrupt::finish_lines();
    interrupt::cancel().cancel_if_free();
    kernel::end(ExitCode::Failure as i32)
}

/// A number of bytes, formatted in KiB from 1 KiB and in MiB from 1 MiB, rounded up.
struct Size(usize);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            bytes @ ..1024 => write!(f, "{bytes} bytes"),
            bytes @ ..0x10_0000 => write!(f, "{}KiB", bytes.div_ceil(1 << 10)),
            bytes => write!(f, "{}MiB", bytes.div_ceil(1 << 20)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_rounded_up() {
        for (bytes, written) in
            [(1023, "1023 bytes"), (1025, "2KiB"), (1 << 20, "1MiB"), (usize::MAX, "17592186044416MiB")]
        {
            assert_eq!(Size(bytes).to_string(), written);
        }
    }
}
