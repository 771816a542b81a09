//! `Change`: how the content of one file is written, as `content` determines before it writes a byte.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::PathBuf;

use super::edits::Edits;
use super::fates::Fate;
use super::settings::CopiedWhole;
use crate::base::flat::bit_set::BitSet;
use crate::documents::document::DocId;

/// The name and kind of a file or archive member.
#[derive(Debug, Clone, Copy)]
pub(super) struct ContentName<'a> {
    /// The name in the origins of its documents.
    pub(super) name: &'a [u8],
    /// The name whose extension determines the format.
    pub(super) format_name: &'a [u8],
    pub(super) is_member: bool,
    /// Whether it is a hard link in an archive, whose content is stored with another member.
    pub(super) is_link: bool,
}

/// How the content of a file is written.
#[derive(Debug)]
pub(super) enum Change {
    /// Copied byte for byte.
    Keep,
    /// Not written.
    Drop,
    /// Copied with some byte ranges removed or replaced.
    Edit(Edits),
    /// A text that is written without some parts.
    Text(DocId),
    /// Copied with only these rows, some of them with another text.
    #[cfg_attr(not(feature = "parquet"), allow(dead_code))]
    Rows(BitSet, Vec<(usize, DocId)>),
    /// Written as an archive with a change for each member.
    Members(Vec<MemberChange>),
}

/// How a member of an archive is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum MemberChange {
    Keep,
    Drop,
    /// Replaced by new content, which is this range of the spool file.
    Replace(Range<u64>),
}

/// Decides how a member that holds documents is written.
pub(super) type LookAtMember<'m> =
    &'m mut dyn FnMut(ContentName, &mut dyn Read, &mut SkippedTally) -> io::Result<MemberChange>;

/// How the content of a file is to be written, as a first reading found.
#[derive(Debug)]
pub(super) struct Looked {
    pub(super) change: Change,
    /// Whether only framing of records or members would remain.
    pub(super) is_emptied: bool,
    /// Spool file with the new content of members.
    pub(super) spool: Option<File>,
    pub(super) tally: SkippedTally,
}

/// Counts of files, records and members that were not compared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SkippedTally {
    /// Items that are kept.
    pub(super) skipped: u64,
    /// Items that are dropped.
    pub(super) dropped: u64,
    /// Members that were not read and are not written.
    pub(super) passed_over: u64,
    /// Members that are not written because they describe a member that changes.
    pub(super) side_files: Vec<PathBuf>,
    /// Files and members that are copied with their duplicates because their record boundaries are uncertain, or
    /// because they are mail or a web crawl.
    pub(super) copied_whole: Vec<CopiedWhole>,
}

impl SkippedTally {
    /// Counts a file, record or member with this fate; returns whether it is kept.
    pub(super) fn stays(&mut self, fate: Fate, drop_skipped: bool) -> bool {
        match fate {
            Fate::Kept | Fate::Edited(_) => true,
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
