//! Signing, in shingles: the classic and the fast signature with every kernel of this processor, and the weighted one.
//!
//! A full block of 4,096 shingles measures the inner loop. Small documents measure the fixed cost of a document, and
//! the cost of the fast signature's later rounds. The shape is the default, 20 × 5.

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput};
use dedup_scan::{SignatureMethod, Signer, estimated_similarity};

use crate::corpus::hashes;

const BANDS: usize = 20;
const ROWS: usize = 5;
const SEED: u64 = 42;

pub(crate) fn register(criterion: &mut Criterion) {
    let methods = [
        ("classic", Signer::classic_by_kernel(BANDS, ROWS, SEED)),
        ("fast", Signer::fast_by_kernel(BANDS, ROWS, SEED)),
    ];
    let mut group = criterion.benchmark_group("signature");
    for (method, signers) in methods {
        let (_, mut definition) = signers[0].clone();
        check(&mut definition);
        let expected = sign(&mut definition, &hashes(0..4096));
        for (kernel, mut signer) in signers {
            assert_eq!(sign(&mut signer, &hashes(0..4096)), expected, "{kernel}");
            for num_shingles in [16, 256, 4096] {
                let shingles = hashes(0..num_shingles);
                let mut signature = vec![0; BANDS * ROWS];
                group.throughput(Throughput::Elements(num_shingles));
                let id = BenchmarkId::new(format!("{method}_{kernel}"), num_shingles);
                group.bench_with_input(id, &shingles, |b, shingles| {
                    b.iter(|| signer.sign(&mut black_box(shingles.as_slice()), black_box(&mut signature)));
                });
            }
        }
    }
    register_weighted(&mut group);
}

/// Measures the weighted signature, with weights as large as idf makes them: from 1 to 20 bits.
fn register_weighted(group: &mut BenchmarkGroup<WallTime>) {
    let mut signer = Signer::new(SignatureMethod::Weighted, BANDS, ROWS, SEED);
    let weights = |len: u64| hashes(0..len).iter().map(|hash| 65_536 + (hash % (19 << 16)) as u32).collect::<Vec<_>>();
    check(&mut signer);
    for num_shingles in [16, 256, 4096] {
        let (shingles, weights) = (hashes(0..num_shingles), weights(num_shingles));
        let mut signature = vec![0; BANDS * ROWS];
        group.throughput(Throughput::Elements(num_shingles));
        group.bench_function(BenchmarkId::new("weighted", num_shingles), |bencher| {
            bencher.iter(|| signer.sign_weighted(black_box(&shingles), black_box(&weights), black_box(&mut signature)));
        });
    }
}

/// Checks that the similarity of sets at 0.6 is estimated within five standard deviations of sqrt(0.6 · 0.4 / 100) =
/// 0.049.
fn check(signer: &mut Signer) {
    let (a, b) = (sign(signer, &hashes(0..4000)), sign(signer, &hashes(1000..5000)));
    assert!((estimated_similarity(&a, &b) - 0.6).abs() < 0.245);
}

fn sign(signer: &mut Signer, mut shingles: &[u64]) -> Vec<u32> {
    let mut signature = vec![0; signer.num_hashes()];
    assert!(signer.sign(&mut shingles, &mut signature));
    signature
}
