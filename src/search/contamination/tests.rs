//! The search compared with a slow twin that compares all words with all words.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;

use super::*;
use crate::base::memory::Resources;
use crate::base::observe::Unwatched;
use crate::compare::verify::Threshold;
use crate::documents::document::DocId;
use crate::text::plain_words::for_each_plain_word;

fn words(text: &str) -> Vec<u64> {
    let mut words = Vec::new();
    for_each_plain_word(text.as_bytes(), |word, _| words.push(word));
    words
}

/// The number of words of a benchmark text that are in runs of `min_run` words that a text also has, or all of them if the
/// text has the shorter benchmark text as a whole.
fn matched(text: &str, of: &str, rule: &ContaminationSettings) -> u64 {
    matched_words(&words(text), of, rule)
}

fn matched_words(text: &[u64], of: &str, rule: &ContaminationSettings) -> u64 {
    let of = words(of);
    let run = if of.len() >= rule.min_run { rule.min_run } else { of.len() };
    if run < rule.min_whole.min(rule.min_run) {
        return 0;
    }
    let mut found = BTreeSet::new();
    for start in 0..(of.len() + 1).saturating_sub(run) {
        if text.windows(run).any(|window| *window == of[start..start + run]) {
            found.extend(start..start + run);
        }
    }
    found.len() as u64
}

fn write(folder: &tempfile::TempDir, name: &str, texts: &[String]) -> PathBuf {
    let path = folder.path().join(name);
    let lines = texts.iter().map(|text| serde_json::json!({ "text": text }).to_string() + "\n");
    fs::write(&path, lines.collect::<String>()).unwrap();
    path
}

fn search(train: &[String], benchmark: &[String], rule: &ContaminationSettings, threads: usize) -> FoundContamination {
    let folder = tempfile::tempdir().unwrap();
    let input = InputSettings::of(vec![write(&folder, "train.jsonl", train)]);
    let benchmarks = InputSettings::of(vec![write(&folder, "benchmark.jsonl", benchmark)]);
    let mut settings = Settings::of(input);
    settings.resources = Resources { threads: threads.try_into().unwrap(), ..Resources::with_memory_bytes(1 << 24) };
    find_contamination(&settings, &benchmarks, rule, &Unwatched, &settings.thread_pool().unwrap()).unwrap()
}

/// The folder of the files of a search.
fn folder_of(found: &FoundContamination) -> String {
    let name = String::from_utf8_lossy(found.documents.name(DocId::new(0))).into_owned();
    name[..name.rfind('/').unwrap()].to_owned()
}

fn json(found: &FoundContamination) -> Vec<serde_json::Value> {
    let mut records = Vec::new();
    let mut sink = |record: &BenchmarkRecord| {
        let record = serde_json::to_string(record).unwrap();
        // Each search has its own folder.
        records.push(serde_json::from_str(&record.replace(&folder_of(found), "")).unwrap());
        Ok(())
    };
    found.for_each_record(&mut sink).unwrap();
    records
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec("[ab]|[a-e]|the|\\.", 0..40).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn every_common_run_is_found_and_no_other(
        train in prop::collection::vec(text(), 1..12),
        benchmark in prop::collection::vec(text(), 1..8),
        (min_run, min_whole, min_matched) in (1usize..8, 1usize..8, 1u64..20),
        coverage in prop::sample::select(vec![0.0, 0.5, 1.0]),
    ) {
        // A search needs a benchmark text that is long enough; this one is in no other text.
        let mut benchmark = benchmark;
        benchmark.push("p q r s t u v w".to_owned());
        let coverage = Threshold::new(coverage).unwrap();
        let rule = ContaminationSettings { min_run, min_whole, coverage, min_matched, fields: Vec::new() };
        let found = search(&train, &benchmark, &rule, 1);
        let table: Vec<Vec<u64>> =
            train.iter().map(|text| benchmark.iter().map(|of| matched(text, of, &rule)).collect()).collect();
        let enough = |of: usize, matched: u64| rule.is_found(matched, words(&benchmark[of]).len() as u64);
        let contaminated: Vec<usize> =
            (0..train.len()).filter(|&text| (0..benchmark.len()).any(|of| enough(of, table[text][of]))).collect();
        let result: Vec<usize> = found.contaminated().iter().map(|document| document.index()).collect();
        prop_assert_eq!(result, contaminated);
        let touched = table.iter().filter(|row| row.iter().any(|&matched| matched > 0)).count();
        prop_assert_eq!(found.summary().touched, touched as u64);
        let records = json(&found);
        let expected: Vec<usize> =
            (0..benchmark.len()).filter(|&of| table.iter().any(|row| row[of] > 0)).collect();
        prop_assert_eq!(records.len(), expected.len());
        for (record, of) in records.iter().zip(expected) {
            let most = table.iter().map(|row| row[of]).max().unwrap();
            let text = &record["texts"][0];
            prop_assert_eq!(text["matched"].as_u64(), Some(most));
            let documents = (0..train.len()).filter(|&text| enough(of, table[text][of])).count() as u64;
            prop_assert_eq!(text["documents"].as_u64(), Some(documents));
            for found_in in text["found_in"].as_array().unwrap_or(&Vec::new()) {
                check_spans(found_in, &train, &benchmark[of]);
            }
        }
        prop_assert_eq!(json(&search(&train, &benchmark, &rule, 3)), records);
        check_marks(&found, &table, &benchmark, &rule)?;
        for (document, cut) in found.covered() {
            let mut left = Vec::new();
            for_each_plain_word(train[document.index()].as_bytes(), |word, bytes| {
                if !cut.iter().any(|cut| cut.start <= bytes.start && bytes.end <= cut.end) {
                    left.push(word);
                }
            });
            prop_assert!(benchmark.iter().all(|of| matched_words(&left, of, &rule) == 0), "{document:?}: {cut:?}");
        }
    }
}

