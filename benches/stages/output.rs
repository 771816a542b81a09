//! Output: writes 100,000 pairs as JSON Lines; the throughput is in pairs.
//!
//! Only a run can make `Documents`, so the writer is measured inside a sink. The run has 448 records with the same
//! text, which costs almost nothing and gives 100,128 pairs.

use std::fs;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput};
use dedup_scan::records::JsonLines;
use dedup_scan::{Documents, DuplicatePair, find_duplicates};

use crate::end_to_end::{Silent, scan_of};

const NUM_RECORDS: usize = 448;
const NUM_PAIRS: usize = NUM_RECORDS * (NUM_RECORDS - 1) / 2;

pub(crate) fn register(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("records.jsonl");
    let record = |number: usize| format!(r#"{{"id":"crawl/2024-05/page-{number:06}.html","text":"one text for all"}}"#);
    fs::write(&path, (0..NUM_RECORDS).map(|number| record(number) + "\n").collect::<String>()).expect("a written file");
    let settings = scan_of(path);

    let mut pairs = Vec::new();
    find_duplicates(&settings, &Silent, &mut |_, batch| {
        pairs.extend_from_slice(batch);
        Ok(())
    })
    .expect("a complete run");
    assert_eq!(pairs.len(), NUM_PAIRS);

    // Writes all pairs repeatedly, with the documents of another run over the same corpus and on its threads.
    let time = |times: u64| {
        let mut took = None;
        find_duplicates(&settings, &Silent, &mut |documents, _| {
            took.get_or_insert_with(|| write(documents, &pairs, times));
            Ok(())
        })
        .expect("a complete run");
        took.expect("the sink was called")
    };
    let mut group = criterion.benchmark_group("output");
    group.sample_size(20).throughput(Throughput::Elements(NUM_PAIRS as u64));
    group.bench_function("json_lines", |b| b.iter_custom(time));
}

fn write(documents: &Documents, pairs: &[DuplicatePair], times: u64) -> Duration {
    let mut lines = Vec::new();
    JsonLines::new(&mut lines).write(documents, pairs).expect("a Vec takes every line");
    assert_eq!(lines.iter().filter(|&&byte| byte == b'\n').count(), NUM_PAIRS);
    assert!(lines.starts_with(br#"{"a":"crawl/2024-05/page-000000.html","b":"crawl/2024-05/page-000001.html","#));

    let mut writer = JsonLines::new(std::io::sink());
    let start = Instant::now();
    for _ in 0..times {
        writer.write(documents, pairs).expect("a sink takes every line");
    }
    start.elapsed()
}
