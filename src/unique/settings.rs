//! `UniqueSettings`, `Keep` and `WriteSettings`: which document stands for its duplicates, and how the rest is written.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::compare::clusters::Linkage;
use crate::documents::input::{MemberTimes, PathGlob};

/// Which documents stay.
#[derive(Debug, Clone)]
pub struct UniqueSettings {
    /// Which document of a group stays; ties go by document order. Default: the first.
    pub keep: Keep,
    /// What a group is. Default: [`Linkage::Star`], so that each removed document has a verified edge to the one that stands
    /// for it.
    pub linkage: Linkage,
}

impl Default for UniqueSettings {
    fn default() -> Self {
        Self { keep: Keep::First, linkage: Linkage::Star }
    }
}

/// Which document of a group stays. Of equal ones the first in document order does.
#[derive(Debug, Clone)]
pub enum Keep {
    /// The first in document order.
    First,
    /// The last in document order.
    Last,
    /// The one with the most shingles, repeats counted.
    Longest,
    /// The one with the fewest shingles, repeats counted.
    Shortest,
    /// The one that was modified last. Members of tar and zip archives have times; a member without one has the time of the
    /// archive. A record has the time of the file or member that holds it.
    Newest,
    /// The one that was modified first, by the same times.
    Oldest,
    /// The record with the greatest value of a field: by number, by date, or as text by its first 23 bytes. The kind of the
    /// majority of values decides. A record whose field has something else, such as `nan`, or that has no such field comes last.
    Max(String),
    /// The record with the least value of a field, by the same order; what has no such field comes last.
    Min(String),
    /// The one whose name is first by its bytes.
    PathOrder,
    /// One of a file that matches.
    Matching(PathGlob),
}

impl Keep {
    /// Whether the choice needs the times of files and members.
    pub(super) fn is_by_time(&self) -> bool {
        matches!(self, Self::Newest | Self::Oldest)
    }

    /// The member times that the choice needs.
    pub(super) fn member_times(&self) -> MemberTimes {
        if self.is_by_time() { MemberTimes::collected() } else { MemberTimes::default() }
    }
}

impl FromStr for Keep {
    type Err = String;

    /// `first`, `last`, `longest`, `shortest`, `newest`, `oldest`, `path-order`, `max:FIELD`, `min:FIELD` or `matching:GLOB`.
    fn from_str(text: &str) -> Result<Self, String> {
        const KNOWN: &str =
            "give first, last, longest, shortest, newest, oldest, path-order, max:FIELD, min:FIELD or matching:GLOB";
        let field = |name: &str| match name {
            "" => Err("name a field, as in max:score".to_owned()),
            name => Ok(name.to_owned()),
        };
        match text.split_once(':') {
            Some(("max", name)) => field(name).map(Self::Max),
            Some(("min", name)) => field(name).map(Self::Min),
            Some(("matching", glob)) => {
                glob.parse().map(Self::Matching).map_err(|error| format!("not a glob: {error}"))
            }
            Some(_) => Err(KNOWN.to_owned()),
            None => match text {
                "first" => Ok(Self::First),
                "last" => Ok(Self::Last),
                "longest" => Ok(Self::Longest),
                "shortest" => Ok(Self::Shortest),
                "newest" => Ok(Self::Newest),
                "oldest" => Ok(Self::Oldest),
                "path-order" => Ok(Self::PathOrder),
                _ => Err(KNOWN.to_owned()),
            },
        }
    }
}

/// Where and how a clean corpus is written.
#[derive(Debug, Clone, Default)]
pub struct WriteSettings {
    /// A file when the only input is a file, or when all inputs are files of records and the name says a format of records,
    /// else a folder. It must lie outside of all inputs, and none of them in it.
    pub output: PathBuf,
    /// Whether the output has to be one file in the format of the inputs whatever its name says, as for standard output.
    pub one_file: bool,
    /// Replace a file, or an empty folder, that is there. Default: it is an error. A folder with something in it is never
    /// replaced.
    pub force: bool,
    /// Make hard links of files that stay as they are. Default: copies, which share their blocks where the system can.
    pub link: bool,
    /// Leave out what was not compared, such as binary files and malformed records. Default: it is kept byte for byte.
    pub drop_skipped: bool,
    /// Number the files `NAME-00000-of-00003` of a folder anew when one of them was left out. Default: names stay.
    pub renumber: bool,
    /// Write nothing, and count what would be written. Default: no.
    pub dry_run: bool,
}

/// A file or member that was copied with its duplicates, because it is uncertain where its records begin and end.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct CopiedWhole {
    /// Its name.
    pub file: String,
    /// The line from which on it is uncertain.
    pub line: u64,
    /// The number of its duplicates, which stay.
    pub removed: u64,
}

/// What was written, or would have been.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Written {
    /// Documents that stay.
    pub kept: u64,
    /// Documents that another one stands for; they are left out.
    pub removed: u64,
    /// Files, records and members that were not compared and are kept, empty documents among them.
    pub skipped: u64,
    /// The same that are left out.
    pub dropped: u64,
    /// Files written, symbolic links among them.
    pub files: u64,
    /// Files of which nothing remains, so that they are not written.
    pub files_left_out: u64,
    /// Bytes written.
    pub bytes: u64,
    /// Bytes of the files that were read, as stored.
    pub input_bytes: u64,
    /// Files, folders and members of archives that were not read and are left out: hidden ones, and what flags such as
    /// `--exclude` leave out. What is in such a folder is not counted.
    pub passed_over: u64,
    /// Symbolic links, copied as they are.
    pub links: u64,
    /// Those of them that lead nowhere from their place in the output; `None` when nothing is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub links_nowhere: Option<u64>,
    /// Files and members that are not written because they describe a file that changes, such as lists of checksums. The summary has their
    /// number, unless it is 0.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "number_of")]
    pub side_files: Vec<PathBuf>,
    /// Files and members that were copied as they are, with their duplicates.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub copied_whole: Vec<CopiedWhole>,
}

fn number_of<S: serde::Serializer>(files: &[PathBuf], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(files.len() as u64)
}

impl Written {
    /// A side file.
    pub(super) fn side_file(path: &Path, input_bytes: u64) -> Self {
        Self { side_files: vec![path.to_owned()], input_bytes, ..Self::dropped(1) }
    }

    /// What is left out for being no document.
    pub(super) fn dropped(num: u64) -> Self {
        Self { dropped: num, files_left_out: 1, ..Self::default() }
    }

    /// Adds the numbers of another part.
    pub(super) fn add(&mut self, part: Self) {
        let Self { kept, removed, skipped, dropped, files, files_left_out, bytes, input_bytes, side_files, .. } = part;
        self.side_files.extend(side_files);
        self.kept += kept;
        self.removed += removed;
        self.skipped += skipped;
        self.dropped += dropped;
        self.files += files;
        self.files_left_out += files_left_out;
        self.bytes += bytes;
        self.input_bytes += input_bytes;
        self.passed_over += part.passed_over;
        self.links += part.links;
        self.copied_whole.extend(part.copied_whole);
    }
}
