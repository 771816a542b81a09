//! The weighted signature: each value is equal in two signatures with a probability equal to the weighted Jaccard
//! similarity Σ min / Σ max, where an element has the same weight in every set.
//!
//! Each element throws points at random slots, at the times of a Poisson process whose rate is the element's weight,
//! and a slot keeps its first point. Consider the first point of a slot over both sets. It belongs to a shared element
//! with a probability equal to the shared elements' part of the total weight, and only then do both signatures keep it.
//!
//! Points of a process that go to different slots are independent, so the values of a signature are independent, and
//! bands find pairs as the S-curve says. This is ProbMinHash1 (Ertl 2020, arXiv 1911.00675). If weights depend only on
//! the elements, its probability J_P is the weighted Jaccard similarity.
//!
//! The points of an element are needed only up to the time at which the last slot receives its first point. So most
//! elements of a set need one random number, and a set of n elements needs about n + t·ln t of them for t slots. ICWS
//! (Ioffe 2010) needs n·t of five each.
//!
//! Random numbers are SplitMix64 (Steele, Lea and Flood 2014); exponential ones are [integers](super::exponential).
//! Times are quotients and sums of `f64`, which IEEE 754 defines to the last bit.

use super::exponential::Exponential;
use super::hash_family::Coefficients;
use crate::base::flat::log2::FRACTION_BITS;

/// 2⁶⁴ divided by the golden ratio.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// Computes weighted signatures, one after another.
#[derive(Debug, Clone)]
pub(crate) struct WeightedSigner {
    /// Key derived from the seed, which is combined with each hash.
    key: u64,
    exponential: Exponential,
    num_slots: usize,
    /// A tournament tree: the leaves are the times of each slot's first point, an inner node is the later time of its
    /// two children, and the root has index 1.
    times: Vec<f64>,
    values: Vec<u32>,
    any: bool,
}

impl WeightedSigner {
    pub(super) fn new(num_slots: usize, seed: u64) -> Self {
        let leaves = num_slots.next_power_of_two();
        Self {
            key: Coefficients::new(seed, b"weighted").next(),
            exponential: Exponential::new(),
            num_slots,
            times: vec![0.0; 2 * leaves],
            values: vec![u32::MAX; num_slots],
            any: false,
        }
    }

    /// Starts another set.
    pub(crate) fn begin(&mut self) {
        let leaves = self.times.len() / 2;
        self.times.fill(f64::INFINITY);
        // Padding slots up to a power of 2 have time 0, so they are never the last.
        self.times[leaves + self.num_slots..].fill(0.0);
        for position in (1..leaves).rev() {
            self.times[position] = self.times[2 * position].max(self.times[2 * position + 1]);
        }
        self.values.fill(u32::MAX);
        self.any = false;
    }

    /// Adds elements to the set; order and repeats do not matter.
    ///
    /// * `weight`: the weight of the element at an index, above 0.
    pub(crate) fn add(&mut self, hashes: &[u64], weight: impl Fn(usize) -> u32) {
        self.any |= !hashes.is_empty();
        // The value 2⁻⁶⁴ in the units of exponential numbers.
        const LEAST: f64 = (1u64 << FRACTION_BITS) as f64 / 18_446_744_073_709_551_616.0;
        for (position, &hash) in hashes.iter().enumerate() {
            let mut state = mix(hash ^ self.key);
            let rate = f64::from(weight(position));
            let mut time = 0.0;
            loop {
                state = state.wrapping_add(GOLDEN);
                let bits = mix(state);
                // −log₂(1 − v) is at least 1.44·v, so most elements end here, without a logarithm or a division. The
                // rounding error is far smaller than that margin.
                let last = self.times[1];
                if !bits as f64 * LEAST > (last - time) * rate {
                    break;
                }
                time += self.exponential.of(bits) as f64 / rate;
                if time > last {
                    break;
                }
                state = state.wrapping_add(GOLDEN);
                let bits = mix(state);
                let slot = (((bits >> 32) * self.num_slots as u64) >> 32) as usize;
                self.offer(slot, time, bits as u32);
            }
        }
    }

    /// Offers a point to a slot.
    fn offer(&mut self, slot: usize, time: f64, value: u32) {
        let leaves = self.times.len() / 2;
        let mut position = leaves + slot;
        // If points have the same time, the lower value is kept, so that their order does not matter.
        if time > self.times[position] || time == self.times[position] && value >= self.values[slot] {
            return;
        }
        self.values[slot] = value;
        self.times[position] = time;
        while position > 1 {
            let latest = self.times[position].max(self.times[position ^ 1]);
            position /= 2;
            if self.times[position] == latest {
                break;
            }
            self.times[position] = latest;
        }
    }

    /// Writes the signature of the set. If the set is empty, returns `false` and sets every value to `u32::MAX`.
    pub(crate) fn finish(&mut self, signature: &mut [u32]) -> bool {
        signature.copy_from_slice(&self.values);
        self.any
    }
}

