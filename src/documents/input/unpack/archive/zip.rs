//! zip: reads a file and passes on its members in the order of the central directory, which is at the end of the file.
//! A stream is therefore copied first.

use std::collections::BTreeMap;
use std::io::{self, BufReader, Read};

use zip::CompressionMethod;
use zip::read::Config;
use zip::result::{ZipError, ZipResult};
use zip::unstable::read::ZipIterable;

use super::Members;
use super::times::zip_time;
use crate::base::problem::{Problem, Reason};
use crate::base::storage::FileSpan;
use crate::documents::input::codec::Codec;
use crate::documents::input::panic_guard::{Contained, contain};
use crate::documents::input::unpack::batch_writer::{BatchWriter, ReadOn};
use crate::documents::input::unpack::content::{Bytes, Content};

/// The end of the message about a damaged directory.
const BUT: &str = "the members before that are compared";

pub(in crate::documents::input) fn read(out: &mut BatchWriter, content: Content, bytes: Bytes, read: ReadOn) {
    let Some(file) = out.seekable(content, bytes) else { return };
    let data = match file.try_clone() {
        Ok(data) => data,
        Err(error) => return out.damaged(content, &error, "skipped"),
    };
    // This reader yields all members with the same name, unlike one with an index by name.
    let mut archive = match checked(|| ZipIterable::try_new(BufReader::new(file), Config::default())) {
        Ok(archive) => archive,
        Err(ZipError::InvalidArchive(_)) => return out.not_a(content, "a zip archive, or cut short"),
        Err(error) => return out.damaged(content, &error, "skipped"),
    };
    let entries = match checked(|| archive.files()) {
        Ok(entries) => entries,
        Err(error) => return out.damaged(content, &error, "skipped"),
    };
    let (mut members, mut spans, max_window) = (Members::default(), MemberSpans::default(), out.inputs().max_window);
    while out.is_open() {
        let next =
            checked(|| entries.next().map(|entry| entry.map(|entry| (zip_member_name(&entry), entry))).transpose());
        let (name, entry) = match next {
            Ok(None) => return,
            Ok(Some(entry)) => entry,
            Err(error) => return out.damaged(content, &error, BUT),
        };
        let Some(member) = super::wanted(out.globs(), &name).filter(|_| !entry.is_dir()) else { continue };
        if entry.is_symlink() {
            super::link(out, content, &member);
            continue;
        }
        let place = || String::from_utf8_lossy(&content.member_name(&member)).into_owned();
        if entry.encrypted() {
            let detail = "encrypted; decrypt it, or exclude it";
            out.problem(Problem::error(place(), Reason::Unreadable, detail));
            continue;
        }
        // Opening such a member succeeds, and reading it fails without a reason.
        if let Some(method) = unsupported(entry.compression()) {
            let detail = format!("packed by {method}, which is not supported; unpack it first");
            out.problem(Problem::error(place(), Reason::Unreadable, detail));
            continue;
        }
        if !spans.add(&entry) {
            let detail =
                "its bytes are also those of another member; skipped (unpack it first if you trust the archive)";
            out.problem(Problem::error(place(), Reason::Damaged, detail));
            continue;
        }
        let time = if out.inputs().member_times.is_collected() { zip_time(&data, &entry) } else { None };
        let (codec, len, sum) = (codec(entry.compression()), entry.compressed_size(), entry.crc32());
        let opened = checked(|| {
            let entry = entry.with_reader(entries.reader_mut(), zip::ZipReadOptions::new())?;
            Ok((codec.zip(entry.data_start()), entry))
        });
        match opened {
            Ok((None, entry)) => {
                let mut entry = out.meter().unpacked(Contained::new(entry));
                out.member(content, &member, (members.count(&member), time), Bytes::Stream(&mut entry), read);
            }
            Ok((Some((codec, start)), _)) => match codec.decoder(FileSpan::new(&data, start, len), max_window) {
                Ok(inside) => {
                    let mut inside = Checked { inside: out.meter().unpacked(inside), sum, found: 0 };
                    out.member(content, &member, (members.count(&member), time), Bytes::Stream(&mut inside), read);
                }
                Err(error) => out.damaged_at(place(), &error, "skipped"),
            },
            Err(ZipError::UnsupportedArchive(_)) => {
                let detail = "packed in a way that is not supported; unpack it first";
                out.problem(Problem::error(place(), Reason::Unreadable, detail));
            }
            Err(error) => out.damaged_at(place(), &error, "skipped"),
        }
    }
}

/// Calls the library and turns a panic into an error.
fn checked<T>(call: impl FnOnce() -> ZipResult<T>) -> ZipResult<T> {
    contain(call).map_err(|panicked| ZipError::Io(io::Error::from(panicked))).flatten()
}

/// The start and end of each member that was read. A zip bomb refers to one span of bytes from thousands of members.
#[derive(Debug, Default)]
pub(crate) struct MemberSpans(BTreeMap<u64, u64>);

impl MemberSpans {
    /// Minimum bytes of the header before a member.
    const HEADER: u64 = 30;

    /// Adds a member. Returns `false` when any of its bytes belong to another member.
    pub(crate) fn add(&mut self, entry: &zip::read::ZipFileEntry<'_>) -> bool {
        let start = entry.header_start();
        let end = start.saturating_add(Self::HEADER).saturating_add(entry.compressed_size());
        let is_apart = self.0.range(..end).next_back().is_none_or(|(_, &before)| before <= start);
        if is_apart {
            self.0.insert(start, end);
        }
        is_apart
    }
}

/// The codec of members that are decoded here instead of by the library, which loses the output directly before a
/// fault.
fn codec(method: CompressionMethod) -> Option<Codec> {
    match method {
        CompressionMethod::Deflated => Some(Codec::Deflate),
        CompressionMethod::Bzip2 => Some(Codec::Bzip2),
        CompressionMethod::Zstd => Some(Codec::Zstd),
        _ => None,
    }
}

/// A member whose checksum is compared at its end.
struct Checked<R> {
    inside: R,
    sum: u32,
    found: u32,
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inside.read(buffer)?;
        self.found = zlib_rs::crc32::crc32(self.found, &buffer[..count]);
        if count == 0 && !buffer.is_empty() && self.found != self.sum {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "Invalid checksum"));
        }
        Ok(count)
    }
}

/// The name's bytes if they are UTF-8, otherwise decoded from the code page of old archives.
pub(crate) fn zip_member_name(entry: &zip::read::ZipFileEntry<'_>) -> Vec<u8> {
    let raw = entry.name_raw();
    match (std::str::from_utf8(raw), entry.name()) {
        (Err(_), Ok(name)) => name.into_owned().into_bytes(),
        _ => raw.to_vec(),
    }
}

/// The name of an unsupported compression method, by its number in PKWARE's application note, 4.4.5.
fn unsupported(method: CompressionMethod) -> Option<String> {
    #[expect(deprecated, reason = "what stands in its place does not tell the number")]
    let CompressionMethod::Unsupported(method) = method else { return None };
    let name = match method {
        1 => "Shrink",
        2..=5 => "Reduce",
        6 => "Implode",
        14 => "LZMA",
        95 => "XZ",
        98 => "PPMd",
        _ => return Some(format!("method {method}")),
    };
    Some(format!("{name} (method {method})"))
}
