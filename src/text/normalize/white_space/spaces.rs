//! Detects white-space characters and line ends by their UTF-8 bytes.

/// Number of bytes that are checked together. It is about half a line: most chunks of prose and code contain no run of
/// white space.
pub(super) const CHUNK: usize = 32;

#[inline(always)]
pub(in crate::text::normalize) fn is_ascii_space(byte: u8) -> bool {
    (byte == b' ') | (byte.wrapping_sub(b'\t') < 5)
}

/// Length in bytes of the white-space character that `text` starts with; 0 if it starts with another character.
#[inline]
pub(super) fn white_space_len(text: &[u8]) -> usize {
    match *text {
        [b' ' | b'\t'..=b'\r', ..] => 1,
        [0xC2, 0x85 | 0xA0, ..] => 2,
        [0xE1, 0x9A, 0x80, ..] => 3,
        [0xE2, 0x80, 0x80..=0x8A | 0xA8 | 0xA9 | 0xAF, ..] => 3,
        [0xE2, 0x81, 0x9F, ..] => 3,
        [0xE3, 0x80, 0x80, ..] => 3,
        _ => 0,
    }
}

/// Lengths in bytes of the first line and of its line end; the latter is 0 if the text ends with the line.
///
/// Lines end at any newline function of the Unicode Standard, section 5.8: CR LF, LF, VT, FF, CR, U+0085, U+2028, U+2029.
pub(in crate::text::normalize) fn split_line(text: &[u8]) -> (usize, usize) {
    let mut at = 0;
    while at < text.len() {
        let end = match text[at..] {
            // For nearly all bytes this first test is enough.
            [0x0E..=0x7F, ..] => 0,
            [b'\r', b'\n', ..] => 2,
            [b'\n'..=b'\r', ..] => 1,
            [0xC2, 0x85, ..] => 2,
            [0xE2, 0x80, 0xA8 | 0xA9, ..] => 3,
            _ => 0,
        };
        if end > 0 {
            return (at, end);
        }
        at += 1;
    }
    (at, 0)
}
