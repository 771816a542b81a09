//! `TextPair`: two texts that may be similar, sorted in bounded memory.

use crate::base::storage::{RecordSorter, SortRecord};
use crate::documents::document::DocId;

/// Two texts, identified by their first documents, the earlier one first. 8 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TextPair {
    pub(crate) a: DocId,
    pub(crate) b: DocId,
}

impl TextPair {
    /// The pair of two different texts, in either order.
    pub(crate) fn of(one: DocId, other: DocId) -> Self {
        Self { a: one.min(other), b: one.max(other) }
    }
}

impl SortRecord for TextPair {
    type Words = [u32; 2];

    fn words(self) -> [u32; 2] {
        [self.a.get(), self.b.get()]
    }

    fn of_words([a, b]: [u32; 2]) -> Self {
        Self { a: DocId::new(a as usize), b: DocId::new(b as usize) }
    }
}

/// Creates a sorter of pairs of texts.
pub(crate) fn text_pair_sorter(num_documents: usize, memory_bytes: u64, num_threads: usize) -> RecordSorter<TextPair> {
    let last = DocId::new(num_documents.saturating_sub(1));
    RecordSorter::new("the candidate pairs", TextPair { a: last, b: last }.key(), memory_bytes, num_threads)
}
