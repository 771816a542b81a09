//! One set verified against many, for callers that have their sets in memory; a scan counts in
//! [`CharacteristicMatrix`](super::characteristic).

use super::Threshold;
use crate::shingle::{ShingleIndex, ShingleSet};

/// Verifies candidates against one set, which is indexed once.
///
/// ```
/// use dedup::{ShingleSet, Threshold, Verifier};
///
/// let set = |items: &[u64]| ShingleSet::new(items);
/// let (a, b) = (set(&[1, 2, 3, 4]), set(&[1, 2, 3, 4, 5]));
/// let verifier = Verifier::new(&a);
/// assert_eq!(verifier.verify(&b, Threshold::new(0.8).unwrap()), Some(4));
/// assert_eq!(verifier.verify(&b, Threshold::new(0.81).unwrap()), None);
/// ```
#[derive(Debug)]
pub struct Verifier<'a> {
    set: &'a ShingleSet,
    index: ShingleIndex,
}

impl<'a> Verifier<'a> {
    /// Indexes a set: 16 to 32 bytes a shingle.
    pub fn new(set: &'a ShingleSet) -> Self {
        let mut index = ShingleIndex::default();
        index.rebuild(set.hashes());
        Self { set, index }
    }

    /// The number of shared shingles when the pair reaches the threshold, `None` when it does not; ends as soon as that
    /// is out of reach.
    ///
    /// Exact up to collisions of 64-bit shingle hashes. Two empty sets share 0 and reach every threshold.
    pub fn verify(&self, other: &ShingleSet, threshold: Threshold) -> Option<usize> {
        let least = threshold.least_shared(self.set.len() as u64, other.len() as u64) as usize;
        let mut may_miss = other.len().checked_sub(least)?;
        if self.set.len() < least {
            return None;
        }
        for &hash in other.hashes() {
            if self.index.find(self.set.hashes(), hash).is_none() {
                may_miss = may_miss.checked_sub(1)?;
            }
        }
        Some(least + may_miss)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;
    use crate::verify::{jaccard, shared_shingles};

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
            prop_assert_eq!(Verifier::new(&set_a).verify(&set_b, threshold), expected);
            prop_assert_eq!(threshold.is_met(shared as u64, union as u64), expected.is_some());
            let similarity = if union == 0 { 0.0 } else { shared as f64 / union as f64 };
            prop_assert_eq!(jaccard(&set_a, &set_b), similarity);
            prop_assert_eq!(shared_shingles(&set_a, &set_b), shared);
        }
    }
}
