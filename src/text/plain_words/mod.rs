//! Plain words: the words of a text without its typography, so that copies of a passage in different disguises have equal
//! words.
//!
//! A word is a run of letters and digits. These differences between two copies have no effect:
//!
//! - line breaks, white space and punctuation, which separate words and are nothing else;
//! - case, accents and Unicode forms: letters are decomposed, lower-cased, and lose their marks; `ß` is `ss`;
//! - apostrophes within words and invisible characters such as zero-width spaces and soft hyphens, which are ignored;
//! - HTML character references and the escapes of JSON strings (see `escapes`).
//!
//! In scripts without spaces each letter with its marks is a word. One pass over the decoded text finds the words with
//! their bytes in that text, so nothing needs to be mapped back; ASCII costs a table look-up for each byte. A
//! [`Normalizer`](crate::text::normalize::Normalizer) joins words where it removes punctuation, and knows no escapes.

mod escapes;

use std::ops::Range;

use unicode_normalization::char::decompose_compatible;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

use self::escapes::{Escape, backslash, reference};
use crate::base::scripts::{first_char, is_spaceless};

/// A byte that separates words.
const SEPARATOR: u8 = 0;
/// A byte that is ignored: an apostrophe.
const IGNORED: u8 = 1;
/// The first byte of an escape, of a character reference or of a character that is not ASCII.
const SPECIAL: u8 = 2;

/// The lower-case letter or the digit for each byte, or one of the classes above.
const CLASSES: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut classes = [SEPARATOR; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            letter @ (b'a'..=b'z' | b'0'..=b'9' | b'A'..=b'Z') => letter.to_ascii_lowercase(),
            b'\'' => IGNORED,
            b'&' | b'\\' | 0x80.. => SPECIAL,
            _ => SEPARATOR,
        };
        byte += 1;
    }
    classes
}

/// Calls `visit` with a 64-bit hash of each word and its bytes in the text, which must be valid UTF-8.
///
/// Equal words have equal hashes; different words have different ones, up to collisions of 64-bit hashes.
pub(crate) fn for_each_plain_word(text: &[u8], mut visit: impl FnMut(u64, Range<usize>)) {
    let (mut word, mut at) = (OpenWord::default(), 0);
    while let Some(&byte) = text.get(at) {
        match CLASSES[usize::from(byte)] {
            SEPARATOR => {
                word.close(&mut visit);
                at += 1;
            }
            IGNORED => at += 1,
            SPECIAL => at += special(text, at, &mut word, &mut visit),
            letter => {
                word.push_letter(letter, at, at + 1, &mut visit);
                at += 1;
            }
        }
    }
    word.close(&mut visit);
}

/// The plain words of a text, each with its bytes in the text.
#[cfg(test)]
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for_each_plain_word(text.as_bytes(), |_, bytes| words.push(&text[bytes]));
    words
}

/// Reads an escape, a character reference or a character that is not ASCII; returns its length in bytes.
#[cold]
fn special(text: &[u8], at: usize, word: &mut OpenWord, visit: &mut impl FnMut(u64, Range<usize>)) -> usize {
    let rest = &text[at..];
    let escape = match rest[0] {
        b'&' => reference(rest),
        b'\\' => backslash(rest),
        _ => {
            let c = first_char(rest).unwrap_or(char::REPLACEMENT_CHARACTER);
            word.add(c, at, at + c.len_utf8(), visit);
            return c.len_utf8();
        }
    };
    let Escape { len, c, separates } = escape;
    if separates {
        word.close(visit);
    }
    if let Some(c) = c {
        word.add(c, at, at + len, visit);
    }
    len
}

/// The hash of a word so far. It does not depend on how the word's characters were written.
#[derive(Debug, Default)]
struct OpenWord {
    bytes: Range<usize>,
    /// The hash of all full groups of 8 bytes.
    hash: u64,
    /// The bytes since then.
    group: u64,
    len: u32,
    /// Whether the word is a letter of a script without spaces, to which only marks can be added.
    is_letter: bool,
}

