//! Compressed blocks of texts and documents in, their bytes out, and back: by one compressor and one decompressor a thread.

use std::cell::RefCell;

use zstd::bulk::{Compressor, Decompressor};

/// How hard a block is compressed that is written once more: half the time, and the block stays about as long.
const LEVEL: i32 = 1;

thread_local! {
    /// Making one takes longer than unpacking a few kilobytes.
    static DECOMPRESSOR: RefCell<Decompressor<'static>> =
        RefCell::new(Decompressor::new().expect("there is memory for it"));
    static COMPRESSOR: RefCell<Compressor<'static>> =
        RefCell::new(Compressor::new(LEVEL).expect("there is memory for it"));
}

/// What was compressed; `None` when it cannot be unpacked, or not in `most` bytes.
pub(super) fn decompressed(bytes: &[u8], most: usize) -> Option<Vec<u8>> {
    DECOMPRESSOR.with_borrow_mut(|decompressor| decompressor.decompress(bytes, most).ok())
}

/// Compresses in little time.
pub(super) fn compressed(bytes: &[u8]) -> Vec<u8> {
    let compress = |compressor: &mut Compressor| compressor.compress(bytes);
    COMPRESSOR.with_borrow_mut(compress).expect("there is room for the most it can take")
}
