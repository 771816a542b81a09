//! Matching by passages: winnowing one text, filtering one pair, and a complete run over records.
//!
//! In the complete run, one page in ten copied a passage, and nearly all of the time goes into the index and its
//! candidates.

use std::collections::BTreeSet;
use std::fs;
use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput};
use dedup_scan::compare::passages::{PassageSettings, Winnower, most_tokens_in_passages};
use dedup_scan::{MatchSettings, PairSource, Settings, ShingleKind, ShingleSettings, Shingler, find_duplicates};
use serde_json::json;

use crate::corpus::{Author, Script};
use crate::end_to_end::{Silent, scan_of};
use crate::passages::edited;

const NUM_PAGES: usize = 2000;
const PAGE_WORDS: usize = 500;
/// One page in this many copied a passage of the page before it.
const COPIED_EVERY: usize = 10;
const PASSAGE_WORDS: usize = 60;

pub(crate) fn register(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("matching");
    let passages = PassageSettings::of(ShingleKind::Word).expect("words have an order");
    let mut author = Author::new(Script::Ascii, 12);
    let text: Vec<String> = author.text(20_000).split_whitespace().take(2000).map(str::to_owned).collect();
    let tokens = Shingler::new(ShingleKind::Word, 5).tokens(text.join(" "));
    let mut winnower = Winnower::new(passages);
    let mut kept = 0;
    winnower.keep(&tokens, |_, _| kept += 1);
    assert!((0.35..0.45).contains(&(kept as f64 / tokens.len() as f64)), "{kept}");
    group.throughput(Throughput::Elements(tokens.len() as u64));
    group.bench_function("winnow_2000_words", |bencher| {
        bencher.iter_batched(
            || Vec::with_capacity(kept),
            |mut hashes| {
                winnower.keep(black_box(&tokens), |hash, _| hashes.push(hash));
                hashes
            },
            BatchSize::SmallInput,
        );
    });

    // The `passages` stage measures the alignment of two such texts.
    let [a, b] = edited(2000, 40);
    let mut most_tokens = most_tokens_in_passages(passages, &a, &b);
    assert!((1400..2000).contains(&most_tokens()), "{}", most_tokens());
    group.throughput(Throughput::Elements((a.len() + b.len()) as u64));
    group.bench_function("filter_2000_words", |bencher| bencher.iter(&mut most_tokens));

    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("pages.jsonl");
    let (mut lines, mut before) = (String::new(), Vec::new());
    for number in 0..NUM_PAGES {
        let text = author.text(PAGE_WORDS * 9);
        let mut page: Vec<String> = text.split_whitespace().take(PAGE_WORDS).map(str::to_owned).collect();
        if number % COPIED_EVERY == COPIED_EVERY - 1 {
            page[100..100 + PASSAGE_WORDS].clone_from_slice(&before[200..200 + PASSAGE_WORDS]);
        }
        lines += &format!("{}\n", json!({ "id": number.to_string(), "text": page.join(" ") }));
        before = page;
    }
    fs::write(&file, &lines).expect("a written file");
    let mut settings = scan_of(file);
    settings.shingles = ShingleSettings::new(ShingleKind::Word);
    settings.pairs.source = PairSource::Passages(MatchSettings::of(ShingleKind::Word).expect("words have an order"));
    let expected: BTreeSet<usize> = (0..NUM_PAGES).filter(|number| number % COPIED_EVERY == COPIED_EVERY - 1).collect();
    assert_eq!(matches(&settings), expected);
    group.sample_size(10).throughput(Throughput::Bytes(lines.len() as u64));
    group.bench_function("2000_pages_of_500_words", |bencher| bencher.iter(|| matches(&settings)));
    group.finish();
}

/// Returns the second documents of all pairs.
fn matches(settings: &Settings) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let sink = &mut |_: &_, pairs: &[dedup_scan::DuplicatePair]| {
        found.extend(pairs.iter().map(|pair| pair.b.index()));
        Ok(())
    };
    find_duplicates(settings, &Silent, sink).expect("a complete run");
    found
}
