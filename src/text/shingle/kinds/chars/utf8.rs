//! Finds characters in UTF-8 by their bytes: runs of ASCII, lengths, and first bytes.

/// Length of the run of ASCII at the start of a text.
pub(in crate::text::shingle) fn ascii_len(text: &[u8]) -> usize {
    const CHUNK: usize = 32;
    let is_ascii = |chunk: &&[u8; CHUNK]| chunk.iter().fold(0, |bits, byte| bits | byte) < 0x80;
    let whole = CHUNK * text.as_chunks::<CHUNK>().0.iter().take_while(is_ascii).count();
    whole + text[whole..].iter().take_while(|byte| byte.is_ascii()).count()
}

/// Length in bytes of the character whose first byte is `lead`.
#[inline]
pub(in crate::text::shingle) fn char_len(lead: u8) -> usize {
    match lead {
        0..0xC0 => 1,
        0xC0..0xE0 => 2,
        0xE0..0xF0 => 3,
        _ => 4,
    }
}

/// Whether a byte is inside a character, not its first byte.
#[inline]
pub(in crate::text::shingle) fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}
