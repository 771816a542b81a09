//! `SetCache`: keeps the shingle sets that later blocks need, in a bounded number of bytes.
//!
//! The candidate source reports the last document that each set is compared with, so a set is dropped as soon as no
//! later block needs it. If room is still short, sets that the current block does not need are dropped, the least
//! recently needed first. When a block needs more than fits, the kept sets stay, and the rest is loaded for a short
//! time. Dropping the set used last instead would make the next block, which needs the same sets again, miss all of
//! them.

use std::cmp::Reverse;
use std::sync::Arc;

use rayon::prelude::*;

use super::loaded::LoadedDocument;
use super::memory::{PassingBytes, SetMemory};
use super::source::SetSource;
use crate::documents::document::{DocId, Documents};
use crate::sign::banding::CandidateSource;

/// Sets in memory, with or without the cache. The bytes of sets that the cache does not keep are counted until this is
/// dropped.
pub(crate) struct LoadedSets<'m> {
    /// The sets, in the order requested; `None` for a document that the source can no longer provide.
    pub(crate) sets: Vec<Option<Arc<LoadedDocument>>>,
    _passing: PassingBytes<'m>,
}

impl<'m> LoadedSets<'m> {
    /// * `passing`: the bytes of the sets that the cache does not keep.
    pub(crate) fn new(sets: Vec<Option<Arc<LoadedDocument>>>, passing: PassingBytes<'m>) -> Self {
        Self { sets, _passing: passing }
    }
}

/// Loads sets, many at a time, and keeps as many as fit.
pub(crate) struct SetCache<'a> {
    documents: &'a Documents,
    candidates: &'a dyn CandidateSource,
    sets: &'a dyn SetSource,
    memory: &'a SetMemory,
    kept: Vec<Option<KeptSet>>,
    /// The free entries of `kept`.
    free: Vec<u32>,
    /// The index in `kept` of each document; `NOWHERE` for most documents.
    place: Box<[u32]>,
    kept_bytes: u64,
    most_bytes: u64,
    /// The number of the current block.
    block: u32,
    /// Whether the block needs all sets that are kept, and more.
    all_wanted: bool,
    /// Whether a block has needed more than fits.
    is_full: bool,
}

struct KeptSet {
    document: Arc<LoadedDocument>,
    /// The last block that needed the set.
    wanted_in: u32,
    /// The last document whose verification needs the set.
    last_user: DocId,
}

const NOWHERE: u32 = u32::MAX;

impl<'a> SetCache<'a> {
    /// The bytes that a cache needs for each document, whatever it keeps.
    pub(crate) const DOCUMENT_BYTES: usize = size_of::<u32>();

    /// * `most_bytes`: the maximum bytes of kept sets.
    pub(crate) fn new(
        documents: &'a Documents,
        candidates: &'a dyn CandidateSource,
        sets: &'a dyn SetSource,
        memory: &'a SetMemory,
        most_bytes: u64,
    ) -> Self {
        Self {
            documents,
            candidates,
            sets,
            memory,
            kept: Vec::new(),
            free: Vec::new(),
            place: vec![NOWHERE; documents.len()].into(),
            kept_bytes: 0,
            most_bytes,
            block: 0,
            all_wanted: false,
            is_full: false,
        }
    }

    /// Begins a block; sets are loaded only during a block. Drops the sets whose last user has passed.
    ///
    /// * `is_past`: whether the search has passed a document.
    pub(crate) fn begin_block(&mut self, is_past: impl Fn(DocId) -> bool) -> BlockSets<'_, 'a> {
        self.block += 1;
        self.all_wanted = false;
        for place in 0..self.kept.len() {
            if self.kept[place].as_ref().is_some_and(|kept| is_past(kept.last_user)) {
                self.drop_kept(place as u32);
            }
        }
        BlockSets { cache: self }
    }

    /// Whether a block has needed more sets than fit.
    pub(crate) fn is_full(&self) -> bool {
        self.is_full
    }

