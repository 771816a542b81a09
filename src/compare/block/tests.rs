//! Compares what blocks count with maps.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

/// The hashes of a set with their weights; a hash that is a multiple of 7 was removed.
type Set = BTreeMap<u64, u32>;

fn weight(hash: u64) -> u32 {
    1 + (hash.wrapping_mul(7919) >> 3) as u32 % 1000
}

fn is_removed(hash: u64) -> bool {
    hash.is_multiple_of(7)
}

fn shared(a: &Set, b: &Set, has_weights: bool) -> ShingleCounts {
    let mut shared = ShingleCounts::default();
    for (&hash, &weight) in a.iter().filter(|(hash, _)| b.contains_key(hash)) {
        shared.add(match is_removed(hash) {
            true => ShingleCounts { removed: 1, ..ShingleCounts::default() },
            false => ShingleCounts { shingles: 1, removed: 0, weight: if has_weights { weight.into() } else { 0 } },
        });
    }
    shared
}

/// Adds sets to a block in parts; returns them.
fn fill(block: &mut Block, sets: &[Vec<Vec<u64>>], has_weights: bool) -> Vec<Set> {
    let add = |parts: &Vec<Vec<u64>>| {
        let mut all = Set::new();
        for part in parts {
            let (removed, kept): (Vec<u64>, Vec<u64>) = part.iter().partition(|&&hash| is_removed(hash));
            let weights: Vec<u32> = kept.iter().filter(|_| has_weights).map(|&hash| weight(hash)).collect();
            block.add_removed(&removed);
            block.add(&kept, &weights);
            all.extend(part.iter().map(|&hash| (hash, weight(hash))));
        }
        assert_eq!(block.end_set(), shared(&all, &all, has_weights));
        // A set that is dropped leaves no trace.
        let dropped = [1, 2, 3, 1 << 62];
        block.add(&dropped, &dropped.map(weight)[..if has_weights { 4 } else { 0 }]);
        block.drop_set();
        all
    };
    sets.iter().map(add).collect()
}

fn some_sets(most: usize) -> impl Strategy<Value = Vec<Vec<Vec<u64>>>> {
    let hash = prop_oneof![0u64..200, (0u64..100).prop_map(|hash| hash << 50)];
    let any = prop::collection::vec(hash, 0..150);
    // A passage of a text that other sets have too, in which some hashes come several times.
    let passage =
        (0u64..300, 0u64..150).prop_map(|(start, len)| (start..start + len).map(|at| at * at % 241).collect());
    prop::collection::vec(prop::collection::vec(prop_oneof![any, passage], 0..4), 0..most)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn counts_are_the_counts_of_sets(
        sets in some_sets(9),
        other_sets in some_sets(150),
        has_weights in any::<bool>(),
        expected in 0usize..1000,
    ) {
        let mut block = Block::default();
        // The memory of another block is used.
        block.clear(3, u64::MAX);
        block.add(&[1, 2, 3, 0], &[]);
        block.add_removed(&[7]);
        block.end_set();
        block.clear(expected, 1 << 16);
        let sets = fill(&mut block, &sets, has_weights);
        let (mut classes, own) = (block.classes(), block.classes().within());
        classes.sort();
        for (a, of_a) in sets.iter().enumerate() {
            for (b, of_b) in sets.iter().enumerate() {
                let expected = shared(of_a, of_b, has_weights);
                prop_assert_eq!(block.shared(a, b), expected);
                let (hashes, weights) = block.set(a);
                let found: BTreeMap<u64, u32> = hashes.iter().map(|&hash| (hash, weight(hash))).collect();
                prop_assert_eq!(&found, &of_a.clone().into_iter().filter(|&(hash, _)| !is_removed(hash)).collect());
                prop_assert!(!has_weights || hashes.iter().map(|&hash| weight(hash)).eq(weights));
                // A class of one text is left to the sizes.
                prop_assert!(a == b || own.shared(a, b) == expected);
            }
        }
        prop_assert!(block.num_bytes() as u64 >= block.bytes_with(0) / 2);
        block.clear(expected, 1 << 16);
        let others = fill(&mut block, &other_sets, has_weights);
        let mut of_others = block.classes();
        of_others.sort();
        let (join, back) = (classes.join(&of_others), of_others.join(&classes));
        for (a, of_a) in sets.iter().enumerate() {
            for (b, of_b) in others.iter().enumerate() {
                let expected = shared(of_a, of_b, has_weights);
                prop_assert_eq!(join.shared(a, b), expected);
                prop_assert_eq!(back.shared(b, a), expected);
            }
        }
    }
}