impl OpenWord {
    /// Adds a byte of a folded letter, which has these bytes in the text.
    #[inline(always)]
    fn push(&mut self, byte: u8, start: usize, end: usize) {
        if self.len == 0 {
            self.bytes.start = start;
        }
        self.bytes.end = end;
        self.group = self.group << 8 | u64::from(byte);
        self.len += 1;
        if self.len.is_multiple_of(8) {
            self.hash = (self.hash ^ self.group).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
            self.group = 0;
        }
    }

    /// Ends the word, if there is one.
    #[inline(always)]
    fn close(&mut self, visit: &mut impl FnMut(u64, Range<usize>)) {
        if self.len == 0 {
            return;
        }
        // The highest byte of the group is free, since a full group has been added.
        let hash = mixed(self.hash ^ self.group ^ u64::from(self.len) << 56);
        visit(hash, self.bytes.clone());
        *self = Self::default();
    }

    /// Adds a character in any form.
    fn add(&mut self, c: char, start: usize, end: usize, visit: &mut impl FnMut(u64, Range<usize>)) {
        if c.is_ascii() {
            // A digit or letter that an escape represents.
            match CLASSES[c as usize] {
                SEPARATOR | SPECIAL => self.close(visit),
                IGNORED => {}
                letter => self.push_letter(letter, start, end, visit),
            }
            return;
        }
        if is_apostrophe(c) {
            return;
        }
        if matches!(c.general_category(), GeneralCategory::Format) {
            return;
        }
        if c >= '\u{E00}' && is_spaceless(c) {
            let is_mark = c.general_category_group() == GeneralCategoryGroup::Mark;
            if !(is_mark && self.is_letter) {
                self.close(visit);
            }
            if is_mark || c.is_alphanumeric() {
                decompose_compatible(c, |part| self.push_char(part, start, end));
                self.is_letter = self.len > 0;
            }
            return;
        }
        decompose_compatible(c, |part| {
            if is_apostrophe(part) || part == '\'' {
                return;
            }
            for small in part.to_lowercase() {
                match small {
                    'ß' => b"ss".iter().for_each(|&byte| self.push_letter(byte, start, end, visit)),
                    'ς' => self.push_plain('σ', start, end, visit),
                    _ if small.is_alphanumeric() => self.push_plain(small, start, end, visit),
                    _ if small.general_category_group() == GeneralCategoryGroup::Mark => {
                        // A mark belongs to the letter before it.
                        if self.len > 0 {
                            self.bytes.end = end;
                        }
                    }
                    _ => self.close(visit),
                }
            }
        });
    }

    #[inline(always)]
    fn push_letter(&mut self, byte: u8, start: usize, end: usize, visit: &mut impl FnMut(u64, Range<usize>)) {
        if self.is_letter {
            self.close(visit);
        }
        self.push(byte, start, end);
    }

    /// Adds a letter of a script with spaces.
    fn push_plain(&mut self, c: char, start: usize, end: usize, visit: &mut impl FnMut(u64, Range<usize>)) {
        if self.is_letter {
            self.close(visit);
        }
        self.push_char(c, start, end);
    }

    fn push_char(&mut self, c: char, start: usize, end: usize) {
        let mut utf8 = [0; 4];
        c.encode_utf8(&mut utf8).bytes().for_each(|byte| self.push(byte, start, end));
    }
}

/// Whether a character is an apostrophe, in any of the forms in which texts have it within words.
fn is_apostrophe(c: char) -> bool {
    matches!(c, '\u{2018}' | '\u{2019}' | '\u{201B}' | '\u{2BC}' | '\u{FF07}' | '\u{2032}')
}

