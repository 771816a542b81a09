//! `PrefixPosting`: a rare shingle of a text.

use crate::storage::SortRecord;

/// A shingle of a text's prefix. 16 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PrefixPosting {
    /// The high half first.
    hash: [u32; 2],
    /// Of the text.
    pub(super) rank: u32,
    /// The size of what stands at this shingle and behind it in the order of all shingles, without its lowest bits, rounded up.
    rest: u32,
}

impl PrefixPosting {
    /// * `rest`: the size of what stands at this shingle and behind it.
    /// * `coarse_bits`: the bits of it that are left out.
    pub(super) fn new(hash: u64, rank: u32, rest: u64, coarse_bits: u32) -> Self {
        let rest = u32::try_from(rest.div_ceil(1 << coarse_bits)).expect("sizes fit with the bits left out");
        Self { hash: [(hash >> 32) as u32, hash as u32], rank, rest }
    }

    /// What [`new`](Self::new) was given as `rest`, or somewhat more.
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
