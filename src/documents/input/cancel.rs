//! `Cancel`: a handle that ends a run from any thread, and with it the filters that the run started.

use std::io;
use std::process::Child;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

/// How often `cancel_if_free` tries to lock the list of filters. The lock is held while a filter starts, which takes
/// some milliseconds.
const TRIES: u32 = 100;
const BETWEEN_TRIES: Duration = Duration::from_millis(10);

/// A handle that ends a run. All clones share one state. Put one clone into
/// [`Settings::cancel`](crate::search::Settings::cancel) and keep another.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<Mutex<CancelState>>);

#[derive(Debug, Default)]
struct CancelState {
    is_cancelled: bool,
    /// The process groups of the running filters.
    groups: Vec<u32>,
}

/// A running program, until it is dropped after its end or the run is cancelled.
#[derive(Debug)]
pub(super) struct Running {
    pub(super) child: Child,
    cancel: Cancel,
}

impl Cancel {
    /// Kills the running filters and all processes that they started, because an interrupt does not reach them. No
    /// filter starts afterwards, and the run ends with [`Error::Cancelled`](crate::base::Error::Cancelled) as soon as it can.
    pub fn cancel(&self) {
        self.state().cancel();
    }

    /// Like [`cancel`](Self::cancel), for a program that is about to exit. The calling thread may itself hold the lock
    /// because it is starting a filter, so this method gives up after a second instead of deadlocking. It allocates no
    /// memory.
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

    /// Whether the run was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.state().is_cancelled
    }

    /// Starts a program, which is killed when the run is cancelled.
    ///
    /// # Errors
    /// When the program cannot be started, or the run was cancelled.
    pub(super) fn start(&self, spawn: impl FnOnce() -> io::Result<Child>) -> io::Result<Running> {
        // The lock is held during the start, so that a program either does not start or is killed by a cancel.
        let mut state = self.state();
        if state.is_cancelled {
            return Err(io::Error::other("the run was cancelled"));
        }
        let child = spawn()?;
        state.groups.push(child.id());
        Ok(Running { child, cancel: self.clone() })
    }

    /// Cancels the run as soon as a filter is running.
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
    /// Kills the program, which must not have been waited for yet, and all processes that it started, and waits for it.
    pub(super) fn end(&mut self) {
        end_group(self.child.id());
        // The program may already have ended.
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
        // All processes of the group may already have ended.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

/// Other systems have no process groups here; programs are killed individually.
#[cfg(not(unix))]
fn end_group(_: u32) {}
