//! `ShingleHashes`: the source of shingle hashes that signatures and sets read, block by block.

use xxhash_rust::xxh3::xxh3_64;

/// Maximum number of hashes in a block: 32 KiB, so that a block is still in the L1 cache when it is signed.
pub(crate) const BLOCK_LEN: usize = 4096;

/// A source of shingle hashes that can be read more than once.
///
/// Order and repeats do not matter to signatures and sets. Implemented for slices of hashes, so that any sets of 64-bit
/// hashes can be compared, and for [`TextShingles`](super::TextShingles).
pub trait ShingleHashes {
    /// Calls `visit` with every hash, in blocks of any length above 0.
    fn for_each_block(&mut self, visit: &mut dyn FnMut(&[u64]));
}

impl ShingleHashes for &[u64] {
    fn for_each_block(&mut self, visit: &mut dyn FnMut(&[u64])) {
        if !self.is_empty() {
            visit(self);
        }
    }
}

/// Numbers of tokens and shingles of a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Cut {
    /// Number of tokens, including repeats.
    pub(crate) num_tokens: u64,
    /// Number of shingles, including repeats; 0 if the entire text is one shingle because it is too short for others.
    pub(crate) num_shingles: u64,
}

impl Cut {
    pub(super) fn new(num_tokens: u64, num_shingles: u64) -> Self {
        Self { num_tokens, num_shingles }
    }

    /// Counts a text of `num_tokens` tokens in which every `size` consecutive tokens are a shingle.
    pub(super) fn of_tokens(num_tokens: u64, size: usize) -> Self {
        Self::new(num_tokens, (num_tokens + 1).saturating_sub(size as u64))
    }
}

impl Cut {
    /// Adds the numbers of two neighbouring segments, counting tokens in both only once.
    pub(crate) fn join(self, next: Self) -> Self {
        let shared_tokens = next.num_tokens - next.num_shingles;
        Self::new(self.num_tokens + next.num_tokens - shared_tokens, self.num_shingles + next.num_shingles)
    }
}

impl Cut {
    /// The numbers of two files that have no shingle in common. The only shingle of a short file counts if there are
    /// others.
    pub(super) fn after(self, next: Self) -> Self {
        if self.num_tokens == 0 || next.num_tokens == 0 {
            return if self.num_tokens == 0 { next } else { self };
        }
        let num_shingles = self.num_shingles.max(1) + next.num_shingles.max(1);
        Self::new(self.num_tokens + next.num_tokens, num_shingles)
    }
}

/// Collects hashes and passes them on in blocks.
pub(super) struct Blocks<'v> {
    pub(super) block: Vec<u64>,
    pub(super) visit: &'v mut dyn FnMut(&[u64]),
}

impl Blocks<'_> {
    pub(super) fn push(&mut self, shingle: &[u8]) {
        self.block.push(xxh3_64(shingle));
        if self.block.len() >= BLOCK_LEN {
            self.flush();
        }
    }

    pub(super) fn flush(&mut self) {
        if !self.block.is_empty() {
            (self.visit)(&self.block);
            self.block.clear();
        }
    }
}

pub(super) fn as_str(text: &[u8]) -> &str {
    std::str::from_utf8(text).expect("texts are UTF-8")
}
