//! The kinds of shingles: one file for each says how it cuts a text. A new kind is a file, its `mod`, and a line in
//! `kinds!`.

mod chars;
mod code;
mod cutter;
mod lines;
mod sentences;
mod sets;
mod stop_words;
mod words;

use serde::{Deserialize, Serialize};

pub(super) use self::cutter::Cutter;
use self::cutter::{ByKernel, Kind};
pub use self::stop_words::{Language, StopWords};
use crate::normalize::Units;

/// The loops of characters and words, by the names of the implementations that this processor runs.
pub(super) fn kernels() -> [(&'static str, &'static str); 2] {
    [("shingles of characters", chars::kernel_name()), ("shingles of words", words::kernel_name())]
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident: $file:ident,)*) => {
        /// What a shingle is made of.
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
    /// Words by UAX #29, joined by one space; punctuation and spaces are left out. In scripts without spaces between words (Han,
    /// Hiragana, Katakana, Thai, Lao, Khmer, Myanmar) a word is one extended grapheme cluster.
    Word: words,
    /// Lines that hold more than white space.
    Line: lines,
    /// Sentences by UAX #29.
    Sentence: sentences,
    /// Tokens of programs, in the language of each text; see [`Syntax`](crate::Syntax).
    Code: code,
    /// A stop word and the words behind it: a shingle of words that begins with a stop word (Theobald, Siddharth and
    /// Paepcke 2008, SpotSigs; MMDS 3.2.4).
    StopWord: stop_words,
    /// The elements of a set, each on a line: one element is one shingle.
    Set: sets,
}

impl ShingleKind {
    /// The shingle size used when none is given: 9 characters, 5 words, 12 tokens of a program, a stop word and 2 more words, or 1 of anything else.
    pub const fn default_size(self) -> usize {
        self.kind().default_size
    }

    /// What the lines of a text are that is to be cut into these.
    pub const fn units(self) -> Units {
        self.kind().units
    }

    /// Whether the tokens of a shingle have no order, so that a shingle is one token.
    pub(super) const fn is_unordered(self) -> bool {
        self.kind().is_unordered
    }

    /// About how many shingles a text has, to make room for.
    pub(super) fn expected(self, text: &[u8]) -> usize {
        text.len() / self.kind().bytes_per_shingle
    }

    /// Cuts texts into these.
    pub(super) fn cutter(self) -> Box<dyn Cutter> {
        (self.kind().cutter)()
    }

    /// The same for each kernel, by its name.
    pub(super) fn by_kernel(self) -> ByKernel {
        (self.kind().by_kernel)()
    }
}
