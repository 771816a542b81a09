//! Shingles of words: consecutive words by UAX #29. In scripts without spaces each grapheme cluster is a word.
//!
//! The words of a text are joined by spaces in a buffer, so the bytes of a shingle are a slice of it.

mod joined;
mod kernel;
mod spans;
pub(super) mod tokens;

use std::ops::Range;

use self::joined::JoinedWords;
use self::kernel::JoinWords;
use self::spans::{TextSpan, spans};
use self::tokens::{FirstWords, for_each_word};
use super::cutter::{ByKernel, Cutter, Kind};
use crate::text::shingle::hashes::{Blocks, Cut, as_str};
use crate::text::shingle::tokens::Tokens;

pub(super) const KIND: Kind = Kind { default_size: 5, by_kernel, ..Kind::of(cutter) };

/// Average bytes of an English word and the space after it.
const WORD_BYTES: usize = 6;

/// Bytes of words that are hashed together, while they are still in the L1 cache.
const BATCH: usize = 1 << 14;
/// Maximum bytes of a buffer that is kept for the next text.
const KEPT: usize = 1 << 18;

fn cutter() -> Box<dyn Cutter> {
    Box::new(WordCutter::default())
}

fn by_kernel() -> ByKernel {
    let cutter = |window| -> Box<dyn Cutter> { Box::new(WordCutter { window }) };
    WordWindow::by_kernel().into_iter().map(|(name, window)| (name, cutter(window))).collect()
}

/// Cuts texts into shingles of words.
#[derive(Debug, Clone, Default)]
struct WordCutter {
    window: WordWindow,
}

impl Cutter for WordCutter {
    fn cut(&mut self, text: &[u8], size: usize, blocks: &mut Blocks) -> Cut {
        self.window.shingles(text, size, None, blocks)
    }

    fn tokens(&mut self, text: Vec<u8>) -> Tokens {
        self.window.tokens(text)
    }

    fn clone_box(&self) -> Box<dyn Cutter> {
        Box::new(self.clone())
    }
}

/// The words of a text that may still be part of a shingle.
#[derive(Debug, Clone)]
pub(super) struct WordWindow {
    joined: JoinedWords,
    join_ascii: JoinWords,
}

impl WordWindow {
    /// Creates a window for each kernel, with the name of the kernel.
    fn by_kernel() -> Vec<(&'static str, Self)> {
        let with_kernel = |(name, join_ascii)| (name, Self { join_ascii, ..Self::default() });
        kernel::available().into_iter().map(with_kernel).collect()
    }
}

impl Default for WordWindow {
    fn default() -> Self {
        Self { joined: JoinedWords::default(), join_ascii: kernel::best() }
    }
}

impl WordWindow {
    /// Hashes the shingles of `size` words. With `first_words`, only shingles that begin with one of these words count.
    ///
    /// A text with fewer words than a shingle, or without a shingle that begins with one of these words, is one
    /// shingle: all its words. A text without words has no shingle.
    pub(super) fn shingles(
        &mut self,
        text: &[u8],
        size: usize,
        mut first_words: Option<&mut dyn FirstWords>,
        blocks: &mut Blocks,
    ) -> Cut {
        if let Some(first_words) = &mut first_words {
            first_words.enter(as_str(text));
        }
        self.joined.clear();
        let first_words = first_words.map(|words| -> &mut dyn FirstWords { words });
        let mut windows = Windows { size, first_words, next: 0, hash_at: BATCH, cut: Cut::default(), blocks };
        for span in spans(text, BATCH) {
            match span {
                TextSpan::Ascii(ascii) => (self.join_ascii)(ascii, &mut self.joined),
                TextSpan::Any(text) => for_each_word(text, &mut |word| {
                    self.joined.push(word.as_bytes());
                    windows.hash_when_full(&mut self.joined);
                }),
            }
            windows.hash_when_full(&mut self.joined);
        }
        let cut = windows.finish(&mut self.joined);
        if cut.num_shingles == 0 {
            self.push_whole(as_str(text), blocks);
        }
        self.joined.release(KEPT);
        cut
    }

