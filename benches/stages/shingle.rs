//! Shingling, in bytes of normalised text: only hashing, as for a signature, and building the set of distinct hashes,
//! as for verification.

use std::collections::HashSet;
use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput};
use dedup_scan::text::ShingleHashes;
use dedup_scan::{ShingleKind, ShingleSet, Shingler};

use crate::corpus::{Author, Script, prefix};

pub(crate) fn register(criterion: &mut Criterion) {
    let texts = [("ascii", Script::Ascii), ("chinese", Script::Chinese)]
        .map(|(name, script)| (name, Author::new(script, 2).text(64 << 10)));
    for (name, text) in &texts {
        let num_chars = text.chars().count();
        assert_eq!(count(&mut Shingler::new(ShingleKind::Char, 9), text), num_chars - 8, "{name}");
        assert!((num_chars / 20..num_chars).contains(&count(&mut Shingler::new(ShingleKind::Word, 5), text)), "{name}");
    }

    let mut group = criterion.benchmark_group("shingle/hash");
    for (name, text) in &texts {
        group.throughput(Throughput::Bytes(text.len() as u64));
        for (kind, size) in [(ShingleKind::Char, 9), (ShingleKind::Char, 5), (ShingleKind::Word, 5)] {
            let mut shingler = Shingler::new(kind, size);
            let id = BenchmarkId::new(format!("{kind:?}{size}").to_lowercase(), name);
            group.bench_with_input(id, text, |b, text| b.iter(|| count(&mut shingler, black_box(text))));
        }
    }
    group.finish();

    let mut group = criterion.benchmark_group("shingle/kernel");
    let (_, text) = &texts[0];
    group.throughput(Throughput::Bytes(text.len() as u64));
    for (kind, size) in [(ShingleKind::Char, 9), (ShingleKind::Word, 5)] {
        let expected = ShingleSet::new(Shingler::new(kind, size).shingles(text));
        for (kernel, mut shingler) in Shingler::by_kernel(kind, size) {
            assert!(ShingleSet::new(shingler.shingles(text)).hashes() == expected.hashes(), "{kind:?}, {kernel}");
            let id = BenchmarkId::new(format!("{kind:?}{size}").to_lowercase(), kernel);
            group.bench_with_input(id, text, |b, text| b.iter(|| count(&mut shingler, black_box(text))));
        }
    }
    group.finish();

    let mut group = criterion.benchmark_group("shingle/kind");
    for (name, text) in &texts {
        let lines = text.replace(". ", ".\n").replace('。', "。\n");
        group.throughput(Throughput::Bytes(text.len() as u64));
        for (kind, bag, text) in [
            (ShingleKind::Line, false, &lines),
            (ShingleKind::StopWord, false, text),
            (ShingleKind::Char, true, text),
            (ShingleKind::Word, true, text),
        ] {
            let mut shingler = Shingler::new(kind, kind.default_size()).with_bag(bag);
            let num_shingles = count(&mut shingler, text);
            assert!(num_shingles > 0, "{name}");
            if bag {
                let elements = ShingleSet::new(shingler.shingles(text));
                assert_eq!(elements.len(), num_shingles, "{name}: in a bag no shingle is there twice");
            }
            let id = BenchmarkId::new(format!("{kind:?}{}", if bag { "_bag" } else { "" }).to_lowercase(), name);
            group.bench_with_input(id, text, |b, text| b.iter(|| count(&mut shingler, black_box(text))));
        }
    }
    group.finish();

    let mut group = criterion.benchmark_group("shingle/set");
    for (name, text) in &texts {
        // A short message, a typical document, and a long one.
        for num_bytes in [1 << 10, 8 << 10, 64 << 10] {
            let text = prefix(text, num_bytes);
            let mut shingler = Shingler::new(ShingleKind::Char, 9);
            let set = ShingleSet::new(shingler.shingles(text));
            let distinct: HashSet<u64> = set.hashes().iter().copied().collect();
            assert!(distinct.len() == set.len() && set.len() > text.len() / 4, "{name}");
            group.throughput(Throughput::Bytes(text.len() as u64));
            group.bench_with_input(BenchmarkId::new(*name, num_bytes), text, |b, text| {
                b.iter(|| ShingleSet::new(shingler.shingles(black_box(text))));
            });
        }
    }
}

/// Hashes every shingle and visits each block, as a signer does.
pub(crate) fn count(shingler: &mut Shingler, text: &str) -> usize {
    let mut num_shingles = 0;
    shingler.shingles(text).for_each_block(&mut |block| num_shingles += black_box(block).len());
    num_shingles
}
