//! Names with characters other than letters, digits and underscores: `` `a name` ``, and `$'` of Ruby.

use super::scanner::Scanner;
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

    /// Reads `$'`, `$"`, `$/` and other variables of Ruby that would look like the start of a string.
    pub(super) fn sign_name(&mut self) -> bool {
        let is_name = self.text.get(self.at + 1).is_some_and(|byte| b"'\"`/\\~*$?!@;,.<>".contains(byte));
        if is_name {
            self.push(TokenKind::Name, self.at + 2);
        }
        is_name
    }
}
