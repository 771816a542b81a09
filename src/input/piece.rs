//! `Piece`: the unit of work that the walk and the unpacking threads hand to the workers; numbers give document order.

use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex};

use crate::document::OffsetsOf;
use crate::problem::{Problem, Reason};

/// Bytes that may be unpacked and not yet worked on, besides what is larger than that alone.
const UNPACKED_BYTES: u64 = 64 << 20;

/// A piece of work; the numbers grow in document order.
#[derive(Debug)]
pub(crate) struct Piece {
    pub(crate) number: u64,
    pub(crate) kind: PieceKind,
    /// Bytes of the files that it was made of, as stored; 0 when they are texts, or cannot be told.
    pub(crate) input_bytes: u64,
}

impl Piece {
    /// The number of a piece of what the walk found at a place.
    ///
    /// * `place`: counts what the walk finds.
    /// * `part`: counts the pieces of it.
    pub(super) fn number(place: u64, part: u64) -> u64 {
        debug_assert!(place >> 32 == 0 && part >> 32 == 0);
        place << 32 | part
    }

    /// Whether pieces with these numbers are of one thing that the walk found.
    pub(super) fn is_of_one_place(a: u64, b: u64) -> bool {
        a >> 32 == b >> 32
    }

    /// What it counts for in the progress of a run.
    pub(crate) fn units(&self) -> u64 {
        match &self.kind {
            PieceKind::Files { paths, .. } => paths.len() as u64,
            _ => 1,
        }
    }
}

/// What a piece is.
#[derive(Debug)]
pub(crate) enum PieceKind {
    /// Files of one text each; `named` when each was given as an argument.
    Files { paths: Vec<PathBuf>, named: bool },
    /// The records that start in a range of a file's bytes.
    Records { source: u32, start: u64, end: u64 },
    /// Whole lines of records, unpacked.
    Lines { source: u32, lines: Vec<u8>, permit: Permit },
    /// Rows, and whole documents, unpacked.
    Batch { batch: Batch, permit: Permit },
    /// An input that cannot be used.
    Problem(Problem),
}

impl PieceKind {
    /// Whose records these are.
    pub(crate) fn source(&self) -> Option<u32> {
        match self {
            Self::Records { source, .. } | Self::Lines { source, .. } => Some(*source),
            Self::Batch { batch, .. } => batch.source,
            Self::Files { .. } | Self::Problem(_) => None,
        }
    }
}

/// Documents, or rows of a source, or what is wrong with them, in order.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// Whose rows these are.
    pub(crate) source: Option<u32>,
    /// How many lines of the source they are, where lines are counted on from batch to batch.
    pub(super) num_lines: u64,
    /// Names or ids, and texts, one after another.
    pub(super) bytes: Vec<u8>,
    pub(super) items: Vec<BatchItem>,
}

#[derive(Debug)]
pub(super) enum BatchItem {
    /// A whole document: lengths of its name and content, and how it is read.
    Document {
        name: usize,
        content: usize,
        is_html: bool,
        filter: Option<usize>,
        named: bool,
        /// What offsets in it are offsets in.
        of: OffsetsOf,
    },
    /// A row: its line, counted from 0, lengths of its id and group, if it has them, and of its text, and bytes as stored;
    /// whether the text has an element of a set on each line.
    Row {
        line: u64,
        id: Option<usize>,
        group: Option<usize>,
        text: usize,
        num_bytes: u64,
        is_set: bool,
    },
    Problem(Problem),
    RowProblem {
        line: u64,
        reason: Reason,
        detail: String,
    },
}

/// Bounds what is unpacked ahead of the workers.
#[derive(Debug, Default)]
pub(super) struct Budget(Arc<(Mutex<u64>, Condvar)>);

/// Leave to hold some unpacked bytes; dropped with them.
#[derive(Debug)]
pub(crate) struct Permit {
    budget: Arc<(Mutex<u64>, Condvar)>,
    num_bytes: u64,
}

impl Budget {
    /// Waits until the bytes fit beside the others, or are alone.
    pub(super) fn take(&self, num_bytes: u64) -> Permit {
        let (taken, freed) = &*self.0;
        let taken = taken.lock().expect("no holder panics");
        let mut taken = freed
            .wait_while(taken, |taken| *taken > 0 && *taken + num_bytes > UNPACKED_BYTES)
            .expect("no holder panics");
        *taken += num_bytes;
        Permit { budget: Arc::clone(&self.0), num_bytes }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let (taken, freed) = &*self.budget;
        *taken.lock().expect("no holder panics") -= self.num_bytes;
        freed.notify_all();
    }
}
