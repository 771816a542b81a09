//! `CorpusError`: why a clean corpus cannot be written.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::shown::shown;

/// Why a clean corpus cannot be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CorpusError {
    /// There is something where the clean corpus was to go.
    #[error("{}: already exists; choose another output, or allow it to be replaced", shown(&path.to_string_lossy()))]
    Exists {
        /// The output as given.
        path: PathBuf,
    },
    /// The clean corpus was to replace a folder with something in it.
    #[error("{}: is a folder that is not empty, which is never replaced; choose another output, or delete it first", shown(&path.to_string_lossy()))]
    NotEmpty {
        /// The output as given.
        path: PathBuf,
    },
    /// The output and an input lie in one another.
    #[error(
        "{}: {}; write to another place",
        shown(&inner.to_string_lossy()),
        if inner == outer { "it is an input".to_owned() } else { format!("it is inside {}, and one of them is an input", shown(&outer.to_string_lossy())) }
    )]
    Overlaps {
        /// The path that lies in the other.
        inner: PathBuf,
        /// The path that holds it, or is the same.
        outer: PathBuf,
    },
    /// A file of the output was to be a hard link to one on another file system.
    #[error(
        "{}: --link cannot make hard links to it in {}, which is on another file system; choose an --output on the same one, or remove --link",
        shown(&input.to_string_lossy()), shown(&output.to_string_lossy())
    )]
    LinkAcrossDevices {
        /// The file, or the folder that it is in.
        input: PathBuf,
        /// The output as given.
        output: PathBuf,
    },
    /// The output would have another compression than its name says.
    #[error(
        "{}: the output is compressed like the input {}; name it {}",
        shown(&path.to_string_lossy()), shown(&input.to_string_lossy()), shown(&fit.to_string_lossy())
    )]
    Compression {
        /// The output as given.
        path: PathBuf,
        /// The input as given.
        input: PathBuf,
        /// A name that fits.
        fit: PathBuf,
    },
    /// The output would have another format than its name says.
    #[error(
        "{}: the output has the format of the input {}, {has}, but its name says {said}; use the extension of the input, and convert the output with another program",
        shown(&path.to_string_lossy()), shown(&input.to_string_lossy())
    )]
    Format {
        /// The output as given.
        path: PathBuf,
        /// The input as given.
        input: PathBuf,
        /// The format of the input.
        has: &'static str,
        /// The format that the name says.
        said: &'static str,
    },
    /// A record cannot be written in the format of the output.
    #[error("{}: {}; correct it, or name an output of the same format as the input", shown(place), shown(fault))]
    Unconverted {
        /// The file, with or without a line.
        place: String,
        /// The record, and what it has.
        fault: String,
    },
    /// An input has no place in the output.
    #[error("{}: {why}; {remedy}", shown(&path.to_string_lossy()))]
    NoPlace {
        /// The input as given.
        path: PathBuf,
        /// What is wrong.
        why: &'static str,
        /// What to do.
        remedy: &'static str,
    },
    /// The inputs are not what they were when the run began.
    #[error("{}: changed during the run; nothing was written, run again", shown(.0))]
    Changed(String),
    /// An input could not be read a second time.
    #[error("{}: cannot be read a second time ({source}); nothing was written, run again", shown(place))]
    ReadAgain {
        /// The input.
        place: String,
        /// Why.
        source: io::Error,
    },
    /// An input cannot be written without its duplicates.
    #[error("{}: cannot be written without its duplicates ({why}); repair it, or exclude it", shown(place))]
    CannotRewrite {
        /// The input.
        place: String,
        /// What is wrong.
        why: String,
    },
    /// No record has the field whose value was to decide.
    #[error("no record has a value in the field `{}`; check its name", shown(.0))]
    NoValues(String),
    /// A file or folder of it could not be written.
    #[error("{}: cannot write the clean corpus: {source}; nothing was written", shown(&path.to_string_lossy()))]
    Unwritable {
        /// The output as given.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}
