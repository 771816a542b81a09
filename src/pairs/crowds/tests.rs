//! Crowds held against hash sets, in blocks, tiles and memory of many sizes.

use std::collections::HashSet;

use proptest::prelude::*;

use super::*;
use crate::shingle::ShingleSet;
use crate::verify::{CrowdVerifier, Outline};

const NUM_DOCUMENTS: usize = 240;

/// Three families, one after another's member, with some edits in each document, and strangers among them.
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

/// Documents in tiles and blocks, each of a family the candidate of every earlier one; all pairs that crowds can count,
/// and the most bytes that they took.
fn counted_by_crowds(texts: &[Vec<u64>], block: usize, tile: usize, most_bytes: u64) -> (usize, u64) {
    let hashes = |text: &Vec<u64>| text.iter().map(|item| xxhash_rust::xxh3::xxh3_64(&item.to_le_bytes())).collect();
    let sets: Vec<Option<Arc<Cached>>> = texts
        .iter()
        .map(|text| VerifiableSet::new(ShingleSet::new(Vec::as_slice(&hashes(text)))))
        .map(|set| Some(Arc::new(Cached::new(Shingles::Set(set), Box::default(), 0))))
        .collect();
    let distinct: Vec<HashSet<u64>> = texts.iter().map(|text| text.iter().copied().collect()).collect();
    let mut crowds = Crowds::new(Threshold::default(), most_bytes);
    let (mut num_counted, mut peak_bytes) = (0, 0);
    for start in (0..texts.len()).step_by(block) {
        crowds.begin_block(|document| document.index() < start);
        let firsts: Vec<DocId> = (start..texts.len().min(start + block)).map(DocId::new).collect();
        for from in (start..texts.len()).step_by(tile) {
            let documents: Vec<DocId> = (from..texts.len().min(from + tile)).map(DocId::new).collect();
            let mut places = vec![0; texts.len()];
            let mut outlines = Outlines::default();
            for (place, document) in (0..).zip(&documents) {
                places[document.index()] = place;
                let Some(Cached { shingles: Shingles::Set(set), .. }) = sets[document.index()].as_deref() else {
                    unreachable!("all are in memory")
                };
                let outline: Outline = set.outline();
                outlines.push(Some(outline));
            }
            let later = |first: &DocId| {
                let later = documents.iter().filter(|other| *other > first && other.index() % 4 == first.index() % 4);
                later.copied().collect()
            };
            let lists: Vec<Vec<DocId>> = firsts.iter().map(later).collect();
            let tile = TileView {
                firsts: &firsts,
                own: &sets[start..start + firsts.len()],
                lists: &lists.iter().map(Vec::as_slice).collect::<Vec<_>>(),
                documents: &documents,
                sets: &sets[from..from + documents.len()],
                outlines: &outlines,
                places: &places,
            };
            let standings = crowds.gather(&tile);
            peak_bytes = peak_bytes.max(crowds.num_bytes());
            for (text, (first, list)) in firsts.iter().zip(&lists).enumerate() {
                let Some(Standing { crowd, member }) = standings.text(text) else { continue };
                let place = |other: &DocId| places[other.index()] as usize;
                let others = standings.members(list.iter().map(place), crowd);
                let verifier = CrowdVerifier::new(crowds.get(crowd), member as usize, others, Vec::new());
                for other in list {
                    let Some(other_member) = standings.member(place(other), crowd) else { continue };
                    let (a, b) = (&distinct[first.index()], &distinct[other.index()]);
                    let (shared, union) = (a.intersection(b).count(), a.union(b).count());
                    let expected = Threshold::default().is_met(shared as u64, union as u64).then_some(shared);
                    assert_eq!(verifier.verify(other_member, Threshold::default()), expected);
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
    fn crowds_count_what_hash_sets_do_in_any_blocks_tiles_and_memory(
        edits in prop::collection::vec((0usize..300, 0u64..400), 30),
        block in 20usize..120,
        tile in 60usize..250,
        most_kib in 1u64..400,
    ) {
        let texts = corpus(&edits);
        let most_bytes = most_kib << 10;
        let (_, peak_bytes) = counted_by_crowds(&texts, block, tile, most_bytes);
        // A pivot, and what a map grows by, come on top.
        prop_assert!(peak_bytes <= most_bytes + (16 << 10), "{peak_bytes} of {most_bytes}");
    }
}

#[test]
fn with_room_enough_nearly_all_pairs_of_families_are_counted_by_crowds() {
    let texts = corpus(&[(3, 5), (70, 900_000), (150, 5), (199, 7), (20, 900_001)]);
    let in_family = NUM_DOCUMENTS / 4;
    let num_pairs = 3 * in_family * (in_family - 1) / 2;
    let (num_counted, _) = counted_by_crowds(&texts, 80, 240, 1 << 30);
    assert_eq!(num_counted, num_pairs);
    // Those behind make room for those to come, so a little is enough for most.
    let (_, peak_bytes) = counted_by_crowds(&texts, 80, 240, 1 << 30);
    let (num_counted, _) = counted_by_crowds(&texts, 80, 240, peak_bytes / 2);
    assert!(num_counted > num_pairs / 8 && num_counted < num_pairs, "{num_counted} of {num_pairs}");
}
