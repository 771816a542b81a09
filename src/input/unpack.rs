//! Unpacking: what cannot be read at any place is read from its beginning to its end, by one thread, and leaves as
//! pieces that the workers parse and sign.
//!
//! A compressed file holds one document or the records of one file. An archive holds members, each of which is read
//! by its own name, and may be compressed or an archive itself. Each format reads a stream in a room of its own; none
//! of them writes a file, and what they hand over is bounded by a [`Budget`].

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::PathBuf;
use std::sync::{Mutex, mpsc};

use super::archive;
use super::decode::{Decoding, utf16_of_mark};
use super::format::{Format, name_inside};
use super::piece::{Batch, BatchItem, Budget, Piece, PieceKind};
use super::records::{delimited, lines};
use super::spool::Sources;
use super::transcode::Transcoder;
use super::walk::unusable;
use super::{path_bytes, path_of};
use crate::config::InputConfig;
use crate::error::{Problem, Reason};

/// Containers inside one another; more than anybody packs by hand, fewer than an archive that holds itself.
const MAX_DEPTH: usize = 8;
/// Bytes of a batch from which on it is handed over.
pub(super) const BATCH_BYTES: usize = 1 << 20;
/// Files that wait for a thread that unpacks them.
pub(super) const QUEUE: usize = 64;

/// A file to be unpacked, or standard input.
#[derive(Debug)]
pub(super) struct Job {
    /// Its place in the order of the walk.
    pub(super) place: u64,
    pub(super) named: bool,
    /// None for standard input.
    pub(super) path: Option<PathBuf>,
    /// Whether it can be read once only, as a FIFO can.
    pub(super) is_stream: bool,
}

/// What the threads that unpack share.
pub(super) struct Workshop<'a> {
    pub(super) config: &'a InputConfig,
    pub(super) sources: &'a Sources,
    pub(super) send: &'a (dyn Fn(Piece) -> bool + Sync),
    pub(super) budget: Budget,
}

impl Workshop<'_> {
    /// Works until there are no more jobs.
    pub(super) fn run(&self, jobs: &Mutex<mpsc::Receiver<Job>>) {
        loop {
            let job = jobs.lock().expect("no holder panics").recv();
            let Ok(job) = job else { return };
            Unpacker::new(self, job.place).run(&job);
        }
    }
}

/// Unpacks one file.
pub(super) struct Unpacker<'a> {
    pub(super) shop: &'a Workshop<'a>,
    place: u64,
    part: u64,
    batch: Batch,
    /// Whether anybody still wants what is unpacked.
    open: bool,
    /// The file that is unpacked, when its position tells how much of it is done; else what it is told.
    input: Option<File>,
    reached: u64,
    /// Bytes of the file that pieces account for.
    accounted: u64,
}

/// Something to be read: how it is named, and where it was found.
#[derive(Debug, Clone, Copy)]
pub(super) struct Content<'a> {
    /// As documents and problems have it.
    pub(super) name: &'a [u8],
    pub(super) format: Format,
    /// The name that tells the format.
    pub(super) format_name: &'a [u8],
    /// Whether it was given as an argument and was meant.
    pub(super) named: bool,
    pub(super) depth: usize,
    /// Whether its records were decoded already.
    pub(super) is_decoded: bool,
    /// Whether its name tells the format; else its first bytes do.
    pub(super) is_told: bool,
}

/// The bytes of something to be read.
pub(super) enum Bytes<'a> {
    File(File),
    Stream(&'a mut dyn Read),
}

impl Read for Bytes<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(buffer),
            Self::Stream(stream) => stream.read(buffer),
        }
    }
}

impl<'a> Unpacker<'a> {
    fn new(shop: &'a Workshop<'a>, place: u64) -> Self {
        Self { shop, place, part: 0, batch: Batch::default(), open: true, input: None, reached: 0, accounted: 0 }
    }
}

