//! `RtfTokens`: cuts rich text into groups, control words and bytes of text.

/// A token of rich text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RtfToken<'b> {
    Open,
    Close,
    /// `\*`: programs that do not know the next word skip the group.
    Star,
    /// A control word and its number.
    Word(&'b str, Option<i32>),
    /// A byte of text.
    Byte(u8),
    /// A character that a control symbol represents.
    Char(char),
}

/// The tokens of a document, in order.
pub(super) struct RtfTokens<'b> {
    rest: &'b [u8],
}

impl<'b> RtfTokens<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self { rest: bytes }
    }

    /// The token after a `\`.
    fn control(&mut self) -> Option<RtfToken<'b>> {
        let (&first, rest) = self.rest.split_first()?;
        if first.is_ascii_alphabetic() {
            return Some(self.word());
        }
        self.rest = rest;
        Some(match first {
            b'\'' => {
                let digits = self.rest.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
                let digits = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
                let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
                self.rest = if byte.is_some() { &self.rest[2..] } else { self.rest };
                RtfToken::Byte(byte.unwrap_or(b'?'))
            }
            b'*' => RtfToken::Star,
            b'~' => RtfToken::Char('\u{A0}'),
            b'_' => RtfToken::Char('\u{2011}'),
            b'-' => RtfToken::Char('\u{AD}'),
            b'\n' | b'\r' => RtfToken::Word("par", None),
            b'\t' => RtfToken::Word("tab", None),
            b'\\' | b'{' | b'}' => RtfToken::Byte(first),
            _ => RtfToken::Word("", None),
        })
    }

    fn word(&mut self) -> RtfToken<'b> {
        let len = self.rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let (word, rest) = self.rest.split_at(len);
        let is_negative = rest.first() == Some(&b'-');
        let digits = &rest[usize::from(is_negative)..];
        let num_digits = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let mut number = None;
        self.rest = rest;
        if num_digits > 0 {
            let text = &rest[..usize::from(is_negative) + num_digits];
            number = std::str::from_utf8(text).ok().and_then(|text| text.parse().ok());
            self.rest = &rest[text.len()..];
        }
        self.rest = self.rest.strip_prefix(b" ").unwrap_or(self.rest);
        let word = std::str::from_utf8(word).unwrap_or_default();
        if word == "bin" {
            let num_bytes = number.and_then(|number| usize::try_from(number).ok()).unwrap_or(0);
            self.rest = self.rest.get(num_bytes..).unwrap_or_default();
        }
        RtfToken::Word(word, number)
    }
}

impl<'b> Iterator for RtfTokens<'b> {
    type Item = RtfToken<'b>;

    fn next(&mut self) -> Option<RtfToken<'b>> {
        loop {
            let (&first, rest) = self.rest.split_first()?;
            self.rest = rest;
            return Some(match first {
                b'{' => RtfToken::Open,
                b'}' => RtfToken::Close,
                b'\\' => return self.control(),
                b'\n' | b'\r' | 0 => continue,
                byte => RtfToken::Byte(byte),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_end_at_a_space_that_belongs_to_them() {
        let tokens: Vec<_> = RtfTokens::new(b"{\\b0 a\\'e9\\u-10179?\\*\\x\\bin3 {}{b}\n").collect();
        let expected = [
            RtfToken::Open,
            RtfToken::Word("b", Some(0)),
            RtfToken::Byte(b'a'),
            RtfToken::Byte(0xE9),
            RtfToken::Word("u", Some(-10179)),
            RtfToken::Byte(b'?'),
            RtfToken::Star,
            RtfToken::Word("x", None),
            RtfToken::Word("bin", Some(3)),
            RtfToken::Byte(b'b'),
            RtfToken::Close,
        ];
        assert_eq!(tokens, expected);
    }

    #[test]
    fn tokens_of_cut_text_end() {
        for text in ["\\", "\\'", "\\'e", "{\\bin9 ab", "\\u-"] {
            assert!(RtfTokens::new(text.as_bytes()).count() <= 3, "{text}");
        }
    }
}
