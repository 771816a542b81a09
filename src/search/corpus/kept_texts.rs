//! `KeptTexts`: keeps normalised texts in memory, within a limit, so that they need not be read again.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// The number of parts, each with its own lock.
const PARTS: usize = 64;
/// The bytes that a text needs in addition to its own.
const BESIDE: u64 = 64;

type TextsByHash = HashMap<u128, Arc<[u8]>>;

/// Normalised texts by their hashes, each once. Texts that do not fit have to be read again.
#[derive(Debug)]
pub(crate) struct KeptTexts {
    parts: Box<[Mutex<TextsByHash>]>,
    num_bytes: AtomicU64,
    most_bytes: u64,
}

impl KeptTexts {
    /// * `most_bytes`: the maximum bytes of all texts and of their table.
    pub(crate) fn new(most_bytes: u64) -> Self {
        let parts = (0..PARTS).map(|_| Mutex::default()).collect();
        Self { parts, num_bytes: AtomicU64::new(0), most_bytes }
    }

    /// Keeps a text if there is room for it; returns whether it is kept. When the memory is nearly full, the result may
    /// be `false` although an equal text is kept.
    ///
    /// * `content`: the hash of the text, `xxh3_128`.
    pub(crate) fn keep(&self, content: u128, text: &[u8]) -> bool {
        let num_bytes = text.len() as u64 + BESIDE;
        if self.num_bytes.load(Ordering::Relaxed) + num_bytes > self.most_bytes {
            return false;
        }
        let mut part = self.part(content).lock().expect("no holder panics");
        if part.contains_key(&content) {
            return true;
        }
        if self.num_bytes.fetch_add(num_bytes, Ordering::Relaxed) + num_bytes > self.most_bytes {
            self.num_bytes.fetch_sub(num_bytes, Ordering::Relaxed);
            return false;
        }
        part.insert(content, text.into());
        true
    }

    /// A text that was kept.
    pub(super) fn get(&self, content: u128) -> Option<Arc<[u8]>> {
        self.part(content).lock().expect("no holder panics").get(&content).map(Arc::clone)
    }

    fn part(&self, content: u128) -> &Mutex<TextsByHash> {
        &self.parts[content as usize % PARTS]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_kept_once_and_as_long_as_they_fit() {
        let kept = KeptTexts::new(3 * (BESIDE + 10));
        for round in 0..2 {
            for (content, text) in [(1, "text no. 1"), (2, "text no. 2"), (65, "text no. 3"), (4, "text no. 4")] {
                kept.keep(content, text.as_bytes());
                let expected = (content != 4).then_some(text.as_bytes());
                assert_eq!(kept.get(content).as_deref(), expected, "{round}");
            }
        }
        // A text that does not fit uses no room.
        let kept = KeptTexts::new(BESIDE + 10);
        kept.keep(1, b"eleven bytes are too many");
        kept.keep(1, b"text no. 1");
        assert_eq!(kept.get(1).as_deref(), Some(&b"text no. 1"[..]));
    }
}
