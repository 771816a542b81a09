//! Compresses and decompresses blocks of texts and documents, with one compressor and one decompressor per thread.

use std::cell::RefCell;
use std::sync::OnceLock;

use zstd::zstd_safe::{CCtx, CDict, DCtx, DDict, compress_bound};

/// The effort of compression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// For data that is written for the first time.
    First,
    /// For a block that is rewritten.
    Again,
}

impl Effort {
    /// The level of zstd without a dictionary. Level 1 takes half the time of level 3, and a block of records is not
    /// longer than before when one record was erased from it.
    fn level(self) -> i32 {
        match self {
            Self::First => 3,
            Self::Again => 1,
        }
    }
}

/// Bytes that blocks are compressed with, because the blocks contain many of the same words.
pub(crate) struct Dictionary {
    /// The number of the dictionary in its index.
    pub(crate) number: u32,
    bytes: Vec<u8>,
    to_unpack: DDict<'static>,
    /// The dictionary for compression, prepared on first use.
    to_pack: OnceLock<CDict<'static>>,
}

impl Dictionary {
    /// The level of zstd with a dictionary: it makes records as small as level 3 does, in four fifths of the time.
    /// Level 1 makes them a fifth longer, so that a block from which a record was erased would no longer fit in its
    /// place.
    const LEVEL: i32 = 2;

    pub(crate) fn new(number: u32, bytes: Vec<u8>) -> Self {
        Self { number, to_unpack: DDict::create(&bytes), to_pack: OnceLock::new(), bytes }
    }

    fn to_pack(&self) -> &CDict<'static> {
        self.to_pack.get_or_init(|| CDict::create(&self.bytes, Self::LEVEL))
    }
}

thread_local! {
    // Creating one takes longer than decompressing a few kilobytes.
    static DECOMPRESSOR: RefCell<DCtx<'static>> = RefCell::new(DCtx::create());
    static COMPRESSOR: RefCell<CCtx<'static>> = RefCell::new(CCtx::create());
}

/// Decompresses bytes; `None` when they cannot be decompressed, or not into `most` bytes.
///
/// * `dictionary`: the dictionary that they were compressed with.
pub(crate) fn decompressed(bytes: &[u8], most: usize, dictionary: Option<&Dictionary>) -> Option<Vec<u8>> {
    let mut unpacked = Vec::with_capacity(most);
    let read = DECOMPRESSOR.with_borrow_mut(|decompressor| match dictionary {
        Some(dictionary) => decompressor.decompress_using_ddict(&mut unpacked, bytes, &dictionary.to_unpack),
        None => decompressor.decompress(&mut unpacked, bytes),
    });
    read.ok().map(|_| unpacked)
}

/// Compresses a block.
///
/// * `effort`: the level if there is no dictionary; a dictionary has its own level.
/// * `dictionary`: the dictionary that will decompress the block.
pub(crate) fn compressed(bytes: &[u8], effort: Effort, dictionary: Option<&Dictionary>) -> Vec<u8> {
    let mut packed = Vec::with_capacity(compress_bound(bytes.len()));
    let written = COMPRESSOR.with_borrow_mut(|compressor| match dictionary {
        Some(dictionary) => compressor.compress_using_cdict(&mut packed, bytes, dictionary.to_pack()),
        None => compressor.compress(&mut packed, bytes, effort.level()),
    });
    written.expect("there is room for the most it can take");
    packed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_compressed_with_a_dictionary_comes_back_with_it() {
        let dictionary = Dictionary::new(0, b"the quick brown fox jumps over the lazy dog ".to_vec());
        let text = b"the quick brown fox jumps over the lazy cat".as_slice();
        for effort in [Effort::First, Effort::Again] {
            let packed = compressed(text, effort, Some(&dictionary));
            assert!(2 * packed.len() < compressed(text, effort, None).len(), "{}", packed.len());
            assert_eq!(decompressed(&packed, text.len(), Some(&dictionary)).as_deref(), Some(text));
            assert_eq!(decompressed(&packed, text.len() - 1, Some(&dictionary)), None);
            assert_ne!(decompressed(&packed, text.len(), None).as_deref(), Some(text));
        }
    }
}
