//! The bucket table: for each band, the documents of each bucket in contiguous, flat arrays of u32.
//!
//! Each band has two arrays. `members` holds the documents of all buckets with two or more of them: each bucket
//! ascending, its last document flagged. `position` holds the index in `members` of each document's successor in its
//! bucket. A document without others in its bucket needs 4 bytes per band, any other 8. The keys are freed once the
//! table is built.
//!
//! If only pairs of different classes are wanted, `position` refers to the next document of another class. So a walk
//! through a bucket skips runs of its own class. It costs at most twice the number of documents it finds, regardless of
//! the number of documents of one class in the bucket.

mod shared_keys;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

use self::shared_keys::SharedKeys;
use crate::base::flat::bit_set::BitSet;
use crate::base::flat::prefetch::prefetch;
use crate::base::flat::radix_sort::sort_by_hash;
use crate::base::flat::union_find::UnionFind;
use crate::documents::document::DocId;

/// Flag on the last document of a bucket.
const LAST: u32 = 1 << 31;
/// The position of a document without a successor in its bucket.
const NONE: u32 = u32::MAX;

/// Maximum number of bands that are sorted at a time, each in 32 bytes per document. With more, building the table
/// would need more memory than the table.
const BANDS_AT_A_TIME: usize = 4;

/// The buckets of every band.
#[derive(Debug)]
pub struct BucketTable {
    bands: Vec<BandTable>,
    /// For each document, the maximum number of later documents in any one of its buckets.
    later: Box<[AtomicU32]>,
    components: UnionFind,
    classes: Option<Arc<[u32]>>,
}

#[derive(Debug)]
struct BandTable {
    position: Box<[u32]>,
    members: Box<[u32]>,
}

impl BucketTable {
    /// Builds the table, band by band in parallel on rayon's pool.
    /// * `num_documents`: the number of all documents, banded or not; at most [`DocId::LIMIT`].
    /// * `fill_keys`: appends the (key, document) of every banded document for a given band, in ascending order of
    ///   documents.
    ///
    /// O(documents × bands) time. The table needs 4 to 8 bytes per document and band, and 8 bytes per document.
    /// Building it also needs 32 bytes per document for each of at most four threads.
    pub fn build(
        num_bands: usize,
        num_documents: usize,
        fill_keys: impl Fn(usize, &mut Vec<(u64, DocId)>) + Sync,
    ) -> Self {
        Self::build_with(num_bands, num_documents, None, fill_keys)
    }

    /// Same as [`build`](Self::build), for pairs of documents of different classes only.
    ///
    /// * `classes`: the class of each document.
    pub fn build_across(
        num_bands: usize,
        classes: Arc<[u32]>,
        fill_keys: impl Fn(usize, &mut Vec<(u64, DocId)>) + Sync,
    ) -> Self {
        Self::build_with(num_bands, classes.len(), Some(classes), fill_keys)
    }

    fn build_with(
        num_bands: usize,
        num_documents: usize,
        classes: Option<Arc<[u32]>>,
        fill_keys: impl Fn(usize, &mut Vec<(u64, DocId)>) + Sync,
    ) -> Self {
        assert!(num_documents <= DocId::LIMIT, "at most 2^31 documents in one run");
        let later_counts: Box<[AtomicU32]> = (0..num_documents).map(|_| AtomicU32::new(0)).collect();
        let components = UnionFind::new(num_documents as u32);
        let mut bands = Vec::with_capacity(num_bands);
        let mut buffers = vec![(Vec::new(), Vec::new(), SharedKeys::default()); bands_at_a_time(num_bands)];
        while bands.len() < num_bands {
            let at_a_time = (num_bands - bands.len()).min(buffers.len());
            let first = bands.len();
            let build = |(number, (keys, scratch, shared)): (usize, &mut (Vec<_>, Vec<_>, SharedKeys))| {
                keys.clear();
                fill_keys(first + number, keys);
                shared.retain(keys);
                let band = match &classes {
                    None => BandTable::build(keys, scratch, &later_counts),
                    Some(classes) => BandTable::build_across(keys, scratch, &later_counts, classes),
                };
                band.join_buckets(&components);
                band
            };
            bands.par_extend(buffers[..at_a_time].par_iter_mut().enumerate().map(build));
        }
        components.settle();
        Self { bands, later: later_counts, components, classes }
    }

    /// Number of bands.
    pub(crate) fn num_bands(&self) -> usize {
        self.bands.len()
    }

