//! `SortRecord`: the records that are sorted; `KeyRange`: the range of their keys.

/// A record of a fixed number of words, by which records are compared one after another.
pub(crate) trait SortRecord: Copy + Ord + Send + Sync {
    /// An array of `u32` or `u16`.
    type Words: RecordWords;

    fn words(self) -> Self::Words;

    /// Makes the record from its words.
    fn of_words(words: Self::Words) -> Self;

    /// The sort key: a greater record never has a smaller key.
    #[inline(always)]
    fn key(self) -> u64 {
        self.words().first_bits()
    }
}

/// The words of a record.
pub(crate) trait RecordWords {
    /// The number of bytes of a record on the disk.
    const BYTES: usize;

    /// The first 64 bits, or all bits of a shorter record.
    fn first_bits(&self) -> u64;

    /// Appends the bytes of the record.
    fn write(&self, bytes: &mut Vec<u8>);

    /// Reads a record from its bytes.
    fn read(bytes: &[u8]) -> Self;
}

macro_rules! record_words {
    ($($word:ty),*) => {$(
        impl<const N: usize> RecordWords for [$word; N] {
            const BYTES: usize = size_of::<Self>();

            // Called for each record in each pass of a sort.
            #[inline(always)]
            #[allow(clippy::needless_range_loop, reason = "the compiler unrolls it, and does not unroll an iterator")]
            fn first_bits(&self) -> u64 {
                let mut bits = 0;
                for at in 0..N.min(size_of::<u64>() / size_of::<$word>()) {
                    bits = bits << <$word>::BITS | u64::from(self[at]);
                }
                bits
            }

            #[inline]
            fn write(&self, bytes: &mut Vec<u8>) {
                self.iter().for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
            }

            #[inline]
            fn read(bytes: &[u8]) -> Self {
                let (words, _) = bytes.as_chunks();
                std::array::from_fn(|at| <$word>::from_le_bytes(words[at]))
            }
        }
    )*};
}

record_words!(u16, u32);

/// The two words of a number, high half first.
#[inline]
pub(crate) fn halves(number: u64) -> [u32; 2] {
    [(number >> 32) as u32, number as u32]
}

/// The number of two words.
#[inline]
pub(crate) fn whole([high, low]: [u32; 2]) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

/// The keys from 0 to the greatest key, divided into partitions.
#[derive(Debug, Clone, Copy)]
pub(super) struct KeyRange {
    /// The number of high bits that are 0 in every key.
    unused_bits: u32,
}

/// The number of partitions: enough to keep all threads busy, and few enough that each is read in long sequential reads.
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
