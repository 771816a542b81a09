//! Shingle sets for verification: rebuilt from a second read, kept in a cache of bounded bytes.
//!
//! The search takes blocks in an order of its own, and the bucket table knows the last document that each is held
//! against, so a set goes as soon as no block will want it again. Beyond that only sets that the block does not want make room, those wanted
//! longest ago first: when a block wants more than fits, what is there stays, and the rest comes and goes. (To drop what was
//! used last would be to miss everything at the next block, which wants the same again.)

mod huge;
mod loader;

use std::cmp::Reverse;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use self::huge::Huge;
pub(super) use self::loader::SetLoader;
use crate::banding::BucketTable;
use crate::corpus::CorpusSettings;
use crate::document::{DocId, Documents};
use crate::input::Sources;
use crate::observe::Observer;
use crate::problem::Problem;
use crate::removal::Removal;
use crate::verify::VerifiableSet;

/// A document as verification sees it: its shingles, and its signature once a pair with it is reported.
pub(super) struct Cached {
    pub(super) shingles: Shingles,
    /// The distinct shingles that were taken out, ascending.
    removed: Box<[u64]>,
    signature: OnceLock<Box<[u32]>>,
    /// What it counts for in the cache, its signature included.
    num_bytes: u64,
}

impl Cached {
    /// * `more_bytes`: that it counts for in the cache, besides those of its set.
    pub(super) fn new(shingles: Shingles, removed: Box<[u64]>, more_bytes: usize) -> Self {
        let set_bytes = match &shingles {
            Shingles::Set(set) => set.num_bytes(),
            Shingles::Huge(_) => 0,
        };
        let num_bytes = (set_bytes + size_of_val(&*removed) + more_bytes + size_of::<Self>()) as u64;
        Self { shingles, removed, signature: OnceLock::new(), num_bytes }
    }

    /// What it counts for in the cache.
    pub(super) fn num_bytes(&self) -> u64 {
        self.num_bytes
    }

    /// The number of distinct shingles that were taken out.
    pub(super) fn num_removed(&self) -> u64 {
        self.removed.len() as u64
    }

    /// The number of shingles that were taken out of both documents.
    pub(super) fn shared_removed(&self, other: &Self) -> u64 {
        count_shared(&self.removed, &other.removed)
    }
}

/// How many values two ascending lists without repeats share.
fn count_shared(a: &[u64], b: &[u64]) -> u64 {
    let (mut i, mut j, mut shared) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        shared += u64::from(a[i] == b[j]);
        let (from_a, from_b) = (a[i] <= b[j], b[j] <= a[i]);
        i += usize::from(from_a);
        j += usize::from(from_b);
    }
    shared
}

/// Sets at hand, kept or not.
pub(super) struct AtHand {
    pub(super) sets: Vec<Option<Arc<Cached>>>,
    /// Bytes of those that are not kept.
    pub(super) passing_bytes: u64,
}

/// A document's shingle set.
pub(super) enum Shingles {
    /// In memory.
    Set(VerifiableSet),
    /// Too many to hold: counted slice by slice.
    Huge(Huge),
}

/// Loads sets, many at a time, and keeps what fits.
pub(super) struct SetCache<'a> {
    documents: &'a Documents,
    table: &'a BucketTable,
    pub(super) loader: SetLoader<'a>,
    held: Vec<Option<Held>>,
    /// Places of `held` that are free.
    free: Vec<u32>,
    /// Where each document is held; `NOWHERE` for most.
    place: Box<[u32]>,
    held_bytes: u64,
    most_bytes: u64,
    /// Bytes of the sets at hand that are not kept.
    passing_bytes: AtomicU64,
    /// Bytes of what was made of sets, and is in memory beside them.
    beside_bytes: u64,
    /// Most bytes that were in memory at a time, of all these.
    peak_bytes: AtomicU64,
    /// The number of the block at hand.
    block: u32,
    /// Whether the block wants all that is held, and more.
    all_wanted: bool,
    /// Whether a block has wanted more than fits.
    is_full: bool,
}

struct Held {
    id: DocId,
    document: Arc<Cached>,
    /// The last block that wanted it.
    wanted_in: u32,
    /// The last document that needs it.
    last_user: DocId,
}

const NOWHERE: u32 = u32::MAX;

impl<'a> SetCache<'a> {
    /// * `most_bytes`: of sets that are kept.
    pub(super) fn new(
        observer: &'a dyn Observer,
        config: CorpusSettings<'a>,
        removal: Option<&'a Removal>,
        documents: &'a Documents,
        table: &'a BucketTable,
        sources: &'a Sources,
        most_bytes: u64,
    ) -> Self {
        Self {
            documents,
            table,
            loader: SetLoader::new(observer, config, removal, documents, sources),
            held: Vec::new(),
            free: Vec::new(),
            place: vec![NOWHERE; documents.len()].into(),
            held_bytes: 0,
            most_bytes,
            passing_bytes: AtomicU64::new(0),
            beside_bytes: 0,
            peak_bytes: AtomicU64::new(0),
            block: 0,
            all_wanted: false,
            is_full: false,
        }
    }

    /// At most what the document takes in memory, by the number of its shingles with repeats.
    pub(super) fn most_bytes(&self, document: DocId) -> u64 {
        let num_shingles = (self.documents.num_shingles(document) as usize).min(self.loader.most_shingles);
        // A hash, four bits of sketch, and a sixteenth of a chunk of 16 bytes.
        (num_shingles * 19 / 2 + self.loader.signature_bytes + size_of::<Cached>()) as u64
    }

