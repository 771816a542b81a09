//! `Error`: what ends a run, as one line that says what happened and what to do.

mod corpus;
mod exchange;
mod index;
mod weights;

pub use self::corpus::CorpusError;
pub use self::exchange::ExchangeError;
pub use self::index::IndexError;
pub use self::weights::WeightsError;
use crate::problem::Problem;
use crate::shown::{counted, rounded_size, shown, size};
use std::{io, path::PathBuf};
use thiserror::Error;

/// A result whose error ends the run.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What ends a run.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// Bands × rows out of range.
    #[error("{} x {}: give numbers from 1 to {most} whose product is at most {most}", counted(*bands as u64, "band"), counted(*rows as u64, "row"))]
    Banding {
        /// As given.
        bands: usize,
        /// As given.
        rows: usize,
        /// The greatest product.
        most: usize,
    },
    /// A shingle size of 0.
    #[error("a shingle size of 0: give 1 or more")]
    ShingleSize,
    /// A shingle size for sets, whose elements have no order.
    #[error("a shingle of {size} elements of a set: elements have no order; give a size of 1")]
    SetShingleSize {
        /// As given.
        size: usize,
    },
    /// Runs of 0 tokens.
    #[error("runs of 0 tokens: give a minimum run of 1 or more")]
    MinRun,
    /// An anchor that is shorter than any run.
    #[error(
        "an anchor of {anchor} tokens: shorter than the minimum run of {min_run}; give an anchor of {min_run} or more, or shorter runs"
    )]
    Anchor {
        /// As given.
        anchor: usize,
        /// The least length of a run.
        min_run: usize,
    },
    /// Folding that programs have no use for.
    #[error("{0} does not apply to programs, which are compared by their tokens; remove the flag")]
    CodeFolding(&'static str),
    /// The language of programs, or their names, where documents are none.
    #[error("{0}: only applies to programs; add --shingle code, or remove the flag")]
    NotCode(&'static str),
    /// Signatures that depend on other documents.
    #[error("{0}: depends on other documents, but each document is signed as soon as it is read; remove the flag")]
    SignedAlone(&'static str),
    /// Passages of sets, whose elements have no order.
    #[error("passages of sets: their elements have no order; choose shingles of characters, words, lines or sentences")]
    PassagesOfSets,
    /// No regular expression.
    #[error("{pattern:?}: {fault}; correct the regular expression")]
    LinePattern {
        /// As given.
        pattern: String,
        /// What is wrong with it.
        fault: String,
    },
    /// A marker without a character.
    #[error("a marker is empty; give the strings before and after the text to ignore")]
    EmptyMarker,
    /// A language without a list of stop words.
    #[error("language {language:?}: no list of stop words for this language; choose one of {known}, or give a list")]
    Language {
        /// As given.
        language: String,
        /// The languages that have one.
        known: String,
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
    /// What is to separate fields and cannot.
    #[error("the delimiter {:?}: choose an ASCII character other than a quotation mark or a line end", char::from(*byte))]
    Delimiter {
        /// As given.
        byte: u8,
    },
    /// A limit of documents for a shingle that is none.
    #[error("a document frequency of {0}: give at least 1 document, or a percentage above 0% and up to 100%")]
    MaxDf(String),
    /// A limit of texts for a kept hash that leaves no pair.
    #[error("a limit of {0} texts for a hash: give 2 or more, since a hash in fewer makes no pair")]
    MaxKeyDf(u64),
    /// Matching by passages with shingles of stop words.
    #[error("passages consist of all words, not only of those after stop words; use shingles of words")]
    MatchStopWords,
    /// Matching by passages with a limit of document frequency for shingles.
    #[error(
        "a limit of the document frequency of shingles does not apply to passages; limit the frequency of their hashes instead"
    )]
    MatchMaxDf,
    /// An exhaustive join that cannot keep its promise: the flag that asks for it, and why.
    #[error("an exhaustive join: {1}")]
    AllPairs(&'static str, &'static str),
    /// A threshold that is no similarity.
    #[error("threshold {0}: give a similarity from 0 to 1")]
    Threshold(f64),
    /// Worker threads out of range.
    #[error("{threads} threads: give a whole number from 1 to {most}")]
    Threads {
        /// As given.
        threads: usize,
        /// The greatest number.
        most: usize,
    },
    /// Too little memory for shingle sets.
    #[error("{} of memory: give a size of {} or more, such as 512MiB or 4GB", size(*bytes), size(*least))]
    Memory {
        /// As given.
        bytes: u64,
        /// The least.
        least: u64,
    },
    /// The worker threads could not be started.
    #[error("cannot start the worker threads: {0}; try fewer")]
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
    #[error("{0}; the run is strict and stops here")]
    Strict(Problem),
    /// No input could be read, and at least one failed.
    #[error("none of the inputs could be read; nothing was compared")]
    NoInput,
    /// Standard input used for two things.
    #[error("-: standard input can only be read once; give it once")]
    StdinTwice,
    /// The list of files could not be read.
    #[error("{}: cannot read the list of paths: {source}", shown(&path.to_string_lossy()))]
    FilesFrom {
        /// The list.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The list of files holds NUL bytes, which were not said to separate its paths.
    #[error("{}: cannot read the list of paths: it contains NUL bytes", shown(&path.to_string_lossy()))]
    NulInList {
        /// The list.
        path: PathBuf,
    },
    /// The run was to write over something that it reads.
    #[error("{}: the run would overwrite {what}; write to another file", shown(&path.to_string_lossy()))]
    InputOverwritten {
        /// The file that was to be written.
        path: PathBuf,
        /// What was to be written, such as `the summary`.
        written: &'static str,
        /// What it is to the run.
        what: String,
    },
    /// What cannot be read twice could not be kept where it can.
    #[error(
        "{}: cannot keep a copy of {what} in {}: {source}; set TMPDIR to a writable folder with enough space",
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
    /// What a run needs again could not be kept on the disk.
    #[error(
        "{}: cannot keep {what}: {source}; set TMPDIR to a writable folder with enough space, or give more memory",
        shown(&dir.to_string_lossy())
    )]
    Spill {
        /// What it is.
        what: &'static str,
        /// The folder of temporary files.
        dir: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// What a run kept on the disk is no longer what was written there.
    #[error(
        "{}: {what} is damaged on the disk; check the disk, or set TMPDIR to a folder on another disk, and run again",
        shown(&dir.to_string_lossy())
    )]
    DamagedSpill {
        /// What it is.
        what: &'static str,
        /// The folder of temporary files.
        dir: PathBuf,
    },
    /// What takes the pairs failed.
    #[error("cannot write the output: {0}; the output is incomplete, run again")]
    Output(#[source] io::Error),
    /// A template could not be read.
    #[error("a template cannot be used: {0}")]
    Template(Problem),
    /// What grows with the corpus does not fit the memory.
    #[error(
        "out of memory: no room for {} of {what}; scan the corpus in parts, or give the program more memory",
        rounded_size(*bytes)
    )]
    OutOfMemory {
        /// What it is, in the plural.
        what: &'static str,
        /// Bytes that were asked for.
        bytes: u64,
    },
    /// The run was ended by its [`Cancel`](crate::Cancel).
    #[error("the run was cancelled; its output is incomplete")]
    Cancelled,
    /// A file does not fit the memory.
    #[error("{}: out of memory: cannot read it; exclude it, or give the program more memory", shown(place))]
    NoRoomForFile {
        /// Its path.
        place: String,
    },
    /// A saved result cannot be written or read.
    #[error("{}: {fault}", shown(&path.to_string_lossy()))]
    SavedResult {
        /// The result.
        path: PathBuf,
        /// Why, and what to do.
        fault: String,
    },
    /// An input is not what it was when a result was saved of it, or while that was made.
    #[error("{}: {fault}; the result does not match it any more, scan again", shown(&path.to_string_lossy()))]
    InputChanged {
        /// The input.
        path: PathBuf,
        /// How.
        fault: String,
    },
    /// A limit below that of a saved result.
    #[error(
        "{}: contains the pairs at or above {saved} and none at {given}; give a {limit} of {saved} or more, or scan again",
        shown(&path.to_string_lossy())
    )]
    SavedLimit {
        /// The result.
        path: PathBuf,
        /// Which limit.
        limit: &'static str,
        /// Its own.
        saved: f64,
        /// The given one.
        given: f64,
    },
    /// Pairs of a saved result that were not found by their passages, where limits of these are given.
    #[error("{}: its pairs did not match by passages, so they have no coverage", shown(&path.to_string_lossy()))]
    SavedWithoutPassages {
        /// The result.
        path: PathBuf,
    },
    /// Pairs of a saved result that were found by their passages, where a least similarity is given.
    #[error("{}: its pairs match by passages, so a minimum similarity does not apply; give a minimum coverage", shown(&path.to_string_lossy()))]
    SavedByPassages {
        /// The result.
        path: PathBuf,
    },
    /// The answers to a review cannot be read or written.
    #[error("{}: {fault}", shown(&path.to_string_lossy()))]
    Answers {
        /// Their file.
        path: PathBuf,
        /// Why, and what to do.
        fault: String,
    },
    /// The file of a document is no longer there.
    #[error("{}: no file has this name", shown(.0))]
    NotThere(String),
    /// No document has this name.
    #[error("{}: no such document in the inputs; list the documents for their names", shown(name))]
    NoSuchDocument {
        /// As given.
        name: String,
    },
    /// A file of several documents in place of one of them.
    #[error("{}: contains {documents} documents; choose one of them, such as {}", shown(name), shown(first))]
    SeveralDocuments {
        /// As given.
        name: String,
        /// How many documents it holds.
        documents: u64,
        /// The name of the first one.
        first: String,
    },
    /// One document in place of two.
    #[error("{}: both names refer to this document; give two documents", shown(name))]
    OneDocument {
        /// Its name.
        name: String,
    },
    /// A document is no longer what it was.
    #[error("{0}")]
    Changed(Problem),
    /// A clean corpus cannot be written.
    #[error(transparent)]
    Corpus(CorpusError),
    /// An index cannot be read or written.
    #[error(transparent)]
    Index(IndexError),
    /// A filter of rows cannot go on.
    #[error(transparent)]
    Exchange(ExchangeError),
    /// Weights that cannot be used.
    #[error(transparent)]
    Weights(WeightsError),
    /// More documents than ids.
    #[error("more than 2,147,483,648 documents; scan the corpus in parts")]
    TooManyDocuments,
}
