//! A block: some texts verified against all their candidates, each of which is brought into memory once.
//!
//! The candidates of all texts of the block are made one list in document order, which is cut into tiles that fit the
//! memory. While a tile is at hand every text is held against those of its candidates that are in it: first against their
//! outlines, which lie side by side, then, for the few that are left, in full. So a bucket whose sets do not fit the
//! memory is read once for each block, not once for each of its documents.

use std::cell::Cell;
use std::sync::Arc;

use rayon::prelude::*;

use super::{Neighbour, PairSearch, Verified, count};
use crate::document::DocId;
use crate::pipeline::set_cache::{Cached, Shingles};
use crate::signature::equal_values;
use crate::verify::{Indexes, Outline, Outlines, Verifier};

/// Candidates of one text that one thread takes at a time.
const TASK: usize = 4096;
/// Bytes of sets that a processor's last cache holds.
const CACHED_TILE: u64 = 8 << 20;
/// So many candidates a text should have in a tile, on average, for it to be worth making its indexes anew.
const LEAST_SHARE: usize = 256;

/// Some candidates of a block, in memory.
struct Tile<'p> {
    sets: Vec<Option<Arc<Cached>>>,
    outlines: Outlines,
    /// The place of each candidate in the lists above, by document.
    places: &'p [u32],
}

/// A text of the block and some of its candidates.
struct Task<'c> {
    text: usize,
    candidates: &'c [DocId],
}

thread_local! {
    /// The memory of the last indexes that a thread made.
    static INDEXES: Cell<Indexes> = Cell::default();
}

