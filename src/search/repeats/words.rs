//! `WordCounter`: counts the words of texts.

use crate::text::shingle::{ShingleHashes, ShingleKind, Shingler};

/// Counts words. It keeps its buffers from one text to the next, so each thread needs its own.
pub(crate) struct WordCounter(Shingler);

impl WordCounter {
    pub(crate) fn new() -> Self {
        Self(Shingler::new(ShingleKind::Word, 1))
    }

    /// The number of words of a normalised text.
    pub(crate) fn count(&mut self, text: &[u8]) -> u64 {
        self.0.shingles_utf8(text).for_each_block(&mut |_| {});
        self.0.last().num_tokens
    }
}
