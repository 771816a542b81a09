//! `MatchSettings`: decides which documents match by their shared passages.

use crate::base::error::{Error, Result};
use crate::compare::passages::{Alignment, PassageSettings};
use crate::compare::verify::Threshold;
use crate::text::shingle::{ShingleKind, ShingleSettings};

/// Decides which documents match by their shared passages.
///
/// Every common run of [`anchor`](PassageSettings::anchor) tokens is found, unless `max_key_df` excludes its hashes. So
/// no pair with passages is missing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MatchSettings {
    /// The definition of a passage.
    pub passages: PassageSettings,
    /// The minimum share of the shorter document's tokens that passages cover, inclusive. Default: 0.1.
    pub coverage: Threshold,
    /// The minimum number of tokens that passages cover. Default: [`default_min_matched`](Self::default_min_matched).
    pub min_matched: u64,
    /// Hashes in more texts than this are not used to find common runs. Default: all hashes are used.
    pub max_key_df: Option<u64>,
    /// Whether pairs are reported for the blocks that were copied: also the blocks that a document repeats, as a pair of the
    /// document with itself, and equal texts only if they have the tokens of an anchor. Default: no.
    pub blocks: bool,
}

impl MatchSettings {
    /// The default of [`min_matched`](Self::min_matched), which is about the same amount of text for each kind of
    /// token:
    ///
    /// | Tokens | `min_matched` |
    /// | --- | --- |
    /// | characters | 100 |
    /// | words, tokens of programs | 20 |
    /// | lines | 3 |
    /// | sentences | 2 |
    /// | paragraphs | 1 |
    pub fn default_min_matched(kind: ShingleKind) -> u64 {
        match kind {
            ShingleKind::Char => 100,
            ShingleKind::Word | ShingleKind::StopWord | ShingleKind::Code | ShingleKind::Set => 20,
            ShingleKind::Line => 3,
            ShingleKind::Sentence => 2,
            ShingleKind::Paragraph => 1,
        }
    }

    /// The default of [`coverage`](Self::coverage).
    pub fn default_coverage() -> Threshold {
        Threshold::new(0.1).expect("a share")
    }

    /// The default settings for a kind of shingle.
    ///
    /// # Errors
    /// For sets, whose elements have no order.
    pub fn of(kind: ShingleKind) -> Result<Self> {
        let (passages, min_matched) = (PassageSettings::of(kind)?, Self::default_min_matched(kind));
        Ok(Self { passages, coverage: Self::default_coverage(), min_matched, max_key_df: None, blocks: false })
    }

    /// Checks the rules that the types do not enforce.
    ///
    /// # Errors
    /// When `max_key_df` is below 2, or the tokens of documents are set elements or stop words, which form no sequence.
    pub fn check(&self, shingles: &ShingleSettings) -> Result<()> {
        if let Some(most) = self.max_key_df.filter(|&most| most < 2) {
            return Err(Error::MaxKeyDf(most));
        }
        match shingles.kind() {
            ShingleKind::Set => Err(Error::PassagesOfSets),
            ShingleKind::StopWord => Err(Error::MatchStopWords),
            _ => Ok(()),
        }
    }

    /// Whether two texts are reported for their passages.
    pub fn is_reported(&self, alignment: &Alignment) -> bool {
        let shorter = alignment.tokens_a.min(alignment.tokens_b) as u64;
        alignment.is_equal() && self.is_equal_enough(shorter) || self.is_enough(alignment.matched() as u64, shorter)
    }

    /// Whether equal texts of this many tokens are reported for being equal.
    fn is_equal_enough(&self, tokens: u64) -> bool {
        !self.blocks || tokens >= self.passages.anchor() as u64
    }

    /// Whether `matched` tokens are enough when the shorter text has `shorter` tokens.
    pub(super) fn is_enough(&self, matched: u64, shorter: u64) -> bool {
        matched > 0 && matched >= self.min_matched && self.coverage.is_met(matched, shorter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matching() -> MatchSettings {
        MatchSettings::of(ShingleKind::Word).expect("words have an order")
    }

    #[test]
    fn both_limits_are_inclusive_and_nothing_is_never_enough() {
        let settings = matching();
        assert!(settings.is_enough(20, 200) && !settings.is_enough(19, 20) && !settings.is_enough(20, 201));
        let none = MatchSettings { coverage: Threshold::ZERO, min_matched: 0, ..settings };
        assert!(none.is_enough(1, u64::MAX) && !none.is_enough(0, 0));
    }

    #[test]
    fn texts_of_the_same_tokens_are_reported_however_few_and_empty_ones_are_not() {
        let is_reported = |text: &str| {
            let tokens = crate::text::shingle::Shingler::new(ShingleKind::Word, 5).tokens(text.to_owned());
            matching().is_reported(&crate::compare::passages::Aligner::new(matching().passages).align(&tokens, &tokens))
        };
        assert!(is_reported("one two") && !is_reported("?!"));
    }

    #[test]
    fn what_has_no_sequence_and_what_makes_no_pair_is_refused() {
        let check = |settings: MatchSettings, kind| settings.check(&ShingleSettings::new(kind));
        assert!(check(matching(), ShingleKind::Line).is_ok());
        assert!(matches!(check(matching(), ShingleKind::Set), Err(Error::PassagesOfSets)));
        assert!(matches!(check(matching(), ShingleKind::StopWord), Err(Error::MatchStopWords)));
        let capped = |most| check(MatchSettings { max_key_df: Some(most), ..matching() }, ShingleKind::Word);
        assert!(capped(2).is_ok() && matches!(capped(1), Err(Error::MaxKeyDf(1))));
    }
}
