//! tar: members one after another, as they stand in the stream.

use super::super::temporary::CopyFault;
use super::super::unpack::{Bytes, Content, Unpacker};
use super::Members;
use super::links::{Archive, Links};
use crate::error::{Problem, Reason};
use crate::shown::shown;

/// What becomes of an archive that ends early.
const BUT: &str = "the members before that are compared";

pub(in crate::input) fn read(out: &mut Unpacker, content: Content, bytes: Bytes) {
    let (archive, mut links) = match Archive::new(out, content, bytes) {
        Ok(archive) => archive,
        Err(error) => return out.fail_to_keep(content, error),
    };
    let mut archive = tar::Archive::new(archive);
    let entries = match archive.entries() {
        Ok(entries) => entries,
        Err(error) => return out.damaged(content, &error, BUT),
    };
    let mut members = Members::default();
    for entry in entries {
        if !out.is_open() {
            return;
        }
        let mut entry = match entry {
            Ok(entry) => entry,
            Err(error) => return out.damaged(content, &error, BUT),
        };
        let kind = entry.header().entry_type();
        let path = entry.path_bytes().into_owned();
        // Some archives have the bytes of a link beside it.
        let is_file = kind.is_file() || kind.is_contiguous() || (kind.is_hard_link() && entry.size() > 0);
        if is_file {
            links.add(&path, entry.raw_file_position(), entry.size());
        }
        let Some(member) = super::wanted(out, &path) else { continue };
        if is_file || kind.is_gnu_sparse() {
            out.member(content, &member, members.count(&member), Bytes::Stream(&mut entry));
        } else if kind.is_hard_link() {
            let target = entry.link_name_bytes().unwrap_or_default();
            hard_link(out, content, &member, &target, &mut links, &mut members);
        } else if kind.is_symlink() {
            super::link(out, content, &member);
        } else if kind.is_fifo() || kind.is_character_special() || kind.is_block_special() {
            super::special(out, content, &member);
        }
    }
}

fn hard_link(
    out: &mut Unpacker,
    archive: Content,
    member: &[u8],
    target: &[u8],
    links: &mut Links,
    members: &mut Members,
) {
    let problem =
        |reason, detail: String| Problem::error(String::from_utf8_lossy(&archive.member_name(member)), reason, detail);
    match links.follow(out, archive, target, member) {
        Ok(Some(mut bytes)) => out.member(archive, member, members.count(member), Bytes::Stream(&mut bytes)),
        Ok(None) => {
            let target = String::from_utf8_lossy(target);
            let detail =
                format!("a hard link to `{}`, which is no file before it in the archive; skipped", shown(&target));
            out.problem(problem(Reason::Unreadable, detail));
        }
        Err(CopyFault::Keep(error)) => out.fail_to_keep(archive, error),
        Err(CopyFault::Read(error)) => {
            out.problem(problem(Reason::Unreadable, format!("a hard link that cannot be followed ({error}); skipped")));
        }
    }
}
