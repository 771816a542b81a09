//! `Failure`: an error that ends the program early, as one line.
//!
//! The line is written where the failure is decided, with the flags that it is about, so that a note can say where
//! their values come from. The library's errors carry values, and name settings by `flag_of`; `of_library` adds the
//! flags that the values came from.

use std::fmt::Display;
use std::io;
use std::path::Path;

use dedup_scan::Error;
use dedup_scan::base::{CorpusError, ExchangeError, IndexError, Reason, Setting, TextObstacle, WeightsError, shown};
use thiserror::Error;

use super::problem::{problem_line, stale_remedy};
use super::setting_flags::name_of_flag;

/// A result whose failure ends the program.
pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

/// An error that ends the program: one line that says what happened, where, and what to do.
#[derive(Debug, Error)]
#[error("{message}")]
pub(crate) struct Failure {
    kind: FailureKind,
    message: String,
    /// The names of the flags that the message is about; the message begins with the first, if it is about one flag.
    flags: Vec<String>,
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
    /// There is not enough memory for a table.
    OutOfMemory,
}

impl Failure {
    /// A failure with its line, which has no `dedup: ` at the start.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { kind: FailureKind::Fault, message: message.into(), flags: Vec::new() }
    }

    /// A failure about a flag: `FLAG: WHAT`.
    ///
    /// * `what`: may come from the library, which advises to remove a setting where the program advises to remove the flag.
    pub(crate) fn of_flag(flag: &str, what: impl Display) -> Self {
        Self::new(of_flag(&format!("{flag}: {what}"))).and(flag)
    }

    /// A failure about the value of a flag: `FLAG VALUE: WHAT`.
    pub(crate) fn of_value(flag: &str, value: impl Display, what: impl Display) -> Self {
        Self::new(format!("{flag} {value}: {what}")).and(flag)
    }

    /// Returns the failure as one that is also about another flag.
    pub(crate) fn and(mut self, flag: &str) -> Self {
        self.flags.push(flag.to_owned());
        self
    }

    /// Returns the failure with a note after its message.
    pub(crate) fn with_note(mut self, note: Option<String>) -> Self {
        if let Some(note) = note {
            self.message = format!("{} ({note})", self.message);
        }
        self
    }

    /// The names of the flags that the failure is about, with their dashes.
    pub(crate) fn flags(&self) -> &[String] {
        &self.flags
    }

    /// The failure of writing the file of a flag.
    pub(crate) fn file(flag: &str, what: &str, path: &Path, source: io::Error) -> Self {
        let message = format!("{}: cannot write {what}: {source}; check {flag}", shown(&path.to_string_lossy()));
        let is_closed = source.kind() == io::ErrorKind::BrokenPipe;
        let kind = if is_closed { FailureKind::Closed } else { FailureKind::Fault };
        Self { kind, ..Self::new(message).and(flag) }
    }

    /// The file of a flag would replace another output or a file that the run reads.
    pub(crate) fn file_taken(flag: &str, path: &Path, what: &str) -> Self {
        let path = shown(&path.to_string_lossy());
        Self::new(format!("{path}: {flag} would overwrite {what}; choose another file")).and(flag)
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
        Self::of_flag(
            "--fail-over",
            "a file of pairs does not say how many documents were compared; give a number of pairs, or a folder of --save",
        )
    }

    /// A share as the limit on copied blocks, for a result of an earlier version, which has no number of lines.
    pub(crate) fn share_of_saved_lines() -> Self {
        Self::of_flag(
            "--fail-over",
            "the result does not say how many lines its documents have; scan again, or give a number of pairs",
        )
    }

    /// A flag about similarity in a run that matches by passages.
    pub(crate) fn not_of_matching(flag: &str) -> Self {
        Self::of_flag(flag, not_of_matching(flag))
    }

    /// A flag about matching by passages in a run that matches by similarity.
    pub(crate) fn without_matching(flag: &str) -> Self {
        let what = "only applies to pairs that match by passages; add --match passages, or remove the flag";
        Self::of_flag(flag, what).and("--match")
    }

    /// A flag about passages in a run without passages.
    pub(crate) fn without_passages(flag: &str) -> Self {
        let what = "only applies to passages; add --show-passages or --match passages, or remove the flag";
        Self::of_flag(flag, what).and("--show-passages").and("--match")
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

    /// Whether there was not enough memory for a table.
    pub(crate) fn is_out_of_memory(&self) -> bool {
        matches!(self.kind, FailureKind::OutOfMemory)
    }

    /// Whether a signal cancelled the run.
    pub(crate) fn is_cancelled(&self) -> bool {
        matches!(self.kind, FailureKind::Cancelled)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let failure = of_library(&error);
        let kind = match error {
            Error::Output(error) => FailureKind::Output(error),
            Error::Cancelled => FailureKind::Cancelled,
            Error::OutOfMemory { .. } => FailureKind::OutOfMemory,
            _ => FailureKind::Fault,
        };
        Self { kind, ..failure }
    }
}

