//! Shingles of characters: consecutive Unicode scalar values. In ASCII text a character is a byte, which is faster.

mod kernel;
mod segments;
pub(in crate::text::shingle) mod utf8;

use self::kernel::HashWindows;
use self::utf8::{ascii_len, char_len};
use super::cutter::{ByKernel, Cutter, Kind};
use crate::text::shingle::hashes::{BLOCK_LEN, Blocks, Cut};
use crate::text::shingle::tokens::Tokens;

pub(super) const KIND: Kind = Kind { default_size: 9, by_kernel, ..Kind::of(cutter) };

fn cutter() -> Box<dyn Cutter> {
    Box::new(CharCutter { hash_windows: kernel::best() })
}

fn by_kernel() -> ByKernel {
    let cutter = |hash_windows| -> Box<dyn Cutter> { Box::new(CharCutter { hash_windows }) };
    kernel::available().into_iter().map(|(name, hash_windows)| (name, cutter(hash_windows))).collect()
}

/// Cuts texts into shingles of characters.
#[derive(Debug, Clone)]
struct CharCutter {
    hash_windows: HashWindows,
}

impl Cutter for CharCutter {
    fn cut(&mut self, text: &[u8], size: usize, blocks: &mut Blocks) -> Cut {
        let shingles = if text.is_ascii() { ascii_shingles } else { char_shingles };
        shingles(text, size, self.hash_windows, blocks)
    }

    fn tokens(&mut self, text: Vec<u8>) -> Tokens {
        Tokens::of_chars(text)
    }

    fn segments<'t>(&self, text: &'t [u8], size: usize, segment_len: usize) -> Option<Vec<&'t [u8]>> {
        segments::segments(text, size, segment_len)
    }

    fn clone_box(&self) -> Box<dyn Cutter> {
        Box::new(self.clone())
    }
}

/// Hashes the shingles of an ASCII text, where every byte is a token and a shingle is a window of bytes.
fn ascii_shingles(text: &[u8], size: usize, hash_windows: HashWindows, blocks: &mut Blocks) -> Cut {
    if text.len() <= size {
        blocks.push(text);
    } else {
        ascii_windows(text, size, hash_windows, blocks);
    }
    Cut::of_tokens(text.len() as u64, size)
}

/// Hashes the windows of a run of ASCII.
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

/// Hashes the shingles of a text with two cursors that move one character at a time, `size` characters apart. Runs of
/// ASCII are hashed at once.
fn char_shingles(text: &[u8], size: usize, hash_windows: HashWindows, blocks: &mut Blocks) -> Cut {
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
            // This shingle is ASCII, and possibly many of the next ones.
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

/// Name of the kernel that this processor runs.
pub(super) fn kernel_name() -> &'static str {
    kernel::available().last().map_or("scalar", |&(name, _)| name)
}
