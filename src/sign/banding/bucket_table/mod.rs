//! The bucket table: for each band, the documents of each bucket in contiguous, flat arrays of u32.
//!
//! Each band has two arrays. `members` has the documents of all buckets with two or more of them: each bucket
//! ascending, its last document flagged. `position` has the index in `members` of each document's successor in its
//! bucket. Only documents that share a bucket in some band have positions: a document without others in its buckets needs
//! a bit and a half. The keys are freed once the table is built.
//!
//! If only pairs of different classes are wanted, `position` refers to the next document of another class. So a walk
//! through a bucket skips runs of its own class. It costs at most twice the number of documents it finds, regardless of
//! the number of documents of one class in the bucket.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

use crate::base::flat::bit_set::BitSet;
use crate::base::flat::prefetch::prefetch;
use crate::base::flat::radix_sort::sort_by_hash;
use crate::base::flat::ranked_set::{RankedSet, SharedBits};
use crate::base::flat::union_find::UnionFind;
use crate::base::memory::table;
use crate::documents::document::DocId;

/// Flag on the last document of a bucket.
const LAST: u32 = 1 << 31;
/// The position of a document without a successor in its bucket.
const NONE: u32 = u32::MAX;

/// Maximum number of bands that are sorted at a time, each in 32 bytes per key.
const BANDS_AT_A_TIME: usize = 4;

/// The buckets of every band.
#[derive(Debug)]
pub struct BucketTable {
    bands: Vec<BandTable>,
    num_documents: usize,
    /// The documents that share a bucket. The arrays below have an entry for each of them, as have the positions of a band.
    sharing: RankedSet,
    /// The maximum number of later documents in any one bucket of a document.
    later: Box<[AtomicU32]>,
    components: UnionFind,
    documents: Box<[u32]>,
    classes: Option<Arc<[u32]>>,
    building_bytes: usize,
}

#[derive(Debug)]
struct BandTable {
    position: Box<[u32]>,
    members: Box<[u32]>,
}

impl BucketTable {
    /// Builds the table, band by band in parallel on rayon's pool.
    /// * `num_documents`: the number of all documents, banded or not; at most [`DocId::LIMIT`].
    /// * `fill_keys`: appends the (key, document) of every banded document for a given band. Documents whose key no other
    ///   document has in the band may be missing.
    ///
    /// O(documents × bands) time. The table needs up to 8 bytes per band and document that shares a bucket, and 12 bytes
    /// per such document. Building it also needs 32 bytes per key for each of at most four threads.
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
        let sharing = SharedBits::new(num_documents);
        let mut members: Vec<Box<[u32]>> = Vec::with_capacity(num_bands);
        let mut buffers = vec![(Vec::new(), Vec::new()); bands_at_a_time(num_bands)];
        let mut building_bytes = 0;
        while members.len() < num_bands {
            let at_a_time = (num_bands - members.len()).min(buffers.len());
            let first = members.len();
            let build = |(number, (keys, scratch)): (usize, &mut (Vec<_>, Vec<_>))| {
                keys.clear();
                fill_keys(first + number, keys);
                let members = bucket_members(keys, scratch, classes.as_deref());
                members.iter().for_each(|&member| sharing.insert(document_of(member).index()));
                members
            };
            members.par_extend(buffers[..at_a_time].par_iter_mut().enumerate().map(build));
            let of_buffers = buffers.iter().map(|(keys, scratch)| keys.capacity() + scratch.capacity());
            let of_buffers = size_of::<(u64, DocId)>() * of_buffers.sum::<usize>();
            building_bytes =
                building_bytes.max(of_buffers + members.iter().map(|band| size_of_val(&**band)).sum::<usize>());
        }
        drop(buffers);
        let sharing = sharing.into_ranked();
        let later: Box<[AtomicU32]> = table(|| (0..sharing.len()).map(|_| AtomicU32::new(0)).collect());
        let components = table(|| UnionFind::new(sharing.len() as u32));
        let build = |members| {
            let band = BandTable::new(members, &sharing, &later, classes.as_deref());
            band.join_buckets(&sharing, &components);
            band
        };
        let bands = members.into_par_iter().map(build).collect();
        components.settle();
        let documents = table(|| sharing.numbers().map(|document| document as u32).collect());
        Self { bands, num_documents, sharing, later, components, documents, classes, building_bytes }
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

