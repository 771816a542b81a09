//! `OwnFiles`: the files that a run itself writes, or reads as a list, recognised by device and inode.
//!
//! Such a file among the inputs is not a document: the walk skips and reports it. Files that earlier runs wrote are
//! recognised by `written`.

use std::fs::Metadata;
use std::path::PathBuf;

/// How the run itself uses a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OwnUse {
    /// Standard output is redirected to it.
    Output,
    /// Standard error is redirected to it.
    Messages,
    /// The run replaces it at its end.
    Replaced {
        /// The file, as given.
        path: PathBuf,
        /// A description of the new content, such as `the summary`.
        by: &'static str,
        /// Whether an earlier run wrote the file, or it is empty, so that a walk never wants it as a document.
        is_own: bool,
    },
    /// The run reads it as this list.
    List(&'static str),
    /// An earlier run wrote it: a saved result, a baseline, pairs or a report.
    Written(&'static str),
}

impl OwnUse {
    /// The reason for skipping the file, as the end of a message.
    pub(crate) fn detail(&self) -> String {
        match self {
            Self::Output => "standard output is written to it; skipped".into(),
            Self::Messages => "standard error is written to it; skipped".into(),
            Self::Replaced { by, .. } => format!("{by} is written to it; skipped"),
            Self::List(list) => format!("the run reads it as {list}; skipped"),
            Self::Written(what) => format!("it is {what}; skipped"),
        }
    }
}

/// The files that the run itself uses, identified by device and inode regardless of their names.
#[derive(Debug, Clone, Default)]
pub struct OwnFiles(Vec<(FileId, OwnUse)>);

/// Device and inode.
type FileId = (u64, u64);

impl OwnFiles {
    /// Adds a file. Terminals, pipes and other devices are ignored.
    pub fn add(&mut self, metadata: &Metadata, own: OwnUse) {
        self.0.extend(file_id(metadata).map(|id| (id, own)));
    }

    /// How the run uses this file, if it does; the first use that was added.
    pub fn find(&self, metadata: &Metadata) -> Option<&OwnUse> {
        if self.0.is_empty() {
            return None;
        }
        let id = file_id(metadata)?;
        self.0.iter().find(|&&(other, _)| other == id).map(|(_, own)| own)
    }

    /// Whether a file may be in the set, judging by the inode from its directory entry, which needs no system call.
    #[cfg(unix)]
    pub(crate) fn may_have(&self, inode: u64) -> bool {
        // FUSE lists the second value for an unknown inode.
        const UNKNOWN: [u64; 2] = [0, u32::MAX as u64];
        self.0.iter().any(|&((_, own), _)| own == inode || UNKNOWN.contains(&inode))
    }
}

#[cfg(unix)]
fn file_id(metadata: &Metadata) -> Option<FileId> {
    use std::os::unix::fs::MetadataExt;
    metadata.is_file().then(|| (metadata.dev(), metadata.ino()))
}

/// Other systems offer no file number here.
#[cfg(not(unix))]
fn file_id(_: &Metadata) -> Option<FileId> {
    None
}
