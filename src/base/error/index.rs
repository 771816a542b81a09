//! `IndexError`: why an operation on an index failed, as one line that says what happened and what to do.

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::base::setting::Setting;
use crate::base::shown::shown;

/// The reason why an operation on an index failed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum IndexError {
    /// The file is not an index.
    #[error("{}: not an index: {what}", shown(&path.to_string_lossy()))]
    NotAnIndex {
        /// The path that was given.
        path: PathBuf,
        /// A description of the file.
        what: String,
    },
    /// The index has a format that this program does not read.
    #[error(
        "{}: made by another version of dedup (format {format}), but this version reads format {own}; use that version, or build the index again",
        shown(&path.to_string_lossy())
    )]
    OtherFormat {
        /// The path that was given.
        path: PathBuf,
        /// The format of the index.
        format: u32,
        /// The format that this program reads.
        own: u32,
    },
    /// The path at which an index would be built already exists.
    #[error("{}: {}", shown(&path.to_string_lossy()), exists(path))]
    Exists {
        /// The path that was given.
        path: PathBuf,
    },
    /// A given setting differs from the setting that the index was made with.
    #[error(
        "{}: the index was made with {own}, not {given}; remove the setting, or build another index",
        shown(&path.to_string_lossy())
    )]
    Differs {
        /// The path that was given.
        path: PathBuf,
        /// The setting that was given.
        setting: Setting,
        /// The setting of the index in words.
        own: String,
        /// The given setting in words.
        given: String,
    },
    /// The texts of the index were read in another way than the documents that they are compared with.
    #[error(
        "{}: the index was made with {own}, and this run reads documents with {given}; use the same setting for both",
        shown(&path.to_string_lossy())
    )]
    OtherReading {
        /// The path that was given.
        path: PathBuf,
        /// The setting of the index in words.
        own: String,
        /// The setting of the run in words.
        given: String,
    },
    /// A setting that depends on the whole corpus, or that does not apply to an index.
    #[error("{setting}: {why}; remove it")]
    NotOfAnIndex {
        /// The setting.
        setting: Setting,
        /// The reason why it does not apply.
        why: &'static str,
    },
    /// Another process writes to the index.
    #[error(
        "{}: another process writes to the index{holder}; wait for it ({} SECONDS), and run the same command again",
        shown(&path.to_string_lossy()),
        Setting::Wait
    )]
    Busy {
        /// The path that was given.
        path: PathBuf,
        /// The process that writes, such as ` (process 17)`; empty when it is unknown.
        holder: String,
    },
    /// The index was deleted or replaced while it was open.
    #[error(
        "{}: the index was deleted or replaced since it was opened, and documents added since then are lost; run the same command again",
        shown(&path.to_string_lossy())
    )]
    Gone {
        /// The path that was given.
        path: PathBuf,
    },
    /// A part of the index has changed since it was written.
    #[error(
        "{}: {part} of the index is damaged",
        shown(&path.to_string_lossy())
    )]
    Damaged {
        /// The path that was given.
        path: PathBuf,
        /// The table and the place in it.
        part: String,
    },
    /// The parts of the index do not agree with each other; holds a description.
    #[error("{0}")]
    Unsound(String),
    /// The index cannot be read or written.
    #[error("{}: cannot {doing} the index: {fault}", shown(&path.to_string_lossy()))]
    Storage {
        /// The path that was given.
        path: PathBuf,
        /// The verb for the message: `read` or `write`.
        doing: &'static str,
        /// The cause, and what to do.
        fault: String,
    },
    /// The index contains another text with the name of the new document.
    #[error(
        "{}: the index has another text with the name {}; its batch was not added; give {known} replace or {known} skip",
        shown(&path.to_string_lossy()),
        shown(name),
        known = Setting::Known
    )]
    Known {
        /// The path of the index as it was given.
        path: PathBuf,
        /// The name of the document.
        name: String,
    },
    /// A query is to be added, and the index contains another text with its id.
    #[error("{}: duplicate id: the index has another text with it; choose another id", shown(id))]
    KnownId {
        /// The id of the query.
        id: String,
    },
    /// Two indexes that cannot be merged.
    #[error("{}: {what}; {remedy}", shown(&path.to_string_lossy()))]
    CannotMerge {
        /// The path of one of the indexes.
        path: PathBuf,
        /// The cause.
        what: String,
        /// The remedy.
        remedy: String,
    },
    /// The index is on a network file system.
    #[error(
        "{}: is on a network file system ({name}), where an index is not safe; choose a local disk",
        shown(&path.to_string_lossy())
    )]
    Network {
        /// The path that was given.
        path: PathBuf,
        /// The kind of file system.
        name: &'static str,
    },
    /// Contained texts were requested, but the index was not built to find them.
    #[error(
        "{}: the index was not built to find contained documents; build one with {}",
        shown(&path.to_string_lossy()),
        Setting::ForContainment
    )]
    NoSamples {
        /// The path that was given.
        path: PathBuf,
    },
    /// A text that an index refers to has changed or is missing.
    #[error("{}: {fault} since it was indexed", shown(name))]
    Stale {
        /// The name of the document.
        name: String,
        /// The fault, such as `changed` or `vanished`.
        fault: String,
    },
    /// An index cannot refer to a text that cannot be read a second time.
    #[error("{}: {why}; write it to a file, or keep texts in the index ({} keep)", shown(place), Setting::TextStorage)]
    CannotRefer {
        /// The place that the text comes from.
        place: String,
        /// The reason why it cannot be read a second time.
        why: &'static str,
    },
    /// The index has used up its document numbers.
    #[error("{}: an index holds up to 4,294,967,295 documents, including removed ones; build another index", shown(&path.to_string_lossy()))]
    Full {
        /// The path that was given.
        path: PathBuf,
    },
}

/// Says what exists at the path of a new index, and what to do.
fn exists(path: &Path) -> &'static str {
    if path.is_dir() {
        "it is a folder; the index comes first, and its documents after it"
    } else {
        "already exists; choose another index, or delete it first"
    }
}
