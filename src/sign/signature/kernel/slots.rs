//! The inner loop of the fast signature: throws shingles into slots and keeps the minimum hash of each slot.
//!
//! The hashes of a chunk of shingles are computed in lanes, written so that the compiler vectorises the loop. Then the
//! slots are lowered one shingle after another. Most shingles of a long text lower no slot, and are skipped. A product
//! of two 61-bit numbers consists of four products of 32-bit numbers. The multiplier is split at 31 bits, so that no
//! intermediate sum must be reduced:
//!
//! ```text
//! a·x = a₁x₁·2⁶³ + (a₁x₀ + 2a₀x₁)·2³¹ + a₀x₀      with a₁ < 2³⁰, a₀ < 2³¹, x₁ ≤ 2²⁹, x₀ < 2³²
//!     ≡ 4a₁x₁ + (mid >> 30) + (mid mod 2³⁰)·2³¹ + a₀x₀      (mod 2⁶¹ − 1)
//! ```
//!
//! where the first and the third term, and b, are below 2⁶¹, the second below 2³³ and the last below 2⁶³: their sum is
//! below 2⁶⁴.
//!
//! A set of few shingles leaves slots unset, so further rounds throw all its shingles again, each with another function. Only
//! hashes that fall into unset slots count then. With 100 slots a set of 100 shingles takes six rounds, with 1,000 slots 70.

#![allow(unsafe_code)] // calls of functions compiled for an instruction set that was detected

use super::super::hash_family::{P61, RoundHash};

/// Lowers each slot to the minimum hash that falls into it.
///
/// * `slots`: initially [`UNSET`], or the result of earlier calls with the same function.
pub(crate) type Throw = fn(RoundHash, &[u64], &mut [u64]);

/// Appends the slot and the hash of each shingle that falls into a slot that is [`UNSET`].
pub(crate) type FindUnset = fn(RoundHash, &[u64], &[u64], &mut Vec<(u32, u64)>);

/// One implementation of both loops.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SlotKernel {
    pub(crate) throw: Throw,
    pub(crate) find_unset: FindUnset,
}

/// A slot that no shingle has reached; hashes are below 2⁶¹ − 1.
pub(crate) const UNSET: u64 = u64::MAX;

/// Shingles whose hashes are computed before their slots are looked up. With 16, sets of 5 to 10 shingles took half as long
/// again, and larger sets were not faster.
const FEW: usize = 8;

/// Shingles per pass over the lanes; their hashes stay in the L1 cache.
const CHUNK: usize = 64;
/// Minimum number of chunks between two computations of the bound of all slots. With many slots, which need more time,
/// it is one chunk per sixteen slots.
const CHUNKS_OF_A_BOUND: usize = 8;
/// The bit of each shingle of a chunk.
const BITS: [u64; CHUNK] = {
    let (mut bits, mut lane) = ([0; CHUNK], 0);
    while lane < CHUNK {
        bits[lane] = 1 << lane;
        lane += 1;
    }
    bits
};
/// Mask of the lower half of a number.
const LOW: u64 = 0xFFFF_FFFF;

/// The fastest implementation that this processor can run.
pub(crate) fn best() -> SlotKernel {
    available().last().expect("the scalar kernel runs everywhere").1
}

/// Every implementation that this processor can run, with its name: the reference first and the fastest last.
pub(crate) fn available() -> Vec<(&'static str, SlotKernel)> {
    let mut kernels = vec![("scalar", SlotKernel { throw: scalar, find_unset: find_unset_scalar })];
    kernels.extend(for_this_processor());
    kernels
}

/// On other architectures one 64-bit product is faster than four 32-bit products in lanes of 128 bits.
#[cfg(not(target_arch = "x86_64"))]
fn for_this_processor() -> Vec<(&'static str, SlotKernel)> {
    Vec::new()
}

