//! `Scanner`: cuts the text of a program into tokens, by the rules of its language.
//!
//! It reads the text once. Where a string or a comment begins, it searches for the closer. An opener without a closer
//! becomes an operator, and the following text is cut normally, so that no text is lost. Such openers are counted.
//!
//! A failed search reports how far it read; up to there the same opener is not searched for again. Closers that contain
//! a name, of which a text may have any number, are no longer searched for once failed searches have read the text
//! [`MOST_READ`] times. So the running time is linear for any text.

use super::operators::operator_len;
use super::rules::{Import, MOST_STRINGS, Rules, Special};
use super::strings::escape_len;
use super::token::{Token, TokenKind};

/// Maximum number of times that failed searches may read the text.
pub(super) const MOST_READ: usize = 8;

/// Strings and comments of a text that have no end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Unclosed {
    pub(crate) number: u64,
    /// Byte position of the first of them.
    pub(crate) first: Option<usize>,
}

/// Cuts a text into tokens, and passes each to `visit`.
pub(super) struct Scanner<'t, V> {
    pub(super) text: &'t [u8],
    pub(super) rules: &'static Rules,
    /// Position in the text; everything before it is processed.
    pub(super) at: usize,
    visit: V,
    /// A comma that is passed on unless a closing bracket follows.
    comma: Option<Token>,
    /// The last token that was read, including tokens of imports.
    pub(super) previous: Option<Token>,
    /// Whether no token was read on the current line yet.
    pub(super) is_line_start: bool,
    /// Number of open brackets.
    pub(super) depth: usize,
    /// For each open condition, as in `if (…)`, the number of brackets that were open before it.
    conditions: Vec<usize>,
    /// Whether the preceding token closed a condition.
    is_behind_condition: bool,
    /// In SQL, the closing mark of the quoted program that is being read.
    pub(super) body: Option<std::ops::Range<usize>>,
    /// The import that the next token may belong to, and the number of brackets that were open before it.
    pub(super) import: Option<(&'static Import, usize)>,
    /// For each form of string, the position up to which no closer was found; `dead_comments` is the same for comments.
    pub(super) dead_strings: [usize; MOST_STRINGS],
    pub(super) dead_comments: [usize; 2],
    pub(super) dead_regex: usize,
    /// Byte ranges of the names of heredocs whose text begins on the next line.
    pub(super) heredocs: Vec<std::ops::Range<usize>>,
    /// Openers without a closer.
    pub(super) unclosed: Unclosed,
    /// Whether the text is SQL with names in backticks.
    pub(super) has_backticks: bool,
    /// Number of bytes that failed searches read.
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

    /// Cuts the entire text.
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

    /// Passes on a token that ends at `end`, unless it belongs to an import.
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

    /// Passes on a token, unless it only affects the layout: a comma before a closing bracket, or a semicolon where a
    /// line end is enough. Formatters add and remove these.
    ///
    /// * `is_statement`: whether a semicolon is itself a statement, as in `while (f());`, or separates the parts of
    ///   `for (;;)`.
    fn pass(&mut self, token: Token, is_statement: bool) {
        let text = &self.text[token.bytes.clone()];
        let is_operator = token.kind == TokenKind::Operator;
        // Angle brackets may enclose a list of types.
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

    /// Skips the first line of a script, which specifies its interpreter. `#![…]` is an attribute of Rust.
    fn leave_out_interpreter(&mut self) {
        let start = if self.text.starts_with("\u{FEFF}".as_bytes()) { 3 } else { 0 };
        let Some(line) = self.text[start..].strip_prefix(b"#!") else { return };
        if line.trim_ascii_start().first() != Some(&b'[') {
            self.at = memchr::memchr2(b'\n', b'\r', line).map_or(self.text.len(), |len| start + 2 + len);
        }
    }

    /// Whether the following bracket begins the condition of a statement, after which no operator can follow.
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

    /// Reads a name, a keyword, or a string with a prefix.
    pub(super) fn name(&mut self) {
        // `name_end` starts at the first character because that may have several bytes.
        let end = self.name_end(self.at);
        let word = &self.text[self.at..end];
        if self.prefixed_string(word, end) {
            return;
        }
        if self.rules.has(Special::Tags) && word.eq_ignore_ascii_case(b"__halt_compiler") {
            return self.halt(end);
        }
        let kind = if self.is_keyword(word) { TokenKind::Keyword } else { TokenKind::Name };
        if self.import.is_none()
            && self.rules.import_modifiers.iter().any(|modifier| word == modifier.as_bytes())
            && let Some(import) = self.modified_import(end)
        {
            // The import is read as if it began the statement.
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

    /// End of the letters, digits and underscores from `start` on.
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
        /// Lengths of keywords in bytes.
        const LENGTHS: std::ops::Range<usize> = 2..18;
        if !LENGTHS.contains(&word.len()) || self.rules.keywords.is_empty() {
            return false;
        }
        // A word after a dot is a member, even if it looks like a keyword.
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
        // Few keywords begin with the same letter.
        let keywords = self.rules.keywords;
        let start = keywords.partition_point(|keyword| keyword.as_bytes()[0] < word[0]);
        let same_letter = keywords[start..].iter().take_while(|keyword| keyword.as_bytes()[0] == word[0]);
        same_letter.into_iter().any(|keyword| keyword.as_bytes() == word)
    }

    /// Reads a number: digits and letters, a point before a digit, the sign of an exponent.
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

    /// Reads a character beyond ASCII: a letter begins a name, white space is skipped, and any other character is an
    /// operator.
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

    /// Reads any other character: a comment, a string, a form that few languages have, a name with a sign before it, or
    /// an operator.
    fn sign(&mut self, byte: u8) {
        if self.comment() || self.special(byte) || self.string() {
            return;
        }
        let next = self.text.get(self.at + 1).copied().unwrap_or(0);
        if byte == b'.' && next.is_ascii_digit() && !self.is_value_before() {
            return self.number();
        }
        if self.rules.name_starts.contains(&byte) {
            // A dollar sign may be anywhere in a name; one or two at signs only at its start.
            let signs = self.rest().iter().take(2).take_while(|&&byte| byte == b'@').count();
            let end = self.name_end(self.at + signs);
            if end > self.at + signs {
                return self.push(TokenKind::Name, end);
            }
        }
        match self.rest() {
            // A backslash before a line end continues the line.
            [b'\\', b'\n', ..] => self.at += 2,
            [b'\\', b'\r', b'\n', ..] => self.at += 3,
            [b'\\', ..] if self.rules.has(Special::ShellWords) => {
                // The escape must not end in the middle of a character.
                let len = if next.is_ascii() { escape_len(self.text, self.at) } else { 1 };
                self.push(TokenKind::Operator, self.at + len);
            }
            rest => self.push(TokenKind::Operator, self.at + operator_len(rest)),
        }
    }

    /// Whether the preceding token is a value, which an operator may follow.
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

    /// Whether to continue searching for closers that contain a name.
    pub(super) fn may_search(&self) -> bool {
        self.failed_bytes <= MOST_READ * self.text.len()
    }

    /// Counts an opener without a closer; returns `stop`, the end of the failed search.
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

/// Whether a character is white space or another invisible character.
fn is_invisible(c: char) -> bool {
    c.is_whitespace()
        || matches!(c, '\u{80}'..='\u{9F}' | '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}')
}
