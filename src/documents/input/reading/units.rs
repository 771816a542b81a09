//! `walk_inputs`: walks the inputs, and joins their files to documents where settings request it.
//!
//! Documents that are joined from files cannot be pieces of the walk, since the files of one document may be anywhere. So
//! one thread reads all files in document order and writes their texts to a temporary file. Then each document gets the
//! texts of its files, with the name of the file before each. Documents have the order of their first files.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::sync::Mutex;

use super::reader::{Document, DocumentName, Item, Reader};
use crate::base::problem::{Problem, Reason};
use crate::base::storage::{read_at, temporary_file, write_at};
use crate::documents::document::{GroupBy, GroupSettings, UnitBy, host_of};
use crate::documents::input::messages::too_large;
use crate::documents::input::paths::path_bytes;
use crate::documents::input::piece::{Batch, BatchItem, Budget, Piece, PieceKind};
use crate::documents::input::settings::{InputSettings, Inputs};
use crate::documents::input::streams::spool::Sources;
use crate::documents::input::walk::{Walked, walk, walk_in_order};
use crate::text::joined::push_file;

/// Bytes after which a batch of documents is sent.
const BATCH_BYTES: usize = 1 << 20;
/// Maximum length of a document.
const MOST_BYTES: u64 = u32::MAX as u64 - 1;

/// Walks the inputs like [`walk`]. Where files are joined to documents, each piece has whole documents.
pub(super) fn walk_inputs(
    inputs: Inputs,
    threads: usize,
    sources: &Sources,
    send: &(dyn Fn(Piece) -> bool + Sync),
) -> Walked {
    match &inputs.unit {
        None => walk(inputs, threads, sources, send),
        Some(unit) => walk_units(inputs, unit, sources, send),
    }
}

/// Walks the inputs like [`walk_in_order`].
pub(super) fn walk_inputs_in_order(inputs: Inputs, sources: &Sources, send: &(dyn Fn(Piece) -> bool + Sync)) {
    match &inputs.unit {
        None => drop(walk_in_order(inputs, sources, send)),
        Some(unit) => drop(walk_units(inputs, unit, sources, send)),
    }
}

/// A file, or a record, that belongs to a document.
struct UnitFile {
    /// The number of its piece.
    piece: u64,
    name: Vec<u8>,
    /// The path of its file, if it is a record.
    source: Option<Vec<u8>>,
    field: Option<Vec<u8>>,
    /// The place of its text in the temporary file.
    offset: u64,
    len: usize,
    num_bytes: u64,
}

/// The files of all documents, and their texts.
struct UnitFiles {
    texts: File,
    end: u64,
    files: Vec<UnitFile>,
    /// Problems, each with the number of the piece.
    problems: Vec<(u64, Problem)>,
    /// The source of the last piece of records, and the lines of it before the next one.
    source: Option<(u32, u64)>,
    failure: Option<io::Error>,
}

/// Reads all files, and sends the documents that they are joined to.
fn walk_units(inputs: Inputs, unit: &UnitBy, sources: &Sources, send: &(dyn Fn(Piece) -> bool + Sync)) -> Walked {
    let texts = match temporary_file() {
        Ok(texts) => texts,
        Err(error) => {
            sources.fail_to_keep(b"--unit", error);
            return Walked::default();
        }
    };
    // The walk notes the folders and archives where groups are folders.
    let by = match unit {
        UnitBy::Group(GroupBy::Field(name)) => GroupBy::Field(name.clone()),
        _ => GroupBy::Folder { depth: None },
    };
    let groups = Some(GroupSettings { by, within: false, with_names: false });
    let settings = InputSettings { unit: None, groups, value_field: None, ..inputs.settings.clone() };
    let of_files = Inputs { settings: &settings, ..inputs };
    let file_sources = Sources::read_once(sources.cancel().clone());
    let (files, problems) = (Vec::new(), Vec::new());
    let read = UnitFiles { texts, end: 0, files, problems, source: None, failure: None };
    let read = Mutex::new((Reader::new(of_files, &file_sources), read));
    let walked = walk_in_order(of_files, &file_sources, &|piece| {
        let mut read = read.lock().expect("no holder panics");
        let (reader, files) = &mut *read;
        files.add(reader, piece, &file_sources);
        files.failure.is_none() && !file_sources.has_failed() && !sources.has_failed()
    });
    let (_, read) = read.into_inner().expect("no holder panics");
    if let Some(error) = read.failure {
        sources.fail_to_keep(b"--unit", error);
    } else if let Err(error) = file_sources.check() {
        sources.fail(error);
    } else {
        (0..file_sources.num_ignored()).for_each(|_| sources.see_ignored());
        sources.see_kinds(&file_sources);
        return read.send(unit, &walked, sources, send);
    }
    Walked::default()
}