#[cfg(target_arch = "x86_64")]
fn for_this_processor() -> Vec<(&'static str, SlotKernel)> {
    let mut kernels = Vec::new();
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has just been found to have AVX2.
        let throw: Throw = |function, shingles, slots| unsafe { avx2(function, shingles, slots) };
        // SAFETY: as before.
        let find_unset: FindUnset =
            |function, shingles, slots, found| unsafe { find_unset_avx2(function, shingles, slots, found) };
        kernels.push(("avx2", SlotKernel { throw, find_unset }));
    }
    if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq") {
        // SAFETY: the processor has just been found to have AVX-512 F and DQ.
        let throw: Throw = |function, shingles, slots| unsafe { avx512(function, shingles, slots) };
        // SAFETY: as before.
        let find_unset: FindUnset =
            |function, shingles, slots, found| unsafe { find_unset_avx512(function, shingles, slots, found) };
        kernels.push(("avx512", SlotKernel { throw, find_unset }));
    }
    kernels
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2(function: RoundHash, shingles: &[u64], slots: &mut [u64]) {
    lanes(function, shingles, slots);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq")]
fn avx512(function: RoundHash, shingles: &[u64], slots: &mut [u64]) {
    lanes(function, shingles, slots);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn find_unset_avx2(function: RoundHash, shingles: &[u64], slots: &[u64], found: &mut Vec<(u32, u64)>) {
    find_unset_in_lanes(function, shingles, slots, found);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq")]
fn find_unset_avx512(function: RoundHash, shingles: &[u64], slots: &[u64], found: &mut Vec<(u32, u64)>) {
    find_unset_in_lanes(function, shingles, slots, found);
}

/// Scales a hash below 2⁶¹ to `num_slots` slots: the upper 32 bits are the slot, the lower 32 bits the offset of the
/// hash within it.
#[inline(always)]
fn position_of(hash: u64, num_slots: u32) -> u64 {
    (hash >> 29 & LOW) * u64::from(num_slots)
}

/// The slot of a hash below 2⁶¹.
#[inline(always)]
fn slot_of(hash: u64, num_slots: usize) -> u32 {
    (position_of(hash, num_slots as u32) >> 32) as u32
}

/// Lowers the slot of a hash.
#[inline(always)]
fn lower(slots: &mut [u64], hash: u64) {
    let slot = &mut slots[slot_of(hash, slots.len()) as usize];
    *slot = hash.min(*slot);
}

fn scalar(function: RoundHash, shingles: &[u64], slots: &mut [u64]) {
    for &shingle in shingles {
        lower(slots, function.hash(shingle));
    }
}

#[inline(always)]
fn lanes(function: RoundHash, shingles: &[u64], slots: &mut [u64]) {
    let num_slots = slots.len() as u32;
    let (chunks, rest) = shingles.as_chunks::<CHUNK>();
    let mut hashes = [0; CHUNK];
    for chunks in chunks.chunks(usize::max(CHUNKS_OF_A_BOUND, slots.len() / 16)) {
        let bound = highest_offset(slots);
        for chunk in chunks {
            let mut may_lower = 0;
            for lane in 0..CHUNK {
                hashes[lane] = hash(function, chunk[lane]);
                let offset = position_of(hashes[lane], num_slots) & LOW;
                may_lower |= if offset <= bound { BITS[lane] } else { 0 };
            }
            if bound == LOW {
                for &hash in &hashes {
                    lower(slots, hash);
                }
            } else {
                while may_lower != 0 {
                    lower(slots, hashes[may_lower.trailing_zeros() as usize]);
                    may_lower &= may_lower - 1;
                }
            }
        }
    }
    scalar(function, rest, slots);
}

fn find_unset_scalar(function: RoundHash, shingles: &[u64], slots: &[u64], found: &mut Vec<(u32, u64)>) {
    for &shingle in shingles {
        let hash = function.hash(shingle);
        let slot = slot_of(hash, slots.len());
        if slots[slot as usize] == UNSET {
            found.push((slot, hash));
        }
    }
}

/// Looks at the slots of some shingles without a branch, since most of them are set.
#[inline(always)]
fn find_unset_in_lanes(function: RoundHash, shingles: &[u64], slots: &[u64], found: &mut Vec<(u32, u64)>) {
    let (chunks, rest) = shingles.as_chunks::<FEW>();
    for chunk in chunks {
        let hashes = chunk.map(|shingle| hash(function, shingle));
        let of_hashes = hashes.map(|hash| slot_of(hash, slots.len()));
        let mut unset = 0u32;
        for lane in 0..FEW {
            // Only an unset slot has the highest bit.
            unset |= ((slots[of_hashes[lane] as usize] >> 63) as u32) << lane;
        }
        while unset != 0 {
            let lane = unset.trailing_zeros() as usize;
            found.push((of_hashes[lane], hashes[lane]));
            unset &= unset - 1;
        }
    }
    find_unset_scalar(function, rest, slots, found);
}

/// Maximum offset at which a hash can lower any slot: the maximum offset of the slots' minimum hashes. It is 2³² − 1
/// while a slot is unset.
#[inline(always)]
fn highest_offset(slots: &[u64]) -> u64 {
    let num_slots = slots.len() as u32;
    slots.iter().fold(0, |most, &slot| most.max(if slot == UNSET { LOW } else { position_of(slot, num_slots) & LOW }))
}

/// [`RoundHash::hash`] in products of 32-bit numbers. The masks show the compiler that the factors have 32 bits.
#[inline(always)]
fn hash(function: RoundHash, shingle: u64) -> u64 {
    let fold = |sum: u64| (sum & P61) + (sum >> 61);
    let x = fold(shingle);
    let (a_high, a_low, x_high, x_low) = (function.a >> 31, function.a & LOW >> 1, x >> 32, x & LOW);
    let high = ((4 * a_high) & LOW) * x_high;
    let mid = (a_high & LOW) * x_low + 2 * a_low * x_high;
    let low = a_low * x_low;
    let sum = fold(high + (mid >> 30) + (mid << 31 & P61) + low + function.b);
    sum.min(sum.wrapping_sub(P61))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::super::hash_family::round_hashes;
    use super::*;

    proptest! {
        #[test]
        fn every_kernel_equals_the_scalar_one(
            shingles in prop::collection::vec(prop_oneof![any::<u64>(), 0..3u64, u64::MAX - 2..=u64::MAX, P61 - 2..P61 + 2], 0..1500),
            num_slots in 1usize..200,
            seed in any::<u64>(),
            closed in 0usize..200,
        ) {
            let mut start = vec![u64::MAX; num_slots];
            start[closed % num_slots] = 0;
            for function in round_hashes(2, seed) {
                let mut expected = start.clone();
                scalar(function, &shingles, &mut expected);
                prop_assert_eq!(expected[closed % num_slots], 0);
                for (name, kernel) in available() {
                    let mut slots = start.clone();
                    (kernel.throw)(function, &shingles, &mut slots);
                    prop_assert_eq!(&slots, &expected, "{}", name);
                }
            }
        }

        #[test]
        fn every_kernel_finds_the_hashes_that_fall_into_unset_slots(
            shingles in prop::collection::vec(prop_oneof![any::<u64>(), 0..3u64, u64::MAX - 2..=u64::MAX, P61 - 2..P61 + 2], 0..300),
            slots in prop::collection::vec(prop_oneof![Just(UNSET), 0..P61], 1..200),
            seed in any::<u64>(),
        ) {
            let function = round_hashes(1, seed)[0];
            let fallen = shingles.iter().map(|&shingle| function.hash(shingle));
            let fallen = fallen.map(|hash| (((u128::from(hash >> 29) * slots.len() as u128) >> 32) as u32, hash));
            let expected: Vec<_> = [(9, 9)].into_iter().chain(fallen.filter(|&(slot, _)| slots[slot as usize] == UNSET)).collect();
            for (name, kernel) in available() {
                let mut found = vec![(9, 9)];
                (kernel.find_unset)(function, &shingles, &slots, &mut found);
                prop_assert_eq!(&found, &expected, "{}", name);
            }
        }

        #[test]
        fn products_of_halves_are_the_formula(a in 1..P61, b in 0..P61, x in any::<u64>()) {
            let function = RoundHash { a, b };
            prop_assert_eq!(hash(function, x), function.hash(x));
        }
    }

    /// After some thousand shingles the slots are low, so that most further shingles lower none.
    #[test]
    fn every_kernel_finds_the_few_shingles_that_lower_low_slots() {
        let function = round_hashes(1, 3)[0];
        let shingles: Vec<u64> = (0..40_000u64).map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15)).collect();
        for num_slots in [2, 7, 100, 1000] {
            let mut expected = vec![u64::MAX; num_slots];
            expected[num_slots / 2] = 0;
            scalar(function, &shingles, &mut expected);
            for (name, kernel) in available() {
                for block in [1_000, 4_096, shingles.len()] {
                    let mut slots = vec![u64::MAX; num_slots];
                    slots[num_slots / 2] = 0;
                    shingles.chunks(block).for_each(|block| (kernel.throw)(function, block, &mut slots));
                    assert_eq!(slots, expected, "{name}, {num_slots} slots, blocks of {block}");
                }
            }
        }
    }

    /// If two hashes have the same offset in a slot, the lower bits decide.
    #[test]
    fn a_shingle_as_far_into_its_slot_as_the_least_one_may_lower_it() {
        let identity = RoundHash { a: 1, b: 0 };
        for (name, kernel) in available() {
            let mut slots = [5 << 29 | 7];
            (kernel.throw)(identity, &[5 << 29 | 3; CHUNK], &mut slots);
            assert_eq!(slots, [5 << 29 | 3], "{name}");
        }
    }

    #[test]
    fn the_ends_of_the_ranges_are_exact() {
        for x in [0, 1, P61 - 1, P61, P61 + 1, u64::MAX] {
            for (a, b) in [(1, 0), (P61 - 1, P61 - 1), (P61 - 1, 0), (1, P61 - 1)] {
                assert_eq!(hash(RoundHash { a, b }, x), RoundHash { a, b }.hash(x));
            }
        }
    }
}
