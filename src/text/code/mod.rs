//! Program text: cuts a text into the tokens of its language, each with its byte range.
//!
//! `syntax` lists the languages, `table` has a row of [`rules`] for each, and `scanner` reads a text by these rules;
//! `special` contains forms that only a few languages have. Comments and imports are not tokens. Names, numbers and
//! strings have their own kinds, so that they can be masked.
//!
//! A new language is a line in `syntax`, a row in `table`, a list in `keywords`, and a text in `golden_tests`.
//!
//! # Why our own scanner
//!
//! Cutting texts into tokens is a part of shingling. Shingles need no syntax tree, so one scanner and a row of rules
//! for each language are enough. Parsers that build trees need megabytes of tables for each language, and fail on the
//! incomplete programs that corpora contain. Lexers for highlighting keep states by regular expressions, and are slower
//! than all other stages together.
//!
//! Limits: the scanner expands no macros and ignores `#if`. In JavaScript, a slash after `}`, or after a `)` that does
//! not close a condition, is always a division, even where it begins a regular expression. Text in JSX is cut like a
//! program. Indentation makes no token.
//!
//! Every text is cut into tokens, in linear time; see `scanner`.

mod imports;
#[rustfmt::skip] // One word per line would need a thousand lines.
mod keywords;
mod literals;
mod operators;
mod raw_strings;
mod rules;
mod scanner;
mod signed_names;
mod special;
mod stated;
mod strings;
mod syntax;
mod table;
mod token;
mod words;

use self::scanner::Scanner;
pub(crate) use self::scanner::Unclosed;
pub(crate) use self::stated::StatedSyntax;
pub use self::syntax::Syntax;
pub(crate) use self::token::{Token, TokenKind};

/// Cuts a text into tokens and passes each to `visit`, in order. Returns the strings and comments without an end, whose
/// openers become operators.
///
/// * `syntax`: the language; without one the tokens are words and single characters, and no text is skipped.
pub(crate) fn for_each_token(text: &str, syntax: Option<Syntax>, visit: impl FnMut(Token)) -> Unclosed {
    let Some(syntax) = syntax else {
        words::for_each_word(text, visit);
        return Unclosed::default();
    };
    let mut scanner = Scanner::new(text, syntax.rules(), visit);
    scanner.scan();
    scanner.unclosed
}

impl Syntax {
    /// Whether keywords are case-insensitive.
    pub(crate) fn folds_case(self) -> bool {
        self.rules().folds_case
    }
}

#[cfg(test)]
mod form_tests;
#[cfg(test)]
mod golden_tests;
#[cfg(test)]
mod tests;
