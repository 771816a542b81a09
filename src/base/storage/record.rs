//! `SortRecord`: the records that are sorted; `KeyRange`: the range of their keys.

/// A record with a fixed number of bytes.
pub(crate) trait SortRecord: Copy + Ord + Send + Sync {
    /// The number of bytes of a record on the disk.
    const BYTES: usize;

    /// The sort key, which agrees with the order of records: a greater record never has a smaller key.
    fn key(self) -> u64;

    /// Appends the bytes of the record.
    fn write(self, bytes: &mut Vec<u8>);

    /// Reads a record from its bytes.
    fn read(bytes: &[u8]) -> Self;
}

/// The keys from 0 to the greatest key, divided into partitions.
#[derive(Debug, Clone, Copy)]
pub(super) struct KeyRange {
    /// The number of high bits that are 0 in every key.
    unused_bits: u32,
}

/// The number of partitions: enough to keep all threads busy, and few enough that each is read in long stretches.
pub(super) const PARTITIONS: usize = 1 << PARTITION_BITS;
const PARTITION_BITS: u32 = 8;

impl KeyRange {
    pub(super) fn up_to(most_key: u64) -> Self {
        Self { unused_bits: most_key.leading_zeros().min(63) }
    }

    /// The key, shifted to the highest bits.
    #[inline]
    pub(super) fn spread(self, key: u64) -> u64 {
        key << self.unused_bits
    }

    /// The partition of a key; a greater key never has a smaller partition.
    #[inline]
    pub(super) fn partition(self, key: u64) -> usize {
        (self.spread(key) >> (64 - PARTITION_BITS)) as usize
    }
}
