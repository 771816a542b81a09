//! Turns a program text into its tokens, one per line.
//!
//! Identifiers, numbers and strings become marks of their class unless the settings keep them, because people who copy
//! a program rename its identifiers. Keywords and operators stay. Comments, imports and white space are removed.

use crate::base::flat::offset_map::Trace;
use crate::text::code::{Syntax, Token, TokenKind, for_each_token};

/// The mark that replaces a name, a number or a string. No keyword is equal to a mark.
const MARKS: [(TokenKind, u8); 3] = [(TokenKind::Name, b'N'), (TokenKind::Number, b'0'), (TokenKind::String, b'S')];

/// Cuts program texts into tokens.
#[derive(Debug, Clone)]
pub(super) struct TokenSeparator {
    /// The language of all texts, from the settings.
    of_all: Option<Syntax>,
    /// The language of the next text.
    of_next: Option<Syntax>,
    keep_names: bool,
    /// Whether texts still have all lines of their documents, so that line numbers are valid.
    has_lines: bool,
    last: CodeText,
}

/// Properties of a program text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CodeText {
    /// Language by whose rules the text was cut into tokens; `None` if it is not known.
    pub syntax: Option<Syntax>,
    /// Number of strings and comments without an end.
    pub unclosed: u64,
    /// Line, from 1, on which the first string or comment without an end begins; `None` if there is none, or if text
    /// was removed before the program was cut.
    pub unclosed_line: Option<u64>,
}

impl TokenSeparator {
    /// Creates a separator; `has_lines` says whether texts still have all lines of their documents.
    pub(super) fn new(of_all: Option<Syntax>, keep_names: bool, has_lines: bool) -> Self {
        Self { of_all, of_next: None, keep_names, has_lines, last: CodeText::default() }
    }

    /// Sets the language of the next text; a language for all texts overrides it.
    pub(super) fn set_syntax(&mut self, syntax: Option<Syntax>) {
        self.of_next = syntax;
    }

    /// Properties of the last text.
    pub(super) fn last(&self) -> CodeText {
        self.last
    }

    /// Sets the properties of the last text, which was separated in parts.
    pub(super) fn set_last(&mut self, last: CodeText) {
        self.last = last;
    }

    /// Replaces `text` by its tokens, each on a line. Without a known language the tokens are words and single other
    /// characters, and all are kept.
    pub(super) fn separate<T: Trace>(&mut self, text: &mut Vec<u8>, scratch: &mut Vec<u8>, trace: &mut T) {
        let decoded = super::settings::as_str(text);
        let syntax = self.of_all.or(self.of_next).or_else(|| Syntax::of_first_line(decoded));
        scratch.clear();
        // Short tokens are longer with their line ends than without.
        scratch.reserve(text.len() / 2);
        let is_masked = syntax.is_some() && !self.keep_names;
        let folds_case = syntax.is_some_and(Syntax::folds_case);
        let mut done = 0;
        let unclosed = for_each_token(decoded, syntax, |Token { kind, bytes }| {
            if scratch.is_empty() {
                trace.left_out(bytes.start);
            } else {
                scratch.push(b'\n');
                trace.replaced(bytes.start - done, 1);
            }
            done = bytes.end;
            let token = &text[bytes];
            let mark = MARKS.iter().find(|(masked, _)| *masked == kind).filter(|_| is_masked);
            match (mark, kind) {
                (Some(&(_, mark)), _) => {
                    scratch.push(mark);
                    trace.replaced(token.len(), 1);
                }
                (None, TokenKind::String) => push_folded(token, scratch, trace),
                _ => {
                    let start = scratch.len();
                    scratch.extend_from_slice(token);
                    if folds_case && kind == TokenKind::Keyword {
                        scratch[start..].make_ascii_lowercase();
                    }
                    trace.copied(token.len());
                }
            }
        });
        trace.left_out(text.len() - done);
        trace.end_step();
        let line = |at: usize| memchr::memchr_iter(b'\n', &text[..at]).count() as u64 + 1;
        let unclosed_line = unclosed.first.filter(|_| self.has_lines).map(line);
        self.last = CodeText { syntax, unclosed: unclosed.number, unclosed_line };
        std::mem::swap(text, scratch);
    }
}

