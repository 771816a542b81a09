//! Passages: two texts of 2,000 words with edits, two texts of a million words, and one repeated token; the throughput
//! is in tokens of both texts.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use dedup_scan::compare::passages::{Aligner, PassageSettings};
use dedup_scan::text::Tokens;
use dedup_scan::{ShingleKind, Shingler};

use crate::corpus::{Author, Script};

pub(crate) fn register(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("passages");
    let settings = PassageSettings::of(ShingleKind::Word).expect("words have an order");
    let mut cases: Vec<(&str, [Tokens; 2])> = Vec::new();
    for (name, num_words, edits) in [("2000_words", 2000, 40), ("a_million_words", 1_000_000, 20_000)] {
        let texts = edited(num_words, edits);
        cases.push((name, texts));
    }
    let repeated = |len: usize, end: &str| words("same ".repeat(len) + end);
    cases.push(("one_repeated_word", [repeated(1_000_000, ""), repeated(999_999, "other")]));
    for (name, [a, b]) in &cases {
        let mut aligner = Aligner::new(settings);
        let alignment = aligner.align(a, b);
        assert!(alignment.coverage() > 0.7, "{name}: {}", alignment.coverage());
        group.throughput(Throughput::Elements((a.len() + b.len()) as u64));
        if a.len() > 100_000 {
            group.sample_size(10);
        }
        group.bench_function(*name, |bencher| bencher.iter(|| aligner.align(black_box(a), black_box(b))));
    }
    let (_, [a, _]) = &cases[0];
    let mut shingler = Shingler::new(ShingleKind::Word, 5);
    group.throughput(Throughput::Bytes(a.text().len() as u64));
    group.bench_function("tokens_of_2000_words", |bencher| {
        bencher.iter_batched(
            || a.text().to_owned(),
            |text| shingler.tokens(black_box(text)),
            criterion::BatchSize::SmallInput,
        );
    });
    group.finish();
}

/// Makes two texts of `num_words` words that differ in `edits` places.
pub(crate) fn edited(num_words: usize, edits: usize) -> [Tokens; 2] {
    let text = Author::new(Script::Ascii, 11).text(num_words * 7);
    let mut theirs: Vec<&str> = text.split_whitespace().take(num_words).collect();
    let ours = theirs.join(" ");
    (0..edits).for_each(|edit| theirs[edit * num_words / edits] = "changed");
    [words(ours), words(theirs.join(" "))]
}

fn words(text: String) -> Tokens {
    Shingler::new(ShingleKind::Word, 5).tokens(text)
}