/// The message about a flag that does not apply to matching by passages, after the flag.
fn not_of_matching(flag: &str) -> String {
    let instead = match flag {
        "--threshold" => "give --coverage, the minimum share of the shorter document that passages cover",
        _ => "remove the flag, since every common run that is long enough is found",
    };
    format!("does not apply to pairs that match by passages; {instead}")
}

/// The failure of a library error, with the flags that its values come from.
fn of_library(error: &Error) -> Failure {
    let message = || of_inputs(error).or_else(|| of_results(error)).map(Failure::new);
    of_settings(error).or_else(|| of_run(error)).or_else(message).unwrap_or_else(|| {
        let (message, flags) = match error.setting() {
            Some(setting) => (of_flag(&error.to_string()), vec![name_of_flag(setting).to_owned()]),
            None => (error.to_string(), Vec::new()),
        };
        Failure { flags, ..Failure::new(message) }
    })
}

/// The failure of an error about settings whose values do not say their flags.
fn of_settings(error: &Error) -> Option<Failure> {
    Some(match error {
        Error::SetShingleSize { size } => Failure::of_value(
            "--k",
            size,
            "the elements of a set have no order, so a shingle is one element; remove the flag",
        ),
        Error::Anchor { anchor, min_run } => {
            let what = format!(
                "shorter than --min-run, which is {min_run}; give --anchor {min_run} or more, or a smaller --min-run"
            );
            Failure::of_value("--anchor", anchor, what).and("--min-run")
        }
        Error::RepeatsUnordered => Failure::of_flag(
            "--shingle",
            "the tokens of sets and of stop words have no order, so no runs of them are cut; choose word, char or code",
        ),
        Error::PassagesOfSets => {
            let what = "the elements of a set have no order; remove the flag, or choose another --shingle";
            Failure::of_flag("--show-passages", what).and("--shingle")
        }
        Error::MatchStopWords => Failure::of_value(
            "--shingle",
            "stopword",
            "passages consist of all words, not only of those after stop words; use --shingle word",
        ),
        Error::MatchMaxDf => {
            let what = "does not apply to pairs that match by passages; give --max-key-df, or remove the flag";
            Failure::of_flag("--max-df", what).and("--max-key-df")
        }
        Error::Blocks(_) => Failure::of_flag("--copied-blocks", error),
        Error::MaxKeyDf(_) => Failure::of_flag("--max-key-df", error),
        Error::LinePattern { .. } => Failure::new(format!("--skip-lines {error}")).and("--skip-lines"),
        Error::EmptyMarker => {
            let what = "a marker is empty; give the strings before and after the text to ignore";
            Failure::of_flag("--ignore-between", what)
        }
        Error::Language { language, known } => {
            let what = format!(
                "no list of stop words for this language; choose auto or one of {known}, or give a list with --stopwords"
            );
            Failure::of_value("--language", format!("{language:?}"), what).and("--stopwords")
        }
        Error::ThreadPool(error) => {
            Failure::new(format!("cannot start the worker threads: {error}; try a smaller --threads")).and("--threads")
        }
        Error::Corpus(CorpusError::NoValues(_)) => Failure::of_flag("--keep", error),
        Error::Weights(error @ WeightsError::Default { .. }) => Failure::of_flag("--default-weight", error),
        Error::Weights(WeightsError::Unused(why)) => Failure::of_flag("--weights", why).and("--jaccard-kept"),
        Error::Weights(error @ WeightsError::Kind) => Failure::of_flag("--weights", error),
        Error::Template(problem) => Failure::of_flag("--template", problem),
        Error::NotCode(setting) => {
            let what = "only applies to programs; add --shingle code, or remove the flag";
            Failure::new(format!("{setting}: {what}")).and(name_of_flag(*setting)).and("--shingle")
        }
        Error::Index(IndexError::NotOfAnIndex { setting: setting @ Setting::Filters, why }) => {
            Failure::of_flag(setting.name(), format!("{why} (--texts keep does without); remove it"))
        }
        _ => return None,
    })
}

/// The failure of an error that is about a flag, and whose message does not begin with it.
fn of_run(error: &Error) -> Option<Failure> {
    Some(match error {
        Error::SavedByPassages { path } => {
            let what = not_of_matching("--threshold");
            Failure::new(format!("{}: --threshold: {what}", shown(&path.to_string_lossy()))).and("--threshold")
        }
        Error::Strict(problem) => {
            let failure = Failure::new(format!("{}; --strict stops the run", problem_line(problem))).and("--strict");
            let is_too_large = problem.reason == Reason::TooLarge;
            if is_too_large { failure.and(Setting::MaxDocumentBytes.name()) } else { failure }
        }
        Error::InputOverwritten { path, written, what } => {
            let flag = match *written {
                "the summary" => "--summary",
                "the list of removed documents" => "--removed",
                "a report" => "--format",
                _ => "--output",
            };
            Failure::file_taken(flag, path, what)
        }
        _ => return None,
    })
}

