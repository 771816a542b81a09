//! Comparison of sketches with the fastest instructions of the processor. Every variant is the scalar
//! function, compiled for another instruction set.

#![allow(unsafe_code)] // calls of functions compiled for an instruction set that was detected

use std::sync::LazyLock;

/// Checks whether two sketches differ in more bits than allowed.
pub(super) type DifferByMoreThan = fn(&[u64], &[u64], usize) -> bool;

/// Whether more than `most` bits differ between a sketch and a larger one whose parts are combined by XOR.
///
/// # Panics
/// When the larger length is not a multiple of the smaller.
#[inline]
pub(super) fn differ_by_more_than(small: &[u64], large: &[u64], most: usize) -> bool {
    static BEST: LazyLock<DifferByMoreThan> = LazyLock::new(|| available().last().expect("scalar runs everywhere").1);
    BEST(small, large, most)
}

/// Every implementation that this processor can run, with its name: the reference first and the fastest last.
pub(super) fn available() -> Vec<(&'static str, DifferByMoreThan)> {
    let mut kernels: Vec<(&'static str, DifferByMoreThan)> = vec![("scalar", scalar)];
    kernels.extend(for_this_processor());
    kernels
}

/// Other architectures only have the scalar function.
#[cfg(not(target_arch = "x86_64"))]
fn for_this_processor() -> Vec<(&'static str, DifferByMoreThan)> {
    Vec::new()
}

#[cfg(target_arch = "x86_64")]
fn for_this_processor() -> Vec<(&'static str, DifferByMoreThan)> {
    let mut kernels: Vec<(&'static str, DifferByMoreThan)> = Vec::new();
    if is_x86_feature_detected!("popcnt") {
        // SAFETY: the processor has just been found to have POPCNT.
        kernels.push(("popcnt", |small, large, most| unsafe { popcnt(small, large, most) }));
    }
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
        // SAFETY: the processor has just been found to have AVX2 and POPCNT.
        kernels.push(("avx2", |small, large, most| unsafe { avx2(small, large, most) }));
    }
    if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vpopcntdq") {
        // SAFETY: the processor has just been found to have AVX-512 F and VPOPCNTDQ.
        kernels.push(("avx512", |small, large, most| unsafe { avx512(small, large, most) }));
    }
    kernels
}

#[inline(always)]
fn scalar(small: &[u64], large: &[u64], most: usize) -> bool {
    assert!(large.len().is_multiple_of(small.len()), "a larger sketch is whole parts");
    /// Words between two checks of the count.
    const RUN: usize = 16;
    let mut differences = 0;
    let (runs, rest) = small.as_chunks::<RUN>();
    for (start, run) in (0..).step_by(RUN).zip(runs) {
        let mut words = *run;
        for part in large.chunks_exact(small.len()) {
            let part = part[start..].first_chunk::<RUN>().expect("parts are as long as the smaller");
            words.iter_mut().zip(part).for_each(|(word, part)| *word ^= part);
        }
        differences += words.iter().map(|word| word.count_ones() as usize).sum::<usize>();
        if differences > most {
            return true;
        }
    }
    for (index, word) in (small.len() - rest.len()..).zip(rest) {
        let folded = large[index..].iter().step_by(small.len()).fold(*word, |word, part| word ^ part);
        differences += folded.count_ones() as usize;
    }
    differences > most
}
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt")]
fn popcnt(small: &[u64], large: &[u64], most: usize) -> bool {
    scalar(small, large, most)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
fn avx2(small: &[u64], large: &[u64], most: usize) -> bool {
    scalar(small, large, most)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
fn avx512(small: &[u64], large: &[u64], most: usize) -> bool {
    scalar(small, large, most)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_kernel_counts_the_bits_that_differ(
            small in prop::collection::vec(any::<u64>(), 1..70),
            flips in prop::collection::vec(any::<u64>(), 280),
            num_parts in 1usize..5,
        ) {
            // The first part cancels the others, except for some flipped bits.
            let rest: Vec<u64> = flips.iter().copied().take((num_parts - 1) * small.len()).collect();
            let mut first = small.clone();
            for part in rest.chunks(small.len()) {
                first.iter_mut().zip(part).for_each(|(word, part)| *word ^= part);
            }
            let masks: Vec<u64> = flips.iter().rev().zip(&small).map(|(flip, word)| flip & word & !(word >> 7)).collect();
            first.iter_mut().zip(&masks).for_each(|(word, mask)| *word ^= mask);
            let large = [first, rest].concat();
            let differences = masks.iter().map(|mask| mask.count_ones() as usize).sum::<usize>();
            for (name, differ_by_more_than) in available() {
                for most in [0, differences.saturating_sub(1), differences, differences + 1] {
                    prop_assert_eq!(differ_by_more_than(&small, &large, most), differences > most, "{}", name);
                }
            }
        }
    }
}
