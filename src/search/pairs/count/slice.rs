//! `Slice`: a part of the range of hashes.
//!
//! A shared hash is in the same slice of both sets, so the counts of all slices add up to the exact count, and only one
//! slice of each set is in memory. The price is that each slice reads the documents again.

/// One of 2^`bits` equal parts of the range of hashes: the hashes whose highest bits are `number`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slice {
    number: u64,
    bits: u32,
}

impl Slice {
    /// The whole range.
    pub(super) const WHOLE: Self = Self { number: 0, bits: 0 };

    /// All slices of this many bits.
    pub(super) fn all(bits: u32) -> impl Iterator<Item = Self> {
        (0..1u64 << bits).map(move |number| Self { number, bits })
    }

    pub(super) fn is_whole(self) -> bool {
        self.bits == 0
    }

    /// The expected number of hashes in the slice, of hashes that are spread evenly.
    pub(super) fn share_of(self, num_hashes: u64) -> u64 {
        num_hashes >> self.bits
    }

    /// Whether a hash is in the slice.
    #[inline]
    pub(super) fn contains(self, hash: u64) -> bool {
        hash.checked_shr(64 - self.bits).unwrap_or(0) == self.number
    }

    /// The hashes that are in the slice, in their order.
    ///
    /// * `buffer`: memory that is used again.
    pub(super) fn select<'b>(self, hashes: &[u64], buffer: &'b mut Vec<u64>) -> &'b [u64] {
        if buffer.len() < hashes.len() {
            buffer.resize(hashes.len(), 0);
        }
        // Storing every hash is faster than a branch that is not foreseen.
        let (selected, mut len) = (buffer.as_mut_slice(), 0);
        for &hash in hashes {
            selected[len] = hash;
            len += usize::from(self.contains(hash));
        }
        &selected[..len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hashes_of_all_slices_are_all_hashes() {
        let hashes: Vec<u64> = (0..1000u64).map(|number| number.wrapping_mul(0x9E37_79B9_7F4A_7C15)).collect();
        for bits in [0, 1, 4, 9] {
            let (mut found, mut buffer) = (Vec::new(), Vec::new());
            for slice in Slice::all(bits) {
                let selected = slice.select(&hashes, &mut buffer);
                assert!(selected.iter().eq(hashes.iter().filter(|&&hash| slice.contains(hash))));
                found.extend_from_slice(selected);
            }
            found.sort_unstable();
            let mut expected = hashes.clone();
            expected.sort_unstable();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn every_hash_is_in_one_slice() {
        for bits in [0, 1, 3, 8] {
            for hash in [0, 1, u64::MAX, u64::MAX / 3, 1 << 63, (1 << 63) - 1] {
                assert_eq!(Slice::all(bits).filter(|slice| slice.contains(hash)).count(), 1);
            }
        }
    }
}
