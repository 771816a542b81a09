//! Byte order marks: detects the mark of UTF-16 at the start of bytes.

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

pub(super) const UTF8_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Bytes of the longest mark.
pub(super) const MARK: usize = 4;

/// The encoding whose mark stands at the start, if it is one of UTF-16.
pub(super) fn utf16_of_mark(start: &[u8]) -> Option<&'static Encoding> {
    match start {
        // The mark of UTF-32.
        [0xFF, 0xFE, 0, 0, ..] => None,
        [0xFF, 0xFE, ..] => Some(UTF_16LE),
        [0xFE, 0xFF, ..] => Some(UTF_16BE),
        _ => None,
    }
}
