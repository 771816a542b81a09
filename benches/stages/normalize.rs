//! Normalisation, in bytes of text: clean prose, prose that is wrapped and indented as in files, and Chinese. The
//! public `normalize` is measured with the default settings, and each kind of folding separately.
//!
//! Both measurements copy the text once, whereas the pipeline folds it in the buffer that it was read into.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput};
use dedup_scan::text::{Markers, UnicodeForm};
use dedup_scan::{Normalization, Normalizer, ShingleKind, Units, normalize};

use crate::corpus::{Author, Script};

pub(crate) fn register(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("normalize");
    let prose = Author::new(Script::Ascii, 1).text(64 << 10);
    let wrapped = prose.replace(". ", ".\r\n\t    ").replace("ta ", "ta\n");
    let chinese = Author::new(Script::Chinese, 1).text(64 << 10).replace('。', "。\u{3000}");
    for (name, text) in [("ascii", &prose), ("ascii_wrapped", &wrapped), ("chinese", &chinese)] {
        let expected = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(normalize(text), expected, "{name}");
        group.throughput(Throughput::Bytes(text.len() as u64));
        group
            .bench_with_input(BenchmarkId::from_parameter(name), text, |b, text| b.iter(|| normalize(black_box(text))));
    }
    group.finish();

    let mut group = criterion.benchmark_group("normalize/kernel");
    for (name, text) in [("ascii", &prose), ("ascii_wrapped", &wrapped), ("chinese", &chinese)] {
        group.throughput(Throughput::Bytes(text.len() as u64));
        for (kernel, fold_spaces) in Normalizer::fold_spaces_by_kernel() {
            let fold = |text: &str| {
                let mut bytes = text.as_bytes().to_vec();
                fold_spaces(&mut bytes);
                bytes
            };
            assert!(fold(text) == normalize(text).as_bytes(), "{name}, {kernel}");
            group.bench_with_input(BenchmarkId::new(name, kernel), text, |b, text| b.iter(|| fold(black_box(text))));
        }
    }
    group.finish();

    // Some words have an accent, as in most European languages.
    let accented = prose.replace("mel ", "mél ").replace("ka", "kå");
    let texts = [("ascii", &prose), ("accented", &accented), ("chinese", &chinese)];
    let mut group = criterion.benchmark_group("normalize/fold");
    for (folding, settings, units) in foldings() {
        for (name, text) in texts {
            let mut normalizer = Normalizer::new(&settings, units);
            check(folding, text, &normalizer.normalize(text));
            group.throughput(Throughput::Bytes(text.len() as u64));
            group.bench_with_input(BenchmarkId::new(folding, name), text, |b, text| {
                b.iter(|| normalizer.normalize(black_box(text)));
            });
            let traced = BenchmarkId::new(format!("{folding}/with_offsets"), name);
            group.bench_with_input(traced, text, |b, text| {
                b.iter(|| normalizer.normalize_with_offsets(black_box(text)));
            });
        }
    }
}

fn foldings() -> Vec<(&'static str, Normalization, Units)> {
    let default = Normalization::default;
    let text = |name, settings| (name, settings, Units::Text);
    vec![
        text("nfc", Normalization { form: Some(UnicodeForm::Nfc), ..default() }),
        text("nfkc", Normalization { form: Some(UnicodeForm::Nfkc), ..default() }),
        text("lowercase", Normalization { lowercase: true, ..default() }),
        text("strip_accents", Normalization { strip_accents: true, ..default() }),
        text("strip_punctuation", Normalization { strip_punctuation: true, ..default() }),
        text("plagiarism", Normalization { disguises: true, ..default() }),
        text("skip_lines", Normalization { skip_lines: vec!["^\\d+$".parse().expect("a pattern")], ..default() }),
        text("ignore_between", {
            let markers = Markers::new("<!--", "-->").expect("not empty");
            Normalization { ignore_between: vec![markers], ..default() }
        }),
        ("lines", default(), ShingleKind::Line.units()),
        ("sentences", default(), ShingleKind::Sentence.units()),
    ]
}

/// Checks the result. These texts have nothing to compose, no capitals, and nothing to ignore.
fn check(folding: &str, text: &str, normalized: &str) {
    let folded = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    match folding {
        "strip_accents" => assert_eq!(normalized, folded(&text.replace('é', "e").replace('å', "a"))),
        "strip_punctuation" => assert_eq!(normalized, folded(&text.replace(['.', '。'], ""))),
        "sentences" => assert_eq!(normalized.replace('\n', " "), folded(text)),
        _ => assert_eq!(normalized, folded(text)),
    }
}
