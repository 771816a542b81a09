//! `BatchWriter`: collects unpacked rows and documents in batches and sends these as pieces of work, in order.
//!
//! It also reports how much of the packed file was read.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::PathBuf;
use std::time::SystemTime;

use super::content::{Bytes, Content};
use super::job::{Job, Unpacking};
use super::meter::Meter;
use crate::base::error::Error;
use crate::base::problem::{Problem, Reason};
use crate::base::shown::shown;
use crate::documents::input::bytes::decode::Decoding;
use crate::documents::input::bytes::extract::declared_bytes;
use crate::documents::input::bytes::temporary;
use crate::documents::input::bytes::temporary::CopyFault;
use crate::documents::input::bytes::transcode::Transcoder;
use crate::documents::input::charset::Charset;
use crate::documents::input::codec::Codec;
use crate::documents::input::formats::format::Format;
use crate::documents::input::globs::Globs;
use crate::documents::input::marks::{MARK, utf16_of_mark};
use crate::documents::input::messages::{ENCRYPTED, is_refusal, large_window, said, too_large};
use crate::documents::input::paths::{numbered, path_bytes};
use crate::documents::input::piece::{Batch, BatchItem, Piece, PieceKind, ReadyText};
use crate::documents::input::settings::Inputs;
use crate::documents::input::streams::spool::Sources;
use crate::documents::input::streams::stream::Peeked;

/// Bytes after which a batch is sent.
pub(in crate::documents::input) const BATCH_BYTES: usize = 1 << 20;

/// Collects the unpacked content of one file.
pub(in crate::documents::input) struct BatchWriter<'a> {
    shared: &'a Unpacking<'a>,
    /// The file, if it can be read again.
    path: Option<PathBuf>,
    /// The codecs around the content that is being read, from the outermost on.
    codecs: Vec<Codec>,
    globs: Globs<'a>,
    place: u64,
    part: u64,
    batch: Batch,
    /// Whether the receiver still wants pieces.
    open: bool,
    /// The unpacked file, if its position shows the progress; otherwise `reached` does.
    input: Option<File>,
    reached: u64,
    /// Bytes of the file that were reported in pieces.
    accounted: u64,
    /// Counts the bytes that the file unpacks to.
    meter: Meter,
    /// The number of documents and rows so far, and of problems with parts that are not compared or only in part.
    num_items: u64,
}

/// A function that reads nested content.
pub(in crate::documents::input) type ReadOn<'r> = &'r mut dyn FnMut(&mut BatchWriter, Content, Bytes);

impl<'a> BatchWriter<'a> {
    pub(super) fn new(shared: &'a Unpacking<'a>, job: &Job) -> Self {
        Self {
            shared,
            path: job.path.clone().filter(|_| !job.is_stream),
            codecs: Vec::new(),
            globs: Globs::new(shared.inputs.settings, job.is_against),
            place: job.place,
            part: 0,
            batch: Batch::default(),
            open: true,
            input: None,
            reached: 0,
            accounted: 0,
            meter: Meter::new(shared.inputs.max_unpacked, 0),
            num_items: 0,
        }
    }

    pub(super) fn inputs(&self) -> Inputs<'a> {
        self.shared.inputs
    }

    pub(super) fn sources(&self) -> &'a Sources {
        self.shared.sources
    }

    pub(super) fn globs(&self) -> Globs<'a> {
        self.globs
    }
}

