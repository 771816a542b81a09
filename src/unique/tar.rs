//! Finds the edits that remove members of a tar archive or replace their content.
//!
//! Kept members are copied byte for byte, headers included.

use std::collections::HashSet;
use std::io::{self, Read};
use std::ops::Range;

use super::change::{Change, ContentName, LookAtMember, Looked, MemberChange, SkippedTally};
use super::edits::{Edits, Instead};
use super::fates::Fate;
use crate::documents::input::{Headers, Inputs, MemberNames, contain};

/// Length of a tar block in bytes.
const BLOCK: u64 = 512;

/// Determines how a tar archive is to be written.
///
/// # Errors
/// When the archive cannot be read to its end, or a kept hard link points to a removed member.
pub(super) fn look(
    archive: ContentName,
    inputs: Inputs,
    stream: impl Read,
    drop_skipped: bool,
    member: LookAtMember,
) -> io::Result<Looked> {
    let (stream, refused) = Headers::new(stream);
    let mut archive_stream = tar::Archive::new(stream);
    let mut entries = archive_stream.entries()?;
    let (mut names, mut gone) = (MemberNames::new(inputs), HashSet::new());
    let (mut edits, mut tally, mut any_stays, mut end) = (Edits::default(), SkippedTally::default(), false, 0);
    while let Some(mut entry) = contain(|| entries.next())?.transpose()? {
        if let Some(fault) = refused.take() {
            return Err(io::Error::other(fault));
        }
        let kind = entry.header().entry_type();
        let path = entry.path_bytes().into_owned();
        let is_sparse = kind.is_gnu_sparse();
        let stored = if is_sparse { entry.header().entry_size()? } else { entry.size() };
        // Data before the header, such as a long name, belongs to the member too.
        let start = std::mem::replace(&mut end, entry.raw_file_position() + stored.next_multiple_of(BLOCK));
        let is_file = kind.is_file() || kind.is_contiguous() || (kind.is_hard_link() && stored > 0);
        let Some(wanted) = names.wanted(&path).map(std::borrow::Cow::into_owned) else {
            edits.leave_out(start..end);
            tally.passed_over += u64::from(!kind.is_dir());
            continue;
        };
        let holds_document = is_file || is_sparse || kind.is_hard_link();
        if !holds_document {
            let is_special =
                kind.is_symlink() || kind.is_fifo() || kind.is_character_special() || kind.is_block_special();
            if is_special && !tally.stays(Fate::Skipped, drop_skipped) {
                edits.leave_out(start..end);
                continue;
            }
            any_stays |= !kind.is_dir() && !kind.is_pax_global_extensions();
            continue;
        }
        let name = names.next(archive.name, &wanted);
        let is_link = kind.is_hard_link() && !is_file;
        let content = ContentName { name: &name, format_name: &wanted, is_member: true, is_link };
        let header = entry.header().clone();
        let header_start = entry.raw_header_position();
        let target = entry.link_name_bytes().map(std::borrow::Cow::into_owned).unwrap_or_default();
        let change = if is_link {
            // The content of a hard link is stored with the member that it points to.
            member(content, &mut io::empty(), &mut tally)?
        } else {
            member(content, &mut entry, &mut tally)?
        };
        match change {
            MemberChange::Keep if is_link && gone.contains(&target) => {
                let detail =
                    format!("`{}` is a hard link to a member that is left out", String::from_utf8_lossy(&path));
                return Err(io::Error::other(detail));
            }
            MemberChange::Keep => any_stays = true,
            MemberChange::Drop => {
                edits.leave_out(start..end);
                gone.insert(path);
            }
            MemberChange::Replace(spooled) => {
                any_stays = true;
                edits.replace(header_start..end, replaced(header, stored, spooled)?);
            }
        }
    }
    let change = if edits.is_empty() { Change::Keep } else { Change::Edit(edits) };
    Ok(Looked { is_emptied: !any_stays && !matches!(change, Change::Keep), change, spool: None, tally })
}

/// Builds the header and padding of a member with new content.
fn replaced(mut header: tar::Header, stored: u64, spooled: Range<u64>) -> io::Result<Instead> {
    if header.entry_size()? != stored {
        return Err(io::Error::other("a member of 8 GiB or more"));
    }
    let len = spooled.end - spooled.start;
    header.set_size(len);
    header.set_cksum();
    let padding = (len.next_multiple_of(BLOCK) - len) as usize;
    Ok(Instead { before: header.as_bytes().to_vec(), spooled, behind: vec![0; padding] })
}
