//! Windows: so many documents at a time as the pairs found among them may be held until it is their turn to leave.
//!
//! Inside a window texts are verified component by component, so that the sets of each are in memory for a short time; what
//! was found leaves in document order when all of the window is done.

use std::ops::Range;

use super::PairSearch;
use crate::banding::BucketTable;
use crate::document::DocId;

/// Most texts in a window: a few tens of megabytes of them.
const MOST_TEXTS: usize = 1 << 22;

/// A run of documents.
pub(super) struct Window {
    pub(super) documents: Range<usize>,
    /// The texts with candidates or copies, component by component, each in document order.
    pub(super) texts: Vec<Text>,
}

/// A text and the component that it is in; ordered by that first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Text {
    pub(super) component: DocId,
    pub(super) first: DocId,
}

impl PairSearch<'_> {
    /// The next documents from `start` on.
    pub(super) fn next_window(&self, start: usize) -> Window {
        let mut texts = Vec::new();
        let mut num_candidates = 0;
        let mut end = start;
        while end < self.documents.len() && num_candidates < self.most_candidates && texts.len() < MOST_TEXTS {
            let first = DocId::new(end);
            if self.documents.is_first(first) {
                let least = self.table.least_candidates(first);
                if least > 0 || self.has_copies(first) {
                    texts.push(Text { component: self.table.component(first), first });
                    num_candidates += least;
                }
            }
            end += 1;
        }
        rayon::slice::ParallelSliceMut::par_sort_unstable(texts.as_mut_slice());
        Window { documents: start..end, texts }
    }
}

/// How far a search has come, which is in the order of windows, components, and documents.
pub(super) struct Frontier<'a> {
    pub(super) table: &'a BucketTable,
    pub(super) window: Range<usize>,
    /// What comes next.
    pub(super) next: Text,
}

impl Frontier<'_> {
    /// Whether the search is past the document.
    pub(super) fn is_past(&self, document: DocId) -> bool {
        if self.window.contains(&document.index()) {
            Text { component: self.table.component(document), first: document } < self.next
        } else {
            document.index() < self.window.start
        }
    }
}
