//! `PrefixPosting`: a rare shingle of a text.

use crate::storage::SortRecord;

/// A shingle of a text's prefix. 16 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PrefixPosting {
    /// The high half first.
    hash: [u32; 2],
    /// Of the text.
    pub(super) rank: u32,
    /// How many shingles of the text stand at this one and behind it in the order of all shingles.
    pub(super) rest: u32,
}

impl PrefixPosting {
    pub(super) fn new(hash: u64, rank: u32, rest: u32) -> Self {
        Self { hash: [(hash >> 32) as u32, hash as u32], rank, rest }
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
