use proptest::prelude::*;

use super::*;

fn table(keys: &[Vec<u64>]) -> BucketTable {
    let num_bands = keys.first().map_or(0, Vec::len);
    BucketTable::build(num_bands, keys.len(), |band, out| {
        out.extend(keys.iter().enumerate().map(|(document, keys)| (keys[band], DocId::new(document))));
    })
}

/// For each document, the first document that can be reached by steps between documents that share a bucket.
fn first_reached(num_documents: usize, shares_bucket: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut first: Vec<usize> = (0..num_documents).collect();
    loop {
        let before = first.clone();
        for (a, b) in (0..num_documents).flat_map(|a| (0..a).map(move |b| (a, b))) {
            if shares_bucket(a, b) {
                let both = first[a].min(first[b]);
                (first[a], first[b]) = (both, both);
            }
        }
        if first == before {
            return first;
        }
    }
}

proptest! {
    #[test]
    fn candidates_are_all_pairs_with_an_equal_key(
        // Few values cause shared buckets; the small range of the first band causes large ones.
        keys in prop::collection::vec((0u64..3, 0u64..30, any::<u64>()), 0..200)
    ) {
        let spread = |value: u64| value.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let keys: Vec<Vec<u64>> = keys.iter().map(|k| vec![spread(k.0 + 1), spread(k.1), spread(k.2)]).collect();
        let table = table(&keys);
        let mut candidates = table.candidates();
        for a in 0..keys.len() {
            let expected: Vec<DocId> = (a + 1..keys.len())
                .filter(|&b| (0..3).any(|band| keys[a][band] == keys[b][band]))
                .map(DocId::new)
                .collect();
            prop_assert_eq!(candidates.of(DocId::new(a)), &expected);
            prop_assert_eq!(table.has_candidates(DocId::new(a)), !expected.is_empty());
            let least = table.least_candidates(DocId::new(a));
            prop_assert!(least <= expected.len() && expected.len() <= 3 * least);
        }
        let shares_bucket = |a: usize, b: usize| (0..3).any(|band| keys[a][band] == keys[b][band]);
        let components: Vec<usize> = (0..keys.len()).map(|a| table.component(DocId::new(a)).index()).collect();
        prop_assert_eq!(components, first_reached(keys.len(), shares_bucket));
    }
}

proptest! {
    #[test]
    fn candidates_across_classes_are_all_pairs_with_an_equal_key_and_different_classes(
        rows in prop::collection::vec((0u64..3, 0u64..30, 0u32..4), 0..200)
    ) {
        let spread = |value: u64| value.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let keys: Vec<[u64; 2]> = rows.iter().map(|row| [spread(row.0 + 1), spread(row.1)]).collect();
        let classes: Arc<[u32]> = rows.iter().map(|row| row.2).collect();
        let table = BucketTable::build_across(2, Arc::clone(&classes), |band, out| {
            out.extend(keys.iter().enumerate().map(|(document, keys)| (keys[band], DocId::new(document))));
        });
        let mut candidates = table.candidates();
        for a in 0..keys.len() {
            let shares_bucket = |b: usize| (0..2).any(|band| keys[a][band] == keys[b][band]);
            let expected: Vec<DocId> = (a + 1..keys.len())
                .filter(|&b| classes[a] != classes[b] && shares_bucket(b))
                .map(DocId::new)
                .collect();
            prop_assert_eq!(candidates.of(DocId::new(a)), &expected);
            let least = table.least_candidates(DocId::new(a));
            prop_assert!(least <= expected.len() && expected.len() <= 2 * least);
        }
    }
}

#[test]
fn a_walk_leaps_over_the_documents_of_its_own_class() {
    // One bucket: a hundred thousand documents of class 0, with one of class 1 in the middle. Looking at all pairs
    // takes minutes.
    let classes: Arc<[u32]> = (0..100_000).map(|document| u32::from(document == 50_000)).collect();
    let table = BucketTable::build_across(1, Arc::clone(&classes), |_, out| {
        out.extend((0..classes.len()).map(|document| (7, DocId::new(document))));
    });
    let mut candidates = table.candidates();
    for document in 0..classes.len() {
        let expected = match document {
            0..50_000 => vec![DocId::new(50_000)],
            50_000 => (50_001..classes.len()).map(DocId::new).collect(),
            _ => vec![],
        };
        assert!(candidates.of(DocId::new(document)) == expected, "{document}");
    }
}

#[test]
fn documents_that_are_not_banded_are_never_candidates() {
    let table = BucketTable::build(1, 3, |_, out| out.extend([(7, DocId::new(0)), (7, DocId::new(2))]));
    assert_eq!(table.candidates().of(DocId::new(0)), [DocId::new(2)]);
    assert_eq!(table.candidates().of(DocId::new(1)), []);
}
