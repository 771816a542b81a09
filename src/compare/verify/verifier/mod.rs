//! `Verifier`: compares one shingle set with many. It counts the shingles that each shares with it, and stops as soon
//! as these cannot be enough.

use super::Threshold;
use super::kernel::DifferByMoreThan;
use super::odd_sketch::{Outline, append_odd_sketch};
use crate::base::flat::bit_set::BitSet;
use crate::base::flat::hash_index::HashIndex;
use crate::text::shingle::ShingleSet;

/// A shingle set prepared for fast comparison. A sketch excludes nearly all pairs below the threshold before any hash is compared.
#[derive(Debug, Clone)]
pub struct VerifiableSet {
    set: ShingleSet,
    sketch: Box<[u64]>,
    /// Weight of each shingle; empty if shingles have no weights.
    weights: Box<[u32]>,
    /// Sum of all weights.
    weight: u64,
}

/// Number and weight of the shingles that two sets share.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct SharedShingles {
    /// Number of shared shingles.
    pub(crate) shingles: u64,
    /// Weight of the shared shingles; 0 if shingles have no weights.
    pub(crate) weight: u64,
}

impl SharedShingles {
    /// Creates a count of shingles without weights.
    fn counted(shingles: u64) -> Self {
        Self { shingles, weight: 0 }
    }

    /// The weight, or the number of shingles if they have no weights.
    pub(crate) fn measure(self) -> u64 {
        if self.weight > 0 { self.weight } else { self.shingles }
    }
}

impl VerifiableSet {
    /// Creates the set with its sketch, two to four bits per shingle.
    pub fn new(set: ShingleSet) -> Self {
        let mut sketch = Vec::new();
        append_odd_sketch(set.hashes(), &mut sketch);
        Self { set, sketch: sketch.into(), weights: Box::default(), weight: 0 }
    }

    /// Creates the set with a weight for each shingle and without a sketch. A pair then reaches a threshold by the
    /// weight of its shared shingles.
    ///
    /// ```
    /// use dedup_scan::{ShingleSet, Threshold, Verifier};
    /// use dedup_scan::compare::VerifiableSet;
    ///
    /// let set = |items: &[u64], weights: &[u32]| VerifiableSet::weighted(ShingleSet::new(items), weights.into());
    /// let (a, b) = (set(&[1, 2], &[10, 90]), set(&[2, 3], &[90, 10]));
    /// // 90 of 110.
    /// assert_eq!(Verifier::new(&a).verify(&b, Threshold::new(0.81).unwrap()), Some(1));
    /// assert_eq!(Verifier::new(&a).verify(&b, Threshold::new(0.82).unwrap()), None);
    /// ```
    ///
    /// # Panics
    /// When there are not as many weights as shingles, or a weight is 0.
    pub fn weighted(set: ShingleSet, weights: Box<[u32]>) -> Self {
        assert_eq!(set.len(), weights.len(), "each shingle has a weight");
        assert!(!weights.contains(&0), "each shingle weighs something");
        let weight = weights.iter().map(|&weight| u64::from(weight)).sum();
        Self { set, sketch: Box::default(), weights, weight }
    }

    /// Weight of each shingle; empty if shingles have no weights.
    pub(crate) fn weights(&self) -> &[u32] {
        &self.weights
    }

    /// Total weight of the shingles; 0 if they have no weights.
    pub(crate) fn weight(&self) -> u64 {
        self.weight
    }

    /// The total weight, or the number of shingles if they have no weights.
    pub(crate) fn measure(&self) -> u64 {
        if self.weight > 0 { self.weight } else { self.set.len() as u64 }
    }

    /// The Jaccard similarity with another set, from 0 to 1; 0 for two empty sets.
    pub(crate) fn similarity(&self, other: &Self, shared: SharedShingles) -> f64 {
        let shared = shared.measure();
        let all = self.measure() + other.measure() - shared;
        if all == 0 { 0.0 } else { shared as f64 / all as f64 }
    }

    /// The shingle set.
    pub fn set(&self) -> &ShingleSet {
        &self.set
    }

    pub(crate) fn outline(&self) -> Outline<'_> {
        Outline { len: self.set.len(), sketch: &self.sketch, weight: self.weight }
    }

    /// Functions that check whether two sketches of the same length differ in more bits than allowed: one for each
    /// kernel that this processor can run, with the kernel's name. The reference implementation comes first.
    ///
    /// All functions return the same result. Benchmarks compare them through this function; it is not part of the
    /// public interface.
    #[doc(hidden)]
    pub fn differ_by_more_than_by_kernel() -> Vec<(&'static str, DifferByMoreThan)> {
        super::kernel::available()
    }
}

/// Verifies candidates against one document, whose index is built when the first candidate needs it.
///
/// ```
/// use dedup_scan::{ShingleSet, Threshold, Verifier};
/// use dedup_scan::compare::VerifiableSet;
///
/// let set = |items: &[u64]| VerifiableSet::new(ShingleSet::new(items));
/// let (a, b) = (set(&[1, 2, 3, 4]), set(&[1, 2, 3, 4, 5]));
/// let mut verifier = Verifier::new(&a);
/// assert_eq!(verifier.verify(&b, Threshold::new(0.8).unwrap()), Some(4));
/// assert_eq!(verifier.verify(&b, Threshold::new(0.81).unwrap()), None);
/// ```
#[derive(Debug)]
pub struct Verifier<'a> {
    document: &'a VerifiableSet,
    index: Option<Index>,
}

