//! Archives: members in, each read by its own name as `archive!member`. Names are only names: nothing is written to
//! where they point, and folders, links and devices have no text.

pub(super) mod tar;
pub(super) mod zip;

use std::borrow::Cow;

use super::path_of;
use super::unpack::{Content, Unpacker};
use crate::error::{Problem, Reason};

/// The name of a member as it is used, if the member is wanted: `./a` is `a`.
fn wanted<'n>(out: &Unpacker, name: &'n [u8]) -> Option<Cow<'n, [u8]>> {
    let mut name = name;
    while let Some(rest) = name.strip_prefix(b"./") {
        name = rest;
    }
    // Elsewhere a name must be Unicode.
    let name: Cow<[u8]> =
        if cfg!(unix) { name.into() } else { String::from_utf8_lossy(name).into_owned().into_bytes().into() };
    out.globs().want_member(path_of(&name)).then_some(name)
}

fn link(out: &mut Unpacker, archive: Content, member: &[u8]) {
    let place = String::from_utf8_lossy(&archive.member_name(member)).into_owned();
    out.problem(Problem::note(place, Reason::Symlink, "a link in an archive; skipped"));
}

fn special(out: &mut Unpacker, archive: Content, member: &[u8]) {
    let place = String::from_utf8_lossy(&archive.member_name(member)).into_owned();
    out.problem(Problem::note(place, Reason::Special, "a FIFO or device in an archive; skipped"));
}
