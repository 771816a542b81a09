//! `Failure`: the errors that end the program early, each as one line.
//!
//! The library's errors carry values and know no flags. This module adds the flags that the values came from.

use std::io;
use std::path::{Path, PathBuf};

use dedup_scan::Error;
use dedup_scan::base::{CorpusError, WeightsError, shown};
use dedup_scan::results::ChangesError;
use dedup_scan::results::report::FORMATS;
use thiserror::Error;

use super::similar::one_of;

/// A result whose failure ends the program.
pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

/// An error that ends the program.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    /// The library failed.
    #[error("{}", with_flags(.0))]
    Library(#[from] Error),
    /// A flag about stop words, with shingles that do not begin with stop words.
    #[error("{flag}: only applies to stop words; add --shingle stopword, or remove the flag{}", if *flag == "--language" { "; --syntax sets the language of programs" } else { "" })]
    StopWordsUnused { flag: &'static str },
    /// A flag of matching by passages in a run that matches by similarity.
    #[error("{flag}: only applies to pairs that match by passages; add --match passages, or remove the flag")]
    WithoutMatching { flag: &'static str },
    /// Matching by passages for sets, whose elements have no order.
    #[error("--match passages: the elements of a set have no order; choose another --shingle")]
    MatchOfSets,
    /// A flag of similarity in a run that matches by passages.
    #[error("{}", not_of_matching(flag))]
    NotOfMatching { flag: &'static str },
    /// A flag of passages in a run without passages.
    #[error("{flag}: only applies to passages; add --show-passages or --match passages, or remove the flag")]
    WithoutPassages { flag: &'static str },
    /// Sorting by passages in a run without passages.
    #[error(
        "--sort: the pairs have no passages to sort them by; add --match passages or --show-passages, or choose another order"
    )]
    SortWithoutPassages,
    /// Sorting by the similarity with identifiers kept, for pairs without this number.
    #[error(
        "--sort kept: the pairs have no jaccard_kept to sort them by; scan with --preset code or --jaccard-kept 8, or choose another order"
    )]
    SortWithoutKept,
    /// A default weight without a table of weights.
    #[error("--default-weight: only applies to a file of weights; give one with --weights FILE, or remove the flag")]
    DefaultWeightUnused,
    /// `--sync` without `--stdin`.
    #[error(
        "--sync: only applies to --stdin; add --stdin, or remove the flag (other commands write to the disk before they end)"
    )]
    SyncWithoutLines,
    /// A list of stop words could not be read.
    #[error("{}: cannot read the stop words of --stopwords: {source}", shown(&path.to_string_lossy()))]
    StopWordFile { path: PathBuf, source: io::Error },
    /// `--null` without a list of paths.
    #[error("--null: only applies to lists of paths; add --files-from FILE, or remove the flag")]
    NullUnused,
    /// Standard output is closed, or open for reading only.
    #[error("standard output: not open for writing; redirect it to a file, a program or /dev/null")]
    OutputClosed,
    /// An argument refers to standard input, which is closed or open for writing only.
    #[error("-: standard input is not open for reading; redirect a file or a pipe to it, or remove `-`")]
    InputClosed,
    /// Standard input could not be read.
    #[error("standard input: cannot read it: {0}; the results before this are valid")]
    Input(io::Error),
    /// Standard input is given more than once, by the flags `uses`, or `PATH` for an argument.
    #[error("-: standard input can only be read once, but is used by {}; use it once", uses.join(" and by "))]
    StdinTwice { uses: Vec<&'static str> },
    /// The file of a flag could not be written.
    #[error("{}: cannot write {what}: {source}; check {flag}", shown(&path.to_string_lossy()))]
    File { flag: &'static str, what: &'static str, path: PathBuf, source: io::Error },
    /// The file of a flag would replace another output or a file that the run reads.
    #[error("{}: {flag} would overwrite {what}; choose another file", shown(&path.to_string_lossy()))]
    FileTaken { flag: &'static str, path: PathBuf, what: String },
    /// The file for the list of removed documents exists, and is not such a list.
    #[error("{}: already exists; choose another file for --removed, or give --force to replace an older list", shown(&path.to_string_lossy()))]
    RemovedTaken { path: PathBuf },
    /// A list of removed documents for a dry run, which writes no file.
    #[error("--removed: --dry-run writes no file; give --removed - to print the list")]
    RemovedDryRun,
    /// `--into` with an action that moves no files.
    #[error("--into: only applies to --action move; add it, or remove the flag")]
    IntoUnused,
    /// A review of a result on standard input, which the answers come from.
    #[error("-: standard input is needed for the answers; save the pairs in a file and review that, or add --report")]
    ReviewDash,
    /// A review of pairs that match by passages instead of a similarity threshold.
    #[error("{}: its pairs match by passages, but a review looks for a threshold of similarity; review a scan without --match passages", shown(&path.to_string_lossy()))]
    ReviewOfPassages { path: PathBuf },
    /// The answers to a review would overwrite the result.
    #[error("{}: belongs to the result, which is never changed; choose another file for --answers", shown(&path.to_string_lossy()))]
    AnswersInResult { path: PathBuf },
    /// A result on standard input has no name from which to derive the file of answers.
    #[error("--answers: required for pairs from standard input; give the file of the answers")]
    AnswersUnnamed,
    /// A document inside a file, where `dedup explain` expects files.
    #[error("{}: without --in A and B are files; add {flag}", shown(name))]
    ExplainWithoutCorpus { name: String, flag: String },
    /// A file for `dedup explain` does not exist.
    #[error("{}: no such file or folder; check the path, or give the file that contains it with --in", shown(name))]
    ExplainMissing { name: String },
    /// A flag needs a feature that this program was built without.
    #[cfg(not(feature = "arrow"))]
    #[error(
        "{flag}: this program was built without the feature `{feature}`; install a package of dedup, or build it with --features full"
    )]
    NotBuiltIn { flag: &'static str, feature: &'static str },
    /// Two formats for standard output.
    #[error(
        "--format: {one} and {other} would both go to standard output; give a file to one of them, as in --format {other}=FILE"
    )]
    FormatsOnStdout { one: &'static str, other: &'static str },
    /// A limit on pages without a report that is a page.
    #[error("{flag}: only applies to HTML reports; add --format html, or remove the flag")]
    WithoutPage { flag: &'static str },
    /// A filter command for a report that shows no texts.
    #[error("--filter: only applies to HTML reports; add --format html, or remove the flag")]
    FilterWithoutPage,
    /// A format for programs on a terminal.
    #[error(
        "--format {format}: made for programs, not for a terminal; write it to a file, as in --format \
         {format}=report.{format}"
    )]
    FormatOnTerminal { format: &'static str },
    /// A format that cannot show groups.
    #[error("--format {format}: shows pairs, not groups; use it with dedup scan, or choose {}", formats_of_groups())]
    FormatOfPairs { format: &'static str },
    /// A limit on the share of documents, for a result that does not list its documents.
    #[error(
        "--fail-over: a file of pairs does not say how many documents were compared; give a number of pairs, or a folder of --save"
    )]
    ShareOfPairs,
    /// The files that changed in git cannot be listed.
    #[error("--changed-since: {0}")]
    Changes(ChangesError),
    /// An error in a settings file.
    #[error("{place}: {fault}")]
    Config { place: String, fault: String },
    /// A command line that is invalid, or belongs to another command.
    #[error("{message}")]
    Usage { message: String },
    /// A kind of signature for a search that does not use it.
    #[error("--signature: {why}; remove the flag")]
    UnusedSignature { why: &'static str },
    /// A preset that has no curve.
    #[error(
        "--preset {preset}: finds documents by their passages, which bands and rows do not affect; choose another preset"
    )]
    PresetOfCurve { preset: String },
    /// A preset that an index does not support.
    #[error("--preset {preset}: finds documents by {by}, but an index finds them by signatures; choose another preset")]
    PresetOfIndex { preset: String, by: &'static str },
    /// A preset for a query, with which an index cannot find documents.
    #[error(
        "--preset {preset}: finds documents by {by}, but an index finds them by signatures; give --containment 0.8 instead to find texts that contain others, or compare with the files: dedup compare PATH --against CORPUS --preset {preset}"
    )]
    PresetOfQuery { preset: String, by: &'static str },
    /// An index as the corpus of `dedup explain`.
    #[error(
        "--in {}: is an index, but explain reads documents from their files; give the files or folders that the index was built from, or use dedup query --show-passages", shown(&path.to_string_lossy())
    )]
    ExplainInIndex { path: PathBuf },
    /// Weights from document frequencies without a corpus.
    #[error("--weights idf: two documents do not show how rare a shingle is; give their corpus with --in PATH")]
    IdfOfTwo,
    /// No command has this name.
    #[error("{}: no such command; {instead}", shown(name))]
    NoCommand { name: String, instead: String },
    /// No record has this name.
    #[error("{}: no such record; {instead}", shown(name))]
    NoRecord { name: String, instead: String },
    /// The manual cannot be written.
    #[error("{}: cannot write the manual: {source}; check the folder", shown(&path.to_string_lossy()))]
    Manual { path: PathBuf, source: io::Error },
    /// A flag about files, for a filter.
    #[error("{flag}: does not apply to rows, which are read from standard input; remove it")]
    NotOfPipe { flag: String },
    /// Copies in rows that are not groups.
    #[error("--copies: only applies to --by group; use that, or remove the flag")]
    CopiesOfGroups,
    /// Blocks of keys as JSON Lines.
    #[error("{flag}: a block consists of bytes, which JSON Lines cannot hold; use --pipe tsv or --pipe arrow")]
    BytesInJson { flag: &'static str },
}

