//! Hashes eight windows at a time, with AVX-512.
//!
//! `xxh3_64` has separate formulas for inputs of 4 to 8 and of 9 to 16 bytes (`XXH3_len_4to8_64b` and
//! `XXH3_len_9to16_64b` of the reference implementation). Both read only the first and the last bytes of the input, so
//! neighbouring windows are shuffles of one load:
//!
//! ```text
//! first = bytes 0..8 ^ FIRST_KEY;  last = bytes size−8..size ^ LAST_KEY
//! sum   = size + swap_bytes(first) + last + (low half of first · last ^ high half)
//! hash  = avalanche(sum)
//! ```
//!
//! Each product of two 64-bit numbers is computed from four products of 32-bit numbers.

#![allow(unsafe_code)] // calls of functions compiled for an instruction set that was detected; registers loaded and stored

use std::arch::x86_64::*;

use super::{HashWindows, scalar};

/// Windows per load.
const LANES: usize = 8;

/// The 64-bit words of the secret of `xxh3_64` that the formulas use, from byte 8 on.
const SECRET: [u64; 6] = [
    0x1CAD_21F7_2C81_017C,
    0xDB97_9083_E96D_D4DE,
    0x1F67_B3B7_A4A4_4072,
    0x78E5_C0CC_4EE6_79CB,
    0x2172_FFCC_7DD0_5A82,
    0x8E24_43F7_7446_08B8,
];
const SHORT_KEY: u64 = SECRET[0] ^ SECRET[1];
const FIRST_KEY: u64 = SECRET[2] ^ SECRET[3];
const LAST_KEY: u64 = SECRET[4] ^ SECRET[5];

pub(super) fn available() -> Vec<(&'static str, HashWindows)> {
    let mut kernels: Vec<(&'static str, HashWindows)> = Vec::new();
    if is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vbmi")
    {
        // SAFETY: the processor has just been found to have AVX-512 F, DQ, BW and VBMI.
        kernels.push(("avx512", |run, size, hashes| unsafe { avx512(run, size, hashes) }));
    }
    kernels
}

#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vbmi")]
fn avx512(run: &[u8], size: usize, hashes: &mut Vec<u64>) {
    match size {
        4..=8 => {
            // The last four bytes become the low half, the first four the high half.
            let ends = lanes(|byte| if byte < 4 { size - 4 + byte } else { byte - 4 });
            for_each_eight(run, size, hashes, |bytes| avalanche_4to8(_mm512_permutexvar_epi8(ends, bytes), size));
        }
        9..=16 => {
            let (first, swapped) = (lanes(|byte| byte), lanes(|byte| 7 - byte));
            let last = lanes(|byte| size - 8 + byte);
            let hash = |bytes| {
                let of = |numbers, key: u64| {
                    _mm512_xor_si512(_mm512_permutexvar_epi8(numbers, bytes), _mm512_set1_epi64(key as i64))
                };
                let last = of(last, LAST_KEY);
                let product = folded_product(of(first, FIRST_KEY), last);
                let sum = _mm512_add_epi64(of(swapped, FIRST_KEY.swap_bytes()), _mm512_set1_epi64(size as i64));
                avalanche(_mm512_add_epi64(_mm512_add_epi64(sum, last), product))
            };
            for_each_eight(run, size, hashes, hash);
        }
        _ => scalar(run, size, hashes),
    }
}

/// Appends the hashes of all windows, eight at a time, each eight from the 64 bytes that begin with their first window.
#[inline]
#[target_feature(enable = "avx512f")]
fn for_each_eight(run: &[u8], size: usize, hashes: &mut Vec<u64>, hash: impl Fn(__m512i) -> __m512i) {
    let start = hashes.len();
    hashes.resize(start + run.len() + 1 - size, 0);
    let (eights, _) = hashes[start..].as_chunks_mut();
    let mut done = 0;
    for (bytes, eight) in run.windows(64).step_by(LANES).zip(eights) {
        store(eight, hash(load(bytes.first_chunk().expect("a whole load"))));
        done += LANES;
    }
    // The last loads would reach beyond the run, so its end is copied into a padded buffer.
    let mut filled = [0; 128];
    filled[..run.len() - done].copy_from_slice(&run[done..]);
    for (bytes, last) in filled.windows(64).step_by(LANES).zip(hashes[start + done..].chunks_mut(LANES)) {
        let mut eight = [0; LANES];
        store(&mut eight, hash(load(bytes.first_chunk().expect("a whole load"))));
        last.copy_from_slice(&eight[..last.len()]);
    }
}

/// The byte indices of all eight windows. `number` gives the indices in the first window, and each further window
/// begins one byte later.
#[inline]
#[target_feature(enable = "avx512f")]
fn lanes(number: impl Fn(usize) -> usize) -> __m512i {
    let mut numbers = [0; 64];
    for (window, numbers) in numbers.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        *numbers = std::array::from_fn(|byte| (window + number(byte)) as u8);
    }
    load(&numbers)
}

