//! `StdinLines`: reads the lines of standard input in a thread, so that a command can wait for the next line and for
//! signals at the same time.

use std::io::{self, BufRead};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use dedup_scan::Error;
use dedup_scan::index::FollowedLine;

use crate::cli::messages::{Failure, Result};
use crate::cli::streams::stdin_is_open;

/// Number of lines that are read ahead.
const AHEAD: usize = 64;

/// The lines of standard input.
pub(super) struct StdinLines {
    receive: Receiver<io::Result<Vec<u8>>>,
    failed: Option<io::Error>,
}

impl StdinLines {
    /// # Errors
    /// When standard input is closed, or the system refuses the thread.
    pub(super) fn open() -> Result<Self> {
        if !stdin_is_open() {
            return Err(Failure::input_closed());
        }
        let (send, receive) = mpsc::sync_channel(AHEAD);
        // The thread may wait for a line when the program ends; the program does not join it.
        let read = move || {
            let mut input = io::stdin().lock();
            loop {
                let mut line = Vec::new();
                let read = input.read_until(b'\n', &mut line);
                let is_end = matches!(read, Ok(0)) || read.is_err();
                if line.last() == Some(&b'\n') {
                    line.pop();
                }
                if (matches!(read, Ok(0)) || send.send(read.map(|_| line)).is_err()) || is_end {
                    return;
                }
            }
        };
        thread::Builder::new().spawn(read).map_err(|error| Failure::from(Error::Thread(error)))?;
        Ok(Self { receive, failed: None })
    }

    /// The next line, the end of the input, or that no line has arrived within `most`.
    pub(super) fn next(&mut self, most: Duration) -> FollowedLine {
        match self.receive.recv_timeout(most) {
            Ok(Ok(line)) => FollowedLine::Line(line),
            Ok(Err(error)) => {
                self.failed = Some(error);
                FollowedLine::End
            }
            Err(RecvTimeoutError::Timeout) => FollowedLine::Waiting,
            Err(RecvTimeoutError::Disconnected) => FollowedLine::End,
        }
    }

    /// # Errors
    /// When standard input could not be read to its end.
    pub(super) fn finish(self) -> Result<()> {
        self.failed.map_or(Ok(()), |error| Err(Failure::input(error)))
    }
}
