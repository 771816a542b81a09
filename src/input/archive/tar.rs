//! tar: members one after another, as they stand in the stream.

use std::io::{self, Read};

use super::super::foreign::{Contained, contain};
use super::super::unpack::{Bytes, Content, Unpacker};

/// What becomes of an archive that ends early.
const BUT: &str = "the members before that are compared";

pub(in crate::input) fn read(out: &mut Unpacker, content: Content, bytes: &mut dyn Read) {
    let mut archive = tar::Archive::new(bytes);
    let mut entries = match archive.entries() {
        Ok(entries) => entries,
        Err(error) => return out.damaged(content, &error, BUT),
    };
    while out.is_open() {
        let next = contain(|| entries.next().map(|entry| entry.map(described)).transpose());
        let (entry, kind, path) = match next.map_err(io::Error::from).flatten() {
            Ok(None) => return,
            Ok(Some(entry)) => entry,
            Err(error) => return out.damaged(content, &error, BUT),
        };
        let Some(member) = super::wanted(out, &path) else { continue };
        if kind.is_file() || kind.is_contiguous() || kind.is_gnu_sparse() {
            out.member(content, &member, Bytes::Stream(&mut Contained::new(entry)));
        } else if kind.is_symlink() || kind.is_hard_link() {
            super::link(out, content, &member);
        } else if kind.is_fifo() || kind.is_character_special() || kind.is_block_special() {
            super::special(out, content, &member);
        }
    }
}

/// An entry, its kind and its name.
fn described<R: Read>(entry: tar::Entry<R>) -> (tar::Entry<R>, tar::EntryType, Vec<u8>) {
    let (kind, path) = (entry.header().entry_type(), entry.path_bytes().into_owned());
    (entry, kind, path)
}