    /// Keeps a set if there is room for it; returns whether there is.
    fn keep(&mut self, document: &Arc<LoadedDocument>) -> bool {
        let num_bytes = document.num_bytes();
        if num_bytes > self.most_bytes {
            self.is_full = true;
            return false;
        }
        if self.kept_bytes + num_bytes > self.most_bytes && !self.all_wanted {
            self.make_room(num_bytes);
        }
        let fits = self.kept_bytes + num_bytes <= self.most_bytes;
        if fits {
            self.set_kept_bytes(self.kept_bytes + num_bytes);
            let place = self.free.pop().unwrap_or(self.kept.len() as u32);
            if place as usize == self.kept.len() {
                self.kept.push(None);
            }
            let id = document.document;
            self.place[id.index()] = place;
            // The block that contains a text with copies needs the text's set too, for its size.
            let last_user = if self.documents.has_copies(id) { id } else { self.candidates.last_user(id) };
            let kept = KeptSet { document: Arc::clone(document), wanted_in: self.block, last_user };
            self.kept[place as usize] = Some(kept);
        }
        fits
    }

    fn drop_kept(&mut self, place: u32) {
        let gone = self.kept[place as usize].take().expect("a place that is taken");
        self.set_kept_bytes(self.kept_bytes - gone.document.num_bytes());
        self.place[gone.document.document.index()] = NOWHERE;
        self.free.push(place);
    }

    fn set_kept_bytes(&mut self, num_bytes: u64) {
        self.kept_bytes = num_bytes;
        self.memory.set_kept(num_bytes);
    }

    /// Drops sets that the block does not need; at least an eighth of all bytes at a time, since searching for them is
    /// slow.
    fn make_room(&mut self, num_bytes: u64) {
        let places = (0u32..).zip(&self.kept);
        let mut idle: Vec<(u32, u32)> = places
            .filter_map(|(place, kept)| Some((kept.as_ref()?.wanted_in, place)))
            .filter(|&(wanted_in, _)| wanted_in < self.block)
            .collect();
        idle.sort_unstable();
        let enough = self.most_bytes.saturating_sub(num_bytes.max(self.most_bytes / 8));
        for (_, place) in idle {
            if self.kept_bytes <= enough {
                return;
            }
            self.drop_kept(place);
        }
        self.all_wanted = self.kept_bytes > enough;
        self.is_full |= self.all_wanted;
    }
}

/// The sets of one block.
pub(crate) struct BlockSets<'c, 'a> {
    cache: &'c mut SetCache<'a>,
}

impl<'a> BlockSets<'_, 'a> {
    /// Loads the sets of some documents, each document listed once and the first of its text.
    ///
    /// # Panics
    /// Outside the thread pool of the run.
    pub(crate) fn load(&mut self, documents: &[DocId]) -> LoadedSets<'a> {
        let cache = &mut *self.cache;
        let mut missing = Vec::new();
        let mut sets = Vec::with_capacity(documents.len());
        for (number, document) in documents.iter().enumerate() {
            let place = cache.place[document.index()];
            sets.push((place != NOWHERE).then(|| {
                let kept = cache.kept[place as usize].as_mut().expect("a place that is taken");
                kept.wanted_in = cache.block;
                Arc::clone(&kept.document)
            }));
            if place == NOWHERE {
                missing.push(number);
            }
        }
        // The largest sets first and one per task, so that no thread is left with a large one at the end; sets of
        // similar size in document order, in which they are read fastest.
        missing.sort_by_key(|&number| Reverse(cache.documents.num_shingles(documents[number]).checked_ilog2()));
        let source = cache.sets;
        let load = |&number: &usize| source.load(documents[number]).map(Arc::new);
        let loaded: Vec<Option<Arc<LoadedDocument>>> = missing.par_iter().with_max_len(1).map(load).collect();
        let mut passing_bytes = 0;
        for (number, set) in missing.into_iter().zip(loaded) {
            if let Some(set) = &set
                && !cache.keep(set)
            {
                passing_bytes += set.num_bytes();
            }
            sets[number] = set;
        }
        LoadedSets::new(sets, cache.memory.pass(passing_bytes))
    }

    /// Loads the documents that are not kept yet, and keeps as many as fit.
    pub(crate) fn load_ahead(&mut self, documents: impl Iterator<Item = DocId>) {
        let place = &self.cache.place;
        let mut missing: Vec<DocId> = documents.filter(|document| place[document.index()] == NOWHERE).collect();
        missing.sort_unstable();
        missing.dedup();
        let _loaded = self.load(&missing);
    }

    /// Whether this block or an earlier one has needed more sets than fit.
    pub(crate) fn is_full(&self) -> bool {
        self.cache.is_full
    }
}
