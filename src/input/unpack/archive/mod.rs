//! Archives: members in, each read by its own name as `archive!member`. Names are only names: nothing is written to
//! where they point, and folders, links and devices have no text.

mod links;
pub(super) mod tar;
pub(super) mod zip;

use std::borrow::Cow;
use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_128;

use crate::input::paths::path_of;
use crate::input::unpack::content::Content;
use crate::input::unpack::outlet::Outlet;
use crate::problem::{Problem, Reason};

/// The members of an archive that were read so far, by name; 24 bytes each.
#[derive(Default)]
struct Members(HashMap<u128, u32>);

impl Members {
    /// The how manieth of this name the next one is.
    fn count(&mut self, name: &[u8]) -> u32 {
        let count = self.0.entry(xxh3_128(name)).or_default();
        *count += 1;
        *count
    }
}

/// The name of a member as it is used, if the member is wanted: `./a` is `a`.
fn wanted<'n>(out: &Outlet, name: &'n [u8]) -> Option<Cow<'n, [u8]>> {
    let name = plain(name);
    // Elsewhere a name must be Unicode.
    let name: Cow<[u8]> =
        if cfg!(unix) { name.into() } else { String::from_utf8_lossy(name).into_owned().into_bytes().into() };
    out.globs().want_member(path_of(&name)).then_some(name)
}

/// A name without the folder that the archive was made in.
fn plain(mut name: &[u8]) -> &[u8] {
    while let Some(rest) = name.strip_prefix(b"./") {
        name = rest;
    }
    name
}

fn link(out: &mut Outlet, archive: Content, member: &[u8]) {
    let place = String::from_utf8_lossy(&archive.member_name(member)).into_owned();
    out.problem(Problem::note(place, Reason::Symlink, "a symbolic link in an archive; skipped"));
}

fn special(out: &mut Outlet, archive: Content, member: &[u8]) {
    let place = String::from_utf8_lossy(&archive.member_name(member)).into_owned();
    out.problem(Problem::note(place, Reason::Special, "a FIFO or device in an archive; skipped"));
}
