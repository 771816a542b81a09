//! Unpacking: reads compressed files, archives and data sets, and makes pieces of documents for the workers.
//!
//! One thread reads such a file from beginning to end, because it cannot be read at arbitrary offsets. A compressed
//! file contains one document or the records of one file. An archive contains members; each is read in the format that
//! its name says, and may itself be compressed or an archive. Mail and web crawls contain messages and pages. Each format reads a stream in its own module
//! (`archive`, `records`; `codec` decompresses) and passes the results to the [`BatchWriter`]. The formats do not import this file;
//! it passes them a function that reads nested content. No format writes a file, and a [`Budget`] limits the bytes that
//! they pass on.

pub(super) mod archive;
pub(super) mod file_kind;
pub(super) mod json_probe;
pub(super) mod content;
pub(super) mod cuts;
pub(super) mod meter;
mod mismatch;
pub(super) mod batch_writer;
pub(super) mod job;
pub(super) mod peel;
mod stored;
mod item_names;
mod mail;
mod warc;
pub(super) mod records;

use std::fs::File;
use std::io::{self, Read, Seek};
use std::sync::{Mutex, mpsc};

use self::archive::{tar, zip};
use self::batch_writer::BatchWriter;
use self::content::{Bytes, Content};
use self::job::{Job, Unpacking};
use self::json_probe::JsonProbe;
use self::mail::mbox;
use self::mismatch::mismatch;
use self::records::{delimited, json_files, lines};
use super::bytes::decode::{BINARY_PREFIX, Decoding};
use super::codec::Codec;
use super::formats::format::{FORMAT_PREFIX, Format, has_extension, name_inside};
use super::messages::{LFS_DETAIL, LFS_POINTER, MAX_DEPTH, packed_too_often};
use super::paths::{path_bytes, path_of, unusable};
use super::piece::BatchItem;
use super::streams::stream::{Peeked, UntilEnd, format_of};
use crate::base::problem::{Problem, Reason};
use crate::base::storage::read_at;
use crate::documents::document::{Markup, OffsetsOf};

/// Unpacks files until the queue is closed.
pub(super) fn unpack_all(unpacking: &Unpacking, jobs: &Mutex<mpsc::Receiver<Job>>) {
    loop {
        let job = jobs.lock().expect("no holder panics").recv();
        let Ok(job) = job else { return };
        unpack_one(unpacking, &job);
    }
}

/// Unpacks a file.
pub(super) fn unpack_one(unpacking: &Unpacking, job: &Job) {
    let mut out = BatchWriter::new(unpacking, job);
    unpack(&mut out, job);
    let name = || job.path.as_deref().map_or_else(|| "-".to_owned(), |path| path.to_string_lossy().into_owned());
    out.report_stop(name);
    out.flush();
}

fn unpack(out: &mut BatchWriter, job: &Job) {
    let Some(path) = &job.path else { return read_stream(out, b"-", true, &mut io::stdin().lock()) };
    if let Some(stored) = out.inputs().settings.stored_input(path, job.is_against) {
        return stored::read(out, stored);
    }
    match File::open(path) {
        Err(error) => out.problem(unusable(path, &error)),
        Ok(mut file) if job.is_stream => read_stream(out, path_bytes(path), job.named, &mut file),
        Ok(file) => {
            let name = path_bytes(path);
            let format = Format::of(out.inputs(), name, false);
            // Both file handles share one position. A reader of columns moves back and forth, so its position does not
            // show progress.
            out.count(file.metadata().map_or(0, |metadata| metadata.len()));
            out.measure(file.try_clone().ok().filter(|_| !matches!(format, Format::Parquet | Format::Arrow)));
            let content = Content {
                name,
                format,
                format_name: name,
                named: job.named,
                depth: 0,
                is_decoded: false,
                by_name: true,
            };
            read(out, content, Bytes::File(file));
        }
    }
}

