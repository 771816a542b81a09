//! `Tile`: some candidates of a block in memory, and the texts that are compared with them.

use std::sync::Arc;

use crate::document::DocId;
use crate::pairs::sets::{LoadedDocument, LoadedSets};
use crate::verify::Outlines;

/// Candidates of a block's texts, as many as fit the memory, ascending.
pub(super) struct Tile<'t> {
    pub(super) documents: &'t [DocId],
    loaded: LoadedSets<'t>,
    outlines: Outlines,
    /// Where each document stands in the lists above, by document.
    places: &'t [u32],
}

/// The texts of a block; the lists have a row for each.
pub(super) struct TileTexts<'t> {
    pub(super) firsts: &'t [DocId],
    pub(super) own: &'t [Option<Arc<LoadedDocument>>],
    /// The candidates of each text in the tile, ascending.
    pub(super) lists: &'t [&'t [DocId]],
}

impl<'t> Tile<'t> {
    /// * `loaded`: the sets of `documents`.
    /// * `places`: any numbers, one for each document of the corpus; those of `documents` are set.
    pub(super) fn new(documents: &'t [DocId], loaded: LoadedSets<'t>, places: &'t mut [u32]) -> Self {
        for (place, document) in (0..).zip(documents) {
            places[document.index()] = place;
        }
        let mut outlines = Outlines::default();
        for set in &loaded.sets {
            outlines.push(set.as_ref().and_then(|document| document.whole_set()).map(|set| set.outline()));
        }
        Self { documents, loaded, outlines, places }
    }

    /// The place of a document that is in the tile.
    #[inline]
    pub(super) fn place(&self, document: DocId) -> usize {
        self.places[document.index()] as usize
    }

    /// The document at a place; `None` when it could not be loaded.
    #[inline]
    pub(super) fn document(&self, place: usize) -> Option<&Arc<LoadedDocument>> {
        self.loaded.sets[place].as_ref()
    }

    /// The outlines of the sets, by place; there is none of a set that is sliced or could not be loaded.
    #[inline]
    pub(super) fn outlines(&self) -> &Outlines {
        &self.outlines
    }
}

/// Those of a list that are in a run of documents; both ascending.
pub(super) fn within<'l>(list: &'l [DocId], documents: &[DocId]) -> &'l [DocId] {
    let (from, to) = (documents[0], documents[documents.len() - 1]);
    let start = list.partition_point(|&candidate| candidate < from);
    let end = list.partition_point(|&candidate| candidate <= to);
    &list[start..end]
}
