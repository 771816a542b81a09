//! Near-identical documents in one bucket, from files to verified pairs; the throughput is in pairs.
//!
//! Another benchmark counts what two rows of bits share, in bytes of both, with every kernel of this processor.

use std::fs;
use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput};
use dedup_scan::compare::overlap_by_kernel;
use dedup_scan::{Settings, find_duplicates};
use serde_json::json;

use crate::corpus::{Author, Script, hashes};
use crate::end_to_end::{Silent, scan_of};

const NUM_DOCUMENTS: usize = 600;
/// The bytes of each document, and the number of words that are rewritten in it.
const NUM_BYTES: usize = 4000;
const EDITS: usize = 6;

pub(crate) fn register(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("crowd.jsonl");
    let texts = Author::new(Script::Ascii, 5).crowd(NUM_BYTES, EDITS, NUM_DOCUMENTS);
    let record = |(number, text): (usize, String)| format!("{}\n", json!({ "id": number.to_string(), "text": text }));
    fs::write(&path, texts.into_iter().enumerate().map(record).collect::<String>()).expect("a written file");
    let settings = scan_of(path);

    let num_pairs = (NUM_DOCUMENTS * (NUM_DOCUMENTS - 1) / 2) as u64;
    // The documents of a pair differ in twelve places of about fifteen shingles, so the pair is far above the
    // threshold.
    assert_eq!(scan(&settings), num_pairs);
    let mut group = criterion.benchmark_group("crowd");
    group.sample_size(10).throughput(Throughput::Elements(num_pairs));
    group.bench_function("near_identical", |b| b.iter(|| scan(&settings)));
    group.finish();

    let mut group = criterion.benchmark_group("crowd/overlap");
    // The rows of short texts, of pages and of books.
    for num_words in [8, 64, 8 << 10] {
        let (a, b) = (hashes(0..num_words), hashes(num_words..2 * num_words));
        let expected = a.iter().zip(&b).map(|(a, b)| u64::from((a & b).count_ones())).sum::<u64>();
        group.throughput(Throughput::Bytes(16 * num_words));
        for (name, overlap) in overlap_by_kernel() {
            assert_eq!(overlap(&a, &b, &[a.len()]), expected, "{name}");
            group.bench_function(BenchmarkId::new(name, num_words), |bencher| {
                bencher.iter(|| overlap(black_box(&a), black_box(&b), black_box(&[a.len()])));
            });
        }
    }
}

/// Scans, and returns the number of pairs.
fn scan(settings: &Settings) -> u64 {
    let sink = &mut |_: &_, _: &[_]| Ok(());
    find_duplicates(settings, &Silent, sink).expect("a complete run").pairs
}
