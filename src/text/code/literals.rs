//! Reads comments, and the forms of strings that the table lists.

use super::rules::{Inner, Special, quoted, raw};
use super::scanner::Scanner;
use super::strings::{Search, begins_with, comment_end, string_end, string_end_with_inner};
use super::token::{Token, TokenKind};

/// Maximum number of bytes that are searched for the end of a multi-line attribute value.
const MOST_ATTRIBUTE: usize = 4096;

impl<V: FnMut(Token)> Scanner<'_, V> {
    /// Skips a comment; returns whether there is one.
    pub(super) fn comment(&mut self) -> bool {
        let rest = self.rest();
        if self.rules.has(Special::LongBrackets)
            && rest.starts_with(b"--[")
            && let Some(end) = self.long_brackets(self.at + 2)
        {
            self.at = end;
            return true;
        }
        for (number, comment) in self.rules.block_comments.iter().enumerate() {
            let is_open = begins_with(rest, comment.open)
                && (!comment.at_line_start || self.at == 0 || self.text[self.at - 1] == b'\n');
            if !is_open || self.at < self.dead_comments[number] {
                continue;
            }
            let inside = self.at + comment.open.len();
            let found = if comment.at_line_start {
                self.comment_of_lines_end(inside, comment.close)
            } else {
                comment_end(self.text, inside, comment.open, comment.close, comment.nests)
            };
            match found {
                Ok(end) => {
                    self.at = end;
                    return true;
                }
                // Comments nest in some SQL dialects only.
                Err(_) if self.rules.has(Special::MySql) && self.ends_first_comment(inside, comment.close) => {
                    return true;
                }
                Err(stop) => self.dead_comments[number] = self.failed(stop),
            }
        }
        let is_comment = self.rules.line_comments.iter().any(|open| begins_with(rest, open))
            || (self.rules.has(Special::MySql) && self.is_line_start && rest.starts_with(b"# "));
        let is_something_else = (self.rules.has(Special::Tags) && rest.starts_with(b"#["))
            || (self.rules.has(Special::ShellWords) && !self.may_begin_word())
            || (self.rules.has(Special::TextOfTags) && self.is_behind_scheme());
        if is_comment && !is_something_else {
            let end = self.line_comment_end();
            let tag = self.rules.has(Special::Tags).then(|| memchr::memmem::find(&self.text[self.at..end], b"?>"));
            self.at = tag.flatten().map_or(end, |len| self.at + len);
            return true;
        }
        false
    }

    /// Skips a comment up to the first closer; returns whether there is one.
    fn ends_first_comment(&mut self, inside: usize, close: &str) -> bool {
        let found = comment_end(self.text, inside, "", close, false);
        found.map(|end| self.at = end).is_ok()
    }

    /// End of the line, or of the last line on which the comment continues.
    fn line_comment_end(&self) -> usize {
        let goes_on = self.rules.has(Special::ContinuedComments);
        let ends = memchr::memchr2_iter(b'\n', b'\r', self.rest()).map(|len| self.at + len);
        // `ends` contains both the carriage return and the line feed of a continued line.
        let is_behind_backslash = |end: usize| matches!(&self.text[..end], [.., b'\\'] | [.., b'\\', b'\r']);
        ends.into_iter().find(|&end| !(goes_on && is_behind_backslash(end))).unwrap_or(self.text.len())
    }

    /// End of the line that begins with the closer.
    fn comment_of_lines_end(&self, inside: usize, close: &str) -> Search {
        let mut line_ends = memchr::memchr_iter(b'\n', &self.text[inside..]).map(|len| inside + len + 1);
        let closer = line_ends.find(|&start| self.text[start..].starts_with(close.as_bytes()));
        closer.map_or(Err(self.text.len()), |start| {
            Ok(memchr::memchr(b'\n', &self.text[start..]).map_or(self.text.len(), |len| start + len))
        })
    }

    /// Whether slashes here belong to a URL, as in `http://`.
    fn is_behind_scheme(&self) -> bool {
        let before = &self.text[self.at.saturating_sub(8)..self.at];
        ["http:", "https:", "ws:", "wss:", "ftp:", "file:"].iter().any(|scheme| before.ends_with(scheme.as_bytes()))
    }

    /// Whether a shell word may begin here.
    fn may_begin_word(&self) -> bool {
        self.at == 0
            || matches!(self.text[self.at - 1], b' ' | b'\t' | b'\n' | b'\r' | b';' | b'|' | b'&' | b'(' | b')')
    }

    /// Reads a string in one of the language's forms; returns whether there is one.
    pub(super) fn string(&mut self) -> bool {
        let rest = self.rest();
        if matches!(rest[0], b'"' | b'\'') && self.rules.has(Special::TextOfTags) && self.is_apostrophe() {
            return false;
        }
        for (number, form) in self.rules.strings.iter().enumerate() {
            if !begins_with(rest, form.open) {
                continue;
            }
            let inner = form.inner.or_else(|| self.template_inner());
            if let Some(end) = self.attribute_end().or_else(|| self.string_end(number, self.at, inner)) {
                self.push_string(end);
                return true;
            }
            // The quotes of an unclosed `"""` are not the strings `""` and `"`.
            let len = form.open.len();
            (0..len).for_each(|_| self.push(TokenKind::Operator, self.at + 1));
            return true;
        }
        false
    }

    /// Whether a quote directly follows a name or a number, which happens in no program except in `from'x'`.
    fn is_apostrophe(&self) -> bool {
        self.previous.as_ref().is_some_and(|token| {
            let word = &self.text[token.bytes.clone()];
            token.bytes.end == self.at
                && match token.kind {
                    TokenKind::Name | TokenKind::Number => word != b"from",
                    // Other keywords, as in `return'x'`, may precede a string.
                    TokenKind::Keyword => matches!(word, b"class" | b"function" | b"let" | b"new" | b"this"),
                    _ => false,
                }
        })
    }

    /// End of a JSX attribute value of several lines; `None` for any other string.
    fn attribute_end(&self) -> Option<usize> {
        let is_attribute = self.rules.has(Special::TextOfTags)
            && matches!(self.rest()[0], b'"' | b'\'')
            && matches!(self.text[..self.at], [.., b'a'..=b'z' | b'A'..=b'Z', b'=']);
        if !is_attribute {
            return None;
        }
        let mark = if self.rest()[0] == b'"' { "\"" } else { "'" };
        let text = &self.text[..self.text.len().min(self.at + MOST_ATTRIBUTE)];
        let has_one_line = string_end(text, self.at + 1, &quoted(mark)).is_ok();
        if has_one_line { None } else { string_end(text, self.at + 1, &raw(mark, mark)).ok() }
    }

    /// The marks of programs in a string directly after a name that makes it a template.
    fn template_inner(&self) -> Option<Inner> {
        let templates = self.rules.templates.as_ref().filter(|templates| templates.prefixes.is_empty())?;
        let previous = self.previous.as_ref()?;
        (previous.kind == TokenKind::Name && previous.bytes.end == self.at).then_some(templates.inner)
    }

    /// End of a string whose opener is at `open`.
    ///
    /// * `number`: the index of the string's form in the rules.
    /// * `inner`: the marks of programs in the string.
    fn string_end(&mut self, number: usize, open: usize, inner: Option<Inner>) -> Option<usize> {
        let form = &self.rules.strings[number];
        if self.rules.has(Special::MySql) && form.doubles && self.may_search() && open >= self.dead_strings[number] {
            let plain = if self.has_backticks { None } else { string_end(self.text, open + 1, form).ok() };
            if let Some(end) = self.my_sql_string_end(open, plain).or(plain) {
                return Some(end);
            }
        }
        if open < self.dead_strings[number] {
            return None;
        }
        let inside = open + form.open.len();
        if let Some(inner) = inner.filter(|_| self.may_search()) {
            match string_end_with_inner(self.text, inside, form, inner) {
                Ok(end) => return Some(end),
                Err(stop) => self.failed_bytes += stop - open,
            }
        }
        match string_end(self.text, inside, form) {
            Ok(end) => Some(end),
            Err(stop) => {
                self.dead_strings[number] = self.failed(stop.max(self.at));
                None
            }
        }
    }

    /// Reads a string whose prefix is a word that ends at `end`; returns whether there is one.
    pub(super) fn prefixed_string(&mut self, word: &[u8], end: usize) -> bool {
        let Some(quote) = self.text.get(end).filter(|&&byte| matches!(byte, b'"' | b'\'' | b'#')) else { return false };
        if self.special_prefix(word, end) {
            return true;
        }
        let is_prefix = self.rules.prefixes.iter().any(|prefix| word.eq_ignore_ascii_case(prefix.as_bytes()));
        if !is_prefix || *quote == b'#' {
            return false;
        }
        let rest = &self.text[end..];
        let Some(number) = self.rules.strings.iter().position(|form| rest.starts_with(form.open.as_bytes())) else {
            return false;
        };
        let is_template = |prefixes: &[&str]| {
            prefixes.is_empty() || prefixes.iter().any(|prefix| word.eq_ignore_ascii_case(prefix.as_bytes()))
        };
        let template = self.rules.templates.as_ref().filter(|templates| is_template(templates.prefixes));
        let inner = self.rules.strings[number].inner.or(template.map(|templates| templates.inner));
        let found = self.string_end(number, end, inner);
        found.map(|end| self.push_string(end)).is_some()
    }

    /// Passes on a string that ends at `end`, unless it is a comment.
    pub(super) fn push_string(&mut self, end: usize) {
        if self.rules.has(Special::DocStrings) && self.is_line_start && self.depth == 0 && self.is_line_end(end) {
            self.at = end;
        } else {
            self.push(TokenKind::String, end);
        }
    }

    /// Whether only blanks and a comment follow on the line.
    fn is_line_end(&self, end: usize) -> bool {
        let next = self.text[end..].iter().find(|byte| !matches!(byte, b' ' | b'\t'));
        matches!(next, None | Some(b'\n' | b'\r' | b'#' | b';'))
    }
}
