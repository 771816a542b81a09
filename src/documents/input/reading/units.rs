//! `walk_inputs`: walks the inputs, and joins their files to documents where settings request it.
//!
//! Documents that are joined from files cannot be pieces of the walk, since the files of one document may be anywhere. So
//! one thread reads all files in document order and writes their texts to a temporary file. Then each document gets the
//! texts of its files, with the name of the file before each. Documents have the order of their first files.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::sync::Mutex;

use super::absent_by_source::AbsentBySource;
use super::folded_piece::{Fold, Folded, FoldedPiece, fold_piece};
use super::places::Places;
use super::reader::{Document, DocumentName, Reader};
use crate::base::error::Result;
use crate::base::observe::Unwatched;
use crate::base::problem::{Problem, Reason};
use crate::base::setting::Setting;
use crate::base::storage::{read_at, temporary_file, write_at};
use crate::documents::document::{GroupBy, GroupSettings, UnitBy, host_of};
use crate::documents::input::messages::too_large;
use crate::documents::input::paths::path_bytes;
use crate::documents::input::piece::{Batch, BatchItem, Budget, Piece, PieceKind, ReadyText};
use crate::documents::input::settings::{InputSettings, Inputs};
use crate::documents::input::streams::spool::Sources;
use crate::documents::input::walk::{Walked, walk, walk_in_order};
use crate::text::code::StatedSyntax;
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
        Some(unit) => walk_units(inputs, threads, unit, sources, send),
    }
}

