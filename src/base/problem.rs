//! `Problem`: an input that was skipped or changed, as one line that says what to do; `Reason` is its kind.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::base::setting::Setting;
use crate::base::shown::{shown, system_words};

/// The reason why an input was skipped, or was not used as it was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Reason {
    /// The file, folder or link target does not exist, or was deleted during the run.
    Missing,
    /// The file or folder cannot be read.
    Unreadable,
    /// A symbolic link that leads back to a folder above it.
    Loop,
    /// The text is not valid UTF-8.
    NotUtf8,
    /// A binary file: it has a NUL byte near the start.
    Binary,
    /// A FIFO, socket or device.
    Special,
    /// A symbolic link that was not followed.
    Symlink,
    /// A record that could not be read.
    Malformed,
    /// A record whose id was used before; it is compared, under the name of its place.
    RepeatedId,
    /// The document has fewer tokens than the minimum.
    FewTokens,
    /// A long text with very few tokens; it is compared.
    Sparse,
    /// The document has changed since it was first read.
    Changed,
    /// The text of a document has changed or is missing at the place that an index refers to.
    Stale,
    /// A compressed file or an archive that ends early or is broken.
    Damaged,
    /// A document with more bytes than the maximum, or with too many tokens for a search for passages.
    TooLarge,
    /// A filter that failed or took too long.
    Filter,
    /// A requested field that no record of a file has, or whose values cannot be used.
    MissingField,
    /// A filter that printed nothing, for example for a scanned page; the document is empty.
    NoOutput,
    /// A document with pages or chapters whose text could not be read, such as a scan; the rest is compared.
    MissingText,
    /// Bytes that are invalid in the encoding; they are compared as U+FFFD.
    Replaced,
    /// A text that is not UTF-8, declares no encoding, and is compared in the encoding that its bytes show.
    Detected,
    /// A record in which every text field is missing or null.
    NoText,
    /// A file that the run itself writes, or reads as a list.
    OwnFile,
    /// JSON with values that may be meant as records; it is compared as one text.
    OneText,
    /// A document with markup that a filter can remove, such as RTF; it is compared with its markup.
    Markup,
    /// A program with a string or a comment that has no end; it is compared.
    Unclosed,
    /// A row whose quoted field may have swallowed other rows; it is compared.
    SwallowedRows,
    /// A page of a web crawl that ends early, or a part of a mail message that cannot be decoded completely; it is compared.
    CutShort,
    /// A unit of documents by which every document has a single file.
    NothingJoined,
}

impl Reason {
    /// Whether the input is skipped altogether.
    pub fn is_skip(self) -> bool {
        !matches!(
            self,
            Self::RepeatedId
                | Self::MissingText
                | Self::Replaced
                | Self::Detected
                | Self::Sparse
                | Self::MissingField
                | Self::NoOutput
                | Self::OneText
                | Self::Markup
                | Self::SwallowedRows
                | Self::CutShort
                | Self::NothingJoined
                | Self::Unclosed
        )
    }

    /// The words that follow the number of problems of this kind in a summary for people.
    pub fn of_number(self, number: u64) -> Cow<'static, str> {
        if self == Self::FewTokens {
            return format!("with fewer tokens than {}", Setting::MinTokens).into();
        }
        let (one, many) = self.words();
        if number == 1 { one.into() } else { many.into() }
    }

    /// The words for one problem and for several.
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
            Self::FewTokens => same("with too few tokens"),
            Self::Sparse => same("with very few tokens (compared)"),
            Self::Changed => same("changed during the scan"),
            Self::Stale => same("changed since they were indexed"),
            Self::Damaged => same("damaged"),
            Self::TooLarge => same("too large"),
            Self::Filter => same("failed in a filter"),
            Self::MissingField => same("without a requested field"),
            Self::NoOutput => same("without output from a filter (empty)"),
            Self::Replaced => same("with invalid bytes replaced (compared)"),
            Self::MissingText => same("with pages or chapters without text (compared)"),
            Self::Detected => same("in a detected encoding (compared)"),
            Self::NoText => ("record without a text", "records without a text"),
            Self::OwnFile => ("file of dedup itself", "files of dedup itself"),
            Self::SwallowedRows => (
                "table with rows that a quotation mark may have joined (compared)",
                "tables with rows that a quotation mark may have joined (compared)",
            ),
            Self::CutShort => same("cut short (compared)"),
            Self::NothingJoined => ("key that joins no files", "keys that join no files"),
            Self::Unclosed => same("with a string or comment that has no end (compared)"),
            Self::OneText => ("JSON file compared as one text", "JSON files compared as one text"),
            Self::Markup => same("with markup that a filter removes (compared)"),
        }
    }
}

/// A kind of binary file, recognised by its first bytes.
#[derive(Debug, PartialEq, Eq)]
pub struct BinaryKind {
    /// The name of the kind in the singular, such as `PNG image`.
    pub one: &'static str,
    /// The name of the kind in the plural.
    pub many: &'static str,
    /// The extension of a filter; empty when no command extracts a text.
    pub ending: &'static str,
    /// The command of a filter that extracts a text; empty when there is none.
    pub command: &'static str,
    /// The value of [`Setting::Format`] that reads the file; empty when there is none.
    pub format: &'static str,
    /// Other advice; empty when there is none.
    pub advice: &'static str,
    /// Whether the file is a picture, so that a command extracts the text in it.
    pub is_picture: bool,
}

