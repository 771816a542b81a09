//! `Change`: what becomes of the content of one file, as `content` finds it out before a byte is written.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::PathBuf;

use super::edits::Edits;
use super::fates::Fate;
use super::settings::CopiedWhole;
use crate::base::flat::bit_set::BitSet;

/// What content is, and how it is named.
#[derive(Debug, Clone, Copy)]
pub(super) struct ContentName<'a> {
    /// As its documents have it.
    pub(super) name: &'a [u8],
    /// The name that tells the format.
    pub(super) format_name: &'a [u8],
    pub(super) is_member: bool,
    /// Whether it is a hard link in an archive, whose content stands elsewhere.
    pub(super) is_link: bool,
}

/// How the content of a file is written.
#[derive(Debug)]
pub(super) enum Change {
    /// Byte for byte.
    Keep,
    /// Not at all.
    Drop,
    /// Without some of its bytes.
    Edit(Edits),
    /// Without some of its rows; these stay.
    #[cfg_attr(not(feature = "parquet"), allow(dead_code))]
    Rows(BitSet),
    /// With these members.
    Members(Vec<MemberChange>),
}

/// What becomes of a member of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum MemberChange {
    Keep,
    Drop,
    /// Its new content lies here in the spool.
    Replace(Range<u64>),
}

/// Looks at a member that holds documents.
pub(super) type LookAtMember<'m> =
    &'m mut dyn FnMut(ContentName, &mut dyn Read, &mut SkippedTally) -> io::Result<MemberChange>;

/// What was found out of the content of a file.
#[derive(Debug)]
pub(super) struct Looked {
    pub(super) change: Change,
    /// Whether nothing remains but what frames records or members.
    pub(super) is_emptied: bool,
    /// The new content of members.
    pub(super) spool: Option<File>,
    pub(super) tally: SkippedTally,
}

/// Numbers of what was not compared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SkippedTally {
    /// Kept.
    pub(super) skipped: u64,
    /// Left out.
    pub(super) dropped: u64,
    /// Members that are not read, and left out too.
    pub(super) passed_over: u64,
    /// Members that are not written because they describe a member that changes.
    pub(super) side_files: Vec<PathBuf>,
    /// Files and members that are copied with their duplicates, because it is uncertain where their records end.
    pub(super) copied_whole: Vec<CopiedWhole>,
}

impl SkippedTally {
    /// Counts a file, record or member of this fate; returns whether it stays.
    pub(super) fn stays(&mut self, fate: Fate, drop_skipped: bool) -> bool {
        match fate {
            Fate::Kept => true,
            Fate::Removed => false,
            Fate::Skipped if drop_skipped => {
                self.dropped += 1;
                false
            }
            Fate::Skipped => {
                self.skipped += 1;
                true
            }
        }
    }

    pub(super) fn add(&mut self, other: Self) {
        self.skipped += other.skipped;
        self.dropped += other.dropped;
        self.passed_over += other.passed_over;
        self.side_files.extend(other.side_files);
        self.copied_whole.extend(other.copied_whole);
    }
}

impl Looked {
    pub(super) fn whole(stays: bool, tally: SkippedTally) -> Self {
        let change = if stays { Change::Keep } else { Change::Drop };
        Self { change, is_emptied: false, spool: None, tally }
    }
}
