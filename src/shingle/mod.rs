//! Shingles: normalised text in, 64-bit shingle hashes out, as a stream of blocks or as a set.
//!
//! A shingle is `shingle_size` consecutive tokens; its hash is `xxh3_64` (seed 0) of its UTF-8 bytes (Broder 1997,
//! MMDS 3.2). Hashes leave in blocks, so that a text of any length is signed in constant memory.
//!
//! `chars`, `words` and `lines` cut texts, each in its own way; `bag` numbers the occurrences of a shingle.

mod bag;
mod chars;
mod lines;
mod segments;
mod set;
mod settings;
mod stop_words;
mod words;

use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use self::bag::Bag;
use self::chars::kernel::HashWindows;
pub use self::set::ShingleSet;
pub(crate) use self::set::ShingleSetBuilder;
pub use self::settings::ShingleSettings;
use self::stop_words::Lexicon;
pub use self::stop_words::{Language, StopWords};
use self::words::WordWindow;
use crate::normalize::{Normalizer, Units};

/// Most hashes in one block: 32 KiB, so that a block is still in the first-level cache when it is signed.
pub(crate) const BLOCK_LEN: usize = 4096;

/// What a shingle is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ShingleKind {
    /// Unicode scalar values of the normalised text.
    Char,
    /// Words by UAX #29, joined by one space; what is no word is left out. In scripts without spaces between words (Han,
    /// Hiragana, Katakana, Thai, Lao, Khmer, Myanmar) a word is one extended grapheme cluster.
    Word,
    /// Lines that hold more than white space.
    Line,
    /// Sentences by UAX #29.
    Sentence,
    /// A stop word and the words behind it: a shingle of words that begins with a stop word (Theobald, Siddharth and
    /// Paepcke 2008, SpotSigs; MMDS 3.2.4).
    StopWord,
    /// The elements of a set, each on a line: one element is one shingle.
    Set,
}

impl ShingleKind {
    /// The shingle size used when none is given: 9 characters, 5 words, a stop word and 2 more, or 1 of anything else.
    pub const fn default_size(self) -> usize {
        match self {
            Self::Char => 9,
            Self::Word => 5,
            Self::StopWord => 3,
            Self::Line | Self::Sentence | Self::Set => 1,
        }
    }

    /// What the lines of a text are that is to be cut into these.
    pub const fn units(self) -> Units {
        match self {
            Self::Char | Self::Word | Self::StopWord => Units::Text,
            Self::Line | Self::Set => Units::Lines,
            Self::Sentence => Units::Sentences,
        }
    }
}

/// A source of shingle hashes that can be read more than once.
///
/// Order and repeats do not matter to signatures and sets. Implemented for slices of hashes, so that any set of
/// things hashed to 64 bits can be compared, and for [`TextShingles`].
pub trait ShingleHashes {
    /// Calls `visit` with every hash, in blocks of any length above 0.
    fn for_each_block(&mut self, visit: &mut dyn FnMut(&[u64]));
}

impl ShingleHashes for &[u64] {
    fn for_each_block(&mut self, visit: &mut dyn FnMut(&[u64])) {
        if !self.is_empty() {
            visit(self);
        }
    }
}

/// Cuts texts into shingles; keeps its buffers from one text to the next, so give each thread its own.
#[derive(Debug, Clone)]
pub struct Shingler {
    kind: ShingleKind,
    size: usize,
    block: Vec<u64>,
    hash_windows: HashWindows,
    window: WordWindow,
    lexicon: Option<Lexicon>,
    bag: Option<Bag>,
    last: Cut,
}

/// What the text that was cut last has come to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Cut {
    /// The number of its tokens, repeats included.
    pub(crate) num_tokens: u64,
    /// The number of its shingles, repeats included; 0 for a text that is one shingle for want of any other.
    pub(crate) num_shingles: u64,
}

impl Cut {
    fn new(num_tokens: u64, num_shingles: u64) -> Self {
        Self { num_tokens, num_shingles }
    }

    /// Of so many tokens with the shingles at every one but the last.
    fn of_tokens(num_tokens: u64, size: usize) -> Self {
        Self::new(num_tokens, (num_tokens + 1).saturating_sub(size as u64))
    }
}

impl Shingler {
    /// A shingler for shingles of `size` tokens.
    ///
    /// Of stop words it knows those of all languages, and detects which language each text is in; see
    /// [`with_stop_words`](Self::with_stop_words).
    ///
    /// # Panics
    /// When `size` is 0, or above 1 for the elements of sets, which have no order.
    pub fn new(kind: ShingleKind, size: usize) -> Self {
        assert!(size > 0, "a shingle has at least one token");
        assert!(size == 1 || kind != ShingleKind::Set, "the elements of a set have no order");
        let lexicon = (kind == ShingleKind::StopWord).then(|| Lexicon::new(StopWords::Detect, Normalizer::default()));
        Self {
            kind,
            size,
            block: Vec::with_capacity(BLOCK_LEN),
            hash_windows: chars::kernel::best(),
            window: WordWindow::default(),
            lexicon,
            bag: None,
            last: Cut::default(),
        }
    }

