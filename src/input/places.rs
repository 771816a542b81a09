//! `Places`: turns the line of a record within its piece into `file:line`.
//!
//! Pieces enter and leave in document order; `Places` counts the lines of those that have left.

use crate::input::documents::{FoldedPiece, PieceProblem};
use crate::input::spool::Sources;
use crate::problem::Problem;

/// The source of the current piece, and how many of its lines stand before the piece.
#[derive(Debug, Default)]
pub(crate) struct Places {
    source: Option<u32>,
    source_name: Vec<u8>,
    lines_before: u64,
}

impl Places {
    /// A piece begins; returns its source when that is another one than before.
    pub(crate) fn enter<P>(&mut self, piece: &FoldedPiece<P>, sources: &Sources) -> Option<u32> {
        let source = piece.lines.map(|(source, _)| source).filter(|&source| self.source != Some(source))?;
        *self = Self { source: Some(source), source_name: sources.name(source), lines_before: 0 };
        Some(source)
    }

    /// A piece ends, which had these lines.
    pub(crate) fn leave(&mut self, lines: Option<(u32, u64)>) {
        self.lines_before += lines.map_or(0, |(_, count)| count);
    }

    /// The source of the records of the piece.
    ///
    /// # Panics
    /// When it has none.
    pub(crate) fn source(&self) -> u32 {
        self.source.expect("a record has a source")
    }

    /// The name of the source.
    pub(crate) fn source_name(&self) -> &[u8] {
        &self.source_name
    }

    /// The line of the source, from 1, of a line counted from 0 at the start of the piece.
    pub(crate) fn line(&self, line: u64) -> u64 {
        self.lines_before + line + 1
    }

    /// `file:line` of a line counted from 0 at the start of the piece.
    pub(crate) fn place(&self, line: u64) -> Vec<u8> {
        let mut place = self.source_name.clone();
        place.push(b':');
        place.extend_from_slice(self.line(line).to_string().as_bytes());
        place
    }

    /// A problem of the piece, under the name that it is reported by.
    pub(crate) fn problem(&self, problem: PieceProblem) -> Problem {
        match problem {
            PieceProblem::Named(problem) => problem,
            PieceProblem::Record { line, reason, detail, is_error } => {
                let place = self.place(line);
                Problem { is_error, ..Problem::error(String::from_utf8_lossy(&place), reason, &*detail) }
            }
        }
    }
}
