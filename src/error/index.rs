//! `IndexError`: what ends the work on an index, as one line that says what happened and what to do.

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::shown::shown;

/// What ends the work on an index.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum IndexError {
    /// The file is no index.
    #[error("{}: not an index: {what}; give a file that `dedup index build` made", shown(&path.to_string_lossy()))]
    NotAnIndex {
        /// As given.
        path: PathBuf,
        /// What it is.
        what: String,
    },
    /// The index has another format than this program reads.
    #[error(
        "{}: made by another version of dedup (format {format}), but this version reads format {own}; use that version, or build the index again",
        shown(&path.to_string_lossy())
    )]
    OtherFormat {
        /// As given.
        path: PathBuf,
        /// The format of the index.
        format: u32,
        /// The format that is read.
        own: u32,
    },
    /// There is something where the index was to be built.
    #[error("{}: {}", shown(&path.to_string_lossy()), exists(path))]
    Exists {
        /// As given.
        path: PathBuf,
    },
    /// What is asked for is not what the index was made with.
    #[error(
        "{}: the index was made with {own}, not {given}; remove the flag, or build another index",
        shown(&path.to_string_lossy())
    )]
    Differs {
        /// As given.
        path: PathBuf,
        /// What it was made with.
        own: String,
        /// What was asked for.
        given: String,
    },
    /// A setting that depends on the whole corpus, or that an index has no use for.
    #[error("{what}: {why}; remove it")]
    NotOfAnIndex {
        /// The setting.
        what: &'static str,
        /// Why it cannot be.
        why: &'static str,
    },
    /// Another process writes to the index.
    #[error(
        "{}: another process writes to the index{holder}; wait for it (--wait SECONDS), and run the same command again",
        shown(&path.to_string_lossy())
    )]
    Busy {
        /// As given.
        path: PathBuf,
        /// What is known of it, such as ` (process 17)`.
        holder: String,
    },
    /// The file that was opened no longer has its name.
    #[error(
        "{}: the index was deleted or replaced since it was opened, and documents added since then are lost; run the same command again",
        shown(&path.to_string_lossy())
    )]
    Gone {
        /// As given.
        path: PathBuf,
    },
    /// A part of the index is not what was written there.
    #[error(
        "{}: {part} of the index is damaged; `dedup index check` finds all damage, `dedup index rebuild` saves the rest",
        shown(&path.to_string_lossy())
    )]
    Damaged {
        /// As given.
        path: PathBuf,
        /// The table and the place in it.
        part: String,
    },
    /// The index cannot be read or written.
    #[error("{}: cannot {doing} the index: {fault}", shown(&path.to_string_lossy()))]
    Storage {
        /// As given.
        path: PathBuf,
        /// `read` or `write`.
        doing: &'static str,
        /// Why, and what to do.
        fault: String,
    },
    /// A document of another text has this name already.
    #[error(
        "{}: the index has another text with the name {}; its batch was not added; give --known replace or --known skip",
        shown(&path.to_string_lossy()),
        shown(name)
    )]
    Known {
        /// The index as given.
        path: PathBuf,
        /// The name.
        name: String,
    },
    /// A question that is to be added has the name of a document with another text.
    #[error("{}: duplicate id: the index has another text with it; choose another id", shown(id))]
    KnownId {
        /// The name.
        id: String,
    },
    /// Two indexes that cannot become one.
    #[error("{}: {what}; {remedy}", shown(&path.to_string_lossy()))]
    CannotMerge {
        /// One of them.
        path: PathBuf,
        /// What is wrong.
        what: String,
        /// What to do.
        remedy: &'static str,
    },
    /// The index lies where it cannot be kept safe.
    #[error(
        "{}: is on a network file system ({name}), where an index is not safe; choose a local disk",
        shown(&path.to_string_lossy())
    )]
    Network {
        /// As given.
        path: PathBuf,
        /// The kind of file system.
        name: &'static str,
    },
    /// Contained texts are asked for, and the index was not made to find them.
    #[error(
        "{}: the index was not built to find contained documents; make one that is: dedup index rebuild OUT {} --for-containment",
        shown(&path.to_string_lossy()),
        shown(&path.to_string_lossy())
    )]
    NoSamples {
        /// As given.
        path: PathBuf,
    },
    /// A text that an index refers to is no longer there.
    #[error("{}: {fault} since it was indexed; {}", shown(name), Self::STALE_REMEDY)]
    Stale {
        /// The name of the document.
        name: String,
        /// What is wrong, such as `changed` or `vanished`.
        fault: String,
    },
    /// A text cannot be referred to, since it cannot be read again.
    #[error("{}: {why}; write it to a file, or keep texts in the index (--texts keep)", shown(place))]
    CannotRefer {
        /// What it comes from.
        place: String,
        /// Why it cannot be read again.
        why: &'static str,
    },
    /// More documents than an index has numbers for.
    #[error("{}: an index holds up to 4,294,967,295 documents, including removed ones; build another index", shown(&path.to_string_lossy()))]
    Full {
        /// As given.
        path: PathBuf,
    },
}

impl IndexError {
    /// What to do about a document whose text is no longer where an index refers to.
    pub(crate) const STALE_REMEDY: &str =
        "add it again (dedup index add, with --known replace for another text), or remove it (dedup index remove)";
}

/// What is where an index was to be built, and what to do.
fn exists(path: &Path) -> &'static str {
    if path.is_dir() {
        "it is a folder; the index comes first, and its documents after it"
    } else {
        "already exists; choose another index, or delete it first"
    }
}
