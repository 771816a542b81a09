//! Sweeps: so many documents at a time as the pairs found among them may be held until it is their turn to leave.
//!
//! In a sweep texts are verified component by component, so that the sets of each are in memory for a short time; what
//! was found leaves in document order when all of the sweep is done.

use std::ops::Range;

use rayon::prelude::*;

use super::PairSearch;
use crate::banding::BucketTable;
use crate::document::DocId;

/// What a text takes by itself, in candidates.
const TEXT: usize = 4;
/// Most bytes of the sets of a sweep's texts, as far as can be told before: the output should keep flowing, at least every
/// few seconds.
const MOST_SET_BYTES: u64 = 8 << 30;

/// A run of documents.
pub(super) struct Sweep {
    pub(super) documents: Range<usize>,
    /// The texts with candidates or copies, component by component, each in document order.
    pub(super) texts: Vec<Swept>,
}

/// A text and the component that it is in; ordered by that first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Swept {
    pub(super) component: DocId,
    pub(super) first: DocId,
}

impl PairSearch<'_> {
    /// The next documents from `start` on.
    pub(super) fn next_sweep(&self, start: usize) -> Sweep {
        let mut texts = Vec::new();
        let (mut num_candidates, mut num_bytes) = (0, 0);
        let mut end = start;
        while end < self.documents.len() && num_candidates < self.most_candidates && num_bytes < MOST_SET_BYTES {
            let first = DocId::new(end);
            if self.documents.is_first(first) {
                let least = self.table.least_candidates(first);
                if least > 0 || self.has_copies(first) {
                    texts.push(Swept { component: self.table.component(first), first });
                    num_candidates += TEXT + least;
                    num_bytes += self.sets.most_bytes(first);
                }
            }
            end += 1;
        }
        texts.par_sort_unstable();
        Sweep { documents: start..end, texts }
    }
}

/// How far the blocks have come, whose order is that of sweeps, components, and documents. Families of later components
/// are done before, which is not looked at.
pub(super) struct Frontier<'a> {
    pub(super) table: &'a BucketTable,
    pub(super) sweep: Range<usize>,
    /// What comes next.
    pub(super) next: Swept,
}

impl Frontier<'_> {
    /// Whether the search is past the document.
    pub(super) fn is_past(&self, document: DocId) -> bool {
        if self.sweep.contains(&document.index()) {
            Swept { component: self.table.component(document), first: document } < self.next
        } else {
            document.index() < self.sweep.start
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_past_is_an_earlier_sweep_component_or_document() {
        // Two components, of the even documents and of the odd ones.
        let table = BucketTable::build(1, 20, |_, out| {
            out.extend((0..20).map(|document| (document as u64 % 2, DocId::new(document))));
        });
        let next = Swept { component: DocId::new(1), first: DocId::new(9) };
        let frontier = Frontier { table: &table, sweep: 5..15, next };
        let past: Vec<usize> = (0..20).filter(|&document| frontier.is_past(DocId::new(document))).collect();
        assert_eq!(past, [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14]);
    }
}
