//! `UniqueSettings`, `Keep` and `WriteSettings`: which document of a group is kept, and how the clean corpus is
//! written.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::cut::CutCounts;
use crate::compare::clusters::Linkage;
use crate::documents::input::{MemberTimes, PathGlob};

/// Selects the documents that are kept.
#[derive(Debug, Clone)]
pub struct UniqueSettings {
    /// The rules that select the representative of a group, the document that is kept: the first rule decides, and each
    /// other one between documents that are equal by the rules before. Ties are broken by document order. Default: the
    /// first.
    pub keep: Vec<Keep>,
    /// How pairs are joined into groups. Default: [`Linkage::Star`], which gives each removed document a verified
    /// edge to its representative.
    pub linkage: Linkage,
    /// Remove a document only when its shingles are preserved in kept ones. Default: its similarity decides.
    pub preserve: Option<Preserve>,
}

/// How much of a removed document must be in the documents that are kept.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Preserve {
    /// The minimum share of the document's shingles, from 0 to 1.
    pub share: f64,
    /// Whether the shingles of several kept documents count together. Otherwise one of them must have this share.
    pub several: bool,
}

impl Default for UniqueSettings {
    fn default() -> Self {
        Self { keep: vec![Keep::First], linkage: Linkage::Star, preserve: None }
    }
}

/// The rule that selects the document of a group that is kept. Among equal documents, the first in document order is
/// kept.
#[derive(Debug, Clone)]
pub enum Keep {
    /// The first document in document order.
    First,
    /// The last document in document order.
    Last,
    /// The document with the most shingles, repeats counted.
    Longest,
    /// The document with the fewest shingles, repeats counted.
    Shortest,
    /// The document that was modified last. Members of tar and zip archives have times; a member without one has the
    /// time of its archive. A record has the time of the file or member that holds it.
    Newest,
    /// The document that was modified first, by the same times as for [`Newest`](Self::Newest).
    Oldest,
    /// The record with the greatest value of a field: compared as numbers, as dates, or as text by its first 23
    /// bytes. The kind of the majority of values decides. Records without the field, or with a value of another kind
    /// such as `nan`, come last.
    Max(String),
    /// The record with the smallest value of a field, compared as for [`Max`](Self::Max). Records without the field
    /// come last.
    Min(String),
    /// The document whose name is first in byte order.
    PathOrder,
    /// A document whose file matches the glob.
    Matching(PathGlob),
}

impl Keep {
    /// Whether the rule needs the modification times of files and members.
    pub(super) fn is_by_time(&self) -> bool {
        matches!(self, Self::Newest | Self::Oldest)
    }

    /// The field of records by whose value the rule orders them.
    pub(super) fn field(&self) -> Option<&String> {
        match self {
            Self::Max(field) | Self::Min(field) => Some(field),
            _ => None,
        }
    }
}

impl fmt::Display for Keep {
    /// Writes the rule as [`from_str`](Self::from_str) reads it.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::First => formatter.write_str("first"),
            Self::Last => formatter.write_str("last"),
            Self::Longest => formatter.write_str("longest"),
            Self::Shortest => formatter.write_str("shortest"),
            Self::Newest => formatter.write_str("newest"),
            Self::Oldest => formatter.write_str("oldest"),
            Self::Max(field) => write!(formatter, "max:{field}"),
            Self::Min(field) => write!(formatter, "min:{field}"),
            Self::PathOrder => formatter.write_str("path-order"),
            Self::Matching(_) => formatter.write_str("matching"),
        }
    }
}

impl UniqueSettings {
    /// Whether any rule needs the modification times of files and members.
    pub(super) fn is_by_time(&self) -> bool {
        self.keep.iter().any(Keep::is_by_time)
    }

    /// The first field of records by whose value a rule orders them.
    pub(super) fn field(&self) -> Option<&String> {
        self.keep.iter().find_map(Keep::field)
    }

    /// The member times to collect; nothing is collected unless a rule needs times.
    pub(super) fn member_times(&self) -> MemberTimes {
        if self.is_by_time() { MemberTimes::collected() } else { MemberTimes::default() }
    }
}

impl FromStr for Keep {
    type Err = String;

