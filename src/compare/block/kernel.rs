//! Counts the bits set in both of two rows of words with the fastest instructions of the processor. Every variant is
//! the scalar function, compiled for another instruction set.

#![allow(unsafe_code)] // calls of functions compiled for an instruction set that was detected

use std::sync::LazyLock;

/// Counts the bits set in both of two lists of words of the same length. The third argument is the end of each part of the
/// lists; a bit of a part counts twice as much as a bit of the part before.
pub(super) type Overlap = fn(&[u64], &[u64], &[usize]) -> u64;

/// Number of bits set in both of two lists of words; words beyond the shorter list count as 0.
#[inline]
pub(super) fn overlap(a: &[u64], b: &[u64]) -> u64 {
    let len = a.len().min(b.len());
    overlap_of_parts(&a[..len], &b[..len], &[len])
}

/// The sum of the bits set in both of two lists of words of the same length, where a bit of a part counts twice as much as
/// a bit of the part before.
///
/// * `ends`: the end of each part.
#[inline]
pub(super) fn overlap_of_parts(a: &[u64], b: &[u64], ends: &[usize]) -> u64 {
    static BEST: LazyLock<Overlap> = LazyLock::new(|| available().last().expect("scalar runs everywhere").1);
    BEST(a, b, ends)
}

/// Every implementation that this processor can run, with its name: the reference first and the fastest last.
pub(super) fn available() -> Vec<(&'static str, Overlap)> {
    let mut kernels: Vec<(&'static str, Overlap)> = vec![("scalar", scalar)];
    kernels.extend(for_this_processor());
    kernels
}

/// Other architectures only have the scalar function.
#[cfg(not(target_arch = "x86_64"))]
fn for_this_processor() -> Vec<(&'static str, Overlap)> {
    Vec::new()
}

#[cfg(target_arch = "x86_64")]
fn for_this_processor() -> Vec<(&'static str, Overlap)> {
    let mut kernels: Vec<(&'static str, Overlap)> = Vec::new();
    if is_x86_feature_detected!("popcnt") {
        // SAFETY: the processor has just been found to have POPCNT.
        kernels.push(("popcnt", |a, b, ends| unsafe { popcnt(a, b, ends) }));
    }
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
        // SAFETY: the processor has just been found to have AVX2 and POPCNT.
        kernels.push(("avx2", |a, b, ends| unsafe { avx2(a, b, ends) }));
    }
    if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vpopcntdq") {
        // SAFETY: the processor has just been found to have AVX-512 F and VPOPCNTDQ.
        kernels.push(("avx512", |a, b, ends| unsafe { avx512(a, b, ends) }));
    }
    kernels
}

#[inline(always)]
fn scalar(a: &[u64], b: &[u64], ends: &[usize]) -> u64 {
    let (mut start, mut sum) = (0, 0);
    for (part, &end) in (0..).zip(ends) {
        // A loop, since the functions of iterators may be compiled without the instruction set of this one.
        let mut bits = 0;
        for (a, b) in a[start..end].iter().zip(&b[start..end]) {
            bits += u64::from((a & b).count_ones());
        }
        sum += bits << part;
        start = end;
    }
    sum
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt")]
fn popcnt(a: &[u64], b: &[u64], ends: &[usize]) -> u64 {
    scalar(a, b, ends)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
fn avx2(a: &[u64], b: &[u64], ends: &[usize]) -> u64 {
    scalar(a, b, ends)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
fn avx512(a: &[u64], b: &[u64], ends: &[usize]) -> u64 {
    scalar(a, b, ends)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_kernel_counts_the_bits_that_both_have(
            rows in prop::collection::vec((any::<u64>(), any::<u64>()), 0..100),
            cuts in prop::collection::vec(0usize..100, 0..5),
        ) {
            let (a, b): (Vec<u64>, Vec<u64>) = rows.into_iter().unzip();
            let mut ends: Vec<usize> = cuts.iter().map(|&cut| cut.min(a.len())).chain([a.len()]).collect();
            ends.sort_unstable();
            let bit = |words: &[u64], bit: usize| words[bit / 64] >> (bit % 64) & 1 == 1;
            let part = |at: usize| ends.iter().position(|&end| at / 64 < end).expect("the last part ends with the row");
            let both = (0..64 * a.len()).filter(|&at| bit(&a, at) && bit(&b, at));
            let expected = both.map(|at| 1 << part(at)).sum::<u64>();
            for (name, overlap) in available() {
                prop_assert_eq!(overlap(&a, &b, &ends), expected, "{}", name);
            }
        }
    }
}
