//! Counts the bits set in both of two rows of words with the fastest instructions of the processor. Every variant is
//! the scalar function, compiled for another instruction set.

use std::sync::LazyLock;

/// Counts the bits set in both of two lists of words of the same length.
pub(in crate::compare::verify) type Overlap = fn(&[u64], &[u64]) -> usize;

/// Number of bits set in both of two lists of words; words beyond the shorter list count as 0.
#[inline]
pub(in crate::compare::verify) fn overlap(a: &[u64], b: &[u64]) -> usize {
    static BEST: LazyLock<Overlap> = LazyLock::new(|| available().last().expect("scalar runs everywhere").1);
    BEST(a, b)
}

/// Every implementation that this processor can run, with its name: the reference first and the fastest last.
pub(in crate::compare::verify) fn available() -> Vec<(&'static str, Overlap)> {
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
        kernels.push(("popcnt", |a, b| unsafe { popcnt(a, b) }));
    }
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
        // SAFETY: the processor has just been found to have AVX2 and POPCNT.
        kernels.push(("avx2", |a, b| unsafe { avx2(a, b) }));
    }
    if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vpopcntdq") {
        // SAFETY: the processor has just been found to have AVX-512 F and VPOPCNTDQ.
        kernels.push(("avx512", |a, b| unsafe { avx512(a, b) }));
    }
    kernels
}

#[inline(always)]
fn scalar(a: &[u64], b: &[u64]) -> usize {
    a.iter().zip(b).map(|(a, b)| u64::from((a & b).count_ones())).sum::<u64>() as usize
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt")]
fn popcnt(a: &[u64], b: &[u64]) -> usize {
    scalar(a, b)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
fn avx2(a: &[u64], b: &[u64]) -> usize {
    scalar(a, b)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
fn avx512(a: &[u64], b: &[u64]) -> usize {
    scalar(a, b)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_kernel_counts_the_bits_that_both_have(
            rows in prop::collection::vec((any::<u64>(), any::<u64>()), 0..100),
        ) {
            let (a, b): (Vec<u64>, Vec<u64>) = rows.into_iter().unzip();
            let bit = |words: &[u64], bit: usize| words[bit / 64] >> (bit % 64) & 1 == 1;
            let expected = (0..64 * a.len()).filter(|&at| bit(&a, at) && bit(&b, at)).count();
            for (name, overlap) in available() {
                prop_assert_eq!(overlap(&a, &b), expected, "{}", name);
            }
        }
    }
}
