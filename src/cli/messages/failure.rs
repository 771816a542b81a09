//! `Failure`: an error that ends the program early, as one line.
//!
//! The line is written where the failure is decided. The library's errors carry values, and name settings by
//! `flag_of`; `with_flags` adds the flags that the values came from.

use std::io;
use std::path::Path;

use dedup_scan::Error;
use dedup_scan::base::{CorpusError, IndexError, Setting, TextObstacle, WeightsError, shown};
use thiserror::Error;

/// A result whose failure ends the program.
pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

/// An error that ends the program: one line that says what happened, where, and what to do.
#[derive(Debug, Error)]
#[error("{message}")]
pub(crate) struct Failure {
    kind: FailureKind,
    message: String,
}

#[derive(Debug)]
enum FailureKind {
    /// The command line, an input or a file cannot be used.
    Fault,
    /// The output of a command cannot be written.
    Output(io::Error),
    /// The file is a pipe whose reader has closed it.
    Closed,
    /// A signal cancelled the run.
    Cancelled,
}

impl Failure {
    /// A failure with its line, which has no `dedup: ` at the start.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { kind: FailureKind::Fault, message: message.into() }
    }

    /// The failure of writing the file of a flag.
    pub(crate) fn file(flag: &str, what: &str, path: &Path, source: io::Error) -> Self {
        let message = format!("{}: cannot write {what}: {source}; check {flag}", shown(&path.to_string_lossy()));
        let is_closed = source.kind() == io::ErrorKind::BrokenPipe;
        Self { kind: if is_closed { FailureKind::Closed } else { FailureKind::Fault }, message }
    }

    /// The file of a flag would replace another output or a file that the run reads.
    pub(crate) fn file_taken(flag: &str, path: &Path, what: &str) -> Self {
        let path = shown(&path.to_string_lossy());
        Self::new(format!("{path}: {flag} would overwrite {what}; choose another file"))
    }

    /// The failure of writing standard output.
    pub(crate) fn output(error: io::Error) -> Self {
        Error::Output(error).into()
    }

    /// An argument refers to standard input, which is closed or open for writing only.
    pub(crate) fn input_closed() -> Self {
        Self::new("-: standard input is not open for reading; redirect a file or a pipe to it, or remove `-`")
    }

    /// Standard input could not be read.
    pub(crate) fn input(error: io::Error) -> Self {
        Self::new(format!("standard input: cannot read it: {error}; the results before this are valid"))
    }

    /// A limit on the share of documents, for a result that does not list its documents.
    pub(crate) fn share_of_pairs() -> Self {
        Self::new(
            "--fail-over: a file of pairs does not say how many documents were compared; give a number of pairs, or a folder of --save",
        )
    }

    /// A share as the limit on copied blocks, where the number of lines is not known.
    pub(crate) fn share_of_saved_lines() -> Self {
        Self::new(
            "--fail-over: a saved result does not say how many lines its documents have; give a number of pairs, or the share in the run that searches the blocks",
        )
    }

    /// A flag about similarity in a run that matches by passages.
    pub(crate) fn not_of_matching(flag: &str) -> Self {
        Self::new(not_of_matching(flag))
    }

    /// A flag about matching by passages in a run that matches by similarity.
    pub(crate) fn without_matching(flag: &str) -> Self {
        Self::new(format!(
            "{flag}: only applies to pairs that match by passages; add --match passages, or remove the flag"
        ))
    }

    /// A flag about passages in a run without passages.
    pub(crate) fn without_passages(flag: &str) -> Self {
        Self::new(format!(
            "{flag}: only applies to passages; add --show-passages or --match passages, or remove the flag"
        ))
    }

    /// The error of writing the output of a command; other failures are returned as they are.
    pub(crate) fn into_output(self) -> std::result::Result<io::Error, Self> {
        match self.kind {
            FailureKind::Output(error) => Ok(error),
            kind => Err(Self { kind, ..self }),
        }
    }

    /// Whether the reader of the output has closed it, as in `dedup scan … | head`.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        match &self.kind {
            FailureKind::Output(error) => error.kind() == io::ErrorKind::BrokenPipe,
            kind => matches!(kind, FailureKind::Closed),
        }
    }

    /// Whether a signal cancelled the run.
    pub(crate) fn is_cancelled(&self) -> bool {
        matches!(self.kind, FailureKind::Cancelled)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let message = with_flags(&error);
        let kind = match error {
            Error::Output(error) => FailureKind::Output(error),
            Error::Cancelled => FailureKind::Cancelled,
            _ => FailureKind::Fault,
        };
        Self { kind, message }
    }
}

/// The message for a flag that does not apply to matching by passages.
fn not_of_matching(flag: &str) -> String {
    let instead = match flag {
        "--threshold" => "give --coverage, the minimum share of the shorter document that passages cover",
        _ => "remove the flag, since every common run that is long enough is found",
    };
    format!("{flag}: does not apply to pairs that match by passages; {instead}")
}