    /// Calls `visit` with the documents of each bucket of some bands that has at least `least` documents; each bucket
    /// ascending.
    pub(crate) fn for_each_bucket(&self, bands: Range<usize>, least: usize, mut visit: impl FnMut(usize, &[DocId])) {
        let mut documents = Vec::new();
        for band in bands {
            for bucket in self.bands[band].buckets().filter(|bucket| bucket.len() >= least) {
                documents.clear();
                documents.extend(bucket.iter().map(|&member| document_of(member)));
                visit(band, &documents);
            }
        }
    }

    /// Builds a table with the same buckets, for pairs of documents of different classes only.
    ///
    /// * `classes`: the class of each document.
    /// * `narrow`: removes the documents from a bucket that must not be in it.
    ///
    /// # Panics
    /// When the table already has classes.
    pub(crate) fn across(&self, classes: Arc<[u32]>, narrow: impl Fn(&mut Vec<DocId>) + Sync) -> Self {
        assert!(self.classes.is_none(), "a table has one kind of classes");
        Self::build_across(self.bands.len(), classes, |band, keys| {
            let mut left = Vec::new();
            for (number, bucket) in (1u64..).zip(self.bands[band].buckets()) {
                left.clear();
                left.extend(bucket.iter().map(|&member| document_of(member)));
                narrow(&mut left);
                // The factor is odd and close to 2^64 / phi, so that consecutive keys differ in the highest bits
                // (Knuth, 6.4).
                let key = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
                keys.extend(left.iter().map(|&document| (key, document)));
            }
        })
    }

    /// Bytes to build a table in the current thread pool, excluding the keys, which the caller may free band by band.
    pub(crate) fn building_bytes(num_bands: usize, num_documents: usize) -> usize {
        let row = size_of::<(u64, DocId)>();
        (2 * row * bands_at_a_time(num_bands) + 2 * size_of::<u32>()) * num_documents
    }

    /// Creates an empty gatherer of candidates for this table; each thread needs its own.
    pub fn candidates(&self) -> Candidates<'_> {
        Candidates { table: self, seen: BitSet::new(self.later.len()), found: Vec::new() }
    }

    /// Whether a bucket of `document` contains a later document, of another class if the table has classes.
    pub fn has_candidates(&self, document: DocId) -> bool {
        self.least_candidates(document) > 0
    }

    /// A lower bound of the number of candidates of `document`: the maximum that any one band yields. An upper bound is
    /// this value times the number of bands.
    pub(crate) fn least_candidates(&self, document: DocId) -> usize {
        self.later[document.index()].load(Ordering::Relaxed) as usize
    }

    /// The first document of the largest bucket of all bands, and the approximate size of that bucket. With classes,
    /// the size counts that document and later documents of other classes. `None` if no two documents share a bucket.
    pub(crate) fn largest_bucket(&self) -> Option<(DocId, usize)> {
        let sizes = (0..self.later.len()).map(|index| (DocId::new(index), self.least_candidates(DocId::new(index))));
        // The first of several equal sizes wins.
        let (first, num_later) = sizes.reduce(|most, other| if other.1 > most.1 { other } else { most })?;
        (num_later > 0).then_some((first, num_later + 1))
    }

    /// The first document of the component of `document`, which consists of all documents that buckets connect with it.
    /// Candidate pairs never connect documents of different components.
    pub(crate) fn component(&self, document: DocId) -> DocId {
        DocId::new(self.components.least(document.get()) as usize)
    }

    /// Bytes of the table.
    pub fn num_bytes(&self) -> usize {
        let bands: usize = self.bands.iter().map(|band| band.position.len() + band.members.len()).sum();
        4 * (bands + self.later.len()) + self.components.num_bytes()
    }
}

fn document_of(member: u32) -> DocId {
    DocId::new((member & !LAST) as usize)
}

/// Number of bands that are sorted at a time by the threads of the current pool.
fn bands_at_a_time(num_bands: usize) -> usize {
    num_bands.min(BANDS_AT_A_TIME).min(rayon::current_num_threads())
}

impl BandTable {
    fn build(keys: &mut [(u64, DocId)], scratch: &mut Vec<(u64, DocId)>, later_counts: &[AtomicU32]) -> Self {
        sort_by_hash(keys, scratch, |&(key, _)| key);
        let mut position = vec![NONE; later_counts.len()].into_boxed_slice();
        let mut members = Vec::new();
        for bucket in keys.chunk_by_mut(|a, b| a.0 == b.0) {
            if bucket.len() < 2 {
                continue;
            }
            bucket.sort_unstable_by_key(|&(_, document)| document);
            for (later, &(_, document)) in (0..bucket.len() as u32).rev().zip(bucket.iter()) {
                if later > 0 {
                    later_counts[document.index()].fetch_max(later, Ordering::Relaxed);
                }
                members.push(document.get());
                position[document.index()] = u32::try_from(members.len()).expect("at most 2^31 members");
            }
            *members.last_mut().expect("just pushed") |= LAST;
            position[bucket[bucket.len() - 1].1.index()] = NONE;
        }
        Self { position, members: members.into_boxed_slice() }
    }

