//! `ShingleSettings`: what a shingle is, with its default and its check.

use std::num::NonZeroUsize;

use super::kinds::{ShingleKind, StopWords};
use super::shingler::Shingler;
use crate::error::{Error, Result};
use crate::normalize::{Normalization, Normalizer, Units};

/// What a shingle is. Default: 9 characters.
///
/// ```
/// use dedup_scan::{ShingleKind, ShingleSettings};
///
/// let words = ShingleSettings::new(ShingleKind::Word);
/// assert_eq!(words.size(), 5);
/// assert_eq!(words.with_size(3).unwrap().size(), 3);
/// ```
#[derive(Debug, Clone)]
pub struct ShingleSettings {
    kind: ShingleKind,
    size: NonZeroUsize,
    bag: bool,
    stop_words: StopWords,
    min_tokens: u64,
}

impl Default for ShingleSettings {
    fn default() -> Self {
        Self::new(ShingleKind::Char)
    }
}

impl ShingleSettings {
    /// Shingles of a kind, of its [default size](ShingleKind::default_size).
    pub fn new(kind: ShingleKind) -> Self {
        Self {
            kind,
            size: NonZeroUsize::new(kind.default_size()).expect("defaults are above 0"),
            bag: false,
            stop_words: StopWords::Detect,
            min_tokens: 0,
        }
    }

    /// About how many bytes the [`Tokens`](super::Tokens) of a text take for each of its shingles.
    ///
    /// * `leaves_out`: whether some are left out, which makes pieces of characters.
    pub(crate) fn token_bytes(&self, leaves_out: bool) -> u64 {
        if self.kind == ShingleKind::Char && !leaves_out { 8 } else { 48 }
    }

    /// With this many tokens in a shingle.
    ///
    /// # Errors
    /// When it is 0, or above 1 for the elements of sets, which have no order.
    pub fn with_size(self, size: usize) -> Result<Self> {
        if self.kind.is_unordered() && size > 1 {
            return Err(Error::SetShingleSize { size });
        }
        Ok(Self { size: NonZeroUsize::new(size).ok_or(Error::ShingleSize)?, ..self })
    }

    /// With multisets of shingles in place of sets. Default: sets.
    pub fn with_bag(self, bag: bool) -> Self {
        Self { bag, ..self }
    }

    /// With these words at the start of a shingle, where stop words start it. Default: those of the language that each text
    /// is found to be in.
    pub fn with_stop_words(self, stop_words: StopWords) -> Self {
        Self { stop_words, ..self }
    }

    /// Leaves out documents of fewer tokens. Default: 0, which leaves out none.
    pub fn with_min_tokens(self, min_tokens: u64) -> Self {
        Self { min_tokens, ..self }
    }

    /// What a shingle is made of.
    pub fn kind(&self) -> ShingleKind {
        self.kind
    }

    /// Tokens in a shingle; at least 1.
    pub fn size(&self) -> usize {
        self.size.get()
    }

    /// Whether multisets of shingles are compared.
    pub fn bag(&self) -> bool {
        self.bag
    }

    /// Which words start a shingle, where stop words do.
    pub fn stop_words(&self) -> &StopWords {
        &self.stop_words
    }

    /// The least number of tokens of a document that is compared.
    pub fn min_tokens(&self) -> u64 {
        self.min_tokens
    }

    /// Whether documents are sets, and not texts.
    pub(crate) fn of_sets(&self) -> bool {
        self.kind == ShingleKind::Set
    }

    /// Whether texts are programs, each in a language of its own.
    pub(crate) fn of_programs(&self) -> bool {
        self.kind == ShingleKind::Code
    }

    /// Makes the normalised text that is hashed and cut into these shingles.
    pub fn normalizer(&self, normalization: &Normalization) -> Normalizer {
        Normalizer::new(normalization, self.kind.units())
    }

    /// Cuts texts into these shingles.
    ///
    /// * `normalization`: as of the texts; stop words are folded like them.
    pub fn shingler(&self, normalization: &Normalization) -> Shingler {
        Shingler::new(self.kind, self.size())
            .with_stop_words(self.stop_words.clone(), Normalizer::new(normalization, Units::Text))
            .with_bag(self.bag)
    }
}
