//! `Reader`: takes a piece of work and yields its documents as decoded texts; loads one document again for verification.
//!
//! Pieces have three forms, each read by a file of its own: `files` that are one text each, `lines` of records, and
//! `batches` of what was unpacked. `reread` loads one document a second time.

mod batches;
mod files;
mod ids;
mod lines;
mod reread;

use std::fs::File;
use std::io;

use self::ids::IdNames;
use crate::document::Located;
use crate::input::decode::{Decoding, NotText};
use crate::input::paths::unusable;
use crate::input::piece::PieceKind;
use crate::input::settings::Inputs;
use crate::input::spool::Sources;
use crate::input::unpack::records::absent::AbsentFields;
use crate::input::unpack::records::fields::Fields;
use crate::input::unpack::records::record::Record;
use crate::problem::{Problem, Reason};

/// A buffer that one huge document has grown beyond this is given back.
const KEPT_BUFFER: usize = 4 << 20;
/// What is said of a document in which bytes were replaced.
const REPLACED: &str = "bytes that are not of its encoding count as U+FFFD";

/// A document as it is read.
#[derive(Debug)]
pub(crate) struct Document<'a> {
    pub(crate) name: GivenName<'a>,
    pub(crate) located: Located,
    /// Decoded: valid UTF-8. In the buffer that it was read into, which the caller may change.
    pub(crate) text: &'a mut Vec<u8>,
    /// Bytes as stored.
    pub(crate) num_bytes: u64,
    /// The value of the field that groups records.
    pub(crate) group: Option<&'a [u8]>,
}

/// How a document, or a problem in a piece, is named.
#[derive(Debug, Clone, Copy)]
pub(crate) enum GivenName<'a> {
    /// A path.
    Path(&'a [u8]),
    /// A member of an archive, or what was unpacked under the name of its file.
    Member(&'a [u8]),
    /// A record's id, perhaps with its file before it, and the line it stands on, counted from 0 at the start of the piece.
    Id(&'a [u8], u64),
    /// A record without an id.
    Line(u64),
}

impl<'a> GivenName<'a> {
    /// The name that a document came with; empty for a record without an id.
    pub(crate) fn bytes(&self) -> &'a [u8] {
        match *self {
            Self::Path(name) | Self::Member(name) | Self::Id(name, _) => name,
            Self::Line(_) => &[],
        }
    }
}

/// What a piece yields: documents, and records that cannot be used, by line from the piece's start.
pub(crate) enum Item<'a> {
    Document(Document<'a>),
    Problem(Problem),
    RecordProblem {
        line: u64,
        reason: Reason,
        detail: String,
    },
    /// Of a record that is used all the same.
    RecordNote {
        line: u64,
        reason: Reason,
        detail: String,
    },
}

/// What there is to say of a piece of records when it is read.
#[derive(Debug, Default)]
pub(crate) struct Ended {
    /// The lines that start in it.
    pub(crate) num_lines: u64,
    /// Which fields its records do not have; nothing where there are no records, or a header names the fields.
    pub(crate) absent: Option<AbsentFields>,
}

/// Reads documents; one a thread, since it keeps its buffers and the last source.
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

/// Why bytes in memory are no document.
enum NoDocument {
    NotText(NotText),
    Other(Reason, String),
    /// There is no room for a temporary file.
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
    pub(crate) fn read_piece(&mut self, piece: PieceKind, pass: &mut dyn FnMut(Item)) -> Ended {
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
                    Ended::default()
                });
            }
            PieceKind::Lines { source, lines, permit: _permit } => return self.read_lines(source, &lines, pass),
            PieceKind::Batch { batch, permit: _permit } => return self.read_batch(&batch, pass),
        }
        Ended::default()
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