impl BatchWriter<'_> {
    /// Uses the position of this file to measure progress.
    pub(super) fn measure(&mut self, input: Option<File>) {
        self.input = input;
    }

    /// Starts to count what a file of `num_bytes` bytes unpacks to.
    pub(super) fn count(&mut self, num_bytes: u64) {
        self.meter = Meter::new(self.shared.inputs.max_unpacked, num_bytes);
    }

    pub(super) fn meter(&self) -> Meter {
        self.meter.clone()
    }

    /// Reports that the file unpacks to more than the limit, unless that was reported before.
    pub(super) fn report_stop(&mut self, place: impl FnOnce() -> String) {
        if self.meter.take_report() {
            let detail = self.meter.report("the rest of it is skipped");
            self.problem(Problem::error(place(), Reason::TooLarge, detail));
        }
    }

    /// Calls `read`, which reads content packed by `codec`.
    pub(super) fn packed(&mut self, codec: Codec, read: impl FnOnce(&mut Self)) {
        self.codecs.push(codec);
        read(self);
        self.codecs.pop();
    }

    /// Calls `read`, which reads mail or a web crawl, and counts the items in it.
    pub(super) fn container(&mut self, content: Content, read: impl FnOnce(&mut Self)) {
        let before = self.num_items;
        read(self);
        self.inputs().container_items.add(content.name, self.num_items - before);
    }

    /// Reads a member of an archive in the format that its name says.
    ///
    /// * `count`: which occurrence of this name it is, from 1; for archives, a note reports a repeated name.
    /// * `time`: when the member was modified.
    pub(super) fn member(
        &mut self,
        archive: Content,
        member: &[u8],
        (count, time): (u32, Option<SystemTime>),
        bytes: Bytes,
        read: ReadOn,
    ) {
        let mut name = archive.member_name(member);
        if count > 1 {
            let place = String::from_utf8_lossy(&name).into_owned();
            name = numbered(&name, count);
            let detail = format!("duplicate name; compared as {}", shown(&String::from_utf8_lossy(&name)));
            if matches!(archive.format, Format::Tar | Format::Zip) {
                self.problem(Problem::note(place, Reason::RepeatedId, detail));
            }
        }
        if let Some(time) = time {
            self.inputs().member_times.add(&name, time);
        }
        let format = Format::of(self.inputs(), member, true);
        let depth = archive.depth + 1;
        let content =
            Content { name: &name, format, format_name: member, named: false, depth, is_decoded: false, by_name: true };
        read(self, content, bytes);
    }

    /// Adds a whole document to the batch; returns `false` when it has more than `limit` bytes.
    ///
    /// * `bytes`: at most one byte more than the limit.
    /// * `has_parts`: whether the bytes that the parts of the document unpack to count as bytes of the unpacked file.
    /// * `item`: makes the batch item from the document's length.
    ///
    /// # Errors
    /// When the document cannot be read to its end.
    pub(super) fn document(
        &mut self,
        name: &[u8],
        bytes: &mut dyn Read,
        limit: u64,
        has_parts: bool,
        item: impl FnOnce(usize) -> BatchItem,
    ) -> io::Result<bool> {
        self.rows_of(None);
        let arena = &mut self.batch.bytes;
        let before = arena.len();
        arena.extend_from_slice(name);
        let start = arena.len();
        let mut read = bytes.read_to_end(arena);
        let len = arena.len() - start;
        if has_parts && let Err(error) = self.meter.add(declared_bytes(&arena[start..])) {
            read = Err(error);
        }
        let is_whole = read.is_ok() && len as u64 <= limit;
        if is_whole {
            self.batch.items.push(item(len));
            self.num_items += 1;
        } else {
            arena.truncate(before);
        }
        read.map(|_| is_whole)
    }

    /// Adds a document whose text is ready: valid UTF-8 without NUL characters. For a record call
    /// [`rows_of`](Self::rows_of) first.
    pub(super) fn text(&mut self, name: &[u8], text: &[u8], ready: ReadyText) {
        if ready.line.is_none() {
            self.rows_of(None);
        }
        self.batch.bytes.extend_from_slice(name);
        self.batch.bytes.extend_from_slice(text);
        self.num_items += 1;
        self.batch.items.push(BatchItem::Text { name: name.len(), text: text.len(), ready });
        self.flush_full();
    }

    /// Calls `read` with bytes that have line ends and commas of ASCII, decoding them first if necessary. A byte order
    /// mark overrides the given encoding.
    ///
    /// * `other`: returns the given encoding if records cannot be cut in it.
    pub(super) fn with_utf8(
        &mut self,
        content: Content,
        bytes: &mut Bytes,
        other: impl Fn(Decoding) -> Option<Charset>,
        read: impl FnOnce(&mut Self, Content, &mut dyn Read),
    ) {
        let decoding = Decoding::new(self.shared.inputs);
        let mut bytes = Peeked::new(bytes, MARK);
        let marked = utf16_of_mark(&bytes.start);
        match marked.map(Charset::Web).or_else(|| other(decoding)) {
            None => read(self, content, &mut bytes),
            Some(charset) => {
                let content = Content { is_decoded: true, ..content };
                let stream = Transcoder::new(&mut bytes, charset, decoding.replaces());
                let mut stream = if marked.is_none() { stream.or_utf8(decoding) } else { stream };
                read(self, content, &mut stream);
            }
        }
    }

    /// A file that supports random access: the given file, or an unlinked copy, whose size is limited inside archives.
    pub(super) fn seekable(&mut self, content: Content, mut bytes: Bytes) -> Option<File> {
        if let Bytes::File(file) = bytes {
            return Some(file);
        }
        let limit = if content.depth > 0 { self.shared.inputs.unpacked_bytes() } else { u64::MAX - 1 };
        match temporary::copy(&mut bytes, limit + 1) {
            Ok((copy, len)) if len <= limit => return Some(copy),
            Ok(_) => self.too_large(content, limit),
            Err(CopyFault::Read(error)) => self.damaged(content, &error, "skipped"),
            Err(CopyFault::Keep(error)) => self.fail_to_keep(content, error),
        }
        None
    }

    /// Ends the run because a temporary file cannot be written.
    pub(super) fn fail_to_keep(&self, content: Content, error: io::Error) {
        self.shared.sources.fail_to_keep(content.name, error);
    }

    /// Opens the unpacked bytes of a file a second time from their start; `None` for the content of an archive or a
    /// stream.
    pub(super) fn reopen(&self, content: Content) -> Option<Box<dyn Read>> {
        let path = self.path.as_deref().filter(|path| path_bytes(path) == content.name)?;
        let file: Box<dyn Read> = Box::new(File::open(path).ok()?);
        let max_window = self.shared.inputs.max_window;
        let unpack = |packed, codec: &Codec| Some(Box::new(codec.decoder(packed, max_window).ok()?) as Box<dyn Read>);
        self.codecs.iter().try_fold(file, unpack)
    }

    /// Registers a source of records.
    pub(super) fn add_source(&self, content: Content) -> u32 {
        if matches!(content.format, Format::Delimited(_)) {
            self.shared.sources.see_delimited();
        }
        self.shared.sources.add(content.name, content.format, content.is_decoded)
    }

    /// Sets the source of the rows that are added next.
    pub(super) fn rows_of(&mut self, source: Option<u32>) {
        if self.batch.source != source {
            self.flush();
            self.batch.source = source;
        }
    }

    /// Adds a row. Call [`rows_of`](Self::rows_of) first.
    ///
    /// * `line`: the line, counted from 0.
    /// * `is_set`: whether its texts are elements of a set, one per line.
    pub(super) fn row<'t>(
        &mut self,
        line: u64,
        id: Option<&[u8]>,
        group: Option<&[u8]>,
        texts: impl Iterator<Item = &'t [u8]>,
        num_bytes: u64,
        is_set: bool,
    ) {
        let arena = &mut self.batch.bytes;
        arena.extend_from_slice(id.unwrap_or_default());
        arena.extend_from_slice(group.unwrap_or_default());
        let start = arena.len();
        for (number, text) in texts.enumerate() {
            if number > 0 {
                arena.push(b'\n');
            }
            arena.extend_from_slice(text);
        }
        let text = arena.len() - start;
        let (id, group) = (id.map(<[u8]>::len), group.map(<[u8]>::len));
        self.num_items += 1;
        self.batch.items.push(BatchItem::Row { line, id, group, text, num_bytes, is_set });
        self.flush_full();
    }

    /// Adds a problem with a row. Call [`rows_of`](Self::rows_of) first.
    pub(super) fn row_problem(&mut self, line: u64, reason: Reason, detail: String) {
        self.num_items += 1;
        self.batch.items.push(BatchItem::RowProblem { line, reason, detail });
    }

    /// Sends whole lines of records.
    pub(super) fn lines(&mut self, source: u32, lines: Vec<u8>) {
        self.flush();
        // The number of records is not known here, so the items are more than the documents in any case.
        self.num_items += lines.len() as u64 + 1;
        let permit = self.shared.budget.take(lines.capacity() as u64);
        self.emit(PieceKind::Lines { source, lines, permit });
    }

    /// Sends a problem with the next line of records.
    pub(super) fn line_problem(&mut self, source: u32, reason: Reason, detail: String) {
        self.rows_of(Some(source));
        self.row_problem(0, reason, detail);
        self.batch.num_lines = 1;
        self.flush();
    }

    /// Reports content that could not be read to its end; `but` says what happens to the rest.
    pub(super) fn damaged(&mut self, content: Content, error: &dyn std::fmt::Display, but: &str) {
        self.damaged_at(content.place(), error, but);
    }

    /// Like [`damaged`](Self::damaged), for content with another name.
    pub(super) fn damaged_at(&mut self, place: String, error: &dyn std::fmt::Display, but: &str) {
        if self.meter.is_stopped() {
            return self.report_stop(|| place);
        }
        if is_refusal(error) {
            return self.sources().fail(Error::NoRoomForFile { place });
        }
        if error.to_string().ends_with(ENCRYPTED) {
            return self.problem(Problem::error(place, Reason::Unreadable, format!("{ENCRYPTED}; {but}")));
        }
        if let Some(detail) = large_window(error, self.shared.inputs.max_window) {
            return self.problem(Problem::error(place, Reason::TooLarge, format!("{detail}; {but}")));
        }
        self.problem(Problem::error(place, Reason::Damaged, format!("damaged or cut short ({}); {but}", said(error))));
    }

    /// Reports a document that exceeds the maximum size.
    pub(super) fn too_large(&mut self, content: Content, limit: u64) {
        self.problem(Problem::error(content.place(), Reason::TooLarge, too_large(limit)));
    }

    /// Reports content that is not in the format that its name or a flag says.
    pub(super) fn not_a(&mut self, content: Content, what: &str) {
        self.problem(Problem::error(content.place(), Reason::Damaged, format!("not {what}; skipped")));
    }

    pub(super) fn problem(&mut self, problem: Problem) {
        // A part that is compared incompletely counts as one that is not compared.
        self.num_items += u64::from(problem.is_skip() || problem.reason == Reason::CutShort);
        self.batch.items.push(BatchItem::Problem(problem));
    }

    /// Whether the receiver still wants pieces and the limit of unpacked bytes was not exceeded.
    pub(super) fn is_open(&self) -> bool {
        self.open && !self.meter.is_reported()
    }

    pub(super) fn flush_full(&mut self) {
        if self.batch.bytes.len() >= BATCH_BYTES {
            self.flush();
        }
    }

    pub(super) fn flush(&mut self) {
        let source = self.batch.source;
        if !self.batch.items.is_empty() {
            let batch = std::mem::replace(&mut self.batch, Batch { source, ..Batch::default() });
            let permit = self.shared.budget.take(batch.bytes.capacity() as u64);
            self.emit(PieceKind::Batch { batch, permit });
        }
    }

    pub(super) fn emit(&mut self, kind: PieceKind) {
        let number = Piece::number(self.place, self.part);
        let input_bytes = self.newly_read();
        self.open = self.open && (self.shared.send)(Piece { number, kind, input_bytes });
        self.part += 1;
    }

    /// Bytes of the file that were read since the last call.
    fn newly_read(&mut self) -> u64 {
        let position = self.input.as_mut().and_then(|file| file.stream_position().ok());
        let newly = position.unwrap_or(self.reached).saturating_sub(self.accounted);
        self.accounted += newly;
        newly
    }

    /// Sets the progress for a reader that does not read the file from beginning to end.
    ///
    /// * `num_bytes`: bytes from the file's beginning.
    pub(super) fn reach(&mut self, num_bytes: u64) {
        self.reached = num_bytes;
    }
}