    /// A new block begins; what only documents that `is_past` tells of need goes.
    pub(super) fn begin_block(&mut self, is_past: impl Fn(DocId) -> bool) {
        self.block += 1;
        self.all_wanted = false;
        for place in 0..self.held.len() {
            if self.held[place].as_ref().is_some_and(|held| is_past(held.last_user)) {
                self.drop_held(place as u32);
            }
        }
    }

    /// The sets of some documents, each once and the first of its text; `None` for those that can no longer be read as they
    /// were. To be told when they are no longer at hand.
    ///
    /// # Panics
    /// Outside the thread pool of the run.
    pub(super) fn hold(&mut self, documents: &[DocId]) -> AtHand {
        let mut missing = Vec::new();
        let mut sets = Vec::with_capacity(documents.len());
        for (number, document) in documents.iter().enumerate() {
            let place = self.place[document.index()];
            sets.push((place != NOWHERE).then(|| {
                let held = self.held[place as usize].as_mut().expect("a place that is taken");
                held.wanted_in = self.block;
                Arc::clone(&held.document)
            }));
            if place == NOWHERE {
                missing.push(number);
            }
        }
        // The largest first and one at a time, so that no thread is left with a large one at the end; those of about one
        // size in document order, in which they are read fastest.
        missing.sort_by_key(|&number| Reverse(self.documents.num_shingles(documents[number]).checked_ilog2()));
        let load = |&number: &usize| self.loader.load(documents[number]).map(Arc::new);
        let loaded: Vec<Option<Arc<Cached>>> = missing.par_iter().with_max_len(1).map(load).collect();
        let mut passing_bytes = 0;
        for (number, set) in missing.into_iter().zip(loaded) {
            if let Some(set) = &set
                && !self.keep(documents[number], set)
            {
                passing_bytes += set.num_bytes;
            }
            sets[number] = set;
        }
        self.begin_passing(passing_bytes);
        AtHand { sets, passing_bytes }
    }

    /// Loads those of some documents that are not held yet, and keeps what fits.
    pub(super) fn load_ahead(&mut self, documents: impl Iterator<Item = DocId>) {
        let mut missing: Vec<DocId> = documents.filter(|document| self.place[document.index()] == NOWHERE).collect();
        missing.sort_unstable();
        missing.dedup();
        let loaded = self.hold(&missing);
        self.end_passing(loaded.passing_bytes);
    }

    /// Sets of so many bytes are at hand that are not kept. From any thread.
    pub(super) fn begin_passing(&self, num_bytes: u64) {
        let passing_bytes = self.passing_bytes.fetch_add(num_bytes, Ordering::Relaxed) + num_bytes;
        self.peak_bytes.fetch_max(self.held_bytes + passing_bytes + self.beside_bytes, Ordering::Relaxed);
    }

    /// Those sets are gone.
    pub(super) fn end_passing(&self, num_bytes: u64) {
        self.passing_bytes.fetch_sub(num_bytes, Ordering::Relaxed);
    }

    /// From now on so many bytes of what was made of sets are in memory beside them.
    pub(super) fn count_beside(&mut self, num_bytes: u64) {
        self.beside_bytes = num_bytes;
        self.begin_passing(0);
    }

    /// Most bytes that were in memory at a time.
    pub(super) fn peak_bytes(&self) -> u64 {
        self.peak_bytes.load(Ordering::Relaxed)
    }

    /// Keeps a set if there is room for it.
    fn keep(&mut self, id: DocId, document: &Arc<Cached>) -> bool {
        let num_bytes = document.num_bytes;
        if num_bytes > self.most_bytes {
            self.is_full = true;
            return false;
        }
        if self.held_bytes + num_bytes > self.most_bytes && !self.all_wanted {
            self.make_room(num_bytes);
        }
        let fits = self.held_bytes + num_bytes <= self.most_bytes;
        if fits {
            self.held_bytes += num_bytes;
            let place = self.free.pop().unwrap_or(self.held.len() as u32);
            if place as usize == self.held.len() {
                self.held.push(None);
            }
            self.place[id.index()] = place;
            // Where a text occurs again its own block tells the size of its set.
            let last_user = if self.documents.has_copies(id) { id } else { self.table.last_user(id) };
            let held = Held { id, document: Arc::clone(document), wanted_in: self.block, last_user };
            self.held[place as usize] = Some(held);
        }
        fits
    }

    fn drop_held(&mut self, place: u32) {
        let gone = self.held[place as usize].take().expect("a place that is taken");
        self.held_bytes -= gone.document.num_bytes;
        self.place[gone.id.index()] = NOWHERE;
        self.free.push(place);
    }

    /// Drops sets that the block does not want; an eighth of all bytes at a time, since the search for them takes long.
    fn make_room(&mut self, num_bytes: u64) {
        let places = (0u32..).zip(&self.held);
        let mut idle: Vec<(u32, u32)> = places
            .filter_map(|(place, held)| Some((held.as_ref()?.wanted_in, place)))
            .filter(|&(wanted_in, _)| wanted_in < self.block)
            .collect();
        idle.sort_unstable();
        let enough = self.most_bytes.saturating_sub(num_bytes.max(self.most_bytes / 8));
        for (_, place) in idle {
            if self.held_bytes <= enough {
                return;
            }
            self.drop_held(place);
        }
        self.all_wanted = self.held_bytes > enough;
        self.is_full |= self.all_wanted;
    }

    /// Whether a block has wanted more sets than fit.
    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }

    /// The documents that could not be read again, in document order.
    pub(super) fn into_problems(self) -> Vec<Problem> {
        self.loader.rereader.into_problems()
    }
}

#[cfg(test)]
mod tests;