    /// Parses `first`, `last`, `longest`, `shortest`, `newest`, `oldest`, `path-order`, `max:FIELD`, `min:FIELD` or
    /// `matching:GLOB`. `newest:FIELD` is `max:FIELD`, and `oldest:FIELD` is `min:FIELD`.
    fn from_str(text: &str) -> Result<Self, String> {
        const KNOWN: &str = "give first, last, longest, shortest, newest, oldest, path-order, max:FIELD, min:FIELD, newest:FIELD, oldest:FIELD or matching:GLOB";
        let field = |name: &str| match name {
            "" => Err("name a field, as in max:score".to_owned()),
            name => Ok(name.to_owned()),
        };
        match text.split_once(':') {
            Some(("max" | "newest", name)) => field(name).map(Self::Max),
            Some(("min" | "oldest", name)) => field(name).map(Self::Min),
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

/// The output of a clean corpus and how it is written.
#[derive(Debug, Clone, Default)]
pub struct WriteSettings {
    /// The output path. The output is a file if the only input is a file, or if all inputs are files of records and
    /// the name has the extension of a record format; otherwise it is a folder. It must not lie inside an input, nor
    /// an input inside it.
    pub output: PathBuf,
    /// Whether the output must be one file in the format of the inputs, whatever its name is, as for standard output.
    pub one_file: bool,
    /// Replace an existing file or empty folder. By default an existing output is an error. A folder that is not
    /// empty is never replaced.
    pub force: bool,
    /// Make hard links to unchanged files. By default they are copied, sharing blocks where the file system can.
    pub link: bool,
    /// Drop files, records and members that were not compared, such as binary files and malformed records. By default
    /// they are kept byte for byte.
    pub drop_skipped: bool,
    /// Renumber the files `NAME-00000-of-00003` of a folder if one of them was not written. By default names stay.
    pub renumber: bool,
    /// Only count what would be written, and write nothing. Default: no.
    pub dry_run: bool,
    /// Write the texts of documents whose format is not rewritten, where texts are cut: each in a file with `.txt` after its
    /// name, or for mail and web crawls as JSON lines in a file with `.jsonl` after its name. Default: no.
    pub to_text: bool,
}

/// A file or member that was copied with its duplicates because the boundaries of its records are uncertain, or because
/// it is mail or a web crawl.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct CopiedWhole {
    /// The name of the file or member.
    pub file: String,
    /// The first line whose record boundaries are uncertain; `None` for mail and web crawls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// The number of duplicates in the file or member; they stay.
    pub removed: u64,
    /// The number of documents in the file or member whose text would be cut; they stay as they are.
    #[serde(skip_serializing_if = "is_zero")]
    pub uncut: u64,
}

impl CopiedWhole {
    /// A file or member that is copied as a whole, with `removed` duplicates.
    ///
    /// * `name`: the name of the file or member.
    pub(super) fn new(name: &[u8], removed: u64) -> Self {
        Self { file: String::from_utf8_lossy(name).into_owned(), line: None, removed, uncut: 0 }
    }

    /// Whether a document comes from the file or member.
    ///
    /// * `origin`: the file in the document's origin.
    pub fn holds(&self, origin: &[u8]) -> bool {
        let origin = String::from_utf8_lossy(origin);
        origin
            .strip_prefix(&self.file)
            .is_some_and(|rest| rest.is_empty() || self.line.is_none() && rest.starts_with('!'))
    }
}

/// Counts of everything that was written, or that a dry run would write.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Written {
    /// Documents that are kept.
    pub kept: u64,
    /// Duplicates that were removed.
    pub removed: u64,
    /// Files, records and members that were not compared but are kept, including empty documents.
    pub skipped: u64,
    /// Files, records and members that were not compared and are dropped.
    pub dropped: u64,
    /// Files written, including symbolic links.
    pub files: u64,
    /// Files that are not written because nothing in them is kept.
    pub files_left_out: u64,
    /// Bytes written.
    pub bytes: u64,
    /// Bytes of the files that were read, as stored.
    pub input_bytes: u64,
    /// Files, folders and archive members that were not read and are not written: hidden ones, and those that flags
    /// such as `--exclude` skip. The contents of a skipped folder are not counted.
    pub passed_over: u64,
    /// Symbolic links, copied as they are.
    pub links: u64,
    /// Copied symbolic links whose target does not exist relative to their place in the output; `None` in a dry run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub links_nowhere: Option<u64>,
    /// Files and members that are not written because they describe a file that changes, such as lists of checksums.
    /// They are serialized as their number, which is omitted when it is 0.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "number_of")]
    pub side_files: Vec<PathBuf>,
    /// The documents that are similar enough to a kept one, and stay because too few of their shingles are preserved;
    /// `None` without [`UniqueSettings::preserve`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unpreserved: Option<u64>,
    /// The numbers of the cuts; `None` where texts are not cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<CutCounts>,
    /// Files and members that were copied unchanged, with their duplicates, because record boundaries are uncertain or
    /// because they are mail or a web crawl.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub copied_whole: Vec<CopiedWhole>,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

fn number_of<S: serde::Serializer>(files: &[PathBuf], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(files.len() as u64)
}

impl Written {
    /// The counts for one side file that is not written.
    pub(super) fn side_file(path: &Path, input_bytes: u64) -> Self {
        Self { side_files: vec![path.to_owned()], input_bytes, ..Self::dropped(1) }
    }

    /// The counts for one file that is dropped, holding `num` items that were not compared.
    pub(super) fn dropped(num: u64) -> Self {
        Self { dropped: num, files_left_out: 1, ..Self::default() }
    }

    /// Adds the counts of another part of the corpus.
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
