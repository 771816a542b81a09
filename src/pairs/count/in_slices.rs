//! `InSlices`: counts pairs of which one set is too large for the memory.

use super::strategy::{Counted, Strategy};
use super::tile::Tile;
use crate::pairs::core::Core;
use crate::pairs::sets::LoadedDocument;

/// Counts a text and each candidate slice by slice of the hash range.
pub(super) struct InSlices<'t> {
    core: &'t Core<'t>,
    own: &'t LoadedDocument,
    tile: &'t Tile<'t>,
}

impl<'t> InSlices<'t> {
    pub(super) fn new(core: &'t Core<'t>, own: &'t LoadedDocument, tile: &'t Tile<'t>) -> Self {
        Self { core, own, tile }
    }
}

impl Strategy for InSlices<'_> {
    /// Able to count any pair, at a high price.
    fn count(&mut self, place: usize) -> Counted {
        let Some(candidate) = self.tile.document(place) else { return Counted::Below };
        Counted::new(self.core.slices.verify(self.own, candidate, self.core.threshold))
    }
}
