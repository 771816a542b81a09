//! `dedup query --stdin`: writes the result of each line of standard input as a line of output.

use std::collections::HashSet;
use std::io::Write;
use std::time::Duration;

use dedup_scan::documents::OwnFiles;
use dedup_scan::index::{AddWhat, FollowedResult, QuerySettings, follow_index};
use dedup_scan::records::push_json;
use dedup_scan::{Error, Settings};

use crate::cli::commands::destination::LineOutput;
use crate::cli::commands::stdin_lines::StdinLines;
use crate::cli::exit_code::ExitCode;
use crate::cli::interrupt::{Left, cancelled_by_signals, signal_leaves};
use crate::cli::messages::{self, Result};

/// Looks up each line of standard input, and prints the result on standard output.
pub(super) fn follow(query: &QuerySettings, settings: &Settings, sync: bool) -> Result<ExitCode> {
    let mut lines = StdinLines::open(usize::MAX)?;
    let mut output = LineOutput::open(None, &mut OwnFiles::default(), true)?;
    let mut next = |most: Duration| lines.next(most);
    let mut line = Vec::new();
    let mut stale = HashSet::new();
    let mut print = |result: &FollowedResult| {
        if let FollowedResult::Found { stale: found, .. } = result {
            // Each problem is reported once.
            let new = found.iter().filter(|problem| stale.insert(problem.place.clone()));
            new.for_each(|problem| messages::line(&format!("dedup: {}", messages::problem_line(problem))));
        }
        line.clear();
        push_json(&mut line, result);
        line.push(b'\n');
        output.write_all(&line).and_then(|()| output.flush()).map_err(Error::Output)
    };
    if query.add != AddWhat::None {
        signal_leaves(Left::Added);
    }
    let followed = cancelled_by_signals(|| follow_index(query, settings, sync, &mut next, &mut print));
    let summary = followed?;
    lines.finish()?;
    Ok(if summary.errors + summary.stale > 0 { ExitCode::Incomplete } else { ExitCode::Complete })
}
