//! `LargeComponents`: verifies large components with all threads, in blocks of texts.
//!
//! A block is a number of texts with all their candidates; each candidate is loaded once for the whole block. The
//! candidates of all its texts are merged into one list in document order, which is cut into tiles that fit the memory,
//! and each tile into parts that fit a processor's cache. While a tile is in memory, each text is compared with its
//! candidates in the tile. So a bucket whose sets do not fit the memory is loaded once for each block, not once for
//! each of its documents.

use rayon::prelude::*;

use super::in_full::FullCounter;
use super::in_slices::SliceStrategy;
use super::pivot::{Memberships, PivotCounter, PivotGroups};
use super::strategy::{Counted, Strategy};
use super::tile::{Tile, TileTexts, within};
use crate::base::flat::bit_set::BitSet;
use crate::documents::document::DocId;
use crate::search::pairs::context::VerifyContext;
use crate::search::pairs::found::{Neighbour, VerifiedTexts};
use crate::search::pairs::plan::{ComponentText, Progress, SearchLimits};
use crate::search::pairs::sets::{LoadedDocument, LoadedSets, SetCache};

/// The maximum number of candidates in a task: the candidates of one text that one thread compares in one go.
const TASK: usize = 4096;
/// The maximum number of consecutive tasks that a thread keeps to itself; most tasks have far fewer candidates than the
/// maximum.
const TASKS: usize = 16;
/// The bytes of sets that fit the last-level cache of a processor.
const PART_BYTES: u64 = 8 << 20;
/// The average number of a text's candidates in a part that makes it worth building the index of the text once more for
/// this part.
const LEAST_SHARE: usize = 256;

/// Verifies one block of texts after another; keeps sets and pivot groups for later blocks.
pub(in crate::search::pairs) struct LargeComponents<'s> {
    core: &'s VerifyContext<'s>,
    side_bytes: u64,
    cache: SetCache<'s>,
    groups: PivotGroups,
    /// The position of each document in the current tile.
    places: Vec<u32>,
}

/// A text of the block and some of its candidates in the tile.
struct Task<'t> {
    text: usize,
    own: &'t LoadedDocument,
    candidates: &'t [DocId],
}

impl<'s> LargeComponents<'s> {
    /// The bytes that a search needs for each document of the corpus, whatever it verifies.
    pub(in crate::search::pairs) const DOCUMENT_BYTES: usize = size_of::<u32>() + SetCache::DOCUMENT_BYTES;

    pub(in crate::search::pairs) fn new(core: &'s VerifyContext<'s>, limits: &SearchLimits) -> Self {
        let VerifyContext { documents, candidates, sets, memory, threshold, .. } = core;
        Self {
            core,
            side_bytes: limits.block_side_bytes,
            cache: SetCache::new(documents, *candidates, *sets, memory, limits.kept_set_bytes),
            groups: PivotGroups::new(*threshold, limits.pivot_group_bytes),
            places: vec![0; documents.len()],
        }
    }

    /// Whether a block has needed more sets than fit the memory.
    pub(in crate::search::pairs) fn is_full(&self) -> bool {
        self.cache.is_full()
    }

    /// The bytes in memory between blocks, without the sets that are kept.
    pub(in crate::search::pairs) fn num_bytes(&self) -> u64 {
        self.groups.num_bytes()
    }

    /// Verifies a block of texts against their candidates; skips documents that can no longer be loaded.
    ///
    /// * `progress`: how far the search has come; this block is next.
    /// * `found_bytes`: the bytes of earlier results that are waiting for their turn.
    pub(in crate::search::pairs) fn verify(
        &mut self,
        texts: &[ComponentText],
        progress: &Progress<'_>,
        found_bytes: u64,
    ) -> VerifiedTexts {
        let Self { core, side_bytes, cache, groups, places } = self;
        let (core, tile_bytes) = (*core, *side_bytes);
        let is_past = |document| progress.is_past(document);
        let (mut sets, mut groups) = (cache.begin_block(is_past), groups.begin_block(is_past));
        let firsts: Vec<DocId> = texts.iter().map(|text| text.first).collect();
        let mut lists = candidates_of(core, &firsts);
        let mut wanted = wanted(&lists);
        if !sets.is_full() {
            // The texts and the first tile are loaded into the cache together: the more documents there are, the better
            // they spread over the threads.
            let tile = &wanted[..len_within(core, &wanted, tile_bytes)];
            sets.load_ahead(firsts.iter().chain(tile).copied());
        }
        let own = sets.load(&firsts);
        if own.sets.iter().any(Option::is_none) {
            for (list, _) in lists.iter_mut().zip(&own.sets).filter(|(_, own)| own.is_none()) {
                list.clear();
            }
            wanted = self::wanted(&lists);
        }
        let mut neighbours: Vec<Vec<Neighbour>> = lists.iter().map(|_| Vec::new()).collect();
        let num_candidates: usize = lists.iter().map(Vec::len).sum();
        let least_part = LEAST_SHARE * (wanted.len() * lists.len()).div_ceil(num_candidates.max(1));
        let mut rest = wanted.as_slice();
        while !rest.is_empty() {
            let len = len_within(core, rest, tile_bytes);
            let documents = rest.split_off(..len).expect("a tile is no longer than what is left");
            let tile = Tile::new(documents, sets.load(documents), places);
            let in_tile: Vec<&[DocId]> = lists.iter().map(|list| within(list, documents)).collect();
            let tile_texts = TileTexts { firsts: &firsts, own: &own.sets, lists: &in_tile };
            let memberships = groups.gather(&tile_texts, &tile);
            core.memory.set_beside(found_bytes + groups.num_bytes());
            let tasks = tasks(core, &tile_texts, &tile, &memberships, least_part);
            let found: Vec<Vec<Neighbour>> = tasks
                .par_iter()
                .with_max_len(TASKS)
                .map(|task| {
                    let (text, threshold) = (task.text, core.threshold);
                    let in_group =
                        PivotCounter::new(groups.groups(), &memberships, text, task.candidates, &tile, threshold);
                    verify_task(core, task, &tile, in_group)
                })
                .collect();
            for (task, found) in tasks.iter().zip(found) {
                neighbours[task.text].extend(found);
            }
        }
        join(core, &own, &lists, neighbours)
    }
}

