//! A window: a run of documents, and the candidate pairs of its texts that the sketches leave, so many as may be held
//! until it is their turn to leave.

use std::ops::Range;

use rayon::prelude::*;

use super::PairSearch;
use crate::document::DocId;

/// Candidates that are gathered at a time, estimated before: enough work for all threads, some megabytes.
const CHUNK_CANDIDATES: usize = 1 << 20;
/// What a text costs by itself, in candidates.
const TEXT: usize = 4;

/// A run of documents and what is to be verified of it.
pub(super) struct Window {
    pub(super) documents: Range<usize>,
    /// Candidate pairs whose first text is in the window, and that the sketches do not rule out.
    pub(super) pairs: Vec<(DocId, DocId)>,
    /// The texts of the window that have copies, whose sizes are wanted.
    pub(super) with_copies: Vec<DocId>,
    /// Candidate pairs, ruled out or not.
    pub(super) num_candidates: u64,
}

impl PairSearch<'_> {
    /// The next documents from `start` on.
    pub(super) fn next_window(&self, start: usize) -> Window {
        let mut window =
            Window { documents: start..start, pairs: Vec::new(), with_copies: Vec::new(), num_candidates: 0 };
        let num_documents = self.documents.len();
        while window.documents.end < num_documents && window.pairs.len() + window.with_copies.len() < self.most_pairs {
            let mut texts = Vec::new();
            let mut num_candidates = 0;
            let end = &mut window.documents.end;
            while *end < num_documents && num_candidates < CHUNK_CANDIDATES && texts.len() < self.most_pairs {
                let first = DocId::new(*end);
                *end += 1;
                if !self.documents.is_first(first) {
                    continue;
                }
                let least = self.table.least_candidates(first);
                if least > 0 {
                    // By component, so that the sketches that are compared lie side by side.
                    texts.push((self.table.component(first), first));
                    num_candidates += TEXT + least;
                }
                if self.has_copies(first) {
                    window.with_copies.push(first);
                }
            }
            texts.par_sort_unstable();
            let filtered = texts.par_iter().with_max_len(64).fold(
                || (Vec::new(), 0),
                |(mut pairs, mut num_candidates), &(_, first)| {
                    num_candidates += self.filter(first, &mut pairs);
                    (pairs, num_candidates)
                },
            );
            let filtered: Vec<(Vec<(DocId, DocId)>, u64)> = filtered.collect();
            for (pairs, num_candidates) in filtered {
                window.pairs.extend_from_slice(&pairs);
                window.num_candidates += num_candidates;
            }
        }
        window
    }

    /// Appends the candidate pairs of a text that the sketches leave; returns how many there were.
    fn filter(&self, first: DocId, pairs: &mut Vec<(DocId, DocId)>) -> u64 {
        let scope = self.documents.scope();
        let thread = rayon::current_thread_index().expect("verification runs in the pool");
        let mut gatherer = self.gatherers[thread].lock().expect("no holder panics");
        let mut num_candidates = 0;
        for &candidate in gatherer.of(first) {
            if scope.is_all() || scope.may_pair(first, candidate) {
                num_candidates += 1;
                if !self.sketches.rule_out(self.documents, first, candidate, self.threshold) {
                    pairs.push((first, candidate));
                }
            }
        }
        num_candidates
    }
}
