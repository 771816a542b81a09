//! `LoadedText`: a text in the form in which it is aligned. `TextStore`: keeps all texts of a run from the first
//! reading on, if they fit.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use crate::compare::passages::run_hashes;
use crate::documents::document::DocId;
use crate::text::shingle::Tokens;

/// A text in memory.
#[derive(Debug)]
pub(super) struct LoadedText {
    pub(super) tokens: Tokens,
    /// The hashes of all its runs of `min_run` tokens.
    pub(super) hashes: Vec<u32>,
}

impl LoadedText {
    pub(super) fn new(tokens: Tokens, min_run: usize) -> Self {
        Self { hashes: run_hashes(&tokens, min_run), tokens }
    }

    fn num_bytes(&self) -> u64 {
        (self.tokens.num_bytes() + size_of::<u32>() * self.hashes.capacity() + 2 * size_of::<Self>()) as u64
    }
}

/// Keeps all texts of a run, or none when they do not all fit.
#[derive(Debug)]
pub(super) struct TextStore {
    texts: Mutex<HashMap<DocId, Arc<LoadedText>>>,
    num_bytes: AtomicU64,
    most_bytes: u64,
}

impl TextStore {
    pub(super) fn new(most_bytes: u64) -> Self {
        Self { texts: Mutex::default(), num_bytes: AtomicU64::new(0), most_bytes }
    }

    /// Keeps a text as long as all texts so far fit.
    ///
    /// * `text`: makes the text; not called once the texts do not fit any more.
    pub(super) fn keep(&self, document: DocId, text: impl FnOnce() -> LoadedText) {
        if self.num_bytes.load(Ordering::Relaxed) > self.most_bytes {
            return;
        }
        let text = text();
        let fits = self.num_bytes.fetch_add(text.num_bytes(), Ordering::Relaxed) + text.num_bytes() <= self.most_bytes;
        let mut texts = self.texts.lock().expect("no holder panics");
        if fits {
            texts.insert(document, Arc::new(text));
        } else {
            *texts = HashMap::new();
        }
    }

    /// The texts, if all of them fit.
    pub(super) fn finish(self) -> Option<HashMap<DocId, Arc<LoadedText>>> {
        let texts = self.texts.into_inner().expect("no holder panics");
        (self.num_bytes.into_inner() <= self.most_bytes).then_some(texts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::shingle::{ShingleKind, Shingler};

    #[test]
    fn all_texts_are_kept_or_none() {
        let text = || LoadedText::new(Shingler::new(ShingleKind::Word, 5).tokens("one two three".repeat(9)), 5);
        for (room, num_kept) in [(3, Some(3)), (2, None), (0, None)] {
            let store = TextStore::new(room * text().num_bytes());
            (0..3).for_each(|document| store.keep(DocId::new(document), text));
            assert_eq!(store.finish().map(|texts| texts.len()), num_kept);
        }
    }
}