/// Checks that each mark has the first text with the largest share, and the number of texts that are found.
fn check_marks(
    found: &FoundContamination,
    table: &[Vec<u64>],
    benchmark: &[String],
    rule: &ContaminationSettings,
) -> Result<(), TestCaseError> {
    let lens: Vec<u64> = benchmark.iter().map(|of| words(of).len() as u64).collect();
    for (document, mark) in found.marks() {
        let row = &table[document.index()];
        let enough: Vec<usize> = (0..row.len()).filter(|&of| rule.is_found(row[of], lens[of])).collect();
        let is_better = |a: usize, b: usize| row[a] * lens[b] > row[b] * lens[a];
        let best = enough.iter().copied().reduce(|best, of| if is_better(of, best) { of } else { best }).unwrap();
        prop_assert_eq!((mark.texts, mark.matched), (enough.len() as u64, row[best]));
        let name = String::from_utf8(mark.benchmark.to_bytes()).unwrap();
        prop_assert!(name.ends_with(&format!(":{}", best + 1)), "{name}, not {best}");
    }
    Ok(())
}

/// Checks that spans have equal words and cover as many words as the record says.
fn check_spans(found_in: &serde_json::Value, train: &[String], of: &str) {
    let name = found_in["name"].as_str().unwrap();
    let text = &train[name.rsplit(':').next().unwrap().parse::<usize>().unwrap() - 1];
    let mut covered = BTreeSet::new();
    for span in found_in["spans"].as_array().unwrap() {
        let range = |key: &str| {
            let ends = [0, 1].map(|end| span[key][end].as_u64().unwrap() as usize);
            ends[0]..ends[1]
        };
        let (in_benchmark, in_text) = (words(&of[range("benchmark")]), words(&text[range("document")]));
        assert_eq!(in_benchmark, in_text, "{span} of {text:?} and {of:?}");
        assert_eq!(in_benchmark.len() as u64, span["words"].as_u64().unwrap());
        let mut end = range("document").end;
        for again in span["again"].as_array().unwrap_or(&Vec::new()) {
            let ends = [0, 1].map(|end| again[end].as_u64().unwrap() as usize);
            assert_eq!(words(&text[ends[0]..ends[1]]), in_text, "{span} of {text:?}");
            assert!(ends[0] >= end, "{span} of {text:?}");
            end = ends[1];
        }
        covered.extend(
            range("benchmark").filter(|&at| !of.as_bytes()[at].is_ascii_punctuation() && of.as_bytes()[at] != b' '),
        );
    }
    let num = words(
        &covered
            .iter()
            .fold((String::new(), None), |(mut text, last): (String, Option<usize>), &at| {
                if last.is_some_and(|last| last + 1 != at) {
                    text.push(' ');
                }
                text.push(char::from(of.as_bytes()[at]));
                (text, Some(at))
            })
            .0,
    )
    .len();
    assert_eq!(num as u64, found_in["matched"].as_u64().unwrap());
}

#[test]
fn a_run_that_a_cut_makes_is_cut_too() {
    let of = "one two three four five six seven eight nine ten";
    // Each copy is within another one.
    let nested = (0..3).fold(String::new(), |inner, _| {
        let (start, end) = of.split_at(of.find(" six").unwrap());
        format!("{start} {inner}{end}")
    });
    let rule = ContaminationSettings { min_run: 10, ..ContaminationSettings::default() };
    let found = search(&[format!("before {nested} after")], &[of.to_owned()], &rule, 1);
    let cut: Vec<_> = found.covered().flat_map(|(_, cut)| cut.to_vec()).collect();
    assert_eq!((cut.len(), &cut[0]), (1, &(7..7 + nested.len())));
}

#[test]
fn words_that_occur_again_are_listed_with_their_positions() {
    let of = "one two three four five six seven eight";
    let found = search(&[format!("{of} and {of}, {of}")], &[of.to_owned()], &ContaminationSettings::default(), 1);
    let span = &json(&found)[0]["texts"][0]["found_in"][0]["spans"][0];
    let len = of.len();
    assert_eq!(span["document"], serde_json::json!([0, len]));
    assert_eq!(span["again"], serde_json::json!([[len + 5, 2 * len + 5], [2 * len + 7, 3 * len + 7]]));
}

#[test]
fn one_repeated_word_takes_no_time_with_the_square_of_its_length() {
    let train = vec!["the ".repeat(300_000), "the ".repeat(20)];
    let benchmark = vec!["the ".repeat(50_000), "the ".repeat(9)];
    let found = search(&train, &benchmark, &ContaminationSettings::default(), 2);
    assert_eq!(found.contaminated().len(), 2);
    let records = json(&found);
    assert_eq!(records[0]["texts"][0]["matched"], 50_000);
    assert_eq!(records[0]["texts"][0]["found_in"][0]["spans"].as_array().unwrap().len(), 1);
    assert_eq!(records[1]["texts"][0]["documents"], 2);
}
