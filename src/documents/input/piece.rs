//! `Piece`: the unit of work that the walk and the unpacking threads hand to the workers. Piece numbers give document
//! order.

use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex};

use crate::base::problem::{Problem, Reason};
use crate::documents::document::{Markup, OffsetsOf};
use crate::text::code::StatedSyntax;

/// Maximum bytes of unpacked content for each thread that waits for a worker or is in work, and for all threads. A single
/// larger item is admitted when nothing else waits. With 4 MiB a thread, three batches wait while one is in work.
const UNPACKED_BYTES: u64 = 4 << 20;
const MOST_UNPACKED_BYTES: u64 = 64 << 20;

/// A piece of work; the numbers grow in document order.
#[derive(Debug)]
pub(crate) struct Piece {
    pub(crate) number: u64,
    pub(crate) kind: PieceKind,
    /// Bytes of the files that the piece was made from, as stored; 0 for files of one text, and when the number is
    /// unknown.
    pub(crate) input_bytes: u64,
}

impl Piece {
    /// The number of a piece of an input that the walk found.
    ///
    /// * `place`: counts the inputs that the walk finds.
    /// * `part`: counts the pieces of the input.
    pub(super) fn number(place: u64, part: u64) -> u64 {
        debug_assert!(place >> 32 == 0 && part >> 32 == 0);
        place << 32 | part
    }

    /// Whether pieces with these numbers come from the same input of the walk.
    pub(super) fn is_of_one_place(a: u64, b: u64) -> bool {
        a >> 32 == b >> 32
    }

    /// How many units of a run's progress the piece counts for.
    pub(crate) fn units(&self) -> u64 {
        match &self.kind {
            PieceKind::Files { paths, .. } => paths.len() as u64,
            _ => 1,
        }
    }
}

/// The content of a piece.
#[derive(Debug)]
pub(crate) enum PieceKind {
    /// Files of one text each. `named` is set when each file was given as an argument.
    Files { paths: Vec<PathBuf>, named: bool },
    /// The records that start in a byte range of a file.
    Records { source: u32, start: u64, end: u64 },
    /// Whole lines of records, unpacked into memory.
    Lines { source: u32, lines: Vec<u8>, permit: Permit },
    /// Rows and whole documents, unpacked into memory.
    Batch { batch: Batch, permit: Permit },
    /// An input that cannot be used.
    Problem(Problem),
}

impl PieceKind {
    /// The source of the records.
    pub(crate) fn source(&self) -> Option<u32> {
        match self {
            Self::Records { source, .. } | Self::Lines { source, .. } => Some(*source),
            Self::Batch { batch, .. } => batch.source,
            Self::Files { .. } | Self::Problem(_) => None,
        }
    }
}

/// Documents, or rows of a source, and their problems, in order.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// The source of the rows.
    pub(crate) source: Option<u32>,
    /// The number of lines of the source that the batch covers. Line numbers continue from batch to batch.
    pub(super) num_lines: u64,
    /// Names or ids, and texts, concatenated.
    pub(super) bytes: Vec<u8>,
    pub(super) items: Vec<BatchItem>,
}

#[derive(Debug)]
pub(super) enum BatchItem {
    /// A whole document: the lengths of its name and content, and how to read it.
    Document {
        name: usize,
        content: usize,
        markup: Markup,
        filter: Option<usize>,
        named: bool,
        /// Which bytes the offsets in the document count.
        of: OffsetsOf,
    },
    /// A document whose text is ready: the lengths of its name and text.
    Text {
        name: usize,
        text: usize,
        ready: ReadyText,
    },
    /// A row: its line, from 0; the lengths of its id and group, if present, and of its text; its bytes as stored; and
    /// whether each line of the text is an element of a set.
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

/// A text that is ready: it needs no decoding.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReadyText {
    /// The bytes of the document as stored.
    pub(super) num_bytes: u64,
    /// Whether bytes that are invalid in its encoding were replaced.
    pub(super) was_replaced: bool,
    /// Which bytes the offsets in the document count.
    pub(super) of: OffsetsOf,
    /// The line of a record of the batch's source, from 0; `None` for a whole document.
    pub(super) line: Option<u64>,
    /// The language that the document states, if it is a program.
    pub(super) syntax: StatedSyntax,
}

impl ReadyText {
    /// A whole document whose original bytes are not kept.
    pub(super) fn whole(num_bytes: u64, was_replaced: bool) -> Self {
        Self { num_bytes, was_replaced, of: OffsetsOf::Text, line: None, syntax: StatedSyntax::None }
    }
}

/// Limits the bytes that are unpacked before workers need them.
#[derive(Debug)]
pub(super) struct Budget {
    taken: Arc<(Mutex<u64>, Condvar)>,
    most: u64,
}

/// Permission to hold some unpacked bytes. Dropping it returns the bytes to the budget.
#[derive(Debug)]
pub(crate) struct Permit {
    budget: Arc<(Mutex<u64>, Condvar)>,
    num_bytes: u64,
}

impl Budget {
    /// * `threads`: the number of threads that work on what is unpacked.
    pub(super) fn new(threads: usize) -> Self {
        // The thread that unpacks fills one more batch.
        let most = UNPACKED_BYTES.saturating_mul(threads as u64 + 1).min(MOST_UNPACKED_BYTES);
        Self { taken: Arc::default(), most }
    }

    /// Waits until the bytes fit into the budget, or until nothing else is in it.
    pub(super) fn take(&self, num_bytes: u64) -> Permit {
        let (taken, freed) = &*self.taken;
        let taken = taken.lock().expect("no holder panics");
        let mut taken =
            freed.wait_while(taken, |taken| *taken > 0 && *taken + num_bytes > self.most).expect("no holder panics");
        *taken += num_bytes;
        Permit { budget: Arc::clone(&self.taken), num_bytes }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let (taken, freed) = &*self.budget;
        *taken.lock().expect("no holder panics") -= self.num_bytes;
        freed.notify_all();
    }
}
