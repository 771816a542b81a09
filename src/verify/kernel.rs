//! Popcounts with the instructions of the processor at hand; every variant is the scalar function, compiled again.

#![allow(unsafe_code)] // calls of functions compiled for an instruction set that was detected

use std::sync::LazyLock;

/// Counts the bits that differ between two maps of one length.
pub(super) type CountDifferences = fn(&[u64], &[u64]) -> usize;

/// The number of bits that differ between two maps of one length.
pub(super) fn count_differences(a: &[u64], b: &[u64]) -> usize {
    static BEST: LazyLock<CountDifferences> = LazyLock::new(|| available().last().expect("scalar runs everywhere").1);
    BEST(a, b)
}

/// Every implementation that this processor can run, by name, the definition first and the fastest last.
pub(super) fn available() -> Vec<(&'static str, CountDifferences)> {
    let mut kernels: Vec<(&'static str, CountDifferences)> = vec![("scalar", scalar)];
    kernels.extend(for_this_processor());
    kernels
}

/// Elsewhere the baseline of the target is what there is.
#[cfg(not(target_arch = "x86_64"))]
fn for_this_processor() -> Vec<(&'static str, CountDifferences)> {
    Vec::new()
}

#[cfg(target_arch = "x86_64")]
fn for_this_processor() -> Vec<(&'static str, CountDifferences)> {
    let mut kernels: Vec<(&'static str, CountDifferences)> = Vec::new();
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
    assert_eq!(a.len(), b.len(), "maps of one length");
    a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones() as usize).sum()
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
        fn every_kernel_equals_the_scalar_one(maps in prop::collection::vec(any::<(u64, u64)>(), 0..70)) {
            let (a, b): (Vec<u64>, Vec<u64>) = maps.into_iter().unzip();
            for (name, count_differences) in available() {
                prop_assert_eq!(count_differences(&a, &b), scalar(&a, &b), "{}", name);
            }
        }
    }
}
