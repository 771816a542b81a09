//! `Verifier`: compares one shingle set with many, and counts what each shares with it or stops as soon as that is too little.

use std::ops::Range;

use super::Threshold;
use super::chunks::Chunks;
use super::kernel::DifferByMoreThan;
use super::kernel::overlap::Overlap;
use super::odd_sketch::{Outline, append_odd_sketch};
use crate::flat::bit_set::BitSet;
use crate::flat::hash_index::HashIndex;
use crate::shingle::ShingleSet;

/// A shingle set with what makes its comparison fast: a sketch that rules out most candidates before any hash is compared,
/// and chunks, by which long common passages are compared at once.
#[derive(Debug, Clone)]
pub struct VerifiableSet {
    set: ShingleSet,
    /// The sketch, then the chunks.
    words: Box<[u64]>,
    sketch_len: usize,
    /// What each shingle weighs; none where shingles have no weights.
    weights: Box<[u32]>,
    /// What all of them weigh together.
    weight: u64,
}

/// What two sets share.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct SharedShingles {
    /// Their number.
    pub(crate) shingles: u64,
    /// What they weigh; 0 where shingles have no weights.
    pub(crate) weight: u64,
}

impl SharedShingles {
    /// So many, without weights.
    pub(crate) fn counted(shingles: u64) -> Self {
        Self { shingles, weight: 0 }
    }

    /// Adds others.
    pub(crate) fn add(&mut self, other: Self) {
        self.shingles += other.shingles;
        self.weight += other.weight;
    }

    /// Their weight, or their number where they have none.
    pub(crate) fn measure(self) -> u64 {
        if self.weight > 0 { self.weight } else { self.shingles }
    }
}

impl VerifiableSet {
    /// Adds the sketch, two to four bits a shingle, and the chunks, about eight.
    pub fn new(set: ShingleSet) -> Self {
        let mut words = Vec::new();
        append_odd_sketch(set.hashes(), &mut words);
        let sketch_len = words.len();
        Chunks::append(set.hashes(), &mut words);
        Self { set, words: words.into(), sketch_len, weights: Box::default(), weight: 0 }
    }

    /// As [`new`](Self::new), with what each shingle weighs, which decides then: a pair reaches a threshold by the weight of what
    /// it shares. Has no sketch.
    ///
    /// ```
    /// use dedup_scan::{ShingleSet, Threshold, VerifiableSet, Verifier};
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
        // One word stands for the sketch, which nobody looks at.
        let mut words = vec![0];
        Chunks::append(set.hashes(), &mut words);
        let weight = weights.iter().map(|&weight| u64::from(weight)).sum();
        Self { set, words: words.into(), sketch_len: 1, weights, weight }
    }

    /// What each shingle weighs; none where shingles have no weights.
    pub(crate) fn weights(&self) -> &[u32] {
        &self.weights
    }

    /// What all shingles weigh together; 0 where they have no weights.
    pub(crate) fn weight(&self) -> u64 {
        self.weight
    }

    /// The set.
    pub fn set(&self) -> &ShingleSet {
        &self.set
    }

    pub(crate) fn outline(&self) -> Outline<'_> {
        Outline { len: self.set.len(), sketch: &self.words[..self.sketch_len], weight: self.weight }
    }

    fn chunks(&self) -> Chunks<'_> {
        Chunks::from_words(&self.words[self.sketch_len..])
    }

    /// Whether two sketches of one length differ in more bits than are allowed, for each kernel that this processor can
    /// run, by the kernel's name, the definition first.
    ///
    /// All return the same. This is the door through which benchmarks compare them, and no part of the interface.
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
/// use dedup_scan::{ShingleSet, Threshold, VerifiableSet, Verifier};
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

/// Where the hashes and chunks of a set stand; made when first needed, in memory that serves one set after another.
#[derive(Debug, Default)]
pub(crate) struct Indexes {
    chunks: HashIndex,
    hashes: HashIndex,
    /// A bit for each value of the lowest bits of the hashes: what most hashes that are not there fail at.
    present: BitSet,
}

/// Receives which hashes of a document another set has, and which it has besides.
pub(super) trait Shared {
    /// These hashes of the document, by their places.
    fn range(&mut self, range: Range<usize>);

    /// The hashes of these chunks of the document.
    #[inline]
    fn chunks(&mut self, chunks: Chunks<'_>, range: Range<usize>) {
        self.range(chunks.start(range.start)..chunks.start(range.end));
    }