impl UnitFiles {
    /// Reads a piece.
    fn add(&mut self, reader: &mut Reader, piece: Piece, sources: &Sources) {
        let source = piece.kind.source();
        if source.is_some() && source != self.source.map(|(source, _)| source) {
            self.source = source.map(|source| (source, 0));
        }
        let source_name = source.map(|source| sources.name(source));
        let before = self.source.filter(|_| source.is_some()).map_or(0, |(_, lines)| lines);
        let place = |line: u64| {
            let mut place = source_name.clone().unwrap_or_default();
            place.extend_from_slice(format!(":{}", before + line + 1).as_bytes());
            place
        };
        let at = |line| String::from_utf8_lossy(&place(line)).into_owned();
        let number = piece.number;
        let summary = reader.read_piece(piece.kind, &mut |item| match item {
            Item::Document(document) => {
                let name = match document.name {
                    DocumentName::Path(name) | DocumentName::Member(name) | DocumentName::Id(name, _) => name.to_vec(),
                    DocumentName::Line(line) => place(line),
                };
                self.add_file(number, name, source_name.clone(), document);
            }
            Item::Problem(problem) => self.problems.push((number, problem)),
            Item::RecordProblem { line, reason, detail } => {
                let problem = Problem::error(at(line), reason, detail);
                self.problems.push((number, Problem { is_error: reason != Reason::NoText, ..problem }));
            }
            Item::RecordNote { line, reason, detail } => {
                self.problems.push((number, Problem::note(at(line), reason, detail)));
            }
        });
        if let (Some((_, lines)), true) = (&mut self.source, source.is_some()) {
            *lines += summary.num_lines;
        }
    }

    fn add_file(&mut self, piece: u64, name: Vec<u8>, source: Option<Vec<u8>>, document: Document) {
        let (text, num_bytes) = (document.text, document.num_bytes);
        if let Err(error) = write_at(&self.texts, self.end, text) {
            self.failure.get_or_insert(error);
            return;
        }
        let field = document.group.map(<[u8]>::to_vec);
        self.files.push(UnitFile { piece, name, source, field, offset: self.end, len: text.len(), num_bytes });
        self.end += text.len() as u64;
    }

    /// Sends all documents, in the order of their first files.
    fn send(self, unit: &UnitBy, walked: &Walked, sources: &Sources, send: &(dyn Fn(Piece) -> bool + Sync)) -> Walked {
        let (mut units, mut numbers) = (Vec::<(Vec<u8>, Vec<&UnitFile>)>::new(), HashMap::new());
        for file in &self.files {
            let is_second = file.piece >= walked.against;
            let name = unit_name(unit, walked, file);
            let is_alone = name.is_none();
            let name = name.unwrap_or_else(|| file.name.clone());
            let next = units.len();
            let number = if is_alone { next } else { *numbers.entry((is_second, name.clone())).or_insert(next) };
            if number == next {
                units.push((name, Vec::new()));
            }
            units[number].1.push(file);
        }
        let mut sender = UnitSender::new(walked, send);
        let mut problems = self.problems.into_iter().peekable();
        for (name, files) in units {
            let first = files[0].piece;
            while let Some((_, problem)) = problems.next_if(|&(piece, _)| piece <= first) {
                sender.problem(problem);
            }
            sender.enter(first);
            // Escapes of a name in its heading have up to five characters for each byte.
            let len: u64 = files.iter().map(|file| file.len as u64 + 8 * file.name.len() as u64 + 4).sum();
            if len > MOST_BYTES {
                let place = String::from_utf8_lossy(&name);
                sender.problem(Problem::error(place, Reason::TooLarge, too_large(MOST_BYTES)));
                continue;
            }
            if let Err(error) = sender.document(&name, &files, &self.texts) {
                sources.fail_to_keep(&name, error);
                break;
            }
            if !sender.is_open {
                break;
            }
        }
        problems.for_each(|(_, problem)| sender.problem(problem));
        sender.finish()
    }
}

