//! `Verifier`: compares one shingle set with many. It counts the shingles that each shares with it, and stops as soon
//! as these cannot be enough.

use std::ops::Range;

use super::Threshold;
use super::chunks::Chunks;
use super::kernel::DifferByMoreThan;
use super::kernel::overlap::Overlap;
use super::odd_sketch::{Outline, append_odd_sketch};
use crate::base::flat::bit_set::BitSet;
use crate::base::flat::hash_index::HashIndex;
use crate::text::shingle::ShingleSet;

/// A shingle set prepared for fast comparison. A sketch rules out most candidates before any hash is compared; chunks
/// compare long common passages at once.
#[derive(Debug, Clone)]
pub struct VerifiableSet {
    set: ShingleSet,
    /// The words of the sketch, followed by the words of the chunks.
    words: Box<[u64]>,
    sketch_len: usize,
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
    pub(crate) fn counted(shingles: u64) -> Self {
        Self { shingles, weight: 0 }
    }

    /// Adds the number and the weight of `other`.
    pub(crate) fn add(&mut self, other: Self) {
        self.shingles += other.shingles;
        self.weight += other.weight;
    }

    /// The weight, or the number of shingles if they have no weights.
    pub(crate) fn measure(self) -> u64 {
        if self.weight > 0 { self.weight } else { self.shingles }
    }
}

impl VerifiableSet {
    /// Creates the set with its sketch, two to four bits per shingle, and its chunks, about eight bits per shingle.
    pub fn new(set: ShingleSet) -> Self {
        let mut words = Vec::new();
        append_odd_sketch(set.hashes(), &mut words);
        let sketch_len = words.len();
        Chunks::append(set.hashes(), &mut words);
        Self { set, words: words.into(), sketch_len, weights: Box::default(), weight: 0 }
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
        // One word is the sketch, which is never read when shingles have weights.
        let mut words = vec![0];
        Chunks::append(set.hashes(), &mut words);
        let weight = weights.iter().map(|&weight| u64::from(weight)).sum();
        Self { set, words: words.into(), sketch_len: 1, weights, weight }
    }

    /// Weight of each shingle; empty if shingles have no weights.
    pub(crate) fn weights(&self) -> &[u32] {
        &self.weights
    }

    /// Total weight of the shingles; 0 if they have no weights.
    pub(crate) fn weight(&self) -> u64 {
        self.weight
    }

    /// The shingle set.
    pub fn set(&self) -> &ShingleSet {
        &self.set
    }

    pub(crate) fn outline(&self) -> Outline<'_> {
        Outline { len: self.set.len(), sketch: &self.words[..self.sketch_len], weight: self.weight }
    }

    fn chunks(&self) -> Chunks<'_> {
        Chunks::from_words(&self.words[self.sketch_len..])
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

    pub(crate) fn num_bytes(&self) -> usize {
        8 * (self.set.len() + self.words.len()) + 4 * self.weights.len()
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
    indexes: Indexes,
    has_hashes: bool,
    has_chunks: bool,
}

/// Indexes from the hashes and the chunks of a set to their positions. They are built when first needed, in memory that
/// is reused for the next set.
#[derive(Debug, Default)]
pub(crate) struct Indexes {
    chunks: HashIndex,
    hashes: HashIndex,
    /// A bit for each value of the lowest bits of the hashes, which rules out most hashes that are not in the set.
    present: BitSet,
}

/// Receives the hashes of a document that another set contains, and the hashes that only the other set contains.
pub(super) trait Shared {
    /// Receives a range of positions of document hashes that the other set contains.
    fn range(&mut self, range: Range<usize>);

    /// Receives a range of document chunks that the other set contains.
    #[inline]
    fn chunks(&mut self, chunks: Chunks<'_>, range: Range<usize>) {
        self.range(chunks.start(range.start)..chunks.start(range.end));
    }

    /// Receives a hash that the document does not contain, with its position in the other set. Returns how much this
    /// hash adds to the missing amount.
    fn missing(&mut self, hash: u64, place: usize) -> u64;
}

/// Counts hashes only.
impl Shared for () {
    #[inline]
    fn range(&mut self, _: Range<usize>) {}

    #[inline]
    fn chunks(&mut self, _: Chunks<'_>, _: Range<usize>) {}

    #[inline]
    fn missing(&mut self, _: u64, _: usize) -> u64 {
        1
    }
}

/// Adds up the weights of missing hashes.
struct MissingWeights<'a> {
    weights: &'a [u32],
    /// Number of missing hashes.
    num_hashes: u64,
}

impl Shared for MissingWeights<'_> {
    #[inline]
    fn range(&mut self, _: Range<usize>) {}

    #[inline]
    fn chunks(&mut self, _: Chunks<'_>, _: Range<usize>) {}

    #[inline]
    fn missing(&mut self, _: u64, place: usize) -> u64 {
        self.num_hashes += 1;
        self.weights[place].into()
    }
}

