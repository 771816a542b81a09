//! `ShingleSettings`: the settings of shingles, with their defaults and checks.

use std::num::NonZeroUsize;

use serde::{Deserialize, Serialize};

use super::kinds::{ShingleKind, StopWords};
use super::shingler::Shingler;
use crate::base::error::{Error, Result};
use crate::text::normalize::{Normalization, Normalizer, Units};

/// The kind and size of shingles, and related settings. Default: 9 characters.
///
/// ```
/// use dedup_scan::{ShingleKind, ShingleSettings};
///
/// let words = ShingleSettings::new(ShingleKind::Word);
/// assert_eq!(words.size(), 5);
/// assert_eq!(words.with_size(3).unwrap().size(), 3);
/// ```
///
/// An index and the parameters of `dedup sign --pipe` store the fields in this order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShingleSettings {
    #[serde(rename = "shingle")]
    kind: ShingleKind,
    #[serde(rename = "k")]
    size: NonZeroUsize,
    bag: bool,
    min_tokens: u64,
    stop_words: StopWords,
}

impl Default for ShingleSettings {
    fn default() -> Self {
        Self::new(ShingleKind::Char)
    }
}

impl ShingleSettings {
    /// Creates settings for a kind with its [default size](ShingleKind::default_size).
    pub fn new(kind: ShingleKind) -> Self {
        Self {
            kind,
            size: NonZeroUsize::new(kind.default_size()).expect("defaults are above 0"),
            bag: false,
            min_tokens: 0,
            stop_words: StopWords::Detect,
        }
    }

    /// Approximate bytes that the [`Tokens`](super::Tokens) of a text need per shingle.
    ///
    /// * `leaves_out`: whether some tokens are removed, which turns characters into pieces.
    pub(crate) fn token_bytes(&self, leaves_out: bool) -> u64 {
        if self.kind == ShingleKind::Char && !leaves_out { 8 } else { 48 }
    }

    /// Sets the number of tokens in a shingle.
    ///
    /// # Errors
    /// When `size` is 0, or above 1 for the elements of sets, which have no order.
    pub fn with_size(self, size: usize) -> Result<Self> {
        if self.kind.is_unordered() && size > 1 {
            return Err(Error::SetShingleSize { size });
        }
        Ok(Self { size: NonZeroUsize::new(size).ok_or(Error::ShingleSize)?, ..self })
    }

    /// Selects multisets of shingles instead of sets. Default: sets.
    pub fn with_bag(self, bag: bool) -> Self {
        Self { bag, ..self }
    }

    /// Sets the words that begin a shingle of stop words. Default: the list of each text's detected language.
    pub fn with_stop_words(self, stop_words: StopWords) -> Self {
        Self { stop_words, ..self }
    }

    /// Excludes documents with fewer tokens. Default: 0, which excludes no document.
    pub fn with_min_tokens(self, min_tokens: u64) -> Self {
        Self { min_tokens, ..self }
    }

    /// The kind of token that shingles consist of.
    pub fn kind(&self) -> ShingleKind {
        self.kind
    }

    /// Number of tokens in a shingle; at least 1.
    pub fn size(&self) -> usize {
        self.size.get()
    }

    /// Whether multisets of shingles are compared.
    pub fn bag(&self) -> bool {
        self.bag
    }

    /// The words that begin a shingle of stop words.
    pub fn stop_words(&self) -> &StopWords {
        &self.stop_words
    }

    /// Minimum number of tokens of a document that is compared.
    pub fn min_tokens(&self) -> u64 {
        self.min_tokens
    }

    /// Whether documents are sets, not texts.
    pub(crate) fn of_sets(&self) -> bool {
        self.kind == ShingleKind::Set
    }

    /// Whether texts are programs, each in its own language.
    pub(crate) fn of_programs(&self) -> bool {
        self.kind == ShingleKind::Code
    }

    /// Creates a normaliser whose texts can be cut into these shingles.
    pub fn normalizer(&self, normalization: &Normalization) -> Normalizer {
        Normalizer::new(normalization, self.kind.units())
    }

    /// Creates a shingler for these shingles.
    ///
    /// * `normalization`: the normalisation of the texts; stop words are folded in the same way.
    pub fn shingler(&self, normalization: &Normalization) -> Shingler {
        Shingler::new(self.kind, self.size())
            .with_stop_words(self.stop_words.clone(), Normalizer::new(normalization, Units::Text))
            .with_bag(self.bag)
    }
}
