//! Byte order marks: detects the mark of UTF-16 at the start of bytes.

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

pub(super) const UTF8_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Length of the longest byte order mark, in bytes.
pub(super) const MARK: usize = 4;

/// The encoding of UTF-16 whose byte order mark is at the start, if any.
pub(super) fn utf16_of_mark(start: &[u8]) -> Option<&'static Encoding> {
    match start {
        // This is the byte order mark of UTF-32.
        [0xFF, 0xFE, 0, 0, ..] => None,
        [0xFF, 0xFE, ..] => Some(UTF_16LE),
        [0xFE, 0xFF, ..] => Some(UTF_16BE),
        _ => None,
    }
}
