//! Rewrites zip archives: determines which members are kept, dropped or replaced; kept members are copied in their
//! packed form.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};

use zip::CompressionMethod;
use zip::ZipReadOptions;
use zip::read::Config;
use zip::result::{ZipError, ZipResult};
use zip::unstable::read::ZipIterable;

use super::change::{Change, ContentName, LookAtMember, Looked, MemberChange, SkippedTally};
use super::fates::Fate;
use super::zip_parts::ZipParts;
use crate::documents::input::{Inputs, MemberNames, MemberSpans, Meter, contain, zip_member_name};

/// Determines how a zip archive is to be written.
///
/// # Errors
/// When the archive cannot be read.
pub(super) fn look(
    archive: ContentName,
    inputs: Inputs,
    file: File,
    drop_skipped: bool,
    meter: &Meter,
    member: LookAtMember,
) -> io::Result<Looked> {
    let mut reader = opened(file)?;
    let entries = reader.files().map_err(io_error)?;
    let (mut names, mut members, mut tally, mut any_stays) =
        (MemberNames::new(inputs), Vec::new(), SkippedTally::default(), false);
    let mut spans = MemberSpans::default();
    while let Some(entry) = checked(|| entries.next().transpose())? {
        let raw_name = zip_member_name(&entry);
        let change = match names.wanted(&raw_name) {
            None if entry.is_dir() => MemberChange::Keep,
            None => {
                tally.passed_over += 1;
                MemberChange::Drop
            }
            Some(_) if entry.is_dir() => MemberChange::Keep,
            // A member that cannot be compared is copied in its packed form.
            Some(_)
                if entry.is_symlink()
                    || entry.encrypted()
                    || !is_supported(entry.compression())
                    || !spans.add(&entry) =>
            {
                let stays = tally.stays(Fate::Skipped, drop_skipped);
                any_stays |= stays;
                if stays { MemberChange::Keep } else { MemberChange::Drop }
            }
            Some(wanted) => {
                let opened = checked(|| entry.with_reader(entries.reader_mut(), ZipReadOptions::new()))?;
                let mut opened = meter.unpacked(opened);
                let name = names.next(archive.name, &wanted);
                let content = ContentName { name: &name, format_name: &wanted, is_member: true, is_link: false };
                let change = member(content, &mut opened as &mut dyn Read, &mut tally)?;
                any_stays |= change != MemberChange::Drop;
                change
            }
        };
        members.push(change);
    }
    let is_kept = members.iter().all(|change| *change == MemberChange::Keep);
    let change = if is_kept { Change::Keep } else { Change::Members(members) };
    Ok(Looked { is_emptied: !any_stays && !is_kept, change, spool: None, tally })
}

/// Writes the archive with its members kept, dropped or replaced.
///
/// # Errors
/// When the archive cannot be read again, or `out` fails.
pub(super) fn write(file: File, members: &[MemberChange], spool: Option<&File>, out: &mut dyn Write) -> io::Result<()> {
    ZipParts::of(file)?.write(members, spool, out)
}

fn opened(file: File) -> io::Result<ZipIterable<BufReader<File>>> {
    checked(|| ZipIterable::try_new(BufReader::new(file), Config::default()))
}

#[expect(deprecated, reason = "what stands in its place are the methods that are not supported, one by one")]
fn is_supported(method: CompressionMethod) -> bool {
    !matches!(method, CompressionMethod::Unsupported(_))
}

/// Calls the zip library and converts its panics and errors.
fn checked<T>(call: impl FnOnce() -> ZipResult<T>) -> io::Result<T> {
    contain(call)?.map_err(io_error)
}

fn io_error(error: ZipError) -> io::Error {
    match error {
        ZipError::Io(error) => error,
        other => io::Error::other(other.to_string()),
    }
}
