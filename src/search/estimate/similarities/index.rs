//! `SampleIndex`: an index of the shingles of drawn texts, which counts what any other text shares with each of them.
//!
//! Each shingle of a drawn text has a list of the drawn texts that contain it. Looking up the shingles of a text and
//! adding up these lists gives its exact intersection with every drawn text.

use crate::base::flat::hash_index::HashIndex;
use crate::base::flat::ragged::Ragged;
use crate::compare::verify::VerifiableSet;
use crate::documents::document::DocId;
use crate::text::shingle::ShingleNumbers;

/// The drawn texts of each shingle: some tens of bytes for each shingle of a drawn text.
pub(super) struct SampleIndex {
    texts: Vec<DocId>,
    /// The number of shingles of each text, or their weight.
    sizes: Vec<u64>,
    hashes: Box<[u64]>,
    index: HashIndex,
    /// The drawn texts that contain each shingle.
    holders: Ragged<u32>,
}

/// Counts what one text after another shares with the drawn texts.
pub(super) struct SharedCounter {
    shared: Vec<u64>,
    met: Vec<u32>,
}

impl SampleIndex {
    pub(super) fn new<'s>(sets: impl Iterator<Item = (DocId, &'s VerifiableSet)>) -> Self {
        let (mut numbering, mut numbers) = (ShingleNumbers::default(), Ragged::default());
        let (mut texts, mut sizes) = (Vec::new(), Vec::new());
        for (text, set) in sets {
            numbers.open_row().extend(numbering.number(set.set().hashes()));
            numbers.end_row();
            texts.push(text);
            sizes.push(set.measure());
        }
        let mut holders = Ragged::default();
        holders.invert(&numbers, numbering.len());
        let (hashes, index) = numbering.into_index();
        Self { texts, sizes, hashes: hashes.into(), index, holders }
    }

    /// The number of drawn texts.
    pub(super) fn len(&self) -> usize {
        self.texts.len()
    }

    pub(super) fn counter(&self) -> SharedCounter {
        SharedCounter { shared: vec![0; self.len()], met: Vec::new() }
    }
}

impl SharedCounter {
    /// Passes on the drawn texts that have anything in common with a text, including itself, with their similarity.
    pub(super) fn count(&mut self, index: &SampleIndex, set: &VerifiableSet, mut visit: impl FnMut(DocId, f64)) {
        let Self { shared, met } = self;
        for (position, &hash) in set.set().hashes().iter().enumerate() {
            let Some(found) = index.index.find(&index.hashes, hash) else { continue };
            let weight = set.weights().get(position).map_or(1, |&weight| weight.into());
            for &drawn in index.holders.row(found) {
                let shared = &mut shared[drawn as usize];
                if *shared == 0 {
                    met.push(drawn);
                }
                *shared += weight;
            }
        }
        let size = set.measure();
        for drawn in met.drain(..) {
            let shared = std::mem::take(&mut shared[drawn as usize]);
            let union = index.sizes[drawn as usize] + size - shared;
            visit(index.texts[drawn as usize], shared as f64 / union as f64);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashSet};

    use proptest::prelude::*;

    use super::*;
    use crate::text::shingle::ShingleSet;

    proptest! {
        #[test]
        fn similarities_are_those_of_hash_sets(
            sets in prop::collection::vec(prop::collection::hash_set(0u64..60, 1..40), 1..20),
            num_drawn in 0usize..20,
            has_weights in any::<bool>(),
        ) {
            let weight = |item: u64| if has_weights { 1 + item as u32 % 5 * 1000 } else { 1 };
            let verifiable = |items: &HashSet<u64>| {
                let set = ShingleSet::new(items.iter().copied().collect::<Vec<_>>().as_slice());
                let weights: Vec<u32> = set.hashes().iter().map(|&item| weight(item)).collect();
                if has_weights { VerifiableSet::weighted(set, weights.into()) } else { VerifiableSet::new(set) }
            };
            let all: Vec<VerifiableSet> = sets.iter().map(verifiable).collect();
            let num_drawn = num_drawn.min(sets.len());
            let index = SampleIndex::new((0..num_drawn).map(|number| (DocId::new(number), &all[number])));
            let mut counter = index.counter();
            for (number, set) in all.iter().enumerate() {
                let mut found = BTreeMap::new();
                counter.count(&index, set, |drawn, similarity| assert!(found.insert(drawn.index(), similarity).is_none()));
                let weigh = |items: Vec<&u64>| items.into_iter().map(|&item| f64::from(weight(item))).sum::<f64>();
                let expected: BTreeMap<usize, f64> = (0..num_drawn)
                    .map(|drawn| {
                        let (a, b) = (&sets[number], &sets[drawn]);
                        (drawn, weigh(a.intersection(b).collect()) / weigh(a.union(b).collect()))
                    })
                    .filter(|&(_, similarity)| similarity > 0.0)
                    .collect();
                prop_assert_eq!(found, expected);
            }
        }
    }
}