/// An index from the hashes of a set to their positions.
#[derive(Debug, Default)]
struct Index {
    hashes: HashIndex,
    /// A bit for each value of the lowest bits of the hashes, which rules out most hashes that are not in the set.
    present: BitSet,
}

impl<'a> Verifier<'a> {
    /// Creates a verifier for a document.
    pub fn new(document: &'a VerifiableSet) -> Self {
        Self { document, index: None }
    }

    /// Returns the number of shared shingles if the pair reaches the threshold, otherwise `None`. It tests the sizes,
    /// the sketches and the exact count in this order; none of these tests rejects a pair that reaches the threshold.
    ///
    /// The count is exact up to collisions of 64-bit shingle hashes. Two empty sets share 0 shingles and reach every
    /// threshold.
    pub fn verify(&mut self, other: &VerifiableSet, threshold: Threshold) -> Option<usize> {
        self.verify_shared(other, threshold).map(|shared| shared.shingles as usize)
    }

    /// Returns the number and the weight of the shared shingles if the pair reaches the threshold, otherwise `None`.
    pub(crate) fn verify_shared(&mut self, other: &VerifiableSet, threshold: Threshold) -> Option<SharedShingles> {
        let ruled_out = self.document.outline().rules_out(&other.outline(), threshold);
        if ruled_out { None } else { self.verify_in_full(other, threshold) }
    }

    /// Same as [`verify_shared`](Self::verify_shared), for a pair that the outlines do not rule out.
    pub(crate) fn verify_in_full(&mut self, other: &VerifiableSet, threshold: Threshold) -> Option<SharedShingles> {
        if self.document.weight > 0 {
            return self.verify_weights(other, threshold);
        }
        let least = threshold.least_shared(self.document.set.len() as u64, other.set.len() as u64);
        self.shared_at_least(other, least as usize).map(|shingles| SharedShingles::counted(shingles as u64))
    }

    /// Same as [`verify_in_full`](Self::verify_in_full), by weights. The shared weight is the weight of the other set
    /// minus the weight of its shingles that the document does not contain.
    fn verify_weights(&mut self, other: &VerifiableSet, threshold: Threshold) -> Option<SharedShingles> {
        let least = threshold.least_shared(self.document.weight, other.weight);
        let most_missing = other.weight.checked_sub(least)?;
        let mut num_missing = 0;
        let missing = self.missing(other, most_missing, |position| {
            num_missing += 1;
            other.weights[position].into()
        })?;
        Some(SharedShingles { shingles: other.set.len() as u64 - num_missing, weight: other.weight - missing })
    }

    /// Returns the number of hashes in both sets, or `None` as soon as it cannot reach `least`.
    fn shared_at_least(&mut self, other: &VerifiableSet, least: usize) -> Option<usize> {
        let most_missing = other.set.len().checked_sub(least)?;
        let missing = self.missing(other, most_missing as u64, |_| 1)?;
        Some(other.set.len() - missing as usize)
    }

    /// Returns how much of the other set the document does not contain, or `None` as soon as that is more than
    /// `most_missing`. Hashes are compared in order, and looked up where the order differs.
    ///
    /// * `measure`: how much a hash at a position in the other set counts.
    fn missing(
        &mut self,
        other: &VerifiableSet,
        most_missing: u64,
        mut measure: impl FnMut(usize) -> u64,
    ) -> Option<u64> {
        let (ours, theirs) = (self.document.set.hashes(), other.set.hashes());
        let (mut own, mut others, mut missing) = (0, 0, 0);
        loop {
            let run = common_prefix_len(&ours[own..], &theirs[others..]);
            own += run;
            others += run;
            let Some(&hash) = theirs.get(others) else { return Some(missing) };
            match self.index.get_or_insert_with(|| Index::new(ours)).find(ours, hash) {
                Some(found) => own = found + 1,
                None => {
                    missing += measure(others);
                    if missing > most_missing {
                        return None;
                    }
                }
            }
            others += 1;
        }
    }
}

impl Index {
    fn new(hashes: &[u64]) -> Self {
        let mut index = Self::default();
        index.hashes.rebuild(hashes);
        // With eight to sixteen bits per hash, at most about one in eight hashes that are not in the set passes.
        let num_bits = (8 * hashes.len()).next_power_of_two().max(64);
        index.present.reset(num_bits);
        hashes.iter().for_each(|&hash| index.present.insert(hash as usize & (num_bits - 1)));
        index
    }

    #[inline]
    fn find(&self, hashes: &[u64], hash: u64) -> Option<usize> {
        let may_be_there = self.present.contains(hash as usize & (self.present.limit() - 1));
        if may_be_there { self.hashes.find(hashes, hash) } else { None }
    }
}

/// Number of hashes in the common prefix of two lists.
fn common_prefix_len(a: &[u64], b: &[u64]) -> usize {
    const RUN: usize = 8;
    let (a_runs, b_runs) = (a.as_chunks::<RUN>().0, b.as_chunks::<RUN>().0);
    // No branch inside a run; this also keeps the compiler from calling memcmp for 64 bytes.
    let alike = |(a, b): &(&[u64; RUN], &[u64; RUN])| a.iter().zip(*b).fold(0, |bits, (a, b)| bits | (a ^ b)) == 0;
    let whole = RUN * a_runs.iter().zip(b_runs).take_while(alike).count();
    whole + a[whole..].iter().zip(&b[whole..]).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests;
