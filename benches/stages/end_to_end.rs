//! From files to verified pairs, in bytes of text: one corpus as a folder of files and as one JSON Lines file.
//!
//! The files are in the page cache, so this measures the cost of the program, not of the disk.

use std::fs;
use std::path::PathBuf;

use criterion::{BenchmarkId, Criterion, Throughput};
use dedup_scan::text::{MaxDf, Weighting};
use dedup_scan::{InputSettings, Observer, PairSource, Settings, SignatureMethod, find_duplicates};
use serde_json::json;

use crate::corpus::{Corpus, Script};

const NUM_DOCUMENTS: usize = 1000;

/// An observer that ignores everything.
pub(crate) struct Silent;

impl Observer for Silent {}

pub(crate) fn register(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("end_to_end");
    group.sample_size(10);
    for (name, script) in [("ascii", Script::Ascii), ("chinese", Script::Chinese)] {
        let corpus = Corpus::new(script, NUM_DOCUMENTS, 3);
        let root = tempfile::tempdir().expect("a temporary folder");
        let folder = root.path().join("corpus");
        fs::create_dir(&folder).expect("a folder");
        let mut records = String::new();
        for (number, text) in corpus.texts.iter().enumerate() {
            fs::write(folder.join(format!("{number:05}.txt")), text).expect("a written file");
            records += &format!("{}\n", json!({ "id": format!("{number:05}"), "text": text }));
        }
        let file = root.path().join("corpus.jsonl");
        fs::write(&file, records).expect("a written file");

        group.throughput(Throughput::Bytes(corpus.num_bytes()));
        // Measures the cost of counting document frequencies: no shingle exceeds the limit, so the pairs are the same.
        let mut settings = scan_of(file.clone());
        settings.removal.max_df = Some(MaxDf::Documents(NUM_DOCUMENTS as u64));
        assert_eq!(scan(&settings), corpus.num_pairs, "{name} max-df");
        group.bench_with_input(BenchmarkId::new("json_lines_max_df", name), &settings, |b, settings| {
            b.iter(|| scan(settings))
        });
        // Measures the cost of missing no pair.
        let mut settings = scan_of(file.clone());
        settings.pairs.source = PairSource::AllPairs;
        assert_eq!(scan(&settings), corpus.num_pairs, "{name} all pairs");
        group.bench_with_input(BenchmarkId::new("json_lines_all_pairs", name), &settings, |b, settings| {
            b.iter(|| scan(settings))
        });
        // Measures the cost of weights: the documents are read twice more to count shingles, and are signed by weight.
        let mut settings = scan_of(file.clone());
        settings.weights = Some(Weighting::Idf);
        scan(&settings);
        group.bench_with_input(BenchmarkId::new("json_lines_weights_idf", name), &settings, |b, settings| {
            b.iter(|| scan(settings))
        });
        for (form, path) in [("folder", folder), ("json_lines", file)] {
            for signature in [SignatureMethod::Classic, SignatureMethod::Fast] {
                let mut settings = scan_of(path.clone());
                settings.signature.method = signature;
                assert_eq!(scan(&settings), corpus.num_pairs, "{name} {form} {signature:?}");
                let id = BenchmarkId::new(format!("{form}_{signature:?}").to_lowercase(), name);
                group.bench_with_input(id, &settings, |b, settings| b.iter(|| scan(settings)));
            }
        }
    }
}

/// The default settings for one path.
pub(crate) fn scan_of(path: PathBuf) -> Settings {
    Settings::of(InputSettings::of(vec![path]))
}

/// Scans, and counts the pairs as they arrive.
fn scan(settings: &Settings) -> u64 {
    let mut num_pairs = 0;
    let sink = &mut |_: &_, pairs: &[_]| {
        num_pairs += pairs.len() as u64;
        Ok(())
    };
    let summary = find_duplicates(settings, &Silent, sink).expect("a complete run");
    assert_eq!((summary.documents, summary.errors), (NUM_DOCUMENTS as u64, 0));
    num_pairs
}
