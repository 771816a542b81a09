//! `Found`: texts and their verified neighbours in flat arrays, until their pairs leave.

use rayon::prelude::*;

use crate::document::DocId;
use crate::flat::ragged::Ragged;

/// A document whose pair with another one reaches the threshold, as seen from that other one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Neighbour {
    pub(super) document: DocId,
    pub(super) counts: ShingleCounts,
    /// Shingles in both.
    pub(super) shared: u32,
    /// Equal values of the two signatures.
    pub(super) equal_values: u32,
    /// Shingles removed from both.
    pub(super) shared_removed: u32,
    /// What the shingles in both weigh; 0 where they have no weights.
    pub(super) shared_weight: u64,
}

/// The numbers of the distinct shingles of a text: those that are compared, and those that were removed before.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ShingleCounts {
    pub(super) shingles: u32,
    pub(super) removed: u32,
    /// What those that are compared weigh; 0 where they have no weights.
    pub(super) weight: u64,
}

/// A distinct text and its neighbours among the texts that come later.
#[derive(Debug, Clone, Copy)]
pub(super) struct VerifiedText<'f> {
    pub(super) first: DocId,
    pub(super) counts: ShingleCounts,
    pub(super) neighbours: &'f [Neighbour],
}

/// Texts that have neighbours or copies, of some small components or of a block.
#[derive(Default)]
pub(super) struct Found {
    texts: Vec<(DocId, ShingleCounts)>,
    /// The neighbours of each text.
    neighbours: Ragged<Neighbour>,
    /// Candidate pairs that were verified.
    pub(super) num_candidates: u64,
}

impl Found {
    /// Adds a neighbour of the text that is added next.
    pub(super) fn push_neighbour(&mut self, neighbour: Neighbour) {
        self.neighbours.open_row().push(neighbour);
    }

    /// Adds a text with the neighbours since the last one. A text without neighbours is added only if it has copies.
    pub(super) fn push_text(&mut self, first: DocId, counts: ShingleCounts, has_copies: bool) {
        if has_copies || self.neighbours.open_len() > 0 {
            self.texts.push((first, counts));
            self.neighbours.end_row();
        }
    }

    /// Bytes of texts and neighbours.
    pub(super) fn num_bytes(&self) -> u64 {
        (size_of::<(DocId, ShingleCounts)>() * self.texts.capacity() + self.neighbours.num_bytes()) as u64
    }

    fn text(&self, text: usize) -> VerifiedText<'_> {
        let (first, counts) = self.texts[text];
        VerifiedText { first, counts, neighbours: self.neighbours.row(text) }
    }
}

/// The texts of all of these, each once, in document order.
pub(super) fn in_document_order(found: &[Found]) -> impl Iterator<Item = VerifiedText<'_>> {
    let texts = |(number, found): (usize, &Found)| {
        let firsts = found.texts.iter().map(|&(first, _)| first);
        firsts.enumerate().map(|(text, first)| (first, number as u32, text as u32)).collect::<Vec<_>>()
    };
    let mut order: Vec<(DocId, u32, u32)> = found.iter().enumerate().flat_map(texts).collect();
    order.par_sort_unstable();
    order.into_iter().map(|(_, number, text)| found[number as usize].text(text as usize))
}
