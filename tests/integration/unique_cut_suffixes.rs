//! `dedup unique --cut passages` against an array of suffixes: the same spans, byte for byte.
//!
//! The suffixes of all texts are sorted by their first L tokens. Suffixes with the same L tokens are next to each other,
//! and all but the first in document order are repeated. This needs all tokens in memory, and a comparison of tokens
//! for each step of the sort, but no hash of a run. `DEDUP_SUFFIXES=FILE` compares a JSON Lines file of any size:
//!
//! ```sh
//! DEDUP_SUFFIXES=corpus.jsonl cargo test --test integration suffixes -- --nocapture
//! ```

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::fs;
use std::ops::Range;

use dedup_scan::{Normalization, Normalizer, ShingleKind, Shingler};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

use crate::support::*;

/// The number of tokens in a run.
const RUN: usize = 50;

/// The bytes of each document that repeat an earlier run.
fn repeated_bytes(texts: &[String], run: usize) -> BTreeMap<usize, Vec<Range<usize>>> {
    let (mut numbers, mut all, mut ends): (HashMap<String, u32>, Vec<u32>, Vec<usize>) = Default::default();
    let mut places: Vec<Vec<Range<usize>>> = Vec::new();
    let mut normalizer = Normalizer::new(&Normalization::default(), ShingleKind::Word.units());
    for text in texts {
        let (normalised, map) = normalizer.normalize_with_offsets(text);
        let tokens = Shingler::new(ShingleKind::Word, 1).tokens(normalised);
        let mut of_text = Vec::with_capacity(tokens.len());
        for token in 0..tokens.len() {
            let bytes = tokens.bytes_of(token..token + 1);
            let next = numbers.len() as u32;
            all.push(*numbers.entry(tokens.text()[bytes.clone()].to_owned()).or_insert(next));
            of_text.push(map.source_range(bytes));
        }
        places.push(of_text);
        ends.push(all.len());
    }
    let document_of = |at: usize| ends.partition_point(|&end| end <= at);
    let mut suffixes: Vec<u32> = Vec::new();
    for (document, &end) in ends.iter().enumerate() {
        let start = if document > 0 { ends[document - 1] } else { 0 };
        suffixes.extend((start..(end + 1).saturating_sub(run).max(start)).map(|at| at as u32));
    }
    let run_at = |at: u32| &all[at as usize..at as usize + run];
    suffixes.par_sort_unstable_by(|&a, &b| run_at(a).cmp(run_at(b)).then(a.cmp(&b)));
    let mut is_repeated = vec![false; all.len()];
    for pair in suffixes.windows(2) {
        if run_at(pair[0]) == run_at(pair[1]) {
            is_repeated[pair[1] as usize..pair[1] as usize + run].fill(true);
        }
    }
    let mut spans: BTreeMap<usize, Vec<Range<usize>>> = BTreeMap::new();
    for at in (0..all.len()).filter(|&at| is_repeated[at]) {
        let document = document_of(at);
        let start = if document > 0 { ends[document - 1] } else { 0 };
        let bytes = places[document][at - start].clone();
        let list = spans.entry(document).or_default();
        match list.last_mut() {
            Some(last) if at > start && is_repeated[at - 1] => last.end = bytes.end,
            _ => list.push(bytes),
        }
    }
    spans
}

/// Texts of random words, into which passages of earlier texts are copied, whole or in part, at random places.
fn sample() -> String {
    let mut random = StdRng::seed_from_u64(11);
    let (mut lines, mut texts): (String, Vec<Vec<String>>) = Default::default();
    for number in 0..600 {
        let mut words: Vec<String> =
            (0..random.random_range(20..400)).map(|_| format!("w{}", random.random_range(0..50_000))).collect();
        for _ in 0..random.random_range(0..4) {
            let Some(other) = texts.get(random.random_range(0..texts.len().max(1))) else { break };
            let start = random.random_range(0..other.len());
            let len = random.random_range(1..150).min(other.len() - start);
            let at = random.random_range(0..=words.len());
            words.splice(at..at, other[start..start + len].iter().cloned());
        }
        // Runs ignore punctuation and line breaks.
        let text: String =
            words.iter().map(|word| word.clone() + [" ", ", ", "\n", ". "][random.random_range(0..4)]).collect();
        writeln!(lines, "{}", serde_json::json!({ "id": number, "text": text })).unwrap();
        texts.push(words);
    }
    lines
}

#[test]
fn the_spans_are_those_of_sorted_suffixes() {
    let (corpus, path) = match std::env::var_os("DEDUP_SUFFIXES") {
        None => (Workspace::new("cut_suffixes").file("a.jsonl", sample()), "a.jsonl".to_owned()),
        Some(path) => (Workspace::new("cut_suffixes"), path.into_string().unwrap()),
    };
    let texts: Vec<String> = fs::read_to_string(corpus.path(&path))
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["text"].as_str().unwrap().to_owned())
        .collect();
    let expected = repeated_bytes(&texts, RUN);
    let num_spans: usize = expected.values().map(Vec::len).sum();
    println!("{} texts, {} bytes, {num_spans} spans", texts.len(), texts.iter().map(String::len).sum::<usize>());
    assert!(num_spans > 100);
    // Names are the places of records.
    let args =
        ["unique", &path, "-n", "-q", "--cut", "passages:50", "--cuts", "-", "--id-field", "none", "--memory", "64MiB"];
    let look = |cuts: &str| {
        let mut found: BTreeMap<usize, Vec<Range<usize>>> = BTreeMap::new();
        for line in cuts.lines() {
            let cut: serde_json::Value = serde_json::from_str(line).unwrap();
            let line: usize = cut["document"].as_str().unwrap().rsplit(':').next().unwrap().parse().unwrap();
            let at = |end: usize| cut["bytes"][end].as_u64().unwrap() as usize;
            found.entry(line - 1).or_default().push(at(0)..at(1));
        }
        assert!(found == expected, "the spans differ");
    };
    corpus.dedup(&args).stdout_with(look).stderr_with(|_| ()).exit_code(0);
}
