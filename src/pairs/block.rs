//! A block: some texts verified against all their candidates, each of which is brought into memory once.
//!
//! The candidates of all texts of the block are made one list in document order, which is cut into tiles that fit the
//! memory, and those into parts that fit the cache. While a tile is at hand every text is held against those of its
//! candidates that are in it: by the crowd that both are in, or first against their outlines, which lie side by side, then, for
//! the few that are left, in full. So a bucket whose sets do not fit the memory is read once for each block, not once for
//! each of its documents.

use std::cell::Cell;
use std::sync::Arc;

use rayon::prelude::*;

use super::crowds::{Standing, Standings, TileView};
use super::found::{Found, Neighbour, Sizes};
use super::sweep::Frontier;
use super::{PairSearch, count};
use crate::document::DocId;
use crate::pairs::set_cache::{AtHand, Cached, Shingles};
use crate::verify::{CrowdVerifier, Indexes, Outline, Outlines, Verifier};

/// Candidates of one text that one thread takes at a time.
const TASK: usize = 4096;
/// Such tasks that a thread takes at most without offering them to others; most have far fewer candidates.
const TASKS: usize = 16;
/// Bytes of sets that a processor's last cache holds.
const CACHED_TILE: u64 = 8 << 20;
/// So many candidates a text should have in a tile, on average, for it to be worth making its indexes anew.
const LEAST_SHARE: usize = 256;

/// Some candidates of a block, in memory.
struct Tile<'p> {
    sets: Vec<Option<Arc<Cached>>>,
    outlines: Outlines,
    standings: Standings,
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
    pub(super) static INDEXES: Cell<Indexes> = Cell::default();
    /// The memory of the last member of a crowd.
    static MEMBER: Cell<Vec<u32>> = Cell::default();
}

