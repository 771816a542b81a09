//! `Error` for what ends a run, `Problem` for what costs it one input; each is one line that says what to do.

use std::fmt;
use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::banding::MAX_HASHES;
use crate::config::MAX_THREADS;
use crate::shown::{counted, rounded_size, shown, size};

/// A result whose error ends the run.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What ends a run.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// Bands × rows out of range.
    #[error("{} x {}: give numbers from 1 to {MAX_HASHES} whose product is at most {MAX_HASHES}", counted(*bands as u64, "band"), counted(*rows as u64, "row"))]
    Banding {
        /// As given.
        bands: usize,
        /// As given.
        rows: usize,
    },
    /// A shingle size of 0.
    #[error("a shingle of 0 tokens: give a k of 1 or more")]
    ShingleSize,
    /// A shingle size for sets, whose elements have no order.
    #[error("k is {size}, but the elements of a set have no order: leave --k out")]
    SetShingleSize {
        /// As given.
        size: usize,
    },
    /// No regular expression.
    #[error("--skip-lines {pattern:?}: {fault}; correct the regular expression")]
    LinePattern {
        /// As given.
        pattern: String,
        /// What is wrong with it.
        fault: String,
    },
    /// A marker without a character.
    #[error("--ignore-between: a marker is empty; give the strings that stand before and behind what is to be ignored")]
    EmptyMarker,
    /// A flag about stop words, and shingles that do not begin with any.
    #[error("{flag} is about stop words: add --shingle stopword, or leave it out")]
    StopWordsUnused {
        /// As given.
        flag: &'static str,
    },
    /// A language without a list of stop words.
    #[error(
        "--language {language:?}: there is no list of stop words for it; choose auto or one of {known}, or give a list with --stopwords"
    )]
    Language {
        /// As given.
        language: String,
        /// The languages that have one.
        known: String,
    },
    /// A list of stop words could not be read.
    #[error("{}: cannot read the list of --stopwords: {source}", shown(&path.to_string_lossy()))]
    StopWordFile {
        /// The list.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// An entry in a list of stop words that is not one word.
    #[error(
        "{entry:?} in the list of stop words is not one word; write one word a line, or one character of a script without spaces"
    )]
    StopWord {
        /// As given.
        entry: String,
    },
    /// A list without any stop word.
    #[error("the list of stop words is empty; write one word a line")]
    NoStopWords,
    /// A threshold that is no similarity.
    #[error("threshold {0}: give a similarity from 0 to 1")]
    Threshold(f64),
    /// Worker threads out of range.
    #[error("{threads} threads: give a whole number from 1 to {MAX_THREADS}")]
    Threads {
        /// As given.
        threads: usize,
    },
    /// Too little memory for shingle sets.
    #[error("{} of memory: give a size of 16MiB or more, such as 512MiB or 4GB", size(*bytes))]
    Memory {
        /// As given.
        bytes: u64,
    },
    /// The worker threads could not be started.
    #[error("cannot start the worker threads: {0}; try a smaller --threads")]
    ThreadPool(#[source] rayon::ThreadPoolBuildError),
    /// A thread could not be started.
    #[error("cannot start a thread: {0}; give the program more memory or processes (ulimit -v, ulimit -u)")]
    Thread(#[source] io::Error),
    /// A label that names no encoding.
    #[error(
        "encoding {0:?}: not a label of the Encoding Standard; try latin1, windows-1252, shift_jis, gbk or utf-16le"
    )]
    Encoding(String),
    /// A filter that is not of the form `EXT=CMD`.
    #[error("filter {0:?}: give an extension and a command, as in pdf='pdftotext - -'")]
    Filter(String),
    /// An input cannot be used, and the run was to be strict.
    #[error("{0}; --strict ends the run here")]
    Strict(Problem),
    /// No input could be read, and at least one failed.
    #[error("none of the inputs could be read; nothing was compared")]
    NoInput,
    /// Standard input used for two things.
    #[error("-: standard input can be read once, and is named by {}; name it once", uses.join(" and by "))]
    StdinTwice {
        /// What names it: flags, and `PATH` for an argument.
        uses: Vec<&'static str>,
    },
    /// What separates the paths of a list, and no list.
    #[error("--null: it is about lists of paths, and there is none; add --files-from FILE or leave it out")]
    NullUnused,
    /// The list of files could not be read.
    #[error("{}: cannot read the list of paths: {source}", shown(&path.to_string_lossy()))]
    FilesFrom {
        /// The list.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// What cannot be read twice could not be kept where it can.
    #[error(
        "{}: cannot keep a copy of {what} in {}: {source}; set TMPDIR to a folder that can be written and has room",
        shown(place),
        shown(&dir.to_string_lossy())
    )]
    Spool {
        /// Where it comes from.
        place: String,
        /// What it is.
        what: &'static str,
        /// The folder of temporary files.
        dir: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Standard output failed.
    #[error("standard output: cannot write to it: {0}; the output is incomplete, run again")]
    Output(#[source] io::Error),
    /// Standard output is closed, or open for reading only.
    #[error("standard output: it is not open for writing; send it to a file or a program, or to /dev/null")]
    OutputClosed,
    /// Standard input is closed, or open for writing only, and was to be read.
    #[error("-: standard input is not open for reading; give a file or a pipe to it, or leave `-` out")]
    InputClosed,
    /// A template could not be read.
    #[error("--template: {0}")]
    Template(Problem),

    /// The summary could not be written.
    #[error("{}: cannot write the summary: {source}; check --summary", shown(&path.to_string_lossy()))]
    Summary {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The summary would go where the pairs go, or over something that the run reads.
    #[error("{}: --summary would overwrite {what}; name another file", shown(&path.to_string_lossy()))]
    SummaryTaken {
        /// The file.
        path: PathBuf,
        /// What it is to the run.
        what: String,
    },
    /// `-` in place of a file for the summary.
    #[error("--summary -: standard output is for the pairs; name a file, as in ./-, or /dev/stderr")]
    SummaryDash,
    /// What grows with the corpus does not fit the memory.
    #[error(
        "out of memory: there is no room for {} of {what}; scan the corpus in parts, or give the program more memory",
        rounded_size(*bytes)
    )]
    OutOfMemory {
        /// What it is, in the plural.
        what: &'static str,
        /// Bytes that were asked for.
        bytes: u64,
    },
    /// A file does not fit the memory.
    #[error(
        "{}: out of memory: there is no room to read it; leave it out (--exclude, --max-document-bytes), or give the program \
         more memory",
        shown(place)
    )]
    NoRoomForFile {
        /// Its path.
        place: String,
    },
    /// More documents than ids.
    #[error("more than 2,147,483,648 documents; scan the corpus in parts")]
    TooManyDocuments,
}