/// XOR of the two halves of each 128-bit product of two 64-bit numbers.
#[inline]
#[target_feature(enable = "avx512f")]
fn folded_product(a: __m512i, b: __m512i) -> __m512i {
    let high_half = |x| _mm512_srli_epi64::<32>(x);
    let (a_high, b_high) = (high_half(a), high_half(b));
    let low = _mm512_mul_epu32(a, b);
    // No sum wraps: (2³² − 1)² + 2³² − 1 is below 2⁶⁴.
    let mid = _mm512_add_epi64(_mm512_mul_epu32(a_high, b), high_half(low));
    let mid_low = _mm512_and_si512(mid, _mm512_set1_epi64(0xFFFF_FFFF));
    let other_mid = _mm512_add_epi64(_mm512_mul_epu32(a, b_high), mid_low);
    let high = _mm512_add_epi64(_mm512_mul_epu32(a_high, b_high), high_half(mid));
    let high = _mm512_add_epi64(high, high_half(other_mid));
    let low = _mm512_mask_blend_epi32(0xAAAA, low, _mm512_slli_epi64::<32>(other_mid));
    _mm512_xor_si512(high, low)
}

/// The function `XXH3_avalanche` of the reference implementation.
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn avalanche(hash: __m512i) -> __m512i {
    let hash = _mm512_xor_si512(hash, _mm512_srli_epi64::<37>(hash));
    let hash = _mm512_mullo_epi64(hash, _mm512_set1_epi64(0x1656_6791_9E37_79F9));
    _mm512_xor_si512(hash, _mm512_srli_epi64::<32>(hash))
}

/// The hash of inputs of 4 to 8 bytes: `XXH3_rrmxmx` of their ends and a key.
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn avalanche_4to8(ends: __m512i, size: usize) -> __m512i {
    let multiply = |hash| _mm512_mullo_epi64(hash, _mm512_set1_epi64(0x9FB2_1C65_1E98_DF25_u64 as i64));
    let hash = _mm512_xor_si512(ends, _mm512_set1_epi64(SHORT_KEY as i64));
    let rotated = _mm512_xor_si512(_mm512_rol_epi64::<49>(hash), _mm512_rol_epi64::<24>(hash));
    let hash = multiply(_mm512_xor_si512(hash, rotated));
    let shifted = _mm512_add_epi64(_mm512_srli_epi64::<35>(hash), _mm512_set1_epi64(size as i64));
    let hash = multiply(_mm512_xor_si512(hash, shifted));
    _mm512_xor_si512(hash, _mm512_srli_epi64::<28>(hash))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: the array has as many bytes as are loaded, wherever it lies.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store(hashes: &mut [u64; LANES], register: __m512i) {
    // SAFETY: the array has room for as many bytes as are stored, wherever it lies.
    unsafe { _mm512_storeu_si512(hashes.as_mut_ptr().cast(), register) }
}
