//! `PackedNumbers`: a list of numbers in as few bits as the differences within each block of 64 need.
//!
//! Each block stores its smallest number, and for every number the difference from it, in as many bits as the largest difference
//! has. So equal numbers need two bits each, the lines of records eight, and the offsets of records of 450 bytes seventeen.

/// The number of numbers in a block, which is also the number of bits of a word.
const BLOCK: usize = 64;

/// Numbers to which others are added only at the end.
#[derive(Debug, Clone, Default)]
pub(crate) struct PackedNumbers {
    /// The smallest number of each full block, and the position of its first word in `words`.
    blocks: Vec<(u64, u64)>,
    /// The differences: a block with differences of w bits has w words.
    words: Vec<u64>,
    /// The numbers after the last full block.
    rest: Vec<u64>,
}

impl PackedNumbers {
    /// The number of numbers.
    pub(crate) fn len(&self) -> usize {
        BLOCK * self.blocks.len() + self.rest.len()
    }

    /// Adds a number.
    ///
    /// # Errors
    /// The number of words for which memory is too small.
    #[inline]
    pub(crate) fn push(&mut self, number: u64) -> Result<(), usize> {
        self.rest.try_reserve(1).map_err(|_| BLOCK)?;
        self.rest.push(number);
        if self.rest.len() == BLOCK { self.pack() } else { Ok(()) }
    }

    /// Packs the numbers after the last full block, which are a block now.
    fn pack(&mut self) -> Result<(), usize> {
        let Self { blocks, words, rest } = self;
        let (least, most) =
            rest.iter().fold((u64::MAX, 0), |(least, most), &number| (number.min(least), number.max(most)));
        let width = width_of(most - least);
        words.try_reserve(width).map_err(|_| words.len())?;
        blocks.try_reserve(1).map_err(|_| 2 * blocks.len())?;
        let start = words.len();
        blocks.push((least, start as u64));
        words.resize(start + width, 0);
        if width > 0 {
            let words = &mut words[start..];
            for (at, number) in rest.iter().enumerate() {
                let (word, shift) = (at * width / BLOCK, at * width % BLOCK);
                let difference = number - least;
                words[word] |= difference << shift;
                if shift + width > BLOCK {
                    words[word + 1] = difference >> (BLOCK - shift);
                }
            }
        }
        rest.clear();
        Ok(())
    }

    /// The number at a position.
    ///
    /// # Panics
    /// When `at` is not below the number of numbers.
    #[inline]
    pub(crate) fn get(&self, at: usize) -> u64 {
        let (block, at) = (at / BLOCK, at % BLOCK);
        let Some(&(least, start)) = self.blocks.get(block) else {
            assert!(block == self.blocks.len(), "a place in the list");
            return self.rest[at];
        };
        let end = self.blocks.get(block + 1).map_or(self.words.len(), |&(_, end)| end as usize);
        let words = &self.words[start as usize..end];
        let width = words.len();
        if width == 0 {
            return least;
        }
        let (word, shift) = (at * width / BLOCK, at * width % BLOCK);
        let mut difference = words[word] >> shift;
        if shift + width > BLOCK {
            difference |= words[word + 1] << (BLOCK - shift);
        }
        least + (difference & (u64::MAX >> (BLOCK - width)))
    }

    /// All numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u64> {
        (0..self.len()).map(|at| self.get(at))
    }

    /// Frees unused capacity.
    pub(crate) fn shrink_to_fit(&mut self) {
        let Self { blocks, words, rest } = self;
        blocks.shrink_to_fit();
        words.shrink_to_fit();
        rest.shrink_to_fit();
    }

    /// Bytes in memory.
    pub(crate) fn num_bytes(&self) -> usize {
        let Self { blocks, words, rest } = self;
        size_of_val(blocks.as_slice()) + size_of_val(words.as_slice()) + size_of_val(rest.as_slice())
    }
}

/// The number of bits of a number.
fn width_of(number: u64) -> usize {
    (u64::BITS - number.leading_zeros()) as usize
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn packed(numbers: &[u64]) -> PackedNumbers {
        let mut packed = PackedNumbers::default();
        numbers.iter().for_each(|&number| packed.push(number).unwrap());
        packed
    }

    proptest! {
        #[test]
        fn numbers_are_those_that_were_added(
            runs in prop::collection::vec((any::<u64>(), 0u32..=64, 0usize..150), 0..8),
            seed in any::<u64>(),
        ) {
            let mut random = seed | 1;
            let mut numbers = Vec::new();
            for (base, width, len) in runs {
                for _ in 0..len {
                    random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    numbers.push(base.saturating_add(random.checked_shr(64 - width).unwrap_or(0)));
                }
            }
            let mut packed = packed(&numbers);
            packed.shrink_to_fit();
            prop_assert_eq!(packed.len(), numbers.len());
            prop_assert!(packed.iter().eq(numbers.iter().copied()));
        }
    }

    #[test]
    fn small_differences_need_few_bytes() {
        let bits = |number: fn(u64) -> u64| {
            let packed = packed(&(0..6400).map(number).collect::<Vec<u64>>());
            8 * packed.num_bytes() / packed.len()
        };
        assert_eq!([bits(|_| u64::MAX), bits(|line| line), bits(|line| line * 450)], [2, 8, 17]);
    }
}
