//! `Sample`: decides which documents take part in the run of a forecast, and counts the other documents.
//!
//! A hash of its name and place decides whether a document is selected. The texts of all documents are hashed and
//! counted, so the number of copies of each text is known; the more copies a text has, the more likely one of them is
//! selected.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use crate::documents::document::{DocId, DocumentLocation, Documents};
use crate::documents::input::{Document, DocumentName};

/// The number of tables of texts, each with its own lock; a power of 2.
const SHARDS: usize = 64;

/// Selects a share of the documents at random by their names and places, and counts all documents. The selection does
/// not depend on the contents of documents. It depends on threads only where records without ids cannot be read twice.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    share: f64,
    counts: Arc<Counts>,
}

/// The counts of all threads. They need 20 to 40 bytes for each distinct text, and as many for each selected document.
#[derive(Debug)]
struct Counts {
    left_out: AtomicU64,
    left_out_bytes: AtomicU64,
    nanoseconds: AtomicU64,
    /// The number of documents with each text, by the hash of the normalised text.
    copies: Shards<u32>,
    /// The hash of the text of each selected document, by the hash of its place.
    texts: Shards<u64>,
}

#[derive(Debug)]
struct Shards<T>(Vec<Mutex<HashMap<u64, T>>>);

impl<T: Default> Shards<T> {
    fn new() -> Self {
        Self((0..SHARDS).map(|_| Mutex::default()).collect())
    }

    fn with<R>(&self, key: u64, look: impl FnOnce(&mut HashMap<u64, T>) -> R) -> R {
        look(&mut self.0[key as usize % SHARDS].lock().expect("no holder panics"))
    }
}

impl Sample {
    /// * `share`: above 0, at most 1.
    pub(crate) fn new(share: f64) -> Self {
        let counts = Counts {
            left_out: AtomicU64::new(0),
            left_out_bytes: AtomicU64::new(0),
            nanoseconds: AtomicU64::new(0),
            copies: Shards::new(),
            texts: Shards::new(),
        };
        Self { share, counts: Arc::new(counts) }
    }

    /// Whether all documents are selected.
    pub(crate) fn is_all(&self) -> bool {
        self.share >= 1.0
    }

    /// Whether a document, whose text is normalised, is selected; a document that is not selected is counted.
    pub(super) fn takes(&self, document: &Document) -> bool {
        if self.is_all() {
            return true;
        }
        let line = match document.name {
            DocumentName::Id(_, line) | DocumentName::Line(line) => line,
            DocumentName::Path(_) | DocumentName::Member(_) => 0,
        };
        // The place distinguishes records without ids.
        let place = document.located.offset ^ u64::from(document.located.source) << 40 ^ line << 20;
        let hash = xxh3_64_with_seed(document.name.bytes(), place);
        let takes = (hash >> 11) as f64 / (1u64 << 53) as f64 <= self.share;
        if !document.text.is_empty() {
            let text = xxh3_64(document.text);
            self.counts.copies.with(text, |copies| *copies.entry(text).or_default() += 1);
            if takes {
                let place = place_of(document.name.bytes(), document.located);
                self.counts.texts.with(place, |texts| texts.insert(place, text));
            }
        }
        if !takes {
            self.counts.left_out.fetch_add(1, Ordering::Relaxed);
            self.counts.left_out_bytes.fetch_add(document.num_bytes, Ordering::Relaxed);
        }
        takes
    }

    /// The probability that a document with the text of this one is selected: 1 − (1 − share)^n, where n documents have
    /// the text. With sides or groups it is the share, since copies of a text in different cells count separately, and
    /// their numbers per cell are not known.
    pub(crate) fn chance(&self, documents: &Documents, document: DocId) -> f64 {
        if !documents.scope().is_all() {
            return self.share;
        }
        let place = place_of(documents.name(document), documents.located(document));
        let text = self.counts.texts.with(place, |texts| texts.get(&place).copied());
        let copies = text.and_then(|text| self.counts.copies.with(text, |copies| copies.get(&text).copied()));
        -(f64::from(copies.unwrap_or(1)) * (-self.share).ln_1p()).exp_m1()
    }

    /// Adds the time since `start`, which one thread has spent on a selected document.
    pub(super) fn add_time(&self, start: Instant) {
        self.counts.nanoseconds.fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
    }

    /// The number of documents that were not selected, and their bytes as stored.
    pub(crate) fn left_out(&self) -> (u64, u64) {
        (self.counts.left_out.load(Ordering::Relaxed), self.counts.left_out_bytes.load(Ordering::Relaxed))
    }

    /// The time that all threads have spent on selected documents.
    pub(crate) fn time(&self) -> Duration {
        Duration::from_nanos(self.counts.nanoseconds.load(Ordering::Relaxed))
    }
}

/// A hash that identifies a document by the name of its file, or by the place of its record.
fn place_of(name: &[u8], located: DocumentLocation) -> u64 {
    let name = if located.source == DocumentLocation::FILE { name } else { &[] };
    xxh3_64_with_seed(name, located.offset.rotate_left(20) ^ u64::from(located.source))
}
