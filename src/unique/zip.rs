//! zip: an archive in, what becomes of each member out; members that stay are copied as they are packed.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};

use zip::CompressionMethod;
use zip::read::Config;
use zip::result::{ZipError, ZipResult};
use zip::unstable::read::ZipIterable;
use zip::{ZipArchive, ZipReadOptions, ZipWriter};

use super::change::{Change, ContentName, LookAtMember, Looked, MemberChange, SkippedTally};
use super::fates::Fate;
use crate::input::{Inputs, MemberNames, contain, zip_member_name};
use crate::storage::temporary_file;

/// Finds out what becomes of an archive.
///
/// # Errors
/// When it cannot be read, or has to change and has a member that could not be written again: one that is encrypted or packed
/// by an unknown method, or the second of a name.
pub(super) fn look(
    archive: ContentName,
    inputs: Inputs,
    file: File,
    drop_skipped: bool,
    member: LookAtMember,
) -> io::Result<Looked> {
    let mut reader = opened(file)?;
    let entries = reader.files().map_err(io_error)?;
    let (mut names, mut members, mut tally, mut any_stays) =
        (MemberNames::new(inputs), Vec::new(), SkippedTally::default(), false);
    let (mut stored_names, mut obstacle) = (HashSet::new(), None);
    while let Some(entry) = checked(|| entries.next().transpose())? {
        let raw_name = zip_member_name(&entry);
        let is_packed_well = !entry.encrypted() && is_supported(entry.compression());
        let change = match names.wanted(&raw_name) {
            None if entry.is_dir() => MemberChange::Keep,
            None => MemberChange::Drop,
            Some(_) if entry.is_dir() => MemberChange::Keep,
            Some(_) if entry.is_symlink() || !is_packed_well => {
                let stays = tally.stays(Fate::Skipped, drop_skipped);
                any_stays |= stays;
                if stays { MemberChange::Keep } else { MemberChange::Drop }
            }
            Some(wanted) => {
                let mut opened = checked(|| entry.with_reader(entries.reader_mut(), ZipReadOptions::new()))?;
                let name = names.next(archive.name, &wanted);
                let content = ContentName { name: &name, format_name: &wanted, is_member: true, is_link: false };
                let change = member(content, &mut opened as &mut dyn Read, &mut tally)?;
                any_stays |= change != MemberChange::Drop;
                change
            }
        };
        if change != MemberChange::Drop {
            let fault = match is_packed_well {
                false => Some("is encrypted, or packed by an unknown method"),
                true if stored_names.contains(&raw_name) => Some("is there twice"),
                true => None,
            };
            let member = || String::from_utf8_lossy(&raw_name);
            obstacle = obstacle.or(fault.map(|fault| format!("its member `{}` {fault}", member())));
            stored_names.insert(raw_name);
        }
        members.push(change);
    }
    let is_kept = members.iter().all(|change| *change == MemberChange::Keep);
    if let Some(obstacle) = obstacle.filter(|_| !is_kept) {
        return Err(io::Error::other(obstacle));
    }
    let change = if is_kept { Change::Keep } else { Change::Members(members) };
    Ok(Looked { is_emptied: !any_stays && !is_kept, change, spool: None, tally })
}

/// Writes an archive with these members.
///
/// # Errors
/// When it cannot be read again, or `out` fails.
pub(super) fn write(file: File, members: &[MemberChange], spool: Option<&File>, out: &mut dyn Write) -> io::Result<()> {
    let comment = checked(|| ZipArchive::new(BufReader::new(file.try_clone()?)))?.comment().to_vec();
    let mut reader = opened(file)?;
    let entries = reader.files().map_err(io_error)?;
    // The directory at the end needs places of members, and `out` may compress.
    let mut writer = ZipWriter::new(temporary_file()?);
    writer.set_raw_comment(comment.into()).map_err(io_error)?;
    for change in members {
        let entry = checked(|| entries.next().transpose())?.ok_or(io::ErrorKind::UnexpectedEof)?;
        let opened = || checked(|| entry.with_reader(entries.reader_mut(), ZipReadOptions::new()));
        match change {
            MemberChange::Drop => {}
            MemberChange::Keep => writer.raw_copy_file(opened()?).map_err(io_error)?,
            MemberChange::Replace(spooled) => {
                let opened = opened()?;
                let options = opened.options().into_full_options();
                let name = opened.name().map_err(io_error)?.into_owned();
                drop(opened);
                writer.start_file(name, options).map_err(io_error)?;
                let mut spool = spool.expect("what is spooled has a spool");
                spool.seek(SeekFrom::Start(spooled.start))?;
                io::copy(&mut spool.take(spooled.end - spooled.start), &mut writer)?;
            }
        }
    }
    let mut written = writer.finish().map_err(io_error)?;
    written.rewind()?;
    io::copy(&mut written, out).map(drop)
}

fn opened(file: File) -> io::Result<ZipIterable<BufReader<File>>> {
    checked(|| ZipIterable::try_new(BufReader::new(file), Config::default()))
}

#[expect(deprecated, reason = "what stands in its place are the methods that are not supported, one by one")]
fn is_supported(method: CompressionMethod) -> bool {
    !matches!(method, CompressionMethod::Unsupported(_))
}

/// Calls the library.
fn checked<T>(call: impl FnOnce() -> ZipResult<T>) -> io::Result<T> {
    contain(call)?.map_err(io_error)
}

fn io_error(error: ZipError) -> io::Error {
    match error {
        ZipError::Io(error) => error,
        other => io::Error::other(other.to_string()),
    }
}
