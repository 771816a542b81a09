//! Verification, in shingles of both sets: the exact similarity, and the stop as soon as the threshold is out of reach.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput};
use dedup::{ShingleSet, Threshold, VerifiableSet, Verifier, jaccard};

use crate::corpus::hashes;

/// Shingles of each set: a document of about 8 KB.
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
    // At 0.3 and 0.7 the bitmaps rule the pair out, at 0.85 it must be counted to the end.
    let threshold = Threshold::default();
    for similarity in [0.3, 0.7, 0.85] {
        let (a, b) = sets_at(similarity);
        let (a, b) = (VerifiableSet::new(a), VerifiableSet::new(b));
        let mut verifier = Verifier::new(&a);
        assert_eq!(verifier.verify(&b, threshold).is_some(), similarity >= threshold.value());
        group.bench_function(BenchmarkId::new("threshold_0.8", similarity), |bencher| {
            bencher.iter(|| verifier.verify(black_box(&b), threshold));
        });
    }
}

/// Two sets of `LEN` shingles at this similarity.
fn sets_at(similarity: f64) -> (ShingleSet, ShingleSet) {
    // s = c / (2n − c) for c shared shingles of n each, solved for c.
    let shared = (2.0 * LEN as f64 * similarity / (1.0 + similarity)).round() as u64;
    let start = LEN - shared;
    (ShingleSet::new(hashes(0..LEN).as_slice()), ShingleSet::new(hashes(start..start + LEN).as_slice()))
}
