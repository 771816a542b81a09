//! Banding of 100,000 documents: keys from signatures, the bucket table from keys, candidates from the table.
//!
//! One document in ten belongs to a cluster of ten, whose members share a bucket in about a third of the bands.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use dedup_scan::DocId;
use dedup_scan::sign::banding::{BucketTable, band_keys};
use xxhash_rust::xxh3::xxh3_64_with_seed;

const NUM_DOCUMENTS: usize = 100_000;
const BANDS: usize = 20;
const ROWS: usize = 5;
/// The first ten of a hundred consecutive documents form a cluster.
const FAMILY: usize = 10;

pub(crate) fn register(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("banding");

    let signature: Vec<u32> = (0..(BANDS * ROWS) as u32).map(|value| value.wrapping_mul(0x9E37_79B9) >> 1).collect();
    let mut keys = [0; BANDS];
    band_keys(&signature, &mut keys);
    let mut same = [0; BANDS];
    band_keys(&signature, &mut same);
    assert!(keys == same && keys[0] != keys[1]);
    group.throughput(Throughput::Elements(1));
    group.bench_function("keys", |b| b.iter(|| band_keys(black_box(&signature), black_box(&mut keys))));

    let keys: Vec<Vec<(u64, DocId)>> = (0..BANDS).map(keys_of_band).collect();
    let build = || BucketTable::build(BANDS, NUM_DOCUMENTS, |band, out| out.extend_from_slice(&keys[band]));
    let table = build();
    assert_eq!(count_candidates(&table), pairs_that_meet());
    group.sample_size(20);
    group.throughput(Throughput::Elements(NUM_DOCUMENTS as u64));
    group.bench_function("table", |b| b.iter(build));
    group.bench_function("candidates", |b| b.iter(|| count_candidates(black_box(&table))));
}

fn keys_of_band(band: usize) -> Vec<(u64, DocId)> {
    (0..NUM_DOCUMENTS).map(|document| (key(document, band), DocId::new(document))).collect()
}

fn key(document: usize, band: usize) -> u64 {
    let own = xxh3_64_with_seed(&document.to_le_bytes(), band as u64);
    let meets = document % 100 < FAMILY && own.is_multiple_of(3);
    if meets { xxh3_64_with_seed(&(document / 100).to_le_bytes(), !band as u64) } else { own }
}

fn count_candidates(table: &BucketTable) -> usize {
    let mut candidates = table.candidates();
    (0..NUM_DOCUMENTS).map(|document| candidates.of(DocId::new(document)).len()).sum()
}

/// Counts the candidates again, cluster by cluster and pair by pair.
fn pairs_that_meet() -> usize {
    let meet = |a: usize, b: usize| (0..BANDS).any(|band| key(a, band) == key(b, band));
    (0..NUM_DOCUMENTS)
        .step_by(100)
        .flat_map(|head| (head..head + FAMILY).flat_map(move |a| (a + 1..head + FAMILY).map(move |b| (a, b))))
        .filter(|&(a, b)| meet(a, b))
        .count()
}
