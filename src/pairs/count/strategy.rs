//! `Strategy`: one way to count what a text shares with its candidates.

use crate::verify::SharedShingles;

/// A way to count what one text shares with candidates of a tile.
pub(super) trait Strategy {
    /// Counts what the text shares with the candidate at a place of the tile.
    fn count(&mut self, place: usize) -> Counted;
}

/// What a strategy has found of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counted {
    /// The shared shingles of a pair that reaches the threshold.
    Shared(SharedShingles),
    /// The pair does not reach the threshold, or can no longer be loaded.
    Below,
    /// This strategy cannot count the pair.
    Unable,
}

impl Counted {
    /// Of a pair that the strategy can count: `None` below the threshold.
    #[inline]
    pub(super) fn new(shared: Option<SharedShingles>) -> Self {
        shared.map_or(Self::Below, Self::Shared)
    }

    /// Asks the next strategy if this one is unable.
    #[inline]
    pub(super) fn or_else(self, next: impl FnOnce() -> Self) -> Self {
        if self == Self::Unable { next() } else { self }
    }
}

/// A strategy that does not apply to the text.
impl<S: Strategy> Strategy for Option<S> {
    #[inline]
    fn count(&mut self, place: usize) -> Counted {
        self.as_mut().map_or(Counted::Unable, |strategy| strategy.count(place))
    }
}
