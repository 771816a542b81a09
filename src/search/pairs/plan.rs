//! The plan of a search: cuts the documents into windows and blocks, and orders the texts of a window.
//!
//! A window is a range of documents, as long as the pairs found in it fit the memory until they can leave. Within a
//! window texts are verified component by component, so that the sets of each component are in memory for a short time.

use std::ops::Range;

use rayon::prelude::*;

use super::context::VerifyContext;
use super::found::Neighbour;
use crate::base::memory::MemoryPlan;
use crate::documents::document::DocId;
use crate::sign::banding::CandidateSource;

/// The number of candidates that each text counts for in a window, in addition to its own candidates.
const TEXT: usize = 4;
/// A window may have at least this many estimated candidates, whatever the memory: their pairs need some megabytes.
/// With 2^19 instead of 2^16, a bucket of 3,000 documents needed 37 MB where 16 MB were allowed, and half the time.
const LEAST_WINDOW_CANDIDATES: u64 = 1 << 16;
/// A window may have at most this many estimated candidates; their neighbours need some tens of megabytes.
const MOST_WINDOW_CANDIDATES: u64 = 1 << 21;
/// The maximum estimated bytes of the sets of a window's texts, so that pairs leave at least every few seconds.
const WINDOW_SET_BYTES: u64 = 8 << 30;
/// The maximum estimated bytes of the sets of a small component that one thread verifies: they should stay in a
/// processor's cache.
const SMALL_COMPONENT_BYTES: u64 = 4 << 20;
/// The maximum estimated bytes, per thread, of the sets of small components with long texts. A text of ten megabytes
/// needs a third of them.
const LONG_TEXT_BYTES: u64 = 256 << 20;
/// The maximum estimated bytes, per thread, of the sets of a block's texts, as long as all sets fit the memory. Larger
/// blocks need more memory and make the search no faster.
const THREAD_BLOCK_BYTES: u64 = 8 << 20;
/// The maximum number of estimated candidates of a block: the candidates and pairs need some tens of megabytes.
const BLOCK_CANDIDATES: usize = 1 << 19;
/// The maximum number of texts in a block.
const BLOCK_TEXTS: usize = 1024;

/// The sizes of windows, components and blocks. Counts and bytes are estimates, made before anything is loaded.
#[derive(Debug, Clone)]
pub(super) struct SearchLimits {
    pub(super) num_threads: usize,
    /// The number of candidates at which a window ends.
    pub(super) window_candidates: usize,
    /// The maximum bytes of the sets of a small component that one thread verifies without help.
    pub(super) small_component_bytes: u64,
    /// The maximum bytes of the sets of all small components with long texts that are verified at the same time.
    pub(super) long_text_bytes: u64,
    /// The maximum bytes of the sets of a block's texts, and also of a tile of candidates that they are compared with.
    pub(super) block_side_bytes: u64,
    /// The maximum bytes of sets that are kept for later blocks.
    pub(super) kept_set_bytes: u64,
    /// The maximum bytes of pivot groups.
    pub(super) pivot_group_bytes: u64,
}

impl SearchLimits {
    /// * `num_threads`: the number of threads in the pool of the run.
    /// * `has_kept_texts`: whether the normalised texts that fit are in memory.
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

    /// How many of these texts form a block; at least one, if there is one.
    ///
    /// * `is_full`: whether blocks need more sets than fit the memory.
    pub(super) fn block_len(&self, texts: &[ComponentText], is_full: bool) -> usize {
        let VerifyContext { candidates, sets, .. } = self.core;
        let (mut num_candidates, mut num_bytes) = (0, 0);
        let enough = THREAD_BLOCK_BYTES * self.limits.num_threads as u64;
        // Sets that do not fit are loaded again for each block, so fewer and larger blocks are better then.
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

/// How far the blocks have come, in the order of windows, components and documents. The small components of the window
/// are verified before all its blocks, and do not count here.
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
    use crate::base::memory::Resources;
    use crate::sign::banding::{BucketTable, TableCandidates};

    #[test]
    fn what_is_past_is_an_earlier_window_component_or_document() {
        // Two components: the even documents and the odd documents.
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
