//! `ZipParts`: rewrites a zip archive by copying its members byte for byte, followed by a new directory.
//!
//! The zip library (9.4) cannot write such a copy: it clears the mark of encrypted members, allows each name only once, and
//! writes nothing before the archive. So a kept member is copied with its header, its data and everything up to the next
//! member. Its directory entry is copied too, changing only the position of the member. The
//! layout follows section 4 of PKWARE's application note.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::ops::Range;

use zip::read::Config;
use zip::unstable::read::ZipIterable;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::change::MemberChange;
use crate::base::storage::{FileSpan, read_at, temporary_file};
use crate::documents::input::contain;

/// Lengths in bytes of a local file header and of a directory entry, each before the name.
const HEADER: usize = 30;
const LINE: usize = 46;
/// The 32-bit value that marks a larger number, which is stored in the extra fields.
const LARGE: u32 = u32::MAX;
/// Identifier of the zip64 extra field, which holds large numbers.
const LARGE_FIELD: u16 = 1;
/// The flag of a member whose lengths follow its data.
const LENGTHS_BEHIND: u8 = 8;

/// A zip archive whose members can be copied separately. Needs 48 bytes for each member.
pub(super) struct ZipParts {
    file: File,
    /// Offset of the archive in the file, from which its directory counts positions; other data may precede it.
    start: u64,
    directory: u64,
    comment: Vec<u8>,
    /// The members, in the order of the directory.
    members: Vec<Member>,
}

struct Member {
    /// The bytes from the member's header to the next header.
    bytes: Range<u64>,
    /// Offset of the member's directory entry.
    line: u64,
    method: CompressionMethod,
}

impl ZipParts {
    /// # Errors
    /// When the file is not a zip archive, or its members overlap.
    pub(super) fn of(file: File) -> io::Result<Self> {
        let archive = contain(|| ZipArchive::new(BufReader::new(file.try_clone()?)))??;
        let (start, directory) = (archive.offset(), archive.central_directory_start());
        let comment = archive.comment().to_vec();
        drop(archive);
        let mut members = Vec::new();
        let mut reader = contain(|| ZipIterable::try_new(BufReader::new(file.try_clone()?), Config::default()))??;
        let entries = reader.files()?;
        while let Some(entry) = contain(|| entries.next().transpose())?? {
            let header = part(&file, entry.header_start(), HEADER)?;
            let names = u64::from(number(&header, 26)) + u64::from(number(&header, 28));
            let end = entry.header_start() + HEADER as u64 + names + entry.compressed_size();
            let (bytes, line, method) = (entry.header_start()..end, entry.central_header_start(), entry.compression());
            members.push(Member { bytes, line, method });
        }
        let mut starts: Vec<u64> = members.iter().map(|member| member.bytes.start).chain([directory]).collect();
        starts.sort_unstable();
        starts.dedup();
        for member in &mut members {
            // Bytes after a member, such as its lengths, belong to the member.
            let next = starts[starts.partition_point(|&start| start <= member.bytes.start)..].first();
            match next.filter(|&&next| member.bytes.end <= next) {
                Some(&next) => member.bytes.end = next,
                None => return Err(io::Error::other("its members overlap")),
            }
        }
        Ok(Self { file, start, directory, comment, members })
    }

