//! `Problem`: an input that was not used, or not as given, as one line that says what to do; `Reason` is its kind.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::shown::shown;

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
    /// The text of a document is no longer where an index refers to.
    Stale,
    /// A compressed file or an archive that ends early or is broken.
    Damaged,
    /// A document of more bytes than `--max-document-bytes`, or of more tokens than passages are found in.
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
    /// A program with a string or a comment that has no end; it is compared.
    Unclosed,
    /// A row whose quoted field may have swallowed other rows; it is compared.
    SwallowedRows,
}

impl Reason {
    /// Whether the input is not used at all.
    pub fn is_skip(self) -> bool {
        !matches!(
            self,
            Self::RepeatedId
                | Self::Replaced
                | Self::Sparse
                | Self::MissingField
                | Self::NoOutput
                | Self::OneText
                | Self::SwallowedRows
                | Self::Unclosed
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
                ("duplicate id (compared under another name)", "duplicate ids (compared under another name)")
            }
            Self::FewTokens => same("with fewer tokens than --min-tokens"),
            Self::Sparse => same("with very few tokens (compared)"),
            Self::Changed => same("changed during the scan"),
            Self::Stale => same("changed since they were indexed"),
            Self::Damaged => same("damaged"),
            Self::TooLarge => same("too large"),
            Self::Filter => same("failed in a filter"),
            Self::MissingField => same("without a requested field"),
            Self::NoOutput => same("without output from a filter (empty)"),
            Self::Replaced => same("with invalid bytes replaced (compared)"),
            Self::NoText => ("record without a text", "records without a text"),
            Self::OwnFile => same("written by dedup, or its lists"),
            Self::SwallowedRows => (
                "table with rows that a quotation mark may have joined (compared)",
                "tables with rows that a quotation mark may have joined (compared)",
            ),
            Self::Unclosed => same("with a string or comment that has no end (compared)"),
            Self::OneText => ("array of objects compared as one text", "arrays of objects compared as one text"),
        }
    }
}

/// A kind of binary file, as its first bytes show it.
#[derive(Debug, PartialEq, Eq)]
pub struct BinaryKind {
    /// In the singular, such as `PNG image`.
    pub one: &'static str,
    /// In the plural.
    pub many: &'static str,
    /// The ending of its files' names that `--filter` gets; empty where no command makes text of it.
    pub ending: &'static str,
    /// A command that makes text of it for `--filter`.
    pub command: &'static str,
    /// What else to do; empty where there is nothing.
    pub advice: &'static str,
    /// Whether it is a picture, of which a command reads the letters.
    pub is_picture: bool,
}

impl BinaryKind {
    /// What reads it, as part of a sentence; `None` where nothing does.
    ///
    /// * `ending`: the ending of the file's name, where it is not the usual one.
    /// * `object`: what is read, such as `it` or `them`.
    pub fn remedy(&self, ending: Option<&str>, object: &str) -> Option<String> {
        match (self.command, self.advice) {
            ("", "") => None,
            ("", advice) => Some(advice.to_owned()),
            (command, _) => {
                let ending = ending.unwrap_or(self.ending);
                let part = if self.is_picture { "the text in " } else { "" };
                Some(format!("--filter {ending}='{command}' reads {part}{object}"))
            }
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
    /// What a binary file is; `None` for all other inputs, and where that is not known.
    pub binary: Option<&'static BinaryKind>,
}

impl Problem {
    pub(crate) fn error(place: impl Into<String>, reason: Reason, detail: impl Into<String>) -> Self {
        Self { place: place.into(), reason, detail: detail.into(), is_error: true, binary: None }
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

/// How many problems there were, by kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ProblemCounts {
    /// Inputs not used, or not as given, except long texts with few tokens and programs with a string that has no end.
    pub(crate) by_reason: BTreeMap<Reason, u64>,
    /// How many of them make the run incomplete.
    pub(crate) errors: u64,
    /// Documents with very few tokens in a long text.
    pub(crate) sparse: u64,
}

impl ProblemCounts {
    /// Counts a problem.
    pub(crate) fn count(&mut self, problem: &Problem) {
        match problem.reason {
            Reason::Sparse => return self.sparse += 1,
            // The summary of programs counts them.
            Reason::Unclosed => return,
            _ => {}
        }
        *self.by_reason.entry(problem.reason).or_default() += 1;
        self.errors += u64::from(problem.is_error);
    }
}
