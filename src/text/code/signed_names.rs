//! Names with characters other than letters, digits and underscores: `` `a name` ``, and `$'` of Ruby.

use super::scanner::Scanner;
use super::special::trimmed;
use super::token::{Token, TokenKind};

impl<V: FnMut(Token)> Scanner<'_, V> {
    /// Reads `` `a name` `` of Kotlin, Scala and Swift, on one line.
    pub(super) fn quoted_name(&mut self) -> bool {
        let after = &self.rest()[1..];
        let Some(len) = memchr::memchr3(b'`', b'\n', b'\r', after).filter(|&len| len > 0 && after[len] == b'`') else {
            return false;
        };
        self.push(TokenKind::Name, self.at + len + 2);
        true
    }

    /// Reads `[it's]` of Transact-SQL, where a quotation mark in it would open a string.
    pub(super) fn bracketed_name(&mut self) -> bool {
        let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'#' | b'@') || byte >= 0x80;
        let before = self.at.checked_sub(1).map(|at| self.text[at]);
        let is_index = before.is_some_and(|byte| is_of_name(byte) || b")]\"`".contains(&byte));
        let after = &self.rest()[1..];
        let Some(len) = memchr::memchr3(b']', b'\n', b'\r', after).filter(|&len| after[len] == b']') else {
            return false;
        };
        let name = &after[..len];
        let is_odd = |quote| memchr::memchr_iter(quote, name).count() % 2 == 1;
        let is_name = name.first().is_some_and(|&byte| is_of_name(byte)) && (is_odd(b'\'') || is_odd(b'"'));
        if is_index || !is_name {
            return false;
        }
        self.push(TokenKind::Name, self.at + len + 2);
        true
    }

    /// Reads `__halt_compiler();` of PHP, and the data after it as one string.
    ///
    /// * `end`: where the word ends.
    pub(super) fn halt(&mut self, end: usize) {
        /// The maximum number of bytes between the word and the end of its statement.
        const MOST: usize = 64;
        self.push(TokenKind::Name, end);
        let rest = self.rest();
        let call = rest.iter().take(MOST).take_while(|byte| byte.is_ascii_whitespace() || b"()".contains(byte)).count();
        let close = match &rest[call..] {
            [b';', ..] => 1,
            [b'?', b'>', ..] => 2,
            _ => return,
        };
        let data = trimmed(self.text, end + call + close..self.text.len());
        if !data.is_empty() {
            self.at = data.start;
            self.push(TokenKind::String, data.end);
        }
        self.at = self.text.len();
    }

    /// Reads `$'`, `$"`, `$/` and other variables of Ruby that would look like the start of a string.
    pub(super) fn sign_name(&mut self) -> bool {
        let is_name = self.text.get(self.at + 1).is_some_and(|byte| b"'\"`/\\~*$?!@;,.<>".contains(byte));
        if is_name {
            self.push(TokenKind::Name, self.at + 2);
        }
        is_name
    }
}
