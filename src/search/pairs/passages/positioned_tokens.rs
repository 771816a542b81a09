//! `PositionedTokens`: the tokens of a document, with their positions in the original file.

use std::ops::Range;

use crate::compare::passages::{Alignment, DocumentPart, LocatedPassage, LocatedPassages, PartFiles, PassageTotals};
use crate::search::corpus::PositionedText;
use crate::text::shingle::Tokens;

/// The tokens of a document and their positions in the original.
pub(crate) struct PositionedTokens {
    pub(crate) tokens: Tokens,
    /// The positions, without the text, which `tokens` contains.
    pub(crate) positions: PositionedText,
}

impl PositionedTokens {
    /// The part of the original that some tokens come from. White space at the ends is trimmed: where tokens are
    /// characters, it would extend a passage into lines that do not belong to it.
    fn part(&self, tokens: Range<usize>) -> (DocumentPart, Option<PartFiles>) {
        let original = self.positions.original(self.tokens.trimmed_bytes_of(tokens));
        original.located(self.positions.of)
    }

    pub(crate) fn num_bytes(&self) -> u64 {
        (self.tokens.num_bytes() + self.positions.map.num_bytes() + self.positions.lines.num_bytes()) as u64
            + self.positions.files.as_ref().map_or(0, |files| files.num_bytes() as u64)
    }

    /// The passages of an alignment of these tokens with others, in the coordinates of both originals.
    ///
    /// * `totals`: the totals to report, for documents that match by their passages.
    pub(crate) fn located_with(
        &self,
        other: &Self,
        alignment: &Alignment,
        totals: Option<PassageTotals>,
    ) -> LocatedPassages {
        let passages = alignment.passages.iter().map(|passage| {
            let ((a, files_a), (b, files_b)) = (self.part(passage.a.clone()), other.part(passage.b.clone()));
            LocatedPassage { a, b, matched: passage.matched as u64, exact: passage.is_exact, files_a, files_b }
        });
        LocatedPassages {
            coverage_a: alignment.coverage_a(),
            coverage_b: alignment.coverage_b(),
            totals,
            passages: passages.collect(),
        }
    }
}