    /// Writes the archive with its members kept, dropped or replaced.
    ///
    /// * `changes`: one change for each member, in the order of the directory.
    ///
    /// # Errors
    /// When the archive cannot be read, would need larger numbers than its headers can hold, or `out` fails.
    pub(super) fn write(&self, changes: &[MemberChange], spool: Option<&File>, out: &mut dyn Write) -> io::Result<()> {
        if changes.len() != self.members.len() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let mut out = CountingWriter { out, position: 0 };
        let first = self.members.iter().map(|member| member.bytes.start).min().unwrap_or(self.directory);
        io::copy(&mut FileSpan::new(&self.file, 0, first), &mut out)?;
        let mut lines: Vec<Vec<u8>> = vec![Vec::new(); changes.len()];
        let mut stored: Vec<usize> = (0..changes.len()).filter(|&at| changes[at] != MemberChange::Drop).collect();
        stored.sort_by_key(|&at| self.members[at].bytes.start);
        for at in stored {
            let (member, place) = (&self.members[at], out.position - self.start);
            let line = &mut lines[at];
            *line = self.line(member)?;
            match &changes[at] {
                MemberChange::Drop => unreachable!("those were left out"),
                MemberChange::Keep => {
                    let Range { start, end } = member.bytes;
                    io::copy(&mut FileSpan::new(&self.file, start, end - start), &mut out)?;
                }
                MemberChange::Replace(spooled) => {
                    let content = FileSpan::new(
                        spool.expect("what is spooled has a spool"),
                        spooled.start,
                        spooled.end - spooled.start,
                    );
                    let packed = Packed::new(content, member.method)?;
                    let header = part(&self.file, member.bytes.start, HEADER)?;
                    let len = HEADER + usize::from(number(&header, 26)) + usize::from(number(&header, 28));
                    let mut header = part(&self.file, member.bytes.start, len)?;
                    packed.describe(&mut header, 6, HEADER)?;
                    packed.describe(line, 8, LINE)?;
                    out.write_all(&header)?;
                    io::copy(&mut FileSpan::new(&packed.file, packed.bytes.start, packed.len()), &mut out)?;
                }
            }
            set_place(line, place)?;
        }
        let place = out.position - self.start;
        lines.iter().try_for_each(|line| out.write_all(line))?;
        let num_lines = lines.iter().filter(|line| !line.is_empty()).count() as u64;
        let len = out.position - self.start - place;
        out.write_all(&end(num_lines, place, len, &self.comment))
    }

    /// Reads a member's directory entry.
    fn line(&self, member: &Member) -> io::Result<Vec<u8>> {
        let line = part(&self.file, member.line, LINE)?;
        let len = [28, 30, 32].map(|at| usize::from(number(&line, at))).iter().sum::<usize>();
        part(&self.file, member.line, LINE + len)
    }
}

/// Content compressed as a zip member in a temporary file.
struct Packed {
    file: File,
    bytes: Range<u64>,
    sum: u32,
    unpacked_len: u64,
}

impl Packed {
    fn new(mut content: impl Read, method: CompressionMethod) -> io::Result<Self> {
        let options = zip::write::SimpleFileOptions::default().compression_method(method).large_file(true);
        let mut writer = ZipWriter::new(temporary_file()?);
        writer.start_file("", options)?;
        io::copy(&mut content, &mut writer)?;
        let file = writer.finish()?;
        let mut archive = ZipArchive::new(file.try_clone()?)?;
        let member = archive.by_index(0)?;
        let start = member.data_start().ok_or(io::ErrorKind::UnexpectedEof)?;
        let bytes = start..start + member.compressed_size();
        let (sum, unpacked_len) = (member.crc32(), member.size());
        drop(member);
        Ok(Self { file, bytes, sum, unpacked_len })
    }

    fn len(&self) -> u64 {
        self.bytes.end - self.bytes.start
    }

    /// Writes the lengths and the checksum into a local header or a directory entry.
    ///
    /// * `flags`: offset of the flags; `names`: offset of the name, which the extra fields follow.
    fn describe(&self, header: &mut Vec<u8>, flags: usize, names: usize) -> io::Result<()> {
        header[flags] &= !LENGTHS_BEHIND;
        header[flags + 8..flags + 12].copy_from_slice(&self.sum.to_le_bytes());
        for (at, len) in [(flags + 12, self.len()), (flags + 16, self.unpacked_len)] {
            header[at..at + 4].copy_from_slice(&small(len)?.to_le_bytes());
        }
        // The lengths are in the header itself now. The position that may share the extra field with them is set
        // afterwards.
        let fields = flags + 22;
        let start = names + usize::from(number(header, flags + 20));
        if let Some(field) = large_field(header, start, number(header, fields).into()) {
            let left = number(header, fields) - u16::try_from(field.len()).expect("a field is shorter than all");
            header.drain(field);
            header[fields..fields + 2].copy_from_slice(&left.to_le_bytes());
            if names == LINE {
                header[42..46].copy_from_slice(&0u32.to_le_bytes());
            }
        }
        Ok(())
    }
}

