//! `FoldedPiece`: the documents of one piece of the inputs, folded into the type of a caller, and its problems.

use std::sync::Arc;

use super::reader::{Document, DocumentName, Item, Reader};
use crate::base::error::Result;
use crate::base::observe::Observer;
use crate::base::problem::{Problem, Reason};
use crate::documents::input::piece::{Piece, PieceKind};
use crate::documents::input::unpack::records::absent::AbsentFields;

/// Folds documents into a value. Each worker thread has its own instance.
pub(crate) trait Fold {
    /// The value into which the documents of a piece are folded.
    type Output: Folded;

    /// Adds the next document of a piece.
    ///
    /// # Errors
    /// When the run must end.
    fn add(&mut self, piece: &mut FoldedPiece<Self::Output>, document: Document) -> Result<()>;

    /// Ends a piece, after its last document.
    ///
    /// # Errors
    /// When the run must end.
    fn end(&mut self, _piece: &mut FoldedPiece<Self::Output>) -> Result<()> {
        Ok(())
    }
}

/// A value into which documents are folded.
pub(crate) trait Folded: Default + Send {
    /// The number of documents folded so far.
    fn num_documents(&self) -> usize;
}

/// For callers that keep no data about single documents.
impl Folded for () {
    fn num_documents(&self) -> usize {
        0
    }
}

/// The folded documents of one piece of the inputs, and its problems.
#[derive(Debug)]
pub(crate) struct FoldedPiece<P> {
    /// The number of the piece, which grows in document order.
    pub(crate) number: u64,
    /// For a piece of records: the source, and how many of its lines start in the piece.
    pub(crate) lines: Option<(u32, u64)>,
    /// The requested fields that none of the piece's records has.
    pub(crate) absent: Option<AbsentFields>,
    /// Problems, each with the number of documents of the piece that precede it.
    pub(crate) problems: Vec<(usize, PieceProblem)>,
    /// Bytes that the piece was read from, as stored; 0 for files of one text each.
    pub(crate) input_bytes: u64,
    /// Whether each document of the piece is a file.
    pub(crate) is_of_files: bool,
    /// The value into which the documents were folded.
    pub(crate) folded: P,
}

/// A problem with a named input, or with a record that the message identifies by its line.
#[derive(Debug)]
pub(crate) enum PieceProblem {
    Named(Problem),
    Record { line: u64, reason: Reason, detail: Arc<str>, is_error: bool },
}

/// Reads a piece and folds its documents.
///
/// # Errors
/// When the fold must end the run.
pub(crate) fn fold_piece<F: Fold>(
    reader: &mut Reader,
    fold: &mut F,
    piece: Piece,
    observer: &dyn Observer,
) -> Result<FoldedPiece<F::Output>> {
    // Progress is reported per file; a piece of many records is too short to report within it.
    let is_single = matches!(piece.kind, PieceKind::Files { .. } | PieceKind::Problem(_));
    let (source, units) = (piece.kind.source(), piece.units());
    let mut folded = FoldedPiece {
        number: piece.number,
        lines: None,
        absent: None,
        problems: Vec::new(),
        input_bytes: piece.input_bytes,
        is_of_files: matches!(piece.kind, PieceKind::Files { .. }),
        folded: F::Output::default(),
    };
    let (mut added, mut num_documents, mut num_bytes) = (Ok(()), 0, 0);
    let ended = reader.read_piece(piece.kind, &mut |item| match item {
        Item::Document(_) if added.is_err() => {}
        Item::Document(document) => {
            let document_bytes = document.num_bytes;
            added = fold.add(&mut folded, document);
            if is_single {
                observer.advance(1, 1, document_bytes);
            }
            (num_documents, num_bytes) = (num_documents + 1, num_bytes + document_bytes);
        }
        Item::Problem(problem) => {
            if is_single && problem.is_skip() {
                observer.advance(1, 0, 0);
            }
            folded.add_problem(PieceProblem::Named(problem));
        }
        // A record without a text is counted like an empty file, and is not an error.
        Item::RecordProblem { line, reason, detail } => {
            folded.add_record_problem(line, reason, detail, reason != Reason::NoText);
        }
        Item::RecordNote { line, reason, detail } => folded.add_record_problem(line, reason, detail, false),
    });
    if !is_single {
        observer.advance(units, num_documents, num_bytes);
    }
    folded.lines = source.map(|source| (source, ended.num_lines));
    folded.absent = ended.absent;
    added?;
    fold.end(&mut folded)?;
    Ok(folded)
}

impl<P> FoldedPiece<P> {
    /// The piece with another value for its documents.
    pub(crate) fn map<Q>(self, value: impl FnOnce(P) -> Q) -> FoldedPiece<Q> {
        let Self { number, lines, absent, problems, input_bytes, is_of_files, folded } = self;
        FoldedPiece { number, lines, absent, problems, input_bytes, is_of_files, folded: value(folded) }
    }
}

impl<P: Folded> FoldedPiece<P> {
    /// Adds a note about a document, which is not an error.
    pub(crate) fn add_note(&mut self, name: &DocumentName, reason: Reason, detail: String) {
        let named =
            |name: &[u8], detail| PieceProblem::Named(Problem::note(String::from_utf8_lossy(name), reason, detail));
        self.add_problem(match *name {
            DocumentName::Path(path) | DocumentName::Member(path) => named(path, detail),
            // A person who looks for a skipped document knows it by its id.
            DocumentName::Id(id, _) if reason == Reason::FewTokens => named(id, detail),
            DocumentName::Id(_, line) | DocumentName::Line(line) => {
                return self.add_record_problem(line, reason, detail, false);
            }
        });
    }

    /// Adds a problem with a record. Consecutive records with the same problem share the text of the message.
    fn add_record_problem(&mut self, line: u64, reason: Reason, detail: String, is_error: bool) {
        let detail = match self.problems.last() {
            Some((_, PieceProblem::Record { detail: last, .. })) if **last == *detail => Arc::clone(last),
            _ => detail.into(),
        };
        self.add_problem(PieceProblem::Record { line, reason, detail, is_error });
    }

    fn add_problem(&mut self, problem: PieceProblem) {
        self.problems.push((self.folded.num_documents(), problem));
    }

    /// Whether a problem of the piece is an error.
    pub(super) fn has_error(&self) -> bool {
        self.problems.iter().any(|(_, problem)| match problem {
            PieceProblem::Named(problem) => problem.is_error,
            PieceProblem::Record { is_error, .. } => *is_error,
        })
    }
}