/// The message of a library error, with the flags that its values come from.
fn with_flags(error: &Error) -> String {
    match error {
        Error::SetShingleSize { size } => {
            format!("--k {size}: the elements of a set have no order, so a shingle is one element; remove the flag")
        }
        Error::Anchor { anchor, min_run } => format!(
            "--anchor {anchor}: shorter than --min-run, which is {min_run}; give --anchor {min_run} or \
             more, or a smaller --min-run"
        ),
        Error::SavedByPassages { path } => {
            format!("{}: {}", shown(&path.to_string_lossy()), not_of_matching("--threshold"))
        }
        Error::RepeatsUnordered => {
            "--shingle: the tokens of sets and of stop words have no order, so no runs of them are cut; choose word, char or code".to_owned()
        }
        Error::Corpus(CorpusError::NotRewritten { place, why, num_more, has_texts }) => {
            let more = if *num_more > 0 { format!(" (and {num_more} more)") } else { String::new() };
            let remedy = match why {
                TextObstacle::PageOfRecord => "give --html raw, which cuts the fields with their markup",
                _ if *has_texts => "exclude it, or write texts with --to text",
                _ => "exclude it, or remove such documents with --action drop",
            };
            format!("{}{more}: its text cannot be cut in place: {why}; {remedy}", shown(place))
        }
        Error::PassagesOfSets => {
            "--show-passages: the elements of a set have no order; remove the flag, or choose another --shingle"
                .to_owned()
        }
        Error::MatchStopWords => {
            "--shingle stopword: passages consist of all words, not only of those after stop words; use --shingle word"
                .to_owned()
        }
        Error::MatchMaxDf => {
            "--max-df: does not apply to pairs that match by passages; give --max-key-df, or remove the flag".to_owned()
        }
        Error::Blocks(_) => format!("--copied-blocks: {error}"),
        Error::OneDocument { name } => format!(
            "{}: both names refer to this document; give two documents, or --preset clones to show the blocks that it repeats",
            shown(name)
        ),
        Error::MaxKeyDf(_) => format!("--max-key-df: {error}"),
        Error::LinePattern { .. } => format!("--skip-lines {error}"),
        Error::EmptyMarker => {
            "--ignore-between: a marker is empty; give the strings before and after the text to ignore".to_owned()
        }
        Error::Language { language, known } => format!(
            "--language {language:?}: no list of stop words for this language; choose auto or one of {known}, or give a \
             list with --stopwords"
        ),
        Error::ThreadPool(error) => format!("cannot start the worker threads: {error}; try a smaller --threads"),
        Error::Strict(problem) => format!("{problem}; --strict stops the run"),
        Error::StdinTwice => {
            "-: standard input can only be read once; give it once, as an input or as the list of --files-from"
                .to_owned()
        }
        Error::NulInList { path } => {
            let path = shown(&path.to_string_lossy());
            format!("{path}: contains NUL bytes; add --null if they separate the paths")
        }
        Error::InputOverwritten { path, written, what } => {
            let flag = match *written {
                "the summary" => "--summary",
                "the list of removed documents" => "--removed",
                "a report" => "--format",
                _ => "--output",
            };
            Failure::file_taken(flag, path, what).message
        }
        Error::NoRoomForFile { place } => format!(
            "{}: out of memory: cannot read it; exclude it (--exclude, --max-document-bytes), or give the program more memory",
            shown(place)
        ),
        Error::NotThere(name) => format!(
            "{}: no file has this name; for a record, save the pairs with --save, or scan with --with-source",
            shown(name)
        ),
        Error::NoSuchDocument { name } => format!(
            "{}: no such document in the inputs; give its file with --in, and see dedup scan --list-documents for the names",
            shown(name)
        ),
        Error::SeveralDocuments { name, documents, first } => format!(
            "{}: contains {documents} documents; give it with --in, and choose one of them, such as {}",
            shown(name),
            shown(first)
        ),
        Error::Corpus(CorpusError::Exists { path }) => {
            let path = shown(&path.to_string_lossy());
            format!("{path}: already exists; choose another --output, or give --force to replace it")
        }
        Error::SavedReading { path, difference } => format!(
            "{}: {}; give the flags of the saved run, or scan again",
            shown(&path.to_string_lossy()),
            difference.in_words(&format!("--{}", difference.name))
        ),
        Error::SavedWithoutPassages { .. } => format!("{error}; scan with --match passages"),
        Error::Corpus(CorpusError::NoValues(_)) => format!("--keep: {error}"),
        Error::Weights(error @ WeightsError::Default { .. }) => format!("--default-weight: {error}"),
        Error::Weights(WeightsError::Unused(why)) => format!("--weights: {}", of_flag(why)),
        Error::Weights(error @ WeightsError::Kind) => format!("--weights: {error}"),
        Error::Template(problem) => format!("--template: {problem}"),
        Error::Output(error) => {
            format!("standard output: cannot write: {error}; the output is incomplete, run again")
        }
        Error::NotCode(setting) => {
            format!("{setting}: only applies to programs; add --shingle code, or remove the flag")
        }
        Error::Index(IndexError::NotOfAnIndex { setting: setting @ Setting::Filters, why }) => {
            format!("{setting}: {why} (--texts keep does without); remove it")
        }
        error if error.setting().is_some() => of_flag(&error.to_string()),
        error => error.to_string(),
    }
}

/// The message about a setting that a flag has set.
fn of_flag(message: &str) -> String {
    message.replace("remove the setting", "remove the flag")
}
