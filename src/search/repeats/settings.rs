//! `RepeatSettings`: which repeats of a corpus are found.

use crate::base::error::{Error, Result};
use crate::text::shingle::{ShingleKind, ShingleSettings};

/// The default number of tokens of a repeated passage, as in Lee et al. 2022 (Deduplicating Training Data Makes Language
/// Models Better).
const PASSAGE: usize = 50;

/// The part of a text that is compared with the rest of the corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RepeatUnit {
    /// A run of this many tokens of the shingles: words, characters or tokens of programs. At least 2.
    Passage(usize),
    /// A line.
    Line,
    /// A paragraph: the text between blank lines.
    Paragraph,
    /// This many consecutive sentences by UAX #29; C4 uses 3. At least 1.
    Sentences(usize),
}

impl RepeatUnit {
    /// The default: passages of 50 tokens.
    pub const DEFAULT: Self = Self::Passage(PASSAGE);

    /// The number of tokens in a run.
    pub fn tokens(self) -> usize {
        match self {
            Self::Passage(tokens) | Self::Sentences(tokens) => tokens,
            Self::Line | Self::Paragraph => 1,
        }
    }

    /// The tokens of the unit, where it determines them.
    pub fn kind(self) -> Option<ShingleKind> {
        match self {
            Self::Passage(_) => None,
            Self::Line => Some(ShingleKind::Line),
            Self::Paragraph => Some(ShingleKind::Paragraph),
            Self::Sentences(_) => Some(ShingleKind::Sentence),
        }
    }
}

/// The occurrences of a repeated run that are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeptOccurrence {
    /// The first one in document order.
    First,
    /// None of them.
    None,
}

/// The texts in which a run must occur twice to be repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RepeatScope {
    /// One document.
    Document,
    /// The documents of one group.
    Group,
    /// The whole corpus.
    Corpus,
}

/// Selects the repeats of a corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RepeatSettings {
    /// The unit that repeats. Default: 50 tokens.
    pub unit: RepeatUnit,
    /// The occurrences that are kept. Default: the first.
    pub keep: KeptOccurrence,
    /// The texts in which a run must occur twice. Default: the corpus.
    pub scope: RepeatScope,
    /// The number of documents of the scope that must contain a line, a paragraph or a run of sentences. A run that one document
    /// contains several times counts once. Ignored for passages and within one document, where two occurrences are
    /// enough. Default: 2.
    pub min_documents: u32,
    /// The number of characters that a line, a paragraph or a run of sentences has at least, after folding. Default: 1.
    pub min_chars: u64,
}

impl Default for RepeatSettings {
    fn default() -> Self {
        Self {
            unit: RepeatUnit::DEFAULT,
            keep: KeptOccurrence::First,
            scope: RepeatScope::Corpus,
            min_documents: 2,
            min_chars: 1,
        }
    }
}

impl RepeatSettings {
    /// The number of tokens in a run.
    pub(super) fn run(self) -> usize {
        self.unit.tokens()
    }

    /// The number of tokens in a gram. Grams of half a run are repeated by chance much less often than short ones, and
    /// about 4 of a run's tokens begin a selected gram.
    pub(super) fn gram(self) -> usize {
        match self.unit {
            RepeatUnit::Passage(tokens) => tokens.div_ceil(2),
            _ => self.run(),
        }
    }

    /// The number of documents that must contain a run.
    pub(super) fn least_documents(self) -> u32 {
        match (self.unit, self.scope) {
            (RepeatUnit::Passage(_), _) | (_, RepeatScope::Document) => 1,
            _ => self.min_documents,
        }
    }

    /// The settings of the shingles whose hashes are the grams.
    ///
    /// # Errors
    /// When a run has no tokens, or the shingles have no order or skip words.
    pub(crate) fn grams(self, shingles: &ShingleSettings) -> Result<ShingleSettings> {
        let kind = self.unit.kind().unwrap_or(shingles.kind());
        if matches!(kind, ShingleKind::Set | ShingleKind::StopWord) {
            return Err(Error::RepeatsUnordered);
        }
        ShingleSettings::new(kind).with_min_tokens(shingles.min_tokens()).with_size(self.gram())
    }
}
