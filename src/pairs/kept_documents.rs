//! `KeptDocuments`: what is made of the documents of pairs in memory, as long as there is room for it.
//!
//! Pairs come in rounds of as many as fit the memory with what both documents need.

use std::collections::{HashMap, HashSet};

use crate::document::{DocId, Documents};
use crate::verify::DuplicatePair;

/// The documents that a round of pairs wants, and those of earlier rounds that there is room for.
pub(super) struct KeptDocuments<T> {
    /// About how many bytes a document takes for each of its shingles.
    pub(super) bytes_per_shingle: u64,
    most_bytes: u64,
    documents: HashMap<DocId, KeptDocument<T>>,
    num_bytes: u64,
    /// The number of the current round.
    round: u64,
}

struct KeptDocument<T> {
    /// `None` when the document cannot be read as it was.
    made: Option<T>,
    num_bytes: u64,
    /// The last round that wanted it.
    wanted_in: u64,
}

impl<T> KeptDocuments<T> {
    pub(super) fn new(bytes_per_shingle: u64, most_bytes: u64) -> Self {
        Self { bytes_per_shingle, most_bytes, documents: HashMap::new(), num_bytes: 0, round: 0 }
    }

    /// How many of these pairs have documents that fit the memory together, at least one; and those of the documents that
    /// are still to be loaded. Drops documents for which there is no room beside them.
    pub(super) fn begin_round(&mut self, documents: &Documents, pairs: &[DuplicatePair]) -> (usize, Vec<DocId>) {
        self.round += 1;
        let estimated = |document| self.bytes_per_shingle * (u64::from(documents.num_shingles(document)) + 64);
        let (mut missing, mut wanted_bytes, mut missing_bytes) = (Vec::new(), 0, 0);
        // The documents that are wanted and not loaded; the others know it themselves.
        let mut seen = HashSet::new();
        let mut len = 0;
        for pair in pairs {
            let mut more_bytes = 0;
            let new = [pair.a, pair.b].map(|document| match self.documents.get(&document) {
                Some(kept) => {
                    more_bytes += if kept.wanted_in == self.round { 0 } else { kept.num_bytes };
                    false
                }
                None => {
                    let is_new = !seen.contains(&document);
                    more_bytes += if is_new { estimated(document) } else { 0 };
                    is_new
                }
            });
            if len > 0 && wanted_bytes + more_bytes > self.most_bytes {
                break;
            }
            wanted_bytes += more_bytes;
            len += 1;
            for (document, is_new) in [pair.a, pair.b].into_iter().zip(new) {
                if let Some(kept) = self.documents.get_mut(&document) {
                    kept.wanted_in = self.round;
                } else if is_new && seen.insert(document) {
                    missing_bytes += estimated(document);
                    missing.push(document);
                }
            }
        }
        if self.num_bytes + missing_bytes > self.most_bytes {
            self.make_room(missing_bytes);
        }
        (len, missing)
    }

    /// Drops documents that this round does not want, those wanted longest ago first, until so many bytes fit.
    fn make_room(&mut self, num_bytes: u64) {
        let mut idle: Vec<(u64, DocId)> =
            self.documents.iter().map(|(&document, kept)| (kept.wanted_in, document)).collect();
        idle.retain(|&(wanted_in, _)| wanted_in < self.round);
        idle.sort_unstable();
        for (_, document) in idle {
            if self.num_bytes + num_bytes <= self.most_bytes {
                return;
            }
            let dropped = self.documents.remove(&document).expect("it is kept");
            self.num_bytes -= dropped.num_bytes;
        }
    }

    /// Keeps what was made of a document that this round wants; `None` when it cannot be read as it was.
    pub(super) fn insert(&mut self, document: DocId, made: Option<T>, num_bytes: u64) {
        let num_bytes = num_bytes + size_of::<KeptDocument<T>>() as u64;
        self.num_bytes += num_bytes;
        self.documents.insert(document, KeptDocument { made, num_bytes, wanted_in: self.round });
    }

    /// What was made of both documents of a pair; `None` when one of them cannot be read as it was.
    ///
    /// # Panics
    /// When this round does not want them.
    pub(super) fn of_pair(&self, pair: &DuplicatePair) -> Option<[&T; 2]> {
        let made = |document| self.documents[&document].made.as_ref();
        Some([made(pair.a)?, made(pair.b)?])
    }
}
