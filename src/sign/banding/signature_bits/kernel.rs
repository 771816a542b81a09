//! Compares the bits of one signature with the bits of many, with the fastest instructions of the processor. Every variant
//! is the scalar function, compiled for another instruction set.

#![allow(unsafe_code)] // calls of functions compiled for an instruction set that was detected

use std::sync::LazyLock;

use super::{BITS, SignatureBits};
use crate::base::flat::prefetch::AHEAD;
use crate::documents::document::DocId;

/// Removes the candidates of a text that the filter excludes, from a position in the list on.
type Retain = fn(&SignatureBits, DocId, &mut Vec<DocId>, usize);

pub(super) fn retain(bits: &SignatureBits, text: DocId, candidates: &mut Vec<DocId>, start: usize) {
    static BEST: LazyLock<Retain> = LazyLock::new(|| available().last().expect("scalar runs everywhere").1);
    BEST(bits, text, candidates, start);
}

/// Every implementation that this processor can run, with its name: the reference first and the fastest last.
pub(super) fn available() -> Vec<(&'static str, Retain)> {
    let mut kernels: Vec<(&'static str, Retain)> = vec![("scalar", scalar)];
    kernels.extend(for_this_processor());
    kernels
}

/// Other architectures only have the scalar function.
#[cfg(not(target_arch = "x86_64"))]
fn for_this_processor() -> Vec<(&'static str, Retain)> {
    Vec::new()
}

#[cfg(target_arch = "x86_64")]
fn for_this_processor() -> Vec<(&'static str, Retain)> {
    let mut kernels: Vec<(&'static str, Retain)> = Vec::new();
    if is_x86_feature_detected!("popcnt") {
        // SAFETY: the processor has just been found to have POPCNT.
        kernels.push(("popcnt", |bits, text, candidates, start| unsafe { popcnt(bits, text, candidates, start) }));
    }
    kernels
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt")]
fn popcnt(bits: &SignatureBits, text: DocId, candidates: &mut Vec<DocId>, start: usize) {
    scalar(bits, text, candidates, start);
}

#[inline(always)]
fn scalar(bits: &SignatureBits, text: DocId, candidates: &mut Vec<DocId>, start: usize) {
    let plane_len = bits.bytes_of_plane();
    candidates[start..].iter().take(AHEAD).for_each(|&soon| bits.prefetch(soon));
    match plane_len.div_ceil(8) {
        1 => in_words::<1>(bits, text, candidates, start, plane_len),
        2 => in_words::<2>(bits, text, candidates, start, plane_len),
        3 => in_words::<3>(bits, text, candidates, start, plane_len),
        4 => in_words::<4>(bits, text, candidates, start, plane_len),
        _ => in_any_words(bits, text, candidates, start, plane_len),
    }
}

/// Reads a word of a plane. `num_words` words cover a plane, and the last one ends with it.
#[inline(always)]
fn word(row: &[u8], plane: usize, plane_len: usize, number: usize, num_words: usize) -> u64 {
    let in_plane = if number + 1 == num_words { plane_len - 8 } else { 8 * number };
    let start = plane * plane_len + in_plane;
    u64::from_le_bytes(row[start..start + 8].try_into().expect("8 bytes"))
}

/// The bits of the last word of a plane that no word before it has.
#[inline(always)]
fn last_mask(plane_len: usize, num_words: usize) -> u64 {
    u64::MAX << (8 * (8 * num_words - plane_len))
}

/// The words of each plane of a signature.
#[inline(always)]
fn planes<const WORDS: usize>(row: &[u8], plane_len: usize) -> [[u64; WORDS]; BITS] {
    let mut planes = [[0; WORDS]; BITS];
    for (plane, words) in planes.iter_mut().enumerate() {
        for (number, read) in words.iter_mut().enumerate() {
            *read = word(row, plane, plane_len, number, WORDS);
        }
    }
    planes
}

/// Compares signatures whose planes have `WORDS` words, which stay in registers.
// Closures would not be compiled for the instruction set of the caller, so these are loops.
#[inline(always)]
fn in_words<const WORDS: usize>(
    bits: &SignatureBits,
    text: DocId,
    candidates: &mut Vec<DocId>,
    start: usize,
    plane_len: usize,
) {
    let own: [[u64; WORDS]; BITS] = planes(bits.row(text), plane_len);
    let (mask, most_different) = (last_mask(plane_len, WORDS), bits.most_different());
    let mut end = start;
    for at in start..candidates.len() {
        let candidate = candidates[at];
        if let Some(&soon) = candidates.get(at + AHEAD) {
            bits.prefetch(soon);
        }
        let other: [[u64; WORDS]; BITS] = planes(bits.row(candidate), plane_len);
        let mut num_different = 0;
        for word in 0..WORDS {
            let mut different = 0;
            for plane in 0..BITS {
                different |= own[plane][word] ^ other[plane][word];
            }
            num_different += (if word + 1 == WORDS { different & mask } else { different }).count_ones();
        }
        candidates[end] = candidate;
        end += usize::from(num_different <= most_different);
    }
    candidates.truncate(end);
}

/// Compares signatures of any length.
#[inline(always)]
fn in_any_words(bits: &SignatureBits, text: DocId, candidates: &mut Vec<DocId>, start: usize, plane_len: usize) {
    let (own, num_words) = (bits.row(text), plane_len.div_ceil(8));
    let (mask, most_different) = (last_mask(plane_len, num_words), bits.most_different());
    let mut end = start;
    for at in start..candidates.len() {
        let candidate = candidates[at];
        if let Some(&soon) = candidates.get(at + AHEAD) {
            bits.prefetch(soon);
        }
        let other = bits.row(candidate);
        let mut num_different = 0;
        for number in 0..num_words {
            let mut different = 0;
            for plane in 0..BITS {
                different |=
                    word(own, plane, plane_len, number, num_words) ^ word(other, plane, plane_len, number, num_words);
            }
            num_different += (if number + 1 == num_words { different & mask } else { different }).count_ones();
        }
        candidates[end] = candidate;
        end += usize::from(num_different <= most_different);
    }
    candidates.truncate(end);
}