impl PairSearch<'_> {
    /// Verifies texts against their candidates; leaves out those that can no longer be read.
    pub(super) fn verify_block(&mut self, firsts: &[DocId]) -> Vec<Verified> {
        let Some(start) = firsts.first() else { return Vec::new() };
        self.sets.begin_block(start.index());
        let mut lists = self.gather(firsts);
        let own = self.sets.hold(firsts);
        for (list, own) in lists.iter_mut().zip(&own) {
            if own.is_none() {
                list.clear();
            }
        }
        let wanted = self.wanted(&lists);
        let mut neighbours: Vec<Vec<Neighbour>> = lists.iter().map(|_| Vec::new()).collect();
        let num_candidates: usize = lists.iter().map(Vec::len).sum();
        let least_len = LEAST_SHARE * (wanted.len() * lists.len()).div_ceil(num_candidates.max(1));
        let mut rest = wanted.as_slice();
        while let Some((&from, _)) = rest.split_first() {
            let documents =
                rest.split_off(..self.tile_len(rest, least_len)).expect("a tile is no longer than what is left");
            let to = documents[documents.len() - 1];
            let sets = self.sets.hold(documents);
            for (place, document) in (0..).zip(documents) {
                self.places[document.index()] = place;
            }
            let tile = Tile { outlines: outlines(&sets), sets, places: &self.places };
            let in_tile = |(text, list): (usize, &'_ Vec<DocId>)| {
                let start = list.partition_point(|&candidate| candidate < from);
                let end = list.partition_point(|&candidate| candidate <= to);
                (text, start..end)
            };
            let tasks: Vec<Task> = lists
                .iter()
                .enumerate()
                .map(in_tile)
                .flat_map(|(text, range)| {
                    lists[text][range].chunks(TASK).map(move |candidates| Task { text, candidates })
                })
                .collect();
            let found: Vec<Vec<Neighbour>> = tasks
                .par_iter()
                .map(|task| {
                    let own = own[task.text].as_deref().expect("texts that cannot be read have no candidates left");
                    self.neighbours(firsts[task.text], own, task.candidates, &tile)
                })
                .collect();
            for (task, found) in tasks.iter().zip(found) {
                neighbours[task.text].extend(found);
            }
        }
        let texts = firsts.iter().zip(own).zip(lists.iter().zip(neighbours));
        let verified = texts.filter_map(|((&first, own), (list, neighbours))| {
            // Of a huge set the size is mostly known by now: verifying a candidate counts both sides.
            let own = own.as_deref()?;
            let shingles = count(self.sets.loader.num_shingles(first, own)?);
            Some(Verified {
                first,
                shingles,
                removed: count(own.num_removed()),
                num_candidates: list.len() as u64,
                neighbours,
            })
        });
        verified.collect()
    }

    /// The candidates of each text, ascending.
    fn gather(&self, firsts: &[DocId]) -> Vec<Vec<DocId>> {
        let scope = self.documents.scope();
        let gather = |&first: &DocId| {
            let thread = rayon::current_thread_index().expect("verification runs in the pool");
            let mut gatherer = self.gatherers[thread].lock().expect("no holder panics");
            let candidates = gatherer.of(first);
            if scope.is_all() {
                return candidates.to_vec();
            }
            candidates.iter().copied().filter(|&candidate| scope.may_pair(first, candidate)).collect()
        };
        firsts.par_iter().map(gather).collect()
    }

    /// All documents on the lists, ascending, each once.
    fn wanted(&self, lists: &[Vec<DocId>]) -> Vec<DocId> {
        // A bit a document, of the range that the lists span.
        let start = lists.iter().filter_map(|list| list.first()).min().map_or(0, |first| first.index());
        let end = lists.iter().filter_map(|list| list.last()).max().map_or(0, |last| last.index() + 1);
        let mut words = vec![0u64; (end - start).div_ceil(64)];
        for document in lists.iter().flatten() {
            let at = document.index() - start;
            words[at / 64] |= 1 << (at % 64);
        }
        let mut wanted = Vec::new();
        for (index, mut word) in words.into_iter().enumerate() {
            while word != 0 {
                wanted.push(DocId::new(start + 64 * index + word.trailing_zeros() as usize));
                word &= word - 1;
            }
        }
        wanted
    }

    /// How many of these documents fit a tile; at least one. More than `least_len` only as long as they fit the cache.
    fn tile_len(&self, documents: &[DocId], least_len: usize) -> usize {
        let mut num_bytes = 0;
        let fits = |(len, document): &(usize, &DocId)| {
            num_bytes += self.sets.most_bytes(**document);
            num_bytes <= self.most_block_bytes && (*len < least_len || num_bytes <= CACHED_TILE)
        };
        documents.iter().enumerate().take_while(fits).count().max(1)
    }

    /// The neighbours of a text among some candidates of the tile.
    fn neighbours(&self, first: DocId, own: &Cached, candidates: &[DocId], tile: &Tile) -> Vec<Neighbour> {
        let sets = &self.sets.loader;
        let mut verifier = match &own.shingles {
            Shingles::Set(set) => Some((Verifier::reusing(set, INDEXES.take()), set.outline())),
            Shingles::Huge(_) => None,
        };
        let mut neighbours = Vec::new();
        for &other in candidates {
            let place = tile.places[other.index()] as usize;
            let theirs = tile.outlines.get(place);
            if let (Some((_, ours)), Some(theirs)) = (&verifier, theirs)
                && ours.rules_out(&theirs, self.threshold)
            {
                continue;
            }
            let Some(candidate) = &tile.sets[place] else { continue };
            let shared = match (&mut verifier, &candidate.shingles) {
                (Some((verifier, _)), Shingles::Set(set)) => {
                    verifier.verify_in_full(set, self.threshold).map(|shared| shared as u64)
                }
                _ => sets.verify_huge((first, own), (other, candidate), self.threshold),
            };
            let Some(shared) = shared else { continue };
            let Some(own_signature) = sets.signature(first, own) else { continue };
            let Some(signature) = sets.signature(other, candidate) else { continue };
            let Some(shingles) = sets.num_shingles(other, candidate) else { continue };
            neighbours.push(Neighbour {
                first: other,
                shingles: count(shingles),
                shared: count(shared),
                equal_values: count(equal_values(own_signature, signature) as u64),
                removed: count(candidate.num_removed()),
                shared_removed: count(own.shared_removed(candidate)),
            });
        }
        if let Some((verifier, _)) = verifier {
            INDEXES.set(verifier.into_indexes());
        }
        neighbours
    }
}

/// The outlines of sets in memory; those that are too large to hold, or could not be read, have none.
fn outlines(sets: &[Option<Arc<Cached>>]) -> Outlines {
    let mut outlines = Outlines::default();
    for set in sets {
        let outline: Option<Outline> = match set.as_deref() {
            Some(Cached { shingles: Shingles::Set(set), .. }) => Some(set.outline()),
            _ => None,
        };
        outlines.push(outline);
    }
    outlines
}