impl Failure {
    /// The failure of writing the file of a flag.
    pub(crate) fn file(flag: &'static str, what: &'static str, path: &Path, source: io::Error) -> Self {
        Self::File { flag, what, path: path.to_owned(), source }
    }

    /// The failure of writing standard output.
    pub(crate) fn output(error: io::Error) -> Self {
        Error::Output(error).into()
    }

    /// Whether the reader of the output has closed it, as in `dedup scan … | head`.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        let (Self::Library(Error::Output(error)) | Self::File { source: error, .. }) = self else { return false };
        error.kind() == io::ErrorKind::BrokenPipe
    }

    /// Whether a signal cancelled the run.
    pub(crate) fn is_cancelled(&self) -> bool {
        matches!(self, Self::Library(Error::Cancelled))
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
        Error::MaxKeyDf(_) => format!("--max-key-df: {error}"),
        Error::AllPairs(flag, why) => format!("{flag}: {why}"),
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
            Failure::FileTaken { flag, path: path.clone(), what: what.clone() }.to_string()
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
        Error::SavedWithoutPassages { .. } => format!("{error}; scan with --match passages"),
        Error::Corpus(CorpusError::NoValues(_)) => format!("--keep: {error}"),
        Error::Weights(error @ WeightsError::Default { .. }) => format!("--default-weight: {error}"),
        Error::Weights(WeightsError::Unused(why)) => format!("--weights: {why}"),
        Error::Weights(error @ WeightsError::Kind) => format!("--weights: {error}"),
        Error::Template(problem) => format!("--template: {problem}"),
        Error::Output(error) => {
            format!("standard output: cannot write: {error}; the output is incomplete, run again")
        }
        error => error.to_string(),
    }
}

/// A list of the formats that show groups.
fn formats_of_groups() -> String {
    let mut names: Vec<&str> = FORMATS.iter().filter(|format| format.shows_groups).map(|format| format.name).collect();
    names.sort_unstable();
    one_of(&names)
}
