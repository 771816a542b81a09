//! `PassageSettings`: the definition of a passage, with defaults for each kind of shingle.

use serde::Serialize;

use crate::base::error::{Error, Result};
use crate::text::shingle::ShingleKind;

/// The definition of a passage, in tokens.
///
/// ```
/// use dedup_scan::ShingleKind;
/// use dedup_scan::compare::passages::PassageSettings;
///
/// let words = PassageSettings::of(ShingleKind::Word).unwrap();
/// assert_eq!((words.min_run(), words.anchor(), words.max_gap()), (5, 8, 10));
/// assert!(PassageSettings::new(5, 4, 10).is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct PassageSettings {
    min_run: usize,
    anchor: usize,
    max_gap: usize,
}

impl PassageSettings {
    /// Creates settings.
    ///
    /// * `min_run`: minimum length of a run; at least 1.
    /// * `anchor`: minimum length of the longest tile of a passage; at least `min_run`.
    /// * `max_gap`: maximum number of tokens between two tiles of a passage, on either side.
    ///
    /// # Errors
    /// When `min_run` or `anchor` is below its minimum.
    pub fn new(min_run: usize, anchor: usize, max_gap: usize) -> Result<Self> {
        if min_run == 0 {
            return Err(Error::MinRun);
        }
        if anchor < min_run {
            return Err(Error::Anchor { anchor, min_run });
        }
        Ok(Self { min_run, anchor, max_gap })
    }

    /// The defaults of a kind of shingle:
    ///
    /// | Tokens | `min_run` | `anchor` | `max_gap` |
    /// | --- | --- | --- | --- |
    /// | characters | 20 | 40 | 50 |
    /// | words, also with shingles of stop words | 5 | 8 | 10 |
    /// | lines | 1 | 3 | 2 |
    /// | sentences, paragraphs | 1 | 1 | 1 |
    /// | tokens of programs | 12 | 17 | 6 |
    ///
    /// # Errors
    /// For the elements of sets, which have no order.
    pub fn of(kind: ShingleKind) -> Result<Self> {
        let (min_run, anchor, max_gap) = match kind {
            ShingleKind::Char => (20, 40, 50),
            ShingleKind::Word | ShingleKind::StopWord => (5, 8, 10),
            ShingleKind::Line => (1, 3, 2),
            ShingleKind::Sentence | ShingleKind::Paragraph => (1, 1, 1),
            ShingleKind::Code => (12, 17, 6),
            ShingleKind::Set => return Err(Error::PassagesOfSets),
        };
        Self::new(min_run, anchor, max_gap)
    }

    /// Minimum length of a run in tokens.
    pub fn min_run(&self) -> usize {
        self.min_run
    }

    /// Minimum length of the longest tile of a passage, in tokens.
    pub fn anchor(&self) -> usize {
        self.anchor
    }

    /// Maximum number of tokens between two tiles of a passage, on either side.
    pub fn max_gap(&self) -> usize {
        self.max_gap
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_anchor_is_no_shorter_than_a_run() {
        assert!(PassageSettings::new(1, 1, 0).is_ok());
        assert!(matches!(PassageSettings::new(0, 1, 0), Err(Error::MinRun)));
        assert!(matches!(PassageSettings::new(5, 4, 10), Err(Error::Anchor { anchor: 4, min_run: 5 })));
    }

    #[test]
    fn every_kind_with_an_order_has_defaults() {
        use ShingleKind::*;
        assert!([Char, Word, Line, Sentence, StopWord, Code].into_iter().all(|kind| PassageSettings::of(kind).is_ok()));
        assert!(matches!(PassageSettings::of(Set), Err(Error::PassagesOfSets)));
    }
}
