//! `RankedSet`: a set of numbers that knows how many smaller ones it contains, so that arrays need entries only for
//! the numbers of the set. `SharedBits` collects one from many threads.

use std::sync::atomic::{AtomicU64, Ordering};

use super::bit_set::numbers_of;

/// Numbers below a limit, to which any thread adds; one bit for each possible number.
#[derive(Debug)]
pub(crate) struct SharedBits {
    words: Box<[AtomicU64]>,
}

impl SharedBits {
    /// Creates an empty set for numbers below `limit`.
    pub(crate) fn new(limit: usize) -> Self {
        Self { words: (0..limit.div_ceil(64)).map(|_| AtomicU64::new(0)).collect() }
    }

    /// Adds a number.
    ///
    /// # Panics
    /// When the number is not below the limit, rounded up to whole words.
    #[inline]
    pub(crate) fn insert(&self, number: usize) {
        let (word, bit) = (&self.words[number / 64], 1 << (number % 64));
        // Most numbers are added several times, and reading is much faster than adding.
        if word.load(Ordering::Relaxed) & bit == 0 {
            word.fetch_or(bit, Ordering::Relaxed);
        }
    }

    /// The numbers that were added.
    pub(crate) fn into_ranked(self) -> RankedSet {
        let words: Box<[u64]> = self.words.into_iter().map(AtomicU64::into_inner).collect();
        let mut num_before = 0u32;
        let before = words.iter().map(|word| {
            num_before += word.count_ones();
            num_before - word.count_ones()
        });
        let before = before.collect();
        RankedSet { words, before, len: num_before as usize }
    }
}

/// A set of numbers below a limit, at most 2³² of them, in one and a half bits for each possible number.
#[derive(Debug, Default)]
pub(crate) struct RankedSet {
    words: Box<[u64]>,
    /// How many numbers are in the words before each word.
    before: Box<[u32]>,
    len: usize,
}

impl RankedSet {
    /// The number of numbers in the set.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// How many smaller numbers are in the set; `None` for a number that is not in the set itself.
    #[inline]
    pub(crate) fn rank(&self, number: usize) -> Option<usize> {
        let (word, bit) = (*self.words.get(number / 64)?, number % 64);
        let smaller = word & ((1 << bit) - 1);
        (word >> bit & 1 == 1).then(|| self.before[number / 64] as usize + smaller.count_ones() as usize)
    }

    /// All numbers in the set, ascending.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = usize> + '_ {
        numbers_of(&self.words)
    }

    /// Bytes in memory.
    pub(crate) fn num_bytes(&self) -> usize {
        size_of_val(&*self.words) + size_of_val(&*self.before)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn ranks_count_the_smaller_numbers(numbers in prop::collection::vec(0usize..400, 0..300)) {
            let bits = SharedBits::new(400);
            numbers.iter().for_each(|&number| bits.insert(number));
            let (set, twin) = (bits.into_ranked(), BTreeSet::from_iter(numbers));
            prop_assert!(set.numbers().eq(twin.iter().copied()));
            prop_assert_eq!(set.len(), twin.len());
            for number in 0..500 {
                let rank = twin.contains(&number).then(|| twin.range(..number).count());
                prop_assert_eq!(set.rank(number), rank);
            }
        }
    }
}