    fn build_across(
        keys: &mut [(u64, DocId)],
        scratch: &mut Vec<(u64, DocId)>,
        later_counts: &[AtomicU32],
        classes: &[u32],
    ) -> Self {
        sort_by_hash(keys, scratch, |&(key, _)| key);
        let class = |document: DocId| classes[document.index()];
        let mut position = vec![NONE; later_counts.len()].into_boxed_slice();
        let mut members: Vec<u32> = Vec::new();
        let mut later_of_class: HashMap<u32, u32> = HashMap::new();
        for bucket in keys.chunk_by_mut(|a, b| a.0 == b.0) {
            if bucket.iter().all(|&(_, document)| class(document) == class(bucket[0].1)) {
                continue;
            }
            bucket.sort_unstable_by_key(|&(_, document)| document);
            let start = members.len();
            members.extend(bucket.iter().map(|&(_, document)| document.get()));
            *members.last_mut().expect("just pushed") |= LAST;
            // Clearing a map needs time in proportion to its capacity, not its length.
            if later_of_class.capacity() > 64.max(8 * bucket.len()) {
                later_of_class = HashMap::new();
            }
            later_of_class.clear();
            for (later, at) in (0u32..).zip((0..bucket.len()).rev()) {
                let document = bucket[at].1;
                position[document.index()] = match bucket.get(at + 1) {
                    None => NONE,
                    Some(&(_, next)) if class(next) == class(document) => position[next.index()],
                    Some(_) => u32::try_from(start + at + 1).expect("at most 2^31 members"),
                };
                let same = later_of_class.entry(class(document)).or_default();
                if later > *same {
                    later_counts[document.index()].fetch_max(later - *same, Ordering::Relaxed);
                }
                *same += 1;
            }
        }
        Self { position, members: members.into_boxed_slice() }
    }

    /// The members of each bucket with at least two documents, the last one flagged.
    fn buckets(&self) -> impl Iterator<Item = &[u32]> {
        self.members.split_inclusive(|member| member & LAST != 0)
    }

    /// Joins the documents of each bucket to one component.
    fn join_buckets(&self, components: &UnionFind) {
        for bucket in self.buckets() {
            bucket[1..].iter().for_each(|&other| components.join(bucket[0] & !LAST, other & !LAST));
        }
    }

    /// Calls `pass` with the documents after `document` in its bucket that belong to another class, ascending.
    fn later_across(&self, document: DocId, classes: &[u32], mut pass: impl FnMut(DocId)) {
        let mut at = self.position[document.index()];
        while at != NONE {
            let member = self.members[at as usize];
            let candidate = document_of(member);
            if classes[candidate.index()] == classes[document.index()] {
                at = self.position[candidate.index()];
            } else {
                pass(candidate);
                at = if member & LAST == 0 { at + 1 } else { NONE };
            }
        }
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

/// Gathers the candidates of one document after another; needs one bit per document.
#[derive(Debug)]
pub struct Candidates<'t> {
    table: &'t BucketTable,
    seen: BitSet,
    found: Vec<DocId>,
}

impl Candidates<'_> {
    /// The later documents that share a bucket with `document`, ascending, each once. If the table has classes, only
    /// documents of another class.
    pub fn of(&mut self, document: DocId) -> &[DocId] {
        self.unordered(document);
        self.found.sort_unstable();
        &self.found
    }

    /// Does what [`of`](Self::of) does, in any order.
    pub(super) fn unordered(&mut self, document: DocId) -> &[DocId] {
        let Self { table, seen, found } = self;
        found.clear();
        // The buckets of a document lie far apart, so they are loaded together.
        for band in &table.bands {
            prefetch(&band.members, band.position[document.index()] as usize);
        }
        let mut add = |candidate: DocId| {
            if seen.insert_new(candidate.index()) {
                found.push(candidate);
            }
        };
        for band in &table.bands {
            match &table.classes {
                None => band.later(document).iter().for_each(|&member| add(document_of(member))),
                Some(classes) => band.later_across(document, classes, &mut add),
            }
        }
        for candidate in &self.found {
            self.seen.remove_word_of(candidate.index());
        }
        &self.found
    }
}

#[cfg(test)]
mod tests;
