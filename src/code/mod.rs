//! Program text: a text and its language in, its tokens out, each with its bytes.
//!
//! `syntax` names the languages, `table` has a row of [`rules`] for each, and `scanner` walks a text by these; `special` has
//! what only a few languages know. Comments and imports are no tokens. What programmers choose is told from what the language
//! gives, so that names, numbers and strings can be masked.
//!
//! # Why a scanner of our own
//!
//! Cutting texts into tokens is a part of shingling, which is this program's own. Shingles need no tree, so one scanner and a
//! row for each language do. Parsers that build trees cost megabytes of tables for each language, and have no answer for the
//! halves of programs that corpora hold; lexers for highlighting keep states by regular expressions, and are slower than the
//! rest of a run. What this one cannot do: it expands no macros and follows no `#if`; a slash after `}`, or after `)` that
//! closes no condition, is a division in JavaScript, also where it begins a regular expression; text in JSX is cut like a
//! program; indentation makes no token.
//!
//! Whatever the text is, there are tokens, and it takes linear time: see `scanner`.

mod imports;
#[rustfmt::skip] // One word a line would be a thousand lines.
mod keywords;
mod literals;
mod operators;
mod raw_strings;
mod rules;
mod scanner;
mod signed_names;
mod special;
mod strings;
mod syntax;
mod table;
mod token;
mod words;

use self::scanner::Scanner;
pub(crate) use self::scanner::Unclosed;
pub use self::syntax::Syntax;
pub(crate) use self::token::{Token, TokenKind};

/// Cuts a text into tokens, which follow one another, and passes each to `visit`. Returns the strings and comments without
/// an end; their openers are operators.
///
/// * `syntax`: without one the tokens are words and single characters, and nothing is left out.
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
    /// Whether keywords mean the same in capital letters.
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
