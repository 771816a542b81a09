//! Strings with marks of their own in R, Dart, SQL of Oracle and Ruby, in which nothing escapes.

use super::rules::{StringForm, raw};
use super::scanner::Scanner;
use super::strings::string_end;
use super::token::Token;

/// Most marks between a prefix and its bracket.
const MOST_MARKS: usize = 64;

impl<V: FnMut(Token)> Scanner<'_, V> {
    /// `"--(…)--"` behind the prefix of a raw string of R, whose quote is at `quote`.
    pub(super) fn r_raw(&mut self, quote: usize) -> bool {
        let after = &self.text[quote + 1..];
        let len = after.iter().take(MOST_MARKS).take_while(|&&byte| byte == b'-').count();
        let Some(close) = after.get(len).and_then(|&open| closing_bracket(open)).filter(|&close| close != b'>') else {
            return false;
        };
        let closer = [&[close], &after[..len], &self.text[quote..=quote]].concat();
        let end = self.closer_end(quote + 1 + len + 1, &closer);
        end.map(|end| self.push_string(end)).is_some()
    }

    /// A string in which nothing escapes, whose quote is at `quote`.
    pub(super) fn dart_raw(&mut self, quote: usize) -> bool {
        let forms = [raw("\"\"\"", "\"\"\""), raw("'''", "'''"), one_line("\""), one_line("'")];
        let rest = &self.text[quote..];
        let Some(form) = forms.iter().find(|form| rest.starts_with(form.open.as_bytes())) else { return false };
        self.may_search() && self.push_search(string_end(self.text, quote + form.open.len(), form))
    }

    /// `'[…]'` behind the prefix of Oracle, whose quote is at `quote`: with a bracket, or with any character twice.
    pub(super) fn oracle_quotes(&mut self, quote: usize) -> bool {
        let Some(&open) = self.text.get(quote + 1).filter(|byte| self.text[quote] == b'\'' && byte.is_ascii_graphic())
        else {
            return false;
        };
        let closer = [closing_bracket(open).unwrap_or(open), b'\''];
        let end = self.closer_end(quote + 2, &closer);
        end.map(|end| self.push_string(end)).is_some()
    }

    /// A quote behind `?`, which is a character where a value is expected.
    pub(super) fn character(&mut self) -> bool {
        let is_quote = matches!(self.rest(), [b'?', b'"' | b'\'' | b'`', ..]);
        let is_behind_value =
            self.at > 0 && !matches!(self.text[self.at - 1], b' ' | b'\t' | b'\n' | b'(' | b'[' | b'{' | b',' | b'=');
        let next_is_blank = self.text.get(self.at + 2).is_none_or(|byte| !byte.is_ascii_alphanumeric());
        if is_quote && !is_behind_value && next_is_blank {
            self.push_string(self.at + 2);
        }
        is_quote && !is_behind_value && next_is_blank
    }
}

/// The bracket that closes what this one opens.
fn closing_bracket(open: u8) -> Option<u8> {
    Some(match open {
        b'(' => b')',
        b'[' => b']',
        b'{' => b'}',
        b'<' => b'>',
        _ => return None,
    })
}

/// A string on one line, in which nothing escapes.
const fn one_line(quote: &'static str) -> StringForm {
    StringForm { has_lines: false, ..raw(quote, quote) }
}
