//! What verification found: texts and their neighbours in flat arrays, until it is their turn to leave.

use rayon::prelude::*;

use crate::document::DocId;

/// A distinct text that was verified against another, seen from that other one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Neighbour {
    pub(super) first: DocId,
    pub(super) shingles: u32,
    pub(super) shared: u32,
    pub(super) equal_values: u32,
    /// Shingles taken out of it, and out of both.
    pub(super) removed: u32,
    pub(super) shared_removed: u32,
}

/// A distinct text and its verified neighbours among the texts that come later.
#[derive(Debug, Clone, Copy)]
pub(super) struct Verified<'f> {
    pub(super) first: DocId,
    pub(super) sizes: Sizes,
    pub(super) neighbours: &'f [Neighbour],
}

/// The distinct shingles of a text: those that are left, and those taken out.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sizes {
    pub(super) shingles: u32,
    pub(super) removed: u32,
}

/// Texts that have neighbours or copies, of some families or of a block.
#[derive(Default)]
pub(super) struct Found {
    texts: Vec<Row>,
    /// Of all texts, one after another.
    neighbours: Vec<Neighbour>,
    /// Candidates that were verified.
    pub(super) num_candidates: u64,
}

struct Row {
    first: DocId,
    sizes: Sizes,
    neighbours_end: usize,
}

impl Found {
    /// Adds a neighbour of the text that is added next.
    pub(super) fn push_neighbour(&mut self, neighbour: Neighbour) {
        self.neighbours.push(neighbour);
    }

    /// Adds a text with the neighbours since the last one; without any only if it has copies.
    pub(super) fn push_text(&mut self, first: DocId, sizes: Sizes, has_copies: bool) {
        let neighbours_end = self.neighbours.len();
        if has_copies || neighbours_end > self.start(self.texts.len()) {
            self.texts.push(Row { first, sizes, neighbours_end });
        }
    }

    /// Bytes of texts and neighbours.
    pub(super) fn num_bytes(&self) -> u64 {
        (self.texts.capacity() * size_of::<Row>() + self.neighbours.capacity() * size_of::<Neighbour>()) as u64
    }

    fn start(&self, text: usize) -> usize {
        text.checked_sub(1).map_or(0, |before| self.texts[before].neighbours_end)
    }

    fn verified(&self, text: usize) -> Verified<'_> {
        let Row { first, sizes, neighbours_end } = self.texts[text];
        Verified { first, sizes, neighbours: &self.neighbours[self.start(text)..neighbours_end] }
    }
}

/// The texts of all of these, each once, in document order.
pub(super) fn in_document_order(found: &[Found]) -> impl Iterator<Item = Verified<'_>> {
    let texts = |(number, found): (usize, &Found)| {
        let firsts = found.texts.iter().map(|text| text.first);
        firsts.enumerate().map(|(text, first)| (first, number as u32, text as u32)).collect::<Vec<_>>()
    };
    let mut order: Vec<(DocId, u32, u32)> = found.iter().enumerate().flat_map(texts).collect();
    order.par_sort_unstable();
    order.into_iter().map(|(_, number, text)| found[number as usize].verified(text as usize))
}
