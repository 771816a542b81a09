//! `decompressed`: compressed blocks of texts and documents in, their bytes out, by one decompressor a thread.

use std::cell::RefCell;

use zstd::bulk::Decompressor;

thread_local! {
    /// Making one takes longer than unpacking a few kilobytes.
    static DECOMPRESSOR: RefCell<Decompressor<'static>> =
        RefCell::new(Decompressor::new().expect("there is memory for it"));
}

/// What was compressed; `None` when it cannot be unpacked, or not in `most` bytes.
pub(super) fn decompressed(bytes: &[u8], most: usize) -> Option<Vec<u8>> {
    DECOMPRESSOR.with_borrow_mut(|decompressor| decompressor.decompress(bytes, most).ok())
}
