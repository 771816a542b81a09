//! `KeptDocuments`: a cache of data made from the documents of pairs, in bounded memory.
//!
//! Pairs come in rounds. A round has as many pairs as fit the memory with the data of all their documents, and at least
//! one. Data from earlier rounds stays while there is room.

use std::collections::{HashMap, HashSet};

use crate::compare::verify::DuplicatePair;
use crate::documents::document::DocId;

/// The data of the documents that a round of pairs needs, and of earlier documents as far as there is room.
pub(super) struct KeptDocuments<T> {
    /// The approximate number of bytes that a document needs for each of its shingles.
    pub(super) bytes_per_shingle: u64,
    most_bytes: u64,
    documents: HashMap<DocId, KeptDocument<T>>,
    num_bytes: u64,
    /// The number of the current round.
    round: u64,
}

struct KeptDocument<T> {
    /// The data of the document; `None` when the document changed or cannot be read.
    made: Option<T>,
    num_bytes: u64,
    /// The last round that needed it.
    wanted_in: u64,
}

impl<T> KeptDocuments<T> {
    pub(super) fn new(bytes_per_shingle: u64, most_bytes: u64) -> Self {
        Self { bytes_per_shingle, most_bytes, documents: HashMap::new(), num_bytes: 0, round: 0 }
    }

    /// Begins a round. Returns how many of these pairs fit the memory with all their documents, at least one, and which
    /// of their documents have to be loaded. Drops earlier documents as far as the new ones need their room.
    ///
    /// * `num_shingles`: returns the number of shingles of a document.
    pub(super) fn begin_round(
        &mut self,
        num_shingles: impl Fn(DocId) -> u32,
        pairs: &[DuplicatePair],
    ) -> (usize, Vec<DocId>) {
        self.round += 1;
        let estimated = |document| self.bytes_per_shingle * (u64::from(num_shingles(document)) + 64);
        let (mut missing, mut wanted_bytes, mut missing_bytes) = (Vec::new(), 0, 0);
        // The documents of this round that are not kept; kept documents have `wanted_in` set instead.
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

    /// Drops documents that this round does not need, the least recently needed first, until `num_bytes` more fit.
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

    /// Keeps the data of a document that this round needs; `None` when the document changed or cannot be read.
    pub(super) fn insert(&mut self, document: DocId, made: Option<T>, num_bytes: u64) {
        let num_bytes = num_bytes + size_of::<KeptDocument<T>>() as u64;
        self.num_bytes += num_bytes;
        self.documents.insert(document, KeptDocument { made, num_bytes, wanted_in: self.round });
    }

    /// The data of both documents of a pair; `None` when one of them changed or cannot be read.
    ///
    /// # Panics
    /// When this round does not include the documents.
    pub(super) fn of_pair(&self, pair: &DuplicatePair) -> Option<[&T; 2]> {
        let made = |document| self.documents[&document].made.as_ref();
        Some([made(pair.a)?, made(pair.b)?])
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const DOCUMENTS: usize = 12;

    fn pair(a: usize, b: usize) -> DuplicatePair {
        DuplicatePair {
            a: DocId::new(a),
            b: DocId::new(b),
            shared: 0,
            shingles_a: 0,
            shingles_b: 0,
            equal_values: 0,
            num_hashes: 0,
            removed: None,
            kept_names: None,
            weights: None,
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn rounds_have_their_documents_and_keep_what_fits(
            pairs in prop::collection::vec((0..DOCUMENTS, 1..DOCUMENTS), 1..60),
            sizes in prop::collection::vec(0u32..400, DOCUMENTS),
            unreadable in prop::collection::vec(prop::bool::weighted(0.2), DOCUMENTS),
            most_bytes in 1u64..4000,
            most_pairs in 1usize..9,
        ) {
            let pairs: Vec<DuplicatePair> = pairs.iter().map(|&(a, by)| pair(a, (a + by) % DOCUMENTS)).collect();
            let mut kept = KeptDocuments::new(1, most_bytes);
            let num_shingles = |document: DocId| sizes[document.index()];
            let own_bytes = size_of::<KeptDocument<usize>>() as u64;
            let estimated = |document| u64::from(num_shingles(document)) + 64;
            let mut rest = pairs.as_slice();
            // The last round that needed each document.
            let mut wanted = HashMap::new();
            for round in 0.. {
                if rest.is_empty() {
                    break;
                }
                let offered = &rest[..rest.len().min(most_pairs)];
                let before: HashMap<DocId, u64> =
                    kept.documents.iter().map(|(&document, kept)| (document, kept.num_bytes)).collect();
                let of = |pairs: &[DuplicatePair]| -> HashSet<DocId> {
                    pairs.iter().flat_map(|pair| [pair.a, pair.b]).collect()
                };
                let bytes = |documents: &HashSet<DocId>| -> u64 {
                    documents.iter().map(|document| *before.get(document).unwrap_or(&estimated(*document))).sum()
                };
                let (len, missing) = kept.begin_round(num_shingles, offered);
                let own = of(&offered[..len]);
                prop_assert!(len > 0 && (len == 1 || bytes(&own) <= most_bytes));
                prop_assert!(len == offered.len() || bytes(&of(&offered[..len + 1])) > most_bytes);
                let expected: HashSet<DocId> = own.iter().copied().filter(|own| !before.contains_key(own)).collect();
                prop_assert_eq!(missing.len(), expected.len());
                prop_assert!(missing.iter().all(|document| expected.contains(document)));
                // A document was dropped only if it did not fit, and the idle documents that remain were needed later
                // than the dropped ones.
                let idle = |document: &&DocId| !own.contains(document);
                let dropped: Vec<&DocId> = before.keys().filter(|kept_before| !kept.documents.contains_key(kept_before)).collect();
                let left: Vec<&DocId> = kept.documents.keys().filter(idle).collect();
                prop_assert!(dropped.iter().all(|dropped| !own.contains(dropped)));
                if let Some(last) = dropped.iter().map(|&dropped| wanted[dropped]).max() {
                    prop_assert!(left.iter().all(|&left| wanted[left] >= last));
                    let missing_bytes: u64 = missing.iter().map(|&document| estimated(document)).sum();
                    prop_assert!(before.values().sum::<u64>() + missing_bytes > most_bytes);
                }
                for document in missing {
                    let made = (!unreadable[document.index()]).then_some(document.index());
                    kept.insert(document, made, estimated(document) - own_bytes.min(estimated(document)));
                }
                prop_assert_eq!(kept.num_bytes, kept.documents.values().map(|kept| kept.num_bytes).sum::<u64>());
                for pair in &offered[..len] {
                    let readable = !unreadable[pair.a.index()] && !unreadable[pair.b.index()];
                    let expected = readable.then_some([pair.a.index(), pair.b.index()]);
                    prop_assert_eq!(kept.of_pair(pair).map(|made| made.map(|&made| made)), expected);
                }
                own.iter().for_each(|&document| _ = wanted.insert(document, round));
                rest = &rest[len..];
            }
        }
    }
}