impl BinaryKind {
    /// An index of dedup, which is searched and not read as a document.
    pub const INDEX: Self = Self {
        one: "index of dedup",
        many: "indexes of dedup",
        ending: "",
        command: "",
        format: "",
        advice: "",
        is_picture: false,
    };

    /// The ending of a name, in small letters, where it is one that files of this kind have, so that a filter may be given for it.
    pub fn ending_of(&self, name: &str) -> Option<String> {
        /// Other endings, after the usual one.
        const OTHERS: [(&str, &[&str]); 10] = [
            ("jpg", &["jpeg", "jpe", "jfif"]),
            ("tif", &["tiff"]),
            ("docx", &["docm", "dotx"]),
            ("xlsx", &["xlsm", "xltx"]),
            ("pptx", &["pptm", "ppsx"]),
            ("doc", &["dot"]),
            ("odt", &["ott"]),
            ("odg", &["otg"]),
            ("fodt", &["fodp", "fodg"]),
            ("lz", &["tlz"]),
        ];
        let is_packed = |end: &&str| name.ends_with(end);
        let packed = [".gz", ".zst", ".bz2", ".xz", ".lzma"].into_iter().find(is_packed).unwrap_or_default();
        let (_, ending) = name[..name.len() - packed.len()].rsplit_once('.')?;
        let (ending, usual) = (ending.to_ascii_lowercase(), self.ending.to_ascii_lowercase());
        let others = OTHERS.iter().find(|(of, _)| *of == usual).map_or(&[][..], |(_, others)| others);
        (ending == usual || others.contains(&ending.as_str())).then_some(ending)
    }

    /// How to extract a text, as part of a sentence; `None` when there is neither a command nor advice.
    ///
    /// * `ending`: the extension of the file, when it is not the usual one.
    /// * `object`: the object of the sentence, such as `it` or `them`.
    pub fn remedy(&self, ending: Option<&str>, object: &str) -> Option<String> {
        match (self.command, self.advice) {
            ("", "") if !self.format.is_empty() => Some(format!("{} {} reads {object}", Setting::Format, self.format)),
            ("", "") => None,
            ("", advice) if object == "it" => Some(advice.to_owned()),
            ("", advice) => {
                let first = format!(" {object} first");
                Some(advice.replace(" it first", &first).replace(" its ", " their "))
            }
            (command, _) => {
                // The only format that dedup reads itself if it was built so.
                let built = if self.ending == "pdf" && !cfg!(feature = "pdf") {
                    "this program was built without the feature `pdf`, which the packages have; "
                } else {
                    ""
                };
                let ending = ending.unwrap_or(self.ending);
                let part = if self.is_picture { "the text in " } else { "" };
                let filter = Setting::Filters;
                Some(format!("{built}{filter} {ending}='{command}' reads {part}{object}"))
            }
        }
    }
}

/// An input that was skipped, or was not used as it was given. Its `Display` is one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The path, `file:line` or id of the input.
    pub place: String,
    /// The kind of problem.
    pub reason: Reason,
    /// The details of the problem, and what to do.
    pub detail: String,
    /// Whether the problem makes the run incomplete (exit code 3). Inputs that a walk skips by definition are not
    /// errors.
    pub is_error: bool,
    /// The kind of binary file; `None` for other inputs, and when the kind is unknown.
    pub binary: Option<&'static BinaryKind>,
    /// The encoding that was detected; `None` for other inputs.
    pub detected: Option<&'static str>,
    /// The setting to check; `None` if the problem is not about one setting.
    pub setting: Option<Setting>,
    /// How many inputs have the problem: 1, or the number of parts of a file that one line reports.
    pub number: u64,
}

impl Problem {
    pub(crate) fn error(place: impl Into<String>, reason: Reason, detail: impl Into<String>) -> Self {
        let detail = system_words(&detail.into()).into_owned();
        let place = place.into();
        Self { place, reason, detail, is_error: true, binary: None, detected: None, setting: None, number: 1 }
    }

    /// The problem as the error that ends a run: without "skipped", because the run does not go on.
    pub(crate) fn ending_the_run(mut self) -> Self {
        self.detail = self.detail.replacen("; skipped", "", 1);
        self
    }

    /// Whether the input is skipped altogether.
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

/// The number of problems of each kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ProblemCounts {
    /// The number of inputs per kind of problem, except [`Reason::Sparse`] and [`Reason::Unclosed`].
    pub(crate) by_reason: BTreeMap<Reason, u64>,
    /// The number of problems that make the run incomplete.
    pub(crate) errors: u64,
    /// The number of long texts with very few tokens.
    pub(crate) sparse: u64,
}

impl ProblemCounts {
    /// Counts a problem.
    pub(crate) fn count(&mut self, problem: &Problem) {
        match problem.reason {
            Reason::Sparse => return self.sparse += 1,
            // The summary of programs counts unclosed strings and comments.
            Reason::Unclosed => return,
            _ => {}
        }
        *self.by_reason.entry(problem.reason).or_default() += problem.number;
        self.errors += u64::from(problem.is_error);
    }
}
