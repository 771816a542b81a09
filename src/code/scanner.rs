//! `Scanner`: cuts the text of a program into tokens, by the rules of its language.
//!
//! It walks the text once. Where a string or a comment begins, it searches for the closer. An opener whose closer is missing
//! is an operator, and what follows is cut like any other text, so that nothing of a document is lost: such openers are
//! counted. A failed search says how far it read; up to there the same opener is not searched for again. Closers with names
//! of their own, of which a text may have any number, are no longer searched for when such searches have read the text
//! [`MOST_READ`] times in vain. So the time is linear, whatever the text.

use super::operators::operator_len;
use super::rules::{Import, MOST_STRINGS, Rules, Special};
use super::strings::escape_len;
use super::token::{Token, TokenKind};

/// How often failed searches may read the text.
pub(super) const MOST_READ: usize = 8;

/// The strings and comments of a text that have no end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Unclosed {
    pub(crate) number: u64,
    /// The byte at which the first of them begins.
    pub(crate) first: Option<usize>,
}

/// Cuts a text into tokens, which it passes to `visit`.
pub(super) struct Scanner<'t, V> {
    pub(super) text: &'t [u8],
    pub(super) rules: &'static Rules,
    /// What is before is done.
    pub(super) at: usize,
    visit: V,
    /// A comma that is passed on unless a bracket closes behind it.
    comma: Option<Token>,
    /// The last token that was seen, imports included.
    pub(super) previous: Option<Token>,
    /// Whether no token was seen on the line.
    pub(super) is_line_start: bool,
    /// Brackets that are open.
    pub(super) depth: usize,
    /// The brackets that were open before each condition that is not closed yet, as in `if (…)`.
    conditions: Vec<usize>,
    /// Whether the token before closed a condition.
    is_behind_condition: bool,
    /// The mark that closes the program in quotes, which is a part of SQL.
    pub(super) body: Option<std::ops::Range<usize>>,
    /// The import that the next token may belong to, and the brackets that were open before it.
    pub(super) import: Option<(&'static Import, usize)>,
    /// Up to where each form of string has no closer; then the comments likewise.
    pub(super) dead_strings: [usize; MOST_STRINGS],
    pub(super) dead_comments: [usize; 2],
    pub(super) dead_regex: usize,
    /// Heredocs whose text begins on the next line: the bytes of each name.
    pub(super) heredocs: Vec<std::ops::Range<usize>>,
    /// Openers without closers.
    pub(super) unclosed: Unclosed,
    /// Whether the text is SQL with names in backticks.
    pub(super) has_backticks: bool,
    /// Bytes that failed searches read.
    pub(super) failed_bytes: usize,
}

impl<'t, V: FnMut(Token)> Scanner<'t, V> {
    pub(super) fn new(text: &'t str, rules: &'static Rules, visit: V) -> Self {
        Self {
            text: text.as_bytes(),
            rules,
            at: 0,
            visit,
            comma: None,
            previous: None,
            is_line_start: true,
            depth: 0,
            conditions: Vec::new(),
            is_behind_condition: false,
            body: None,
            import: None,
            dead_strings: [0; MOST_STRINGS],
            dead_comments: [0; 2],
            dead_regex: 0,
            heredocs: Vec::new(),
            unclosed: Unclosed::default(),
            has_backticks: rules.has(Special::MySql) && memchr::memchr(b'`', text.as_bytes()).is_some(),
            failed_bytes: 0,
        }
    }

