//! Forms that only a few languages have: raw strings with their own marks, heredocs, regular expressions, tags,
//! preprocessor lines.

use std::ops::Range;

use super::rules::{Heredocs, Special, StringForm, lines, quoted};
use super::scanner::Scanner;
use super::strings::{Search, bracketed_end, regex_end, string_end};
use super::token::{Token, TokenKind};

/// Maximum number of bytes of a name that closes a string.
const MOST_NAME: usize = 64;

impl<V: FnMut(Token)> Scanner<'_, V> {
    /// Reads a form that begins with a sign and exists in this language only or in a few; returns whether there is one.
    pub(super) fn special(&mut self, byte: u8) -> bool {
        for &special in self.rules.specials {
            let is_done = match (special, byte) {
                (Special::Heredoc(heredocs), b'<') => self.heredoc(heredocs),
                (Special::Regex, b'/') => self.regex(),
                (Special::CharOrName, b'\'') => self.char_or_name(),
                (Special::PercentStrings, b'%') => self.percent_string(),
                (Special::Characters, b'?') => self.character(),
                (Special::PostgresStrings, b'$') => self.dollar_quotes(),
                (Special::CountedQuotes, b'"' | b'$') => self.counted_quotes(),
                (Special::HashString, b'#') => self.hash_string(self.at) || self.hash_regex(),
                (Special::QuotedNames, b'`') => self.quoted_name(),
                (Special::BracketedNames, b'[') => self.bracketed_name(),
                (Special::SignNames, b'$') => self.sign_name(),
                (Special::Directives(words), b'#') => self.directive(words),
                (Special::Tags, b'?') if self.rest().starts_with(b"?>") => {
                    self.at += 2;
                    self.text_between_tags();
                    true
                }
                (Special::LongBrackets, b'[') => match self.long_brackets(self.at) {
                    Some(end) => {
                        self.push_string(end);
                        true
                    }
                    None => false,
                },
                _ => false,
            };
            if is_done {
                return true;
            }
        }
        false
    }

    /// Reads a form that begins with a word followed by a quote or `#` at `end`; returns whether there is one.
    pub(super) fn special_prefix(&mut self, word: &[u8], end: usize) -> bool {
        if self.rules.has(Special::CppRaw) && matches!(word, b"R" | b"LR" | b"uR" | b"UR" | b"u8R") {
            return self.cpp_raw(end);
        }
        if self.rules.has(Special::RRaw) && matches!(word, b"r" | b"R") {
            return self.r_raw(end);
        }
        if self.rules.has(Special::DartRaw) && word == b"r" {
            return self.dart_raw(end);
        }
        if self.rules.has(Special::OracleQuotes)
            && (word.eq_ignore_ascii_case(b"q") || word.eq_ignore_ascii_case(b"nq"))
        {
            return self.oracle_quotes(end);
        }
        if self.rules.has(Special::HashRaw) && matches!(word, b"r" | b"br" | b"cr") {
            return self.hash_string(end) || (word == b"r" && self.raw_name(end));
        }
        if self.rules.has(Special::PostgresStrings) && matches!(word, b"e" | b"E") && self.text[end] == b'\'' {
            let form = StringForm { doubles: true, ..lines("'") };
            return self.may_search() && self.push_search(string_end(self.text, end + 1, &form));
        }
        if self.rules.has(Special::CharOrName) && word == b"b" && self.text[end] == b'\'' {
            return self.char_end(end).map(|end| self.push_string(end)).is_some();
        }
        false
    }

    /// Position after the first closer at or after `inside`.
    pub(super) fn closer_end(&mut self, inside: usize, closer: &[u8]) -> Option<usize> {
        if !self.may_search() {
            return None;
        }
        match memchr::memmem::find(&self.text[inside..], closer) {
            Some(len) => Some(inside + len + closer.len()),
            None => {
                self.failed(self.text.len());
                None
            }
        }
    }

    pub(super) fn push_search(&mut self, search: Search) -> bool {
        match search {
            Ok(end) => self.push_string(end),
            Err(stop) => drop(self.failed(stop)),
        }
        search.is_ok()
    }

    /// Reads `R"name(…)name"`, whose quote is at `quote`.
    fn cpp_raw(&mut self, quote: usize) -> bool {
        let after = &self.text[quote + 1..];
        let Some(len) = after.iter().take(MOST_NAME).position(|&byte| byte == b'(') else { return false };
        let closer = [b")", &after[..len], b"\""].concat();
        let end = self.closer_end(quote + 1 + len, &closer);
        end.map(|end| self.push_string(end)).is_some()
    }

    /// Reads `r#name`, whose mark is at `mark`.
    fn raw_name(&mut self, mark: usize) -> bool {
        let end = self.name_end(mark + 1);
        let is_name = self.text[mark] == b'#' && end > mark + 1;
        if is_name {
            self.push(TokenKind::Name, end);
        }
        is_name
    }

    /// End of a quoted character whose first quote is at `quote`; `None` if the quote is the mark of a name.
    fn char_end(&self, quote: usize) -> Option<usize> {
        let after = &self.text[quote + 1..];
        if after.first() == Some(&b'\\') {
            return string_end(&after[..after.len().min(MOST_NAME)], 0, &quoted("'")).ok().map(|len| quote + 1 + len);
        }
        let valid = after[..after.len().min(4)].utf8_chunks().next().map_or("", |chunk| chunk.valid());
        let len = valid.chars().next()?.len_utf8();
        (after.get(len) == Some(&b'\'') && after[0] != b'\'').then_some(quote + 2 + len)
    }

    /// Reads `'a'` or `'a`.
    fn char_or_name(&mut self) -> bool {
        if let Some(end) = self.char_end(self.at) {
            self.push_string(end);
            return true;
        }
        let after = &self.rest()[1..];
        let len = after.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        if len > 0 {
            self.push(TokenKind::Name, self.at + 1 + len);
        }
        len > 0
    }

    /// End of `[==[…]==]`, whose first bracket is at `open`.
    pub(super) fn long_brackets(&mut self, open: usize) -> Option<usize> {
        let marks = self.text[open + 1..].iter().take(MOST_NAME).take_while(|&&byte| byte == b'=').count();
        if self.text.get(open + 1 + marks) != Some(&b'[') {
            return None;
        }
        let closer = [b"]", &self.text[open + 1..open + 1 + marks], b"]"].concat();
        self.closer_end(open + marks + 2, &closer)
    }

    /// Reads `$name$…$name$`: a string, or a program after `AS` or `DO`, whose opener and closer are one operator each.
    fn dollar_quotes(&mut self) -> bool {
        let after = &self.rest()[1..];
        let is_in_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_' || **byte >= 0x80;
        let len = after.iter().take(MOST_NAME).take_while(is_in_name).count();
        let is_in_name = self.previous.as_ref().is_some_and(|token| {
            token.bytes.end == self.at && matches!(token.kind, TokenKind::Name | TokenKind::Keyword)
        });
        if after.get(len) != Some(&b'$') || after[0].is_ascii_digit() || is_in_name {
            return false;
        }
        let name = self.at..self.at + len + 2;
        let mark = &self.text[name.clone()];
        let is_end = self.body.as_ref().is_some_and(|body| &self.text[body.clone()] == mark);
        if !is_end {
            let Some(end) = self.closer_end(name.end, mark) else { return false };
            if self.body.is_some() || !self.is_before_body() {
                self.push_string(end);
                return true;
            }
        }
        self.body = (!is_end).then(|| name.clone());
        self.push(TokenKind::Operator, name.start + 1);
        self.at = name.end;
        true
    }

    /// Whether the preceding token announces a quoted program.
    fn is_before_body(&self) -> bool {
        self.previous.as_ref().is_some_and(|token| {
            let word = &self.text[token.bytes.clone()];
            word.eq_ignore_ascii_case(b"as") || word.eq_ignore_ascii_case(b"do")
        })
    }

    /// Reads `"""…"""` or `$$"""…"""`: at least three quotes, and the same number at the end.
    fn counted_quotes(&mut self) -> bool {
        let rest = self.rest();
        let marks = rest.iter().take(MOST_NAME).take_while(|&&byte| byte == b'$').count();
        let quotes = rest[marks..].iter().take(MOST_NAME).take_while(|&&byte| byte == b'"').count();
        if quotes < 3 {
            return false;
        }
        let inside = self.at + marks + quotes;
        match self.closer_end(inside, &self.text[inside - quotes..inside]) {
            Some(end) => self.push_string(end),
            // The quotes of an opener without a closer are not the strings `""` and `"`.
            None => (0..marks + quotes).for_each(|_| self.push(TokenKind::Operator, self.at + 1)),
        }
        true
    }

    /// Reads `%w[…]`, `%(…)` and similar strings of Ruby, where a value is expected.
    fn percent_string(&mut self) -> bool {
        if self.is_value_before() || !self.may_search() {
            return false;
        }
        let after = &self.rest()[1..];
        let letters = usize::from(after.first().is_some_and(|byte| b"qQwWiIrsx".contains(byte)));
        let close = match after.get(letters) {
            Some(b'(') => b')',
            Some(b'[') => b']',
            Some(b'{') => b'}',
            Some(b'<') => b'>',
            Some(&mark) if mark.is_ascii_punctuation() && letters > 0 => mark,
            Some(&mark @ (b'|' | b'!' | b'/')) => mark,
            _ => return false,
        };
        let search = bracketed_end(self.text, self.at + letters + 2, after[letters], close);
        self.push_search(search)
    }

    /// Reads `/…/` where a value is expected. In Swift no blank follows the first slash.
    fn regex(&mut self) -> bool {
        let is_behind_bracket = self.previous.as_ref().is_some_and(|token| &self.text[token.bytes.clone()] == b"<");
        // Two slashes that do not begin a comment are the text of JSX.
        let next = self.text.get(self.at + 1);
        let is_text = self.rules.has(Special::TextOfTags) && next == Some(&b'/')
            || self.rules.has(Special::HashString) && matches!(next, Some(b' ' | b'\t' | b')' | b'/'));
        if self.is_value_before() || is_behind_bracket || is_text || self.at < self.dead_regex {
            return false;
        }
        let has_lines = self.rules.has(Special::PercentStrings);
        match regex_end(self.text, self.at + 1, has_lines) {
            Ok(end) => self.push_string(end),
            Err(stop) => {
                // Without a closer, the slash is probably a division.
                self.failed_bytes += stop - self.at;
                self.dead_regex = stop;
                return false;
            }
        }
        true
    }

    /// Reads `<<NAME`, whose text begins on the next line.
    fn heredoc(&mut self, heredocs: Heredocs) -> bool {
        let rest = self.rest();
        let open = match heredocs {
            Heredocs::Php => b"<<<".as_slice(),
            _ if rest.starts_with(b"<<<") => return false,
            _ => b"<<",
        };
        if !rest.starts_with(open) || !self.may_search() {
            return false;
        }
        let mut at = open.len();
        at += match (heredocs, rest.get(at)) {
            (Heredocs::Shell | Heredocs::Ruby, Some(b'-')) | (Heredocs::Ruby, Some(b'~')) => 1,
            _ => 0,
        };
        let blanks = rest[at..].iter().take(MOST_NAME).take_while(|&&byte| byte == b' ').count();
        at += if heredocs == Heredocs::Ruby { 0 } else { blanks };
        let quotes = usize::from(matches!(rest.get(at), Some(b'"' | b'\'' | b'\\' | b'`')));
        at += quotes;
        let is_in_name = |byte: &&u8| {
            byte.is_ascii_alphanumeric() || **byte == b'_' || heredocs == Heredocs::Shell && matches!(byte, b'-' | b'.')
        };
        let len = rest[at..].iter().take(MOST_NAME).take_while(is_in_name).count();
        let is_name = rest.get(at).is_some_and(|byte| match heredocs {
            Heredocs::Ruby if quotes == 0 => byte.is_ascii_uppercase(),
            _ => byte.is_ascii_alphabetic() || *byte == b'_',
        });
        if !is_name {
            return false;
        }
        let name = self.at + at..self.at + at + len;
        let closing = usize::from(quotes > 0 && matches!(rest.get(at + len), Some(b'"' | b'\'' | b'`')));
        self.heredocs.push(name.clone());
        self.push(TokenKind::Operator, self.at + open.len());
        self.at = name.start;
        self.push(TokenKind::Name, name.end);
        self.at = name.end + closing;
        true
    }

    /// Reads the texts of the heredocs that were opened on the last line, each as one string.
    pub(super) fn heredoc_texts(&mut self) {
        for name in std::mem::take(&mut self.heredocs) {
            if !self.may_search() {
                return;
            }
            let start = self.at;
            let name = &self.text[name];
            let line_starts = memchr::memchr_iter(b'\n', &self.text[start..]).map(|len| start + len + 1);
            let closes = |&line: &usize| {
                let line = &self.text[line..];
                line[indentation(line)..]
                    .strip_prefix(name)
                    .is_some_and(|rest| !rest.first().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_'))
            };
            match std::iter::once(start).chain(line_starts).find(closes) {
                Some(line) => {
                    let text = trimmed(self.text, start..line);
                    if !text.is_empty() {
                        self.at = text.start;
                        self.push(TokenKind::String, text.end);
                    }
                    self.at = line + indentation(&self.text[line..]) + name.len();
                    self.is_line_start = false;
                }
                None => drop(self.failed(self.text.len())),
            }
        }
    }

    /// Reads the data after the end of a Ruby program as one string.
    pub(super) fn end_of_program(&mut self) {
        let rest = self.rest();
        if self.heredocs.is_empty()
            && rest.strip_prefix(b"__END__").is_some_and(|rest| matches!(rest, [] | [b'\n' | b'\r', ..]))
        {
            let text = trimmed(self.text, self.at + b"__END__".len()..self.text.len());
            if !text.is_empty() {
                self.at = text.start;
                self.push(TokenKind::String, text.end);
            }
            self.at = self.text.len();
        }
    }

    /// Skips a preprocessor line that begins with `#` and one of the words, such as `#include`.
    fn directive(&mut self, words: &[&str]) -> bool {
        if !self.is_line_start {
            return false;
        }
        let rest = &self.rest()[1..];
        let blanks = rest.iter().take(MOST_NAME).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let word = &rest[blanks..];
        let is_in_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let is_one = words.iter().any(|directive| {
            word.strip_prefix(directive.as_bytes()).is_some_and(|rest| !rest.first().is_some_and(is_in_name))
        });
        if is_one {
            self.at = memchr::memchr(b'\n', self.rest()).map_or(self.text.len(), |len| self.at + len);
        }
        is_one
    }

    /// Begins a text with tags; a text without tags is a program as a whole.
    pub(super) fn begin_tags(&mut self) {
        if memchr::memmem::find(self.text, b"<?").is_some() {
            self.text_between_tags();
        }
    }

    /// Reads the text up to the next `<?php` or `<?=` as a string.
    fn text_between_tags(&mut self) {
        let (start, rest) = (self.at, self.rest());
        let open = memchr::memmem::find(rest, b"<?").map_or(self.text.len(), |len| start + len);
        let text = trimmed(self.text, start..open);
        if !text.is_empty() {
            self.at = text.start;
            self.push(TokenKind::String, text.end);
        }
        let tag = &self.text[open..];
        let is_php = tag.get(2..5).is_some_and(|word| word.eq_ignore_ascii_case(b"php"));
        self.at = open + if is_php { 5 } else { tag.len().min(if tag.get(2) == Some(&b'=') { 3 } else { 2 }) };
        self.is_line_start = true;
    }
}

/// A part of a text without the white space at its ends. It begins and ends at character boundaries.
pub(super) fn trimmed(text: &[u8], part: Range<usize>) -> Range<usize> {
    let text = std::str::from_utf8(&text[part.clone()]).expect("texts are UTF-8");
    let start = part.start + text.len() - text.trim_start().len();
    start..start + text.trim().len()
}

/// Number of blanks at the start of a line.
fn indentation(line: &[u8]) -> usize {
    line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}