/// The message of an error about inputs, with the flags that help.
fn of_inputs(error: &Error) -> Option<String> {
    Some(match error {
        Error::Corpus(CorpusError::NotRewritten { place, why, num_more, has_texts }) => {
            let more = if *num_more > 0 { format!(" (and {num_more} more)") } else { String::new() };
            let remedy = match why {
                TextObstacle::PageOfRecord => "give --html raw, which cuts the fields with their markup",
                _ if *has_texts => "exclude it, or write texts with --to text",
                _ => "exclude it, or remove such documents with --action drop",
            };
            format!("{}{more}: its text cannot be cut in place: {why}; {remedy}", shown(place))
        }
        Error::OneDocument { name } => format!(
            "{}: both names refer to this document; give two documents, or --preset clones to show the blocks that it repeats",
            shown(name)
        ),
        Error::StdinTwice => {
            "-: standard input can only be read once; give it once, as an input or as the list of --files-from"
                .to_owned()
        }
        Error::NulInList { path } => {
            let path = shown(&path.to_string_lossy());
            format!("{path}: contains NUL bytes; add --null if they separate the paths")
        }
        Error::NoRoomForFile { place } => format!(
            "{}: out of memory: cannot read it; exclude it (--exclude, --max-document-bytes), or give the program more memory",
            shown(place)
        ),
        Error::NotThere(name) => format!(
            "{}: no file has this name; for a record, save the pairs with --save, or scan with --with-source",
            shown(name)
        ),
        Error::NoSuchDocument { name, longer: Some(longer) } => format!(
            "{}: no such document in the inputs; give the name as the pairs have it, such as {}",
            shown(name),
            shown(longer)
        ),
        Error::NoSuchDocument { name, longer: None } => format!(
            "{}: no such document in the inputs; give its file with --in, and see dedup scan --list-documents for the names",
            shown(name)
        ),
        Error::SeveralDocuments { name, documents, first } => format!(
            "{}: contains {documents} documents; give it with --in, and choose one of them, such as {}",
            shown(name),
            shown(first)
        ),
        _ => return None,
    })
}

/// The message of an error about outputs, saved results, indexes and rows, with the flags and commands that help.
fn of_results(error: &Error) -> Option<String> {
    Some(match error {
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
        Error::NoSavedResult { .. } => format!("{error}; save one by dedup scan PATH --save DIR"),
        Error::NotAPair { path, line, fault } => format!(
            "{}: line {line} is not a pair of dedup scan ({fault}); give a file or folder that dedup scan has written",
            shown(&path.to_string_lossy())
        ),
        Error::PairsOfDatabase(_) => format!("{error}; dedup query INDEX PATH searches an index"),
        Error::NoBaseline { .. } => format!("{error}; write one with dedup baseline RESULT --output FILE"),
        Error::Index(error) => return of_index(error),
        Error::Exchange(error) => return of_rows(error),
        Error::Output(error) => {
            format!("standard output: cannot write: {error}; the output is incomplete, run again")
        }
        _ => return None,
    })
}

/// The message of an error about an index, with the commands that help.
fn of_index(error: &IndexError) -> Option<String> {
    Some(match error {
        IndexError::NotAnIndex { .. } => format!("{error}; give a file that `dedup index build` made"),
        IndexError::Damaged { .. } => {
            format!("{error}; `dedup index check` finds all damage, `dedup index rebuild` saves what can be read")
        }
        IndexError::NoSamples { path } => {
            let path = shown(&path.to_string_lossy());
            format!(
                "{path}: the index was not built to find contained documents; make one that is: dedup index rebuild OUT {path} --for-containment"
            )
        }
        IndexError::Stale { .. } => format!("{error}; {}", stale_remedy()),
        _ => return None,
    })
}

/// The message of an error about rows, with the command that prints their parameters.
fn of_rows(error: &ExchangeError) -> Option<String> {
    let remedy = "run every filter with the flags and the version of dedup that printed them";
    Some(match error {
        ExchangeError::Params(difference) => format!("the parameters differ: {difference}; {remedy}"),
        ExchangeError::NotParams => format!("the parameters differ: not the output of `dedup params`; {remedy}"),
        _ => return None,
    })
}

/// The message about a setting that a flag has set.
fn of_flag(message: &str) -> String {
    message.replace("remove the setting", "remove the flag")
}