/// Distributes the bits of a hash.
#[inline(always)]
fn mixed(mut hash: u64) -> u64 {
    hash = (hash ^ hash >> 33).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    hash = (hash ^ hash >> 33).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
    hash ^ hash >> 33
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::test_runner::FileFailurePersistence;
    use unicode_normalization::UnicodeNormalization;

    use super::*;

    fn hashes(text: &str) -> Vec<u64> {
        let mut hashes = Vec::new();
        for_each_plain_word(text.as_bytes(), |hash, _| hashes.push(hash));
        hashes
    }

    #[track_caller]
    fn equal(a: &str, b: &str) {
        assert_eq!(hashes(a), hashes(b), "{a:?} {:?} and {b:?} {:?}", words(a), words(b));
        assert!(!hashes(a).is_empty());
    }

    #[test]
    fn words_are_runs_of_letters_and_digits_with_their_bytes() {
        assert_eq!(words("The  quick-brown_fox, (42)!"), ["The", "quick", "brown", "fox", "42"]);
        assert_eq!(words("Crème brûlée don't"), ["Crème", "brûlée", "don't"]);
        assert_eq!(words("cre\u{300}me"), ["cre\u{300}me"]);
        assert_eq!(words("天地 ที่ 3カ"), ["天", "地", "ที่", "3", "カ"]);
        assert_eq!(words("用Python3写 丙X1"), ["用", "Python3", "写", "丙", "X1"]);
        assert_eq!(words(" ?! \u{200B}"), [""; 0]);
        assert_eq!(words("a&quot;b\\nc &lt;"), ["a", "b", "c"]);
    }

    #[test]
    fn disguises_do_not_change_the_words() {
        let text = "\"Don't\" it's a naïve façade — Straße Σίσυφος, 42 ﬁelds";
        equal(text, "DON’T, IT’S A NAÏVE\r\n\tFAÇADE: STRASSE ΣΊΣΥΦΟΣ 42 FIELDS");
        equal(text, &text.nfd().collect::<String>());
        equal(text, "> **Don&#39;t** it&apos;s a na&iuml;ve fa&ccedil;ade &mdash; Stra&szlig;e Σίσυφος, 42 fields");
        equal(text, r#"\"Don't\"\nit's a na\u00efve\tfa\u00e7ade \u2014 Stra\u00dfe Σίσυφος, 42 fields"#);
        equal("用Python写一个1", "用 **Python** 写`一个`１");
        equal(text, "- D\u{200B}on't it\u{AD}'s\n- a naïve façade\n- Straße Σίσυφος, ４２ fie\u{2060}lds");
    }

    #[test]
    fn different_words_have_different_hashes() {
        let words = "a b ab ba aa aaaaaaaa aaaaaaaaa aaaaaaaab baaaaaaaa é e\u{304}a 天 地 天地";
        let mut found = hashes(words);
        let num = found.len();
        found.sort_unstable();
        found.dedup();
        // 天 and 地 occur twice.
        assert_eq!(found.len(), num - 2);
    }

    /// The cases that failed once are tried first.
    fn cases() -> ProptestConfig {
        let failed = FileFailurePersistence::Direct("tests/regressions/plain_words.txt");
        ProptestConfig { failure_persistence: Some(Box::new(failed)), ..ProptestConfig::default() }
    }

    proptest! {
        #![proptest_config(cases())]

        #[test]
        fn bytes_of_words_follow_one_another(text in r"([a-cÀ-ǿ]{0,9}|\u{301}|&[a-z#0-9]{0,5};|\\[nu0-9a-f]{0,6}|[天ที่カ]|\u{200B}|[ .'’]){0,30}") {
            let mut before = 0..0;
            for_each_plain_word(text.as_bytes(), |_, bytes| {
                assert!(bytes.end > bytes.start && text.get(bytes.clone()).is_some());
                // A character such as `¼` belongs to two words.
                assert!(bytes.start >= before.start && bytes.end >= before.end, "{before:?} {bytes:?}");
                before = bytes;
            });
        }

        #[test]
        fn forms_and_case_do_not_matter(text in r"([a-zA-ZÀ-ſ]{1,9}|[.,;:!?-]|\n| ){0,30}") {
            let expected = hashes(&text);
            prop_assert_eq!(&hashes(&text.nfd().collect::<String>()), &expected);
            prop_assert_eq!(&hashes(&text.nfkc().collect::<String>()), &expected);
            prop_assert_eq!(&hashes(&text.to_lowercase()), &expected);
        }
    }
}
