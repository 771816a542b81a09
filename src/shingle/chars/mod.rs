//! Shingles of characters: Unicode scalar values, of which one is as good as a byte in ASCII.

pub(super) mod kernel;

use self::kernel::HashWindows;
use super::{BLOCK_LEN, Blocks, Cut};

/// In ASCII text every byte is a token, so a shingle is a window of bytes.
pub(super) fn ascii_shingles(text: &[u8], size: usize, hash_windows: HashWindows, blocks: &mut Blocks) -> Cut {
    if text.len() <= size {
        blocks.push(text);
    } else {
        ascii_windows(text, size, hash_windows, blocks);
    }
    Cut::of_tokens(text.len() as u64, size)
}

/// The windows of a run of ASCII.
fn ascii_windows(text: &[u8], size: usize, hash_windows: HashWindows, blocks: &mut Blocks) {
    let mut rest = text;
    while rest.len() >= size {
        let room = BLOCK_LEN - blocks.block.len();
        let count = (rest.len() - size + 1).min(room);
        let hashed = &rest[..count + size - 1];
        hash_windows(hashed, size, &mut blocks.block);
        if count == room {
            blocks.flush();
        }
        rest = &rest[count..];
    }
}

/// Two cursors walk the text a character at a time, `size` characters apart; runs of ASCII are taken at once.
pub(super) fn char_shingles(text: &[u8], size: usize, hash_windows: HashWindows, blocks: &mut Blocks) -> Cut {
    let mut end = 0;
    for num_chars in 0..size {
        if end == text.len() {
            blocks.push(text);
            return Cut::of_tokens(num_chars as u64, size);
        }
        end += char_len(text[end]);
    }
    let mut start = 0;
    let mut num_shingles = 0;
    loop {
        if end - start == size {
            // The shingle is ASCII, and perhaps many that follow.
            let run = size + ascii_len(&text[end..]);
            ascii_windows(&text[start..start + run], size, hash_windows, blocks);
            num_shingles += (run - size + 1) as u64;
            (start, end) = (start + run - size, start + run);
        } else {
            blocks.push(&text[start..end]);
            num_shingles += 1;
        }
        if end == text.len() {
            return Cut::new(num_shingles + size as u64 - 1, num_shingles);
        }
        start += char_len(text[start]);
        end += char_len(text[end]);
    }
}

/// The length of the run of ASCII that a text begins with.
pub(super) fn ascii_len(text: &[u8]) -> usize {
    const CHUNK: usize = 32;
    let is_ascii = |chunk: &&[u8; CHUNK]| chunk.iter().fold(0, |bits, byte| bits | byte) < 0x80;
    let whole = CHUNK * text.as_chunks::<CHUNK>().0.iter().take_while(is_ascii).count();
    whole + text[whole..].iter().take_while(|byte| byte.is_ascii()).count()
}

/// Bytes of the character whose first byte is `lead`.
#[inline]
pub(super) fn char_len(lead: u8) -> usize {
    match lead {
        0..0xC0 => 1,
        0xC0..0xE0 => 2,
        0xE0..0xF0 => 3,
        _ => 4,
    }
}

/// Whether a byte is inside a character, not its first.
#[inline]
pub(super) fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}
