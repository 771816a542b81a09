//! `OwnFiles`: the files that a run itself writes, or reads as a list, recognised by device and inode.
//!
//! Such a file among the inputs is not a document: the walk skips it and reports it. Nor are the results, baselines and tables that
//! earlier runs wrote into a folder, which are recognised by how they begin.

use std::fs::{File, Metadata};
use std::io::Read;
use std::path::{Path, PathBuf};

/// What a run does with a file of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OwnUse {
    /// Standard output goes to it.
    Output,
    /// Standard error goes to it.
    Messages,
    /// It is replaced at the end of the run.
    Replaced {
        /// The file, as given.
        path: PathBuf,
        /// What replaces it, such as `the summary`.
        by: &'static str,
        /// Whether it was written by an earlier run, or is empty, and so nothing that a walk could mean.
        is_own: bool,
    },
    /// It is the list that this flag names.
    List(&'static str),
    /// A run wrote it to be read by others: a saved result, a baseline, pairs or a report.
    Written(&'static str),
}

impl OwnUse {
    /// Why it is left out, as the end of a message.
    pub(crate) fn detail(&self) -> String {
        match self {
            Self::Output => "standard output goes to it; left out".into(),
            Self::Messages => "standard error goes to it; left out".into(),
            Self::Replaced { by, .. } => format!("{by} goes to it; left out"),
            Self::List(flag) => format!("it is the list of {flag}; left out"),
            Self::Written(what) => format!("it is {what}; left out"),
        }
    }
}

/// The files of a run's own, by device and inode, whatever they are named.
#[derive(Debug, Clone, Default)]
pub struct OwnFiles(Vec<(FileId, OwnUse)>);

/// Device and inode.
type FileId = (u64, u64);

impl OwnFiles {
    /// Adds a file. Terminals, pipes and other devices are none.
    pub fn add(&mut self, metadata: &Metadata, own: OwnUse) {
        self.0.extend(file_id(metadata).map(|id| (id, own)));
    }

    /// What the run does with this file, if it is one of its own; the first use that was added.
    pub fn find(&self, metadata: &Metadata) -> Option<&OwnUse> {
        if self.0.is_empty() {
            return None;
        }
        let id = file_id(metadata)?;
        self.0.iter().find(|&&(other, _)| other == id).map(|(_, own)| own)
    }

    /// Whether a file may be one of these by the inode that its folder lists, which costs nothing to ask.
    #[cfg(unix)]
    pub(crate) fn may_have(&self, inode: u64) -> bool {
        // In place of inodes that it does not know, FUSE lists the second of these.
        const UNKNOWN: [u64; 2] = [0, u32::MAX as u64];
        self.0.iter().any(|&((_, own), _)| own == inode || UNKNOWN.contains(&inode))
    }
}

/// What an earlier run wrote into a folder that is walked through: a file of a saved result, a baseline, pairs, groups or a report.
/// Looks into files of such names alone, of which trees have few.
pub(crate) fn written(path: &Path) -> Option<&'static OwnUse> {
    static RESULT: OwnUse = OwnUse::Written("of a saved result");
    const RESULT_FILES: [&str; 3] = ["header.json", "pairs.jsonl", "documents.jsonl"];
    let name = path.file_name()?.to_str()?;
    if RESULT_FILES.contains(&name) {
        let header = start_of(&path.with_file_name(RESULT_FILES[0]), RESULT_START.len());
        if header.is_some_and(|start| start == RESULT_START) {
            return Some(&RESULT);
        }
    }
    let (_, extension) = name.rsplit_once('.')?;
    let kinds = || WRITTEN.iter().filter(|kind| kind.extension == extension);
    kinds().next()?;
    let start = start_of(path, LINE_START)?;
    kinds().find(|kind| kind.has_written(&start)).map(|kind| &kind.own)
}

const RESULT_START: &[u8] = b"{\"dedup_result\":";

/// Bytes of a first line that are looked into.
const LINE_START: usize = 8 << 10;

/// Files that runs write, by how they begin.
struct WrittenKind {
    extension: &'static str,
    start: &'static str,
    /// What the first line has besides, one behind the other.
    parts: &'static [&'static str],
    own: OwnUse,
}

#[rustfmt::skip]
static WRITTEN: [WrittenKind; 8] = [
    WrittenKind { extension: "jsonl", start: "{\"dedup_baseline\":", parts: &[], own: OwnUse::Written("a baseline") },
    WrittenKind { extension: "jsonl", start: "{\"a\":", parts: &[",\"b\":", ",\"jaccard\":", ",\"containment_a\":"], own: OwnUse::Written("pairs that a run found") },
    WrittenKind { extension: "jsonl", start: "{\"group\":", parts: &[",\"members\":[", ",\"representative\":"], own: OwnUse::Written("groups that a run found") },
    WrittenKind { extension: "csv", start: "a,b,jaccard,containment_a,", parts: &[], own: OwnUse::Written("a report") },
    WrittenKind { extension: "csv", start: "group,size,name,representative,", parts: &[], own: OwnUse::Written("a report") },
    WrittenKind { extension: "tsv", start: "a\tb\tjaccard\tcontainment_a\t", parts: &[], own: OwnUse::Written("a report") },
    WrittenKind { extension: "tsv", start: "group\tsize\tname\trepresentative\t", parts: &[], own: OwnUse::Written("a report") },
    WrittenKind { extension: "sarif", start: "{\"$schema\":", parts: &["\"driver\":{\"name\":\"dedup\""], own: OwnUse::Written("a report") },
];

impl WrittenKind {
    /// * `start`: of the file.
    fn has_written(&self, start: &[u8]) -> bool {
        let line = start.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let mut rest = line.strip_prefix(self.start.as_bytes());
        for part in self.parts {
            rest = rest.and_then(|rest| Some(&rest[memchr::memmem::find(rest, part.as_bytes())? + part.len()..]));
        }
        rest.is_some()
    }
}

/// The first bytes of a file, at most so many; a pipe is not opened.
fn start_of(path: &Path, most: usize) -> Option<Vec<u8>> {
    let mut start = Vec::new();
    path.metadata().ok().filter(Metadata::is_file)?;
    File::open(path).ok()?.take(most as u64).read_to_end(&mut start).ok()?;
    Some(start)
}

#[cfg(unix)]
fn file_id(metadata: &Metadata) -> Option<FileId> {
    use std::os::unix::fs::MetadataExt;
    metadata.is_file().then(|| (metadata.dev(), metadata.ino()))
}

/// Elsewhere files have no number that could be asked for.
#[cfg(not(unix))]
fn file_id(_: &Metadata) -> Option<FileId> {
    None
}
