//! `Shingler`: hashes the shingles of a normalised text, for every kind of shingle.

use super::bag::Bag;
use super::hashes::{BLOCK_LEN, Blocks, Cut, ShingleHashes};
use super::kinds::{Cutter, ShingleKind, StopWords};
use super::tokens::Tokens;
use crate::text::joined::{is_joined, normalised_parts};
use crate::text::normalize::Normalizer;

/// Cuts texts into shingles. It keeps its buffers from one text to the next, so each thread needs its own.
#[derive(Debug, Clone)]
pub struct Shingler {
    kind: ShingleKind,
    size: usize,
    cutter: Box<dyn Cutter>,
    block: Vec<u64>,
    bag: Option<Bag>,
    /// Whether texts are joined from files, which have no shingle in common.
    has_files: bool,
    last: Cut,
}

impl Shingler {
    /// Creates a shingler for shingles of `size` tokens.
    ///
    /// For shingles of stop words, it detects the language of each text and uses the list of that language; see
    /// [`with_stop_words`](Self::with_stop_words).
    ///
    /// # Panics
    /// When `size` is 0, or above 1 for the elements of sets, which have no order.
    pub fn new(kind: ShingleKind, size: usize) -> Self {
        Self::with_cutter(kind, size, kind.cutter())
    }

    fn with_cutter(kind: ShingleKind, size: usize, cutter: Box<dyn Cutter>) -> Self {
        assert!(size > 0, "a shingle has at least one token");
        assert!(size == 1 || !kind.is_unordered(), "the elements of a set have no order");
        let block = Vec::with_capacity(BLOCK_LEN);
        Self { kind, size, cutter, block, bag: None, has_files: false, last: Cut::default() }
    }

    /// Shinglers of characters or words: one for each kernel that this processor can run, with the kernel's name. The
    /// reference implementation comes first. Other kinds have none.
    ///
    /// All shinglers make equal shingles. Benchmarks compare them through this function; it is not part of the public
    /// interface.
    #[doc(hidden)]
    pub fn by_kernel(kind: ShingleKind, size: usize) -> Vec<(&'static str, Self)> {
        kind.by_kernel().into_iter().map(|(name, cutter)| (name, Self::with_cutter(kind, size, cutter))).collect()
    }

    /// Sets the stop words, to be folded like the texts; has no effect on other kinds of shingles.
    pub fn with_stop_words(mut self, stop_words: StopWords, normalizer: Normalizer) -> Self {
        self.cutter.set_stop_words(stop_words, normalizer);
        self
    }

    /// Selects multisets instead of sets.
    ///
    /// ```
    /// use dedup_scan::{ShingleKind, ShingleSet, Shingler, jaccard};
    ///
    /// let mut words = Shingler::new(ShingleKind::Word, 1).with_bag(true);
    /// let mut set = |text: &str| ShingleSet::new(words.shingles(text));
    /// // "a" is there three times and once, "b" once and twice.
    /// assert_eq!(jaccard(&set("a a a b"), &set("a b b")), 2.0 / 5.0);
    /// ```
    ///
    /// Each occurrence of a shingle is a separate element. So the Jaccard similarity of two texts is the similarity of
    /// the multisets, Σ min / Σ max of their counts.
    ///
    /// Needs memory for the distinct shingles of a text while it is cut.
    pub fn with_bag(mut self, bag: bool) -> Self {
        self.bag = bag.then(Bag::default);
        self
    }

    /// Sets whether texts that begin with the mark of a file are joined from files, each with its own shingles.
    pub(crate) fn with_files(self, has_files: bool) -> Self {
        Self { has_files, ..self }
    }

    /// The shingles of a normalised text (see [`Normalizer`]).
    pub fn shingles<'a>(&'a mut self, text: &'a str) -> TextShingles<'a> {
        self.shingles_utf8(text.as_bytes())
    }

