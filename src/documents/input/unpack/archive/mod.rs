//! Archives: reads each member as a document with the name `archive!member`, in the format that the member's name says.
//!
//! The names of members are never used as paths to write to. Folders, links and devices have no text.

pub(crate) mod headers;
mod links;
pub(super) mod tar;
mod times;
pub(in crate::documents::input) mod zip;

use std::borrow::Cow;
use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_128;

use super::batch_writer::BatchWriter;
use super::content::Content;
use crate::base::problem::{Problem, Reason};
use crate::documents::input::globs::Globs;
use crate::documents::input::paths::{numbered, path_of};
use crate::documents::input::settings::Inputs;

/// The names of the members read so far, and for each the highest number that was appended to it; 24 bytes per name.
#[derive(Default)]
pub(super) struct Members(HashMap<u128, u32>);

impl Members {
    /// The number that distinguishes the next member from earlier ones with the same name; 1, which is not appended,
    /// for the first.
    pub(super) fn count(&mut self, name: &[u8]) -> u32 {
        let before = self.0.get(&xxh3_128(name)).copied().unwrap_or(0);
        // Another member may already have the name with the number appended.
        let mut free =
            (before + 1..).filter(|&count| count == 1 || !self.0.contains_key(&xxh3_128(&numbered(name, count))));
        let count = free.next().expect("an archive has fewer members");
        self.0.insert(xxh3_128(name), count);
        if count > 1 {
            self.0.insert(xxh3_128(&numbered(name, count)), 1);
        }
        count
    }
}

/// Names members as the archive readers do, for code that reads an archive again.
pub(crate) struct MemberNames<'a> {
    globs: Globs<'a>,
    members: Members,
}

impl<'a> MemberNames<'a> {
    pub(crate) fn new(inputs: Inputs<'a>) -> Self {
        Self { globs: Globs::new(inputs.settings, false), members: Members::default() }
    }

    /// The normalised name of a member, if the member is wanted.
    pub(crate) fn wanted<'n>(&self, name: &'n [u8]) -> Option<Cow<'n, [u8]>> {
        wanted(self.globs, name)
    }

    /// The document name of the next member.
    pub(crate) fn next(&mut self, archive: &[u8], member: &[u8]) -> Vec<u8> {
        let name = [archive, b"!", member].concat();
        match self.members.count(member) {
            1 => name,
            count => numbered(&name, count),
        }
    }
}

/// The normalised name of a member, if the member is wanted: `a` for `./a`.
fn wanted<'n>(globs: Globs, name: &'n [u8]) -> Option<Cow<'n, [u8]>> {
    let name = plain(name);
    // On systems other than Unix a name must be Unicode.
    let name: Cow<[u8]> =
        if cfg!(unix) { name.into() } else { String::from_utf8_lossy(name).into_owned().into_bytes().into() };
    globs.want_member(path_of(&name)).then_some(name)
}

/// A name without the leading `./`.
fn plain(mut name: &[u8]) -> &[u8] {
    while let Some(rest) = name.strip_prefix(b"./") {
        name = rest;
    }
    name
}

fn link(out: &mut BatchWriter, archive: Content, member: &[u8]) {
    let place = String::from_utf8_lossy(&archive.member_name(member)).into_owned();
    out.problem(Problem::note(place, Reason::Symlink, "a symbolic link in an archive; skipped"));
}

fn special(out: &mut BatchWriter, archive: Content, member: &[u8]) {
    let place = String::from_utf8_lossy(&archive.member_name(member)).into_owned();
    out.problem(Problem::note(place, Reason::Special, "a FIFO or device in an archive; skipped"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_members_have_one_name() {
        let names_of = |names: &[&str]| {
            let mut members = Members::default();
            let mut name = |name: &&str| match members.count(name.as_bytes()) {
                1 => (*name).to_owned(),
                count => String::from_utf8(numbered(name.as_bytes(), count)).unwrap(),
            };
            names.iter().map(&mut name).collect::<Vec<_>>()
        };
        assert_eq!(names_of(&["x", "x", "x"]), ["x", "x/#2", "x/#3"]);
        assert_eq!(names_of(&["x/#2", "x", "x", "x"]), ["x/#2", "x", "x/#3", "x/#4"]);
        assert_eq!(names_of(&["x", "x", "x/#2", "x"]), ["x", "x/#2", "x/#2/#2", "x/#3"]);
    }
}
