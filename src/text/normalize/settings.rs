//! `Normalization`: the settings of normalisation, which select what is folded in a text and what is ignored.
//!
//! A new setting is a field with its name in [`Normalization::folding`], a step in `normalize/mod.rs`, and a flag in
//! `cli/flags/shingles.rs`. `index/database/result_settings.rs` has its name in an index.

use std::str::FromStr;

use regex::bytes::Regex;
use serde::{Deserialize, Serialize};

use crate::base::error::{Error, Result};
use crate::base::shown::regex_fault;
use crate::text::code::Syntax;

/// The changes to a text before it is compared. By default only white space is folded.
///
/// An index and the parameters of `dedup sign --pipe` store the fields in this order.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Normalization {
    /// Undo disguises that hide a copy; see [`Disguises`](crate::text::Disguises).
    pub disguises: bool,
    /// Normalise characters to this form: canonical or compatibility composition.
    pub form: Option<UnicodeForm>,
    /// Convert letters to lower case with Unicode's full, language-independent mapping; ς becomes σ.
    pub lowercase: bool,
    /// Remove accents: combining diacritical marks in the canonical decomposition of the text.
    pub strip_accents: bool,
    /// Replace every decimal digit (`General_Category` Nd) by U+0030.
    pub fold_digits: bool,
    /// Remove punctuation (`General_Category` P).
    pub strip_punctuation: bool,
    /// Keep white space unchanged.
    pub keep_whitespace: bool,
    /// Remove lines that match any of these patterns.
    pub skip_lines: Vec<LinePattern>,
    /// Remove passages between these markers.
    pub ignore_between: Vec<Markers>,
    /// Remove the quotations in each paragraph.
    pub ignore_quotes: bool,
    /// Remove the text from the last heading of a list of references on.
    pub ignore_bibliography: bool,
    /// Language of all program texts; by default the name or the first line of each text determines its language.
    pub syntax: Option<Syntax>,
    /// Keep the names, numbers and strings of programs; by default each becomes the mark of its class.
    pub keep_names: bool,
}

impl Normalization {
    /// Whether normalised program texts still have all lines of their documents.
    pub(super) fn keeps_lines(&self) -> bool {
        let Self { disguises, ignore_quotes, ignore_bibliography, skip_lines, ignore_between, .. } = self;
        !(*disguises || *ignore_quotes || *ignore_bibliography) && skip_lines.is_empty() && ignore_between.is_empty()
    }

    /// The names of the enabled options, in the order in which they apply.
    pub fn folding(&self) -> Vec<&'static str> {
        let form = self.form.map(|form| match form {
            UnicodeForm::Nfc => "nfc",
            UnicodeForm::Nfkc => "nfkc",
        });
        let left_out = [(self.ignore_quotes, "ignore-quotes"), (self.ignore_bibliography, "ignore-bibliography")];
        let others = [
            (self.lowercase, "lowercase"),
            (self.strip_accents, "strip-accents"),
            (self.fold_digits, "fold-digits"),
            (self.strip_punctuation, "strip-punctuation"),
            (self.keep_whitespace, "keep-whitespace"),
            (self.keep_names, "keep-names"),
        ];
        let asked = |(is_asked, name): (bool, &'static str)| is_asked.then_some(name);
        let disguises = self.disguises.then_some("plagiarism");
        left_out
            .into_iter()
            .filter_map(asked)
            .chain(disguises)
            .chain(form)
            .chain(others.into_iter().filter_map(asked))
            .collect()
    }
}

/// A normalisation form of UAX #15.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UnicodeForm {
    /// Canonical composition: é is one character in every spelling.
    Nfc,
    /// Compatibility composition: ligatures, full-width letters and the like also become plain characters.
    Nfkc,
}

/// The unit that each line of a normalised text contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Units {
    /// The text has no lines: a line end is white space.
    Text,
    /// One line per line of the text that contains more than white space.
    Lines,
    /// One line per sentence by UAX #29; a blank line also ends a sentence.
    Sentences,
    /// One line per paragraph; a blank line ends a paragraph.
    Paragraphs,
    /// One line per token of a program.
    Tokens,
}

/// A regular expression that is searched for in each line of a text.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct LinePattern(pub(super) Regex);

impl LinePattern {
    /// The regular expression as given.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl FromStr for LinePattern {
    type Err = Error;

    fn from_str(pattern: &str) -> Result<Self> {
        let fault = |error| Error::LinePattern { pattern: pattern.to_owned(), fault: regex_fault(&error) };
        Regex::new(pattern).map(Self).map_err(fault)
    }
}

impl PartialEq for LinePattern {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl TryFrom<String> for LinePattern {
    type Error = Error;

    fn try_from(pattern: String) -> Result<Self> {
        pattern.parse()
    }
}

impl From<LinePattern> for String {
    fn from(pattern: LinePattern) -> Self {
        pattern.as_str().to_owned()
    }
}

/// Two strings that enclose a passage to ignore.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "[String; 2]", into = "[String; 2]")]
pub struct Markers {
    pub(super) start: String,
    pub(super) end: String,
}

impl Markers {
    /// Creates the markers before and after a passage; both are part of the passage.
    ///
    /// # Errors
    /// When a marker is empty.
    pub fn new(start: impl Into<String>, end: impl Into<String>) -> Result<Self> {
        let (start, end) = (start.into(), end.into());
        if start.is_empty() || end.is_empty() { Err(Error::EmptyMarker) } else { Ok(Self { start, end }) }
    }

    /// The start and the end marker.
    pub fn to_strings(&self) -> [String; 2] {
        [self.start.clone(), self.end.clone()]
    }
}

impl TryFrom<[String; 2]> for Markers {
    type Error = Error;

    fn try_from([start, end]: [String; 2]) -> Result<Self> {
        Self::new(start, end)
    }
}

impl From<Markers> for [String; 2] {
    fn from(Markers { start, end }: Markers) -> Self {
        [start, end]
    }
}

/// Converts a text that is known to be UTF-8.
pub(super) fn as_str(text: &[u8]) -> &str {
    std::str::from_utf8(text).expect("texts are UTF-8")
}
