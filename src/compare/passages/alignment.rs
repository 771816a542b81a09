//! `Alignment`: the passages of two texts and their statistics, in tokens.

use std::ops::Range;

/// The passages that two texts share.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Alignment {
    /// The passages, in the order of their positions in the first text.
    pub passages: Vec<Passage>,
    /// Number of tokens in the first text.
    pub tokens_a: usize,
    /// Number of tokens in the second text.
    pub tokens_b: usize,
    /// Length of the longest tile in tokens, even if it is too short to anchor a passage. Where no tiles were chosen
    /// because the texts cannot match enough, the length of the longest run.
    pub longest: usize,
    /// For each text, the number of positions of shared runs of `min_run` tokens that were ignored, because the same
    /// run has 64 earlier positions in that text. 0 for equal texts.
    pub seeds_capped: [u64; 2],
}

/// A passage: tiles that are close to each other in both texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// Token range of the passage in the first text, from its first tile to its last.
    pub a: Range<usize>,
    /// Token range of the passage in the second text.
    pub b: Range<usize>,
    /// Number of tokens in the passage's tiles, equal on both sides.
    pub matched: usize,
    /// Whether the passage is a single tile: the same tokens in both texts, without a gap.
    pub is_exact: bool,
}

impl Alignment {
    /// Number of tokens in the tiles of all passages, equal on both sides.
    pub fn matched(&self) -> usize {
        self.passages.iter().map(|passage| passage.matched).sum()
    }

    /// Share of the first text's tokens that are in tiles of passages, from 0 to 1; 0 for a text without tokens.
    pub fn coverage_a(&self) -> f64 {
        share(self.matched(), self.tokens_a)
    }

    /// Share of the second text's tokens that are in tiles of passages, from 0 to 1; 0 for a text without tokens.
    pub fn coverage_b(&self) -> f64 {
        share(self.matched(), self.tokens_b)
    }

    /// The larger of the two coverages, which is the coverage of the shorter text.
    pub fn coverage(&self) -> f64 {
        self.coverage_a().max(self.coverage_b())
    }

    /// Whether the texts have the same tokens, and at least one.
    pub fn is_equal(&self) -> bool {
        self.tokens_a == self.tokens_b
            && self.passages.first().is_some_and(|passage| passage.is_exact && passage.matched == self.tokens_a)
    }

    /// The alignment with the two texts exchanged.
    pub fn swapped(mut self) -> Self {
        std::mem::swap(&mut self.tokens_a, &mut self.tokens_b);
        self.seeds_capped.reverse();
        self.swap_passages();
        self
    }

    /// Share of the first text's tokens that are in a passage, where passages may overlap each other.
    pub(crate) fn share_of_a(&self) -> f64 {
        share(num_covered(self.passages.iter().map(|passage| passage.a.clone()).collect()), self.tokens_a)
    }

    /// Share of the second text's tokens that are in a passage, where passages may overlap each other.
    pub(crate) fn share_of_b(&self) -> f64 {
        share(num_covered(self.passages.iter().map(|passage| passage.b.clone()).collect()), self.tokens_b)
    }

    /// Exchanges the sides of the passages.
    pub(super) fn swap_passages(&mut self) {
        self.passages.iter_mut().for_each(|passage| std::mem::swap(&mut passage.a, &mut passage.b));
        self.passages.sort_unstable_by_key(|passage| passage.a.start);
    }
}

/// The number of tokens in at least one of some ranges.
fn num_covered(mut ranges: Vec<Range<usize>>) -> usize {
    ranges.sort_unstable_by_key(|range| (range.start, range.end));
    let (mut covered, mut end) = (0, 0);
    for range in ranges {
        covered += range.end.saturating_sub(range.start.max(end));
        end = range.end.max(end);
    }
    covered
}

fn share(matched: usize, tokens: usize) -> f64 {
    if tokens == 0 { 0.0 } else { matched as f64 / tokens as f64 }
}