    /// Bytes to build a table in the current thread pool if nearly all keys occur once, excluding the stored keys, which
    /// the caller may free band by band.
    pub(crate) fn expected_building_bytes(num_bands: usize, num_documents: usize) -> usize {
        // The bits that find the keys which occur once, and an eighth of the keys, which are sorted.
        let row = size_of::<(u64, DocId)>();
        (4 + 2 * row / 8) * bands_at_a_time(num_bands) * num_documents
    }

    /// The bytes that building the table needed, excluding the stored keys.
    pub(crate) fn building_bytes(&self) -> usize {
        self.building_bytes
    }

    /// Creates an empty gatherer of candidates for this table; each thread needs its own.
    pub fn candidates(&self) -> Candidates<'_> {
        Candidates { table: self, seen: BitSet::new(self.num_documents), found: Vec::new() }
    }

    /// The number of documents that share a bucket.
    pub(crate) fn num_sharing(&self) -> usize {
        self.sharing.len()
    }

    /// The position of a document among those that share a bucket; `None` if it shares none.
    pub(crate) fn sharing_position(&self, document: DocId) -> Option<usize> {
        self.sharing.rank(document.index())
    }

    /// The document with a position among those that share a bucket, which ascend.
    pub(crate) fn sharing_document(&self, position: usize) -> DocId {
        document_of(self.documents[position])
    }

    /// Whether a bucket of `document` contains a later document, of another class if the table has classes.
    pub fn has_candidates(&self, document: DocId) -> bool {
        self.least_candidates(document) > 0
    }

    /// A lower bound of the number of candidates of `document`: the maximum that any one band yields. An upper bound is
    /// this value times the number of bands.
    pub(crate) fn least_candidates(&self, document: DocId) -> usize {
        self.sharing.rank(document.index()).map_or(0, |position| self.later[position].load(Ordering::Relaxed) as usize)
    }

    /// The first document of the largest bucket of all bands, and the approximate size of that bucket. With classes,
    /// the size counts that document and later documents of other classes. `None` if no two documents share a bucket.
    pub(crate) fn largest_bucket(&self) -> Option<(DocId, usize)> {
        let sizes = self.documents.iter().zip(&self.later);
        let sizes = sizes.map(|(&document, later)| (document_of(document), later.load(Ordering::Relaxed) as usize));
        // The first of several equal sizes wins.
        let (first, num_later) = sizes.reduce(|most, other| if other.1 > most.1 { other } else { most })?;
        (num_later > 0).then_some((first, num_later + 1))
    }

    /// The first document of the component of `document`, which consists of all documents that buckets connect with it.
    /// Candidate pairs never connect documents of different components.
    pub(crate) fn component(&self, document: DocId) -> DocId {
        let least = |position: usize| document_of(self.documents[self.components.least(position as u32) as usize]);
        self.sharing.rank(document.index()).map_or(document, least)
    }

    /// Bytes of the table.
    pub fn num_bytes(&self) -> usize {
        let bands: usize = self.bands.iter().map(|band| band.position.len() + band.members.len()).sum();
        4 * (bands + self.later.len() + self.documents.len()) + self.sharing.num_bytes() + self.components.num_bytes()
    }
}

fn document_of(member: u32) -> DocId {
    DocId::new((member & !LAST) as usize)
}

/// Number of bands that are sorted at a time by the threads of the current pool.
fn bands_at_a_time(num_bands: usize) -> usize {
    num_bands.min(BANDS_AT_A_TIME).min(rayon::current_num_threads())
}

/// The documents of the buckets that have a pair of documents, of different classes if there are classes.
fn bucket_members(keys: &mut [(u64, DocId)], scratch: &mut Vec<(u64, DocId)>, classes: Option<&[u32]>) -> Box<[u32]> {
    table(|| scratch.reserve_exact(keys.len().saturating_sub(scratch.len())));
    sort_by_hash(keys, scratch, |&(key, _)| key);
    let mut members = Vec::new();
    let class = |document: DocId| classes.map(|classes| classes[document.index()]);
    for bucket in keys.chunk_by_mut(|a, b| a.0 == b.0) {
        let has_pair = match classes {
            None => bucket.len() > 1,
            Some(_) => bucket.iter().any(|&(_, document)| class(document) != class(bucket[0].1)),
        };
        if has_pair {
            bucket.sort_unstable_by_key(|&(_, document)| document);
            members.extend(bucket.iter().map(|&(_, document)| document.get()));
            *members.last_mut().expect("just pushed") |= LAST;
        }
    }
    assert!(members.len() <= DocId::LIMIT, "a document is in one bucket of a band");
    table(|| members.into_boxed_slice())
}

