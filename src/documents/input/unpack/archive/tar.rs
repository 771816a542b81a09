//! tar: reads a stream and passes on its members in their order.

use std::io::{self, Read};
use std::time::SystemTime;

use super::Members;
use super::headers::Headers;
use super::links::{Archive, Links};
use super::times::tar_time;
use crate::base::problem::{Problem, Reason};
use crate::base::shown::shown;
use crate::documents::input::bytes::temporary::CopyFault;
use crate::documents::input::panic_guard::{Contained, contain};
use crate::documents::input::unpack::batch_writer::{BatchWriter, ReadOn};
use crate::documents::input::unpack::content::{Bytes, Content};

/// The end of the message about a truncated archive.
const BUT: &str = "the members before that are compared";

pub(in crate::documents::input) fn read(out: &mut BatchWriter, content: Content, bytes: Bytes, read: ReadOn) {
    let (archive, mut links) = match Archive::new(out, content, bytes) {
        Ok(archive) => archive,
        Err(error) => return out.fail_to_keep(content, error),
    };
    let (archive, refused) = Headers::new(archive);
    let mut archive = tar::Archive::new(archive);
    let mut entries = match archive.entries() {
        Ok(entries) => entries,
        Err(error) => return out.damaged(content, &error, BUT),
    };
    // The fault of the headers before a member.
    let mut fault = None;
    let (mut members, has_times) = (Members::default(), out.inputs().member_times.is_collected());
    while out.is_open() {
        let next =
            contain(|| entries.next().map(|entry| entry.map(|entry| TarEntry::new(entry, has_times))).transpose());
        let TarEntry { entry, kind, path, target, start, len, time } = match next.map_err(io::Error::from).flatten() {
            Ok(Some(found)) => found,
            end => {
                if let Some(fault) = refused.take().or(fault).filter(|_| !out.meter().is_stopped()) {
                    out.problem(Problem::error(content.place(), Reason::TooLarge, format!("{fault}; {BUT}")));
                } else if let Err(error) = end {
                    out.damaged(content, &error, BUT);
                }
                return;
            }
        };
        if let Some(found) = refused.take() {
            fault = Some(found);
            continue;
        }
        if !kind.is_pax_global_extensions()
            && let Some(fault) = fault.take()
        {
            let place = String::from_utf8_lossy(&content.member_name(super::plain(&path))).into_owned();
            let detail = format!("{fault}; skipped (unpack it first)");
            out.problem(Problem::error(place, Reason::TooLarge, detail));
            continue;
        }
        // Some archives store the bytes of a hard link too.
        let is_file = kind.is_file() || kind.is_contiguous() || (kind.is_hard_link() && len > 0);
        if is_file {
            links.add(&path, start, len);
        }
        let Some(member) = super::wanted(out.globs(), &path) else { continue };
        if kind.is_gnu_sparse() {
            // The archive does not contain the holes of a sparse file, so it has no contiguous bytes.
            let mut entry = out.meter().unpacked(Contained::new(entry));
            out.member(content, &member, (members.count(&member), time), Bytes::Stream(&mut entry), read);
        } else if is_file {
            let mut entry = Contained::new(entry);
            out.member(content, &member, (members.count(&member), time), Bytes::Stream(&mut entry), read);
        } else if kind.is_hard_link() {
            let count = members.count(&member);
            let link = TarMember { archive: content, name: &member, count, time };
            hard_link(out, link, &target, &mut links, read);
        } else if kind.is_symlink() {
            super::link(out, content, &member);
        } else if kind.is_fifo() || kind.is_character_special() || kind.is_block_special() {
            super::special(out, content, &member);
        }
    }
}

/// An entry and the values of its header.
struct TarEntry<'a, R: Read> {
    entry: tar::Entry<'a, R>,
    kind: tar::EntryType,
    path: Vec<u8>,
    /// The name of the file that a hard link refers to.
    target: Vec<u8>,
    /// The offset of the entry's bytes in the archive.
    start: u64,
    len: u64,
    /// The modification time, if requested.
    time: Option<SystemTime>,
}

impl<'a, R: Read> TarEntry<'a, R> {
    fn new(mut entry: tar::Entry<'a, R>, has_time: bool) -> Self {
        let time = if has_time { tar_time(&mut entry) } else { None };
        let (kind, path) = (entry.header().entry_type(), entry.path_bytes().into_owned());
        let target = entry.link_name_bytes().filter(|_| kind.is_hard_link()).unwrap_or_default().into_owned();
        let (start, len) = (entry.raw_file_position(), entry.size());
        Self { entry, kind, path, target, start, len, time }
    }
}

/// A member of a tar archive.
struct TarMember<'a> {
    archive: Content<'a>,
    name: &'a [u8],
    /// Which occurrence of this name it is, from 1.
    count: u32,
    time: Option<SystemTime>,
}

fn hard_link(out: &mut BatchWriter, link: TarMember, target: &[u8], links: &mut Links, read: ReadOn) {
    let TarMember { archive, name, count, time } = link;
    let problem =
        |reason, detail: String| Problem::error(String::from_utf8_lossy(&archive.member_name(name)), reason, detail);
    match links.follow(out, archive, target, name) {
        Ok(Some(bytes)) => {
            let mut bytes = out.meter().unpacked(bytes);
            out.member(archive, name, (count, time), Bytes::Stream(&mut bytes), read);
        }
        Ok(None) => {
            let target = String::from_utf8_lossy(target);
            let detail =
                format!("a hard link to `{}`, which is not an earlier file of the archive; skipped", shown(&target));
            out.problem(problem(Reason::Unreadable, detail));
        }
        Err(CopyFault::Keep(error)) => out.fail_to_keep(archive, error),
        Err(CopyFault::Read(error)) => {
            out.problem(problem(Reason::Unreadable, format!("a hard link that cannot be followed ({error}); skipped")));
        }
    }
}