/// Reads a stream that can be read once: standard input, or a pipe, whose name may show the format.
fn read_stream(out: &mut BatchWriter, name: &[u8], named: bool, stream: &mut dyn Read) {
    let stream = &mut out.meter().packed(UntilEnd::new(stream));
    // Fail before much of the stream was read.
    if let Err(error) = out.sources().prepare() {
        return out.sources().fail_to_keep(name, error);
    }
    let by_name = has_extension(name);
    let format = Format::of(out.inputs(), name, false);
    let content = Content { name, format, format_name: name, named, depth: 0, is_decoded: false, by_name };
    if by_name { read(out, content, Bytes::Stream(stream)) } else { look(out, content, stream) }
}

/// Reads a stream whose name does not show its format.
fn look(out: &mut BatchWriter, content: Content, stream: &mut dyn Read) {
    let mut stream = Peeked::new(stream, FORMAT_PREFIX);
    let format = format_of(out.inputs(), content.name == b"-", &mut stream);
    read(out, Content { format, ..content }, Bytes::Stream(&mut stream));
}

/// Reads content in its format, or unpacks it if its first bytes show compression.
fn read(out: &mut BatchWriter, content: Content, bytes: Bytes) {
    if content.depth > MAX_DEPTH {
        return out.problem(Problem::error(content.place(), Reason::Unreadable, packed_too_often()));
    }
    match (content.format, bytes) {
        (Format::Filtered(_), bytes) => read_as(out, content, bytes),
        (_, Bytes::File(file)) => {
            let mut start = Vec::new();
            match read_at(&file, 0, LFS_POINTER.len(), &mut start) {
                Ok(()) => read_begun(out, content, &start, Bytes::File(file)),
                Err(error) => out.problem(unusable(path_of(content.name), &error)),
            }
        }
        (_, Bytes::Stream(stream)) => {
            let mut stream = Peeked::new(stream, LFS_POINTER.len());
            let start = stream.start.clone();
            read_begun(out, content, &start, Bytes::Stream(&mut stream));
        }
    }
}

fn read_begun(out: &mut BatchWriter, content: Content, start: &[u8], bytes: Bytes) {
    if start == LFS_POINTER && !matches!(content.format, Format::Text { .. }) {
        return out.problem(Problem::error(content.place(), Reason::Missing, LFS_DETAIL));
    }
    match (Codec::of_magic(start), content.format) {
        // The content inside has the same name.
        (Some(codec), format) if !matches!(format, Format::Compressed(_)) => {
            read_packed(out, Content { depth: content.depth + 1, ..content }, codec, bytes);
        }
        (Some(codec), _) => read_as(out, Content { format: Format::Compressed(codec), ..content }, bytes),
        (None, format) => match mismatch(format, start) {
            Some(detail) => out.problem(Problem::error(content.place(), Reason::Unreadable, detail)),
            None => read_as(out, content, bytes),
        },
    }
}

fn read_as(out: &mut BatchWriter, content: Content, bytes: Bytes) {
    if !content.format.may_be_values(out.inputs(), content.format_name) {
        return read_known(out, content, bytes);
    }
    let settle = |out: &mut BatchWriter, values| match values {
        JsonProbe::Records(format) => Content { format, ..content },
        JsonProbe::OneText(note) => {
            out.problem(Problem::note(content.place(), Reason::OneText, note));
            Content { format: content.format.or_text(out.inputs()), ..content }
        }
        JsonProbe::Other => content,
    };
    match bytes {
        Bytes::File(mut file) => {
            let content = settle(out, JsonProbe::of_file(out.inputs(), content.format, content.format_name, &mut file));
            match file.rewind() {
                Ok(()) => read_known(out, content, Bytes::File(file)),
                Err(error) => out.problem(unusable(path_of(content.name), &error)),
            }
        }
        Bytes::Stream(stream) => {
            let mut stream = Peeked::new(stream, BINARY_PREFIX);
            let content = settle(out, JsonProbe::of(out.inputs(), content.format, content.format_name, &mut stream));
            read_known(out, content, Bytes::Stream(&mut stream));
        }
    }
}