impl<'a> Verifier<'a> {
    /// Creates a verifier for a document.
    pub fn new(document: &'a VerifiableSet) -> Self {
        Self::reusing(document, Indexes::default())
    }

    /// Functions that count the bits set in both of two lists of words: one for each kernel that this processor can
    /// run, with the kernel's name. The reference implementation comes first.
    ///
    /// All functions return the same result. Benchmarks compare them through this function; it is not part of the
    /// public interface.
    #[doc(hidden)]
    pub fn overlap_by_kernel() -> Vec<(&'static str, Overlap)> {
        super::kernel::overlap::available()
    }

    /// Creates a verifier for a document, in the memory of indexes that served another document.
    pub(crate) fn reusing(document: &'a VerifiableSet, indexes: Indexes) -> Self {
        Self { document, indexes, has_hashes: false, has_chunks: false }
    }

    /// Returns the memory of the indexes, for another verifier; this one builds new indexes if it is used again.
    pub(crate) fn take_indexes(&mut self) -> Indexes {
        (self.has_hashes, self.has_chunks) = (false, false);
        std::mem::take(&mut self.indexes)
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
        let mut missing = MissingWeights { weights: &other.weights, num_hashes: 0 };
        let weight = other.weight - self.compare(other, most_missing, &mut missing)?;
        Some(SharedShingles { shingles: other.set.len() as u64 - missing.num_hashes, weight })
    }

    /// Returns the number of hashes in both sets, or `None` as soon as it cannot reach `least`.
    fn shared_at_least(&mut self, other: &VerifiableSet, least: usize) -> Option<usize> {
        let most_missing = other.set.len().checked_sub(least)?;
        let missing = self.compare(other, most_missing as u64, &mut ())?;
        Some(other.set.len() - missing as usize)
    }

    /// Number of hashes of the document.
    pub(super) fn num_hashes(&self) -> usize {
        self.document.set.len()
    }

    /// Returns how much of the other set the document does not contain, in hashes or as [`Shared::missing`] measures
    /// it. Returns `None` as soon as that is more than `most_missing`. Passes every hash to `shared` on the way.
    ///
    /// Chunks that both sets contain are skipped as a whole. The hashes of other chunks are compared in order, and
    /// looked up where the order differs.
    /// run alike.
    pub(super) fn compare(
        &mut self,
        other: &VerifiableSet,
        most_missing: u64,
        shared: &mut impl Shared,
    ) -> Option<u64> {
        let document = self.document;
        let (ours, theirs) = (document.set.hashes(), other.set.hashes());
        let (our_chunks, their_chunks) = (document.chunks(), other.chunks());
        let (our_ids, their_ids) = (our_chunks.ids(), their_chunks.ids());
        // The expected next chunk and hash of the document, the next chunk of the other set, and the missing amount so
        // far.
        let (mut our_chunk, mut position, mut chunk, mut missing) = (0, 0, 0, 0);
        loop {
            let run = common_prefix_len(&our_ids[our_chunk..], &their_ids[chunk..]);
            shared.chunks(our_chunks, our_chunk..our_chunk + run);
            our_chunk += run;
            chunk += run;
            let Some(&id) = their_ids.get(chunk) else { return Some(missing) };
            chunk += 1;
            if let Some(found) = self.find_chunk(id) {
                shared.chunks(our_chunks, found..found + 1);
                our_chunk = found + 1;
                continue;
            }
            if run > 0 {
                position = our_chunks.start(our_chunk);
            }
            let start = their_chunks.start(chunk - 1);
            for (place, &hash) in (start..).zip(&theirs[start..their_chunks.start(chunk)]) {
                if ours.get(position) != Some(&hash) {
                    let Some(found) = self.find_hash(hash) else {
                        missing += shared.missing(hash, place);
                        continue;
                    };
                    position = found;
                }
                shared.range(position..position + 1);
                position += 1;
            }
            if missing > most_missing {
                return None;
            }
        }
    }

    #[inline]
    fn find_chunk(&mut self, id: u64) -> Option<usize> {
        let ids = self.document.chunks().ids();
        if !self.has_chunks {
            self.indexes.chunks.rebuild(ids);
            self.has_chunks = true;
        }
        self.indexes.chunks.find(ids, id)
    }

    #[inline]
    fn find_hash(&mut self, hash: u64) -> Option<usize> {
        let hashes = self.document.set.hashes();
        if !self.has_hashes {
            self.indexes.index_hashes(hashes);
            self.has_hashes = true;
        }
        self.indexes.find_hash(hashes, hash)
    }
}

impl Indexes {
    fn index_hashes(&mut self, hashes: &[u64]) {
        self.hashes.rebuild(hashes);
        // With eight to sixteen bits per hash, at most about one in eight hashes that are not in the set passes.
        let num_bits = (8 * hashes.len()).next_power_of_two().max(64);
        self.present.reset(num_bits);
        hashes.iter().for_each(|&hash| self.present.insert(hash as usize & (num_bits - 1)));
    }

    #[inline]
    fn find_hash(&self, hashes: &[u64], hash: u64) -> Option<usize> {
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
