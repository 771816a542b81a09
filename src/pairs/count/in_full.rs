//! `InFull`: counts pairs of which both sets are in memory, after their outlines.

use super::strategy::{Counted, Strategy};
use super::tile::Tile;
use crate::pairs::core::{Core, ReusingVerifier};
use crate::pairs::sets::LoadedDocument;
use crate::verify::{Outline, Threshold};

/// Compares a text first with the outlines of candidates, which lie side by side, then in full with the few that are left.
pub(super) struct InFull<'t> {
    tile: &'t Tile<'t>,
    verifier: ReusingVerifier<'t>,
    outline: Outline<'t>,
    threshold: Threshold,
}

impl<'t> InFull<'t> {
    /// `None` when the set of the text is sliced.
    pub(super) fn new(core: &Core<'_>, own: &'t LoadedDocument, tile: &'t Tile<'t>) -> Option<Self> {
        let set = own.whole_set()?;
        let (verifier, outline) = (ReusingVerifier::new(set), set.outline());
        Some(Self { tile, verifier, outline, threshold: core.threshold })
    }
}

impl Strategy for InFull<'_> {
    /// Unable when the set of the candidate is sliced.
    #[inline]
    fn count(&mut self, place: usize) -> Counted {
        let Some(outline) = self.tile.outlines().get(place) else { return Counted::Unable };
        if self.outline.rules_out(&outline, self.threshold) {
            return Counted::Below;
        }
        let candidate = self.tile.document(place).and_then(|document| document.whole_set());
        let set = candidate.expect("what has an outline has a set");
        Counted::new(self.verifier.verify_in_full(set, self.threshold))
    }
}
