//! The filter of candidates against its definition, and its loss by experiment.

use proptest::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::*;
use crate::sign::banding::Banding;
use crate::sign::signature::{SignatureMethod, SignatureSettings};

/// The bits of signatures, each by the document of its number.
fn bits_of(filter: SignatureFilter, signatures: &[Vec<u32>]) -> SignatureBits {
    let mut rows = ChunkedRows::new(bytes_of_bits(filter.num_hashes()));
    let mut bits = Vec::new();
    signatures.iter().for_each(|signature| append_bits(signature, &mut bits));
    rows.write(0..signatures.len(), bits.into_iter()).unwrap();
    let mut bits = SignatureBits::new(filter, signatures.len(), rows, signatures.len()).unwrap();
    (0..signatures.len()).for_each(|number| bits.set_row(DocId::new(number), number));
    bits
}

/// A signature that is equal to `signature` in the kept bits of all but `num_different` values.
fn with_different(signature: &[u32], num_different: usize) -> Vec<u32> {
    let other = |&value: &u32| (value + 1..).find(|&other| mixed(other) != mixed(value)).expect("some value differs");
    let (changed, same) = signature.split_at(num_different);
    // Equal values are replaced by others with the same bits here and there: bits are all that counts.
    let same = same.iter().map(|&value| (value ^ 1..).find(|&other| mixed(other) == mixed(value)).unwrap());
    changed.iter().map(other).chain(same).collect()
}

proptest! {
    #[test]
    fn candidates_at_the_limit_stay_and_candidates_below_it_go(
        (bands, rows) in prop_oneof![
            Just((20, 5)), Just((8, 8)), Just((13, 5)), Just((4, 6)), Just((16, 8)), Just((43, 3)), Just((90, 3)), Just((512, 8)),
            (1usize..40, 1usize..12)
        ],
        percent in 20u32..=100,
        seed in any::<u32>(),
    ) {
        let banding = Banding::new(bands, rows).unwrap();
        let filter = SignatureFilter::new(banding, f64::from(percent) / 100.0);
        prop_assume!(filter.is_some());
        let filter = filter.unwrap();
        let n = filter.num_hashes();
        let own: Vec<u32> = (0..n as u32).map(|value| (value ^ seed).wrapping_mul(0x9E37_79B9) >> 1).collect();
        let at_limit = n - filter.least_equal();
        let mut numbers = vec![0, at_limit, at_limit + 1, n, at_limit / 2];
        numbers.retain(|&number| number <= n);
        let mut signatures = vec![own.clone()];
        signatures.extend(numbers.iter().map(|&number| with_different(&own, number)));
        // The values that differ are the last ones, too.
        signatures.extend(numbers.iter().map(|&number| {
            let mut own: Vec<u32> = own.iter().rev().copied().collect();
            own = with_different(&own, number);
            own.reverse();
            own
        }));
        let bits = bits_of(filter, &signatures);
        let expected: Vec<DocId> = (1..signatures.len())
            .filter(|&number| equal_bits(&own, &signatures[number]) >= filter.least_equal())
            .map(DocId::new)
            .collect();
        prop_assert!(expected.len() < signatures.len() - 1 || at_limit == n);
        for (name, retain) in kernel::available() {
            let mut candidates = vec![DocId::new(0)];
            candidates.extend((1..signatures.len()).map(DocId::new));
            retain(&bits, DocId::new(0), &mut candidates, 1);
            prop_assert_eq!(&candidates[1..], &expected, "{}", name);
        }
    }
}

#[test]
fn bits_of_a_signature_are_pinned() {
    let mut bits = Vec::new();
    append_bits(&[0, 1, 2, 3, 1_000_000, u32::MAX, 7, 8, 9], &mut bits);
    let planes: Vec<u64> = bits.chunks(8).map(|plane| u64::from_le_bytes(plane.try_into().unwrap())).collect();
    let nibble = |value: usize| (0..BITS).map(|plane| (planes[plane] >> value & 1) << plane).sum::<u64>();
    let values = [0, 1, 2, 3, 1_000_000, u32::MAX, 7, 8, 9];
    assert!((0..9).all(|at| nibble(at) == mixed(values[at])));
    assert_eq!((0..9).map(nibble).collect::<Vec<_>>(), [0, 14, 0, 8, 5, 2, 13, 3, 8]);
}

/// Pairs of sets are excluded no more often than the tail of the binomial distribution says, for both signatures.
#[test]
fn similar_sets_are_excluded_no_more_often_than_the_tail_says() {
    const SEEDS: u64 = 100;
    const TRIALS: u64 = 100;
    let banding = Banding::default();
    let filter = SignatureFilter::new(banding, 0.8).unwrap();
    for method in [SignatureMethod::Classic, SignatureMethod::Fast] {
        for (shared, only_a, only_b) in [(80, 10, 10), (40, 7, 3)] {
            // The number of pairs with each number of equal values.
            let mut numbers = vec![0; banding.num_hashes() + 1];
            for seed in 0..SEEDS {
                let mut signer = SignatureSettings { method, seed }.signer(banding);
                for trial in 0..TRIALS {
                    let set = |elements: std::ops::Range<u64>| -> Vec<u64> {
                        elements.map(|element| xxh3_64(&(element << 32 | seed << 16 | trial).to_le_bytes())).collect()
                    };
                    let sets = [set(0..only_a + shared), set(only_a..only_a + shared + only_b)];
                    let [a, b] = sets.map(|set| {
                        let mut signature = [0; 100];
                        signer.sign(&mut set.as_slice(), &mut signature);
                        signature
                    });
                    numbers[equal_bits(&a, &b)] += 1;
                }
            }
            let num_pairs = (SEEDS * TRIALS) as f64;
            let mean = numbers.iter().enumerate().map(|(equal, &number)| equal as f64 * f64::from(number)).sum::<f64>();
            // Five standard deviations of the mean of values with the probability 0.8125.
            let deviation = (0.8125 * 0.1875 * 100.0 / num_pairs).sqrt();
            assert!((mean / num_pairs - 81.25).abs() <= 5.0 * deviation, "{method:?}: {}", mean / num_pairs);
            // The number of excluded pairs has about a Poisson distribution where they are few. The filter excludes one of
            // 190,000, so filters that exclude more are tested, too.
            for least in [filter.least_equal(), 68, 72, 76] {
                let excluded: u32 = numbers[..least].iter().sum();
                let expected = num_pairs * filter.with_least(least).loss(0.8);
                let most = expected + 5.0 * expected.sqrt() + 5.0;
                assert!(f64::from(excluded) <= most, "{method:?}, {least}: {excluded} of {expected}");
            }
        }
    }
}
