//! Normalisation: a text in, the text that is hashed and cut into shingles out. Nothing else in the program folds text.
//!
//! By default only white space is folded; settings ask for the other steps. The steps have this order:
//!
//! 1. passages between markers are left out ([`passages`]), then quotations and references ([`left_out`]);
//! 2. lines that match a pattern are left out;
//! 3. disguises are undone ([`disguises`]);
//! 4. sentences are found, when they are the tokens ([`sentences`]), or the tokens of programs ([`code`]);
//! 5. characters are folded: normalisation form, case, accents, digits, punctuation; composition comes last ([`characters`]);
//! 6. line ends between letters of scripts without spaces are dropped, and white space is folded ([`white_space`]).
//!
//! Steps 1 and 2 see the text as it was written, so that markers and patterns need not be folded. So does step 4, but for
//! disguises.
//!
//! Each step reports to a trace which bytes it makes of which, so that offsets in the normalised text lead back to the
//! original. Where nobody asks, nothing is reported and nothing is paid.

mod ascii;
mod characters;
mod code;
mod disguises;
mod ignored;
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
use crate::code::Syntax;
use crate::flat::offset_map::{NoTrace, OffsetMap, Trace};
use crate::flat::offset_trace::OffsetTrace;

/// Folds the white space of `text`: each run of `White_Space` becomes one space, both ends are trimmed. A single line end
/// between two letters of a script without spaces, such as Chinese, is dropped with the white space around it.
///
/// This is what a [`Normalizer`] does by default.
///
/// ```
/// assert_eq!(dedup_scan::normalize("  one\r\n\ttwo\u{3000}three\u{85}"), "one two three");
/// assert_eq!(dedup_scan::normalize("中文\n文字\n\n中文"), "中文文字 中文");
/// ```
pub fn normalize(text: &str) -> String {
    Normalizer::default().normalize(text)
}

/// Normalises texts; keeps its buffers from one to the next, so give each thread its own.
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
    /// Those of the last text.
    disguises: Disguises,
    tokens: TokenSeparator,
    units: Units,
    keep_whitespace: bool,
    scratch: Vec<u8>,
}

impl Default for Normalizer {
    /// Folds white space only, line ends included.
    fn default() -> Self {
        Self::new(&Normalization::default(), Units::Text)
    }
}

/// A buffer that one huge text has grown beyond this is freed.
const KEPT_BUFFER: usize = 4 << 20;

impl Normalizer {
    /// A normaliser for these settings, whose texts have lines of this kind.
    pub fn new(settings: &Normalization, units: Units) -> Self {
        Self {
            passages: PassageFilter::new(settings),
            characters: CharacterFolder::new(settings),
            undoes_disguises: settings.disguises,
            disguises: Disguises::default(),
            tokens: TokenSeparator::new(settings.syntax, settings.keep_names, settings.keeps_lines()),
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

    /// The normalised text, and the way from each byte of it to `text`.
    ///
    /// A few times slower than [`normalize`](Self::normalize).
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

    /// The disguises that were undone in the last text; none unless the settings ask for it.
    pub fn disguises(&self) -> Disguises {
        self.disguises
    }

    /// Where there are disguises in a text, in bytes and ascending; none unless the settings ask for undoing them.
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

    /// Sets the language of the next texts, where they are programs and the settings name none. Without one a text is in the
    /// language that its first line names, as scripts have it, or else cut into words and single characters.
    ///
    /// ```
    /// use dedup_scan::{Normalization, Normalizer, Syntax, Units};
    ///
    /// let mut normalizer = Normalizer::new(&Normalization::default(), Units::Tokens);
    /// normalizer.set_syntax(Syntax::of_name(b"lab1/area.py"));
    /// assert_eq!(normalizer.normalize("return w * 2  # twice"), "return\nN\n*\n0");
    /// ```
    pub fn set_syntax(&mut self, syntax: Option<Syntax>) {
        self.tokens.set_syntax(syntax);
    }

    /// What is known of the last text as a program; nothing unless it was cut into such tokens.
    pub fn code(&self) -> CodeText {
        self.tokens.last()
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
        self.normalize_traced(text, &mut NoTrace);
    }

    /// As [`normalize_utf8`](Self::normalize_utf8); each step reports to `trace` what it makes of what.
    pub(crate) fn normalize_traced<T: Trace>(&mut self, text: &mut Vec<u8>, trace: &mut T) {
        self.passages.filter(text, &mut self.scratch, trace);
        if self.undoes_disguises {
            self.disguises = disguises::undo(text, &mut self.scratch, trace);
        }
        let drops_line_ends = |text: &[u8]| !self.keep_whitespace && !text.is_ascii();
        if self.units == Units::Sentences {
            if drops_line_ends(text) {
                white_space::drop_line_ends(text, trace);
            }
            white_space::fold_paragraphs(text, self.keep_whitespace, trace);
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
                // The tokens are folded already.
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

/// The loop that folds white space, by the name of the implementation that this processor runs.
pub(crate) fn kernels() -> [(&'static str, &'static str); 1] {
    [("white space", white_space::kernel::available().last().map_or("portable", |&(name, _)| name))]
}

#[cfg(test)]
mod offset_tests;
#[cfg(test)]
mod tests;
