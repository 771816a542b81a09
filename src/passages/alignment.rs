//! `Alignment`: the passages of two texts and their numbers, in tokens.

use std::ops::Range;

/// The passages that two texts share.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Alignment {
    /// In the order of their places in the first text.
    pub passages: Vec<Passage>,
    /// Tokens of the first text.
    pub tokens_a: usize,
    /// Tokens of the second text.
    pub tokens_b: usize,
    /// The length of the longest tile in tokens, also of one that is too short to anchor a passage.
    pub longest: usize,
    /// Of each text, places of shared runs of `min_run` tokens that were not looked at, because the same run of tokens has 64
    /// earlier places in the same text. 0 for equal texts.
    pub seeds_capped: [u64; 2],
}

/// A passage: tiles that stand near to one another in both texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// Its tokens in the first text, from its first tile to its last.
    pub a: Range<usize>,
    /// Its tokens in the second text.
    pub b: Range<usize>,
    /// Tokens of its tiles, which are the same number on both sides.
    pub matched: usize,
    /// Whether it is one tile: the same tokens in both texts, without a gap.
    pub is_exact: bool,
}

impl Alignment {
    /// Tokens of all passages' tiles, which are the same number on both sides.
    pub fn matched(&self) -> usize {
        self.passages.iter().map(|passage| passage.matched).sum()
    }

    /// The share of the first text's tokens that are in tiles of passages, from 0 to 1; 0 for a text without tokens.
    pub fn coverage_a(&self) -> f64 {
        share(self.matched(), self.tokens_a)
    }

    /// The same of the second text.
    pub fn coverage_b(&self) -> f64 {
        share(self.matched(), self.tokens_b)
    }

    /// The larger of both: the coverage of the shorter text.
    pub fn coverage(&self) -> f64 {
        self.coverage_a().max(self.coverage_b())
    }

    /// Whether the texts have the same tokens, and have any.
    pub fn is_equal(&self) -> bool {
        self.tokens_a == self.tokens_b
            && self.passages.first().is_some_and(|passage| passage.is_exact && passage.matched == self.tokens_a)
    }

    /// The alignment of the second text with the first.
    pub fn swapped(mut self) -> Self {
        std::mem::swap(&mut self.tokens_a, &mut self.tokens_b);
        self.seeds_capped.reverse();
        self.swap_passages();
        self
    }

    /// Exchanges the sides of the passages.
    pub(super) fn swap_passages(&mut self) {
        self.passages.iter_mut().for_each(|passage| std::mem::swap(&mut passage.a, &mut passage.b));
        self.passages.sort_unstable_by_key(|passage| passage.a.start);
    }
}

fn share(matched: usize, tokens: usize) -> f64 {
    if tokens == 0 { 0.0 } else { matched as f64 / tokens as f64 }
}