    /// Cuts the whole text.
    pub(super) fn scan(&mut self) {
        self.leave_out_interpreter();
        if self.rules.has(Special::Tags) {
            self.begin_tags();
        }
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'\n' => self.end_line(),
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.name(),
                b'0'..=b'9' => self.number(),
                0x80.. => self.wide(),
                0..b' ' | 0x7F => self.at += 1,
                _ => self.sign(byte),
            }
        }
        if let Some(comma) = self.comma.take() {
            (self.visit)(comma);
        }
    }

    pub(super) fn rest(&self) -> &'t [u8] {
        &self.text[self.at..]
    }

    /// Passes a token on that ends at `end`, unless it belongs to an import.
    pub(super) fn push(&mut self, kind: TokenKind, end: usize) {
        let token = Token { kind, bytes: self.at..end };
        self.at = end;
        let first = self.text[token.bytes.start];
        let is_closing = kind == TokenKind::Operator && matches!(first, b')' | b']' | b'}');
        if is_closing {
            self.depth = self.depth.saturating_sub(1);
        }
        let is_dropped = self.import.is_some_and(|(import, depth)| self.is_import(import, depth, &token));
        let is_statement =
            self.is_behind_condition || self.conditions.last().is_some_and(|depth| depth + 1 == self.depth);
        self.is_behind_condition = is_closing && self.conditions.pop_if(|depth| *depth >= self.depth).is_some();
        if kind == TokenKind::Operator && matches!(first, b'(' | b'[' | b'{') {
            if first == b'(' && self.is_condition_next() {
                self.conditions.push(self.depth);
            }
            self.depth += 1;
        }
        self.is_line_start = false;
        self.previous = Some(token.clone());
        if !is_dropped {
            self.pass(token, is_statement);
        }
    }

    /// Passes a token on, unless it is there for the layout alone: a comma before a closing bracket, or a semicolon where the
    /// end of a line does as well. Formatters put them in and take them out.
    ///
    /// * `is_statement`: whether a semicolon is one, as in `while (f());`, or is between the parts of `for (;;)`.
    fn pass(&mut self, token: Token, is_statement: bool) {
        let text = &self.text[token.bytes.clone()];
        let is_operator = token.kind == TokenKind::Operator;
        // A list of types is between `<` and `>`.
        let closes = is_operator && matches!(text, b")" | b"]" | b"}" | b">");
        if let Some(comma) = self.comma.take()
            && !closes
        {
            (self.visit)(comma);
        }
        match text {
            b"," if is_operator => self.comma = Some(token),
            b";" if is_operator && !is_statement && self.rules.has(Special::LineEnds) => (),
            _ => (self.visit)(token),
        }
    }

    /// Leaves out the first line of a script, which names its interpreter. `#![…]` is an attribute of Rust.
    fn leave_out_interpreter(&mut self) {
        let start = if self.text.starts_with("\u{FEFF}".as_bytes()) { 3 } else { 0 };
        let Some(line) = self.text[start..].strip_prefix(b"#!") else { return };
        if line.trim_ascii_start().first() != Some(&b'[') {
            self.at = memchr::memchr2(b'\n', b'\r', line).map_or(self.text.len(), |len| start + 2 + len);
        }
    }

    /// Whether the bracket that follows begins the condition of a statement, behind which no operator stands.
    fn is_condition_next(&self) -> bool {
        self.rules.has(Special::Regex)
            && self.previous.as_ref().is_some_and(|token| {
                let word = &self.text[token.bytes.clone()];
                token.kind == TokenKind::Keyword && matches!(word, b"if" | b"while" | b"for" | b"with")
            })
    }

    fn end_line(&mut self) {
        self.at += 1;
        self.is_line_start = true;
        if self.rules.has(Special::EndOfProgram) {
            self.end_of_program();
        }
        if self.import.is_some_and(|(import, depth)| import.ends_with_line && self.depth <= depth) {
            self.import = None;
        }
        self.heredoc_texts();
    }

    /// A name, a keyword, or a string with a prefix.
    pub(super) fn name(&mut self) {
        // From the start, since the first character may have several bytes.
        let end = self.name_end(self.at);
        let word = &self.text[self.at..end];
        if self.prefixed_string(word, end) {
            return;
        }
        let kind = if self.is_keyword(word) { TokenKind::Keyword } else { TokenKind::Name };
        if self.import.is_none()
            && self.rules.import_modifiers.iter().any(|modifier| word == modifier.as_bytes())
            && let Some(import) = self.modified_import(end)
        {
            // As if nothing stood before the import.
            (self.at, self.previous) = (import, None);
            return self.name();
        }
        if self.import.is_none()
            && let Some(import) = self.rules.imports.iter().find(|import| word == import.word.as_bytes())
            && self.begins_import(import, end)
        {
            self.import = Some((import, self.depth));
            (self.at, self.is_line_start) = (end, false);
            self.previous = None;
            return;
        }
        if self.import.is_none()
            && self.rules.has(Special::Require)
            && let Some(end) = self.required_import(word, end)
        {
            (self.at, self.is_line_start, self.previous) = (end, false, None);
            return;
        }
        self.push(kind, end);
    }

    /// The end of the letters, digits and underlines from a place on.
    pub(super) fn name_end(&self, start: usize) -> usize {
        let mut end = start;
        while let Some(&byte) = self.text.get(end) {
            end += match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' => 1,
                0x80.. => match self.char_at(end) {
                    c if is_letter(c) => c.len_utf8(),
                    _ => break,
                },
                _ if self.rules.name_starts.contains(&byte) && byte == b'$' => 1,
                _ => break,
            };
        }
        end
    }

    fn is_keyword(&self, word: &[u8]) -> bool {
        /// The longest keywords have fewer letters, and the shortest two.
        const LENGTHS: std::ops::Range<usize> = 2..18;
        if !LENGTHS.contains(&word.len()) || self.rules.keywords.is_empty() {
            return false;
        }
        // What is behind a dot is a member, whatever it is called.
        if self.previous.as_ref().is_some_and(|token| matches!(&self.text[token.bytes.clone()], b"." | b"?.")) {
            return false;
        }
        let mut buffer = [0; LENGTHS.end];
        let word = if self.rules.folds_case {
            buffer[..word.len()].copy_from_slice(word);
            buffer[..word.len()].make_ascii_lowercase();
            &buffer[..word.len()]
        } else {
            word
        };
        // Most names share the first letter with few keywords, and their length with fewer.
        let keywords = self.rules.keywords;
        let start = keywords.partition_point(|keyword| keyword.as_bytes()[0] < word[0]);
        let same_letter = keywords[start..].iter().take_while(|keyword| keyword.as_bytes()[0] == word[0]);
        same_letter.into_iter().any(|keyword| keyword.as_bytes() == word)
    }

    /// A number: digits and letters, points before digits, signs of exponents.
    fn number(&mut self) {
        let digits = self.rest();
        let is_hex = matches!(digits, [b'0', b'x' | b'X', ..]);
        let mut len = 1;
        while let Some(&byte) = digits.get(len) {
            let before = digits[len - 1];
            let has_digit_behind = digits.get(len + 1).is_some_and(u8::is_ascii_digit);
            len += match byte {
                b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'_' => 1,
                b'.' if has_digit_behind => 1,
                b'+' | b'-' if has_digit_behind && matches!(before, b'p' | b'P') => 1,
                b'+' | b'-' if has_digit_behind && !is_hex && matches!(before, b'e' | b'E') => 1,
                b'\'' if self.rules.has(Special::QuotedDigits) && before != b'\'' && has_digit_behind => 1,
                _ => break,
            };
        }
        self.push(TokenKind::Number, self.at + len);
    }

    /// A character beyond ASCII: a letter begins a name, space is left out, and anything else is an operator.
    fn wide(&mut self) {
        let c = self.char_at(self.at);
        match c {
            '\u{85}' | '\u{2028}' | '\u{2029}' => {
                self.at += c.len_utf8() - 1;
                self.end_line();
            }
            _ if is_letter(c) => self.name(),
            _ if is_invisible(c) => self.at += c.len_utf8(),
            _ => self.push(TokenKind::Operator, self.at + c.len_utf8()),
        }
    }

    fn char_at(&self, at: usize) -> char {
        let bytes = &self.text[at..self.text.len().min(at + 4)];
        let valid = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        valid.chars().next().expect("a character begins here")
    }

    /// Anything else: a comment, a string, what few languages have, a name with a sign before it, or an operator.
    fn sign(&mut self, byte: u8) {
        if self.comment() || self.special(byte) || self.string() {
            return;
        }
        let next = self.text.get(self.at + 1).copied().unwrap_or(0);
        if byte == b'.' && next.is_ascii_digit() && !self.is_value_before() {
            return self.number();
        }
        if self.rules.name_starts.contains(&byte) {
            // A dollar may be anywhere in a name; one or two at signs only before it.
            let signs = self.rest().iter().take(2).take_while(|&&byte| byte == b'@').count();
            let end = self.name_end(self.at + signs);
            if end > self.at + signs {
                return self.push(TokenKind::Name, end);
            }
        }
        match self.rest() {
            // A line goes on.
            [b'\\', b'\n', ..] => self.at += 2,
            [b'\\', b'\r', b'\n', ..] => self.at += 3,
            [b'\\', ..] if self.rules.has(Special::ShellWords) => {
                // Not in the middle of a character.
                let len = if next.is_ascii() { escape_len(self.text, self.at) } else { 1 };
                self.push(TokenKind::Operator, self.at + len);
            }
            rest => self.push(TokenKind::Operator, self.at + operator_len(rest)),
        }
    }

    /// Whether the token before is a value, which an operator may follow.
    pub(super) fn is_value_before(&self) -> bool {
        self.previous.as_ref().is_some_and(|token| match token.kind {
            TokenKind::Name | TokenKind::Number | TokenKind::String => true,
            TokenKind::Keyword => matches!(&self.text[token.bytes.clone()], b"this" | b"self" | b"super" | b"end"),
            TokenKind::Operator => match &self.text[token.bytes.clone()] {
                b")" => !self.is_behind_condition,
                operator => matches!(operator, b"]" | b"}" | b"++" | b"--"),
            },
        })
    }

    /// Whether closers that are not the same for all texts are still searched for.
    pub(super) fn may_search(&self) -> bool {
        self.failed_bytes <= MOST_READ * self.text.len()
    }

    /// Counts an opener without a closer; returns how far it was searched for.
    pub(super) fn failed(&mut self, stop: usize) -> usize {
        self.unclosed.number += 1;
        self.unclosed.first.get_or_insert(self.at);
        self.failed_bytes += stop - self.at;
        stop
    }
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric()
}

/// Whether a character is space, or invisible like it.
fn is_invisible(c: char) -> bool {
    c.is_whitespace()
        || matches!(c, '\u{80}'..='\u{9F}' | '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}')
}