    /// A shingler of characters or words for each kernel that this processor can run, by the kernel's name, the definition
    /// first; of other kinds none.
    ///
    /// All give equal shingles: this is the door through which benchmarks compare them, and no part of the interface.
    #[doc(hidden)]
    pub fn by_kernel(kind: ShingleKind, size: usize) -> Vec<(&'static str, Self)> {
        let new = || Self::new(kind, size);
        match kind {
            ShingleKind::Char => {
                let kernels = chars::kernel::available().into_iter();
                kernels.map(|(name, hash_windows)| (name, Self { hash_windows, ..new() })).collect()
            }
            ShingleKind::Word => {
                WordWindow::by_kernel().into_iter().map(|(name, window)| (name, Self { window, ..new() })).collect()
            }
            _ => Vec::new(),
        }
    }

    /// With these stop words, folded as the texts are; without effect on other kinds of shingles.
    pub fn with_stop_words(mut self, stop_words: StopWords, normalizer: Normalizer) -> Self {
        if self.kind == ShingleKind::StopWord {
            self.lexicon = Some(Lexicon::new(stop_words, normalizer));
        }
        self
    }

    /// With multisets in place of sets.
    ///
    /// ```
    /// use dedup::{ShingleKind, ShingleSet, Shingler, jaccard};
    ///
    /// let mut words = Shingler::new(ShingleKind::Word, 1).with_bag(true);
    /// let mut set = |text: &str| ShingleSet::new(words.shingles(text));
    /// // "a" is there three times and once, "b" once and twice.
    /// assert_eq!(jaccard(&set("a a a b"), &set("a b b")), 2.0 / 5.0);
    /// ```
    ///
    /// The second occurrence of a shingle is an element of its own, and so on, so that the
    /// Jaccard similarity of two texts is that of the multisets, Σ min / Σ max of their counts.
    ///
    /// Takes memory for the distinct shingles of a text while it is cut.
    pub fn with_bag(mut self, bag: bool) -> Self {
        self.bag = bag.then(Bag::default);
        self
    }

    /// The shingles of a normalised text (see [`Normalizer`]).
    pub fn shingles<'a>(&'a mut self, text: &'a str) -> TextShingles<'a> {
        self.shingles_utf8(text.as_bytes())
    }

    /// As [`shingles`](Self::shingles), of a normalised text known to be UTF-8.
    pub(crate) fn shingles_utf8<'a>(&'a mut self, text: &'a [u8]) -> TextShingles<'a> {
        TextShingles { shingler: self, text }
    }

    /// About how many shingles a text has, to make room for: with an English word and the space behind it of six bytes.
    pub(crate) fn expected(&self, text: &[u8]) -> usize {
        match self.kind {
            ShingleKind::Char => text.len(),
            ShingleKind::Word => text.len() / 6,
            ShingleKind::Line | ShingleKind::Sentence | ShingleKind::StopWord | ShingleKind::Set => text.len() / 24,
        }
    }

    /// What the text has come to whose hashes were visited last.
    pub(crate) fn last(&self) -> Cut {
        self.last
    }

    fn visit_blocks(&mut self, text: &[u8], visit: &mut dyn FnMut(&[u64])) {
        let Some(mut bag) = self.bag.take() else { return self.visit_sets(text, visit) };
        bag.begin();
        self.visit_sets(text, &mut |block| visit(bag.number(block)));
        self.bag = Some(bag);
    }

    fn visit_sets(&mut self, text: &[u8], visit: &mut dyn FnMut(&[u64])) {
        self.last = Cut::default();
        if text.is_empty() {
            return;
        }
        let mut blocks = Blocks { block: std::mem::take(&mut self.block), visit };
        let Self { size, hash_windows, window, lexicon, .. } = self;
        let size = *size;
        self.last = match self.kind {
            ShingleKind::Char if text.is_ascii() => chars::ascii_shingles(text, size, *hash_windows, &mut blocks),
            ShingleKind::Char => chars::char_shingles(text, size, *hash_windows, &mut blocks),
            ShingleKind::Word => window.shingles(text, size, None, &mut blocks),
            ShingleKind::StopWord => {
                let lexicon = lexicon.as_mut().expect("made with the shingler");
                window.shingles(text, size, Some(lexicon), &mut blocks)
            }
            ShingleKind::Line | ShingleKind::Sentence | ShingleKind::Set => {
                lines::line_shingles(text, size, &mut blocks)
            }
        };
        blocks.flush();
        self.block = blocks.block;
    }
}

/// The shingle hashes of one text; made by [`Shingler::shingles`].
///
/// A text shorter than one shingle, but not empty, has one: all of it. An empty text has none.
#[derive(Debug)]
pub struct TextShingles<'a> {
    shingler: &'a mut Shingler,
    /// Valid UTF-8.
    text: &'a [u8],
}

impl ShingleHashes for TextShingles<'_> {
    fn for_each_block(&mut self, visit: &mut dyn FnMut(&[u64])) {
        self.shingler.visit_blocks(self.text, visit);
    }
}

/// Collects hashes and passes them on a block at a time.
struct Blocks<'v> {
    block: Vec<u64>,
    visit: &'v mut dyn FnMut(&[u64]),
}

impl Blocks<'_> {
    fn push(&mut self, shingle: &[u8]) {
        self.block.push(xxh3_64(shingle));
        if self.block.len() >= BLOCK_LEN {
            self.flush();
        }
    }

    fn flush(&mut self) {
        if !self.block.is_empty() {
            (self.visit)(&self.block);
            self.block.clear();
        }
    }
}

fn as_str(text: &[u8]) -> &str {
    std::str::from_utf8(text).expect("texts are UTF-8")
}

#[cfg(test)]
mod tests;