impl PairSearch<'_> {
    /// Verifies texts against their candidates; leaves out those that can no longer be read.
    ///
    /// * `frontier`: where the search stands; the block comes next.
    /// * `found_bytes`: bytes of what was found before it and waits for its turn.
    pub(super) fn verify_block(&mut self, firsts: &[DocId], frontier: &Frontier<'_>, found_bytes: u64) -> Found {
        self.sets.begin_block(|document| frontier.is_past(document));
        self.crowds.begin_block(|document| frontier.is_past(document));
        let mut lists: Vec<Vec<DocId>> = firsts
            .par_iter()
            .map(|&first| {
                let mut candidates = Vec::new();
                self.gather(first, &mut candidates);
                candidates
            })
            .collect();
        let mut wanted = self.wanted(&lists);
        if !self.sets.is_full() {
            // Both sides at once, which the cache then has: the more there is to load, the better it spreads over the threads.
            let tile = &wanted[..self.tile_len(&wanted)];
            self.sets.load_ahead(firsts.iter().chain(tile).copied());
        }
        let AtHand { sets: own, passing_bytes: own_passing } = self.sets.hold(firsts);
        if own.iter().any(Option::is_none) {
            for (list, _) in lists.iter_mut().zip(&own).filter(|(_, own)| own.is_none()) {
                list.clear();
            }
            wanted = self.wanted(&lists);
        }
        let mut neighbours: Vec<Vec<Neighbour>> = lists.iter().map(|_| Vec::new()).collect();
        let num_candidates: usize = lists.iter().map(Vec::len).sum();
        let least_len = LEAST_SHARE * (wanted.len() * lists.len()).div_ceil(num_candidates.max(1));
        let mut rest = wanted.as_slice();
        while !rest.is_empty() {
            let documents = rest.split_off(..self.tile_len(rest)).expect("a tile is no longer than what is left");
            let AtHand { sets, passing_bytes } = self.sets.hold(documents);
            for (place, document) in (0..).zip(documents) {
                self.places[document.index()] = place;
            }
            let outlines = outlines(&sets);
            let in_tile: Vec<&[DocId]> = lists.iter().map(|list| within(list, documents)).collect();
            let standings = self.crowds.gather(&TileView {
                firsts,
                own: &own,
                lists: &in_tile,
                documents,
                sets: &sets,
                outlines: &outlines,
                places: &self.places,
            });
            self.sets.count_beside(found_bytes + self.crowds.num_bytes());
            let tile = Tile { sets, outlines, standings, places: &self.places };
            // The sets of a crowd are not looked at again, so its texts are held against the whole tile.
            let in_crowd = |text: usize| tile.standings.text(text).is_some();
            let mut tasks = Vec::new();
            for (text, list) in in_tile.iter().enumerate().filter(|&(text, _)| in_crowd(text)) {
                tasks.extend(list.chunks(TASK).map(|candidates| Task { text, candidates }));
            }
            let mut parts = documents;
            while !parts.is_empty() {
                let part = parts.split_off(..self.part_len(parts, least_len)).expect("a part is no longer");
                for (text, list) in in_tile.iter().enumerate().filter(|&(text, _)| !in_crowd(text)) {
                    tasks.extend(within(list, part).chunks(TASK).map(|candidates| Task { text, candidates }));
                }
            }
            let found: Vec<Vec<Neighbour>> = tasks
                .par_iter()
                .with_max_len(TASKS)
                .map(|task| {
                    let own = own[task.text].as_deref().expect("texts that cannot be read have no candidates left");
                    self.neighbours(firsts[task.text], own, task, &tile)
                })
                .collect();
            for (task, found) in tasks.iter().zip(found) {
                neighbours[task.text].extend(found);
            }
            drop(tasks);
            drop(tile);
            self.sets.end_passing(passing_bytes);
        }
        let mut found = Found::default();
        let texts = firsts.iter().zip(own).zip(lists.iter().zip(neighbours));
        for ((&first, own), (list, neighbours)) in texts {
            // Of a huge set the size is mostly known by now: verifying a candidate counts both sides.
            let Some(own) = own.as_deref() else { continue };
            let Some(shingles) = self.sets.loader.num_shingles(first, own) else { continue };
            found.num_candidates += list.len() as u64;
            neighbours.into_iter().for_each(|neighbour| found.push_neighbour(neighbour));
            let sizes = Sizes { shingles: count(shingles), removed: count(own.num_removed()) };
            found.push_text(first, sizes, self.has_copies(first));
        }
        self.sets.end_passing(own_passing);
        found
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

    /// How many of these documents fit a tile; at least one, if there is one.
    fn tile_len(&self, documents: &[DocId]) -> usize {
        self.len_within(documents, self.most_block_bytes)
    }

    /// How many of these documents fit the cache; at least `least_len`, or all.
    fn part_len(&self, documents: &[DocId], least_len: usize) -> usize {
        self.len_within(documents, CACHED_TILE).max(least_len).min(documents.len())
    }

    fn len_within(&self, documents: &[DocId], most_bytes: u64) -> usize {
        let mut num_bytes = 0;
        let fits = |document: &&DocId| {
            num_bytes += self.sets.most_bytes(**document);
            num_bytes <= most_bytes
        };
        documents.iter().take_while(fits).count().max(1).min(documents.len())
    }

    /// The neighbours of a text among some candidates of the tile.
    fn neighbours(&self, first: DocId, own: &Cached, task: &Task, tile: &Tile) -> Vec<Neighbour> {
        let standing = tile.standings.text(task.text);
        let place = |document: &DocId| tile.places[document.index()] as usize;
        let crowd = standing.map(|Standing { crowd, member }| {
            let others = tile.standings.members(task.candidates.iter().map(place), crowd);
            (crowd, CrowdVerifier::new(self.crowds.get(crowd), member as usize, others, MEMBER.take()))
        });
        let mut verifier = match &own.shingles {
            Shingles::Set(set) => Some((Verifier::reusing(set, INDEXES.take()), set.outline())),
            Shingles::Huge(_) => None,
        };
        let mut neighbours = Vec::new();
        for &other in task.candidates {
            let place = place(&other);
            let in_crowd = crowd.as_ref().and_then(|(crowd, verifier)| {
                tile.standings.member(place, *crowd).map(|member| verifier.verify(member, self.threshold))
            });
            let shared = match in_crowd {
                Some(shared) => shared.map(|shared| shared as u64),
                None => self.verify_alone((first, own), &mut verifier, (other, place), tile),
            };
            let Some(shared) = shared else { continue };
            let Some(candidate) = &tile.sets[place] else { continue };
            neighbours.extend(self.neighbour((first, own), (other, candidate), shared));
        }
        if let Some((verifier, _)) = verifier {
            INDEXES.set(verifier.into_indexes());
        }
        if let Some((_, verifier)) = crowd {
            MEMBER.set(verifier.into_memory());
        }
        neighbours
    }

    /// What a text shares with a candidate that is in no crowd with it, when the pair reaches the threshold.
    #[inline]
    fn verify_alone(
        &self,
        own: (DocId, &Cached),
        verifier: &mut Option<(Verifier<'_>, Outline<'_>)>,
        (other, place): (DocId, usize),
        tile: &Tile,
    ) -> Option<u64> {
        let theirs = tile.outlines.get(place);
        if let (Some((_, ours)), Some(theirs)) = (&verifier, theirs)
            && ours.rules_out(&theirs, self.threshold)
        {
            return None;
        }
        let candidate = tile.sets[place].as_ref()?;
        match (verifier, &candidate.shingles) {
            (Some((verifier, _)), Shingles::Set(set)) => {
                verifier.verify_in_full(set, self.threshold).map(|shared| shared as u64)
            }
            _ => self.sets.loader.verify_huge(own, (other, candidate), self.threshold),
        }
    }
}

/// Those of a list that are in a run of documents; both ascending.
fn within<'l>(list: &'l [DocId], documents: &[DocId]) -> &'l [DocId] {
    let (from, to) = (documents[0], documents[documents.len() - 1]);
    let start = list.partition_point(|&candidate| candidate < from);
    let end = list.partition_point(|&candidate| candidate <= to);
    &list[start..end]
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
