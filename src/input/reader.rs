//! The reader: brings one document's normalised text into memory, the first time and again for verification.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::decode::{Decoding, NotText, UTF8_MARK};
use super::format::Format;
use super::piece::{Batch, BatchItem, PieceKind};
use super::records::Fields;
use super::records::json::{self, Record};
use super::records::sets::{fields_of_line, fields_to_lines};
use super::spool::{Sources, read_at};
use super::unpack::too_large;
use super::walk::unusable;
use super::{filter, html, path_bytes, path_of};
use crate::config::{Config, HtmlMode, InputConfig};
use crate::document::Located;
use crate::error::{Problem, Reason};
use crate::normalize::Normalizer;

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
}

/// How a document, or a problem in a piece, is named.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Name<'a> {
    /// A path.
    Path(&'a [u8]),
    /// A member of an archive, or what was unpacked under the name of its file.
    Member(&'a [u8]),
    /// A record's id, and the line it stands on, counted from 0 at the start of the piece.
    Id(&'a str, u64),
    /// A record without an id.
    Line(u64),
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

/// Reads documents; one a thread, since it keeps its buffers and the last source.
pub(crate) struct Reader<'a> {
    config: &'a InputConfig,
    sources: &'a Sources,
    fields: Fields,
    decoding: Decoding,
    normalizer: Normalizer,
    bytes: Vec<u8>,
    text: Vec<u8>,
    record: Record,
    open: Option<(u32, File)>,
}

/// Why bytes in memory are no document.
enum Fault {
    NotText(NotText),
    Other(Reason, String),
}

impl<'a> Reader<'a> {
    pub(crate) fn new(config: &'a Config, sources: &'a Sources) -> Self {
        Self {
            config: &config.input,
            sources,
            fields: Fields::new(&config.input),
            decoding: Decoding::new(&config.input),
            normalizer: config.normalizer(),
            bytes: Vec::new(),
            text: Vec::new(),
            record: Record::default(),
            open: None,
        }
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
            PieceKind::Records { source, start, end } => {
                return self.read_records(source, start, end, pass).unwrap_or_else(|error| {
                    pass(Item::Problem(unusable(&self.sources.get(source).name, &error)));
                    0
                });
            }
            PieceKind::Lines { source, lines, permit: _permit } => return self.read_lines(source, &lines, pass),
            PieceKind::Batch { batch, permit: _permit } => return self.read_batch(&batch, pass),
        }
        0
    }

    fn read_file(&mut self, path: &Path, named: bool, pass: &mut dyn FnMut(Item)) {
        self.recycle();
        let located = Located { offset: 0, len: Located::WHOLE, source: Located::FILE };
        let limit = self.config.max_document_bytes;
        match read_whole(path, limit, &mut self.bytes) {
            Err(error) => pass(Item::Problem(unusable(path, &error))),
            Ok(false) => {
                let detail = too_large(limit.expect("there is a limit"));
                pass(Item::Problem(Problem::error(path.to_string_lossy(), Reason::TooLarge, detail)));
            }
            Ok(true) => {
                let is_html = self.is_html(path_bytes(path));
                self.pass_document(Name::Path(path_bytes(path)), Some(located), is_html, None, named, pass);
            }
        }
    }

    fn is_html(&self, path: &[u8]) -> bool {
        Format::of(self.config, path, false) == Format::Text { is_html: true }
    }

    /// Passes the document that `bytes` holds; one without a place is kept.
    fn pass_document(
        &mut self,
        name: Name,
        located: Option<Located>,
        is_html: bool,
        filter: Option<usize>,
        named: bool,
        pass: &mut dyn FnMut(Item),
    ) {
        let num_bytes = self.bytes.len() as u64;
        let (Name::Path(place) | Name::Member(place)) = name else { unreachable!("records are passed elsewhere") };
        let problem = |reason, detail: String| Problem::error(String::from_utf8_lossy(place), reason, detail);
        match self.make_text(is_html, filter) {
            Ok(was_replaced) => {
                if was_replaced {
                    let note = problem(Reason::Replaced, REPLACED.to_owned());
                    pass(Item::Problem(Problem { is_error: false, ..note }));
                }
                let located = located.unwrap_or_else(|| self.sources.keep(&self.bytes, || place.to_owned()));
                self.normalizer.normalize_utf8(&mut self.bytes);
                pass(Item::Document(Document { name, located, text: &self.bytes, num_bytes }));
            }
            Err(Fault::Other(reason, detail)) => pass(Item::Problem(problem(reason, detail))),
            Err(Fault::NotText(not_text)) => {
                let is_binary = matches!(not_text, NotText::Binary { .. });
                let reason = if is_binary { Reason::Binary } else { Reason::NotUtf8 };
                // What a walk meets by the way may well be binary; what was named was meant.
                let is_error = named || !is_binary;
                pass(Item::Problem(Problem { is_error, ..problem(reason, not_text.to_string()) }));
            }
        }
    }

    /// Makes the document's text of `bytes`; returns whether any of it was replaced.
    fn make_text(&mut self, is_html: bool, filter: Option<usize>) -> Result<bool, Fault> {
        let mut decoding = self.decoding;
        if let Some(number) = filter {
            let limit = self.config.unpacked_bytes();
            let command = &self.config.filters[number].command;
            self.bytes = filter::run(command, &self.bytes, limit, self.config.filter_timeout)
                .map_err(|(reason, detail)| Fault::Other(reason, detail))?;
            decoding = decoding.of_utf8();
        }
        let was_replaced = decoding.document(&mut self.bytes).map_err(Fault::NotText)?;
        if is_html {
            self.strip();
        }
        Ok(was_replaced)
    }

    /// Leaves the text of the page that `bytes` holds.
    fn strip(&mut self) {
        self.text.clear();
        html::strip(&self.bytes, &mut self.text);
        std::mem::swap(&mut self.bytes, &mut self.text);
    }

    fn read_records(&mut self, number: u32, start: u64, end: u64, pass: &mut dyn FnMut(Item)) -> io::Result<u64> {
        self.recycle();
        self.source_file(number)?;
        let (_, file) = self.open.as_ref().expect("just opened");
        // One byte more in front tells whether a line starts at `start`.
        let base = start.saturating_sub(1);
        let mut bytes = std::mem::take(&mut self.bytes);
        read_at(file, base, (end - base) as usize, &mut bytes)?;
        let mut next = 0;
        if start > 0 {
            match memchr::memchr(b'\n', &bytes) {
                Some(newline) => next = newline + 1,
                None => return Ok(0),
            }
        } else if bytes.starts_with(UTF8_MARK) {
            next = 3;
        }
        let mut line_number = 0;
        // A line belongs to the piece in which it starts.
        while next < bytes.len() && base + (next as u64) < end {
            let line_end = match memchr::memchr(b'\n', &bytes[next..]) {
                Some(len) => next + len,
                None => self.complete_line(number, base, &mut bytes)?,
            };
            let line = &bytes[next..line_end];
            if !line.trim_ascii().is_empty() {
                self.pass_line(line, number, Some(base + next as u64), line_number, pass);
            }
            line_number += 1;
            next = line_end + 1;
        }
        self.bytes = bytes;
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

    fn read_lines(&mut self, source: u32, lines: &[u8], pass: &mut dyn FnMut(Item)) -> u64 {
        self.recycle();
        let (mut next, mut line_number) = (0, 0);
        while next < lines.len() {
            let end = memchr::memchr(b'\n', &lines[next..]).map_or(lines.len(), |len| next + len);
            let line = &lines[next..end];
            if !line.trim_ascii().is_empty() {
                self.pass_line(line, source, None, line_number, pass);
            }
            line_number += 1;
            next = end + 1;
        }
        line_number
    }

    /// Passes the record on a line of JSON Lines, which lies at `offset` of its source or is kept.
    fn pass_line(
        &mut self,
        line: &[u8],
        source: u32,
        offset: Option<u64>,
        line_number: u64,
        pass: &mut dyn FnMut(Item),
    ) {
        let problem = |reason, detail| Item::RecordProblem { line: line_number, reason, detail };
        let limit = if offset.is_none() { Some(self.config.unpacked_bytes()) } else { self.config.max_document_bytes };
        if let Some(limit) = limit.filter(|&limit| line.len() as u64 > limit) {
            return pass(problem(Reason::TooLarge, too_large(limit)));
        }
        let Some(len) = u32::try_from(line.len()).ok().filter(|&len| len != Located::WHOLE) else {
            return pass(problem(Reason::Malformed, "a record of 4 GiB or more; split it".into()));
        };
        let was_replaced = match self.parse(line, source) {
            Err((reason, detail)) => return pass(problem(reason, detail)),
            Ok(was_replaced) => was_replaced,
        };
        self.text.clear();
        self.text.extend_from_slice(self.record.text.as_bytes());
        self.strip_record();
        let located = match offset {
            Some(offset) => Located { offset, len, source },
            None => self.sources.keep(&self.text, || self.sources.name(source)),
        };
        self.pass_record(located, line_number, u64::from(len), was_replaced, pass);
    }

    /// Passes the record whose text is in `text` and whose id is in `record`.
    fn pass_record(
        &mut self,
        located: Located,
        line: u64,
        num_bytes: u64,
        was_replaced: bool,
        pass: &mut dyn FnMut(Item),
    ) {
        if was_replaced {
            pass(Item::RecordNote { line, reason: Reason::Replaced, detail: REPLACED.into() });
        }
        self.normalizer.normalize_utf8(&mut self.text);
        let name = match &self.record.id {
            Some(id) => Name::Id(id, line),
            None => Name::Line(line),
        };
        pass(Item::Document(Document { name, located, text: &self.text, num_bytes }));
    }

    /// Reads a line, as its source has them, into `record`; returns whether any of it was replaced.
    fn parse(&mut self, line: &[u8], source: u32) -> Result<bool, (Reason, String)> {
        let (line, was_replaced) = self.decoding.line(line).map_err(|fault| (Reason::NotUtf8, fault.to_string()))?;
        if self.config.sets && self.sources.get(source).is_sets {
            fields_of_line(&line, &mut self.record).map_err(|detail| (Reason::NotUtf8, detail))?;
            return Ok(was_replaced);
        }
        json::parse(&line, &self.fields, &mut self.record).map_err(|detail| (Reason::Malformed, detail))?;
        Ok(was_replaced)
    }

    /// Leaves the text of the page that `text` holds, when records are pages.
    fn strip_record(&mut self) {
        if self.config.html == HtmlMode::Strip {
            std::mem::swap(&mut self.bytes, &mut self.text);
            self.strip();
            std::mem::swap(&mut self.bytes, &mut self.text);
        }
    }

    fn read_batch(&mut self, batch: &Batch, pass: &mut dyn FnMut(Item)) -> u64 {
        let mut rest = batch.bytes.as_slice();
        let mut next = |len: usize| rest.split_off(..len).expect("a batch holds its texts");
        for item in &batch.items {
            self.recycle();
            match *item {
                BatchItem::Document { name, content, is_html, filter, named } => {
                    let name = next(name);
                    self.bytes.extend_from_slice(next(content));
                    self.pass_document(Name::Member(name), None, is_html, filter, named, pass);
                }
                BatchItem::Row { line, id, text, num_bytes } => {
                    let id = id.map(&mut next);
                    self.text.extend_from_slice(next(text));
                    self.pass_row(batch, line, id, num_bytes, pass);
                }
                BatchItem::Problem(ref problem) => pass(Item::Problem(problem.clone())),
                BatchItem::RowProblem { line, reason, ref detail } => {
                    pass(Item::RecordProblem { line, reason, detail: detail.clone() });
                }
            }
        }
        batch.num_lines
    }

    /// Passes the row whose text is in `text`.
    fn pass_row(&mut self, batch: &Batch, line: u64, id: Option<&[u8]>, num_bytes: u64, pass: &mut dyn FnMut(Item)) {
        let was_replaced = match self.decoding.part(&mut self.text) {
            Ok(was_replaced) => was_replaced,
            Err(fault) => {
                let detail = match fault {
                    NotText::Utf8 { at } => {
                        format!("the text is not valid UTF-8 at its byte {at}; skipped (--encoding, --invalid)")
                    }
                    other => other.to_string(),
                };
                return pass(Item::RecordProblem { line, reason: Reason::NotUtf8, detail });
            }
        };
        self.record.id = id.map(|id| {
            let mut id = id.to_vec();
            // A name need not be a faithful one.
            if self.decoding.part(&mut id).is_err() {
                id = String::from_utf8_lossy(&id).into_owned().into_bytes();
            }
            String::from_utf8(id).unwrap_or_default()
        });
        self.strip_record();
        if self.config.sets {
            fields_to_lines(&mut self.text);
        }
        let source = batch.source.expect("rows have a source");
        let located = self.sources.keep(&self.text, || self.sources.name(source));
        self.pass_record(located, line, num_bytes, was_replaced, pass);
    }

    /// Reads a document again; its normalised text, valid UTF-8.
    ///
    /// # Errors
    /// What is wrong with it now, as the end of a message.
    pub(crate) fn read_again(&mut self, name: &[u8], located: Located) -> Result<&[u8], String> {
        self.recycle();
        let read = match located.source {
            Located::FILE => read_whole(path_of(name), None, &mut self.bytes).map(drop),
            Located::SPOOL => self.fetch_kept(located),
            _ => self.fetch(located),
        };
        read.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => "vanished".to_owned(),
            _ => format!("could not be read again ({error})"),
        })?;
        const CHANGED: &str = "changed";
        match located.source {
            Located::SPOOL => {}
            Located::FILE => {
                let is_html = self.is_html(name);
                self.make_text(is_html, None).map_err(|_| CHANGED)?;
            }
            _ => {
                let line = std::mem::take(&mut self.bytes);
                let parsed = self.parse(&line, located.source);
                self.bytes = line;
                parsed.map_err(|_| CHANGED)?;
                self.bytes.clear();
                self.bytes.extend_from_slice(self.record.text.as_bytes());
                if self.config.html == HtmlMode::Strip {
                    self.strip();
                }
            }
        }
        self.normalizer.normalize_utf8(&mut self.bytes);
        Ok(&self.bytes)
    }

    /// Reads the bytes of a document that a source holds.
    fn fetch(&mut self, located: Located) -> io::Result<()> {
        self.source_file(located.source)?;
        let (_, file) = self.open.as_ref().expect("just opened");
        self.bytes.clear();
        read_at(file, located.offset, located.len as usize, &mut self.bytes)
    }

    /// Reads a text that was kept.
    fn fetch_kept(&mut self, located: Located) -> io::Result<()> {
        let spool = self.sources.spool()?;
        read_at(&spool, located.offset, located.len as usize, &mut self.bytes)
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

const REPLACED: &str = "bytes that are not of its encoding count as U+FFFD";

/// Reads a file; `false` when it has more than `limit` bytes.
fn read_whole(path: &Path, limit: Option<u64>, bytes: &mut Vec<u8>) -> io::Result<bool> {
    bytes.clear();
    let mut file = File::open(path)?;
    match limit {
        // `read_to_end` asks for the length and makes room first.
        None => file.read_to_end(bytes)?,
        Some(limit) => file.take(limit + 1).read_to_end(bytes)?,
    };
    Ok(limit.is_none_or(|limit| bytes.len() as u64 <= limit))
}
