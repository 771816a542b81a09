//! `Tile`: some candidates of a block in memory, and the texts that are compared with them.
//!
//! Each document of the tile has a position, which an array over all documents of the corpus gives. The outlines of the
//! sets are stored in the order of positions, so that comparing a text with them reads memory in order.

use std::sync::Arc;

use crate::compare::verify::Outlines;
use crate::documents::document::DocId;
use crate::search::pairs::sets::{LoadedDocument, LoadedSets};

/// Candidates of a block's texts, ascending, as many as fit the memory.
pub(super) struct Tile<'t> {
    pub(super) documents: &'t [DocId],
    loaded: LoadedSets<'t>,
    outlines: Outlines,
    /// The position in the tile of each of its documents, indexed by document.
    places: &'t [u32],
}

/// The texts of a block; each list has one entry for each text.
pub(super) struct TileTexts<'t> {
    pub(super) firsts: &'t [DocId],
    pub(super) own: &'t [Option<Arc<LoadedDocument>>],
    /// The candidates of each text in the tile, ascending.
    pub(super) lists: &'t [&'t [DocId]],
}

impl<'t> Tile<'t> {
    /// * `loaded`: the sets of `documents`.
    /// * `places`: one number for each document of the corpus, with any values; the entries of `documents` are
    ///   overwritten.
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

    /// The position of a document of the tile.
    #[inline]
    pub(super) fn place(&self, document: DocId) -> usize {
        self.places[document.index()] as usize
    }

    /// The document at a position; `None` when it could not be loaded.
    #[inline]
    pub(super) fn document(&self, place: usize) -> Option<&Arc<LoadedDocument>> {
        self.loaded.sets[place].as_ref()
    }

    /// The outlines of the sets, by position; a set that is sliced or could not be loaded has no outline.
    #[inline]
    pub(super) fn outlines(&self) -> &Outlines {
        &self.outlines
    }
}

/// The part of a list between the first and the last of some documents; both are ascending.
pub(super) fn within<'l>(list: &'l [DocId], documents: &[DocId]) -> &'l [DocId] {
    let (from, to) = (documents[0], documents[documents.len() - 1]);
    let start = list.partition_point(|&candidate| candidate < from);
    let end = list.partition_point(|&candidate| candidate <= to);
    &list[start..end]
}
