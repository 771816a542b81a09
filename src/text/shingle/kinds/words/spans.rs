//! Cuts a text into spans, most of them ASCII, without cutting a word. ASCII spans are processed faster.
//!
//! A word always ends between a space and any other ASCII character. No rule of UAX #29 looks beyond that position,
//! because the rules skip only marks and joiners, which are not ASCII. So a text can be cut there, and each part can be
//! processed separately.

use crate::text::shingle::hashes::as_str;
use crate::text::shingle::kinds::chars::utf8::ascii_len;

/// A part of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextSpan<'t> {
    /// A span of ASCII only.
    Ascii(&'t [u8]),
    Any(&'t str),
}

/// The spans of a text, which must be valid UTF-8. ASCII spans have at most `most` bytes.
pub(super) fn spans(text: &[u8], most: usize) -> impl Iterator<Item = TextSpan<'_>> {
    let is_cut = |at: &usize| text[at - 1] == b' ' && text[*at].is_ascii() && text[*at] != b' ';
    let mut start = 0;
    std::iter::from_fn(move || {
        if start == text.len() {
            return None;
        }
        let ascii_end = start + ascii_len(&text[start..text.len().min(start + most)]);
        let ascii = if ascii_end == text.len() {
            Some(ascii_end)
        } else {
            // The last possible cut within the run of ASCII.
            (start + 1..ascii_end).rev().find(is_cut)
        };
        let end = ascii.unwrap_or_else(|| (ascii_end.max(start + 1)..text.len()).find(is_cut).unwrap_or(text.len()));
        let span = &text[start..end];
        start = end;
        Some(if ascii.is_some() { TextSpan::Ascii(span) } else { TextSpan::Any(as_str(span)) })
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_not_ascii_takes_no_more_with_it_than_it_must() {
        use TextSpan::*;
        let found: Vec<TextSpan> = spans("one two caf\u{e9}s 3.5 ) four \u{301}x five  six".as_bytes(), 64).collect();
        assert_eq!(
            found,
            [Ascii(b"one two "), Any("caf\u{e9}s "), Ascii(b"3.5 ) "), Any("four \u{301}x "), Ascii(b"five  six")]
        );
    }

    proptest! {
        #[test]
        fn spans_make_up_the_text(text in r"([a-z ]{0,9}|\u{301}|é|_){0,20}", most in 1usize..20) {
            let mut whole = String::new();
            for span in spans(text.as_bytes(), most) {
                let part = match span {
                    TextSpan::Ascii(part) => {
                        prop_assert!(part.is_ascii() && part.len() <= most);
                        as_str(part)
                    }
                    TextSpan::Any(part) => part,
                };
                prop_assert!(!part.is_empty());
                whole += part;
            }
            prop_assert_eq!(whole, text);
        }
    }
}