    /// The tokens of a normalised text, from which its shingles are built: characters, words, lines, sentences, program
    /// tokens or elements. For shingles of stop words these are all words. Multisets make no difference.
    ///
    /// ```
    /// use dedup_scan::{ShingleKind, Shingler};
    ///
    /// let tokens = Shingler::new(ShingleKind::Word, 5).tokens("Don't panic, Arthur!".to_owned());
    /// assert_eq!(tokens.len(), 3);
    /// assert_eq!(tokens.bytes_of(1..3), 6..19);
    /// ```
    pub fn tokens(&mut self, text: String) -> Tokens {
        self.tokens_utf8(text.into_bytes())
    }

    /// Same as [`tokens`](Self::tokens), for a normalised text in valid UTF-8.
    pub(crate) fn tokens_utf8(&mut self, text: Vec<u8>) -> Tokens {
        if !self.is_joined(&text) {
            return self.cutter.tokens(text);
        }
        let mut pieces = Vec::new();
        for (start, part) in normalised_parts(&text).filter(|(_, part)| !part.is_empty()) {
            let tokens = self.cutter.tokens(part.to_vec());
            let bytes = (0..tokens.len()).map(|at| tokens.bytes_of(at..at + 1));
            pieces.extend(bytes.map(|bytes| start + bytes.start..start + bytes.end));
        }
        let file_starts = normalised_parts(&text).skip(1).map(|(start, _)| start).collect();
        Tokens::of_pieces(text, pieces).with_files(file_starts)
    }

    /// Whether a text was joined from files, which are cut one by one.
    pub(crate) fn is_joined(&self, text: &[u8]) -> bool {
        self.has_files && is_joined(text)
    }

    /// Same as [`shingles`](Self::shingles), for a normalised text in valid UTF-8.
    pub(crate) fn shingles_utf8<'a>(&'a mut self, text: &'a [u8]) -> TextShingles<'a> {
        TextShingles { shingler: self, text }
    }

    /// The kind of shingle.
    pub(crate) fn kind(&self) -> ShingleKind {
        self.kind
    }

    /// Number of tokens in a shingle.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// Cuts a text into parts of about `segment_len` bytes so that each shingle belongs to exactly one part. Returns
    /// `None` for texts that are too short, for multisets, and for shingles whose tokens depend on the preceding text.
    pub(crate) fn segments<'t>(&self, text: &'t [u8], segment_len: usize) -> Option<Vec<&'t [u8]>> {
        if self.bag.is_some() || self.has_files {
            return None;
        }
        self.cutter.segments(text, self.size, segment_len)
    }

    /// Numbers of tokens and shingles of the text whose hashes were visited last.
    pub(crate) fn last(&self) -> Cut {
        self.last
    }

    fn visit_blocks(&mut self, text: &[u8], visit: &mut dyn FnMut(&[u64])) {
        let Some(mut bag) = self.bag.take() else { return self.visit_sets(text, visit) };
        bag.begin();
        self.visit_sets(text, &mut |block| visit(bag.elements(block)));
        self.bag = Some(bag);
    }

    fn visit_sets(&mut self, text: &[u8], visit: &mut dyn FnMut(&[u64])) {
        self.last = Cut::default();
        if text.is_empty() {
            return;
        }
        let mut blocks = Blocks { block: std::mem::take(&mut self.block), visit };
        if self.has_files && is_joined(text) {
            for (_, part) in normalised_parts(text).filter(|(_, part)| !part.is_empty()) {
                self.last = self.last.after(self.cutter.cut(part, self.size, &mut blocks));
            }
        } else {
            self.last = self.cutter.cut(text, self.size, &mut blocks);
        }
        blocks.flush();
        self.block = blocks.block;
    }
}

/// The shingle hashes of one text; created by [`Shingler::shingles`].
///
/// A text shorter than one shingle has one shingle: all its tokens. A text without tokens, such as an empty one, has
/// none.
#[derive(Debug)]
pub struct TextShingles<'a> {
    shingler: &'a mut Shingler,
    /// The normalised text in valid UTF-8.
    text: &'a [u8],
}

impl ShingleHashes for TextShingles<'_> {
    fn for_each_block(&mut self, visit: &mut dyn FnMut(&[u64])) {
        self.shingler.visit_blocks(self.text, visit);
    }
}