/// The name of the document that a file belongs to; `None` if the file is a separate document.
fn unit_name(unit: &UnitBy, walked: &Walked, file: &UnitFile) -> Option<Vec<u8>> {
    match unit {
        UnitBy::Group(GroupBy::Field(_)) => file.field.clone(),
        UnitBy::Group(GroupBy::Host) => host_of(&file.name),
        UnitBy::Path => walked.root(file.piece).map(|root| path_bytes(root).to_vec()),
        UnitBy::Group(GroupBy::Name(expression)) => GroupBy::matched(expression, &file.name).map(<[u8]>::to_vec),
        _ => {
            let name = file.source.as_ref().unwrap_or(&file.name);
            let root = walked.root(file.piece).map(path_bytes);
            let root = root.map(|root| root.strip_suffix(b"/").unwrap_or(root));
            let is_above = |root: &&[u8]| name.starts_with(root) && matches!(name.get(root.len()), Some(b'/' | b'!'));
            let root = root.filter(is_above);
            let len = unit.place_len(name, root.map(<[u8]>::len), walked.file_len(file.piece))?;
            Some(name[..len].to_vec())
        }
    }
}

/// Sends documents in batches.
struct UnitSender<'a> {
    walked: &'a Walked,
    send: &'a (dyn Fn(Piece) -> bool + Sync),
    budget: Budget,
    batch: Batch,
    /// The number of the next piece.
    place: u64,
    is_open: bool,
    /// The number of the first piece of the second side.
    against: Option<u64>,
}

impl<'a> UnitSender<'a> {
    fn new(walked: &'a Walked, send: &'a (dyn Fn(Piece) -> bool + Sync)) -> Self {
        let (budget, batch) = (Budget::default(), Batch::default());
        Self { walked, send, budget, batch, place: 0, is_open: true, against: None }
    }

    /// Begins a document, whose first file is in this piece of the walk.
    fn enter(&mut self, piece: u64) {
        if piece >= self.walked.against && self.against.is_none() {
            self.flush();
            self.against = Some(Piece::number(self.place, 0));
        }
    }

    fn problem(&mut self, problem: Problem) {
        self.batch.items.push(BatchItem::Problem(problem));
    }

    /// Adds a document that is joined from files.
    ///
    /// # Errors
    /// When the texts of the files cannot be read.
    fn document(&mut self, name: &[u8], files: &[&UnitFile], texts: &File) -> io::Result<()> {
        let (mut text, mut file_text) = (Vec::new(), Vec::new());
        for file in files {
            file_text.clear();
            read_at(texts, file.offset, file.len, &mut file_text)?;
            push_file(&mut text, &file.name, &file_text);
        }
        let num_bytes = files.iter().map(|file| file.num_bytes).sum();
        self.batch.bytes.extend_from_slice(name);
        self.batch.bytes.extend_from_slice(&text);
        let item = BatchItem::Text { name: name.len(), text: text.len(), num_bytes, was_replaced: false };
        self.batch.items.push(item);
        if self.batch.bytes.len() >= BATCH_BYTES {
            self.flush();
        }
        Ok(())
    }

    fn flush(&mut self) {
        if self.batch.items.is_empty() {
            return;
        }
        let batch = std::mem::take(&mut self.batch);
        let permit = self.budget.take(batch.bytes.capacity() as u64);
        let (number, kind) = (Piece::number(self.place, 0), PieceKind::Batch { batch, permit });
        self.is_open = self.is_open && (self.send)(Piece { number, kind, input_bytes: 0 });
        self.place += 1;
    }

    /// Sends the rest. Returns how the pieces relate to the inputs.
    fn finish(mut self) -> Walked {
        self.flush();
        Walked::of_sides(self.against.unwrap_or_else(|| Piece::number(self.place, 0)))
    }
}