    /// The words of a text, each with its byte range.
    pub(super) fn tokens(&mut self, text: Vec<u8>) -> Tokens {
        let mut words = Vec::with_capacity(text.len() / WORD_BYTES);
        let mut span_start = 0;
        for span in spans(&text, BATCH) {
            match span {
                TextSpan::Ascii(ascii) => {
                    self.joined.clear();
                    (self.join_ascii)(ascii, &mut self.joined);
                    let mut end = 0;
                    for number in 0..self.joined.num_words() {
                        let word = find_word(ascii, end, self.joined.words(number, 1));
                        end = word.end;
                        words.push(span_start + word.start..span_start + end);
                    }
                    span_start += ascii.len();
                }
                TextSpan::Any(any) => {
                    for_each_word(any, &mut |word| {
                        let start = span_start + word.as_ptr().addr() - any.as_ptr().addr();
                        words.push(start..start + word.len());
                    });
                    span_start += any.len();
                }
            }
        }
        self.joined.release(KEPT);
        Tokens::of_pieces(text, words)
    }

    /// Hashes the entire text as one shingle. It reads the text again, because the window does not contain all words of
    /// a long text.
    fn push_whole(&mut self, text: &str, blocks: &mut Blocks) {
        self.joined.clear();
        for_each_word(text, &mut |word| self.joined.push(word.as_bytes()));
        let all = self.joined.all();
        if !all.is_empty() {
            blocks.push(all);
        }
    }
}

/// Finds the next word of an ASCII text from `start` on. Its first letter or digit is the next one of the text, because
/// there is none between words.
fn find_word(text: &[u8], start: usize, word: &[u8]) -> Range<usize> {
    let first = |text: &[u8]| text.iter().position(u8::is_ascii_alphanumeric).expect("a word has a letter or digit");
    let start = start + first(&text[start..]) - first(word);
    start..start + word.len()
}

/// The windows over the words of a text, with the numbers of tokens and shingles so far.
struct Windows<'w, 'v> {
    size: usize,
    first_words: Option<&'w mut (dyn FirstWords + 'w)>,
    /// Index of the first word of the next window to hash.
    next: usize,
    /// Number of bytes in the buffer at which the windows are hashed.
    hash_at: usize,
    cut: Cut,
    blocks: &'w mut Blocks<'v>,
}

impl Windows<'_, '_> {
    #[inline]
    fn hash_when_full(&mut self, joined: &mut JoinedWords) {
        if joined.num_bytes() >= self.hash_at {
            self.hash(joined);
            self.next -= joined.forget(self.next);
            self.hash_at = joined.num_bytes() + BATCH;
        }
    }

    fn finish(mut self, joined: &mut JoinedWords) -> Cut {
        self.hash(joined);
        self.cut.num_tokens += (joined.num_words() - self.next) as u64;
        self.cut
    }

    fn hash(&mut self, joined: &JoinedWords) {
        let end = (joined.num_words() + 1).saturating_sub(self.size).max(self.next);
        let starts = self.next..end;
        self.next = end;
        self.cut.num_tokens += starts.len() as u64;
        match &mut self.first_words {
            None => {
                self.cut.num_shingles += starts.len() as u64;
                starts.for_each(|start| self.blocks.push(joined.words(start, self.size)));
            }
            Some(first_words) => {
                for start in starts {
                    let word = as_str(joined.words(start, 1));
                    if first_words.contains(word) {
                        self.cut.num_shingles += 1;
                        self.blocks.push(joined.words(start, self.size));
                    }
                }
            }
        }
    }
}

