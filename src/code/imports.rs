//! Imports: where one begins, and which tokens belong to it.

use super::rules::Import;
use super::scanner::Scanner;
use super::token::{Token, TokenKind};

/// Bytes that are looked at to tell an import from a declaration.
const MOST_PATH: usize = 256;
/// Bytes that are looked at to tell an import from another declaration.
const MOST_DECLARATION: usize = 1024;

impl<V: FnMut(Token)> Scanner<'_, V> {
    /// Whether a token belongs to the import that began; ends the import where it does not, or is its last.
    pub(super) fn is_import(&mut self, import: &Import, depth: usize, token: &Token) -> bool {
        let text = &self.text[token.bytes.clone()];
        let (belongs, is_last) = match token.kind {
            TokenKind::Operator => (self.depth >= depth, text == b";" && self.depth == depth),
            TokenKind::Name => (true, false),
            TokenKind::Keyword => {
                let is_word = import.words.iter().any(|word| text.eq_ignore_ascii_case(word.as_bytes()));
                (is_word || import.path.is_some(), false)
            }
            TokenKind::String => (import.has_strings, false),
            TokenKind::Number => (false, false),
        };
        if !belongs || is_last {
            self.import = None;
        }
        belongs
    }

    /// Where the import begins that a modifier belongs to, which ends at `end`.
    pub(super) fn modified_import(&self, end: usize) -> Option<usize> {
        let window = &self.text[end..self.text.len().min(end + MOST_PATH)];
        let mut rest = window.trim_ascii_start();
        if rest.first() == Some(&b'(') {
            let close = memchr::memchr(b')', rest)?;
            rest = rest[close + 1..].trim_ascii_start();
        }
        let start = end + window.len() - rest.len();
        let word_end = self.name_end(start);
        let import = self.rules.imports.iter().find(|import| &self.text[start..word_end] == import.word.as_bytes())?;
        (start > end && self.is_statement_start(import) && self.goes_on_as_import(import, word_end)).then_some(start)
    }

    /// Whether a word of an import is one where it stands.
    pub(super) fn begins_import(&self, import: &Import, end: usize) -> bool {
        self.is_statement_start(import) && self.goes_on_as_import(import, end)
    }

    /// The end of the import that a declaration is, whose word ends at `end`, as in `const a = require('b')`.
    pub(super) fn declared_import(&self, word: &[u8], end: usize) -> Option<usize> {
        let may_be = matches!(word, b"const" | b"let" | b"var") && self.is_behind_statement();
        let window = &self.text[end..self.text.len().min(end + MOST_DECLARATION)];
        let len = required_end(if may_be { window } else { &[] })?;
        // What the window cuts off may go on.
        (len < MOST_DECLARATION).then_some(end + len)
    }

    /// Whether an import may begin here.
    fn is_statement_start(&self, import: &Import) -> bool {
        import.anywhere || self.is_behind_statement()
    }

    fn is_behind_statement(&self) -> bool {
        let ends = |previous: &Token| matches!(&self.text[previous.bytes.clone()], b";" | b"{" | b"}");
        self.is_line_start || self.previous.as_ref().is_none_or(ends)
    }

    /// Whether what follows the word of an import, which ends at `end`, is that of one.
    fn goes_on_as_import(&self, import: &Import, end: usize) -> bool {
        let rest = &self.text[end..];
        let blanks = rest.iter().take(MOST_PATH).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        // A name that begins with the word goes on with a letter.
        if rest.get(blanks).is_none_or(|next| import.unless.contains(next)) {
            return false;
        }
        import.path.is_none_or(|between| is_path(&rest[..rest.len().min(MOST_PATH)], between, import.words))
    }
}

/// The end of `a = require('b');` or `{ a, b } = require('c').d`, with the semicolon; `None` when the text begins with anything
/// else.
fn required_end(text: &[u8]) -> Option<usize> {
    let is_in_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
    let is_in_target = |byte: &u8| is_in_name(*byte) || byte.is_ascii_whitespace() || b"{},:".contains(byte);
    let target = text.iter().take_while(|byte| is_in_target(byte)).count();
    let call = text[target..].strip_prefix(b"=")?.trim_ascii_start().strip_prefix(b"require")?;
    let argument = call.trim_ascii_start().strip_prefix(b"(")?.trim_ascii_start();
    let (&quote, path) = argument.split_first().filter(|(quote, _)| matches!(quote, b'"' | b'\'' | b'`'))?;
    let len = path.iter().position(|&byte| byte == quote || byte == b'\n')?;
    let mut rest = path[len..].strip_prefix(&[quote])?.trim_ascii_start().strip_prefix(b")")?;
    while let Some(member) = rest.strip_prefix(b".") {
        let len = member.iter().take_while(|byte| is_in_name(**byte)).count();
        rest = &member[len..];
    }
    let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let end = text.len() - rest.len() + blanks;
    match rest.get(blanks) {
        None | Some(b'\n' | b'\r') => Some(end),
        Some(b';') => Some(end + 1),
        Some(_) => None,
    }
}

/// Whether a text is a path of names up to a semicolon or a line end: names with these characters between, no two names behind
/// each other.
fn is_path(text: &[u8], between: &[u8], words: &[&str]) -> bool {
    let mut rest = text;
    let mut is_behind_name = false;
    while let Some(&byte) = rest.first() {
        let is_in_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
        let len = rest.iter().take_while(|byte| is_in_name(byte)).count();
        if len > 0 {
            let is_word = words.iter().any(|word| word.as_bytes() == &rest[..len]);
            if is_behind_name && !is_word {
                return false;
            }
            is_behind_name = !is_word;
        } else if byte == b';' {
            return true;
        } else if between.contains(&byte) {
            is_behind_name = false;
        } else if !byte.is_ascii_whitespace() {
            return false;
        }
        rest = &rest[len.max(1)..];
    }
    false
}
