//! The plan of a search: which documents it takes at a time, and in which order it verifies their texts.
//!
//! A window is a run of documents, as long as the pairs found in it fit the memory until it is their turn to leave. In a
//! window texts are verified component by component, so that the sets of each are in memory for a short time.

use std::ops::Range;

use rayon::prelude::*;

use super::core::Core;
use super::found::Neighbour;
use crate::banding::CandidateSource;
use crate::document::DocId;
use crate::memory::MemoryPlan;

/// Candidates that a text by itself counts for in a window.
const TEXT: usize = 4;
/// A window has room for at least this many estimated candidates, whatever the memory: their pairs take some megabytes.
/// With 2^19 in place of 2^16 a hot bucket of 3,000 took 37 MB of 16, and half the time.
const LEAST_WINDOW_CANDIDATES: u64 = 1 << 16;
/// A window has room for at most this many, whose neighbours take some tens of megabytes.
const MOST_WINDOW_CANDIDATES: u64 = 1 << 21;
/// Most estimated bytes of the sets of a window's texts: pairs should leave at least every few seconds.
const WINDOW_SET_BYTES: u64 = 8 << 30;
/// Most estimated bytes of the sets of a small component that one thread verifies: they should stay in a processor's cache.
const SMALL_COMPONENT_BYTES: u64 = 4 << 20;
/// Estimated bytes of the sets of small components of long texts, for each thread. One text of ten megabytes takes a third.
const LONG_TEXT_BYTES: u64 = 256 << 20;
/// Estimated bytes of the sets of a block's texts for each thread, as long as all sets fit the memory. More of them are in
/// memory at a time and make the search no faster.
const THREAD_BLOCK_BYTES: u64 = 8 << 20;
/// Estimated candidates of a block: the candidates and pairs take some tens of megabytes.
const BLOCK_CANDIDATES: usize = 1 << 19;
/// Most texts in a block.
const BLOCK_TEXTS: usize = 1024;

/// How much a search takes at a time. Counts and bytes are estimates, made before anything is loaded.
#[derive(Debug, Clone)]
pub(super) struct SearchLimits {
    pub(super) num_threads: usize,
    /// A window takes no further document once its candidates reach this.
    pub(super) window_candidates: usize,
    /// Most bytes of the sets of a small component that one thread verifies.
    pub(super) small_component_bytes: u64,
    /// Most bytes of the sets of all small components of long texts at a time.
    pub(super) long_text_bytes: u64,
    /// Most bytes of the sets of a block's texts, and of the candidates that are compared with them at a time.
    pub(super) block_side_bytes: u64,
    /// Most bytes of sets that are kept for later blocks.
    pub(super) kept_set_bytes: u64,
    /// Most bytes of pivot groups.
    pub(super) pivot_group_bytes: u64,
}

impl SearchLimits {
    /// * `num_threads`: of the pool of the run.
    /// * `has_kept_texts`: whether texts are in memory that were kept.
    pub(super) fn new(memory: MemoryPlan, num_threads: usize, has_kept_texts: bool) -> Self {
        let window_candidates = memory.waiting_pairs() / size_of::<Neighbour>() as u64;
        let small_components = memory.small_components() / num_threads as u64;
        let small_component_bytes = SMALL_COMPONENT_BYTES.min(small_components);
        Self {
            num_threads,
            window_candidates: window_candidates.clamp(LEAST_WINDOW_CANDIDATES, MOST_WINDOW_CANDIDATES) as usize,
            small_component_bytes,
            long_text_bytes: LONG_TEXT_BYTES.min(small_components - small_component_bytes) * num_threads as u64,
            block_side_bytes: memory.block_side(),
            kept_set_bytes: if has_kept_texts { memory.kept_sets_of_matches() } else { memory.kept_sets() },
            pivot_group_bytes: memory.pivot_groups(),
        }
    }
}

/// Cuts the documents into windows, and the texts of large components into blocks.
pub(super) struct Plan<'s> {
    core: &'s Core<'s>,
    limits: &'s SearchLimits,
}

/// A run of documents.
pub(super) struct Window {
    pub(super) documents: Range<usize>,
    /// The texts with candidates or copies, component by component, each in document order.
    pub(super) texts: Vec<ComponentText>,
}

