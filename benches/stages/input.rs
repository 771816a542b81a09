//! Reading: documents in the formats of data sets, up to their normalised texts, in bytes of text, with one worker.
//!
//! Shingles are longer than any text and there is only one hash function, so signing is negligible: one hash of each
//! whole text. A second thread unpacks compressed inputs and writes their texts to a temporary file.

use std::fs;
use std::io::Write;
use std::num::NonZeroUsize;

use criterion::{BenchmarkId, Criterion, Throughput};
use dedup_scan::{Banding, Resources, Settings, ShingleKind, ShingleSettings, find_duplicates};
use serde_json::json;

use crate::corpus::{Corpus, Script};
use crate::end_to_end::{Silent, scan_of};

const NUM_DOCUMENTS: usize = 5000;

pub(crate) fn register(criterion: &mut Criterion) {
    let corpus = Corpus::new(Script::Ascii, NUM_DOCUMENTS, 1);
    let root = tempfile::tempdir().expect("a temporary folder");
    let (mut lines, mut rows) = (Vec::new(), csv::Writer::from_writer(Vec::new()));
    rows.write_record(["id", "text"]).expect("a row");
    for (number, text) in corpus.texts.iter().enumerate() {
        writeln!(lines, "{}", json!({ "id": number, "text": text })).expect("a line");
        rows.write_record([&number.to_string(), text]).expect("a row");
    }
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(&lines).expect("a Vec takes every byte");
    let files = [
        ("corpus.jsonl.gz", gzip.finish().expect("a Vec takes every byte")),
        ("corpus.jsonl.zst", zstd::encode_all(lines.as_slice(), 3).expect("a Vec takes every byte")),
        ("corpus.csv", rows.into_inner().expect("a Vec takes every byte")),
        ("corpus.jsonl", lines),
    ];

    let mut group = criterion.benchmark_group("input");
    group.sample_size(10).throughput(Throughput::Bytes(corpus.num_bytes()));
    for (name, content) in files {
        let path = root.path().join(name);
        fs::write(&path, content).expect("a written file");
        let scan = scan_of(path);
        let settings = Settings {
            shingles: ShingleSettings::new(ShingleKind::Char).with_size(1 << 20).expect("not 0"),
            banding: Banding::new(1, 1).expect("in range"),
            resources: Resources { threads: NonZeroUsize::MIN, ..scan.resources },
            ..scan
        };
        group.bench_with_input(BenchmarkId::from_parameter(name), &settings, |b, settings| {
            b.iter(|| {
                let summary = find_duplicates(settings, &Silent, &mut |_, _| Ok(())).expect("a complete run");
                assert_eq!((summary.documents, summary.errors), (NUM_DOCUMENTS as u64, 0));
            });
        });
    }
}
