//! `SliceStrategy`: counts pairs in which one set is too large for the memory.
//!
//! It can count any pair, but reads both documents again for each slice, unless their sorted hashes are in memory. So
//! it comes last among the strategies.

use super::strategy::{Counted, Strategy};
use super::tile::Tile;
use crate::search::pairs::context::VerifyContext;
use crate::search::pairs::sets::LoadedDocument;

/// Counts a text and each candidate in slices of the hash range, one slice at a time.
pub(super) struct SliceStrategy<'t> {
    core: &'t VerifyContext<'t>,
    own: &'t LoadedDocument,
    tile: &'t Tile<'t>,
}

impl<'t> SliceStrategy<'t> {
    pub(super) fn new(core: &'t VerifyContext<'t>, own: &'t LoadedDocument, tile: &'t Tile<'t>) -> Self {
        Self { core, own, tile }
    }
}

impl Strategy for SliceStrategy<'_> {
    /// Counts any pair, at a high cost.
    fn count(&mut self, place: usize) -> Counted {
        let Some(candidate) = self.tile.document(place) else { return Counted::Below };
        Counted::new(self.core.slices.verify(self.own, candidate, self.core.threshold))
    }
}
