//! `Cancel`: ends a run from outside of it, from any thread.

use std::io;
use std::process::Child;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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
        let mut state = self.state();
        state.is_cancelled = true;
        state.groups.iter().for_each(|&group| end_group(group));
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
