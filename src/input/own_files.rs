//! `OwnFiles`: the files that a run itself writes, or reads as a list, recognised by device and inode.
//!
//! Such a file among the inputs is not a document: the walk skips it and reports it. What earlier runs wrote is for `written`.

use std::fs::Metadata;
use std::path::PathBuf;

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
            Self::Output => "standard output is written to it; skipped".into(),
            Self::Messages => "standard error is written to it; skipped".into(),
            Self::Replaced { by, .. } => format!("{by} is written to it; skipped"),
            Self::List(flag) => format!("it is the list of {flag}; skipped"),
            Self::Written(what) => format!("it is {what}; skipped"),
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
