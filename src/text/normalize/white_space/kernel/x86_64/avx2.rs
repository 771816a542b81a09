//! Folds white space 32 bytes at a time.
//!
//! In a chunk with a run of white space, the kept bytes are moved together eight at a time with a table of shuffles.

#![allow(unsafe_code)] // calls of functions compiled for an instruction set that was detected; registers loaded and stored

use std::arch::x86_64::*;

use super::{FoldSpaces, white_space_len};

/// Bytes in a chunk.
const CHUNK: usize = 32;
/// A chunk and the next two bytes, which may belong to a multi-byte character at its end.
const LOADED: usize = CHUNK + 2;

/// For each subset of eight bytes, the indices of the chosen bytes, lowest first.
static CHOSEN: [u64; 256] = chosen();

const fn chosen() -> [u64; 256] {
    let mut table = [0; 256];
    let mut choice = 0;
    while choice < 256 {
        let (mut number, mut len) = (0, 0);
        while number < 8 {
            if choice >> number & 1 != 0 {
                table[choice] |= number << (8 * len);
                len += 1;
            }
            number += 1;
        }
        choice += 1;
    }
    table
}

pub(super) fn available() -> Vec<(&'static str, FoldSpaces)> {
    let mut kernels: Vec<(&'static str, FoldSpaces)> = Vec::new();
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("popcnt") {
        // SAFETY: the processor has just been found to have AVX2, BMI1 and POPCNT.
        kernels.push(("avx2", |text| unsafe { avx2(text) }));
    }
    kernels
}

#[target_feature(enable = "avx2,bmi1,popcnt")]
fn avx2(text: &mut Vec<u8>) {
    let (mut read, mut write) = (0, 0);
    // A run at the start is dropped because the text counts as following a space.
    let mut after_space = true;
    while read < text.len() {
        let rest = &text[read..];
        let mut filled = [0; LOADED];
        let bytes: &[u8; LOADED] = match rest.first_chunk() {
            Some(bytes) => bytes,
            None => {
                filled[..rest.len()].copy_from_slice(rest);
                &filled
            }
        };
        let chunk = load(bytes, 0);
        let mut len = rest.len().min(CHUNK);
        let mut spaces = spaces(chunk);
        if _mm256_movemask_epi8(chunk) != 0 {
            len = len.min(wide_spaces(chunk, load(bytes, 1), load(bytes, 2)).trailing_zeros() as usize);
        }
        if len > 0 {
            let in_chunk = u32::MAX >> (CHUNK - len);
            spaces &= in_chunk;
            let dropped = spaces & (spaces << 1 | u32::from(after_space));
            let folded = spaced(chunk);
            if dropped == 0 && len == CHUNK {
                text[write..][..CHUNK].copy_from_slice(&folded);
                write += CHUNK;
            } else {
                write = compress(text, write, &folded, in_chunk & !dropped, len == CHUNK);
            }
            after_space = spaces >> (len - 1) & 1 != 0;
            read += len;
        }
        if len < CHUNK && read < text.len() {
            // A multi-byte space starts here.
            let space = white_space_len(&text[read..]);
            if !after_space {
                text[write] = b' ';
                write += 1;
            }
            read += space;
            after_space = true;
        }
    }
    if after_space && write > 0 {
        write -= 1;
    }
    text.truncate(write);
}

/// Stores the kept bytes of a chunk contiguously; returns the next write position.
///
/// * `is_whole`: whether the whole chunk has been read, so that the text may be overwritten up to its end.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn compress(text: &mut [u8], mut write: usize, chunk: &[u8; CHUNK], kept: u32, is_whole: bool) -> usize {
    for (eight, kept) in chunk.as_chunks::<8>().0.iter().zip(kept.to_le_bytes()) {
        let numbers = _mm_cvtsi64_si128(CHOSEN[usize::from(kept)] as i64);
        let together = _mm_shuffle_epi8(_mm_cvtsi64_si128(i64::from_le_bytes(*eight)), numbers);
        let together = _mm_cvtsi128_si64(together).to_le_bytes();
        let num_kept = kept.count_ones() as usize;
        let num_stored = if is_whole { together.len() } else { num_kept };
        text[write..][..num_stored].copy_from_slice(&together[..num_stored]);
        write += num_kept;
    }
    write
}

/// Mask of the ASCII spaces.
#[inline]
#[target_feature(enable = "avx2")]
fn spaces(chunk: __m256i) -> u32 {
    mask(are_spaces(chunk))
}

#[inline]
#[target_feature(enable = "avx2")]
fn are_spaces(chunk: __m256i) -> __m256i {
    let from_tab = _mm256_sub_epi8(chunk, _mm256_set1_epi8(b'\t' as i8));
    let of_five = _mm256_cmpeq_epi8(_mm256_min_epu8(from_tab, _mm256_set1_epi8(4)), from_tab);
    _mm256_or_si256(of_five, are(chunk, b' '))
}

/// The chunk with each ASCII white-space character replaced by a space.
#[inline]
#[target_feature(enable = "avx2")]
fn spaced(chunk: __m256i) -> [u8; CHUNK] {
    let spaced = _mm256_blendv_epi8(chunk, _mm256_set1_epi8(b' ' as i8), are_spaces(chunk));
    let mut bytes = [0; CHUNK];
    // SAFETY: the array has room for as many bytes as are stored, wherever it lies.
    unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), spaced) };
    bytes
}

/// Mask of the first bytes of multi-byte spaces.
#[inline]
#[target_feature(enable = "avx2")]
fn wide_spaces(chunk: __m256i, second: __m256i, third: __m256i) -> u32 {
    let (two_bytes, from_e1) = (are(chunk, 0xC2), _mm256_sub_epi8(chunk, _mm256_set1_epi8(0xE1_u8 as i8)));
    let three_bytes = _mm256_cmpeq_epi8(_mm256_min_epu8(from_e1, _mm256_set1_epi8(2)), from_e1);
    if mask(_mm256_or_si256(two_bytes, three_bytes)) == 0 {
        return 0;
    }
    let is = |bytes, byte| mask(are(bytes, byte));
    let from_80 = _mm256_sub_epi8(third, _mm256_set1_epi8(0x80_u8 as i8));
    let to_8a = mask(_mm256_cmpeq_epi8(_mm256_min_epu8(from_80, _mm256_set1_epi8(0x0A)), from_80));
    let is_of_2000 = to_8a | is(third, 0xA8) | is(third, 0xA9) | is(third, 0xAF);
    let after_80 = is(second, 0x80);
    mask(two_bytes) & (is(second, 0x85) | is(second, 0xA0))
        | is(chunk, 0xE1) & is(second, 0x9A) & is(third, 0x80)
        | is(chunk, 0xE2) & (after_80 & is_of_2000 | is(second, 0x81) & is(third, 0x9F))
        | is(chunk, 0xE3) & after_80 & is(third, 0x80)
}

#[inline]
#[target_feature(enable = "avx2")]
fn are(bytes: __m256i, byte: u8) -> __m256i {
    _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(byte as i8))
}

#[inline]
#[target_feature(enable = "avx2")]
fn mask(bytes: __m256i) -> u32 {
    _mm256_movemask_epi8(bytes) as u32
}

/// Loads 32 bytes from index `start`.
#[inline]
#[target_feature(enable = "avx2")]
fn load(bytes: &[u8; LOADED], start: usize) -> __m256i {
    let bytes: &[u8; CHUNK] = bytes[start..].first_chunk().expect("a whole load");
    // SAFETY: the array has as many bytes as are loaded, wherever it lies.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}