fn read_known(out: &mut BatchWriter, content: Content, mut bytes: Bytes) {
    match content.format {
        Format::Text { markup } => document(out, content, &mut bytes, markup, None),
        Format::Filtered(number) => document(out, content, &mut bytes, Markup::None, Some(number)),
        Format::JsonLines | Format::SetLines | Format::TextLines => {
            out.with_utf8(content, &mut bytes, Decoding::wide, lines::read);
        }
        Format::Json => json_files::read(out, content, &mut bytes),
        Format::JsonOrText => json_files::read_or_text(out, content, bytes, &mut read_as),
        Format::Delimited(delimiter) => {
            let rows = |out: &mut BatchWriter, content: Content, bytes: &mut dyn Read| {
                delimited::read(out, content, bytes, delimiter);
            };
            out.with_utf8(content, &mut bytes, Decoding::wide, rows);
        }
        #[cfg(feature = "parquet")]
        Format::Parquet => records::parquet::read(out, content, bytes),
        #[cfg(not(feature = "parquet"))]
        Format::Parquet => {
            let detail = "this program was built without the feature `parquet`; install a package of dedup, or build it with --features full";
            out.problem(Problem::error(content.place(), Reason::Unreadable, detail));
        }
        #[cfg(feature = "arrow")]
        Format::Arrow => records::arrow::read(out, content, bytes),
        #[cfg(not(feature = "arrow"))]
        Format::Arrow => {
            let detail = "this program was built without the feature `arrow`; install a package of dedup, or build it with --features full";
            out.problem(Problem::error(content.place(), Reason::Unreadable, detail));
        }
        Format::Tar => tar::read(out, content, bytes, &mut read),
        Format::Zip => zip::read(out, content, bytes, &mut read),
        Format::Mail => out.container(content, |out| mail::read(out, content, &mut bytes, &mut read)),
        Format::Mbox => out.container(content, |out| mbox::read(out, content, &mut bytes, &mut read)),
        Format::Warc => out.container(content, |out| warc::read(out, content, &mut bytes)),
        Format::Compressed(codec) => {
            let inside = name_inside(content.format_name);
            let format = Format::of(out.inputs(), &inside, content.depth > 0);
            let inside = Content { format, format_name: &inside, depth: content.depth + 1, ..content };
            read_packed(out, inside, codec, bytes);
        }
    }
}

/// Reads the content of compressed bytes.
fn read_packed(out: &mut BatchWriter, inside: Content, codec: Codec, bytes: Bytes) {
    let max_window = out.inputs().max_window;
    out.packed(codec, |out| match codec.decoder(bytes, max_window) {
        Ok(decoder) => {
            // Each record of a crawl is a member.
            let is_crawl = codec == Codec::Gzip && inside.format == Format::Warc;
            let mut unpacked = out.meter().unpacked(if is_crawl { decoder.resuming() } else { decoder });
            if inside.by_name {
                read(out, inside, Bytes::Stream(&mut unpacked))
            } else {
                look(out, inside, &mut unpacked)
            }
        }
        Err(error) => out.damaged(inside, &error, "skipped"),
    });
}

/// Adds a whole document to the batch.
fn document(out: &mut BatchWriter, content: Content, bytes: &mut Bytes, markup: Markup, filter: Option<usize>) {
    let limit = out.inputs().unpacked_bytes();
    let (name, named) = (content.name.len(), content.named);
    let of = match filter {
        Some(_) => OffsetsOf::Filter,
        None if content.depth > 0 => OffsetsOf::Member,
        None => OffsetsOf::File,
    };
    let item = |len| BatchItem::Document { name, content: len, markup, filter, named, of };
    let has_parts = filter.is_none() && content.depth > 0;
    match out.document(content.name, &mut bytes.take(limit + 1), limit, has_parts, item) {
        // Filters are slow, so each filtered document is a separate piece.
        Ok(true) if filter.is_some() => out.flush(),
        Ok(true) => out.flush_full(),
        Ok(false) => out.too_large(content, limit),
        Err(error) if content.depth == 0 => out.problem(unusable(path_of(content.name), &error)),
        Err(error) => out.damaged(content, &error, "skipped"),
    }
}
