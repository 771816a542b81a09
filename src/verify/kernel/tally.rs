//! What one document shares with up to many others: the weight of each of its classes added for every document that the
//! class holds, 64 documents a word, with the instructions of the processor at hand; every variant is the scalar function,
//! compiled again.

use std::sync::LazyLock;

/// Adds the weight of each of some classes to the count of every document that the class holds.
///
/// * `masks`: `num_words` words for each class, a bit for each document.
/// * `classes`: their numbers.
/// * `weights`: by number of the class.
/// * `counts`: 64 for each word.
pub(in crate::verify) type AddWeights = fn(&[u64], usize, &[u32], &[u32], &mut [u32]);

/// As [`AddWeights`], by the fastest implementation.
#[inline]
pub(in crate::verify) fn add_weights(
    masks: &[u64],
    num_words: usize,
    classes: &[u32],
    weights: &[u32],
    counts: &mut [u32],
) {
    static BEST: LazyLock<AddWeights> = LazyLock::new(|| available().last().expect("scalar runs everywhere").1);
    BEST(masks, num_words, classes, weights, counts);
}

/// Every implementation that this processor can run, by name, the definition first and the fastest last.
pub(in crate::verify) fn available() -> Vec<(&'static str, AddWeights)> {
    let mut kernels: Vec<(&'static str, AddWeights)> = vec![("scalar", scalar)];
    kernels.extend(for_this_processor());
    kernels
}

/// Elsewhere the baseline of the target is what there is.
#[cfg(not(target_arch = "x86_64"))]
fn for_this_processor() -> Vec<(&'static str, AddWeights)> {
    Vec::new()
}

#[cfg(target_arch = "x86_64")]
fn for_this_processor() -> Vec<(&'static str, AddWeights)> {
    let mut kernels: Vec<(&'static str, AddWeights)> = Vec::new();
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has just been found to have AVX2.
        kernels.push(("avx2", |a, b, c, d, e| unsafe { avx2(a, b, c, d, e) }));
    }
    if is_x86_feature_detected!("avx512f") {
        // SAFETY: the processor has just been found to have AVX-512 F.
        kernels.push(("avx512", |a, b, c, d, e| unsafe { avx512(a, b, c, d, e) }));
    }
    kernels
}

#[inline(always)]
fn scalar(masks: &[u64], num_words: usize, classes: &[u32], weights: &[u32], counts: &mut [u32]) {
    for (word, counts) in counts.as_chunks_mut::<64>().0.iter_mut().enumerate().take(num_words) {
        // In registers while all classes are added.
        let mut sums = *counts;
        for &class in classes {
            let mask = masks[num_words * class as usize + word];
            if mask == 0 {
                continue;
            }
            let weight = weights[class as usize];
            let (low, high) = sums.split_at_mut(32);
            for (half, sums) in [(mask as u32, low), ((mask >> 32) as u32, high)] {
                for (bit, sum) in sums.iter_mut().enumerate() {
                    *sum += if half & (1 << bit) != 0 { weight } else { 0 };
                }
            }
        }
        *counts = sums;
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2(masks: &[u64], num_words: usize, classes: &[u32], weights: &[u32], counts: &mut [u32]) {
    scalar(masks, num_words, classes, weights, counts);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn avx512(masks: &[u64], num_words: usize, classes: &[u32], weights: &[u32], counts: &mut [u32]) {
    scalar(masks, num_words, classes, weights, counts);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_kernel_adds_bit_by_bit(
            num_words in 1usize..5,
            bits in prop::collection::vec(any::<u64>(), 4 * 30),
            weights in prop::collection::vec(0u32..1000, 30),
            classes in prop::collection::hash_set(0u32..30, 0..30),
        ) {
            let masks = &bits[..30 * num_words];
            let classes: Vec<u32> = classes.into_iter().collect();
            let mut expected = vec![7; 64 * num_words];
            for &class in &classes {
                for (document, count) in expected.iter_mut().enumerate() {
                    let word = masks[class as usize * num_words + document / 64];
                    *count += (word >> (document % 64) & 1) as u32 * weights[class as usize];
                }
            }
            for (name, add_weights) in available() {
                let mut counts = vec![7; 64 * num_words];
                add_weights(masks, num_words, &classes, &weights, &mut counts);
                prop_assert_eq!(&counts, &expected, "{}", name);
            }
        }
    }
}
