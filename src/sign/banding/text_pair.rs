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
    const BYTES: usize = 8;

    fn key(self) -> u64 {
        u64::from(self.a.get()) << 32 | u64::from(self.b.get())
    }

    fn write(self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.key().to_le_bytes());
    }

    fn read(bytes: &[u8]) -> Self {
        let key = u64::from_le_bytes(bytes.try_into().expect("8 bytes"));
        Self { a: DocId::new((key >> 32) as usize), b: DocId::new(key as u32 as usize) }
    }
}

/// Creates a sorter of pairs of texts.
pub(crate) fn text_pair_sorter(num_documents: usize, memory_bytes: u64, num_threads: usize) -> RecordSorter<TextPair> {
    let last = DocId::new(num_documents.saturating_sub(1));
    RecordSorter::new("the candidate pairs", TextPair { a: last, b: last }.key(), memory_bytes, num_threads)
}
