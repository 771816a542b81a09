//! Verification, in shingles of both sets: the exact similarity, and the early exit when the threshold is out of reach.
//!
//! Another benchmark compares odd sketches, in bytes of both, with every kernel of this processor.

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput};
use dedup_scan::compare::VerifiableSet;
use dedup_scan::{ShingleSet, Threshold, Verifier, jaccard};

use crate::corpus::hashes;

/// The number of shingles in each set: a document of about 8 KB.
const LEN: u64 = 8000;

pub(crate) fn register(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("verify");
    group.throughput(Throughput::Elements(2 * LEN));
    for similarity in [0.3, 0.8] {
        let (a, b) = sets_at(similarity);
        assert!((jaccard(&a, &b) - similarity).abs() < 1e-4);
        group.bench_function(BenchmarkId::new("jaccard", similarity), |bencher| {
            bencher.iter(|| jaccard(black_box(&a), black_box(&b)));
        });
    }
    // At 0.3 to 0.7 the sketches rule the pair out; above the threshold the pair must be counted completely.
    let threshold = Threshold::default();
    for similarity in [0.3, 0.5, 0.7, 0.85, 0.99] {
        let (a, b) = sets_at(similarity);
        let is_met = verify_again_and_again(&mut group, &format!("threshold_0.8/{similarity}"), a, b, threshold);
        assert_eq!(is_met, similarity >= threshold.value());
    }
    // Sketches do not apply to weights: every pair is counted, until the weight that is not shared is too high.
    for similarity in [0.3, 0.85] {
        let (a, b) = sets_at(similarity);
        let [a, b] = [a, b].map(|set| {
            let weights = vec![1 << 16; set.len()];
            VerifiableSet::weighted(set, weights.into())
        });
        let mut verifier = Verifier::new(&a);
        assert_eq!(verifier.verify(&b, threshold).is_some(), similarity >= threshold.value());
        group.bench_function(BenchmarkId::new("weighted_0.8", similarity), |bencher| {
            bencher.iter(|| verifier.verify(black_box(&b), threshold));
        });
    }
    let (a, b) = edited_sets(20);
    assert!(verify_again_and_again(&mut group, "threshold_0.8/edited", a, b, threshold));
    group.finish();

    let mut group = criterion.benchmark_group("verify/odd_sketch");
    let kernels = VerifiableSet::differ_by_more_than_by_kernel();
    // The sketches of a short text, a page and a book.
    for num_words in [8, 512, 32 << 10] {
        let (a, b) = (hashes(0..num_words), hashes(num_words..2 * num_words));
        let expected = a.iter().zip(&b).map(|(a, b)| (a ^ b).count_ones() as usize).sum::<usize>();
        group.throughput(Throughput::Bytes(16 * num_words));
        for (name, differ_by_more_than) in &kernels {
            assert!(differ_by_more_than(&a, &b, expected - 1) && !differ_by_more_than(&a, &b, expected), "{name}");
            group.bench_function(BenchmarkId::new(*name, num_words), |bencher| {
                bencher.iter(|| differ_by_more_than(black_box(&a), black_box(&b), expected));
            });
        }
    }
}

/// Measures the verification of one pair, with the index built once. Returns whether the pair reaches the threshold.
fn verify_again_and_again(
    group: &mut BenchmarkGroup<WallTime>,
    name: &str,
    a: ShingleSet,
    b: ShingleSet,
    threshold: Threshold,
) -> bool {
    let (a, b) = (VerifiableSet::new(a), VerifiableSet::new(b));
    let mut verifier = Verifier::new(&a);
    group.bench_function(name, |bencher| bencher.iter(|| verifier.verify(black_box(&b), threshold)));
    verifier.verify(&b, threshold).is_some()
}

/// Two sets of `LEN` shingles with this similarity.
fn sets_at(similarity: f64) -> (ShingleSet, ShingleSet) {
    // With c shared shingles of n each, s = c / (2n − c); this is solved for c.
    let shared = (2.0 * LEN as f64 * similarity / (1.0 + similarity)).round() as u64;
    let start = LEN - shared;
    (ShingleSet::new(hashes(0..LEN).as_slice()), ShingleSet::new(hashes(start..start + LEN).as_slice()))
}

/// Two sets of `LEN` shingles, where the second one has a changed word in this many places: 14 shingles each.
fn edited_sets(edits: usize) -> (ShingleSet, ShingleSet) {
    let ours = hashes(0..LEN);
    let mut theirs = ours.clone();
    for edit in 0..edits {
        let at = edit * LEN as usize / edits;
        theirs[at..at + 14].copy_from_slice(&hashes(LEN + 14 * edit as u64..LEN + 14 * (edit as u64 + 1)));
    }
    (ShingleSet::new(ours.as_slice()), ShingleSet::new(theirs.as_slice()))
}