/// The output function of SplitMix64.
#[inline]
fn mix(state: u64) -> u64 {
    let mut z = state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use xxhash_rust::xxh3::xxh3_64;

    use super::*;

    fn hash(number: u64) -> u64 {
        xxh3_64(&number.to_le_bytes())
    }

    fn signature(signer: &mut WeightedSigner, set: &[(u64, u32)]) -> Vec<u32> {
        let hashes: Vec<u64> = set.iter().map(|&(hash, _)| hash).collect();
        let mut signature = vec![0; signer.num_slots];
        signer.begin();
        signer.add(&hashes, |position| set[position].1);
        assert_eq!(signer.finish(&mut signature), !set.is_empty());
        signature
    }

    /// The definition: all points of all elements, until each slot has a point of each element.
    fn naive(set: &[(u64, u32)], num_slots: usize, seed: u64) -> Vec<u32> {
        let key = Coefficients::new(seed, b"weighted").next();
        let mut first = vec![(f64::INFINITY, u32::MAX); num_slots];
        for &(hash, weight) in set {
            let (mut state, mut time, mut open) = (mix(hash ^ key), 0.0, vec![true; num_slots]);
            while open.contains(&true) {
                let mut next = || {
                    state = state.wrapping_add(GOLDEN);
                    mix(state)
                };
                time += Exponential::new().of(next()) as f64 / f64::from(weight);
                let bits = next();
                let slot = ((u128::from(bits >> 32) * num_slots as u128) >> 32) as usize;
                open[slot] = false;
                if (time, bits as u32) < first[slot] {
                    first[slot] = (time, bits as u32);
                }
            }
        }
        first.into_iter().map(|(_, value)| value).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn it_is_the_definition_in_any_order_and_with_repeats(
            weights in prop::collection::vec(prop_oneof![1u32..4, 1u32..1_000_000, Just(u32::MAX)], 1..60),
            num_slots in prop_oneof![Just(1usize), Just(2), Just(3), Just(64), 4usize..130],
            seed in any::<u64>(),
        ) {
            let set: Vec<(u64, u32)> = (0..).map(hash).zip(weights).collect();
            let expected = naive(&set, num_slots, seed);
            let mut signer = WeightedSigner::new(num_slots, seed);
            let mut other = set.clone();
            prop_assert_eq!(&signature(&mut signer, &other), &expected);
            other.reverse();
            other.extend_from_slice(&set);
            prop_assert_eq!(&signature(&mut signer, &other), &expected);
            prop_assert_eq!(signature(&mut signer, &[]), vec![u32::MAX; num_slots]);
        }
    }

    /// The mean share of equal values, the share of pairs with an equal band of 5, and the mean square of the share of
    /// equal values.
    fn measured(a: &[(u64, u32)], b: &[(u64, u32)], trials: u64) -> [f64; 3] {
        let mut sums = [0.0; 3];
        for seed in 0..trials {
            let mut signer = WeightedSigner::new(100, seed);
            let (a, b) = (signature(&mut signer, a), signature(&mut signer, b));
            let equal = a.iter().zip(&b).filter(|(a, b)| a == b).count() as f64 / 100.0;
            let band = |(a, b): (&[u32], &[u32])| a == b;
            sums[0] += equal;
            sums[1] += f64::from(u8::from(a.chunks(5).zip(b.chunks(5)).any(band)));
            sums[2] += equal * equal;
        }
        sums.map(|sum| sum / trials as f64)
    }

    #[test]
    fn values_are_equal_as_often_as_the_weighted_jaccard_similarity_says_and_bands_as_the_s_curve_says() {
        // Equal weights, random weights, and one weight that exceeds all others.
        let kinds: [fn(u64) -> u32; 4] = [
            |_| 65_536,
            |number| 1 + (hash(number) % 1_000_000) as u32,
            |number| 1 << (hash(number) % 21),
            |number| if number == 7 { 50_000_000 } else { 65_536 },
        ];
        for (kind, weight) in kinds.iter().enumerate() {
            for (only_a, shared, only_b) in
                [(0, 3, 1), (2, 5, 3), (10, 60, 5), (200, 500, 40), (0, 1000, 700), (4, 0, 4)]
            {
                let element = |number: u64| (hash(number), weight(number));
                let a: Vec<(u64, u32)> = (0..only_a + shared).map(element).collect();
                let b: Vec<(u64, u32)> = (only_a..only_a + shared + only_b).map(element).collect();
                let sum = |elements: &[(u64, u32)]| elements.iter().map(|&(_, weight)| f64::from(weight)).sum::<f64>();
                let shared_weight = sum(&b[..shared as usize]);
                let s = shared_weight / (sum(&a) + sum(&b) - shared_weight);
                let trials = 2000;
                let [mean, bands, squares] = measured(&a, &b, trials);
                // Five standard deviations. Values are independent, so the mean of 100 has variance s(1 - s) / 100.
                let variance = s * (1.0 - s) / 100.0;
                let case = format!("kind {kind}, {only_a} {shared} {only_b}: {s} {mean} {bands} {squares}");
                assert!((mean - s).abs() <= 5.0 * (variance / trials as f64).sqrt() + 1e-9, "{case}");
                let expected = 1.0 - (1.0 - s.powi(5)).powi(20);
                let deviation = (expected * (1.0 - expected) / trials as f64).sqrt();
                assert!((bands - expected).abs() <= 5.0 * deviation + 1e-3, "{expected}, {case}");
                // The relative standard deviation of the sample variance of a nearly normal number is sqrt(2 / trials).
                let measured = squares - 2.0 * s * mean + s * s;
                assert!(
                    (measured - variance).abs() <= 8.0 * variance * (2.0 / trials as f64).sqrt() + 1e-9,
                    "{variance}, {case}"
                );
            }
        }
    }

    // The pinned values come from a second implementation in another language, ChaCha12 included, not from this program.
    #[test]
    fn signatures_are_pinned() {
        let set: Vec<(u64, u32)> =
            (0..1000).map(|number| (hash(number), 1 + (number as u32 * 7919) % 1_000_000)).collect();
        let values = signature(&mut WeightedSigner::new(100, 42), &set);
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        assert_eq!(
            (&values[..4], xxh3_64(&bytes)),
            (&[2722037626, 647474507, 2096723540, 2267027041][..], 3344771390868157738)
        );
    }
}