/// Name of the kernel that this processor runs.
pub(super) fn kernel_name() -> &'static str {
    kernel::available().last().map_or("scalar", |&(name, _)| name)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use xxhash_rust::xxh3::xxh3_64;

    use super::*;
    use crate::text::shingle::BLOCK_LEN;

    proptest! {
        #[test]
        fn spans_have_the_words_of_the_text(
            // A letter, digit, separator or mark of every class of UAX #29, in addition to ASCII.
            text in r#"([a-z]{1,4}|[0-9.,]{1,4}|[ -/:-@_`]| | |\u{301}|\u{345}|\u{AD}|\u{200D}|\r\n|\n|\u{85}|\u{3000}|\u{2003}|é|ש|["']|’|·|，|٣|カ|ー|🇫|👩|文|ที่|‿|ⓐ){0,60}"#,
            batch in 1usize..40,
        ) {
            let mut expected = Vec::new();
            for_each_word(&text, &mut |word| expected.push(word.to_owned()));
            for (name, join_ascii) in kernel::available() {
                let mut joined = JoinedWords::default();
                for span in spans(text.as_bytes(), batch) {
                    match span {
                        TextSpan::Ascii(ascii) => join_ascii(ascii, &mut joined),
                        TextSpan::Any(any) => for_each_word(any, &mut |word| joined.push(word.as_bytes())),
                    }
                }
                let words: Vec<&[u8]> = (0..joined.num_words()).map(|number| joined.words(number, 1)).collect();
                prop_assert!(words.iter().eq(expected.iter().map(|word| word.as_bytes()).collect::<Vec<_>>().iter()), "{} {:?}", name, text);
            }
        }
    }

    #[test]
    fn a_window_longer_than_a_batch_is_whole() {
        let text = "a bc, def ghij é 5. ".repeat(BATCH / 16);
        let mut words = Vec::new();
        for_each_word(&text, &mut |word| words.push(word.to_owned()));
        for size in [1, 7, BATCH / 4, words.len(), words.len() + 1] {
            let mut hashes = Vec::new();
            let mut visit = |block: &[u64]| hashes.extend_from_slice(block);
            let mut blocks = Blocks { block: Vec::with_capacity(BLOCK_LEN), visit: &mut visit };
            let cut = WordWindow::default().shingles(text.as_bytes(), size, None, &mut blocks);
            blocks.flush();
            let expected: Vec<u64> =
                words.windows(size.min(words.len())).map(|window| xxh3_64(window.join(" ").as_bytes())).collect();
            assert!(hashes == expected, "{size}");
            assert_eq!(cut, Cut::of_tokens(words.len() as u64, size));
        }
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut words = Vec::new();
        for_each_word(text, &mut |word| words.push(word.to_owned()));
        assert_eq!(words.join("|"), expected);
    }

    #[test]
    fn words_are_those_of_uax_29() {
        check("Don't pay $3.50, Señor — it's 3,000!", "Don't|pay|3.50|Señor|it's|3,000");
        check("русские слова և հայերեն 한국어 단어", "русские|слова|և|հայերեն|한국어|단어");
        check("العربية، हिन्दी।", "العربية|हिन्दी");
        check("👩‍👩‍👧 !?", "");
    }

    #[test]
    fn scripts_without_spaces_fall_back_to_characters() {
        check("天地玄黄，宇宙", "天|地|玄|黄|宇|宙");
        check("カタカナ・コーヒー ｺｰﾋｰ", "カ|タ|カ|ナ|コ|ー|ヒ|ー|ｺ|ｰ|ﾋ|ｰ");
        check("ひらがなと漢字々", "ひ|ら|が|な|と|漢|字|々");
        // Clusters include the marks that belong to them.
        check("ภาษาไทยที่", "ภ|า|ษ|า|ไ|ท|ย|ที่");
        check("ພາສາ ភាសាខ្មែរ မြန်မာ", "ພ|າ|ສ|າ|ភា|សា|ខ\u{17d2}|មែ|រ|မြ|န\u{103a}|မ|ာ");
    }

    #[test]
    fn mixed_texts_fall_back_within_the_run_only() {
        check("Rust 1.89の新機能とUSBケーブル", "Rust|1.89|の|新|機|能|と|USB|ケ|ー|ブ|ル");
        check("foo_カタ_bar x", "foo_|カ|タ|_bar|x");
        check("ห้อง 101 ๑๒", "ห้|อ|ง|101|๑|๒");
    }
}
