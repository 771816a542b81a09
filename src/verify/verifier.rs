//! One document verified against many.

use super::Threshold;
use super::bitmap::Bitmap;
use super::kernel::CountDifferences;
use crate::shingle::{ShingleIndex, ShingleSet};

/// A shingle set and the bitmap that rules most candidates out before a hash is compared.
#[derive(Debug, Clone)]
pub struct VerifiableSet {
    set: ShingleSet,
    bitmap: Bitmap,
}

impl VerifiableSet {
    /// Adds the bitmap: four to eight bits a shingle.
    pub fn new(set: ShingleSet) -> Self {
        let bitmap = Bitmap::new(set.hashes());
        Self { set, bitmap }
    }

    /// The set.
    pub fn set(&self) -> &ShingleSet {
        &self.set
    }

    /// The number of bits that differ between two bitmaps, for each kernel that this processor can run, by the kernel's
    /// name, the definition first.
    ///
    /// All count the same: this is the door through which benchmarks compare them, and no part of the interface.
    #[doc(hidden)]
    pub fn count_differences_by_kernel() -> Vec<(&'static str, CountDifferences)> {
        super::kernel::available()
    }

    pub(crate) fn num_bytes(&self) -> usize {
        8 * self.set.len() + self.bitmap.num_bytes()
    }
}

/// Verifies candidates against one document, whose index is built when the first candidate needs it.
///
/// ```
/// use dedup::{ShingleSet, Threshold, VerifiableSet, Verifier};
///
/// let set = |items: &[u64]| VerifiableSet::new(ShingleSet::new(items));
/// let (a, b) = (set(&[1, 2, 3, 4]), set(&[1, 2, 3, 4, 5]));
/// let mut verifier = Verifier::new(&a);
/// assert_eq!(verifier.verify(&b, Threshold::new(0.8).unwrap()), Some(4));
/// assert_eq!(verifier.verify(&b, Threshold::new(0.81).unwrap()), None);
/// ```
#[derive(Debug)]
pub struct Verifier<'a> {
    set: &'a ShingleSet,
    bitmap: Option<&'a Bitmap>,
    index: ShingleIndex,
    is_indexed: bool,
}

impl<'a> Verifier<'a> {
    /// Starts with a document.
    pub fn new(document: &'a VerifiableSet) -> Self {
        Self::reusing(document, ShingleIndex::default())
    }

    /// Starts with a document, in the memory of an index that served another.
    pub(crate) fn reusing(document: &'a VerifiableSet, index: ShingleIndex) -> Self {
        Self { set: &document.set, bitmap: Some(&document.bitmap), index, is_indexed: false }
    }

    /// For a single pair, for which a bitmap does not pay.
    pub(super) fn without_bitmap(set: &'a ShingleSet) -> Self {
        Self { set, bitmap: None, index: ShingleIndex::default(), is_indexed: false }
    }

    /// The memory of the index.
    pub(crate) fn into_index(self) -> ShingleIndex {
        self.index
    }

    /// The number of shared shingles when the pair reaches the threshold, `None` when it does not: the sizes, the bitmaps
    /// and the count itself are looked at in turn, and none of them drops a pair that reaches the threshold.
    ///
    /// Exact up to collisions of 64-bit shingle hashes. Two empty sets share 0 and reach every threshold.
    pub fn verify(&mut self, other: &VerifiableSet, threshold: Threshold) -> Option<usize> {
        let (len_a, len_b) = (self.set.len(), other.set.len());
        let least = threshold.least_shared(len_a as u64, len_b as u64) as usize;
        if len_a.min(len_b) < least {
            return None;
        }
        // What is not shared is in the difference: at most this many when the threshold is reached.
        let most_difference = len_a + len_b - 2 * least;
        if self.bitmap.is_some_and(|bitmap| bitmap.least_difference(&other.bitmap) > most_difference) {
            return None;
        }
        self.shared_at_least(&other.set, least)
    }

    /// The number of hashes in both sets.
    pub(crate) fn count_shared(&mut self, other: &ShingleSet) -> usize {
        self.shared_at_least(other, 0).expect("0 is always reached")
    }

    /// The number of hashes in both sets, or `None` as soon as it cannot reach `least`.
    ///
    /// While the two lists run alike they are compared side by side; only where they part are the bitmap and the index
    /// asked.
    fn shared_at_least(&mut self, other: &ShingleSet, least: usize) -> Option<usize> {
        let (ours, theirs) = (self.set.hashes(), other.hashes());
        let most_missing = theirs.len().checked_sub(least)?;
        let (mut position, mut next, mut missing) = (0, 0, 0);
        loop {
            let run = common_prefix_len(&ours[position..], &theirs[next..]);
            position += run;
            next += run;
            let Some(&hash) = theirs.get(next) else { return Some(theirs.len() - missing) };
            next += 1;
            match self.find(hash) {
                Some(found) => position = found + 1,
                None => {
                    missing += 1;
                    if missing > most_missing {
                        return None;
                    }
                }
            }
        }
    }

    #[inline]
    fn find(&mut self, hash: u64) -> Option<usize> {
        if self.bitmap.is_some_and(|bitmap| !bitmap.may_contain(hash)) {
            return None;
        }
        if !self.is_indexed {
            self.index.rebuild(self.set);
            self.is_indexed = true;
        }
        self.index.find(self.set.hashes(), hash)
    }
}

/// How many hashes two lists have in common before the first that differs.
fn common_prefix_len(a: &[u64], b: &[u64]) -> usize {
    const RUN: usize = 8;
    let (a_runs, b_runs) = (a.as_chunks::<RUN>().0, b.as_chunks::<RUN>().0);
    // Without a branch inside a run, which also keeps the compiler from calling memcmp for 64 bytes.
    let alike = |(a, b): &(&[u64; RUN], &[u64; RUN])| a.iter().zip(*b).fold(0, |bits, (a, b)| bits | (a ^ b)) == 0;
    let whole = RUN * a_runs.iter().zip(b_runs).take_while(alike).count();
    whole + a[whole..].iter().zip(&b[whole..]).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;
    use crate::verify::jaccard;

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
            // Twice, with the index built late and there already.
            prop_assert_eq!(verifier.verify(&verifiable_b, threshold), expected);
            prop_assert_eq!(verifier.verify(&verifiable_b, threshold), expected);
            prop_assert_eq!(threshold.is_met(shared as u64, union as u64), expected.is_some());
            let similarity = if union == 0 { 0.0 } else { shared as f64 / union as f64 };
            prop_assert_eq!(jaccard(&set_a, &set_b), similarity);
        }
    }

    proptest! {
        #[test]
        fn edited_texts_are_counted_like_hash_sets(
            length in 0usize..400,
            edits in prop::collection::vec((0usize..400, 0usize..30, 0u64..500), 0..6),
        ) {
            // Lists that run alike for long, with parts cut out, moved and put in.
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
                prop_assert_eq!(Verifier::new(&a).shared_at_least(&b.set, least), expected);
                prop_assert_eq!(Verifier::new(&b).shared_at_least(&a.set, least), expected);
            }
        }
    }
}
