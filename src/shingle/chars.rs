//! Shingles of characters: Unicode scalar values, of which one is as good as a byte in ASCII.

use xxhash_rust::xxh3::xxh3_64;

use super::{BLOCK_LEN, Blocks, Cut};

/// In ASCII text every byte is a token, so a shingle is a window of bytes.
pub(super) fn ascii_shingles(text: &[u8], size: usize, blocks: &mut Blocks) -> Cut {
    let cut = Cut::of_tokens(text.len() as u64, size);
    if text.len() <= size {
        blocks.push(text);
        return cut;
    }
    let mut rest = text;
    while rest.len() >= size {
        let count = (rest.len() - size + 1).min(BLOCK_LEN);
        let hashed = &rest[..count + size - 1];
        // The usual length as a constant lets the compiler drop the hash's choice by length.
        match size {
            9 => blocks.block.extend(hashed.windows(9).map(|shingle| xxh3_64(&shingle[..9]))),
            _ => blocks.block.extend(hashed.windows(size).map(xxh3_64)),
        }
        blocks.flush();
        rest = &rest[count..];
    }
    cut
}

/// Two cursors walk the text a character at a time, `size` characters apart.
pub(super) fn char_shingles(text: &[u8], size: usize, blocks: &mut Blocks) -> Cut {
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
        blocks.push(&text[start..end]);
        num_shingles += 1;
        if end == text.len() {
            return Cut::new(num_shingles + size as u64 - 1, num_shingles);
        }
        start += char_len(text[start]);
        end += char_len(text[end]);
    }
}

/// Bytes of the character whose first byte is `lead`.
#[inline]
fn char_len(lead: u8) -> usize {
    match lead {
        0..0xC0 => 1,
        0xC0..0xE0 => 2,
        0xE0..0xF0 => 3,
        _ => 4,
    }
}
