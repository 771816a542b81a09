//! `SortRecord`: what is sorted, and the range of its keys.

/// A record of a fixed number of bytes.
pub(crate) trait SortRecord: Copy + Ord + Send + Sync {
    /// Bytes of it on the disk.
    const BYTES: usize;

    /// Its first 64 bits, so to speak: of two records the greater one has no lesser key.
    fn key(self) -> u64;

    /// Appends its bytes.
    fn write(self, bytes: &mut Vec<u8>);

    /// The record of its bytes.
    fn read(bytes: &[u8]) -> Self;
}

/// The keys from 0 to the greatest one, in partitions.
#[derive(Debug, Clone, Copy)]
pub(super) struct KeyRange {
    /// High bits that no key has.
    unused_bits: u32,
}

/// Partitions of a range of keys: enough for all threads to have some, and so few that each is read in long stretches.
pub(super) const PARTITIONS: usize = 1 << PARTITION_BITS;
const PARTITION_BITS: u32 = 8;

impl KeyRange {
    pub(super) fn up_to(most_key: u64) -> Self {
        Self { unused_bits: most_key.leading_zeros().min(63) }
    }

    /// The key, moved up to the highest bits.
    #[inline]
    pub(super) fn spread(self, key: u64) -> u64 {
        key << self.unused_bits
    }

    /// The partition of a key, which is no less than that of any lesser key.
    #[inline]
    pub(super) fn partition(self, key: u64) -> usize {
        (self.spread(key) >> (64 - PARTITION_BITS)) as usize
    }
}
