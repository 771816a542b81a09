//! The inner loop of the fast signature: throws shingles into slots, each of which keeps its least hash.
//!
//! The hashes and slots of a chunk of shingles are computed in lanes, written so that the compiler makes vector code of
//! it; the slots are then lowered one shingle after another. A product of 61 × 61 bits is made of four of 32 × 32:
//!
//! ```text
//! a·x = a₁x₁·2⁶⁴ + (a₁x₀ + a₀x₁)·2³² + a₀x₀      with a₁, x₁ < 2²⁹
//!     ≡ 8·a₁x₁ + (mid >> 29) + (mid mod 2²⁹)·2³² + (low >> 61) + (low mod 2⁶¹)      (mod 2⁶¹ − 1)
//! ```
//!
//! where each term, and b, is below 2⁶¹ + 2³³, and so the sum of four large and two small ones below 2⁶⁴.

#![allow(unsafe_code)] // calls of functions compiled for an instruction set that was detected

use super::super::hash_family::{P61, RoundHash};

/// Lowers each slot to the least hash that falls into it.
///
/// * `slots`: start them at `u64::MAX`; a slot of 0 stays as it is.
pub(crate) type Throw = fn(RoundHash, &[u64], &mut [u64]);

/// Shingles of one pass over the lanes: their hashes stay in the first-level cache.
const CHUNK: usize = 64;

/// The fastest implementation that this processor can run.
pub(crate) fn best() -> Throw {
    available().last().expect("the scalar kernel runs everywhere").1
}

/// Every implementation that this processor can run, by name, the definition first and the fastest last.
pub(crate) fn available() -> Vec<(&'static str, Throw)> {
    let mut kernels: Vec<(&'static str, Throw)> = vec![("scalar", scalar)];
    kernels.extend(for_this_processor());
    kernels
}

/// Elsewhere one product of 64 × 64 bits is faster than four of 32 × 32 in lanes of 128 bits.
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

/// Scales a hash below 2⁶¹ to a slot below `num_slots`.
#[inline(always)]
pub(crate) fn slot_of(hash: u64, num_slots: u32) -> u64 {
    ((hash >> 29) * u64::from(num_slots)) >> 32
}

fn scalar(function: RoundHash, shingles: &[u64], slots: &mut [u64]) {
    let num_slots = slots.len() as u32;
    for &shingle in shingles {
        let hash = function.hash(shingle);
        let slot = &mut slots[slot_of(hash, num_slots) as usize];
        *slot = hash.min(*slot);
    }
}

#[inline(always)]
fn lanes(function: RoundHash, shingles: &[u64], slots: &mut [u64]) {
    let num_slots = slots.len() as u32;
    let (chunks, rest) = shingles.as_chunks::<CHUNK>();
    for chunk in chunks {
        let (mut hashes, mut of_slot) = ([0; CHUNK], [0; CHUNK]);
        for lane in 0..CHUNK {
            hashes[lane] = hash(function, chunk[lane]);
            of_slot[lane] = slot_of(hashes[lane], num_slots);
        }
        for (&hash, &slot) in hashes.iter().zip(&of_slot) {
            let slot = &mut slots[slot as usize];
            *slot = hash.min(*slot);
        }
    }
    scalar(function, rest, slots);
}

/// [`RoundHash::hash`] in products of 32 × 32 bits.
#[inline(always)]
fn hash(function: RoundHash, shingle: u64) -> u64 {
    const LOW: u64 = 0xFFFF_FFFF;
    let reduce = |sum: u64| {
        let sum = (sum & P61) + (sum >> 61);
        sum.min(sum.wrapping_sub(P61))
    };
    let x = reduce(shingle);
    let (a_high, a_low, x_high, x_low) = (function.a >> 32, function.a & LOW, x >> 32, x & LOW);
    let high = a_high * x_high;
    let mid = a_high * x_low + a_low * x_high;
    let low = a_low * x_low;
    let mid_low = mid & ((1 << 29) - 1);
    reduce(8 * high + (mid >> 29) + (mid_low << 32) + (low >> 61) + (low & P61) + function.b)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::super::hash_family::round_hashes;
    use super::*;

    proptest! {
        #[test]
        fn every_kernel_equals_the_scalar_one(
            shingles in prop::collection::vec(prop_oneof![any::<u64>(), 0..3u64, u64::MAX - 2..=u64::MAX, P61 - 2..P61 + 2], 0..300),
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

    #[test]
    fn the_ends_of_the_ranges_are_exact() {
        for x in [0, 1, P61 - 1, P61, P61 + 1, u64::MAX] {
            for (a, b) in [(1, 0), (P61 - 1, P61 - 1), (P61 - 1, 0), (1, P61 - 1)] {
                assert_eq!(hash(RoundHash { a, b }, x), RoundHash { a, b }.hash(x));
            }
        }
    }
}
