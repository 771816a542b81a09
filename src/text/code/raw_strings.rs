//! Strings with marks other than a plain quotation mark, in Rust, Swift, R, Dart, Ruby, and the SQL of Oracle and
//! MySQL.

use super::rules::{Special, StringForm, lines, raw};
use super::scanner::Scanner;
use super::strings::string_end;
use super::token::Token;

/// Maximum number of marks between a prefix and its bracket.
const MOST_MARKS: usize = 64;

impl<V: FnMut(Token)> Scanner<'_, V> {
    /// Reads `"--(…)--"` after the prefix of a raw string of R, whose quote is at `quote`.
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

    /// Reads a Dart string without escapes, whose quote is at `quote`.
    pub(super) fn dart_raw(&mut self, quote: usize) -> bool {
        let forms = [raw("\"\"\"", "\"\"\""), raw("'''", "'''"), one_line("\""), one_line("'")];
        let rest = &self.text[quote..];
        let Some(form) = forms.iter().find(|form| rest.starts_with(form.open.as_bytes())) else { return false };
        self.may_search() && self.push_search(string_end(self.text, quote + form.open.len(), form))
    }

    /// Reads `##"…"##`, whose first mark is at `marks`.
    pub(super) fn hash_string(&mut self, marks: usize) -> bool {
        let len = self.text[marks..].iter().take(MOST_MARKS).take_while(|&&byte| byte == b'#').count();
        if self.text.get(marks + len) != Some(&b'"') {
            return false;
        }
        // Only Swift has such strings with three quotes.
        let rest = &self.text[marks + len..];
        let quotes = if self.rules.has(Special::HashString) && rest.starts_with(b"\"\"\"") { 3 } else { 1 };
        let closer = [&rest[..quotes], &self.text[marks..marks + len]].concat();
        let end = self.closer_end(marks + len + quotes, &closer);
        end.map(|end| self.push_string(end)).is_some()
    }

    /// Reads `#/…/#` of Swift.
    pub(super) fn hash_regex(&mut self) -> bool {
        let len = self.rest().iter().take(MOST_MARKS).take_while(|&&byte| byte == b'#').count();
        if self.rest().get(len) != Some(&b'/') {
            return false;
        }
        let closer = [b"/", &self.rest()[..len]].concat();
        let end = self.closer_end(self.at + len + 1, &closer);
        end.map(|end| self.push_string(end)).is_some()
    }

    /// End of an SQL string in which backslashes escape, as in MySQL, BigQuery and Spark; `None` if they do not.
    ///
    /// Backslashes escape if the text has names in backticks, which other SQL dialects do not have. They also escape if
    /// a letter or digit follows `\'`, because none can follow the end of a string.
    ///
    /// * `quote`: the position of the opening quote.
    /// * `end`: the end of the string if backslashes do not escape.
    pub(super) fn my_sql_string_end(&self, quote: usize, end: Option<usize>) -> Option<usize> {
        let is_escaped = end.is_some_and(|end| {
            self.text[end - 2] == b'\\' && self.text.get(end).is_some_and(|byte| byte.is_ascii_alphanumeric())
        });
        if !self.has_backticks && !is_escaped {
            return None;
        }
        let mark = if self.text[quote] == b'"' { "\"" } else { "'" };
        string_end(self.text, quote + 1, &StringForm { doubles: true, ..lines(mark) }).ok()
    }

    /// Reads `'[…]'` after the prefix of an Oracle string, whose quote is at `quote`: with brackets, or with any other
    /// character at both ends.
    pub(super) fn oracle_quotes(&mut self, quote: usize) -> bool {
        let Some(&open) = self.text.get(quote + 1).filter(|byte| self.text[quote] == b'\'' && byte.is_ascii_graphic())
        else {
            return false;
        };
        let closer = [closing_bracket(open).unwrap_or(open), b'\''];
        let end = self.closer_end(quote + 2, &closer);
        end.map(|end| self.push_string(end)).is_some()
    }

    /// Reads a quote after `?`, which is a character of Ruby where a value is expected.
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

/// The closing bracket of an opening one.
fn closing_bracket(open: u8) -> Option<u8> {
    Some(match open {
        b'(' => b')',
        b'[' => b']',
        b'{' => b'}',
        b'<' => b'>',
        _ => return None,
    })
}

/// A string on one line without escapes.
const fn one_line(quote: &'static str) -> StringForm {
    StringForm { has_lines: false, ..raw(quote, quote) }
}