/// Appends a string with each run of white space replaced by one space, so that it stays on one line.
fn push_folded<T: Trace>(string: &[u8], scratch: &mut Vec<u8>, trace: &mut T) {
    let mut rest = super::settings::as_str(string);
    while !rest.is_empty() {
        let len = rest.find(char::is_whitespace).unwrap_or(rest.len());
        scratch.extend_from_slice(&rest.as_bytes()[..len]);
        trace.copied(len);
        let behind = rest[len..].trim_start();
        let blanks = rest.len() - len - behind.len();
        if blanks > 0 {
            scratch.push(b' ');
            trace.replaced(blanks, 1);
        }
        rest = behind;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::normalize::{Normalization, Normalizer, Units};

    fn normalizer(syntax: Syntax, keep_names: bool) -> Normalizer {
        let settings = Normalization { syntax: Some(syntax), keep_names, ..Normalization::default() };
        Normalizer::new(&settings, Units::Tokens)
    }

    const PROGRAM: &str =
        "import os\n\ndef area(w, h=2):  # it's\n    return w * h + len('a \n b' \"\"\"c\n  d\"\"\")\n";

    #[test]
    fn names_numbers_and_strings_are_marks() {
        let masked = normalizer(Syntax::Python, false).normalize(PROGRAM);
        assert_eq!(masked.replace('\n', " "), "def N ( N , N = 0 ) : return N * N + N ( ' N N ' S )");
        let kept = normalizer(Syntax::Python, true).normalize(PROGRAM);
        assert_eq!(
            kept.lines().collect::<Vec<_>>()[13..],
            ["h", "+", "len", "(", "'", "a", "b", "'", "\"\"\"c d\"\"\"", ")"]
        );
    }

    #[test]
    fn keywords_without_case_are_small_and_other_words_stay() {
        let mut sql = normalizer(Syntax::Sql, true);
        assert_eq!(sql.normalize("SELECT Ab FROM X"), "select\nAb\nfrom\nX");
        assert_eq!(sql.code(), CodeText { syntax: Some(Syntax::Sql), ..CodeText::default() });
    }

    #[test]
    fn a_text_of_no_known_language_keeps_all_its_words() {
        let mut normalizer = Normalizer::new(&Normalization::default(), Units::Tokens);
        assert_eq!(normalizer.normalize("Don't /* go */ 12"), "Don\n'\nt\n/\n*\ngo\n*\n/\n12");
        assert_eq!(normalizer.code(), CodeText::default());
        // The first line of a script determines the language; a file name overrides it.
        assert_eq!(normalizer.normalize("#!/bin/sh\necho a"), "echo\nN");
        assert_eq!(normalizer.code().syntax, Some(Syntax::Shell));
        normalizer.set_syntax(Some(Syntax::Python));
        assert_eq!(normalizer.normalize("#!/bin/sh\necho a"), "N\nN");
    }

    #[test]
    fn folding_comes_after_the_tokens() {
        let settings =
            Normalization { lowercase: true, syntax: Some(Syntax::C), keep_names: true, ..Normalization::default() };
        assert_eq!(Normalizer::new(&settings, Units::Tokens).normalize("Int  X; \"A  B\""), "int\nx\n;\n\"a b\"");
        let settings = Normalization { strip_punctuation: true, ..settings };
        assert_eq!(Normalizer::new(&settings, Units::Tokens).normalize("Int  X; \"A  B\""), "int\nx\na b");
    }

    proptest! {
        #[test]
        fn each_line_is_a_token_and_leads_back_to_it(
            text in r#"(def |import |[a-z]{1,4}|[0-9]{1,3}|"[a é\n]{0,4}"|'''|\# it's\n|/\* x \*/|[-+(){};]|é|文| |\n|\r\n){0,40}"#,
            syntax in prop::sample::select(Syntax::ALL),
            keep_names in any::<bool>(),
        ) {
            let mut normalizer = normalizer(syntax, keep_names);
            let (made, map) = normalizer.normalize_with_offsets(&text);
            prop_assert_eq!(&made, &normalizer.normalize(&text));
            let mut tokens = Vec::new();
            for_each_token(&text, Some(syntax), |token| tokens.push(token));
            let mut start = 0;
            let lines: Vec<&str> = if made.is_empty() { vec![] } else { made.split('\n').collect() };
            prop_assert_eq!(lines.len(), tokens.len());
            for (line, token) in lines.iter().zip(&tokens) {
                prop_assert_eq!(map.source_range(start..start + line.len()), token.bytes.clone());
                start += line.len() + 1;
            }
        }
    }
}
