//! `FullCounter`: counts pairs whose sets are both in memory, after a test of their outlines.
//!
//! The outline of a set is its size and a small sketch. It rules out most candidates below the threshold without access
//! to their sets, and never a pair that reaches the threshold.

use super::strategy::{Counted, Strategy};
use super::tile::Tile;
use crate::compare::verify::{Outline, Threshold};
use crate::search::pairs::context::{ReusingVerifier, VerifyContext};
use crate::search::pairs::sets::LoadedDocument;

/// Compares a text with the outlines of candidates first, which lie next to each other in memory, and then with the
/// full sets of the few that remain.
pub(super) struct FullCounter<'t> {
    tile: &'t Tile<'t>,
    verifier: ReusingVerifier<'t>,
    outline: Outline<'t>,
    threshold: Threshold,
}

impl<'t> FullCounter<'t> {
    /// Returns `None` when the set of the text is sliced.
    pub(super) fn new(core: &VerifyContext<'_>, own: &'t LoadedDocument, tile: &'t Tile<'t>) -> Option<Self> {
        let set = own.whole_set()?;
        let (verifier, outline) = (ReusingVerifier::new(set), set.outline());
        Some(Self { tile, verifier, outline, threshold: core.threshold })
    }
}

impl Strategy for FullCounter<'_> {
    /// Returns `Unable` when the candidate has no outline: its set is sliced, or could not be loaded.
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
