//! `IndexError`: what ends the work on an index, as one line that says what happened and what to do.

use std::path::PathBuf;

use thiserror::Error;

use crate::shown::shown;

/// What ends the work on an index.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum IndexError {
    /// The file is no index.
    #[error("{}: not an index: {what}; name a file that `dedup index build` made", shown(&path.to_string_lossy()))]
    NotAnIndex {
        /// As given.
        path: PathBuf,
        /// What it is.
        what: String,
    },
    /// The index has a newer format than this program reads.
    #[error(
        "{}: made by a later dedup (format {format}), and this one reads format {own}; use that one, or build the index again",
        shown(&path.to_string_lossy())
    )]
    Later {
        /// As given.
        path: PathBuf,
        /// The format of the index.
        format: u32,
        /// The newest format that is read.
        own: u32,
    },
    /// There is something where the index was to be built.
    #[error("{}: there is something already; name another index, or delete it first", shown(&path.to_string_lossy()))]
    Exists {
        /// As given.
        path: PathBuf,
    },
    /// What is asked for is not what the index was made with.
    #[error(
        "{}: the index was made with {own}, not {given}; leave it out, or build another index",
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
    #[error("{what}: {why}; leave it out")]
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
        "{}: the index has another text under the name {}; its batch was not added; replace it or skip it (--known)",
        shown(&path.to_string_lossy()),
        shown(name)
    )]
    Known {
        /// The index as given.
        path: PathBuf,
        /// The name.
        name: String,
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
    /// More documents than an index has numbers for.
    #[error("{}: an index holds up to 4,294,967,295 documents, removed ones included; build another", shown(&path.to_string_lossy()))]
    Full {
        /// As given.
        path: PathBuf,
    },
}
