//! Tests that compare the counts and weights of pairs with hash sets.

use std::collections::HashSet;

use proptest::prelude::*;

use super::*;
use crate::compare::verify::jaccard;

proptest! {
    #[test]
    fn verification_equals_hash_sets(
        a in prop::collection::hash_set(0u64..400, 0..300),
        b in prop::collection::hash_set(0u64..400, 0..300),
        percent in 0u32..=100,
    ) {
        let set = |items: &HashSet<u64>| ShingleSet::new(items.iter().copied().collect::<Vec<_>>().as_slice());
        let (set_a, set_b) = (set(&a), set(&b));
        let (shared, union) = (a.intersection(&b).count(), a.union(&b).count());
        let threshold = Threshold::new(f64::from(percent) / 100.0).unwrap();
        let expected = (shared * 100 >= union * percent as usize).then_some(shared);
        let (verifiable_a, verifiable_b) = (VerifiableSet::new(set_a.clone()), VerifiableSet::new(set_b.clone()));
        let mut verifier = Verifier::new(&verifiable_a);
        // The second call uses the index that the first one built.
        prop_assert_eq!(verifier.verify(&verifiable_b, threshold), expected);
        prop_assert_eq!(verifier.verify(&verifiable_b, threshold), expected);
        prop_assert_eq!(threshold.is_met(shared as u64, union as u64), expected.is_some());
        let similarity = if union == 0 { 0.0 } else { shared as f64 / union as f64 };
        prop_assert_eq!(jaccard(&set_a, &set_b), similarity);
    }
}

proptest! {
    #[test]
    fn verification_by_weight_equals_hash_sets(
        a in prop::collection::hash_set(0u64..400, 1..300),
        b in prop::collection::hash_set(0u64..400, 1..300),
        near in any::<bool>(),
        percent in 0u32..=100,
    ) {
        let b = if near { a.iter().copied().filter(|item| item % 9 > 0).chain([401]).collect() } else { b };
        let weight = |item: u64| [1u32, 90, 4000, 7, 1 << 30, u32::MAX][item as usize % 6];
        let set = |items: &HashSet<u64>| {
            let set = ShingleSet::new(items.iter().copied().collect::<Vec<_>>().as_slice());
            let weights: Vec<u32> = set.hashes().iter().map(|&item| weight(item)).collect();
            VerifiableSet::weighted(set, weights.into())
        };
        let weigh = |items: Vec<&u64>| items.iter().map(|&&item| u64::from(weight(item))).sum::<u64>();
        let shared = weigh(a.intersection(&b).collect());
        let union = weigh(a.union(&b).collect());
        let threshold = Threshold::new(f64::from(percent) / 100.0).unwrap();
        let expected = u128::from(shared) * 100 >= u128::from(union) * u128::from(percent);
        let found = SharedShingles { shingles: a.intersection(&b).count() as u64, weight: shared };
        let (set_a, set_b) = (set(&a), set(&b));
        for (one, other) in [(&set_a, &set_b), (&set_b, &set_a)] {
            let mut verifier = Verifier::new(one);
            prop_assert_eq!(verifier.verify_shared(other, threshold), expected.then_some(found));
            prop_assert_eq!(verifier.verify_in_full(other, threshold), expected.then_some(found));
        }
    }
}

proptest! {
    #[test]
    fn edited_texts_are_counted_like_hash_sets(
        length in 0usize..400,
        edits in prop::collection::vec((0usize..400, 0usize..30, 0u64..500), 0..6),
    ) {
        // Lists with long common runs, with parts cut out, moved and inserted.
        let ours: Vec<u64> = (0..length as u64).collect();
        let mut theirs = ours.clone();
        for (at, len, put) in edits {
            let at = at.min(theirs.len());
            let cut: Vec<u64> = theirs.drain(at..(at + len).min(theirs.len())).collect();
            theirs.insert(at, put);
            if put % 2 == 0 {
                theirs.extend(cut);
            }
        }
        let verifiable = |hashes: &[u64]| VerifiableSet::new(ShingleSet::new(hashes));
        let (a, b) = (verifiable(&ours), verifiable(&theirs));
        let ours: HashSet<u64> = ours.into_iter().collect();
        let theirs: HashSet<u64> = theirs.into_iter().collect();
        let shared = ours.intersection(&theirs).count();
        for least in [0, shared.saturating_sub(1), shared, shared + 1] {
            let expected = (least <= shared).then_some(shared);
            prop_assert_eq!(Verifier::new(&a).shared_at_least(&b, least), expected);
            prop_assert_eq!(Verifier::new(&b).shared_at_least(&a, least), expected);
        }
    }
}
