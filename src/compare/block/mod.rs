//! `Block`: numbers the shingles of some sets once, so that each set is a row of bits and a pair is counted by an AND.
//!
//! ```text
//! hashes of a set -> numbers of the block -> row of bits;  |A ∩ B| = number of bits in A & B
//! ```
//!
//! A hash has one number in the block, so the row of a set is its set of hashes. The bits that two rows have in common are
//! the hashes that both sets have. Counts are exact up to collisions of 64-bit hashes. Shingles that were removed from
//! a set are numbered too, and counted separately.
//!
//! Where a block has many pairs, [`ShingleClasses`] shorten the rows: shingles that are in the same sets are counted together.
//! Classes also count the pairs of two blocks.

mod classes;
mod counts;
mod kernel;
mod mask;
mod numbers;
mod planes;

use self::classes::Numbered;
pub(crate) use self::classes::ShingleClasses;
pub(crate) use self::counts::ShingleCounts;
use self::kernel::{Overlap, overlap};
pub(crate) use self::mask::MOST_TEXTS;
use self::mask::{bits_of, set_range};
use self::numbers::{AddedRun, HashNumbers};

/// Functions that count the bits set in both of two lists of words, as [`Overlap`] says: one for each kernel that this
/// processor can run, with the kernel's name. The reference implementation comes first, and all return the same result.
///
/// Benchmarks compare them through this function; it is not part of the public interface.
#[doc(hidden)]
pub fn overlap_by_kernel() -> Vec<(&'static str, Overlap)> {
    self::kernel::available()
}

/// Sets whose hashes are numbered together; its memory is used for one block after another.
#[derive(Debug, Clone, Default)]
pub(crate) struct Block {
    numbers: HashNumbers,
    /// The weight of each number; empty if shingles have no weights.
    weights: Vec<u32>,
    /// A bit for each number of a shingle that was removed; ends with the last such number.
    removed: Vec<u64>,
    /// The bits of all sets, one row after another.
    bits: Vec<u64>,
    /// The end of each row in `bits`. A row ends with the last number that its set may have.
    ends: Vec<usize>,
}

impl Block {
    /// Starts another block.
    ///
    /// * `expected`: the expected number of different hashes.
    /// * `most_bytes`: the maximum size that the block will have.
    pub(crate) fn clear(&mut self, expected: usize, most_bytes: u64) {
        self.numbers.clear(expected.min(usize::try_from(most_bytes / 128).unwrap_or(usize::MAX)));
        let Self { numbers: _, weights, removed, bits, ends } = self;
        weights.clear();
        removed.clear();
        bits.clear();
        ends.clear();
    }

    /// The bytes that the block needs once `more` hashes are added, if none of them is known.
    pub(crate) fn bytes_with(&self, more: usize) -> u64 {
        let len = self.numbers.len() + more;
        let words = self.weights.len() / 2 + self.bits.len() + len.div_ceil(64) + self.ends.len();
        (self.numbers.bytes_with(more) + 8 * words) as u64
    }

    /// The maximum bytes of a block.
    ///
    /// * `num_hashes`: the number of hashes of all sets, repeats counted.
    pub(crate) fn most_bytes(num_hashes: usize, num_sets: usize) -> u64 {
        let bits = num_hashes.div_ceil(64) * num_sets + num_sets;
        (HashNumbers::most_bytes(num_hashes) + 4 * num_hashes + 8 * bits) as u64
    }

    /// Adds hashes to the set that [`end_set`](Self::end_set) ends; repeats do not count. Fastest in the order of a text.
    ///
    /// * `of_added`: the weight of each hash, the same wherever the hash occurs; empty without weights.
    pub(crate) fn add(&mut self, added: &[u64], of_added: &[u32]) {
        if of_added.is_empty() {
            return self.add_runs(added, |_| {});
        }
        let mut weights = std::mem::take(&mut self.weights);
        // Shingles that were removed have no weights.
        weights.resize(self.numbers.len(), 0);
        self.add_runs(added, |run| {
            if run.is_new {
                weights.extend_from_slice(&of_added[run.at..run.at + run.numbers.len()]);
            }
        });
        self.weights = weights;
    }

