//! Normalisation: text in, the text that is hashed and shingled out; the one place where anything is folded.
//!
//! White space is always folded unless it is to be kept; the rest is asked for. What is done, is done in this order:
//!
//! 1. passages between markers are left out ([`passages`]);
//! 2. lines that match a pattern are left out;
//! 3. sentences are found, when they are the tokens ([`sentences`]);
//! 4. characters are folded: normalisation form, case, accents, digits, punctuation; they are composed last ([`characters`]);
//! 5. white space is folded ([`white_space`]).
//!
//! Steps 1 to 3 see the text as it was written, so that markers, patterns and full stops need not be folded.

mod characters;
mod passages;
mod sentences;
mod white_space;

use std::str::FromStr;

use regex::bytes::Regex;

use self::characters::CharacterFolder;
use self::passages::PassageFilter;
use crate::error::{Error, Result};
use crate::shown::regex_fault;

/// Folds the white space of `text`: each run of `White_Space` becomes one space, both ends are trimmed.
///
/// This is what a [`Normalizer`] does by default.
///
/// ```
/// assert_eq!(dedup::normalize("  one\r\n\ttwo\u{3000}three\u{85}"), "one two three");
/// ```
pub fn normalize(text: &str) -> String {
    Normalizer::default().normalize(text)
}

/// What is folded or left out before a text is compared. By default white space alone is folded.
#[derive(Debug, Clone, Default)]
pub struct Normalization {
    /// Compose characters, or fold compatible ones as well.
    pub form: Option<UnicodeForm>,
    /// Make all letters small: Unicode's full lower-case mapping for no language in particular, and ς is σ.
    pub lowercase: bool,
    /// Take accents off: the combining diacritical marks of the text's canonical decomposition.
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
}

impl Normalization {
    /// The names of what is folded, in the order of folding.
    pub fn folding(&self) -> Vec<&'static str> {
        let form = self.form.map(|form| match form {
            UnicodeForm::Nfc => "nfc",
            UnicodeForm::Nfkc => "nfkc",
        });
        let others = [
            (self.lowercase, "lowercase"),
            (self.strip_accents, "strip-accents"),
            (self.fold_digits, "fold-digits"),
            (self.strip_punctuation, "strip-punctuation"),
            (self.keep_whitespace, "keep-whitespace"),
        ];
        form.into_iter().chain(others.into_iter().filter_map(|(asked, name)| asked.then_some(name))).collect()
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
}

/// A regular expression that is looked for in each line of a text.
#[derive(Debug, Clone)]
pub struct LinePattern(Regex);

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
    start: String,
    end: String,
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

/// Normalises texts; keeps its buffers from one to the next, so give each thread its own.
///
/// ```
/// use dedup::{Normalization, Normalizer, Units};
///
/// let settings = Normalization { lowercase: true, strip_punctuation: true, ..Normalization::default() };
/// let mut normalizer = Normalizer::new(&settings, Units::Sentences);
/// assert_eq!(normalizer.normalize("The fox\njumps. Does it?"), "the fox jumps\ndoes it");
/// ```
#[derive(Debug, Clone)]
pub struct Normalizer {
    passages: PassageFilter,
    characters: CharacterFolder,
    units: Units,
    keep_whitespace: bool,
    scratch: Vec<u8>,
}

impl Default for Normalizer {
    /// Folds white space alone, line ends included.
    fn default() -> Self {
        Self::new(&Normalization::default(), Units::Text)
    }
}

/// A buffer that one huge text has grown beyond this is given back.
const KEPT_BUFFER: usize = 4 << 20;

impl Normalizer {
    /// A normaliser for these settings, whose texts have lines of this kind.
    pub fn new(settings: &Normalization, units: Units) -> Self {
        Self {
            passages: PassageFilter::new(settings),
            characters: CharacterFolder::new(settings),
            units,
            keep_whitespace: settings.keep_whitespace,
            scratch: Vec::new(),
        }
    }

    /// The normalised text.
    pub fn normalize(&mut self, text: &str) -> String {
        let mut bytes = text.as_bytes().to_vec();
        self.normalize_utf8(&mut bytes);
        String::from_utf8(bytes).expect("normalising keeps UTF-8 valid")
    }

    /// Folding of white space by each kernel that this processor can run, by the kernel's name, the definition first.
    ///
    /// All make equal texts: this is the door through which benchmarks compare them, and no part of the interface.
    #[doc(hidden)]
    pub fn fold_spaces_by_kernel() -> Vec<(&'static str, white_space::kernel::FoldSpaces)> {
        white_space::kernel::available()
    }

    /// As [`normalize`](Self::normalize), in place. `text` must be valid UTF-8, and is afterwards.
    pub(crate) fn normalize_utf8(&mut self, text: &mut Vec<u8>) {
        self.passages.filter(text, &mut self.scratch);
        if self.units == Units::Sentences {
            white_space::fold_paragraphs(text, self.keep_whitespace);
            sentences::separate(text, &mut self.scratch);
        }
        self.characters.fold(text, &mut self.scratch);
        match (self.units, self.keep_whitespace) {
            (Units::Text, false) => white_space::fold_spaces(text),
            (Units::Text, true) => {}
            (_, false) => white_space::fold_lines(text),
            (_, true) => white_space::join_lines(text),
        }
        if self.scratch.capacity() > KEPT_BUFFER {
            self.scratch = Vec::new();
        }
        self.characters.release(KEPT_BUFFER);
    }
}

fn as_str(text: &[u8]) -> &str {
    std::str::from_utf8(text).expect("texts are UTF-8")
}

#[cfg(test)]
mod tests;
