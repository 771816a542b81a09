//! `Cancel`: a handle that ends a run from any thread, and with it the filters that the run started.

use std::io;
use std::process::Child;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

/// How often a program that ends itself asks for the list of filters, and how long apart: who has the list starts a filter,
/// which takes some milliseconds.
const TRIES: u32 = 100;
const BETWEEN_TRIES: Duration = Duration::from_millis(10);

/// A handle that ends a run: its copies are one. Put one into [`Settings::cancel`](crate::Settings::cancel) and keep another.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<Mutex<CancelState>>);

#[derive(Debug, Default)]
struct CancelState {
    is_cancelled: bool,
    /// The process groups of filters that are running.
    groups: Vec<u32>,
}

/// A program that runs until it is waited for, or the run is cancelled.
#[derive(Debug)]
pub(super) struct Running {
    pub(super) child: Child,
    cancel: Cancel,
}

impl Cancel {
    /// Ends the filters that are running, with all they have started, since they do not hear of an interrupt. No other one
    /// starts afterwards, and the run ends with [`Error::Cancelled`](crate::Error::Cancelled) as soon as it can.
    pub fn cancel(&self) {
        self.state().cancel();
    }

    /// As [`cancel`](Self::cancel), for a program that is about to end itself, perhaps on the very thread that is starting a
    /// filter, where that would wait for itself: tries for a second. Takes no memory.
    pub fn cancel_if_free(&self) {
        for _ in 0..TRIES {
            let mut state = match self.0.try_lock() {
                Ok(state) => state,
                Err(TryLockError::Poisoned(state)) => state.into_inner(),
                Err(TryLockError::WouldBlock) => {
                    std::thread::sleep(BETWEEN_TRIES);
                    continue;
                }
            };
            state.cancel();
            return;
        }
    }

    /// Whether the run is to end.
    pub fn is_cancelled(&self) -> bool {
        self.state().is_cancelled
    }

    /// Starts a program that ends when the run is cancelled.
    ///
    /// # Errors
    /// When it cannot be started, or the run is to end.
    pub(super) fn start(&self, spawn: impl FnOnce() -> io::Result<Child>) -> io::Result<Running> {
        // Held while it starts, so that it is either not started or ended.
        let mut state = self.state();
        if state.is_cancelled {
            return Err(io::Error::other("the run was cancelled"));
        }
        let child = spawn()?;
        state.groups.push(child.id());
        Ok(Running { child, cancel: self.clone() })
    }

    /// Cancels as soon as a filter runs.
    #[cfg(all(test, unix))]
    pub(super) fn cancel_when_running(&self) {
        while self.state().groups.is_empty() {
            std::thread::yield_now();
        }
        self.cancel();
    }

    fn state(&self) -> MutexGuard<'_, CancelState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CancelState {
    fn cancel(&mut self) {
        self.is_cancelled = true;
        self.groups.iter().for_each(|&group| end_group(group));
    }
}

impl Running {
    /// Ends the program, which was not waited for yet, and all it has started, and waits for it.
    pub(super) fn end(&mut self) {
        end_group(self.child.id());
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let group = self.child.id();
        self.cancel.state().groups.retain(|&other| other != group);
    }
}

#[cfg(unix)]
fn end_group(group: u32) {
    if let Some(group) = rustix::process::Pid::from_raw(group.cast_signed()) {
        // They may all have ended by themselves.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

/// Elsewhere programs are ended one by one.
#[cfg(not(unix))]
fn end_group(_: u32) {}
