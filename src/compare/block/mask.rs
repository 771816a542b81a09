//! `Mask`: a bit for each text of a block.

/// The number of words of a mask.
pub(super) const MASK_WORDS: usize = 8;
/// The maximum number of texts of a block whose pairs are counted by classes.
pub(crate) const MOST_TEXTS: usize = 64 * MASK_WORDS;

/// A bit for each text of a block that has the shingles of a class.
pub(super) type Mask = [u64; MASK_WORDS];

/// The positions of the bits that are set.
pub(super) fn bits_of(words: impl Iterator<Item = u64>) -> impl Iterator<Item = usize> {
    (0..).step_by(64).zip(words).flat_map(|(start, word)| {
        let mut left = word;
        std::iter::from_fn(move || {
            let bit = (left > 0).then(|| start + left.trailing_zeros() as usize);
            left &= left.wrapping_sub(1);
            bit
        })
    })
}

/// Sets `len` bits from position `start` on; `len` is above 0.
#[inline]
pub(super) fn set_range(words: &mut [u64], start: usize, len: usize) {
    let last = start + len - 1;
    let (from, to) = (u64::MAX << (start % 64), u64::MAX >> (63 - last % 64));
    let words = &mut words[start / 64..=last / 64];
    match words {
        [word] => *word |= from & to,
        [first, between @ .., last] => {
            *first |= from;
            between.fill(u64::MAX);
            *last |= to;
        }
        [] => {}
    }
}

/// Transposes a square of bits: bit `j` of word `i` becomes bit `i` of word `j` (Warren 2012, 7-3).
pub(super) fn transpose(square: &mut [u64; 64]) {
    let (mut width, mut mask) = (32, u64::MAX >> 32);
    while width > 0 {
        for start in (0..64).step_by(2 * width) {
            let (low, high) = square[start..start + 2 * width].split_at_mut(width);
            for (low, high) in low.iter_mut().zip(high) {
                let differ = (*low >> width ^ *high) & mask;
                *low ^= differ << width;
                *high ^= differ;
            }
        }
        width /= 2;
        mask ^= mask << width;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_range_of_bits_is_set_and_no_other(start in 0usize..300, len in 1usize..300, before: [u64; 10]) {
            let mut words = before;
            set_range(&mut words, start, len);
            for at in 0..640 {
                let is_set = |words: &[u64]| words[at / 64] >> (at % 64) & 1 == 1;
                prop_assert_eq!(is_set(&words), is_set(&before) || (start..start + len).contains(&at));
            }
        }

        #[test]
        fn a_transposed_square_has_rows_for_columns(words in prop::collection::vec(any::<u64>(), 64)) {
            let mut square: [u64; 64] = words.clone().try_into().expect("64 words");
            transpose(&mut square);
            for (i, word) in words.iter().enumerate() {
                for (j, column) in square.iter().enumerate() {
                    prop_assert_eq!(column >> i & 1, word >> j & 1);
                }
            }
        }
    }
}
