//! Imports: where one begins, and which tokens belong to it.

use super::rules::Import;
use super::scanner::Scanner;
use super::token::{Token, TokenKind};

/// Maximum number of bytes that are read to distinguish an import from a declaration.
const MOST_PATH: usize = 256;
/// Maximum number of bytes of an import that is written as a declaration with `require`.
const MOST_DECLARATION: usize = 4096;

impl<V: FnMut(Token)> Scanner<'_, V> {
    /// Whether a token belongs to the current import. A token that does not belong to it, or is its last one, ends the
    /// import.
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

    /// Start of the import that a modifier belongs to. `end` is the end of the modifier.
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

    /// Whether a word that ends at `end` begins the given import here.
    pub(super) fn begins_import(&self, import: &Import, end: usize) -> bool {
        self.is_statement_start(import) && self.goes_on_as_import(import, end)
    }

    /// End of the import that begins with `word`, as in `const a = require('b')`. `end` is the end of `word`.
    pub(super) fn required_import(&self, word: &[u8], end: usize) -> Option<usize> {
        let is_declaration = matches!(word, b"const" | b"let" | b"var");
        if !(is_declaration || word == b"require") || !self.is_behind_statement() {
            return None;
        }
        let window = &self.text[end..self.text.len().min(end + MOST_DECLARATION)];
        let len = required_end(window, is_declaration)?;
        // An import that fills the window may continue after it.
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

    /// Whether the text after the word of an import, which ends at `end`, continues the import.
    fn goes_on_as_import(&self, import: &Import, end: usize) -> bool {
        let rest = &self.text[end..];
        let blanks = rest.iter().take(MOST_PATH).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        // A letter directly after the word would have continued the name.
        if rest.get(blanks).is_none_or(|next| import.unless.contains(next)) {
            return false;
        }
        import.path.is_none_or(|between| is_path(&rest[..rest.len().min(MOST_PATH)], between, import.words))
    }
}

/// Reads a text from the start, as long as it has the expected form.
struct Peeker<'t>(&'t [u8]);

impl<'t> Peeker<'t> {
    /// Skips white space and comments.
    fn skip_blanks(&mut self) {
        loop {
            self.0 = self.0.trim_ascii_start();
            let len = match self.0 {
                [b'/', b'/', ..] => memchr::memchr(b'\n', self.0),
                [b'/', b'*', ..] => memchr::memmem::find(self.0, b"*/").map(|len| len + 2),
                _ => return,
            };
            self.0 = &self.0[len.unwrap_or(self.0.len())..];
        }
    }

    /// Skips white space and a mark; skips nothing if another mark follows.
    fn mark(&mut self, mark: &[u8]) -> Option<()> {
        let mut rest = Self(self.0);
        rest.skip_blanks();
        self.0 = rest.0.strip_prefix(mark)?;
        Some(())
    }

    fn name(&mut self) -> Option<&'t [u8]> {
        self.skip_blanks();
        let is_in_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || *byte >= 0x80;
        let len = self.0.iter().take_while(|byte| is_in_name(byte)).count();
        self.0.split_at_checked(len).filter(|(name, _)| !name.is_empty()).map(|(name, rest)| {
            self.0 = rest;
            name
        })
    }

    /// Reads `a`, or names between braces.
    fn target(&mut self) -> Option<()> {
        if self.name().is_some() {
            return Some(());
        }
        self.mark(b"{")?;
        while self.mark(b"}").is_none() {
            self.name().is_some().then_some(()).or_else(|| self.mark(b",")).or_else(|| self.mark(b":"))?;
        }
        Some(())
    }

    /// Reads `('b').c` after `require`.
    fn required(&mut self) -> Option<()> {
        self.mark(b"(")?;
        self.skip_blanks();
        let (&quote, path) = self.0.split_first().filter(|(quote, _)| matches!(quote, b'"' | b'\'' | b'`'))?;
        let len = path.iter().position(|&byte| byte == quote || byte == b'\n')?;
        self.0 = path[len..].strip_prefix(&[quote])?;
        let _ = self.mark(b",");
        self.mark(b")")?;
        while self.mark(b".").is_some() {
            self.name()?;
        }
        Some(())
    }

    /// If the statement ends here, the number of bytes after its semicolon.
    fn end(self) -> Option<usize> {
        let blanks = self.0.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        match &self.0[blanks..] {
            [b';', rest @ ..] => Some(rest.len()),
            rest @ ([] | [b'\n' | b'\r', ..] | [b'/', b'/' | b'*', ..]) => Some(rest.len()),
            _ => None,
        }
    }
}

/// End of `a = require('b'), { c, d } = require('e').f;` including the semicolon, or of the text after a `require`
/// without a declaration; `None` if the text begins in another way.
fn required_end(text: &[u8], is_declaration: bool) -> Option<usize> {
    let mut rest = Peeker(text);
    loop {
        if is_declaration {
            rest.target()?;
            rest.mark(b"=")?;
            rest.name().filter(|name| name == b"require")?;
        }
        rest.required()?;
        if !is_declaration || rest.mark(b",").is_none() {
            return rest.end().map(|left| text.len() - left);
        }
    }
}

/// Whether a text is a path of names up to a semicolon: names with the given characters between them, and no two names
/// in a row.
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
