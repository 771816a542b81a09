//! `StdinLines`: reads the lines of standard input in a thread, so that a command can wait for the next line and for
//! signals at the same time.

use std::io::{self, BufRead, Read};
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
    /// * `most`: the maximum length of a line in bytes. Of a longer one, the first `most + 1` bytes are passed on, and the
    ///   rest is skipped.
    ///
    /// # Errors
    /// When standard input is closed, or the system refuses the thread.
    pub(super) fn open(most: usize) -> Result<Self> {
        if !stdin_is_open() {
            return Err(Failure::input_closed());
        }
        let (send, receive) = mpsc::sync_channel(AHEAD);
        // The thread may wait for a line when the program ends; the program does not join it.
        let read = move || {
            let mut input = io::stdin().lock();
            loop {
                let read = read_line(&mut input, most).transpose();
                let is_last = !matches!(read, Some(Ok(_)));
                if read.is_some_and(|line| send.send(line).is_err()) || is_last {
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

/// Reads a line without its line end; `None` at the end of the input.
fn read_line(input: &mut impl BufRead, most: usize) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    // One byte more than the limit shows that the line is too long, and one more is its line end.
    let len = input.take((most as u64).saturating_add(2)).read_until(b'\n', &mut line)?;
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if line.len() > most {
        input.skip_until(b'\n')?;
        line.truncate(most + 1);
    }
    Ok((len > 0).then_some(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_up_to_their_maximum_length_and_one_byte() {
        let mut input: &[u8] = b"abcd\nabcde\n\nabcdefghij\nabcdef";
        let mut lines = Vec::new();
        while let Some(line) = read_line(&mut input, 4).unwrap() {
            lines.push(String::from_utf8(line).unwrap());
        }
        assert_eq!(lines, ["abcd", "abcde", "", "abcde", "abcde"]);
    }
}
