//! Normalisation: turns a text into the text that is hashed and cut into shingles. No other module folds text.
//!
//! By default only white space is folded; settings add the other steps. The steps have this order:
//!
//! 1. passages between markers are removed ([`passages`]), then quotations and references ([`left_out`]);
//! 2. lines that match a pattern are removed;
//! 3. disguises are undone ([`disguises`]);
//! 4. the text is cut into sentences ([`sentences`]) or program tokens ([`code`]), if these are the tokens;
//! 5. characters are folded: normalisation form, case, accents, digits, punctuation; composition comes last
//!    ([`characters`]);
//! 6. line ends between letters of scripts without spaces are dropped, and white space is folded ([`white_space`]).
//!
//! Steps 1 and 2 see the original text, so that markers and patterns need not be folded. Step 4 sees it with disguises
//! undone.
//!
//! Each step reports to a trace which bytes it makes from which, so that offsets in the normalised text map back to the
//! original. Without a trace the reports cost nothing.

mod ascii;
mod characters;
mod code;
mod disguises;
mod ignored;
mod joined;
mod left_out;
mod passages;
mod sentences;
mod settings;
mod white_space;

use std::ops::Range;

use self::characters::CharacterFolder;
pub use self::code::CodeText;
use self::code::TokenSeparator;
pub use self::disguises::Disguises;
pub(crate) use self::ignored::{ignored_parts, with_ignored};
use self::passages::PassageFilter;
pub use self::settings::{LinePattern, Markers, Normalization, UnicodeForm, Units};
use crate::base::flat::offset_map::{NoTrace, OffsetMap, Trace};
use crate::base::flat::offset_trace::OffsetTrace;
use crate::text::code::Syntax;
use crate::text::joined::is_joined;

/// Folds the white space of `text`: each run of `White_Space` becomes one space, and both ends are trimmed. A single
/// line end between two letters of a script without spaces, such as Chinese, is dropped with the white space around it.
///
/// A [`Normalizer`] with default settings does the same.
///
/// ```
/// assert_eq!(dedup_scan::normalize("  one\r\n\ttwo\u{3000}three\u{85}"), "one two three");
/// assert_eq!(dedup_scan::normalize("中文\n文字\n\n中文"), "中文文字 中文");
/// ```
pub fn normalize(text: &str) -> String {
    Normalizer::default().normalize(text)
}

/// Normalises texts. It keeps its buffers from one text to the next, so each thread needs its own.
///
/// ```
/// use dedup_scan::{Normalization, Normalizer, Units};
///
/// let settings = Normalization { lowercase: true, strip_punctuation: true, ..Normalization::default() };
/// let mut normalizer = Normalizer::new(&settings, Units::Sentences);
/// assert_eq!(normalizer.normalize("The fox\njumps. Does it?"), "the fox jumps\ndoes it");
/// ```
#[derive(Debug, Clone)]
pub struct Normalizer {
    passages: PassageFilter,
    characters: CharacterFolder,
    undoes_disguises: bool,
    /// The disguises that were undone in the last text.
    disguises: Disguises,
    tokens: TokenSeparator,
    units: Units,
    keep_whitespace: bool,
    /// Whether texts are joined from files, which are normalised one by one.
    has_files: bool,
    /// The file of the last text, if it was joined from files, with the first string or comment that has no end.
    unclosed_file: Option<String>,
    scratch: Vec<u8>,
}

impl Default for Normalizer {
    /// A normaliser that only folds white space, including line ends.
    fn default() -> Self {
        Self::new(&Normalization::default(), Units::Text)
    }
}

/// Maximum bytes of a buffer that is kept for the next text.
const KEPT_BUFFER: usize = 4 << 20;

