//! tar: members one after another, as they stand in the stream.

use std::io::Read;

use super::super::unpack::{Bytes, Content, Unpacker};

/// What becomes of an archive that ends early.
const BUT: &str = "the members before that are compared";

pub(in crate::input) fn read(out: &mut Unpacker, content: Content, bytes: &mut dyn Read) {
    let mut archive = tar::Archive::new(bytes);
    let entries = match archive.entries() {
        Ok(entries) => entries,
        Err(error) => return out.damaged(content, &error, BUT),
    };
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
        let Some(member) = super::wanted(out, &path) else { continue };
        if kind.is_file() || kind.is_contiguous() || kind.is_gnu_sparse() {
            out.member(content, &member, Bytes::Stream(&mut entry));
        } else if kind.is_symlink() || kind.is_hard_link() {
            super::link(out, content, &member);
        } else if kind.is_fifo() || kind.is_character_special() || kind.is_block_special() {
            super::special(out, content, &member);
        }
    }
}
