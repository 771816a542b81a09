//! Shingles: normalised text in, 64-bit shingle hashes out, as a stream of blocks or as a set.
//!
//! A shingle is `shingle_size` consecutive tokens; its hash is `xxh3_64` (seed 0) of its UTF-8 bytes (Broder 1997,
//! MMDS 3.2). Hashes leave in blocks, so that a text of any length is signed in constant memory.

mod set;

use std::collections::VecDeque;

use serde::Serialize;
use unicode_segmentation::UnicodeSegmentation;
use xxhash_rust::xxh3::xxh3_64;

pub use self::set::ShingleSet;
pub(crate) use self::set::{ShingleIndex, ShingleSetBuilder};

/// Most hashes in one block: 32 KiB, so that a block is still in the first-level cache when it is signed.
pub(crate) const BLOCK_LEN: usize = 4096;

/// What a shingle is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ShingleKind {
    /// Unicode scalar values of the normalised text.
    Char,
    /// Words by UAX #29, joined by one space; what is no word is left out.
    Word,
}

impl ShingleKind {
    /// The shingle size used when none is given: 9 characters or 5 words.
    pub const fn default_size(self) -> usize {
        match self {
            Self::Char => 9,
            Self::Word => 5,
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
}

impl Shingler {
    /// A shingler for shingles of `size` tokens.
    ///
    /// # Panics
    /// When `size` is 0.
    pub fn new(kind: ShingleKind, size: usize) -> Self {
        assert!(size > 0, "a shingle has at least one token");
        Self { kind, size, block: Vec::with_capacity(BLOCK_LEN) }
    }

    /// The shingles of a normalised text (see [`normalize`](crate::normalize())).
    pub fn shingles<'a>(&'a mut self, text: &'a str) -> TextShingles<'a> {
        self.shingles_utf8(text.as_bytes())
    }

    /// As [`shingles`](Self::shingles), of a normalised text known to be UTF-8.
    pub(crate) fn shingles_utf8<'a>(&'a mut self, text: &'a [u8]) -> TextShingles<'a> {
        TextShingles { shingler: self, text }
    }

    /// Whether a text that is not empty has fewer tokens than a shingle.
    pub(crate) fn is_short(&self, text: &[u8]) -> bool {
        let enough = match self.kind {
            ShingleKind::Char => text.iter().filter(|&&byte| !is_continuation(byte)).nth(self.size - 1).is_some(),
            ShingleKind::Word => as_str(text).unicode_words().nth(self.size - 1).is_some(),
        };
        !enough && !text.is_empty()
    }

    /// The number of tokens of a normalised text that is known to be UTF-8.
    pub(crate) fn num_tokens(&self, text: &[u8]) -> usize {
        match self.kind {
            ShingleKind::Char => text.iter().filter(|&&byte| !is_continuation(byte)).count(),
            ShingleKind::Word => as_str(text).unicode_words().count(),
        }
    }

    fn visit_blocks(&mut self, text: &[u8], visit: &mut dyn FnMut(&[u64])) {
        let mut blocks = Blocks { block: std::mem::take(&mut self.block), visit };
        if !text.is_empty() {
            match self.kind {
                ShingleKind::Char if text.is_ascii() => ascii_shingles(text, self.size, &mut blocks),
                ShingleKind::Char => char_shingles(text, self.size, &mut blocks),
                ShingleKind::Word => word_shingles(as_str(text), self.size, &mut blocks),
            }
            blocks.flush();
        }
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

/// In ASCII text every byte is a token, so a shingle is a window of bytes.
fn ascii_shingles(text: &[u8], size: usize, blocks: &mut Blocks) {
    if text.len() <= size {
        return blocks.push(text);
    }
    let mut rest = text;
    while rest.len() >= size {
        let count = (rest.len() - size + 1).min(BLOCK_LEN);
        let hashed = &rest[..count + size - 1];
        // The usual length as a constant lets the compiler drop the hash's choice by length.
        match size {
            9 => blocks.block.extend(hashed.windows(9).map(|shingle| xxh3_64(&shingle[..9]))),
            _ => blocks.block.extend(hashed.windows(size).map(xxh3_64)),
        }
        blocks.flush();
        rest = &rest[count..];
    }
}

/// Two cursors walk the text a character at a time, `size` characters apart.
fn char_shingles(text: &[u8], size: usize, blocks: &mut Blocks) {
    let mut end = 0;
    for _ in 0..size {
        if end == text.len() {
            return blocks.push(text);
        }
        end += char_len(text[end]);
    }
    let mut start = 0;
    loop {
        blocks.push(&text[start..end]);
        if end == text.len() {
            return;
        }
        start += char_len(text[start]);
        end += char_len(text[end]);
    }
}

fn as_str(text: &[u8]) -> &str {
    std::str::from_utf8(text).expect("texts are UTF-8")
}

#[inline]
fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// Bytes of the character whose first byte is `lead`.
#[inline]
fn char_len(lead: u8) -> usize {
    match lead {
        0..0xC0 => 1,
        0xC0..0xE0 => 2,
        0xE0..0xF0 => 3,
        _ => 4,
    }
}

/// Words are copied behind one another, a space between, and dropped from the front when the buffer has grown.
fn word_shingles(text: &str, size: usize, blocks: &mut Blocks) {
    const COMPACT_AT: usize = 1 << 16;
    let mut joined: Vec<u8> = Vec::new();
    let mut starts: VecDeque<usize> = VecDeque::with_capacity(size.min(COMPACT_AT) + 1);
    let mut full = false;
    for word in text.unicode_words() {
        if starts.len() == size {
            starts.pop_front();
        }
        if joined.len() >= COMPACT_AT {
            let dropped = starts.front().copied().unwrap_or(joined.len());
            if dropped * 2 >= joined.len() {
                joined.drain(..dropped);
                starts.iter_mut().for_each(|start| *start -= dropped);
            }
        }
        if !joined.is_empty() {
            joined.push(b' ');
        }
        starts.push_back(joined.len());
        joined.extend_from_slice(word.as_bytes());
        if starts.len() == size {
            full = true;
            blocks.push(&joined[starts[0]..]);
        }
    }
    if !full {
        // Fewer words than a shingle has are one shingle; a text without any word is one as it stands.
        blocks.push(if joined.is_empty() { text.as_bytes() } else { &joined });
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::normalize;

    /// The distinct hashes, ascending.
    fn shingle_set(kind: ShingleKind, size: usize, text: &str) -> Vec<u64> {
        let mut hashes = ShingleSet::new(Shingler::new(kind, size).shingles(text)).hashes().to_vec();
        hashes.sort_unstable();
        hashes
    }

    /// The definition: all windows of the token list, as strings, in a tree.
    fn naive(kind: ShingleKind, size: usize, text: &str) -> Vec<u64> {
        let (tokens, joint): (Vec<String>, &str) = match kind {
            ShingleKind::Char => (text.chars().map(String::from).collect(), ""),
            ShingleKind::Word => (text.unicode_words().map(String::from).collect(), " "),
        };
        let shingles: Vec<String> = if text.is_empty() {
            vec![]
        } else if tokens.is_empty() {
            vec![text.to_owned()]
        } else if tokens.len() < size {
            vec![tokens.join(joint)]
        } else {
            tokens.windows(size).map(|window| window.join(joint)).collect()
        };
        let hashes: BTreeSet<u64> = shingles.iter().map(|shingle| xxh3_64(shingle.as_bytes())).collect();
        hashes.into_iter().collect()
    }

    proptest! {
        #[test]
        fn sets_equal_the_naive_twin(
            text in r"([a-c]{0,12}|[ \r\n]{1,3}|\u{85}|文字は|🙂👩‍👩‍👧|e\u{301}|,|don't){0,40}",
            size in 1usize..12,
            word in any::<bool>(),
        ) {
            let kind = if word { ShingleKind::Word } else { ShingleKind::Char };
            let text = normalize(&text);
            let set = shingle_set(kind, size, &text);
            prop_assert_eq!(set, naive(kind, size, &text));
        }
    }

    #[test]
    fn long_texts_cross_block_borders_without_loss() {
        let ascii: String = (0..BLOCK_LEN * 2).map(|i| char::from(b'!' + (i * i % 89) as u8)).collect();
        let mixed: String = ascii.replace('5', "五");
        let words: String = (0..30_000).map(|i| format!("w{} ", i % 9000)).collect();
        for (kind, text) in
            [(ShingleKind::Char, &ascii), (ShingleKind::Char, &mixed), (ShingleKind::Word, &normalize(&words))]
        {
            for size in [1, 5, 9, 10] {
                assert_eq!(shingle_set(kind, size, text), naive(kind, size, text), "{kind:?} {size}");
            }
        }
    }

    #[test]
    fn a_short_text_is_one_shingle_and_an_empty_one_none() {
        assert_eq!(shingle_set(ShingleKind::Char, 9, "short"), [xxh3_64(b"short")]);
        assert_eq!(shingle_set(ShingleKind::Word, 5, "two, words!"), [xxh3_64(b"two words")]);
        assert_eq!(shingle_set(ShingleKind::Word, 5, "?!"), [xxh3_64(b"?!")]);
        assert!(shingle_set(ShingleKind::Char, 9, "").is_empty());
    }

    #[test]
    fn shingle_hashes_are_pinned() {
        let hashes = shingle_set(ShingleKind::Char, 9, "The quick fox");
        assert_eq!(
            hashes,
            [
                2219493670535441082,
                4718224398008481959,
                11461374847120801102,
                13146329757137081918,
                18370883891838079574
            ]
        );
        let hashes = shingle_set(ShingleKind::Char, 9, "天地玄黄，宇宙洪荒。");
        assert_eq!(hashes, [4229163384918041880, 4642177918689865756]);
    }
}
