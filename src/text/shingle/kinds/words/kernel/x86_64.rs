//! Finds and joins the words of ASCII text 64 bytes at a time, with AVX2 or AVX-512.

#![allow(unsafe_code)] // calls of functions compiled for an instruction set that was detected; registers loaded and stored

use std::arch::x86_64::*;

use super::{Classes, JoinWords, JoinedWords, Marks};

pub(super) fn available() -> Vec<(&'static str, JoinWords)> {
    let mut kernels: Vec<(&'static str, JoinWords)> = Vec::new();
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi1") {
        // SAFETY: the processor has just been found to have AVX2 and BMI1.
        kernels.push(("avx2", |text, joined| unsafe { avx2(text, joined) }));
    }
    if is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt")
    {
        // SAFETY: the processor has just been found to have AVX-512 F, BW, VBMI and VBMI2, BMI1 and 2, and POPCNT.
        kernels.push(("avx512", |text, joined| unsafe { avx512(text, joined) }));
    }
    kernels
}

/// Marks the bytes of words, and copies one word after another.
#[target_feature(enable = "avx2,bmi1")]
fn avx2(text: &[u8], joined: &mut JoinedWords) {
    joined.reserve(text.len() + JoinedWords::ROOM, text.len() / 2 + 1);
    let mut marks = Marks::new(text);
    // Start of a word whose end was not found yet.
    let mut start = None;
    for chunk in chunks(text) {
        let (at, after_word) = (marks.at, marks.after_word);
        let word = marks.words(classify(&chunk));
        // The bits alternate between the first byte of a word and the byte after it.
        let mut edges = word ^ (word << 1 | after_word);
        while edges != 0 {
            let edge = at + edges.trailing_zeros() as usize;
            edges &= edges - 1;
            match start.take() {
                None => start = Some(edge),
                Some(start) => joined.push_of(text, start..edge),
            }
        }
    }
}

#[target_feature(enable = "avx2")]
fn classify(chunk: &[u8; 64]) -> Classes {
    let (halves, _) = chunk.as_chunks::<32>();
    let [low, high] = [0, 1].map(|half: usize| {
        let bytes = load256(&halves[half]);
        let is = |byte: u8| _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(byte as i8));
        // The comparison is unsigned, so values below the range wrap around to above it.
        let between = |bytes, first: u8, last: u8| {
            let from_first = _mm256_sub_epi8(bytes, _mm256_set1_epi8(first as i8));
            _mm256_cmpeq_epi8(_mm256_min_epu8(from_first, _mm256_set1_epi8((last - first) as i8)), from_first)
        };
        let small = _mm256_or_si256(bytes, _mm256_set1_epi8(0x20));
        let or = |a, b| _mm256_or_si256(a, b);
        let mid_both = or(is(b'.'), is(b'\''));
        [
            between(small, b'a', b'z'),
            between(bytes, b'0', b'9'),
            is(b'_'),
            or(mid_both, is(b':')),
            or(mid_both, or(is(b','), is(b';'))),
        ]
        .map(|class| u64::from(_mm256_movemask_epi8(class) as u32))
    });
    let of = |class: usize| low[class] | high[class] << 32;
    Classes { letters: of(0), digits: of(1), low_lines: of(2), mid_letters: of(3), mid_digits: of(4) }
}

/// Classifies bytes with tables, and writes the bytes of all words of a chunk at once.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
fn avx512(text: &[u8], joined: &mut JoinedWords) {
    joined.reserve(text.len() + JoinedWords::ROOM, text.len() / 2 + JoinedWords::ROOM);
    let tables = CLASSES.each_ref().map(|table| load512(table));
    let numbers = load512(&NUMBERS);
    let mut marks = Marks::new(text);
    for chunk in chunks(text) {
        let bytes = load512(&chunk);
        let classes = _mm512_permutex2var_epi8(tables[0], bytes, tables[1]);
        let of = |class: u8| _mm512_test_epi8_mask(classes, _mm512_set1_epi8(class as i8));
        let after_word = marks.after_word;
        let word = marks.words(Classes {
            letters: of(LETTER),
            digits: of(DIGIT),
            low_lines: of(LOW_LINE),
            mid_letters: of(MID_LETTER),
            mid_digits: of(MID_DIGIT),
        });
        // The byte after each word is replaced by a space, which is kept.
        let behind = (word << 1 | after_word) & !word;
        let kept = word | behind;
        let spaced = _mm512_mask_blend_epi8(behind, bytes, _mm512_set1_epi8(b' ' as i8));
        let spaces = _pext_u64(behind, kept);
        let count = spaces.count_ones() as usize;
        let mut positions = [0; 64];
        store512(&mut positions, _mm512_maskz_compress_epi8(spaces, numbers));
        let next = joined.len + 1;
        let starts = &mut joined.starts[joined.num_words + 1..];
        for (eight, starts) in
            positions.as_chunks::<8>().0.iter().zip(starts.as_chunks_mut::<8>().0).take(count.div_ceil(8))
        {
            *starts = eight.map(|position| next + usize::from(position));
        }
        let out = joined.bytes[joined.len..].first_chunk_mut().expect("room was made");
        store512(out, _mm512_maskz_compress_epi8(kept, spaced));
        joined.num_words += count;
        joined.len += kept.count_ones() as usize;
    }
}

/// The text in chunks. The last chunk is padded with at least one zero, which ends the last word.
#[inline(always)]
fn chunks(text: &[u8]) -> impl Iterator<Item = [u8; 64]> {
    let (chunks, rest) = text.as_chunks::<64>();
    let mut last = [0; 64];
    last[..rest.len()].copy_from_slice(rest);
    chunks.iter().copied().chain([last])
}

const LETTER: u8 = 1;
const DIGIT: u8 = 2;
const LOW_LINE: u8 = 4;
const MID_LETTER: u8 = 8;
const MID_DIGIT: u8 = 16;

/// The classes of all ASCII bytes.
const CLASSES: [[u8; 64]; 2] = {
    let mut classes = [[0; 64]; 2];
    let mut byte = 0;
    while byte < 128 {
        classes[byte as usize / 64][byte as usize % 64] = match byte {
            b'a'..=b'z' | b'A'..=b'Z' => LETTER,
            b'0'..=b'9' => DIGIT,
            b'_' => LOW_LINE,
            b'.' | b'\'' => MID_LETTER | MID_DIGIT,
            b':' => MID_LETTER,
            b',' | b';' => MID_DIGIT,
            _ => 0,
        };
        byte += 1;
    }
    classes
};

const NUMBERS: [u8; 64] = {
    let mut numbers = [0; 64];
    let mut number = 0;
    while number < 64 {
        numbers[number] = number as u8;
        number += 1;
    }
    numbers
};

#[inline]
#[target_feature(enable = "avx2")]
fn load256(bytes: &[u8; 32]) -> __m256i {
    // SAFETY: the array has as many bytes as are loaded, wherever it lies.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load512(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: the array has as many bytes as are loaded, wherever it lies.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store512(bytes: &mut [u8; 64], register: __m512i) {
    // SAFETY: the array has room for as many bytes as are stored, wherever it lies.
    unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), register) }
}
