//! Reading, in bytes of files: walking a folder, decoding, normalising and hashing whole texts, and JSON Lines records.
//!
//! With shingles longer than any text, each document has one shingle and there are no candidates, so the first stage of
//! the run costs as much as reading does. The files are in the page cache. One thread shows the speed of one core.

use std::fs;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use criterion::{Criterion, Throughput};
use dedup_scan::{
    Resources, Settings, ShingleKind, ShingleSettings, SignatureMethod, SignatureSettings, find_duplicates,
};
use serde_json::json;

use crate::corpus::{Author, Script};
use crate::end_to_end::{Silent, scan_of};

const NUM_DOCUMENTS: usize = 400;
const DOCUMENT_BYTES: usize = 6 << 10;

pub(crate) fn register(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("read");
    group.sample_size(20);
    let root = tempfile::tempdir().expect("a temporary folder");
    for (name, script) in [("ascii", Script::Ascii), ("chinese", Script::Chinese)] {
        let mut author = Author::new(script, 5);
        let texts: Vec<String> = (0..NUM_DOCUMENTS).map(|_| author.text(DOCUMENT_BYTES)).collect();
        let utf8 = texts.iter().map(|text| text.clone().into_bytes());
        let utf16 = texts.iter().map(|text| "\u{feff}".encode_utf16().chain(text.encode_utf16()));
        let utf16 = utf16.map(|units| units.flat_map(u16::to_le_bytes).collect());
        let plain = texts.iter().map(|text| json!({ "text": text }).to_string());
        let escaped = plain.clone().map(|line| escape(&line));
        let forms = [
            ("files_utf8", folder(root.path().join(format!("{name}_utf8")), utf8)),
            ("files_utf16", folder(root.path().join(format!("{name}_utf16")), utf16)),
            ("records", file(root.path().join(format!("{name}.jsonl")), plain)),
            ("records_escaped", file(root.path().join(format!("{name}_escaped.jsonl")), escaped)),
        ];
        for (form, (path, num_bytes)) in forms {
            let scan = scan_of(path);
            let settings = Settings {
                shingles: ShingleSettings::new(ShingleKind::Char).with_size(1 << 20).expect("not 0"),
                signature: SignatureSettings { method: SignatureMethod::Fast, ..scan.signature },
                resources: Resources { threads: NonZeroUsize::MIN, ..scan.resources },
                ..scan
            };
            group.throughput(Throughput::Bytes(num_bytes));
            group.bench_function(format!("{form}/{name}"), |b| {
                b.iter_custom(|times| (0..times).map(|_| read(&settings)).sum());
            });
        }
    }
}

/// Returns the time of the first stage of a run.
fn read(settings: &Settings) -> Duration {
    let summary = find_duplicates(settings, &Silent, &mut |_, _| Ok(())).expect("a complete run");
    assert_eq!((summary.documents, summary.short, summary.candidates), (NUM_DOCUMENTS as u64, NUM_DOCUMENTS as u64, 0));
    Duration::from_secs_f64(summary.seconds.read)
}

/// Writes characters outside ASCII, and one letter, as JSON escapes.
fn escape(line: &str) -> String {
    let mut units = [0; 2];
    line.chars()
        .map(|c| match c {
            'z' | '\u{80}'.. => c.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")).collect(),
            c => c.to_string(),
        })
        .collect()
}

/// Writes a folder of texts; returns its path and the bytes in it.
fn folder(path: PathBuf, texts: impl Iterator<Item = Vec<u8>>) -> (PathBuf, u64) {
    fs::create_dir(&path).expect("a folder");
    let mut num_bytes = 0;
    for (number, text) in texts.enumerate() {
        num_bytes += text.len() as u64;
        fs::write(path.join(format!("{number:05}.txt")), text).expect("a written file");
    }
    (path, num_bytes)
}

/// Writes a file of lines; returns its path and the bytes in it.
fn file(path: PathBuf, lines: impl Iterator<Item = String>) -> (PathBuf, u64) {
    let lines: String = lines.map(|line| line + "\n").collect();
    fs::write(&path, &lines).expect("a written file");
    (path, lines.len() as u64)
}
