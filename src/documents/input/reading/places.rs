//! `Places`: turns the line of a record within its piece into `file:line`.
//!
//! Pieces enter and leave in document order; `Places` counts the lines of the pieces that have left.

use super::folded_piece::{FoldedPiece, PieceProblem};
use crate::base::problem::{Problem, Reason};
use crate::documents::input::streams::spool::Sources;
use crate::documents::input::unpack::records::malformed::pretty_printed;

/// The source of the current piece, and how many lines of the source precede the piece.
#[derive(Debug, Default)]
pub(crate) struct Places {
    source: Option<u32>,
    source_name: Vec<u8>,
    lines_before: u64,
    /// Whether it was reported that records have several lines.
    is_pretty: bool,
    /// The last line of such a record that was met.
    last_pretty: u64,
}

impl Places {
    /// Starts a piece. Returns its source if it differs from the source of the piece before.
    pub(crate) fn enter<P>(&mut self, piece: &FoldedPiece<P>, sources: &Sources) -> Option<u32> {
        let source = piece.lines.map(|(source, _)| source).filter(|&source| self.source != Some(source))?;
        *self = Self { source: Some(source), source_name: sources.name(source), ..Self::default() };
        Some(source)
    }

    /// Ends a piece, whose source and number of lines are given.
    pub(crate) fn leave(&mut self, lines: Option<(u32, u64)>) {
        self.lines_before += lines.map_or(0, |(_, count)| count);
    }

    /// The source of the piece's records.
    ///
    /// # Panics
    /// When no piece of records has started.
    pub(crate) fn source(&self) -> u32 {
        self.source.expect("a record has a source")
    }

    /// The name of the current source.
    pub(crate) fn source_name(&self) -> &[u8] {
        &self.source_name
    }

    /// The line within the source, from 1, for a line counted from 0 at the start of the piece.
    pub(crate) fn line(&self, line: u64) -> u64 {
        self.lines_before + line + 1
    }

    /// `file:line` for a line counted from 0 at the start of the piece.
    pub(crate) fn place(&self, line: u64) -> Vec<u8> {
        let mut place = self.source_name.clone();
        place.push(b':');
        place.extend_from_slice(self.line(line).to_string().as_bytes());
        place
    }

    /// Completes a problem of the piece with the name under which it is reported; `None` for a line of a pretty-printed record
    /// when the file is reported for such records.
    pub(crate) fn problem(&mut self, problem: PieceProblem) -> Option<Problem> {
        match problem {
            PieceProblem::Named(problem) => Some(problem),
            PieceProblem::Record { line, reason, detail, is_error } => {
                if self.is_of_pretty(self.line(line), reason, &detail) {
                    return None;
                }
                let place = self.place(line);
                Some(Problem { is_error, ..Problem::error(String::from_utf8_lossy(&place), reason, &*detail) })
            }
        }
    }

    /// Whether a problem needs no report, because its line belongs to a record of several lines and the file is reported.
    fn is_of_pretty(&mut self, line: u64, reason: Reason, detail: &str) -> bool {
        let begins = reason == Reason::Malformed && detail == pretty_printed();
        let goes_on = matches!(reason, Reason::Malformed | Reason::NoText) && line == self.last_pretty + 1;
        if !(begins || self.is_pretty && goes_on) {
            return false;
        }
        self.last_pretty = line;
        std::mem::replace(&mut self.is_pretty, true)
    }
}