    /// A hash that the document does not have, by its place in the other set. Returns how much is missing by it.
    fn missing(&mut self, hash: u64, place: usize) -> u64;
}

/// Where a count is enough.
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

/// Where weights decide.
struct MissingWeights<'a> {
    weights: &'a [u32],
    /// The hashes that are missing.
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
    /// Starts with a document.
    pub fn new(document: &'a VerifiableSet) -> Self {
        Self::reusing(document, Indexes::default())
    }

    /// How many bits are set in both of two lists of words, for each kernel that this processor can run, by the kernel's
    /// name, the definition first.
    ///
    /// All return the same. This is the door through which benchmarks compare them, and no part of the interface.
    #[doc(hidden)]
    pub fn overlap_by_kernel() -> Vec<(&'static str, Overlap)> {
        super::kernel::overlap::available()
    }

    /// Starts with a document, in the memory of indexes that served another.
    pub(crate) fn reusing(document: &'a VerifiableSet, indexes: Indexes) -> Self {
        Self { document, indexes, has_hashes: false, has_chunks: false }
    }

    /// The memory of its indexes, for another verifier; this one makes them anew if it is used again.
    pub(crate) fn take_indexes(&mut self) -> Indexes {
        (self.has_hashes, self.has_chunks) = (false, false);
        std::mem::take(&mut self.indexes)
    }

    /// The number of shared shingles when the pair reaches the threshold, `None` when it does not: the sizes, the sketches
    /// and the count itself are looked at in turn, and none of them drops a pair that reaches the threshold.
    ///
    /// Exact up to collisions of 64-bit shingle hashes. Two empty sets share 0 and reach every threshold.
    pub fn verify(&mut self, other: &VerifiableSet, threshold: Threshold) -> Option<usize> {
        self.verify_shared(other, threshold).map(|shared| shared.shingles as usize)
    }

    /// As [`verify`](Self::verify), with the weight of what is shared.
    pub(crate) fn verify_shared(&mut self, other: &VerifiableSet, threshold: Threshold) -> Option<SharedShingles> {
        let ruled_out = self.document.outline().rules_out(&other.outline(), threshold);
        if ruled_out { None } else { self.verify_in_full(other, threshold) }
    }

    /// As [`verify_shared`](Self::verify_shared), for a pair that the outlines do not rule out.
    pub(crate) fn verify_in_full(&mut self, other: &VerifiableSet, threshold: Threshold) -> Option<SharedShingles> {
        if self.document.weight > 0 {
            return self.verify_weights(other, threshold);
        }
        let least = threshold.least_shared(self.document.set.len() as u64, other.set.len() as u64);
        self.shared_at_least(other, least as usize).map(|shingles| SharedShingles::counted(shingles as u64))
    }

    /// As [`verify_in_full`](Self::verify_in_full), by weights: what both have is what the other one weighs without the shingles
    /// that are missing in the document.
    fn verify_weights(&mut self, other: &VerifiableSet, threshold: Threshold) -> Option<SharedShingles> {
        let least = threshold.least_shared(self.document.weight, other.weight);
        let most_missing = other.weight.checked_sub(least)?;
        let mut missing = MissingWeights { weights: &other.weights, num_hashes: 0 };
        let weight = other.weight - self.compare(other, most_missing, &mut missing)?;
        Some(SharedShingles { shingles: other.set.len() as u64 - missing.num_hashes, weight })
    }

    /// The number of hashes in both sets, or `None` as soon as it cannot reach `least`.
    fn shared_at_least(&mut self, other: &VerifiableSet, least: usize) -> Option<usize> {
        let most_missing = other.set.len().checked_sub(least)?;
        let missing = self.compare(other, most_missing as u64, &mut ())?;
        Some(other.set.len() - missing as usize)
    }

    /// The number of hashes of the document.
    pub(super) fn num_hashes(&self) -> usize {
        self.document.set.len()
    }

    /// How much of the other set the document does not have, in hashes or as `shared` measures these, or `None` as soon as it is
    /// more than `most_missing`. Passes all of it to `shared` on the way.
    ///
    /// Chunks that both have are passed over as a whole; the hashes of any other are looked up, once they no longer
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
        // The chunk and the hash of ours that are likely to come next, and the next chunk of theirs.
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
        // Eight to sixteen bits a hash: of hashes that are not there, one in ten or fewer comes through.
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
mod tests;