/// Walks the inputs like [`walk_in_order`].
pub(super) fn walk_inputs_in_order(
    inputs: Inputs,
    threads: usize,
    sources: &Sources,
    send: &(dyn Fn(Piece) -> bool + Sync),
) {
    match &inputs.unit {
        None => drop(walk_in_order(inputs, threads, sources, send)),
        Some(unit) => drop(walk_units(inputs, threads, unit, sources, send)),
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
    /// The language that it states.
    syntax: StatedSyntax,
}

/// Writes the texts of files to a temporary file.
struct Spooling {
    texts: File,
    end: u64,
    failure: Option<io::Error>,
}

/// The files of a piece, and for each record without an id its line in the piece.
#[derive(Default)]
struct PieceFiles(Vec<(UnitFile, Option<u64>)>);

impl Folded for PieceFiles {
    fn num_documents(&self) -> usize {
        self.0.len()
    }
}

impl Fold for Spooling {
    type Output = PieceFiles;

    fn add(&mut self, piece: &mut FoldedPiece<PieceFiles>, document: Document) -> Result<()> {
        if let Err(error) = write_at(&self.texts, self.end, document.text) {
            self.failure.get_or_insert(error);
            return Ok(());
        }
        let (name, line) = match document.name {
            DocumentName::Path(name) | DocumentName::Member(name) | DocumentName::Id(name, _) => (name.to_vec(), None),
            DocumentName::Line(line) => (Vec::new(), Some(line)),
        };
        let file = UnitFile {
            piece: piece.number,
            name,
            source: None,
            field: document.group.map(<[u8]>::to_vec),
            offset: self.end,
            len: document.text.len(),
            num_bytes: document.num_bytes,
            syntax: document.syntax,
        };
        self.end += file.len as u64;
        piece.folded.0.push((file, line));
        Ok(())
    }
}

/// The files of all documents.
#[derive(Default)]
struct UnitFiles {
    files: Vec<UnitFile>,
    /// Problems, each with the number of the piece.
    problems: Vec<(u64, Problem)>,
    places: Places,
    absent: AbsentBySource,
    /// The sources of records, each with the number of its first piece.
    sources: Vec<(u32, u64)>,
}

/// Reads all files, and sends the documents that they are joined to.
fn walk_units(
    inputs: Inputs,
    threads: usize,
    unit: &UnitBy,
    sources: &Sources,
    send: &(dyn Fn(Piece) -> bool + Sync),
) -> Walked {
    let texts = match temporary_file() {
        Ok(texts) => texts,
        Err(error) => {
            sources.fail_to_keep(Setting::Unit.name().as_bytes(), error);
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
    let spooling = Spooling { texts, end: 0, failure: None };
    let read = Mutex::new((Reader::new(of_files, &file_sources), spooling, UnitFiles::default()));
    let walked = walk_in_order(of_files, 1, &file_sources, &|piece| {
        let mut read = read.lock().expect("no holder panics");
        let (reader, spooling, files) = &mut *read;
        match fold_piece(reader, spooling, piece, &Unwatched) {
            Ok(piece) => files.add(piece, &file_sources),
            Err(error) => file_sources.fail(error),
        }
        spooling.failure.is_none() && !file_sources.has_failed() && !sources.has_failed()
    });
    let (_, spooling, files) = read.into_inner().expect("no holder panics");
    if let Some(error) = spooling.failure {
        sources.fail_to_keep(Setting::Unit.name().as_bytes(), error);
    } else if let Err(error) = file_sources.check() {
        sources.fail(error);
    } else {
        (0..file_sources.num_ignored()).for_each(|_| sources.see_ignored());
        sources.see_kinds(&file_sources);
        let sender = UnitSender::new(&walked, threads, &spooling.texts, send);
        return files.with_notes(&file_sources).send(unit, sender, sources);
    }
    Walked::default()
}

impl UnitFiles {
    /// Adds the files of a piece.
    fn add(&mut self, mut piece: FoldedPiece<PieceFiles>, sources: &Sources) {
        if let Some(source) = self.places.enter(&piece, sources) {
            self.sources.push((source, piece.number));
        }
        self.absent.add(&mut piece);
        let source = piece.lines.map(|_| self.places.source_name().to_vec());
        self.files.extend(piece.folded.0.into_iter().map(|(file, line)| {
            let name = line.map_or(file.name, |line| self.places.place(line));
            UnitFile { name, source: source.clone(), ..file }
        }));
        let problems = piece.problems.into_iter().filter_map(|(_, problem)| self.places.problem(problem));
        self.problems.extend(problems.map(|problem| (piece.number, problem)));
        self.places.leave(piece.lines);
    }

    /// Adds the notes about fields that no record of a source has, before other problems of that source.
    fn with_notes(mut self, sources: &Sources) -> Self {
        let note = |(source, piece)| Some((piece, self.absent.take_note(source, sources)?));
        let mut problems: Vec<(u64, Problem)> =
            std::mem::take(&mut self.sources).into_iter().filter_map(note).collect();
        problems.append(&mut self.problems);
        problems.sort_by_key(|&(piece, _)| piece);
        Self { problems, ..self }
    }

    /// Sends all documents, in the order of their first files.
    fn send(self, unit: &UnitBy, mut sender: UnitSender, sources: &Sources) -> Walked {
        let walked = sender.walked;
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
        let joins_nothing = units.len() > 1 && units.iter().all(|(_, files)| files.len() == 1);
        let mut problems = self.problems.into_iter().peekable();
        for (name, files) in units {
            let first = files[0].piece;
            while let Some((_, problem)) = problems.next_if(|&(piece, _)| piece <= first) {
                sender.problem(problem);
            }
            sender.enter(first);
            // Escapes of a name in its heading have up to five characters for each byte; a language has up to ten.
            let len: u64 = files.iter().map(|file| file.len as u64 + 8 * file.name.len() as u64 + 14).sum();
            if len > MOST_BYTES {
                let place = String::from_utf8_lossy(&name);
                sender.problem(Problem::error(place, Reason::TooLarge, too_large(MOST_BYTES)));
                continue;
            }
            if let Err(error) = sender.document(&name, &files) {
                sources.fail_to_keep(&name, error);
                break;
            }
            if !sender.is_open {
                break;
            }
        }
        problems.for_each(|(_, problem)| sender.problem(problem));
        if joins_nothing {
            let detail = "every document has a single file, so no files were joined; choose another key";
            sender.problem(Problem::note(Setting::Unit.name(), Reason::NothingJoined, detail));
        }
        sender.finish()
    }
}

/// The name of the document that a file belongs to; `None` if the file is a separate document.
fn unit_name(unit: &UnitBy, walked: &Walked, file: &UnitFile) -> Option<Vec<u8>> {
    match unit {
        UnitBy::Group(GroupBy::Field(_)) => file.field.clone(),
        UnitBy::Group(GroupBy::Host) => host_of(&file.name),
        UnitBy::Path => walked.root(file.piece).map(|root| path_bytes(root).to_vec()),
        UnitBy::Canvas => UnitBy::person_of_canvas(&file.name),
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
    /// The temporary file with the texts of all files.
    texts: &'a File,
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
    fn new(walked: &'a Walked, threads: usize, texts: &'a File, send: &'a (dyn Fn(Piece) -> bool + Sync)) -> Self {
        let (budget, batch) = (Budget::new(threads), Batch::default());
        Self { walked, texts, send, budget, batch, place: 0, is_open: true, against: None }
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
    fn document(&mut self, name: &[u8], files: &[&UnitFile]) -> io::Result<()> {
        let (mut text, mut file_text) = (Vec::new(), Vec::new());
        for file in files {
            file_text.clear();
            read_at(self.texts, file.offset, file.len, &mut file_text)?;
            push_file(&mut text, &file.name, file.syntax, &file_text);
        }
        let num_bytes = files.iter().map(|file| file.num_bytes).sum();
        self.batch.bytes.extend_from_slice(name);
        self.batch.bytes.extend_from_slice(&text);
        let ready = ReadyText::whole(num_bytes, false);
        self.batch.items.push(BatchItem::Text { name: name.len(), text: text.len(), ready });
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
