//! The plan of a search: cuts the documents into windows, and orders the texts of a window.
//!
//! A window is a range of documents, as long as the pairs found in it fit the memory until they can leave. Within a
//! window texts are verified component by component, so that the sets of each component are in memory for a short time.

use std::ops::Range;

use rayon::prelude::*;

use super::context::VerifyContext;
use super::found::Neighbour;
use crate::base::memory::MemoryPlan;
use crate::documents::document::DocId;

/// The number of candidates that each text counts for in a window, in addition to its own candidates.
const TEXT: usize = 4;
/// A window may have at least this many estimated candidates, whatever the memory: their pairs need some megabytes.
/// With 2^19 instead of 2^16, a bucket of 3,000 documents needed 37 MB where 16 MB were allowed, and half the time.
const LEAST_WINDOW_CANDIDATES: u64 = 1 << 16;
/// A window may have at most this many estimated candidates; their neighbours need some hundreds of megabytes. The texts of
/// a component are read once for each window that it reaches over.
const MOST_WINDOW_CANDIDATES: u64 = 1 << 23;
/// The maximum number of shingles of a window's texts, repeats counted, so that pairs leave at least every few seconds.
const WINDOW_SHINGLES: u64 = 1 << 30;

/// The sizes of windows, components and blocks. Counts and bytes are estimates, made before anything is loaded.
#[derive(Debug, Clone)]
pub(super) struct SearchLimits {
    pub(super) num_threads: usize,
    /// The number of candidates at which a window ends.
    pub(super) window_candidates: usize,
    /// The maximum bytes of the block that a thread reads sets into.
    pub(super) block_bytes: u64,
    /// The maximum bytes of the classes of all blocks of a family.
    pub(super) kept_bytes: u64,
}

impl SearchLimits {
    /// * `num_threads`: the number of threads in the pool of the run.
    /// * `has_kept_texts`: whether the normalised texts that fit are in memory.
    pub(super) fn new(memory: MemoryPlan, num_threads: usize, has_kept_texts: bool) -> Self {
        let window_candidates = memory.waiting_pairs() / size_of::<Neighbour>() as u64;
        Self {
            num_threads,
            window_candidates: window_candidates.clamp(LEAST_WINDOW_CANDIDATES, MOST_WINDOW_CANDIDATES) as usize,
            block_bytes: memory.blocks() / num_threads as u64,
            kept_bytes: if has_kept_texts { memory.kept_classes_of_matches() } else { memory.kept_classes() },
        }
    }
}

/// Cuts the documents into windows.
pub(super) struct Plan<'s> {
    core: &'s VerifyContext<'s>,
    limits: &'s SearchLimits,
}

/// A range of consecutive documents, and the texts in it to verify.
pub(super) struct Window {
    pub(super) documents: Range<usize>,
    /// The texts with candidates or copies, component by component, each component in document order.
    pub(super) texts: Vec<ComponentText>,
}

/// A text, by its first document, and the component that it belongs to. Ordered by component, then by document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ComponentText {
    pub(super) component: DocId,
    pub(super) first: DocId,
}

impl Window {
    /// The texts of each component.
    pub(super) fn components(&self) -> Vec<&[ComponentText]> {
        self.texts.chunk_by(|a, b| a.component == b.component).collect()
    }

    /// The number of documents in the window that do not have to be verified.
    pub(super) fn num_others(&self) -> usize {
        self.documents.len() - self.texts.len()
    }
}

impl<'s> Plan<'s> {
    pub(super) fn new(core: &'s VerifyContext<'s>, limits: &'s SearchLimits) -> Self {
        Self { core, limits }
    }

    /// The window that begins at document `start`; `None` at the end of the corpus.
    pub(super) fn window(&self, start: usize) -> Option<Window> {
        let VerifyContext { documents, candidates, sets, .. } = self.core;
        let mut texts = Vec::new();
        let (mut num_candidates, mut num_shingles) = (0, 0);
        let mut end = start;
        let has_room = |num_candidates, num_shingles| {
            num_candidates < self.limits.window_candidates && num_shingles < WINDOW_SHINGLES
        };
        while end < documents.len() && has_room(num_candidates, num_shingles) {
            let first = DocId::new(end);
            if documents.is_first(first) {
                let least = candidates.least_candidates(first);
                if least > 0 || self.core.has_copies(first) {
                    texts.push(ComponentText { component: candidates.component(first), first });
                    num_candidates += TEXT + least;
                    num_shingles += sets.most_shingles(first) as u64;
                }
            }
            end += 1;
        }
        texts.par_sort_unstable();
        (end > start).then_some(Window { documents: start..end, texts })
    }
}
