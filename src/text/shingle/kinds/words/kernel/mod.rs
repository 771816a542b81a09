//! The inner loop of shingles of words: finds the words of an ASCII text by UAX #29 and joins them with spaces.
//!
//! For ASCII the rules WB3 to WB999 reduce to these:
//!
//! - letters, digits and `_` belong to words;
//! - `.` and `'` do so between two letters or two digits, `:` between two letters, `,` and `;` between two digits;
//! - a run of `_` without a letter or digit is not a word.
//!
//! So the neighbours of a byte decide whether it belongs to a word, and 64 bytes are classified at once:
//!
//! ```text
//! infix = mid_letters & (letters << 1) & (letters >> 1) | mid_digits & (digits << 1) & (digits >> 1)
//! word  = letters | digits | low_lines | infix
//! ```
//!
//! where the bits of the byte before and the byte after the 64 bytes are shifted in.

#[cfg(target_arch = "x86_64")]
mod x86_64;

use super::joined::JoinedWords;

/// Appends the words of an ASCII span, whose ends must not cut a word.
pub(super) type JoinWords = fn(&[u8], &mut JoinedWords);

/// The fastest implementation that this processor can run.
pub(super) fn best() -> JoinWords {
    available().last().expect("the scalar kernel runs everywhere").1
}

/// Every implementation that this processor can run, with its name: the reference first and the fastest last.
pub(super) fn available() -> Vec<(&'static str, JoinWords)> {
    let mut kernels: Vec<(&'static str, JoinWords)> = vec![("scalar", scalar)];
    #[cfg(target_arch = "x86_64")]
    kernels.extend(x86_64::available());
    kernels
}

fn scalar(text: &[u8], joined: &mut JoinedWords) {
    joined.reserve(text.len() + JoinedWords::ROOM, text.len() / 2 + 1);
    let is_of_word = |at: usize| {
        let between = |is: fn(&u8) -> bool| at > 0 && is(&text[at - 1]) && text.get(at + 1).is_some_and(is);
        match text[at] {
            b'.' | b'\'' => between(u8::is_ascii_alphabetic) || between(u8::is_ascii_digit),
            b':' => between(u8::is_ascii_alphabetic),
            b',' | b';' => between(u8::is_ascii_digit),
            byte => byte.is_ascii_alphanumeric() || byte == b'_',
        }
    };
    let mut start = 0;
    while start < text.len() {
        let end = (start..text.len()).find(|&at| !is_of_word(at)).unwrap_or(text.len());
        if text[start..end].iter().any(u8::is_ascii_alphanumeric) {
            joined.push_of(text, start..end);
        }
        start = end + 1;
    }
}

/// Classes of the bytes of a chunk, one bit per byte.
#[derive(Clone, Copy)]
struct Classes {
    letters: u64,
    digits: u64,
    low_lines: u64,
    mid_letters: u64,
    mid_digits: u64,
}

/// Finds the bytes of a text that belong to words, 64 bytes at a time.
struct Marks<'t> {
    text: &'t [u8],
    /// Start of the current chunk.
    at: usize,
    /// 1 if the byte before the chunk is a letter; `after_digit` and `after_word` are 1 if it is a digit or belongs to
    /// a word.
    after_letter: u64,
    after_digit: u64,
    after_word: u64,
    /// End of the last run of low lines that is not part of a word.
    low_lines_end: usize,
}

impl<'t> Marks<'t> {
    fn new(text: &'t [u8]) -> Self {
        Self { text, at: 0, after_letter: 0, after_digit: 0, after_word: 0, low_lines_end: 0 }
    }

    /// Mask of the bytes of words in the next chunk.
    #[inline(always)]
    fn words(&mut self, classes: Classes) -> u64 {
        let Classes { letters, digits, low_lines, mid_letters, mid_digits } = classes;
        let next = self.text.get(self.at + 64).copied().unwrap_or(0);
        let next_letter = u64::from(next.is_ascii_alphabetic()) << 63;
        let next_digit = u64::from(next.is_ascii_digit()) << 63;
        let infix = mid_letters & (letters << 1 | self.after_letter) & (letters >> 1 | next_letter)
            | mid_digits & (digits << 1 | self.after_digit) & (digits >> 1 | next_digit);
        let mut word = letters | digits | low_lines | infix;
        let starts = word & !(word << 1 | self.after_word) & low_lines;
        if starts != 0 {
            word &= !self.no_words(starts);
        }
        (self.after_letter, self.after_digit, self.after_word) = (letters >> 63, digits >> 63, word >> 63);
        self.at += 64;
        word
    }

    /// Mask of the runs of low lines that are not part of a word. `starts`: mask of the starts of such runs.
    #[cold]
    fn no_words(&mut self, mut starts: u64) -> u64 {
        let mut no_words = 0;
        while starts != 0 {
            let first = starts.trailing_zeros() as usize;
            starts &= starts - 1;
            let start = self.at + first;
            if start >= self.low_lines_end {
                let len = self.text[start..].iter().take_while(|&&byte| byte == b'_').count();
                let is_word = self.text.get(start + len).is_some_and(u8::is_ascii_alphanumeric);
                if is_word {
                    continue;
                }
                self.low_lines_end = start + len;
            }
            let end = (self.low_lines_end - self.at).min(64);
            no_words |= u64::MAX << first & u64::MAX >> (64 - end);
        }
        no_words
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use unicode_segmentation::UnicodeSegmentation;

    use super::*;

    /// Joins the words of several texts, one after another, with every kernel.
    fn check(texts: &[&str]) -> Result<(), TestCaseError> {
        let expected: Vec<&str> = texts.iter().flat_map(|text| text.unicode_words()).collect();
        for (name, join_words) in available() {
            let mut joined = JoinedWords::default();
            joined.push(b"gone");
            joined.clear();
            texts.iter().for_each(|text| join_words(text.as_bytes(), &mut joined));
            prop_assert_eq!(joined.num_words(), expected.len(), "{} {:?}", name, texts);
            for (number, word) in expected.iter().enumerate() {
                prop_assert_eq!(joined.words(number, 1), word.as_bytes(), "{} {:?}", name, texts);
            }
            prop_assert!(joined.all() == expected.join(" ").as_bytes(), "{} {:?}", name, texts);
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn every_kernel_equals_uax_29(
            // Long runs, so that chunks may begin and end at any position.
            first in r"([a-zA-Z]{1,9}|[0-9]{1,4}|[.':,;]{1,2}|_{1,70}| |[\x00-\x7f]){0,150}",
            second in r"[aZ05_.':,; !]{0,200}",
        ) {
            check(&[&first, &second])?;
        }
    }

    #[test]
    fn every_byte_has_its_class_everywhere_in_a_chunk() {
        for byte in 0..0x80u8 {
            for (before, after) in [("a", "a"), ("0", "0"), ("a", "0"), ("_", "_"), (" ", " ")] {
                for at in 0..130 {
                    let text = format!("{}{before}{}{after}", " ".repeat(at), byte as char);
                    check(&[&text, &text]).unwrap();
                }
            }
        }
    }

    #[test]
    fn low_lines_alone_are_no_word_however_many() {
        for len in [1, 63, 64, 65, 200] {
            let low_lines = "_".repeat(len);
            check(&[&format!(" {low_lines} a{low_lines} {low_lines}b {low_lines}"), &format!("{low_lines}.a")])
                .unwrap();
        }
    }
}
