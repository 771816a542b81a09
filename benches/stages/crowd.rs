//! A crowd: near-identical documents in one bucket, from files to verified pairs, in pairs.

use std::fs;

use criterion::{Criterion, Throughput};
use dedup::{Config, find_duplicates};
use serde_json::json;

use crate::corpus::{Author, Script};
use crate::end_to_end::{Silent, scan_of};

const NUM_DOCUMENTS: usize = 600;
/// Bytes of each document, and words that are written anew in it.
const NUM_BYTES: usize = 4000;
const EDITS: usize = 6;

pub(crate) fn register(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("crowd.jsonl");
    let texts = Author::new(Script::Ascii, 5).crowd(NUM_BYTES, EDITS, NUM_DOCUMENTS);
    let record = |(number, text): (usize, String)| format!("{}\n", json!({ "id": number.to_string(), "text": text }));
    fs::write(&path, texts.into_iter().enumerate().map(record).collect::<String>()).expect("a written file");
    let config = scan_of(path);

    let num_pairs = (NUM_DOCUMENTS * (NUM_DOCUMENTS - 1) / 2) as u64;
    // A pair differs in twelve places of about fifteen shingles, so it is far above the threshold.
    assert_eq!(scan(&config), num_pairs);
    let mut group = criterion.benchmark_group("crowd");
    group.sample_size(10).throughput(Throughput::Elements(num_pairs));
    group.bench_function("near_identical", |b| b.iter(|| scan(&config)));
    group.finish();
}

/// Scans, and counts the pairs as they come.
fn scan(config: &Config) -> u64 {
    let sink = &mut |_: &_, _: &[_]| Ok(());
    find_duplicates(config, &Silent, sink).expect("a complete run").pairs
}
