//! `ShingleHashes`: the source of shingle hashes that signatures and sets read, block by block.

use xxhash_rust::xxh3::xxh3_64;

/// Most hashes in one block: 32 KiB, so that a block is still in the first-level cache when it is signed.
pub(crate) const BLOCK_LEN: usize = 4096;

/// A source of shingle hashes that can be read more than once.
///
/// Order and repeats do not matter to signatures and sets. Implemented for slices of hashes, so that any set of
/// things hashed to 64 bits can be compared, and for [`TextShingles`](super::TextShingles).
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

/// The numbers of tokens and shingles of a text that was cut.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Cut {
    /// The number of its tokens, repeats included.
    pub(crate) num_tokens: u64,
    /// The number of its shingles, repeats included; 0 for a text that becomes one shingle as a whole, because it yields no other.
    pub(crate) num_shingles: u64,
}

impl Cut {
    pub(super) fn new(num_tokens: u64, num_shingles: u64) -> Self {
        Self { num_tokens, num_shingles }
    }

    /// For a text of `num_tokens` tokens with a shingle at each, as long as `size` tokens follow.
    pub(super) fn of_tokens(num_tokens: u64, size: usize) -> Self {
        Self::new(num_tokens, (num_tokens + 1).saturating_sub(size as u64))
    }
}

impl Cut {
    /// The numbers of two neighbouring segments together. Tokens that are in both count once.
    pub(crate) fn join(self, next: Self) -> Self {
        let shared_tokens = next.num_tokens - next.num_shingles;
        Self::new(self.num_tokens + next.num_tokens - shared_tokens, self.num_shingles + next.num_shingles)
    }
}

/// Collects hashes and passes them on a block at a time.
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
