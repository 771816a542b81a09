//! `PrefixPosting`: a rare shingle of a text, in the form that is sorted and written to disk.

use crate::base::storage::{SortRecord, halves};

/// A shingle in the prefix of a text. 16 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PrefixPosting {
    /// The hash of the shingle, high half first.
    hash: [u32; 2],
    /// The rank of the text by size.
    pub(super) rank: u32,
    /// The rest of the text at this shingle (see [`prefix`](super::prefix)), without its lowest bits and rounded up.
    rest: u32,
}

impl PrefixPosting {
    /// * `rest`: the rest of the text at this shingle.
    /// * `coarse_bits`: the number of low bits of `rest` that are dropped.
    pub(super) fn new(hash: u64, rank: u32, rest: u64, coarse_bits: u32) -> Self {
        let rest = u32::try_from(rest.div_ceil(1 << coarse_bits)).expect("sizes fit with the bits left out");
        Self { hash: halves(hash), rank, rest }
    }

    /// The `rest` given to [`new`](Self::new), or slightly more.
    #[inline]
    pub(super) fn rest(self, coarse_bits: u32) -> u64 {
        u64::from(self.rest) << coarse_bits
    }

    pub(super) fn hash(self) -> u64 {
        self.key()
    }
}

impl SortRecord for PrefixPosting {
    type Words = [u32; 4];

    fn words(self) -> [u32; 4] {
        [self.hash[0], self.hash[1], self.rank, self.rest]
    }

    fn of_words([high, low, rank, rest]: [u32; 4]) -> Self {
        Self { hash: [high, low], rank, rest }
    }
}
