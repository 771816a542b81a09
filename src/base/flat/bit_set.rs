//! `BitSet`: a set of small numbers, one bit each.

use std::ops::Range;

use super::prefetch::prefetch;

/// A set of numbers below a limit: one bit for each possible number, in words of 64 bits.
#[derive(Debug, Clone, Default)]
pub(crate) struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    /// Creates an empty set for numbers below `limit`.
    pub(crate) fn new(limit: usize) -> Self {
        Self { words: vec![0; limit.div_ceil(64)] }
    }

    /// Empties the set and changes its limit; keeps the allocated memory.
    pub(crate) fn reset(&mut self, limit: usize) {
        self.words.clear();
        self.words.resize(limit.div_ceil(64), 0);
    }

    /// Raises the limit.
    pub(crate) fn grow(&mut self, limit: usize) {
        self.words.resize(limit.div_ceil(64), 0);
    }

    /// Removes a number.
    ///
    /// # Panics
    /// Like [`insert`](Self::insert).
    #[inline]
    pub(crate) fn remove(&mut self, number: usize) {
        self.words[number / 64] &= !(1 << (number % 64));
    }

    /// Adds a number.
    ///
    /// # Panics
    /// When the number is not below the limit, rounded up to whole words.
    #[inline(always)]
    pub(crate) fn insert(&mut self, number: usize) {
        self.words[number / 64] |= 1 << (number % 64);
    }

    /// Adds a number; returns whether it was absent.
    ///
    /// # Panics
    /// Like [`insert`](Self::insert).
    #[inline(always)]
    pub(crate) fn insert_new(&mut self, number: usize) -> bool {
        let word = &mut self.words[number / 64];
        let bit = 1 << (number % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// Adds all numbers of a range, whole words at a time.
    ///
    /// # Panics
    /// Like [`insert`](Self::insert).
    #[inline]
    pub(crate) fn insert_range(&mut self, range: Range<usize>) {
        let Range { mut start, end } = range;
        while start < end {
            let (word, bit) = (start / 64, start % 64);
            let len = (64 - bit).min(end - start);
            self.words[word] |= (u64::MAX >> (64 - len)) << bit;
            start += len;
        }
    }

    /// Starts to load the word of a number below the limit.
    #[inline(always)]
    pub(crate) fn prefetch(&self, number: usize) {
        prefetch(&self.words, number / 64);
    }

    /// Whether the set contains a number.
    ///
    /// # Panics
    /// Like [`insert`](Self::insert).
    #[inline(always)]
    pub(crate) fn contains(&self, number: usize) -> bool {
        self.words[number / 64] >> (number % 64) & 1 != 0
    }

    /// The smallest number of a range that the set contains.
    #[inline]
    pub(crate) fn first_in(&self, range: Range<usize>) -> Option<usize> {
        let Range { mut start, end } = range;
        while start < end {
            let rest = self.words.get(start / 64)? >> (start % 64);
            if rest != 0 {
                return Some(start + rest.trailing_zeros() as usize).filter(|&first| first < end);
            }
            start = (start / 64 + 1) * 64;
        }
        None
    }

    /// The smallest number of a range that the set does not contain.
    #[inline]
    pub(crate) fn first_not_in(&self, range: Range<usize>) -> Option<usize> {
        let Range { mut start, end } = range;
        while start < end {
            let gaps = !self.words[start / 64] >> (start % 64);
            if gaps != 0 {
                return Some(start + gaps.trailing_zeros() as usize).filter(|&first| first < end);
            }
            start = (start / 64 + 1) * 64;
        }
        None
    }

    /// The greatest number of a range that the set does not contain.
    #[inline]
    pub(crate) fn last_not_in(&self, range: Range<usize>) -> Option<usize> {
        let Range { start, mut end } = range;
        while start < end {
            let last = end - 1;
            let gaps = !self.words[last / 64] << (63 - last % 64);
            if gaps != 0 {
                return last.checked_sub(gaps.leading_zeros() as usize).filter(|&last| last >= start);
            }
            end = last / 64 * 64;
        }
        None
    }

    /// Removes a number and the other numbers in its word, up to 63. The fast way to empty a set whose numbers are all
    /// known.
    ///
    /// # Panics
    /// Like [`insert`](Self::insert).
    #[inline(always)]
    pub(crate) fn remove_word_of(&mut self, number: usize) {
        self.words[number / 64] = 0;
    }

    /// The limit, rounded up to whole words: the number of bits.
    #[inline(always)]
    pub(crate) fn limit(&self) -> usize {
        64 * self.words.len()
    }

    /// Whether the set is empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// All numbers in the set, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        numbers_of(&self.words)
    }

    /// Bytes in memory.
    pub(crate) fn num_bytes(&self) -> usize {
        8 * self.words.capacity()
    }
}

/// The numbers of the bits that are set, ascending.
pub(super) fn numbers_of(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(index, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
            rest &= rest - 1;
            Some(64 * index + bit)
        })
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_bit_set_holds_what_a_tree_set_does(
            limit in 1usize..400,
            numbers in prop::collection::vec(0usize..400, 0..60),
            ranges in prop::collection::vec((0usize..400, 0usize..200), 0..4),
        ) {
            let mut set = BitSet::new(7);
            set.insert(3);
            set.reset(limit);
            let mut twin = BTreeSet::new();
            for number in numbers.into_iter().filter(|&number| number < limit) {
                prop_assert_eq!(set.contains(number), twin.contains(&number));
                prop_assert_eq!(set.insert_new(number), twin.insert(number));
                set.insert(number);
            }
            for (start, len) in ranges {
                let range = start.min(limit)..(start + len).min(limit);
                set.insert_range(range.clone());
                twin.extend(range);
            }
            prop_assert!(set.iter().eq(twin.iter().copied()));
            for number in 0..limit + 70 {
                for end in [number + 3, number + 100] {
                    prop_assert_eq!(set.first_in(number..end), twin.range(number..end).next().copied());
                }
            }
            for start in 0..limit {
                for end in [start, (start + 3).min(limit), (start + 100).min(limit), limit] {
                    let mut gaps = (start..end).filter(|number| !twin.contains(number));
                    prop_assert_eq!(set.last_not_in(start..end), gaps.clone().next_back());
                    prop_assert_eq!(set.first_not_in(start..end), gaps.next());
                }
            }
            prop_assert_eq!(set.is_empty(), twin.is_empty());
            prop_assert_eq!(set.limit(), 64 * set.words.len());
            let ones: u32 = set.words.iter().map(|word| word.count_ones()).sum();
            prop_assert_eq!(ones as usize, twin.len());
            for &number in twin.iter().take(3) {
                set.remove(number);
                prop_assert!(!set.contains(number));
            }
            let limit = set.limit();
            set.grow(limit + 1);
            prop_assert!(set.limit() == limit + 64 && set.iter().eq(twin.iter().copied().skip(3)));
            twin.iter().for_each(|&number| set.remove_word_of(number));
            prop_assert!(set.is_empty());
        }
    }
}
