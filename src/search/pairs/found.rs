//! `VerifiedTexts`: texts and their verified neighbours, in flat arrays, until their pairs are passed on.
//!
//! A pair is stored once, as a neighbour of its earlier text. Threads collect results separately, so the results of a
//! window are merged in document order when the window is finished.

use rayon::prelude::*;

use super::context::VerifyContext;
use crate::base::flat::ragged::Ragged;
use crate::compare::block::ShingleCounts;
use crate::documents::document::DocId;
use crate::sign::signature::equal_values;

/// A document whose pair with another document, the text that owns this entry, reaches the threshold.
#[derive(Debug, Clone, Copy)]
pub(super) struct Neighbour {
    pub(super) document: DocId,
    pub(super) counts: ShingleCounts,
    /// The shingles in both documents.
    pub(super) shared: ShingleCounts,
    /// The number of equal values of the two signatures.
    pub(super) equal_values: u32,
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
    fn push_neighbour(&mut self, neighbour: Neighbour) {
        self.neighbours.open_row().push(neighbour);
    }

    /// Adds a text with the neighbours added since the last text. A text without neighbours is added only if it has
    /// copies.
    fn push_text(&mut self, first: DocId, counts: ShingleCounts, has_copies: bool) {
        if has_copies || self.neighbours.open_len() > 0 {
            self.texts.push((first, counts));
            self.neighbours.end_row();
        }
    }

    /// Adds a text, unless it can no longer be read, with the candidates whose pairs with it reach the threshold.
    ///
    /// * `documents`: the document at each position; `position` and `candidates` are positions.
    /// * `size`: the size of the set at a position; `None` for a document that can no longer be read.
    /// * `shared`: the shingles that the text shares with a candidate, by the number and the position of the candidate.
    /// * `signature`: the signature of the text at a position; `None` for a document that can no longer be read.
    #[inline]
    pub(super) fn push_verified<'f>(
        &mut self,
        core: &VerifyContext<'_>,
        documents: &[DocId],
        (position, candidates): (usize, &[u32]),
        size: impl Fn(usize) -> Option<ShingleCounts>,
        shared: impl Fn(usize, usize) -> ShingleCounts,
        signature: impl Fn(usize) -> Option<&'f [u32]>,
    ) {
        let (first, Some(own)) = (documents[position], size(position)) else { return };
        self.num_candidates += candidates.len() as u64;
        for (at, &candidate) in candidates.iter().enumerate() {
            let candidate = candidate as usize;
            let Some(other) = size(candidate) else { continue };
            let shared = shared(at, candidate);
            let union = own.measure() + other.measure() - shared.measure();
            if core.threshold.is_met(shared.measure(), union)
                && let (Some(a), Some(b)) = (signature(position), signature(candidate))
            {
                let (document, equal_values) = (documents[candidate], equal_values(a, b) as u32);
                self.push_neighbour(Neighbour { document, counts: other, shared, equal_values });
            }
        }
        self.push_text(first, own, core.has_copies(first));
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
