//! The kinds of shingles: each has a file that defines how to cut a text. A new kind needs a file, its `mod`, and a
//! line in `kinds!`.

pub(super) mod chars;
mod code;
mod cutter;
mod lines;
mod paragraphs;
mod sentences;
mod sets;
mod stop_words;
mod words;

use serde::{Deserialize, Serialize};

pub(super) use self::cutter::Cutter;
use self::cutter::{ByKernel, Kind};
pub use self::stop_words::{Language, StopWords};
use crate::text::normalize::Units;

/// Names of the kernels that this processor runs for shingles of characters and of words.
pub(super) fn kernels() -> [(&'static str, &'static str); 2] {
    [("shingles of characters", chars::kernel_name()), ("shingles of words", words::kernel_name())]
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident: $file:ident,)*) => {
        /// The kind of token that shingles consist of.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "lowercase")]
        pub enum ShingleKind {
            $($(#[$doc])* $name,)*
        }

        impl ShingleKind {
            const fn kind(self) -> &'static Kind {
                match self {
                    $(Self::$name => &$file::KIND,)*
                }
            }
        }
    };
}

kinds! {
    /// Unicode scalar values of the normalised text.
    Char: chars,
    /// Words by UAX #29, joined by one space; punctuation and spaces are ignored. In scripts without spaces between
    /// words (Han, Hiragana, Katakana, Thai, Lao, Khmer, Myanmar) a word is one extended grapheme cluster.
    Word: words,
    /// Lines that contain more than white space.
    Line: lines,
    /// Sentences by UAX #29.
    Sentence: sentences,
    /// Tokens of programs, in the language of each text; see [`Syntax`](crate::text::Syntax).
    Code: code,
    /// A stop word and the following words: a shingle of words that begins with a stop word (Theobald, Siddharth and
    /// Paepcke 2008, SpotSigs; MMDS 3.2.4).
    StopWord: stop_words,
    /// The elements of a set, one per line: one element is one shingle.
    Set: sets,
    /// Paragraphs: the text between blank lines, with its line ends as spaces.
    Paragraph: paragraphs,
}

impl ShingleKind {
    /// The default shingle size: 9 characters, 5 words, 12 tokens of a program, a stop word and 2 more words, or 1
    /// token of another kind.
    pub const fn default_size(self) -> usize {
        self.kind().default_size
    }

    /// The bytes that a token typically has, with what follows it; a low value, for tables whose size is estimated.
    pub(crate) const fn typical_bytes(self) -> u64 {
        match self {
            Self::Char => 1,
            Self::Word | Self::StopWord | Self::Code | Self::Set => 4,
            Self::Line => 20,
            Self::Sentence | Self::Paragraph => 50,
        }
    }

    /// The units that normalisation must write on the lines of a text for this kind.
    pub const fn units(self) -> Units {
        self.kind().units
    }

    /// Whether tokens have no order, so that each shingle must be a single token.
    pub(super) const fn is_unordered(self) -> bool {
        self.kind().is_unordered
    }

    /// Creates a cutter for this kind.
    pub(super) fn cutter(self) -> Box<dyn Cutter> {
        (self.kind().cutter)()
    }

    /// Creates a cutter for each kernel, with the name of the kernel.
    pub(super) fn by_kernel(self) -> ByKernel {
        (self.kind().by_kernel)()
    }
}