impl Normalizer {
    /// Creates a normaliser with these settings, which writes texts with one of the `units` per line.
    pub fn new(settings: &Normalization, units: Units) -> Self {
        Self {
            passages: PassageFilter::new(settings),
            characters: CharacterFolder::new(settings),
            undoes_disguises: settings.disguises,
            disguises: Disguises::default(),
            tokens: TokenSeparator::new(settings.syntax, settings.keep_names, settings.keeps_lines()),
            units,
            keep_whitespace: settings.keep_whitespace,
            has_files: false,
            unclosed_file: None,
            scratch: Vec::new(),
        }
    }

    /// Sets whether texts that begin with the mark of a file are joined from files, which are normalised one by one.
    pub(crate) fn with_files(self, has_files: bool) -> Self {
        Self { has_files, ..self }
    }

    /// Returns the normalised text.
    pub fn normalize(&mut self, text: &str) -> String {
        let mut bytes = text.as_bytes().to_vec();
        self.normalize_utf8(&mut bytes);
        String::from_utf8(bytes).expect("normalising keeps UTF-8 valid")
    }

    /// Returns the normalised text and the map from each of its bytes to `text`.
    ///
    /// Several times slower than [`normalize`](Self::normalize).
    ///
    /// ```
    /// use dedup_scan::{Normalization, Normalizer, Units};
    ///
    /// let settings = Normalization { lowercase: true, strip_accents: true, ..Normalization::default() };
    /// let mut normalizer = Normalizer::new(&settings, Units::Text);
    /// let original = "  Crème\r\n  BRÛLÉE!";
    /// let (text, offsets) = normalizer.normalize_with_offsets(original);
    /// assert_eq!((text.as_str(), &text[6..12]), ("creme brulee!", "brulee"));
    /// assert_eq!(&original[offsets.source_range(6..12)], "BRÛLÉE");
    /// ```
    pub fn normalize_with_offsets(&mut self, text: &str) -> (String, OffsetMap) {
        let (mut bytes, mut trace) = (text.as_bytes().to_vec(), OffsetTrace::default());
        self.normalize_traced(&mut bytes, &mut trace);
        let (map, _) = trace.into_parts(bytes.len());
        (String::from_utf8(bytes).expect("normalising keeps UTF-8 valid"), map)
    }

    /// Numbers of disguises that were undone in the last text; all 0 unless the settings request it.
    pub fn disguises(&self) -> Disguises {
        self.disguises
    }

    /// The file of the last text with the first string or comment that has no end; `None` for a text that is not joined from
    /// files.
    pub(crate) fn unclosed_file(&self) -> Option<&str> {
        self.unclosed_file.as_deref()
    }

    /// Byte ranges of the disguises in a text, ascending; empty unless the settings request that disguises are undone.
    ///
    /// ```
    /// use dedup_scan::{Normalization, Normalizer, Units};
    ///
    /// let settings = Normalization { disguises: true, ..Normalization::default() };
    /// let text = "a co\u{AD}py, s e t s apart";
    /// let parts = Normalizer::new(&settings, Units::Text).disguised_parts(text);
    /// assert_eq!(parts.into_iter().map(|part| &text[part]).collect::<Vec<_>>(), ["\u{AD}", " ", " ", " "]);
    /// ```
    pub fn disguised_parts(&mut self, text: &str) -> Vec<Range<usize>> {
        if !self.undoes_disguises {
            return Vec::new();
        }
        let mut bytes = text.as_bytes().to_vec();
        let (mut left_out, mut undone) = (OffsetTrace::default(), OffsetTrace::default());
        self.passages.filter(&mut bytes, &mut self.scratch, &mut left_out);
        let (left_out, _) = left_out.into_parts(bytes.len());
        disguises::undo(&mut bytes, &mut self.scratch, &mut undone);
        let (undone, _) = undone.into_parts(bytes.len());
        undone.changed().into_iter().map(|part| left_out.source_range(part)).collect()
    }

