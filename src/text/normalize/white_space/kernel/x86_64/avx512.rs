//! Folds white space 64 bytes at a time.

#![allow(unsafe_code)] // calls of functions compiled for an instruction set that was detected; registers loaded and stored

use std::arch::x86_64::*;

use super::{FoldSpaces, white_space_len};

pub(super) fn available() -> Vec<(&'static str, FoldSpaces)> {
    let mut kernels: Vec<(&'static str, FoldSpaces)> = Vec::new();
    if is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("popcnt")
    {
        // SAFETY: the processor has just been found to have AVX-512 F, BW and VBMI2, BMI1 and POPCNT.
        kernels.push(("avx512", |text| unsafe { avx512(text) }));
    }
    kernels
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,bmi1,popcnt")]
fn avx512(text: &mut Vec<u8>) {
    let (mut read, mut write) = (0, 0);
    // A run at the start is dropped because the text counts as following a space.
    let mut after_space = true;
    while read < text.len() {
        let rest = &text[read..];
        let bytes = match rest.first_chunk() {
            Some(chunk) => load(chunk),
            None => load_filled(rest),
        };
        let mut len = rest.len().min(64);
        let mut spaces = spaces(bytes);
        if _mm512_movepi8_mask(bytes) != 0 {
            len = len.min(wide_spaces(bytes).trailing_zeros() as usize);
        }
        if len > 0 {
            spaces &= u64::MAX >> (64 - len);
            let dropped = spaces & (spaces << 1 | u64::from(after_space));
            let kept = !dropped & u64::MAX >> (64 - len);
            let spaced = _mm512_mask_blend_epi8(spaces, bytes, _mm512_set1_epi8(b' ' as i8));
            let folded = if dropped == 0 { spaced } else { _mm512_maskz_compress_epi8(kept, spaced) };
            let num_kept = kept.count_ones() as usize;
            if len == 64 {
                // This stores more bytes than are kept, but only over bytes that were read.
                store(text[write..].first_chunk_mut().expect("room for what was read"), folded);
            } else {
                let mut part = [0; 64];
                store(&mut part, folded);
                text[write..][..num_kept].copy_from_slice(&part[..num_kept]);
            }
            write += num_kept;
            after_space = spaces >> (len - 1) & 1 != 0;
            read += len;
        }
        if len < 64 && read < text.len() {
            // A multi-byte space starts here, or the chunk is too short to decide.
            let space = white_space_len(&text[read..]);
            if space == 0 {
                text[write] = text[read];
                (read, write) = (read + 1, write + 1);
            } else if !after_space {
                text[write] = b' ';
                write += 1;
            }
            read += space;
            after_space = space > 0;
        }
    }
    if after_space && write > 0 {
        write -= 1;
    }
    text.truncate(write);
}

/// Mask of the ASCII spaces.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn spaces(bytes: __m512i) -> u64 {
    let from_tab = _mm512_sub_epi8(bytes, _mm512_set1_epi8(b'\t' as i8));
    is(bytes, b' ') | _mm512_cmplt_epu8_mask(from_tab, _mm512_set1_epi8(5))
}

/// Mask of the first bytes of multi-byte spaces, and of bytes in the last two positions that may begin one.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
fn wide_spaces(bytes: __m512i) -> u64 {
    let from_e1 = _mm512_sub_epi8(bytes, _mm512_set1_epi8(0xE1_u8 as i8));
    let three_bytes = _mm512_cmplt_epu8_mask(from_e1, _mm512_set1_epi8(3));
    let two_bytes = is(bytes, 0xC2);
    if three_bytes | two_bytes == 0 {
        return 0;
    }
    let second = _mm512_maskz_compress_epi8(!0b1, bytes);
    let third = _mm512_maskz_compress_epi8(!0b11, bytes);
    let is_of_2000 = _mm512_cmplt_epu8_mask(third, _mm512_set1_epi8(0x8B_u8 as i8))
        | is(third, 0xA8)
        | is(third, 0xA9)
        | is(third, 0xAF);
    let after_80 = is(second, 0x80);
    two_bytes & (is(second, 0x85) | is(second, 0xA0))
        | is(bytes, 0xE1) & is(second, 0x9A) & is(third, 0x80)
        | is(bytes, 0xE2) & (after_80 & is_of_2000 | is(second, 0x81) & is(third, 0x9F))
        | is(bytes, 0xE3) & after_80 & is(third, 0x80)
        | (three_bytes | two_bytes) & 0b11 << 62
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn is(bytes: __m512i, byte: u8) -> u64 {
    _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(byte as i8))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: the array has as many bytes as are loaded, wherever it lies.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

/// Loads fewer than 64 bytes, followed by zeros.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_filled(bytes: &[u8]) -> __m512i {
    let mut filled = [0; 64];
    filled[..bytes.len()].copy_from_slice(bytes);
    load(&filled)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store(bytes: &mut [u8; 64], register: __m512i) {
    // SAFETY: the array has room for as many bytes as are stored, wherever it lies.
    unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), register) }
}