/// Counts the bytes that it writes.
struct CountingWriter<'w> {
    out: &'w mut dyn Write,
    position: u64,
}

impl Write for CountingWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.out.write(bytes)?;
        self.position += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Reads exactly `len` bytes of a file.
fn part(file: &File, start: u64, len: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    read_at(file, start, len, &mut bytes)?;
    if bytes.len() == len { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

fn number(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn small(number: u64) -> io::Result<u32> {
    let small = u32::try_from(number).ok().filter(|&number| number < LARGE);
    small.ok_or_else(|| io::Error::other("it would have a member, or a place of one, of 4 GiB and more"))
}

/// The range of the zip64 extra field with its header, if the fields contain one.
fn large_field(bytes: &[u8], start: usize, len: usize) -> Option<Range<usize>> {
    let (mut at, end) = (start, (start + len).min(bytes.len()));
    while at + 4 <= end {
        let next = at + 4 + usize::from(number(bytes, at + 2));
        if number(bytes, at) == LARGE_FIELD && next <= end {
            return Some(at..next);
        }
        at = next;
    }
    None
}

/// Sets the position of the member in its directory entry.
fn set_place(line: &mut [u8], place: u64) -> io::Result<()> {
    let is_large = |at: usize| line[at..at + 4] == LARGE.to_le_bytes();
    if !is_large(42) {
        line[42..46].copy_from_slice(&small(place)?.to_le_bytes());
        return Ok(());
    }
    // In the zip64 field the position follows the lengths that are large.
    let before = 8 * (usize::from(is_large(20)) + usize::from(is_large(24)));
    let field = large_field(line, LINE + usize::from(number(line, 28)), number(line, 30).into());
    let at = field.filter(|field| field.start + 4 + before + 8 <= field.end).map(|field| field.start + 4 + before);
    let at = at.ok_or_else(|| io::Error::other("its directory does not say where a member is"))?;
    line[at..at + 8].copy_from_slice(&place.to_le_bytes());
    Ok(())
}

/// The end records of an archive: zip64 ones if a number needs them, then the classic one.
///
/// * `place`, `len`: offset and length of the directory.
fn end(num_members: u64, place: u64, len: u64, comment: &[u8]) -> Vec<u8> {
    let mut end = Vec::new();
    if num_members >= u16::MAX.into() || place >= LARGE.into() || len >= LARGE.into() {
        end.extend_from_slice(b"PK\x06\x06");
        end.extend_from_slice(&44u64.to_le_bytes());
        end.extend_from_slice(&[45, 0, 45, 0]);
        end.extend_from_slice(&[0; 8]);
        [num_members, num_members, len, place].iter().for_each(|number| end.extend_from_slice(&number.to_le_bytes()));
        end.extend_from_slice(b"PK\x06\x07");
        end.extend_from_slice(&[0; 4]);
        end.extend_from_slice(&(place + len).to_le_bytes());
        end.extend_from_slice(&1u32.to_le_bytes());
    }
    end.extend_from_slice(b"PK\x05\x06");
    end.extend_from_slice(&[0; 4]);
    let short = u16::try_from(num_members).unwrap_or(u16::MAX).to_le_bytes();
    end.extend_from_slice(&[short, short].concat());
    [len, place].iter().for_each(|&number| {
        end.extend_from_slice(&u32::try_from(number).unwrap_or(LARGE).to_le_bytes());
    });
    end.extend_from_slice(&u16::try_from(comment.len()).expect("it was read").to_le_bytes());
    end.extend_from_slice(comment);
    end
}
