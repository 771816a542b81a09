//! The words of a text whose language is not known.

use super::token::{Token, TokenKind};

/// Passes on each run of letters, digits and underscores, and each other character except white space and control
/// characters.
pub(super) fn for_each_word(text: &str, mut visit: impl FnMut(Token)) {
    let mut word = None;
    for (at, c) in text.char_indices() {
        if c.is_alphanumeric() || c == '_' {
            word.get_or_insert(at);
            continue;
        }
        if let Some(start) = word.take() {
            visit(Token { kind: TokenKind::Name, bytes: start..at });
        }
        if !c.is_whitespace() && !c.is_control() {
            visit(Token { kind: TokenKind::Operator, bytes: at..at + c.len_utf8() });
        }
    }
    if let Some(start) = word {
        visit(Token { kind: TokenKind::Name, bytes: start..text.len() });
    }
}
