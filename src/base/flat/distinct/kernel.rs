//! The inner loop of [`DistinctHashes`](super::DistinctHashes): looks at a bucket of four slots at once.
//!
//! When slots are probed one by one, the processor cannot predict the number of probes, and each wrong prediction costs
//! as much as twenty instructions. One bucket suffices for nearly every hash.

#![allow(unsafe_code)] // calls of functions compiled for an instruction set that was detected; registers loaded

use std::sync::LazyLock;

use super::{Bucket, SLOTS, VACANT, first_bucket};
use crate::base::flat::prefetch::{AHEAD, prefetch};

/// Inserts the hashes of `block` into the table and writes the new ones to `list` from `len` on; returns the new
/// length. The table needs a vacant slot, and the list a position, for each hash of the block. [`VACANT`] never counts as
/// new.
pub(super) type InsertAll = fn(buckets: &mut [Bucket], list: &mut [u64], len: usize, block: &[u64]) -> usize;

/// The fastest implementation that this processor can run.
#[inline]
pub(super) fn best() -> InsertAll {
    static BEST: LazyLock<InsertAll> = LazyLock::new(|| available().last().expect("scalar runs everywhere").1);
    *BEST
}

/// Names and functions of all implementations that this processor can run, the fastest last.
pub(super) fn available() -> Vec<(&'static str, InsertAll)> {
    let mut kernels: Vec<(&'static str, InsertAll)> =
        vec![("scalar", |buckets, list, len, block| insert_all(look_scalar, buckets, list, len, block))];
    kernels.extend(for_this_processor());
    kernels
}

/// Processors of other architectures only run the portable implementation.
#[cfg(not(target_arch = "x86_64"))]
fn for_this_processor() -> Option<(&'static str, InsertAll)> {
    None
}

/// The AVX2 implementation, if this processor has AVX2 and BMI1. BMI1 counts the trailing zeros.
#[cfg(target_arch = "x86_64")]
fn for_this_processor() -> Option<(&'static str, InsertAll)> {
    let has_both = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi1");
    // SAFETY: the processor has just been found to have AVX2 and BMI1.
    has_both.then_some(("avx2", |buckets, list, len, block| unsafe { avx2(buckets, list, len, block) }))
}

/// Two bit masks over the slots of a bucket: the slots that contain the hash, and the vacant slots.
#[inline(always)]
fn look_scalar(bucket: &Bucket, hash: u64) -> (u32, u32) {
    let bits = |is: fn(u64, u64) -> bool| {
        (0..).zip(bucket.0).fold(0, |bits, (position, slot)| bits | u32::from(is(slot, hash)) << position)
    };
    (bits(|slot, hash| slot == hash), bits(|slot, _| slot == VACANT))
}

#[inline(always)]
fn insert_all(
    look: impl Fn(&Bucket, u64) -> (u32, u32),
    buckets: &mut [Bucket],
    list: &mut [u64],
    mut len: usize,
    block: &[u64],
) -> usize {
    for (at, &hash) in block.iter().enumerate() {
        if let Some(&soon) = block.get(at + AHEAD) {
            prefetch(buckets, first_bucket(soon, buckets.len()));
        }
        let mut number = first_bucket(hash, buckets.len());
        // No processor can predict whether a hash is new, so this takes no branch.
        let is_new = loop {
            let bucket = &mut buckets[number];
            let (found, vacant) = look(bucket, hash);
            if found | vacant != 0 {
                let position = if found == 0 { vacant } else { found }.trailing_zeros() as usize;
                bucket.0[position % SLOTS] = hash;
                break found == 0;
            }
            number = (number + 1) & (buckets.len() - 1);
        };
        list[len] = hash;
        len += usize::from(is_new);
    }
    len
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1")]
fn avx2(buckets: &mut [Bucket], list: &mut [u64], len: usize, block: &[u64]) -> usize {
    use std::arch::x86_64::*;

    let look = |bucket: &Bucket, hash: u64| {
        // SAFETY: a bucket has 32 bytes and is aligned to 32 bytes.
        let slots = unsafe { _mm256_load_si256(bucket.0.as_ptr().cast()) };
        let bits = |of| _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(slots, of))) as u32;
        (bits(_mm256_set1_epi64x(hash as i64)), bits(_mm256_setzero_si256()))
    };
    insert_all(look, buckets, list, len, block)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    /// A hash whose first bucket is the last of 32, computed with the inverse of the factor that spreads hashes.
    fn begins_last(number: u64) -> u64 {
        let hash = (31 << 59 | number).wrapping_mul(0xF1DE_83E1_9937_733D);
        assert_eq!(first_bucket(hash, 32), 31);
        hash
    }

    proptest! {
        #[test]
        fn every_kernel_finds_what_is_new(
            // Some hashes begin at the last bucket, which wraps around to the first: three times as many as a bucket
            // has slots.
            hashes in prop::collection::vec(
                prop_oneof![1u64..40, (0u64..12).prop_map(begins_last), any::<u64>()],
                0..100,
            ),
            cut in 0usize..100,
        ) {
            let mut seen = HashSet::new();
            let expected: Vec<u64> = hashes.iter().copied().filter(|&hash| hash != VACANT && seen.insert(hash)).collect();
            let (first, second) = hashes.split_at(cut.min(hashes.len()));
            for (name, insert_all) in available() {
                let (mut buckets, mut list) = (vec![Bucket::default(); 32], vec![0; hashes.len()]);
                let len = insert_all(&mut buckets, &mut list, 0, first);
                let len = insert_all(&mut buckets, &mut list, len, second);
                prop_assert_eq!(&list[..len], &expected, "{}", name);
            }
        }
    }
}
