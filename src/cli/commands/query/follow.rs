//! `dedup query --stdin`: answers each line of standard input with a line of output.

use std::collections::HashSet;
use std::io::{BufRead, Write};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use dedup_scan::documents::OwnFiles;
use dedup_scan::index::{AddWhat, FollowedAnswer, FollowedLine, QuerySettings, follow_index};
use dedup_scan::records::push_json;
use dedup_scan::{Error, Settings};

use crate::cli::commands::destination::LineOutput;
use crate::cli::exit_code::ExitCode;
use crate::cli::interrupt::{Left, cancelled_by_signals, signal_leaves};
use crate::cli::messages::{self, Failure, Result};
use crate::cli::streams::stdin_is_open;

/// Number of lines that are read ahead.
const AHEAD: usize = 64;

/// Looks up each line of standard input, and prints the result on standard output.
pub(super) fn follow(query: &QuerySettings, settings: &Settings, sync: bool) -> Result<ExitCode> {
    if !stdin_is_open() {
        return Err(Failure::input_closed());
    }
    let mut output = LineOutput::open(None, &mut OwnFiles::default(), true)?;
    let (send, receive) = mpsc::sync_channel::<std::io::Result<Vec<u8>>>(AHEAD);
    // The thread may wait for a line when the program ends; the program does not join it.
    let read = move || {
        let mut input = std::io::stdin().lock();
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
    let mut failed = None;
    let mut next = |most: Duration| match receive.recv_timeout(most) {
        Ok(Ok(line)) => FollowedLine::Line(line),
        Ok(Err(error)) => {
            failed = Some(error);
            FollowedLine::End
        }
        Err(RecvTimeoutError::Timeout) => FollowedLine::Waiting,
        Err(RecvTimeoutError::Disconnected) => FollowedLine::End,
    };
    let mut line = Vec::new();
    let mut stale = HashSet::new();
    let mut answer = |answer: &FollowedAnswer| {
        if let FollowedAnswer::Found { stale: found, .. } = answer {
            // Each problem is reported once.
            let new = found.iter().filter(|problem| stale.insert(problem.place.clone()));
            new.for_each(|problem| messages::line(&format!("dedup: {problem}")));
        }
        line.clear();
        push_json(&mut line, answer);
        line.push(b'\n');
        output.write_all(&line).and_then(|()| output.flush()).map_err(Error::Output)
    };
    if query.add != AddWhat::None {
        signal_leaves(Left::Added);
    }
    let followed = cancelled_by_signals(|| follow_index(query, settings, sync, &mut next, &mut answer));
    let summary = followed?;
    if let Some(error) = failed {
        return Err(Failure::input(error));
    }
    Ok(if summary.errors + summary.stale > 0 { ExitCode::Incomplete } else { ExitCode::Complete })
}