impl Unpacker<'_> {
    fn run(&mut self, job: &Job) {
        let config = self.shop.config;
        match &job.path {
            Some(path) => match File::open(path) {
                Err(error) => self.problem(unusable(path, &error)),
                Ok(mut file) if job.is_stream => self.stream(path_bytes(path), job.named, &mut file),
                Ok(file) => {
                    let name = path_bytes(path);
                    let format = Format::of(config, name, false);
                    // Both share one position; a reader of columns leaps to and fro.
                    self.input = file.try_clone().ok().filter(|_| format != Format::Parquet);
                    let content = Content {
                        name,
                        format,
                        format_name: name,
                        named: job.named,
                        depth: 0,
                        is_decoded: false,
                        is_told: true,
                    };
                    self.read(content, Bytes::File(file));
                }
            },
            None => self.stream(b"-", true, &mut io::stdin().lock()),
        }
        self.flush();
    }

    pub(super) fn read(&mut self, content: Content, mut bytes: Bytes) {
        if content.depth > MAX_DEPTH {
            let detail = format!("packed more than {MAX_DEPTH} times; unpack it first");
            return self.problem(Problem::error(content.place(), Reason::Unreadable, detail));
        }
        match content.format {
            Format::Text { is_html } => self.document(content, &mut bytes, is_html, None),
            Format::Filtered(number) => self.document(content, &mut bytes, false, Some(number)),
            Format::JsonLines | Format::SetLines => {
                self.with_utf8(content, &mut bytes, lines::read);
            }
            Format::Delimited(delimiter) => {
                self.with_utf8(content, &mut bytes, |out, content, bytes| {
                    delimited::read(out, content, bytes, delimiter)
                });
            }
            #[cfg(feature = "parquet")]
            Format::Parquet => super::records::parquet::read(self, content, bytes),
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => {
                let detail = "this program was built without Parquet; build it with the feature `parquet`";
                self.problem(Problem::error(content.place(), Reason::Unreadable, detail));
            }
            Format::Tar => archive::tar::read(self, content, &mut bytes),
            Format::Zip => archive::zip::read(self, content, bytes),
            Format::Compressed(codec) => {
                let inside = name_inside(content.format_name);
                let format = Format::of(self.shop.config, &inside, content.depth > 0);
                let inside = Content { format, format_name: &inside, depth: content.depth + 1, ..content };
                match codec.decoder(bytes) {
                    Ok(mut decoder) if !content.is_told => self.look(inside, &mut decoder),
                    Ok(mut decoder) => self.read(inside, Bytes::Stream(&mut decoder)),
                    Err(error) => self.damaged(content, &error, "skipped"),
                }
            }
        }
    }

    /// Reads a member of an archive, by its own name.
    pub(super) fn member(&mut self, archive: Content, member: &[u8], bytes: Bytes) {
        let name = archive.member_name(member);
        let format = Format::of(self.shop.config, member, true);
        let depth = archive.depth + 1;
        self.read(
            Content { name: &name, format, format_name: member, named: false, depth, is_decoded: false, is_told: true },
            bytes,
        );
    }

    fn document(&mut self, content: Content, bytes: &mut Bytes, is_html: bool, filter: Option<usize>) {
        self.rows_of(None);
        let limit = self.shop.config.unpacked_bytes();
        let arena = &mut self.batch.bytes;
        let before = arena.len();
        arena.extend_from_slice(content.name);
        let start = arena.len();
        let read = bytes.take(limit + 1).read_to_end(arena);
        let len = arena.len() - start;
        if read.is_ok() && len as u64 <= limit {
            let (name, named) = (content.name.len(), content.named);
            self.batch.items.push(BatchItem::Document { name, content: len, is_html, filter, named });
            // Filters take their time; each is a piece of its own.
            if filter.is_some() {
                self.flush()
            } else {
                self.flush_full()
            }
            return;
        }
        arena.truncate(before);
        match read {
            Err(error) if content.depth == 0 => {
                self.problem(unusable(path_of(content.name), &error));
            }
            Err(error) => self.damaged(content, &error, "skipped"),
            Ok(_) => self.problem(Problem::error(content.place(), Reason::TooLarge, too_large(limit))),
        }
    }

    /// Lets records be read as bytes that hold line ends and commas of ASCII; a mark counts for more than the encoding
    /// given.
    fn with_utf8(&mut self, content: Content, bytes: &mut Bytes, read: impl FnOnce(&mut Self, Content, &mut dyn Read)) {
        let decoding = Decoding::new(self.shop.config);
        let mut start = Vec::new();
        if let Err(error) = (&mut *bytes).take(2).read_to_end(&mut start) {
            return self.damaged(content, &error, "skipped");
        }
        let marked = utf16_of_mark(&start);
        let mut bytes = start.chain(bytes);
        match marked.or(decoding.wide()) {
            None => read(self, content, &mut bytes),
            Some(encoding) => {
                let content = Content { is_decoded: true, ..content };
                read(self, content, &mut Transcoder::new(&mut bytes, encoding, decoding.replaces()));
            }
        }
    }

    /// A file that can be read at any place: the one there is, or an unlinked copy, which is bounded inside of archives.
    pub(super) fn seekable(&mut self, content: Content, mut bytes: Bytes) -> Option<File> {
        if let Bytes::File(file) = bytes {
            return Some(file);
        }
        let limit = if content.depth > 0 { self.shop.config.unpacked_bytes() } else { u64::MAX - 1 };
        let copy = tempfile::tempfile().and_then(|mut copy| {
            let len = io::copy(&mut (&mut bytes).take(limit + 1), &mut copy)?;
            copy.rewind()?;
            Ok((copy, len))
        });
        match copy {
            Ok((copy, len)) if len <= limit => return Some(copy),
            Ok(_) => self.problem(Problem::error(content.place(), Reason::TooLarge, too_large(limit))),
            Err(error) => self.damaged(content, &error, "skipped"),
        }
        None
    }

    /// Starts a source of records.
    pub(super) fn add_source(&self, content: Content) -> u32 {
        self.shop.sources.add(content.name, content.format == Format::SetLines, content.is_decoded)
    }

    /// The rows that come are those of this source.
    pub(super) fn rows_of(&mut self, source: Option<u32>) {
        if self.batch.source != source {
            self.flush();
            self.batch.source = source;
        }
    }

    /// Adds a row, after [`rows_of`](Self::rows_of).
    ///
    /// * `line`: counts from 0.
    /// * `is_set`: whether its texts are elements of a set, one a line.
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
        self.batch.items.push(BatchItem::Row { line, id, group, text, num_bytes, is_set });
        self.flush_full();
    }

    /// Adds what is wrong with a row, after [`rows_of`](Self::rows_of).
    pub(super) fn row_problem(&mut self, line: u64, reason: Reason, detail: String) {
        self.batch.items.push(BatchItem::RowProblem { line, reason, detail });
    }

    /// Hands over whole lines of records.
    pub(super) fn lines(&mut self, source: u32, lines: Vec<u8>) {
        self.flush();
        let permit = self.shop.budget.take(lines.capacity() as u64);
        self.emit(PieceKind::Lines { source, lines, permit });
    }

    /// Hands over what is wrong with the next line of records.
    pub(super) fn line_problem(&mut self, source: u32, reason: Reason, detail: String) {
        self.rows_of(Some(source));
        self.row_problem(0, reason, detail);
        self.batch.num_lines = 1;
        self.flush();
    }

    /// What could not be read to its end; `but` says what becomes of the rest.
    pub(super) fn damaged(&mut self, content: Content, error: &dyn std::fmt::Display, but: &str) {
        let detail = format!("damaged or cut short ({}); {but}", shown(error));
        self.problem(Problem::error(content.place(), Reason::Damaged, detail));
    }

    /// What is none of what its name or the format chosen says.
    pub(super) fn not_a(&mut self, content: Content, what: &str) {
        self.problem(Problem::error(content.place(), Reason::Damaged, format!("not {what}; skipped")));
    }

    pub(super) fn problem(&mut self, problem: Problem) {
        self.batch.items.push(BatchItem::Problem(problem));
    }

    pub(super) fn config(&self) -> &InputConfig {
        self.shop.config
    }

    /// Whether anybody still wants what is unpacked.
    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    fn flush_full(&mut self) {
        if self.batch.bytes.len() >= BATCH_BYTES {
            self.flush();
        }
    }

    fn flush(&mut self) {
        let source = self.batch.source;
        if !self.batch.items.is_empty() {
            let batch = std::mem::replace(&mut self.batch, Batch { source, ..Batch::default() });
            let permit = self.shop.budget.take(batch.bytes.capacity() as u64);
            self.emit(PieceKind::Batch { batch, permit });
        }
    }

    fn emit(&mut self, kind: PieceKind) {
        let number = Piece::number(self.place, self.part);
        let input_bytes = self.newly_read();
        self.open = self.open && (self.shop.send)(Piece { number, kind, input_bytes });
        self.part += 1;
    }

    /// Bytes of the file that were read since this was asked last.
    fn newly_read(&mut self) -> u64 {
        let position = self.input.as_mut().and_then(|file| file.stream_position().ok());
        let newly = position.unwrap_or(self.reached).saturating_sub(self.accounted);
        self.accounted += newly;
        newly
    }

    /// So much of the file is done, for a reader that does not go through it from its beginning to its end.
    ///
    /// * `num_bytes`: from the file's beginning.
    pub(super) fn reach(&mut self, num_bytes: u64) {
        self.reached = num_bytes;
    }
}

impl Content<'_> {
    /// As messages have it.
    pub(super) fn place(&self) -> String {
        String::from_utf8_lossy(self.name).into_owned()
    }

    /// The name of a member.
    pub(super) fn member_name(&self, member: &[u8]) -> Vec<u8> {
        [self.name, b"!", member].concat()
    }
}

/// What a decoder says, on one line: some quote what they have read.
pub(super) fn shown(error: &dyn std::fmt::Display) -> String {
    const SHOWN: usize = 80;
    let error = error.to_string();
    let words = error.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    let error = words.collect::<Vec<_>>().join(" ");
    match error.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &error[..end]),
        None => error,
    }
}

/// Of a document of more bytes than are allowed.
pub(super) fn too_large(limit: u64) -> String {
    format!("more than {limit} bytes; skipped ({})", remedy(limit))
}

/// Of a document that has more bytes than are allowed once it is decoded.
pub(super) fn too_large_as_utf8(limit: u64) -> String {
    format!("more than {limit} bytes as UTF-8; skipped ({})", remedy(limit))
}

fn remedy(limit: u64) -> &'static str {
    if limit < InputConfig::MOST_UNPACKED_BYTES {
        "--max-document-bytes takes larger ones"
    } else {
        "split it into several documents"
    }
}
