//! `Strategy`: a way to count the shingles that a text shares with its candidates.
//!
//! For each pair, a block tries one strategy after another, the cheapest first, until one can count the pair. The last
//! one can count any pair.

use crate::compare::verify::SharedShingles;

/// Counts the shingles that one text shares with candidates of a tile.
pub(super) trait Strategy {
    /// Counts the shingles that the text shares with the candidate at a position in the tile.
    fn count(&mut self, place: usize) -> Counted;
}

/// The result of a strategy for a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counted {
    /// The pair reaches the threshold, and shares these shingles.
    Shared(SharedShingles),
    /// The pair does not reach the threshold, or can no longer be loaded.
    Below,
    /// This strategy cannot count the pair.
    Unable,
}

impl Counted {
    /// The result for a pair that the strategy can count: `shared` is `None` below the threshold.
    #[inline]
    pub(super) fn new(shared: Option<SharedShingles>) -> Self {
        shared.map_or(Self::Below, Self::Shared)
    }

    /// Tries `next` if this strategy is unable to count the pair.
    #[inline]
    pub(super) fn or_else(self, next: impl FnOnce() -> Self) -> Self {
        if self == Self::Unable { next() } else { self }
    }
}

/// `None` is a strategy that does not apply to the text.
impl<S: Strategy> Strategy for Option<S> {
    #[inline]
    fn count(&mut self, place: usize) -> Counted {
        self.as_mut().map_or(Counted::Unable, |strategy| strategy.count(place))
    }
}
