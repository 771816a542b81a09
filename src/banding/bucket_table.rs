//! The bucket table: per band the documents of each bucket side by side, in flat arrays of u32.
//!
//! A band keeps `members`, the documents of all buckets with two or more of them, each bucket ascending and its last
//! document flagged, and `position`, where a document's successor stands there. A document alone in its bucket takes 4
//! bytes a band, any other 8; the keys are gone once the table is built.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

use crate::document::DocId;
use crate::radix_sort::sort_by_hash;

/// Set on the last document of a bucket.
const LAST: u32 = 1 << 31;
/// The position of a document that has no later one in its bucket.
const NONE: u32 = u32::MAX;

/// Bands that are sorted at a time, each in 32 bytes a document: with more the table would cost more to build than to keep.
const BANDS_AT_A_TIME: usize = 4;

/// The buckets of every band.
#[derive(Debug)]
pub struct BucketTable {
    bands: Vec<BandTable>,
    /// For each document, `LATER` and the most later documents that any of its buckets holds, if any does; else one more
    /// than the last document before it that is with it in a bucket, or 0.
    company: Box<[AtomicU32]>,
}

/// Marks a document with later ones in its buckets.
const LATER: u32 = 1 << 31;

#[derive(Debug)]
struct BandTable {
    position: Box<[u32]>,
    members: Box<[u32]>,
}

impl BucketTable {
    /// Builds the table, band by band in parallel on rayon's pool.
    ///
    /// * `num_documents`: all documents, banded or not; at most [`DocId::LIMIT`].
    /// * `fill_keys`: appends the (key, document) of every banded document for the band it is given, by ascending
    ///   document.
    ///
    /// O(documents × bands); 4 to 8 bytes a document and band, and 32 bytes a document for each of four bands while it is
    /// built.
    pub fn build(
        num_bands: usize,
        num_documents: usize,
        fill_keys: impl Fn(usize, &mut Vec<(u64, DocId)>) + Sync,
    ) -> Self {
        assert!(num_documents <= DocId::LIMIT, "at most 2^31 documents in one run");
        let company: Box<[AtomicU32]> = (0..num_documents).map(|_| AtomicU32::new(0)).collect();
        let mut bands = Vec::with_capacity(num_bands);
        let mut buffers: Vec<_> = (0..num_bands.min(BANDS_AT_A_TIME)).map(|_| (Vec::new(), Vec::new())).collect();
        while bands.len() < num_bands {
            let at_a_time = (num_bands - bands.len()).min(BANDS_AT_A_TIME);
            let first = bands.len();
            let build = |(number, (keys, scratch)): (usize, &mut (Vec<_>, Vec<_>))| {
                keys.clear();
                fill_keys(first + number, keys);
                BandTable::build(keys, scratch, &company)
            };
            bands.par_extend(buffers[..at_a_time].par_iter_mut().enumerate().map(build));
        }
        Self { bands, company }
    }

    /// Bytes that it takes to build a table, besides the keys, which may go as the table grows.
    pub(crate) fn building_bytes(num_bands: usize, num_documents: usize) -> usize {
        let row = size_of::<(u64, DocId)>();
        (2 * row * num_bands.min(BANDS_AT_A_TIME) + size_of::<u32>()) * num_documents
    }

    /// An empty gatherer of candidates for this table; one a thread.
    pub fn candidates(&self) -> Candidates<'_> {
        Candidates { table: self, seen: vec![0; self.company.len().div_ceil(64)], found: Vec::new() }
    }

    /// Whether any band has a later document in the bucket of `document`.
    pub fn has_candidates(&self, document: DocId) -> bool {
        self.least_candidates(document) > 0
    }

    /// At least so many candidates `document` has: the most that any one band gives. At most it has that times the bands.
    pub(crate) fn least_candidates(&self, document: DocId) -> usize {
        let company = self.company[document.index()].load(Ordering::Relaxed);
        if company & LATER == 0 { 0 } else { (company & !LATER) as usize }
    }

    /// The last document whose candidates cannot be verified without `document`: itself when it has candidates, else the
    /// last one that it is a candidate of; itself too when there is none.
    pub(crate) fn last_user(&self, document: DocId) -> DocId {
        match self.company[document.index()].load(Ordering::Relaxed) {
            0 => document,
            company if company & LATER != 0 => document,
            before => DocId::new(before as usize - 1),
        }
    }

    /// Bytes the table occupies.
    pub fn num_bytes(&self) -> usize {
        let bands: usize = self.bands.iter().map(|band| band.position.len() + band.members.len()).sum();
        4 * (bands + self.company.len())
    }
}

