//! The reader: brings one document's normalised text into memory, the first time and again for verification.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::decode::{NotText, decode};
use super::group_field;
use super::records::{self, Record};
use super::spool::{Sources, read_at};
use super::walk::{PieceKind, unusable};
use super::{path_bytes, path_of};
use crate::config::InputConfig;
use crate::document::Located;
use crate::error::{Problem, Reason};
use crate::group_by::GroupBy;
use crate::normalize::normalize_utf8;

/// A buffer that one huge document has grown beyond this is given back.
const KEPT_BUFFER: usize = 64 << 20;
/// How far a reader looks for the end of a line at a time.
const LOOK_AHEAD: usize = 64 << 10;

/// A document as it is read, its text normalised.
#[derive(Debug)]
pub(crate) struct Document<'a> {
    pub(crate) name: Name<'a>,
    pub(crate) located: Located,
    /// Valid UTF-8.
    pub(crate) text: &'a [u8],
    /// Bytes as stored.
    pub(crate) num_bytes: u64,
    /// The value of the field that groups records.
    pub(crate) group: Option<String>,
}

/// How a document, or a problem in a piece, is named.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Name<'a> {
    /// A path.
    Path(&'a [u8]),
    /// A record's id, and the line it stands on, counted from 0 at the start of the piece.
    Id(&'a str, u64),
    /// A record without an id.
    Line(u64),
}

/// What a piece yields: documents, and records that cannot be used, by line from the piece's start.
pub(crate) enum Item<'a> {
    Document(Document<'a>),
    Problem(Problem),
    RecordProblem { line: u64, reason: Reason, detail: String },
}

/// Reads documents; one a thread, since it keeps its buffers and the last source.
pub(crate) struct Reader<'a> {
    config: &'a InputConfig,
    sources: &'a Sources,
    bytes: Vec<u8>,
    text: Vec<u8>,
    record: Record,
    open: Option<(u32, File)>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(config: &'a InputConfig, sources: &'a Sources) -> Self {
        Self { config, sources, bytes: Vec::new(), text: Vec::new(), record: Record::default(), open: None }
    }

    /// Reads all documents of a piece and passes them on in order; returns the number of lines of a piece of records.
    pub(crate) fn read_piece(&mut self, piece: PieceKind, pass: &mut dyn FnMut(Item)) -> u64 {
        match piece {
            PieceKind::Problem(problem) => pass(Item::Problem(problem)),
            PieceKind::Files { paths, named } => {
                for path in &paths {
                    self.read_file(path, named, pass);
                }
            }
            PieceKind::Text { source } => self.read_text_source(source, pass),
            PieceKind::Records { source, start, end } => {
                return self.read_records(source, start, end, pass).unwrap_or_else(|error| {
                    pass(Item::Problem(unusable(&self.sources.get(source).name, &error)));
                    0
                });
            }
        }
        0
    }

    fn read_file(&mut self, path: &Path, named: bool, pass: &mut dyn FnMut(Item)) {
        self.recycle();
        let located = Located { offset: 0, len: Located::WHOLE, source: Located::FILE };
        match read_whole(path, &mut self.bytes) {
            Err(error) => pass(Item::Problem(unusable(path, &error))),
            Ok(()) => self.pass_text(path, located, named, pass),
        }
    }

    fn read_text_source(&mut self, number: u32, pass: &mut dyn FnMut(Item)) {
        let source = self.sources.get(number);
        let located = Located { offset: 0, len: Located::WHOLE, source: number };
        match self.fetch(located) {
            Err(error) => pass(Item::Problem(unusable(&source.name, &error))),
            Ok(()) => self.pass_text(&source.name, located, true, pass),
        }
    }

    fn pass_text(&mut self, path: &Path, located: Located, named: bool, pass: &mut dyn FnMut(Item)) {
        let num_bytes = self.bytes.len() as u64;
        match decode(&mut self.bytes) {
            Ok(()) => {
                normalize_utf8(&mut self.bytes);
                let name = Name::Path(path_bytes(path));
                pass(Item::Document(Document { name, located, text: &self.bytes, num_bytes, group: None }));
            }
            Err(not_text) => {
                let is_binary = matches!(not_text, NotText::Binary { .. });
                let reason = if is_binary { Reason::Binary } else { Reason::NotUtf8 };
                let problem = Problem::error(path.to_string_lossy(), reason, not_text.to_string());
                // What a walk meets by the way may well be binary; what was named was meant.
                pass(Item::Problem(Problem { is_error: named || !is_binary, ..problem }));
            }
        }
    }

    fn read_records(&mut self, number: u32, start: u64, end: u64, pass: &mut dyn FnMut(Item)) -> io::Result<u64> {
        self.recycle();
        self.source_file(number)?;
        let (_, file) = self.open.as_ref().expect("just opened");
        // One byte more in front tells whether a line starts at `start`.
        let base = start.saturating_sub(1);
        read_at(file, base, (end - base) as usize, &mut self.bytes)?;
        let mut next = 0;
        if start > 0 {
            match memchr::memchr(b'\n', &self.bytes) {
                Some(newline) => next = newline + 1,
                None => return Ok(0),
            }
        } else if self.bytes.starts_with(b"\xEF\xBB\xBF") {
            next = 3;
        }
        let mut line_number = 0;
        let mut bytes = std::mem::take(&mut self.bytes);
        let mut text = std::mem::take(&mut self.text);
        // A line belongs to the piece in which it starts.
        while next < bytes.len() && base + (next as u64) < end {
            let line_end = match memchr::memchr(b'\n', &bytes[next..]) {
                Some(len) => next + len,
                None => self.complete_line(number, base, &mut bytes)?,
            };
            let line = &bytes[next..line_end];
            if !line.trim_ascii().is_empty() {
                self.pass_record(line, base + next as u64, number, line_number, &mut text, pass);
            }
            line_number += 1;
            next = line_end + 1;
        }
        self.bytes = bytes;
        self.text = text;
        Ok(line_number)
    }

    /// Reads on until the line that `bytes` ends in is whole; returns where it ends.
    fn complete_line(&mut self, number: u32, base: u64, bytes: &mut Vec<u8>) -> io::Result<usize> {
        let file = self.source_file(number)?;
        loop {
            let before = bytes.len();
            read_at(file, base + before as u64, LOOK_AHEAD, bytes)?;
            if let Some(len) = memchr::memchr(b'\n', &bytes[before..]) {
                return Ok(before + len);
            }
            if bytes.len() == before {
                return Ok(before);
            }
        }
    }

    fn pass_record(
        &mut self,
        line: &[u8],
        offset: u64,
        source: u32,
        line_number: u64,
        text: &mut Vec<u8>,
        pass: &mut dyn FnMut(Item),
    ) {
        let problem = |detail| Item::RecordProblem { line: line_number, reason: Reason::Malformed, detail };
        let Some(len) = u32::try_from(line.len()).ok().filter(|&len| len != Located::WHOLE) else {
            return pass(problem("a record of 4 GiB or more; split it".into()));
        };
        match records::parse(line, &self.config.id_field, &self.config.text_field, &mut self.record) {
            Err(detail) => pass(problem(detail)),
            Ok(()) => {
                text.clear();
                text.extend_from_slice(self.record.text.as_bytes());
                normalize_utf8(text);
                let name = match &self.record.id {
                    Some(id) => Name::Id(id, line_number),
                    None => Name::Line(line_number),
                };
                let located = Located { offset, len, source };
                let group = match &self.config.group_by {
                    Some(GroupBy::Field(field)) => group_field::value_of(line, field),
                    _ => None,
                };
                pass(Item::Document(Document { name, located, text, num_bytes: u64::from(len), group }));
            }
        }
    }

    /// Reads a document again; its normalised text, valid UTF-8.
    ///
    /// # Errors
    /// What is wrong with it now, as the end of a message.
    pub(crate) fn read_again(&mut self, name: &[u8], located: Located) -> Result<&[u8], String> {
        self.recycle();
        let read = match located.source {
            Located::FILE => read_whole(path_of(name), &mut self.bytes),
            _ => self.fetch(located),
        };
        read.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => "vanished".to_owned(),
            _ => format!("could not be read again ({error})"),
        })?;
        const CHANGED: &str = "changed";
        if located.len == Located::WHOLE {
            decode(&mut self.bytes).map_err(|_| CHANGED)?;
        } else {
            let (id_field, text_field) = (&self.config.id_field, &self.config.text_field);
            records::parse(&self.bytes, id_field, text_field, &mut self.record).map_err(|_| CHANGED)?;
            self.bytes.clear();
            self.bytes.extend_from_slice(self.record.text.as_bytes());
        }
        normalize_utf8(&mut self.bytes);
        Ok(&self.bytes)
    }

    /// Reads the bytes of a document that a source holds.
    fn fetch(&mut self, located: Located) -> io::Result<()> {
        self.source_file(located.source)?;
        let (_, file) = self.open.as_ref().expect("just opened");
        self.bytes.clear();
        let len = match located.len {
            Located::WHOLE => file.metadata()?.len() as usize,
            len => len as usize,
        };
        read_at(file, located.offset, len, &mut self.bytes)
    }

    fn source_file(&mut self, number: u32) -> io::Result<&File> {
        if self.open.as_ref().is_none_or(|(open, _)| *open != number) {
            self.open = Some((number, self.sources.get(number).open()?));
        }
        Ok(&self.open.as_ref().expect("just opened").1)
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

fn read_whole(path: &Path, bytes: &mut Vec<u8>) -> io::Result<()> {
    bytes.clear();
    let mut file = File::open(path)?;
    // `read_to_end` asks for the length and makes room first.
    file.read_to_end(bytes)?;
    Ok(())
}
