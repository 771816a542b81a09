//! `VerifiedTexts`: texts and their verified neighbours, in flat arrays, until their pairs are passed on.
//!
//! A pair is stored once, as a neighbour of its earlier text. Threads collect results separately, so the results of a
//! window are merged in document order when the window is finished.

use rayon::prelude::*;

use crate::base::flat::ragged::Ragged;
use crate::documents::document::DocId;

/// A document whose pair with another document, the text that owns this entry, reaches the threshold.
#[derive(Debug, Clone, Copy)]
pub(super) struct Neighbour {
    pub(super) document: DocId,
    pub(super) counts: ShingleCounts,
    /// The number of shingles in both documents.
    pub(super) shared: u32,
    /// The number of equal values of the two signatures.
    pub(super) equal_values: u32,
    /// The number of distinct shingles removed from both documents.
    pub(super) shared_removed: u32,
    /// The weight of the shingles in both documents; 0 where shingles have no weights.
    pub(super) shared_weight: u64,
}

/// The numbers of distinct shingles of a text: the shingles that are compared, and the removed shingles.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ShingleCounts {
    pub(super) shingles: u32,
    pub(super) removed: u32,
    /// The weight of the shingles that are compared; 0 where shingles have no weights.
    pub(super) weight: u64,
}

/// A distinct text and its neighbours among later texts.
#[derive(Debug, Clone, Copy)]
pub(super) struct VerifiedText<'f> {
    pub(super) first: DocId,
    pub(super) counts: ShingleCounts,
    pub(super) neighbours: &'f [Neighbour],
}

/// Texts that have neighbours or copies, found in some small components or in a block.
#[derive(Default)]
pub(super) struct VerifiedTexts {
    texts: Vec<(DocId, ShingleCounts)>,
    /// The neighbours of each text.
    neighbours: Ragged<Neighbour>,
    /// The number of candidate pairs that were verified.
    pub(super) num_candidates: u64,
}

impl VerifiedTexts {
    /// Adds a neighbour to the text that is added next.
    pub(super) fn push_neighbour(&mut self, neighbour: Neighbour) {
        self.neighbours.open_row().push(neighbour);
    }

    /// Adds a text with the neighbours added since the last text. A text without neighbours is added only if it has
    /// copies.
    pub(super) fn push_text(&mut self, first: DocId, counts: ShingleCounts, has_copies: bool) {
        if has_copies || self.neighbours.open_len() > 0 {
            self.texts.push((first, counts));
            self.neighbours.end_row();
        }
    }

    /// The bytes of texts and neighbours.
    pub(super) fn num_bytes(&self) -> u64 {
        (size_of::<(DocId, ShingleCounts)>() * self.texts.capacity() + self.neighbours.num_bytes()) as u64
    }

    fn text(&self, text: usize) -> VerifiedText<'_> {
        let (first, counts) = self.texts[text];
        VerifiedText { first, counts, neighbours: self.neighbours.row(text) }
    }
}

/// The texts of all entries, in document order.
pub(super) fn in_document_order(found: &[VerifiedTexts]) -> impl Iterator<Item = VerifiedText<'_>> {
    let texts = |(number, found): (usize, &VerifiedTexts)| {
        let firsts = found.texts.iter().map(|&(first, _)| first);
        firsts.enumerate().map(|(text, first)| (first, number as u32, text as u32)).collect::<Vec<_>>()
    };
    let mut order: Vec<(DocId, u32, u32)> = found.iter().enumerate().flat_map(texts).collect();
    order.par_sort_unstable();
    order.into_iter().map(|(_, number, text)| found[number as usize].text(text as usize))
}