    /// Adds shingles that were removed from the set that [`end_set`](Self::end_set) ends. A shingle is removed from all sets
    /// or from none.
    pub(crate) fn add_removed(&mut self, added: &[u64]) {
        let mut removed = std::mem::take(&mut self.removed);
        self.add_runs(added, |run| {
            // New shingles are all that can be removed: the others were added as removed ones before.
            if let (true, Some(&first), Some(&last)) = (run.is_new, run.numbers.first(), run.numbers.last()) {
                removed.resize(last as usize / 64 + 1, 0);
                set_range(&mut removed, first as usize, run.numbers.len());
            }
        });
        self.removed = removed;
    }

    /// Adds hashes to the row of the set, and passes their numbers on.
    #[inline(always)]
    fn add_runs(&mut self, added: &[u64], mut pass: impl FnMut(&AddedRun<'_>)) {
        let Self { numbers, bits, ends, .. } = self;
        let start = ends.last().copied().unwrap_or(0);
        let len = (numbers.len() + added.len()).div_ceil(64);
        if bits.len() < start + len {
            bits.resize(start + len, 0);
        }
        let row = &mut bits[start..];
        numbers.add(added, |run| {
            match *run.numbers {
                [first, ..] if run.is_new => set_range(row, first as usize, run.numbers.len()),
                _ => run.numbers.iter().for_each(|&number| row[number as usize / 64] |= 1 << (number % 64)),
            }
            pass(&run);
        });
    }

    /// Ends a set; returns its size. Sets have numbers from 0 on.
    pub(crate) fn end_set(&mut self) -> ShingleCounts {
        let start = self.ends.last().copied().unwrap_or(0);
        self.bits.resize(start + self.numbers.len().div_ceil(64), 0);
        self.ends.push(self.bits.len());
        let set = self.ends.len() - 1;
        self.shared(set, set)
    }

    /// Drops the set that was not ended; its hashes keep their numbers.
    pub(crate) fn drop_set(&mut self) {
        self.bits.truncate(self.ends.last().copied().unwrap_or(0));
    }

    /// The number of sets.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The hashes of a set without the removed ones, and their weights, which are empty without weights.
    pub(crate) fn set(&self, set: usize) -> (Vec<u64>, Vec<u32>) {
        let (mut hashes, mut weights) = (Vec::new(), Vec::new());
        for (word, &bits) in self.row(set).iter().enumerate() {
            let mut left = bits & !self.removed.get(word).copied().unwrap_or(0);
            while left > 0 {
                let number = 64 * word + left.trailing_zeros() as usize;
                hashes.push(self.numbers.distinct()[number]);
                weights.extend(self.weights.get(number));
                left &= left - 1;
            }
        }
        (hashes, weights)
    }

    /// The shingles that two sets share.
    pub(crate) fn shared(&self, a: usize, b: usize) -> ShingleCounts {
        let (a, b) = (self.row(a), self.row(b));
        let both = overlap(a, b) as u32;
        let removed = match self.removed.is_empty() {
            true => 0,
            false => a.iter().zip(b).zip(&self.removed).map(|((a, b), removed)| (a & b & removed).count_ones()).sum(),
        };
        ShingleCounts { shingles: both - removed, removed, weight: self.weight(a.iter().zip(b).map(|(a, b)| a & b)) }
    }

    /// The shingles of all sets, in classes.
    ///
    /// # Panics
    /// When there are more than [`MOST_TEXTS`] sets.
    pub(crate) fn classes(&self) -> ShingleClasses {
        let rows: Vec<&[u64]> = (0..self.len()).map(|set| self.row(set)).collect();
        let hashes = self.numbers.distinct();
        ShingleClasses::new(&rows, &Numbered { hashes, weights: &self.weights, removed: &self.removed })
    }

    /// Bytes in memory.
    pub(crate) fn num_bytes(&self) -> usize {
        let Self { numbers, weights, removed, bits, ends } = self;
        let words = removed.capacity() + bits.capacity() + ends.capacity();
        numbers.num_bytes() + 8 * words + 4 * weights.capacity()
    }

    fn row(&self, set: usize) -> &[u64] {
        let start = set.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bits[start..self.ends[set]]
    }

    /// The weight of the numbers whose bits are set; 0 without weights.
    fn weight(&self, row: impl Iterator<Item = u64>) -> u64 {
        if self.weights.is_empty() {
            return 0;
        }
        bits_of(row).map(|number| self.weights.get(number).map_or(0, |&weight| weight.into())).sum()
    }
}

#[cfg(test)]
mod tests;
