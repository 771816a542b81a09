//! `Reader`: reads a piece of work and yields its documents as decoded texts, and reads a single document again for
//! verification.
//!
//! Pieces have three forms, each read by its own module: `files` of one text each, `lines` of records, and `batches` of
//! unpacked content. `reread` reads one document a second time.

mod batches;
mod extracted;
mod files;
mod ids;
mod lines;
mod reread;

use std::fs::File;
use std::io;

use self::ids::IdNames;
use crate::base::problem::{Problem, Reason};
use crate::documents::document::DocumentLocation;
use crate::documents::input::bytes::decode::{Decoding, NotText};
use crate::documents::input::paths::unusable;
use crate::documents::input::piece::PieceKind;
use crate::documents::input::settings::Inputs;
use crate::documents::input::streams::spool::Sources;
use crate::documents::input::unpack::records::absent::AbsentFields;
use crate::documents::input::unpack::records::fields::Fields;
use crate::documents::input::unpack::records::record::Record;
use crate::text::code::StatedSyntax;

/// Capacity in bytes above which a buffer is freed instead of reused.
const KEPT_BUFFER: usize = 4 << 20;
/// The note about a document in which bytes were replaced.
const REPLACED: &str = "bytes that are not of its encoding count as U+FFFD";

/// A document as it is read.
#[derive(Debug)]
pub(crate) struct Document<'a> {
    pub(crate) name: DocumentName<'a>,
    pub(crate) located: DocumentLocation,
    /// The decoded text, valid UTF-8, in the reader's buffer, which the caller may change.
    pub(crate) text: &'a mut Vec<u8>,
    /// Bytes of the document as stored.
    pub(crate) num_bytes: u64,
    /// The value of the field that groups records.
    pub(crate) group: Option<&'a [u8]>,
    /// The language that the document states, if it is a program.
    pub(crate) syntax: StatedSyntax,
}

/// The name of a document, or of a problem in a piece.
#[derive(Debug, Clone, Copy)]
pub(crate) enum DocumentName<'a> {
    /// The path of a file.
    Path(&'a [u8]),
    /// The name of a member of an archive, or the name of a file whose content was unpacked.
    Member(&'a [u8]),
    /// A record's id, possibly prefixed with its file, and its line, counted from 0 at the start of the piece.
    Id(&'a [u8], u64),
    /// The line of a record without an id, counted from 0 at the start of the piece.
    Line(u64),
}

impl<'a> DocumentName<'a> {
    /// The name that came with a document; empty for a record without an id.
    pub(crate) fn bytes(&self) -> &'a [u8] {
        match *self {
            Self::Path(name) | Self::Member(name) | Self::Id(name, _) => name,
            Self::Line(_) => &[],
        }
    }
}

/// An item of a piece: a document, or a record that cannot be used. Lines count from the piece's start.
pub(crate) enum Item<'a> {
    Document(Document<'a>),
    Problem(Problem),
    RecordProblem {
        line: u64,
        reason: Reason,
        detail: String,
    },
    /// A note about a record that is used despite it.
    RecordNote {
        line: u64,
        reason: Reason,
        detail: String,
    },
}

/// Facts about a piece that are known once it was read.
#[derive(Debug, Default)]
pub(crate) struct PieceSummary {
    /// The number of lines that start in the piece.
    pub(crate) num_lines: u64,
    /// The requested fields that the piece's records lack; `None` without records, or when a header lists the fields.
    pub(crate) absent: Option<AbsentFields>,
}

/// Reads documents. Each thread has its own reader, which keeps its buffers and the last source.
pub(crate) struct Reader<'a> {
    inputs: Inputs<'a>,
    sources: &'a Sources,
    fields: Fields,
    decoding: Decoding,
    bytes: Vec<u8>,
    text: Vec<u8>,
    record: Record,
    ids: IdNames,
    open: Option<(u32, File)>,
}

/// The reason why bytes in memory are not a document.
enum NoDocument {
    NotText(NotText),
    Other(Reason, String),
    /// A temporary file could not be written.
    Keep(io::Error),
}

impl<'a> Reader<'a> {
    pub(crate) fn new(inputs: Inputs<'a>, sources: &'a Sources) -> Self {
        Self {
            inputs,
            sources,
            fields: Fields::new(inputs),
            decoding: Decoding::new(inputs),
            bytes: Vec::new(),
            text: Vec::new(),
            record: Record::default(),
            ids: IdNames::new(inputs.id_prefix),
            open: None,
        }
    }

    /// Reads all documents of a piece and passes them on in order.
    pub(crate) fn read_piece(&mut self, piece: PieceKind, pass: &mut dyn FnMut(Item)) -> PieceSummary {
        match piece {
            PieceKind::Problem(problem) => pass(Item::Problem(problem)),
            PieceKind::Files { paths, named } => {
                for path in &paths {
                    self.read_file(path, named, pass);
                }
            }
            PieceKind::Records { source, start, end } => {
                return self.read_records(source, start, end, pass).unwrap_or_else(|error| {
                    pass(Item::Problem(unusable(&self.sources.get(source).name, &error)));
                    PieceSummary::default()
                });
            }
            PieceKind::Lines { source, lines, permit: _permit } => return self.read_lines(source, &lines, pass),
            PieceKind::Batch { batch, permit: _permit } => return self.read_batch(&batch, pass),
        }
        PieceSummary::default()
    }

    fn recycle(&mut self) {
        for buffer in [&mut self.bytes, &mut self.text] {
            if buffer.capacity() > KEPT_BUFFER {
                *buffer = Vec::new();
            }
            buffer.clear();
        }
    }
}
