//! `Token`: a part of a program's text, and its kind.

use std::ops::Range;

/// A token of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    /// Byte range of the token in the text; it begins and ends at character boundaries.
    pub(crate) bytes: Range<usize>,
}

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// An identifier, which programmers choose.
    Name,
    /// A word with a meaning in the language.
    Keyword,
    /// A number.
    Number,
    /// A string, a character, a regular expression, or the text outside of a program.
    String,
    /// Operators, brackets and all other characters.
    Operator,
}