impl BandTable {
    /// * `sharing`: the documents that share a bucket in any band.
    /// * `later_counts`: for each of them, the maximum number of later documents in one of its buckets, which is raised.
    fn new(members: Box<[u32]>, sharing: &RankedSet, later_counts: &[AtomicU32], classes: Option<&[u32]>) -> Self {
        let rank_of = |member: u32| sharing.rank(document_of(member).index()).expect("a member shares a bucket");
        let mut position = table(|| vec![NONE; later_counts.len()].into_boxed_slice());
        let mut later_of_class: HashMap<u32, u32> = HashMap::new();
        let mut start = 0;
        for bucket in members.split_inclusive(|member| member & LAST != 0) {
            // Clearing a map needs time in proportion to its capacity, not its length.
            if later_of_class.capacity() > 64.max(8 * bucket.len()) {
                later_of_class = HashMap::new();
            }
            later_of_class.clear();
            let mut next_rank = usize::MAX;
            for (later, at) in (0u32..).zip((0..bucket.len()).rev()) {
                let own = rank_of(bucket[at]);
                let mut later_others = later;
                let mut next = if later > 0 { (start + at + 1) as u32 } else { NONE };
                if let Some(classes) = classes {
                    let class = |at: usize| classes[document_of(bucket[at]).index()];
                    if later > 0 && class(at + 1) == class(at) {
                        next = position[next_rank];
                    }
                    let same = later_of_class.entry(class(at)).or_default();
                    later_others -= *same;
                    *same += 1;
                }
                position[own] = next;
                if later_others > 0 {
                    later_counts[own].fetch_max(later_others, Ordering::Relaxed);
                }
                next_rank = own;
            }
            start += bucket.len();
        }
        Self { position, members }
    }

    /// The members of each bucket with at least two documents, the last one flagged.
    fn buckets(&self) -> impl Iterator<Item = &[u32]> {
        self.members.split_inclusive(|member| member & LAST != 0)
    }

    /// Joins the documents of each bucket to one component.
    fn join_buckets(&self, sharing: &RankedSet, components: &UnionFind) {
        let position =
            |member: u32| sharing.rank(document_of(member).index()).expect("a member shares a bucket") as u32;
        for bucket in self.buckets() {
            let first = position(bucket[0]);
            bucket[1..].iter().for_each(|&other| components.join(first, position(other)));
        }
    }

    /// Calls `pass` with the documents after `document` in its bucket that belong to another class, ascending.
    ///
    /// * `position`: the position of `document` among those that share a bucket.
    fn later_across(
        &self,
        (document, position): (DocId, usize),
        sharing: &RankedSet,
        classes: &[u32],
        mut pass: impl FnMut(DocId),
    ) {
        let mut at = self.position[position];
        while at != NONE {
            let member = self.members[at as usize];
            let candidate = document_of(member);
            if classes[candidate.index()] == classes[document.index()] {
                at = self.position[sharing.rank(candidate.index()).expect("a member shares a bucket")];
            } else {
                pass(candidate);
                at = if member & LAST == 0 { at + 1 } else { NONE };
            }
        }
    }

    /// The documents after the one at a position in its bucket, ascending.
    fn later(&self, position: usize) -> &[u32] {
        match self.position[position] {
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
        let Some(position) = table.sharing.rank(document.index()) else { return found };
        // The buckets of a document lie far apart, so they are loaded together.
        for band in &table.bands {
            prefetch(&band.members, band.position[position] as usize);
        }
        let mut add = |candidate: DocId| {
            if seen.insert_new(candidate.index()) {
                found.push(candidate);
            }
        };
        for band in &table.bands {
            match &table.classes {
                None => band.later(position).iter().for_each(|&member| add(document_of(member))),
                Some(classes) => band.later_across((document, position), &table.sharing, classes, &mut add),
            }
        }
        for candidate in found.iter() {
            seen.remove_word_of(candidate.index());
        }
        found
    }
}

#[cfg(test)]
mod tests;