/// Why an input was not used, or not as given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Reason {
    /// The file, folder or link target does not exist, or no longer.
    Missing,
    /// The file or folder cannot be read.
    Unreadable,
    /// A symbolic link that leads back to a folder above it.
    Loop,
    /// Bytes that are not UTF-8.
    NotUtf8,
    /// A NUL byte near the start.
    Binary,
    /// A FIFO, socket or device.
    Special,
    /// A symbolic link that was not followed.
    Symlink,
    /// A record that could not be read.
    Malformed,
    /// A record whose id was used before; it is compared, under the name of its place.
    RepeatedId,
    /// Fewer tokens than asked for.
    FewTokens,
    /// Hardly a token in a long text; it is compared all the same.
    Sparse,
    /// The document is no longer what it was when it was read first.
    Changed,
    /// A compressed file or an archive that ends early or is broken.
    Damaged,
    /// A document of more bytes than `--max-document-bytes`.
    TooLarge,
    /// A filter that failed or took too long.
    Filter,
    /// A field that was asked for and is nowhere in a file, or cannot be what it was to be.
    MissingField,
    /// A filter that printed nothing, as of a scanned page; an empty document.
    NoOutput,
    /// Bytes that are not of the encoding; compared with U+FFFD in their place.
    Replaced,
    /// A record that has none of the text fields, or null in their place.
    NoText,
    /// A file that the run itself writes, or reads as a list.
    OwnFile,
    /// An array of objects in which not all are records; compared as one text.
    OneText,
}

impl Reason {
    /// Whether the input is not used at all.
    pub fn is_skip(self) -> bool {
        !matches!(
            self,
            Self::RepeatedId | Self::Replaced | Self::Sparse | Self::MissingField | Self::NoOutput | Self::OneText
        )
    }

    /// In a summary for people: what was skipped, after its number.
    pub fn of_number(self, number: u64) -> &'static str {
        let (one, many) = self.words();
        if number == 1 { one } else { many }
    }

    /// In the singular and in the plural.
    fn words(self) -> (&'static str, &'static str) {
        let same = |words| (words, words);
        match self {
            Self::Missing => same("missing"),
            Self::Unreadable => same("unreadable"),
            Self::Loop => ("symbolic link loop", "symbolic link loops"),
            Self::NotUtf8 => same("not UTF-8"),
            Self::Binary => same("binary"),
            Self::Special => ("FIFO, socket or device", "FIFOs, sockets or devices"),
            Self::Symlink => ("symbolic link not followed", "symbolic links not followed"),
            Self::Malformed => ("malformed record", "malformed records"),
            Self::RepeatedId => {
                ("repeated id (compared under another name)", "repeated ids (compared under another name)")
            }
            Self::FewTokens => same("with fewer tokens than --min-tokens"),
            Self::Sparse => same("with hardly a token (compared all the same)"),
            Self::Changed => same("changed during the scan"),
            Self::Damaged => same("damaged"),
            Self::TooLarge => same("too large"),
            Self::Filter => same("failed in a filter"),
            Self::MissingField => same("without a field that was asked for"),
            Self::NoOutput => same("of which a filter printed nothing (empty)"),
            Self::Replaced => same("with invalid bytes replaced (compared)"),
            Self::NoText => ("record without a text", "records without a text"),
            Self::OwnFile => same("written by the run itself, or its lists"),
            Self::OneText => ("array of objects compared as one text", "arrays of objects compared as one text"),
        }
    }
}

/// An input that was not used, or not as given. Its `Display` is one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The path, `file:line` or id.
    pub place: String,
    /// The kind.
    pub reason: Reason,
    /// What exactly, and what to do.
    pub detail: String,
    /// Whether the run is incomplete for it (exit code 3). What a walk passes over by definition is not an error.
    pub is_error: bool,
}

impl Problem {
    pub(crate) fn error(place: impl Into<String>, reason: Reason, detail: impl Into<String>) -> Self {
        Self { place: place.into(), reason, detail: detail.into(), is_error: true }
    }

    /// As it is told when it ends the run: nothing is skipped, since nothing goes on.
    pub(crate) fn ending_the_run(mut self) -> Self {
        self.detail = self.detail.replacen("; skipped", "", 1);
        self
    }

    /// Whether the input is not used at all.
    pub(crate) fn is_skip(&self) -> bool {
        self.reason.is_skip()
    }

    pub(crate) fn note(place: impl Into<String>, reason: Reason, detail: impl Into<String>) -> Self {
        Self { is_error: false, ..Self::error(place, reason, detail) }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", shown(&self.place), self.detail)
    }
}