    /// Sets the language of the next texts if they are programs; a language in the settings overrides it. Without a
    /// language, the first line of a script decides; otherwise the text is cut into words and single characters.
    ///
    /// ```
    /// use dedup_scan::{Normalization, Normalizer, Units};
    /// use dedup_scan::text::Syntax;
    ///
    /// let mut normalizer = Normalizer::new(&Normalization::default(), Units::Tokens);
    /// normalizer.set_syntax(Syntax::of_name(b"lab1/area.py"));
    /// assert_eq!(normalizer.normalize("return w * 2  # twice"), "return\nN\n*\n0");
    /// ```
    pub fn set_syntax(&mut self, syntax: Option<Syntax>) {
        self.tokens.set_syntax(syntax);
    }

    /// Properties of the last text as a program; the default unless the units are [`Units::Tokens`].
    pub fn code(&self) -> CodeText {
        self.tokens.last()
    }

    /// Functions that fold white space: one for each kernel that this processor can run, with the kernel's name. The
    /// reference implementation comes first.
    ///
    /// All functions make equal texts. Benchmarks compare them through this function; it is not part of the public
    /// interface.
    #[doc(hidden)]
    pub fn fold_spaces_by_kernel() -> Vec<(&'static str, white_space::kernel::FoldSpaces)> {
        white_space::kernel::available()
    }

    /// Same as [`normalize`](Self::normalize), in place. `text` must be valid UTF-8 and remains so.
    pub(crate) fn normalize_utf8(&mut self, text: &mut Vec<u8>) {
        self.normalize_traced(text, &mut NoTrace);
    }

    /// Same as [`normalize_utf8`](Self::normalize_utf8); each step reports its changes to `trace`.
    pub(crate) fn normalize_traced<T: Trace>(&mut self, text: &mut Vec<u8>, trace: &mut T) {
        self.unclosed_file = None;
        match self.has_files && is_joined(text) {
            true => self.normalize_files(text, trace),
            false => self.normalize_whole(text, trace),
        }
    }

    fn normalize_whole<T: Trace>(&mut self, text: &mut Vec<u8>, trace: &mut T) {
        self.passages.filter(text, &mut self.scratch, trace);
        if self.undoes_disguises {
            self.disguises = disguises::undo(text, &mut self.scratch, trace);
        }
        let drops_line_ends = |text: &[u8]| !self.keep_whitespace && !text.is_ascii();
        if matches!(self.units, Units::Sentences | Units::Paragraphs) {
            if drops_line_ends(text) {
                white_space::drop_line_ends(text, trace);
            }
            white_space::fold_paragraphs(text, self.keep_whitespace, trace);
        }
        if self.units == Units::Sentences {
            sentences::separate(text, &mut self.scratch, trace);
        }
        if self.units == Units::Tokens {
            self.tokens.separate(text, &mut self.scratch, trace);
        }
        if T::IS_ON && self.units == Units::Text && !self.keep_whitespace && text.is_ascii() {
            ascii::fold_traced(text, self.characters.plain(), trace);
        } else {
            self.characters.fold(text, &mut self.scratch, trace);
            if self.units == Units::Text && drops_line_ends(text) {
                white_space::drop_line_ends(text, trace);
            }
            match (self.units, self.keep_whitespace) {
                // Program tokens have no white space to fold.
                (Units::Tokens, _) if self.characters.is_idle() => {}
                (Units::Text, false) if T::IS_ON => white_space::fold_spaces_traced(text, trace),
                (Units::Text, false) => white_space::fold_spaces(text),
                (Units::Text, true) => {}
                (_, false) => white_space::fold_lines(text, trace),
                (_, true) => white_space::join_lines(text, trace),
            }
        }
        if self.scratch.capacity() > KEPT_BUFFER {
            self.scratch = Vec::new();
        }
        self.characters.release(KEPT_BUFFER);
    }
}

/// The name of the white-space kernel that this processor runs.
pub(crate) fn kernels() -> [(&'static str, &'static str); 1] {
    [("white space", white_space::kernel::available().last().map_or("portable", |&(name, _)| name))]
}

#[cfg(test)]
mod offset_tests;
#[cfg(test)]
mod tests;
