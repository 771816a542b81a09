//! `Shingler`: a normalised text in, the hashes of its shingles out, for every kind of shingle.

use super::bag::Bag;
use super::hashes::{BLOCK_LEN, Blocks, Cut, ShingleHashes};
use super::kinds::{Cutter, ShingleKind, StopWords};
use super::tokens::Tokens;
use crate::normalize::Normalizer;

/// Cuts texts into shingles; keeps its buffers from one text to the next, so give each thread its own.
#[derive(Debug, Clone)]
pub struct Shingler {
    kind: ShingleKind,
    size: usize,
    cutter: Box<dyn Cutter>,
    block: Vec<u64>,
    bag: Option<Bag>,
    last: Cut,
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
        Self::with_cutter(kind, size, kind.cutter())
    }

    fn with_cutter(kind: ShingleKind, size: usize, cutter: Box<dyn Cutter>) -> Self {
        assert!(size > 0, "a shingle has at least one token");
        assert!(size == 1 || !kind.is_unordered(), "the elements of a set have no order");
        Self { kind, size, cutter, block: Vec::with_capacity(BLOCK_LEN), bag: None, last: Cut::default() }
    }

    /// A shingler of characters or words for each kernel that this processor can run, by the kernel's name, the definition
    /// first; of other kinds none.
    ///
    /// All give equal shingles: this is the door through which benchmarks compare them, and no part of the interface.
    #[doc(hidden)]
    pub fn by_kernel(kind: ShingleKind, size: usize) -> Vec<(&'static str, Self)> {
        kind.by_kernel().into_iter().map(|(name, cutter)| (name, Self::with_cutter(kind, size, cutter))).collect()
    }

    /// With these stop words, folded as the texts are; without effect on other kinds of shingles.
    pub fn with_stop_words(mut self, stop_words: StopWords, normalizer: Normalizer) -> Self {
        self.cutter.set_stop_words(stop_words, normalizer);
        self
    }

    /// With multisets in place of sets.
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

    /// The tokens of a normalised text, of which its shingles are made: characters, words, lines, sentences or elements. Those
    /// of shingles of stop words are all words; multisets make no difference.
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

    /// As [`tokens`](Self::tokens), of a normalised text known to be UTF-8.
    pub(crate) fn tokens_utf8(&mut self, text: Vec<u8>) -> Tokens {
        self.cutter.tokens(text)
    }

    /// As [`shingles`](Self::shingles), of a normalised text known to be UTF-8.
    pub(crate) fn shingles_utf8<'a>(&'a mut self, text: &'a [u8]) -> TextShingles<'a> {
        TextShingles { shingler: self, text }
    }

    /// What its tokens are.
    pub(crate) fn kind(&self) -> ShingleKind {
        self.kind
    }

    /// Tokens in a shingle.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// About how many shingles a text has, to make room for.
    pub(crate) fn expected(&self, text: &[u8]) -> usize {
        self.kind.expected(text)
    }

    /// Parts of a text, of about `segment_len` bytes, each of whose shingles belongs to one of them; `None` for texts
    /// that are too short for that, and for shingles whose tokens depend on what is before them.
    pub(crate) fn segments<'t>(&self, text: &'t [u8], segment_len: usize) -> Option<Vec<&'t [u8]>> {
        if self.bag.is_some() {
            return None;
        }
        self.cutter.segments(text, self.size, segment_len)
    }

    /// The numbers of tokens and shingles of the text whose hashes were visited last.
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
        self.last = self.cutter.cut(text, self.size, &mut blocks);
        blocks.flush();
        self.block = blocks.block;
    }
}

/// The shingle hashes of one text; made by [`Shingler::shingles`].
///
/// A text shorter than one shingle has one: all of its tokens. A text without a token, such as an empty one, has none.
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
