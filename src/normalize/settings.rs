//! `Normalization`: the settings of normalisation, which say what is folded in a text and what is left out.

use std::str::FromStr;

use regex::bytes::Regex;

use crate::code::Syntax;
use crate::error::{Error, Result};
use crate::shown::regex_fault;

/// What is folded or left out before a text is compared. By default only white space is folded.
#[derive(Debug, Clone, Default)]
pub struct Normalization {
    /// Undo what hides a copy: see [`Disguises`](crate::Disguises).
    pub disguises: bool,
    /// Compose characters, or fold compatible ones as well.
    pub form: Option<UnicodeForm>,
    /// Make all letters small: Unicode's full lower-case mapping for no language in particular, and ς is σ.
    pub lowercase: bool,
    /// Remove accents: the combining diacritical marks of the text's canonical decomposition.
    pub strip_accents: bool,
    /// Make every decimal digit (`General_Category` Nd) U+0030.
    pub fold_digits: bool,
    /// Leave out punctuation (`General_Category` P).
    pub strip_punctuation: bool,
    /// Leave white space as it is.
    pub keep_whitespace: bool,
    /// Lines that match any of these are left out.
    pub skip_lines: Vec<LinePattern>,
    /// Passages between these are left out.
    pub ignore_between: Vec<Markers>,
    /// What stands between quotation marks is left out, in each paragraph.
    pub ignore_quotes: bool,
    /// The text from the last heading of a list of references on is left out.
    pub ignore_bibliography: bool,
    /// Of program text: the language of all texts. By default each has its own, by its name or its first line.
    pub syntax: Option<Syntax>,
    /// Of program text: keep names, numbers and strings as they are. By default each becomes the mark of its class.
    pub keep_names: bool,
}

impl Normalization {
    /// Whether the text that is left has all lines of its document.
    pub(super) fn keeps_lines(&self) -> bool {
        let Self { disguises, ignore_quotes, ignore_bibliography, skip_lines, ignore_between, .. } = self;
        !(*disguises || *ignore_quotes || *ignore_bibliography) && skip_lines.is_empty() && ignore_between.is_empty()
    }

    /// The names of what is folded, in the order of folding.
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnicodeForm {
    /// Canonical composition: é is one character however it was written.
    Nfc,
    /// Compatibility composition: ligatures, full-width letters and the like become plain ones, too.
    Nfkc,
}

/// What the lines of a normalised text are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Units {
    /// There are none: a line end is white space.
    Text,
    /// The lines of the text that hold more than white space.
    Lines,
    /// Its sentences by UAX #29; a blank line ends one, too.
    Sentences,
    /// The tokens of a program.
    Tokens,
}

/// A regular expression that is looked for in each line of a text.
#[derive(Debug, Clone)]
pub struct LinePattern(pub(super) Regex);

impl LinePattern {
    /// The pattern as it was given.
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

/// Two strings between which a text is ignored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Markers {
    pub(super) start: String,
    pub(super) end: String,
}

impl Markers {
    /// The marker before a passage and the one behind it; both belong to it.
    ///
    /// # Errors
    /// When one of them is empty.
    pub fn new(start: impl Into<String>, end: impl Into<String>) -> Result<Self> {
        let (start, end) = (start.into(), end.into());
        if start.is_empty() || end.is_empty() { Err(Error::EmptyMarker) } else { Ok(Self { start, end }) }
    }

    /// Start and end.
    pub fn to_strings(&self) -> [String; 2] {
        [self.start.clone(), self.end.clone()]
    }
}

/// A text that is known to be UTF-8.
pub(super) fn as_str(text: &[u8]) -> &str {
    std::str::from_utf8(text).expect("texts are UTF-8")
}