/// The candidates of each text.
fn candidates_of(core: &VerifyContext<'_>, firsts: &[DocId]) -> Vec<Vec<DocId>> {
    let gather = |&first: &DocId| {
        let mut candidates = Vec::new();
        core.gather(first, &mut candidates);
        candidates
    };
    firsts.par_iter().map(gather).collect()
}

/// All documents in the lists, ascending, each once.
fn wanted(lists: &[Vec<DocId>]) -> Vec<DocId> {
    // One bit for each document in the range that the lists span.
    let start = lists.iter().filter_map(|list| list.first()).min().map_or(0, |first| first.index());
    let end = lists.iter().filter_map(|list| list.last()).max().map_or(0, |last| last.index() + 1);
    let mut wanted = BitSet::new(end - start);
    lists.iter().flatten().for_each(|document| wanted.insert(document.index() - start));
    wanted.iter().map(|at| DocId::new(start + at)).collect()
}

/// How many of these documents fit in `most_bytes`; at least one, if there is one.
fn len_within(core: &VerifyContext<'_>, documents: &[DocId], most_bytes: u64) -> usize {
    let mut num_bytes = 0;
    let fits = |document: &&DocId| {
        num_bytes += core.sets.most_bytes(**document);
        num_bytes <= most_bytes
    };
    documents.iter().take_while(fits).count().max(1).min(documents.len())
}

/// Divides the comparisons of a tile into tasks.
///
/// * `least_part`: the minimum number of documents in a part of the tile.
fn tasks<'t>(
    core: &VerifyContext<'_>,
    texts: &TileTexts<'t>,
    tile: &Tile<'t>,
    memberships: &Memberships,
    least_part: usize,
) -> Vec<Task<'t>> {
    let mut tasks = Vec::new();
    let mut push = |text: usize, candidates: &'t [DocId]| {
        let own = || texts.own[text].as_deref().expect("texts that cannot be loaded have no candidates left");
        tasks.extend(candidates.chunks(TASK).map(|candidates| Task { text, own: own(), candidates }));
    };
    // A pivot group counts pairs without their sets, so its texts are compared with the whole tile at once.
    let in_group = |text: usize| memberships.is_in_group(text);
    for (text, list) in texts.lists.iter().enumerate().filter(|&(text, _)| in_group(text)) {
        push(text, list);
    }
    let mut rest = tile.documents;
    while !rest.is_empty() {
        let len = len_within(core, rest, PART_BYTES).max(least_part).min(rest.len());
        let part = rest.split_off(..len).expect("a part is no longer than what is left");
        for (text, list) in texts.lists.iter().enumerate().filter(|&(text, _)| !in_group(text)) {
            push(text, within(list, part));
        }
    }
    tasks
}

/// Finds the neighbours of a text among some candidates of a tile.
fn verify_task(
    core: &VerifyContext<'_>,
    task: &Task<'_>,
    tile: &Tile<'_>,
    mut in_group: Option<PivotCounter<'_>>,
) -> Vec<Neighbour> {
    let mut in_full = FullCounter::new(core, task.own, tile);
    let mut in_slices = SliceStrategy::new(core, task.own, tile);
    let mut neighbours = Vec::new();
    for &candidate in task.candidates {
        let place = tile.place(candidate);
        let counted = in_group.count(place).or_else(|| in_full.count(place)).or_else(|| in_slices.count(place));
        let Counted::Shared(shared) = counted else { continue };
        let Some(candidate) = tile.document(place) else { continue };
        neighbours.extend(core.neighbour(task.own, candidate, shared));
    }
    neighbours
}

/// Combines each text with its neighbours and its counts.
fn join(
    core: &VerifyContext<'_>,
    own: &LoadedSets<'_>,
    lists: &[Vec<DocId>],
    neighbours: Vec<Vec<Neighbour>>,
) -> VerifiedTexts {
    let mut found = VerifiedTexts::default();
    for (own, (list, neighbours)) in own.sets.iter().zip(lists.iter().zip(neighbours)) {
        // The size of a sliced set is usually known by now, since verifying a candidate counts both sets.
        let Some(own) = own.as_deref() else { continue };
        let Some(counts) = core.counts(own) else { continue };
        found.num_candidates += list.len() as u64;
        neighbours.into_iter().for_each(|neighbour| found.push_neighbour(neighbour));
        found.push_text(own.document, counts, core.has_copies(own.document));
    }
    found
}
