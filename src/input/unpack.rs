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

use encoding_rs::Encoding;

use super::archive;
use super::compression::Codec;
use super::decode::{Decoding, utf16_of_mark};
use super::format::{Format, name_inside};
use super::globs::Globs;
use super::piece::{Batch, BatchItem, Budget, Piece, PieceKind};
use super::records::{delimited, json_files, lines};
use super::spool::{Sources, read_at};
use super::stream::Peeked;
use super::temporary::{self, CopyFault};
use super::transcode::Transcoder;
use super::walk::unusable;
use super::{path_bytes, path_of};
use crate::config::InputConfig;
use crate::error::{Error, Problem, Reason};
use crate::shown::size;

/// Containers inside one another; more than anybody packs by hand, fewer than an archive that holds itself.
pub(super) const MAX_DEPTH: usize = 8;
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
    /// Whether it is of what the other documents are compared against.
    pub(super) is_against: bool,
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
            Unpacker::new(self, &job).run(&job);
        }
    }
}

/// Unpacks one file.
pub(super) struct Unpacker<'a> {
    pub(super) shop: &'a Workshop<'a>,
    /// The file, when it can be read again.
    path: Option<PathBuf>,
    /// What it was packed with that is being read, from the outermost on.
    codecs: Vec<Codec>,
    globs: Globs<'a>,
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
    fn new(shop: &'a Workshop<'a>, job: &Job) -> Self {
        Self {
            shop,
            path: job.path.clone().filter(|_| !job.is_stream),
            codecs: Vec::new(),
            globs: Globs::new(shop.config, job.is_against),
            place: job.place,
            part: 0,
            batch: Batch::default(),
            open: true,
            input: None,
            reached: 0,
            accounted: 0,
        }
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

    /// Reads something by its format, or, when its first bytes are those of something compressed, what is in it.
    pub(super) fn read(&mut self, content: Content, bytes: Bytes) {
        if content.depth > MAX_DEPTH {
            return self.problem(Problem::error(content.place(), Reason::Unreadable, packed_too_often()));
        }
        match (content.format, bytes) {
            (Format::Filtered(_), bytes) => self.read_as(content, bytes),
            (_, Bytes::File(file)) => {
                let mut start = Vec::new();
                match read_at(&file, 0, Codec::MAGIC, &mut start) {
                    Ok(()) => self.read_begun(content, &start, Bytes::File(file)),
                    Err(error) => self.problem(unusable(path_of(content.name), &error)),
                }
            }
            (_, Bytes::Stream(stream)) => {
                let mut stream = Peeked::new(stream, Codec::MAGIC);
                let start = stream.start.clone();
                self.read_begun(content, &start, Bytes::Stream(&mut stream));
            }
        }
    }

    fn read_begun(&mut self, content: Content, start: &[u8], bytes: Bytes) {
        match (Codec::of_magic(start), content.format) {
            // It has the name of what is in it.
            (Some(codec), format) if !matches!(format, Format::Compressed(_)) => {
                self.read_packed(Content { depth: content.depth + 1, ..content }, codec, bytes);
            }
            (Some(codec), _) => self.read_as(Content { format: Format::Compressed(codec), ..content }, bytes),
            (None, _) => self.read_as(content, bytes),
        }
    }

    pub(super) fn read_as(&mut self, content: Content, mut bytes: Bytes) {
        match content.format {
            Format::Text { is_html } => self.document(content, &mut bytes, is_html, None),
            Format::Filtered(number) => self.document(content, &mut bytes, false, Some(number)),
            Format::JsonLines | Format::SetLines => {
                self.with_utf8(content, &mut bytes, |decoding| decoding.wide(), lines::read);
            }
            Format::Json => json_files::read(self, content, &mut bytes),
            Format::JsonOrText => json_files::read_or_text(self, content, bytes),
            Format::Delimited(delimiter) => {
                self.with_utf8(
                    content,
                    &mut bytes,
                    |decoding| decoding.wide(),
                    |out, content, bytes| delimited::read(out, content, bytes, delimiter),
                );
            }
            #[cfg(feature = "parquet")]
            Format::Parquet => super::records::parquet::read(self, content, bytes),
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => {
                let detail = "this program was built without Parquet; build it with the feature `parquet`";
                self.problem(Problem::error(content.place(), Reason::Unreadable, detail));
            }
            Format::Tar => archive::tar::read(self, content, bytes),
            Format::Zip => archive::zip::read(self, content, bytes),
            Format::Compressed(codec) => {
                let inside = name_inside(content.format_name);
                let format = Format::of(self.shop.config, &inside, content.depth > 0);
                let inside = Content { format, format_name: &inside, depth: content.depth + 1, ..content };
                self.read_packed(inside, codec, bytes);
            }
        }
    }

    /// Reads what is in something compressed.
    fn read_packed(&mut self, inside: Content, codec: Codec, bytes: Bytes) {
        self.codecs.push(codec);
        match codec.decoder(bytes) {
            Ok(mut decoder) if !inside.is_told => self.look(inside, &mut decoder),
            Ok(mut decoder) => self.read(inside, Bytes::Stream(&mut decoder)),
            Err(error) => self.damaged(inside, &error, "skipped"),
        }
        self.codecs.pop();
    }

    /// Reads a member of an archive, by its own name.
    ///
    /// * `count`: the how manieth of this name it is.
    pub(super) fn member(&mut self, archive: Content, member: &[u8], count: u32, bytes: Bytes) {
        let mut name = archive.member_name(member);
        if count > 1 {
            let place = String::from_utf8_lossy(&name).into_owned();
            name = numbered(&name, count);
            let detail = format!(
                "this name was there before; compared as {}",
                crate::shown::shown(&String::from_utf8_lossy(&name))
            );
            self.problem(Problem::note(place, Reason::RepeatedId, detail));
        }
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
    ///
    /// * `other`: the encoding given, when the records cannot be cut in it.
    pub(super) fn with_utf8(
        &mut self,
        content: Content,
        bytes: &mut Bytes,
        other: impl Fn(Decoding) -> Option<&'static Encoding>,
        read: impl FnOnce(&mut Self, Content, &mut dyn Read),
    ) {
        let decoding = Decoding::new(self.shop.config);
        let mut bytes = Peeked::new(bytes, 2);
        let marked = utf16_of_mark(&bytes.start);
        match marked.or_else(|| other(decoding)) {
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
        match temporary::copy(&mut bytes, limit + 1) {
            Ok((copy, len)) if len <= limit => return Some(copy),
            Ok(_) => self.problem(Problem::error(content.place(), Reason::TooLarge, too_large(limit))),
            Err(CopyFault::Read(error)) => self.damaged(content, &error, "skipped"),
            Err(CopyFault::Keep(error)) => self.fail_to_keep(content, error),
        }
        None
    }

    /// Ends the run, since there is no room for a temporary file.
    pub(super) fn fail_to_keep(&self, content: Content, error: io::Error) {
        self.shop.sources.fail_to_keep(content.name, error);
    }

    /// The bytes of a file, unpacked, once more from their start; `None` of what is in an archive, or comes once.
    pub(super) fn again(&self, content: Content) -> Option<Box<dyn Read>> {
        let path = self.path.as_deref().filter(|path| path_bytes(path) == content.name)?;
        let file: Box<dyn Read> = Box::new(File::open(path).ok()?);
        self.codecs.iter().try_fold(file, |packed, codec| Some(Box::new(codec.decoder(packed).ok()?) as Box<dyn Read>))
    }

    /// Starts a source of records.
    pub(super) fn add_source(&self, content: Content) -> u32 {
        if matches!(content.format, Format::Delimited(_)) {
            self.shop.sources.see_delimited();
        }
        self.shop.sources.add(content.name, content.format, content.is_decoded)
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
        self.damaged_at(content.place(), error, but);
    }

    /// The same of what has another name.
    pub(super) fn damaged_at(&mut self, place: String, error: &dyn std::fmt::Display, but: &str) {
        if is_refusal(error) {
            return self.shop.sources.fail(Error::NoRoomForFile { place });
        }
        self.problem(Problem::error(place, Reason::Damaged, format!("damaged or cut short ({}); {but}", shown(error))));
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

    pub(super) fn globs(&self) -> Globs<'_> {
        self.globs
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

    pub(super) fn flush(&mut self) {
        let source = self.batch.source;
        if !self.batch.items.is_empty() {
            let batch = std::mem::replace(&mut self.batch, Batch { source, ..Batch::default() });
            let permit = self.shop.budget.take(batch.bytes.capacity() as u64);
            self.emit(PieceKind::Batch { batch, permit });
        }
    }

    pub(super) fn emit(&mut self, kind: PieceKind) {
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
    #[cfg(feature = "parquet")]
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

/// The name of the next document of a name: nothing can stand below a file, so that it is no path.
pub(crate) fn numbered(name: &[u8], count: u32) -> Vec<u8> {
    [name, b"/#", count.to_string().as_bytes()].concat()
}

/// What a decoder says, in our words: theirs are of their own code, and quote what they have read.
pub(super) fn shown(error: &dyn std::fmt::Display) -> String {
    let error = error.to_string();
    if let Some((said, _)) = error.split_once(" (os error ") {
        return said.to_owned();
    }
    let error = error.to_lowercase();
    let says = |parts: &[&str]| parts.iter().any(|part| error.contains(part));
    if says(&["checksum", "crc"]) {
        "a checksum is wrong"
    } else if says(&["memory", "window"]) {
        "it asks for too much memory"
    } else if says(&[
        "eof",
        "end of file",
        "unexpected end",
        "incomplete",
        "entire block",
        "not finished",
        "premature",
        "does not end",
    ]) {
        "it ends too early"
    } else {
        "inconsistent data"
    }
    .to_owned()
}

/// Whether a decoder says that the system has refused it memory, which is no fault of what it reads.
pub(super) fn is_refusal(error: &dyn std::fmt::Display) -> bool {
    let error = error.to_string().to_lowercase();
    ["allocate memory", "not enough memory", "out of memory"].iter().any(|words| error.contains(words))
}

/// Of what is packed more often than anybody packs.
pub(super) fn packed_too_often() -> String {
    format!("packed more than {MAX_DEPTH} times; unpack it first")
}

/// Of a document of more bytes than are allowed.
pub(super) fn too_large(limit: u64) -> String {
    format!("more than {}; skipped ({})", size(limit), remedy(limit))
}

/// Of a document that has more bytes than are allowed once it is decoded.
pub(super) fn too_large_as_utf8(limit: u64) -> String {
    format!("more than {} as UTF-8; skipped ({})", size(limit), remedy(limit))
}

fn remedy(limit: u64) -> &'static str {
    if limit < InputConfig::MOST_UNPACKED_BYTES {
        "--max-document-bytes takes larger ones"
    } else {
        "split it into several documents"
    }
}
