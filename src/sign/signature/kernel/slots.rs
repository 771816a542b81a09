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

#![allow(unsafe_code)] // calls of functions compiled for an instruction set that was detected

use super::super::hash_family::{P61, RoundHash};

/// Lowers each slot to the minimum hash that falls into it.
///
/// * `slots`: initially `u64::MAX`, or the result of earlier calls with the same function; a slot of 0 is unchanged.
pub(crate) type Throw = fn(RoundHash, &[u64], &mut [u64]);

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
pub(crate) fn best() -> Throw {
    available().last().expect("the scalar kernel runs everywhere").1
}

/// Every implementation that this processor can run, with its name: the reference first and the fastest last.
pub(crate) fn available() -> Vec<(&'static str, Throw)> {
    let mut kernels: Vec<(&'static str, Throw)> = vec![("scalar", scalar)];
    kernels.extend(for_this_processor());
    kernels
}

/// On other architectures one 64-bit product is faster than four 32-bit products in lanes of 128 bits.
#[cfg(not(target_arch = "x86_64"))]
fn for_this_processor() -> Vec<(&'static str, Throw)> {
    Vec::new()
}

#[cfg(target_arch = "x86_64")]
fn for_this_processor() -> Vec<(&'static str, Throw)> {
    let mut kernels: Vec<(&'static str, Throw)> = Vec::new();
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has just been found to have AVX2.
        kernels.push(("avx2", |function, shingles, slots| unsafe { avx2(function, shingles, slots) }));
    }
    if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq") {
        // SAFETY: the processor has just been found to have AVX-512 F and DQ.
        kernels.push(("avx512", |function, shingles, slots| unsafe { avx512(function, shingles, slots) }));
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

/// Scales a hash below 2⁶¹ to `num_slots` slots: the upper 32 bits are the slot, the lower 32 bits the offset of the
/// hash within it.
#[inline(always)]
fn place_of(hash: u64, num_slots: u32) -> u64 {
    (hash >> 29 & LOW) * u64::from(num_slots)
}

/// Lowers the slot of a hash.
#[inline(always)]
fn lower(slots: &mut [u64], hash: u64) {
    let slot = &mut slots[(place_of(hash, slots.len() as u32) >> 32) as usize];
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
                let offset = place_of(hashes[lane], num_slots) & LOW;
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

/// Maximum offset at which a hash can lower any slot: the maximum offset of the slots' minimum hashes. It is 2³² − 1
/// while a slot is unset.
#[inline(always)]
fn highest_offset(slots: &[u64]) -> u64 {
    let num_slots = slots.len() as u32;
    slots.iter().fold(0, |most, &slot| most.max(if slot == u64::MAX { LOW } else { place_of(slot, num_slots) & LOW }))
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
                for (name, throw) in available() {
                    let mut slots = start.clone();
                    throw(function, &shingles, &mut slots);
                    prop_assert_eq!(&slots, &expected, "{}", name);
                }
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
            for (name, throw) in available() {
                for block in [1_000, 4_096, shingles.len()] {
                    let mut slots = vec![u64::MAX; num_slots];
                    slots[num_slots / 2] = 0;
                    shingles.chunks(block).for_each(|block| throw(function, block, &mut slots));
                    assert_eq!(slots, expected, "{name}, {num_slots} slots, blocks of {block}");
                }
            }
        }
    }

    /// If two hashes have the same offset in a slot, the lower bits decide.
    #[test]
    fn a_shingle_as_far_into_its_slot_as_the_least_one_may_lower_it() {
        let identity = RoundHash { a: 1, b: 0 };
        for (name, throw) in available() {
            let mut slots = [5 << 29 | 7];
            throw(identity, &[5 << 29 | 3; CHUNK], &mut slots);
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
