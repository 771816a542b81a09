//! `CorpusError`: why a clean corpus cannot be written.

use std::borrow::Cow;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::base::setting::Setting;
use crate::base::shown::shown;

/// Why the text of a document cannot be replaced where it is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TextObstacle {
    /// The document has another format, from which its text is extracted.
    #[error("it is extracted from another format, such as an office document or mail")]
    Extracted,
    /// The text is the output of a filter program.
    #[error("it is the output of a filter")]
    Filtered,
    /// The file is a web page.
    #[error("it is a web page")]
    Page,
    /// The fields of a record are read as web pages.
    #[error("the fields of the record are read as web pages")]
    PageOfRecord,
}

/// Why a clean corpus cannot be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CorpusError {
    /// The output of the clean corpus already exists.
    #[error("{}: already exists; choose another output, or allow it to be replaced", shown(&path.to_string_lossy()))]
    Exists {
        /// The output as it was given.
        path: PathBuf,
    },
    /// The output of the clean corpus is a device, a pipe or a socket.
    #[error("{}: is a device, a pipe or a socket, which is never replaced; give {} a file, a folder, or - for standard output", shown(&path.to_string_lossy()), Setting::Output)]
    Special {
        /// The output as it was given.
        path: PathBuf,
    },
    /// The clean corpus would replace a folder that is not empty.
    #[error("{}: is a folder that is not empty, which is never replaced; choose another output, or delete it first", shown(&path.to_string_lossy()))]
    NotEmpty {
        /// The output as it was given.
        path: PathBuf,
    },
    /// The output is an input, or one of them is inside the other.
    #[error(
        "{}: {}; write to another place",
        shown(&inner.to_string_lossy()),
        if inner == outer { "it is an input".to_owned() } else { format!("it is inside {}, and one of them is an input", shown(&outer.to_string_lossy())) }
    )]
    Overlaps {
        /// The path that is inside the other one.
        inner: PathBuf,
        /// The path that contains the other one, or is equal to it.
        outer: PathBuf,
    },
    /// A file of the output would be a hard link to a file on another file system.
    #[error(
        "{}: {link} cannot make hard links to it in {}, which is on another file system; choose an {} on the same one, or remove {link}",
        shown(&input.to_string_lossy()), shown(&output.to_string_lossy()), Setting::Output, link = Setting::Link
    )]
    LinkAcrossDevices {
        /// The input file, or the folder that contains it.
        input: PathBuf,
        /// The output as it was given.
        output: PathBuf,
    },
    /// A record cannot be written in the format of the output.
    #[error("{}: {}; correct it, or name an output of the same format as the input", shown(place), shown(fault))]
    Unconverted {
        /// The file, with or without a line number.
        place: String,
        /// The record, and the part of it that cannot be written.
        fault: String,
    },
    /// No path inside the output can be made for an input, or the name of the output says a form that it cannot have.
    #[error("{}: {why}; {remedy}", shown(&path.to_string_lossy()))]
    NoPlace {
        /// The input or output as it was given.
        path: PathBuf,
        /// The cause.
        why: Cow<'static, str>,
        /// The remedy.
        remedy: Cow<'static, str>,
    },
    /// An input changed during the run; holds its name.
    #[error("{}: changed during the run; nothing was written, run again", shown(.0))]
    Changed(String),
    /// An input could not be read a second time.
    #[error("{}: cannot be read a second time ({source}); nothing was written, run again", shown(place))]
    ReadAgain {
        /// The name of the input.
        place: String,
        /// The cause.
        source: io::Error,
    },
    /// An input cannot be written without its duplicates.
    #[error("{}: cannot be written without its duplicates ({why}); repair it, or exclude it", shown(place))]
    CannotRewrite {
        /// The name of the input.
        place: String,
        /// The cause.
        why: String,
    },
    /// A text cannot be cut where it is stored.
    #[error("{}: its text cannot be cut in place: {why}; exclude it", shown(place))]
    NotRewritten {
        /// The name of the first such document.
        place: String,
        /// The cause.
        why: TextObstacle,
        /// The number of other documents whose texts cannot be cut either.
        num_more: u64,
        /// Whether plain texts can be written instead.
        has_texts: bool,
    },
    /// The texts of a file cannot be cut.
    #[error("{}: its texts cannot be cut ({why}); mend that, or exclude it", shown(place))]
    NotCut {
        /// The name of the file.
        place: String,
        /// The cause.
        why: String,
    },
    /// No record has a value in the field that decides which copy is kept; holds the name of the field.
    #[error("no record has a value in the field `{}`; check its name", shown(.0))]
    NoValues(String),
    /// A document cannot be marked.
    #[error("{}: cannot be marked: {why}; use another action, convert the file first, or exclude it", shown(place))]
    NotMarked {
        /// The name of the file.
        place: String,
        /// The cause.
        why: String,
    },
    /// No benchmark text has enough words to be found.
    #[error(
        "the benchmarks: no text with at least {words} words was found in them; check their paths and the names of their fields"
    )]
    NoBenchmark {
        /// The minimum number of words.
        words: usize,
    },
    /// A file or folder of the clean corpus could not be written.
    #[error("{}: cannot write the clean corpus: {source}; nothing was written", shown(&path.to_string_lossy()))]
    Unwritable {
        /// The output as it was given.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
}
