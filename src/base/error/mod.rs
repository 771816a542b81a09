//! `Error`: why a run ended, as one line that says what happened and what to do.

mod corpus;
mod exchange;
mod index;
mod reading;
mod weights;

pub use self::corpus::{CorpusError, TextObstacle};
pub use self::exchange::ExchangeError;
pub use self::index::IndexError;
pub use self::reading::ReadingDifference;
pub use self::weights::WeightsError;
use crate::base::problem::Problem;
use crate::base::setting::Setting;
use crate::base::shown::{counted, needed_room, rounded_size, shown, size};
use std::{io, path::PathBuf};
use thiserror::Error;

/// A result whose error ends the run.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The reason why a run ended.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// Bands or rows, or their product, are out of range.
    #[error("{} x {}: give numbers from 1 to {most} whose product is at most {most}", counted(*bands as u64, "band"), counted(*rows as u64, "row"))]
    Banding {
        /// The number of bands that was given.
        bands: usize,
        /// The number of rows that was given.
        rows: usize,
        /// The maximum of each number and of their product.
        most: usize,
    },
    /// The shingle size is 0.
    #[error("a shingle size of 0: give 1 or more")]
    ShingleSize,
    /// A shingle size above 1 for sets, whose elements have no order.
    #[error("a shingle of {size} elements of a set: elements have no order; give a size of 1")]
    SetShingleSize {
        /// The shingle size that was given.
        size: usize,
    },
    /// The minimum run for passages is 0 tokens.
    #[error("runs of 0 tokens: give a minimum run of 1 or more")]
    MinRun,
    /// The anchor is shorter than the minimum run.
    #[error(
        "an anchor of {anchor} tokens: shorter than the minimum run of {min_run}; give an anchor of {min_run} or more, or shorter runs"
    )]
    Anchor {
        /// The number of tokens of the anchor that was given.
        anchor: usize,
        /// The minimum number of tokens of a run.
        min_run: usize,
    },
    /// A folding setting that does not apply to programs.
    #[error("{0} does not apply to programs, which are compared by their tokens; remove the setting")]
    CodeFolding(Setting),
    /// A setting for programs, such as their language, in a run that does not compare programs.
    #[error("{0}: only applies to programs; choose shingles of code, or remove the setting")]
    NotCode(Setting),
    /// A setting by which signatures would depend on other documents, where documents are signed independently.
    #[error("{0}: depends on other documents, but each document is signed as soon as it is read; remove the setting")]
    SignedAlone(Setting),
    /// Passages were requested for sets, whose elements have no order.
    #[error("passages of sets: their elements have no order; choose shingles of characters, words, lines or sentences")]
    PassagesOfSets,
    /// Repeated runs were requested of tokens that have no order or that skip words.
    #[error("repeated runs need tokens in their order; choose shingles of words, characters or tokens of programs")]
    RepeatsUnordered,
    /// An invalid regular expression for lines.
    #[error("{pattern:?}: {fault}; correct the regular expression")]
    LinePattern {
        /// The regular expression that was given.
        pattern: String,
        /// The reason why the expression is invalid.
        fault: String,
    },
    /// A marker is an empty string.
    #[error("a marker is empty; give the strings before and after the text to ignore")]
    EmptyMarker,
    /// A language without a list of stop words.
    #[error("language {language:?}: no list of stop words for this language; choose one of {known}, or give a list")]
    Language {
        /// The language that was given.
        language: String,
        /// The languages that have a list of stop words.
        known: String,
    },
    /// An entry in a list of stop words that is not one word.
    #[error(
        "{entry:?} in the list of stop words is not one word; write one word a line, or one character of a script without spaces"
    )]
    StopWord {
        /// The entry as it was given.
        entry: String,
    },
    /// The list of stop words is empty.
    #[error("the list of stop words is empty; write one word a line")]
    NoStopWords,
    /// A character that cannot separate fields.
    #[error("the delimiter {:?}: choose an ASCII character other than a quotation mark or a line end", char::from(*byte))]
    Delimiter {
        /// The delimiter that was given.
        byte: u8,
    },
    /// A maximum document frequency of shingles that is out of range; holds the given value.
    #[error("a document frequency of {0}: give at least 1 document, or a percentage above 0% and up to 100%")]
    MaxDf(String),
    /// A maximum number of texts for a kept hash that is too small to leave a pair; holds the given value.
    #[error("a limit of {0} texts for a hash: give 2 or more, since a hash in fewer makes no pair")]
    MaxKeyDf(u64),
    /// Matching by passages was combined with shingles of stop words.
    #[error("passages consist of all words, not only of those after stop words; use shingles of words")]
    MatchStopWords,
    /// Copied blocks were combined with templates or with documents that are joined from files.
    #[error("copied blocks: cannot be combined with {0}; remove one of them")]
    Blocks(&'static str),
    /// Matching by passages was combined with a maximum document frequency of shingles.
    #[error(
        "a limit of the document frequency of shingles does not apply to passages; limit the frequency of their hashes instead"
    )]
    MatchMaxDf,
    /// An exhaustive join that conflicts with other settings: the setting that requests it, and why.
    #[error("{0}: {1}")]
    AllPairs(Setting, &'static str),
    /// A threshold outside the range from 0 to 1.
    #[error("threshold {0}: give a similarity from 0 to 1")]
    Threshold(f64),
    /// The length of a passage of a benchmark is out of range.
    #[error("the length of a passage of a benchmark: give a whole number of words from 1 to {most}")]
    RunLength {
        /// The maximum length.
        most: usize,
    },
    /// The number of worker threads is out of range.
    #[error("{threads} threads: give a whole number from 1 to {most}")]
    Threads {
        /// The number of threads that was given.
        threads: usize,
        /// The maximum number of threads.
        most: usize,
    },
    /// The memory limit is too small for shingle sets.
    #[error("{} of memory: give a size of {} or more, such as 512MiB or 4GB", size(*bytes), size(*least))]
    Memory {
        /// The number of bytes that was given.
        bytes: u64,
        /// The minimum number of bytes.
        least: u64,
    },
    /// The worker threads could not be started.
    #[error("cannot start the worker threads: {0}; try fewer")]
    ThreadPool(#[source] rayon::ThreadPoolBuildError),
    /// A thread could not be started.
    #[error("cannot start a thread: {0}; give the program more memory or processes (ulimit -v, ulimit -u)")]
    Thread(#[source] io::Error),
    /// A label that does not denote an encoding.
    #[error(
        "encoding {0:?}: not the label of a known encoding; try latin1, windows-1252, shift_jis, gbk, utf-16le or cp850"
    )]
    Encoding(String),
    /// A filter that does not have the form `EXT=CMD`.
    #[error("filter {0:?}: give an extension and a command, as in pdf='pdftotext - -'")]
    Filter(String),
    /// An input that cannot be used ended a strict run.
    #[error("{0}; the run is strict and stops here")]
    Strict(Problem),
    /// At least one input failed, and not a single one could be read.
    #[error("none of the inputs could be read; nothing was compared")]
    NoInput,
    /// Standard input is given twice.
    #[error("-: standard input can only be read once; give it once")]
    StdinTwice,
    /// The list of files could not be read.
    #[error("{}: cannot read the list of paths: {source}", shown(&path.to_string_lossy()))]
    FilesFrom {
        /// The path of the list.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The list of files contains NUL bytes, but NUL was not chosen as the separator of its paths.
    #[error("{}: cannot read the list of paths: it contains NUL bytes", shown(&path.to_string_lossy()))]
    NulInList {
        /// The path of the list.
        path: PathBuf,
    },
    /// The run would overwrite a file that it reads.
    #[error("{}: the run would overwrite {what}; write to another file", shown(&path.to_string_lossy()))]
    InputOverwritten {
        /// The file that would be overwritten.
        path: PathBuf,
        /// The output that would overwrite it, such as `the summary`.
        written: &'static str,
        /// The role of the file in the run.
        what: String,
    },
    /// Data that cannot be read again, such as a decoded text or a report, could not be copied to a temporary file.
    #[error(
        "{}: cannot keep a copy of {what} in {}: {source}; set TMPDIR to a writable folder with enough space",
        shown(place),
        shown(&dir.to_string_lossy())
    )]
    Spool {
        /// The place that the data comes from.
        place: String,
        /// The kind of data.
        what: &'static str,
        /// The folder for temporary files.
        dir: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// Data that the run needs again could not be written to the disk.
    #[error(
        "{}: cannot keep {}{what}: {source}; set TMPDIR to a writable folder with enough space, or give more memory",
        shown(&dir.to_string_lossy()), needed_room(*bytes, source)
    )]
    Spill {
        /// The kind of data.
        what: &'static str,
        /// The folder for temporary files.
        dir: PathBuf,
        /// The number of bytes that were to be kept so far.
        bytes: u64,
        /// The cause.
        source: io::Error,
    },
    /// Data that the run wrote to the disk has changed there.
    #[error(
        "{}: {what} is damaged on the disk; check the disk, or set TMPDIR to a folder on another disk, and run again",
        shown(&dir.to_string_lossy())
    )]
    DamagedSpill {
        /// The kind of data.
        what: &'static str,
        /// The folder for temporary files.
        dir: PathBuf,
    },
    /// The output could not be written.
    #[error("cannot write the output: {0}; the output is incomplete, run again")]
    Output(#[source] io::Error),
    /// A template could not be read.
    #[error("a template cannot be used: {0}")]
    Template(Problem),
    /// The data of the corpus does not fit in memory.
    #[error(
        "out of memory: no room for {} of {what}; scan the corpus in parts, or give the program more memory",
        rounded_size(*bytes)
    )]
    OutOfMemory {
        /// The kind of data, in the plural.
        what: &'static str,
        /// The number of bytes that could not be allocated.
        bytes: u64,
    },
    /// The run was ended by its [`Cancel`](crate::documents::Cancel).
    #[error("the run was cancelled; its output is incomplete")]
    Cancelled,
    /// A file does not fit in memory.
    #[error("{}: out of memory: cannot read it; exclude it, or give the program more memory", shown(place))]
    NoRoomForFile {
        /// The path of the file.
        place: String,
    },
    /// A saved result cannot be written or read.
    #[error("{}: {fault}", shown(&path.to_string_lossy()))]
    SavedResult {
        /// The path of the saved result.
        path: PathBuf,
        /// The cause, and what to do.
        fault: String,
    },
    /// A folder without a saved result.
    #[error("{}: it is a folder without a saved result", shown(&path.to_string_lossy()))]
    NoSavedResult {
        /// The path of the folder.
        path: PathBuf,
    },
    /// A line of a file of pairs that is not a pair.
    #[error("{}: line {line} is not a pair ({fault})", shown(&path.to_string_lossy()))]
    NotAPair {
        /// The path of the file or of the saved result.
        path: PathBuf,
        /// The number of the line, from 1.
        line: u64,
        /// The fault of the line.
        fault: String,
    },
    /// A file that is a database, such as an index, where pairs are expected.
    #[error("{}: it is an index or another database, not pairs", shown(&.0.to_string_lossy()))]
    PairsOfDatabase(PathBuf),
    /// A baseline that cannot be read, or a file that is not a baseline.
    #[error("{}: {fault}", shown(&path.to_string_lossy()))]
    NoBaseline {
        /// The path of the file.
        path: PathBuf,
        /// The fault of the file.
        fault: String,
    },
    /// An input changed after the result was saved, or while it was made.
    #[error("{}: {fault}; the result does not match it any more, scan again", shown(&path.to_string_lossy()))]
    InputChanged {
        /// The path of the input.
        path: PathBuf,
        /// The change.
        fault: String,
    },
    /// A run reads its inputs in another way than the saved result.
    #[error("{}: {}; give the settings of the saved run, or scan again", shown(&path.to_string_lossy()), difference.in_words(&difference.name))]
    SavedReading {
        /// The path of the saved result.
        path: PathBuf,
        /// The first setting that differs.
        difference: ReadingDifference,
    },
    /// A limit below the limit that a saved result was made with.
    #[error(
        "{}: contains the pairs at or above {saved} and none at {given}; give a {limit} of {saved} or more, or scan again",
        shown(&path.to_string_lossy())
    )]
    SavedLimit {
        /// The path of the saved result.
        path: PathBuf,
        /// The kind of limit.
        limit: &'static str,
        /// The limit of the saved result.
        saved: f64,
        /// The limit that was given.
        given: f64,
    },
    /// Limits for passages were given for a saved result whose pairs did not match by passages.
    #[error("{}: its pairs did not match by passages, so they have no coverage", shown(&path.to_string_lossy()))]
    SavedWithoutPassages {
        /// The path of the saved result.
        path: PathBuf,
    },
    /// A minimum similarity was given for a saved result whose pairs match by passages.
    #[error("{}: its pairs match by passages, so a minimum similarity does not apply; give a minimum coverage", shown(&path.to_string_lossy()))]
    SavedByPassages {
        /// The path of the saved result.
        path: PathBuf,
    },
    /// The answers to a review cannot be read or written.
    #[error("{}: {fault}", shown(&path.to_string_lossy()))]
    Answers {
        /// The path of the file with the answers.
        path: PathBuf,
        /// The cause, and what to do.
        fault: String,
    },
    /// The file of a document no longer exists; holds the name.
    #[error("{}: no file has this name", shown(.0))]
    NotThere(String),
    /// No document has this name.
    #[error("{}: no such document in the inputs; list the documents for their names", shown(name))]
    NoSuchDocument {
        /// The name that was given.
        name: String,
        /// The first document that has this name below a folder, if there is one.
        longer: Option<String>,
    },
    /// A file with several documents was given where one document is needed.
    #[error("{}: contains {documents} documents; choose one of them, such as {}", shown(name), shown(first))]
    SeveralDocuments {
        /// The name that was given.
        name: String,
        /// The number of documents in the file.
        documents: u64,
        /// The name of its first document.
        first: String,
    },
    /// Both names that were given refer to the same document, in a run that does not search for copied blocks.
    #[error(
        "{}: both names refer to this document; give two documents, or search for the blocks that it repeats",
        shown(name)
    )]
    OneDocument {
        /// The name of the document.
        name: String,
    },
    /// A document changed after it was first read.
    #[error("{0}")]
    Changed(Problem),
    /// A clean corpus cannot be written.
    #[error(transparent)]
    Corpus(CorpusError),
    /// An index cannot be read or written.
    #[error(transparent)]
    Index(IndexError),
    /// A filter over rows failed.
    #[error(transparent)]
    Exchange(ExchangeError),
    /// Weights that cannot be used.
    #[error(transparent)]
    Weights(WeightsError),
    /// There are more documents than document ids.
    #[error("more than 2,147,483,648 documents; scan the corpus in parts")]
    TooManyDocuments,
}

impl Error {
    /// The setting to change, if the error is about the value of one setting.
    pub fn setting(&self) -> Option<Setting> {
        match self {
            Self::CodeFolding(setting)
            | Self::NotCode(setting)
            | Self::SignedAlone(setting)
            | Self::AllPairs(setting, _)
            | Self::Index(IndexError::NotOfAnIndex { setting, .. } | IndexError::Differs { setting, .. })
            | Self::Exchange(ExchangeError::NotOfRows { setting, .. }) => Some(*setting),
            Self::Corpus(CorpusError::LinkAcrossDevices { .. }) => Some(Setting::Link),
            _ => None,
        }
    }
}