/// A text, by its first document, and the component that it is in. Ordered by component, then by document.
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

    /// The number of documents that are no text to verify.
    pub(super) fn num_others(&self) -> usize {
        self.documents.len() - self.texts.len()
    }
}

impl<'s> Plan<'s> {
    pub(super) fn new(core: &'s Core<'s>, limits: &'s SearchLimits) -> Self {
        Self { core, limits }
    }

    /// The next documents from `start` on; `None` when there are none.
    pub(super) fn window(&self, start: usize) -> Option<Window> {
        let Core { documents, candidates, sets, .. } = self.core;
        let mut texts = Vec::new();
        let (mut num_candidates, mut num_bytes) = (0, 0);
        let mut end = start;
        let has_room =
            |num_candidates, num_bytes| num_candidates < self.limits.window_candidates && num_bytes < WINDOW_SET_BYTES;
        while end < documents.len() && has_room(num_candidates, num_bytes) {
            let first = DocId::new(end);
            if documents.is_first(first) {
                let least = candidates.least_candidates(first);
                if least > 0 || self.core.has_copies(first) {
                    texts.push(ComponentText { component: candidates.component(first), first });
                    num_candidates += TEXT + least;
                    num_bytes += sets.most_bytes(first);
                }
            }
            end += 1;
        }
        texts.par_sort_unstable();
        (end > start).then_some(Window { documents: start..end, texts })
    }

    /// How many of these texts make a block; at least one, if there is one.
    ///
    /// * `is_full`: whether blocks want more sets than fit the memory.
    pub(super) fn block_len(&self, texts: &[ComponentText], is_full: bool) -> usize {
        let Core { candidates, sets, .. } = self.core;
        let (mut num_candidates, mut num_bytes) = (0, 0);
        let enough = THREAD_BLOCK_BYTES * self.limits.num_threads as u64;
        // What does not fit is loaded again for each block: then the fewer blocks the better.
        let most_bytes = if is_full { self.limits.block_side_bytes } else { self.limits.block_side_bytes.min(enough) };
        let fits = |text: &&ComponentText| {
            let fits = num_candidates < BLOCK_CANDIDATES && num_bytes < most_bytes;
            num_candidates += candidates.least_candidates(text.first);
            num_bytes += sets.most_bytes(text.first);
            fits
        };
        texts.iter().take(BLOCK_TEXTS).take_while(fits).count()
    }
}

/// How far the blocks have come; their order is that of windows, components and documents. Small components of the window
/// are verified before all its blocks, which does not count here.
pub(super) struct Progress<'a> {
    pub(super) candidates: &'a dyn CandidateSource,
    pub(super) window: Range<usize>,
    /// The first text of the current block.
    pub(super) next: ComponentText,
}

impl Progress<'_> {
    /// Whether the blocks have passed a document.
    pub(super) fn is_past(&self, document: DocId) -> bool {
        if self.window.contains(&document.index()) {
            ComponentText { component: self.candidates.component(document), first: document } < self.next
        } else {
            document.index() < self.window.start
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::banding::{BucketTable, TableCandidates};
    use crate::memory::Resources;

    #[test]
    fn what_is_past_is_an_earlier_window_component_or_document() {
        // Two components, of the even documents and of the odd ones.
        let table = BucketTable::build(1, 20, |_, out| {
            out.extend((0..20).map(|document| (document as u64 % 2, DocId::new(document))));
        });
        let candidates = TableCandidates::new(&table, 1);
        let next = ComponentText { component: DocId::new(1), first: DocId::new(9) };
        let progress = Progress { candidates: &candidates, window: 5..15, next };
        let past: Vec<usize> = (0..20).filter(|&document| progress.is_past(DocId::new(document))).collect();
        assert_eq!(past, [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14]);
    }

    #[test]
    fn small_components_and_long_texts_stay_within_their_share() {
        for memory_bytes in [1 << 14, 100_000, 16 << 20, (1 << 40) + 7] {
            let memory = MemoryPlan::new(Resources::with_memory_bytes(memory_bytes));
            for num_threads in [1, 2, 64] {
                let limits = SearchLimits::new(memory, num_threads, false);
                let small = limits.small_component_bytes * num_threads as u64;
                assert!(small + limits.long_text_bytes <= memory.small_components());
                let has_room = memory.small_components() / num_threads as u64 > SMALL_COMPONENT_BYTES;
                assert_eq!(limits.long_text_bytes > 0, has_room);
            }
        }
    }
}
