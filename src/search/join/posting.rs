//! `PrefixPosting`: a rare shingle of a text, in the form that is sorted and written to disk.

use crate::base::storage::SortRecord;

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
        Self { hash: [(hash >> 32) as u32, hash as u32], rank, rest }
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
    const BYTES: usize = 16;

    fn key(self) -> u64 {
        u64::from(self.hash[0]) << 32 | u64::from(self.hash[1])
    }

    fn write(self, bytes: &mut Vec<u8>) {
        [self.hash[0], self.hash[1], self.rank, self.rest]
            .iter()
            .for_each(|part| bytes.extend_from_slice(&part.to_le_bytes()));
    }

    fn read(bytes: &[u8]) -> Self {
        let part = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        Self { hash: [part(0), part(4)], rank: part(8), rest: part(12) }
    }
}