impl BandTable {
    fn build(keys: &mut [(u64, DocId)], scratch: &mut Vec<(u64, DocId)>, company: &[AtomicU32]) -> Self {
        sort_by_hash(keys, scratch, |&(key, _)| key);
        let mut position = vec![NONE; company.len()].into_boxed_slice();
        let mut members = Vec::new();
        for bucket in keys.chunk_by_mut(|a, b| a.0 == b.0) {
            if bucket.len() < 2 {
                continue;
            }
            bucket.sort_unstable_by_key(|&(_, document)| document);
            for (later, &(_, document)) in (0..bucket.len() as u32).rev().zip(bucket.iter()) {
                if later > 0 {
                    company[document.index()].fetch_max(LATER | later, Ordering::Relaxed);
                }
                members.push(document.get());
                position[document.index()] = u32::try_from(members.len()).expect("at most 2^31 members");
            }
            *members.last_mut().expect("just pushed") |= LAST;
            let [.., (_, before), (_, last)] = *bucket else { unreachable!("two or more documents") };
            position[last.index()] = NONE;
            company[last.index()].fetch_max(before.get() + 1, Ordering::Relaxed);
        }
        Self { position, members: members.into_boxed_slice() }
    }

    /// The documents after `document` in its bucket, ascending.
    fn later(&self, document: DocId) -> &[u32] {
        match self.position[document.index()] {
            NONE => &[],
            start => {
                let rest = &self.members[start as usize..];
                let last = rest.iter().position(|&member| member & LAST != 0).expect("every bucket has a last");
                &rest[..=last]
            }
        }
    }
}

/// Gathers the candidates of one document after another. Holds one bit a document.
#[derive(Debug)]
pub struct Candidates<'t> {
    table: &'t BucketTable,
    seen: Vec<u64>,
    found: Vec<DocId>,
}

impl Candidates<'_> {
    /// The later documents that share a bucket with `document`, ascending, each once.
    pub fn of(&mut self, document: DocId) -> &[DocId] {
        self.found.clear();
        for band in &self.table.bands {
            for &member in band.later(document) {
                let candidate = DocId::new((member & !LAST) as usize);
                let word = &mut self.seen[candidate.index() / 64];
                let bit = 1 << (candidate.index() % 64);
                if *word & bit == 0 {
                    *word |= bit;
                    self.found.push(candidate);
                }
            }
        }
        for candidate in &self.found {
            self.seen[candidate.index() / 64] = 0;
        }
        self.found.sort_unstable();
        &self.found
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn table(keys: &[Vec<u64>]) -> BucketTable {
        let num_bands = keys.first().map_or(0, Vec::len);
        BucketTable::build(num_bands, keys.len(), |band, out| {
            out.extend(keys.iter().enumerate().map(|(document, keys)| (keys[band], DocId::new(document))));
        })
    }

    proptest! {
        #[test]
        fn candidates_are_all_pairs_with_an_equal_key(
            // Few values make buckets; a small first band makes one hot.
            keys in prop::collection::vec((0u64..3, 0u64..30, any::<u64>()), 0..200)
        ) {
            let spread = |value: u64| value.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let keys: Vec<Vec<u64>> = keys.iter().map(|k| vec![spread(k.0 + 1), spread(k.1), spread(k.2)]).collect();
            let table = table(&keys);
            let mut candidates = table.candidates();
            for a in 0..keys.len() {
                let expected: Vec<DocId> = (a + 1..keys.len())
                    .filter(|&b| (0..3).any(|band| keys[a][band] == keys[b][band]))
                    .map(DocId::new)
                    .collect();
                prop_assert_eq!(candidates.of(DocId::new(a)), &expected);
                prop_assert_eq!(table.has_candidates(DocId::new(a)), !expected.is_empty());
                let least = table.least_candidates(DocId::new(a));
                prop_assert!(least <= expected.len() && expected.len() <= 3 * least);
                let earlier = (0..a).rfind(|&b| (0..3).any(|band| keys[a][band] == keys[b][band]));
                let last_user = earlier.filter(|_| expected.is_empty()).unwrap_or(a);
                prop_assert_eq!(table.last_user(DocId::new(a)), DocId::new(last_user));
            }
        }
    }

    #[test]
    fn documents_that_are_not_banded_are_never_candidates() {
        let table = BucketTable::build(1, 3, |_, out| out.extend([(7, DocId::new(0)), (7, DocId::new(2))]));
        assert_eq!(table.candidates().of(DocId::new(0)), [DocId::new(2)]);
        assert_eq!(table.candidates().of(DocId::new(1)), []);
    }
}
