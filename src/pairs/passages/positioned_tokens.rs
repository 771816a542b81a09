//! `PositionedTokens`: the tokens of a document, with the way back to its original.

use std::ops::Range;

use crate::corpus::PositionedText;
use crate::passages::DocumentPart;
use crate::shingle::Tokens;

/// The tokens of a document and where they come from.
pub(super) struct PositionedTokens {
    pub(super) tokens: Tokens,
    /// Without its text, which the tokens have.
    pub(super) positions: PositionedText,
}

impl PositionedTokens {
    /// Where some tokens are in the original. Characters are tokens, and white space at the ends of a passage would reach into lines
    /// that have no part in it.
    pub(super) fn part(&self, tokens: Range<usize>) -> DocumentPart {
        let original = self.positions.original(self.tokens.trimmed_bytes_of(tokens));
        let bytes = [original.bytes.start as u64, original.bytes.end as u64];
        DocumentPart { lines: original.lines, bytes, of: self.positions.of }
    }

    pub(super) fn num_bytes(&self) -> u64 {
        (self.tokens.num_bytes() + self.positions.map.num_bytes() + self.positions.lines.num_bytes()) as u64
    }
}
