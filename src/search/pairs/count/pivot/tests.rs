//! Compares pairs counted in pivot groups with hash sets, for blocks, tiles and memory of many sizes.

use std::collections::HashSet;
use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::compare::verify::{SharedShingles, Threshold, VerifiableSet};
use crate::documents::document::DocId;
use crate::search::pairs::count::strategy::{Counted, Strategy};
use crate::search::pairs::count::tile::{Tile, TileTexts};
use crate::search::pairs::sets::loaded::LoadedShingles;
use crate::search::pairs::sets::{LoadedDocument, LoadedSets, SetMemory};
use crate::text::shingle::ShingleSet;

const NUM_DOCUMENTS: usize = 240;

/// Three clusters whose documents alternate, with some edits in each document, and unrelated documents between them.
fn corpus(edits: &[(usize, u64)]) -> Vec<Vec<u64>> {
    let text = |number: usize| {
        let family = (number % 4) as u64;
        let mut items: Vec<u64> = match family {
            3 => (0..300).map(|item| item * 1000 + number as u64).collect(),
            _ => (family * 1_000_000..).take(200 + 50 * family as usize).collect(),
        };
        for &(at, put) in edits.iter().cycle().skip(number * 7).take(number % 9) {
            let at = (at + number) % items.len();
            items[at] = put;
        }
        items
    };
    (0..NUM_DOCUMENTS).map(text).collect()
}

/// Counts documents in tiles and blocks, each a candidate of every earlier document of its cluster. Returns the number
/// of pairs counted in pivot groups, and the peak size of the groups.
fn counted_in_groups(texts: &[Vec<u64>], block: usize, tile: usize, most_bytes: u64) -> (usize, u64) {
    let hash = |item: &u64| xxhash_rust::xxh3::xxh3_64(&item.to_le_bytes());
    let load = |(number, text): (usize, &Vec<u64>)| {
        let hashes: Vec<u64> = text.iter().map(hash).collect();
        let set = VerifiableSet::new(ShingleSet::new(hashes.as_slice()));
        Some(Arc::new(LoadedDocument::new(DocId::new(number), LoadedShingles::Whole(set), Box::default(), 0)))
    };
    let sets: Vec<Option<Arc<LoadedDocument>>> = texts.iter().enumerate().map(load).collect();
    let distinct: Vec<HashSet<u64>> = texts.iter().map(|text| text.iter().copied().collect()).collect();
    let (memory, threshold) = (SetMemory::default(), Threshold::default());
    let mut groups = PivotGroups::new(threshold, most_bytes);
    let (mut num_counted, mut peak_bytes) = (0, 0);
    for start in (0..texts.len()).step_by(block) {
        let mut groups = groups.begin_block(|document| document.index() < start);
        let firsts: Vec<DocId> = (start..texts.len().min(start + block)).map(DocId::new).collect();
        for from in (start..texts.len()).step_by(tile) {
            let documents: Vec<DocId> = (from..texts.len().min(from + tile)).map(DocId::new).collect();
            let mut places = vec![0; texts.len()];
            let loaded = LoadedSets::new(sets[from..from + documents.len()].to_vec(), memory.pass(0));
            let tile = Tile::new(&documents, loaded, &mut places);
            let later = |first: &DocId| {
                let later = documents.iter().filter(|other| *other > first && other.index() % 4 == first.index() % 4);
                later.copied().collect()
            };
            let lists: Vec<Vec<DocId>> = firsts.iter().map(later).collect();
            let lists: Vec<&[DocId]> = lists.iter().map(Vec::as_slice).collect();
            let own = &sets[start..start + firsts.len()];
            let memberships = groups.gather(&TileTexts { firsts: &firsts, own, lists: &lists }, &tile);
            peak_bytes = peak_bytes.max(groups.num_bytes());
            for (text, (first, list)) in firsts.iter().zip(&lists).enumerate() {
                let in_group = PivotCounter::new(groups.groups(), &memberships, text, list, &tile, threshold);
                let Some(mut in_group) = in_group else { continue };
                for other in *list {
                    let counted = in_group.count(tile.place(*other));
                    if counted == Counted::Unable {
                        continue;
                    }
                    let (a, b) = (&distinct[first.index()], &distinct[other.index()]);
                    let (shared, union) = (a.intersection(b).count() as u64, a.union(b).count() as u64);
                    assert_eq!(
                        counted,
                        Counted::new(threshold.is_met(shared, union).then(|| SharedShingles::counted(shared)))
                    );
                    num_counted += 1;
                }
            }
        }
    }
    (num_counted, peak_bytes)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn pivot_groups_count_what_hash_sets_do_in_any_blocks_tiles_and_memory(
        edits in prop::collection::vec((0usize..300, 0u64..400), 30),
        block in 20usize..120,
        tile in 60usize..250,
        most_kib in 1u64..400,
    ) {
        let texts = corpus(&edits);
        let most_bytes = most_kib << 10;
        let (_, peak_bytes) = counted_in_groups(&texts, block, tile, most_bytes);
        // One pivot and the growth of a map may exceed the limit.
        prop_assert!(peak_bytes <= most_bytes + (16 << 10), "{peak_bytes} of {most_bytes}");
    }
}

#[test]
fn with_room_enough_nearly_all_pairs_of_families_are_counted_in_groups() {
    let texts = corpus(&[(3, 5), (70, 900_000), (150, 5), (199, 7), (20, 900_001)]);
    let in_family = NUM_DOCUMENTS / 4;
    let num_pairs = 3 * in_family * (in_family - 1) / 2;
    let (num_counted, _) = counted_in_groups(&texts, 80, 240, 1 << 30);
    assert_eq!(num_counted, num_pairs);
    // Groups that are past make room for later ones, so a little memory serves many groups.
    let (_, peak_bytes) = counted_in_groups(&texts, 80, 240, 1 << 30);
    let (num_counted, _) = counted_in_groups(&texts, 80, 240, peak_bytes / 2);
    assert!(num_counted > num_pairs / 8 && num_counted < num_pairs, "{num_counted} of {num_pairs}");
}
