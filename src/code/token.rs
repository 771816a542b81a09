//! `Token`: a piece of a program's text, and what it is.

use std::ops::Range;

/// A token of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    /// Its bytes in the text; they begin and end between two characters.
    pub(crate) bytes: Range<usize>,
}

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// An identifier: what programmers name.
    Name,
    /// A word that the language gives a meaning.
    Keyword,
    /// A number.
    Number,
    /// A string, a character, a regular expression, or the text around a program.
    String,
    /// Operators, brackets and all else: a few characters.
    Operator,
}
