//! Compressed blocks of texts and documents in, their bytes out, and back: by one compressor and one decompressor a thread.

use std::cell::RefCell;

use zstd::bulk::{Compressor, Decompressor};

/// How hard a block is compressed that is written once more. Level 1 takes half the time of level 3, and a block of records
/// from which one was erased is no longer than it was.
const REWRITE_LEVEL: i32 = 1;

thread_local! {
    /// Making one takes longer than unpacking a few kilobytes.
    static DECOMPRESSOR: RefCell<Decompressor<'static>> =
        RefCell::new(Decompressor::new().expect("there is memory for it"));
    static COMPRESSOR: RefCell<Compressor<'static>> =
        RefCell::new(Compressor::new(REWRITE_LEVEL).expect("there is memory for it"));
}

/// What was compressed; `None` when it cannot be unpacked, or not in `most` bytes.
pub(super) fn decompressed(bytes: &[u8], most: usize) -> Option<Vec<u8>> {
    DECOMPRESSOR.with_borrow_mut(|decompressor| decompressor.decompress(bytes, most).ok())
}

/// Compresses a block that is written once more.
pub(super) fn compressed(bytes: &[u8]) -> Vec<u8> {
    let compress = |compressor: &mut Compressor| compressor.compress(bytes);
    COMPRESSOR.with_borrow_mut(compress).expect("there is room for the most it can take")
}
