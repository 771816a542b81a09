//! `dedup query --preset prose`: an index finds the documents with copied passages that a comparison with its corpus finds.

use serde_json::Value;

use crate::index::{printed, records_with};
use crate::support::*;

/// A text of `len` words that no other part has.
fn words(start: usize, len: usize) -> String {
    (start..start + len).map(|word| format!("w{}x ", word * 7919 % 100_003)).collect()
}

/// Articles, and texts that copy passages of different lengths from them.
fn copies_of_articles(random: &mut Random) -> (Vec<String>, Vec<String>) {
    let articles: Vec<String> = (0..15).map(|article| words(article * 1000, 150 + random.below(200))).collect();
    let copies = (0..40).map(|copy| {
        let own = |part: usize| words(50_000 + copy * 200 + part * 60, 20 + copy % 30);
        let passages = (0..copy % 4).map(|part| {
            let (article, start, len) = (random.below(15), random.below(100), 5 + random.below(40));
            own(part) + &words(article * 1000 + start, len)
        });
        passages.collect::<String>() + &own(3)
    });
    let copies = copies.collect();
    (articles, copies)
}

#[test]
fn an_index_finds_the_passages_that_a_comparison_finds() {
    let (old, new) = copies_of_articles(&mut Random(431));
    let new = records_with(&new, "n");
    let corpus =
        Workspace::new("index_prose").file("old.jsonl", records_with(&old, "o")).file("new.jsonl", &new).stdin(&new);
    // With every shingle sampled nothing is missed, whether the index has the texts or their places.
    for (index, texts) in [("x", "keep"), ("places", "refer")] {
        let build = ["index", "build", index, "old.jsonl", "-q", "--preset", "prose", "--for-containment=1/1"];
        corpus.dedup(&[&build[..], &["--texts", texts]].concat()).stdout("").stderr("").exit_code(0);
    }
    for flags in [&[][..], &["--min-run", "10", "--anchor", "12"], &["--sort", "longest"], &["--top", "9"]] {
        let compare = ["compare", "new.jsonl", "--against", "old.jsonl", "-q", "--preset", "prose"];
        let expected = printed(&corpus, &[&compare[..], flags].concat());
        assert!(expected.lines().count() > 8, "{expected}");
        for index in ["x", "places"] {
            for threads in ["1", "3"] {
                let query = ["query", index, "new.jsonl", "-q", "--preset", "prose", "--threads", threads];
                assert_eq!(printed(&corpus, &[&query[..], flags].concat()), expected, "{index} {flags:?}");
            }
        }
    }
    // Line by line the results are the same.
    let query = ["query", "x", "new.jsonl", "-q", "--preset", "prose"];
    for flags in [&[][..], &["--best", "1"]] {
        let pairs = printed(&corpus, &[&query[..], flags].concat());
        let key = |found: &Value| ["b", "matched", "longest", "coverage_a", "passages"].map(|key| found[key].clone());
        let expected: Vec<_> = pairs.lines().map(|line| key(&serde_json::from_str(line).unwrap())).collect();
        let look = |lines: &str| {
            let lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
            let found: Vec<_> = lines.flat_map(|line| line["matches"].as_array().unwrap().clone()).collect();
            assert_eq!(found.iter().map(key).collect::<Vec<_>>(), expected, "{flags:?}");
            assert!(expected.iter().all(|found| found[1].as_u64() >= Some(20)), "{flags:?}");
        };
        let follow = ["query", "x", "--stdin", "--preset", "prose"];
        corpus.dedup(&[&follow[..], flags].concat()).stdout_with(look).stderr("").exit_code(0);
    }
}

#[test]
fn the_best_document_has_enough_passages() {
    // All 12 words of `short` are in the query, which are too few for a passage to count; `long` shares 30 of its words.
    let corpus = Workspace::new("index_prose_best")
        .file("in/long", words(100, 30) + &words(5000, 60))
        .file("in/short", words(0, 12))
        .file("query", words(0, 12) + &words(9000, 40) + &words(100, 30));
    let build = ["index", "build", "-q", "x", "in", "--preset", "prose", "--for-containment=1/1"];
    corpus.dedup(&build).stdout("").stderr("").exit_code(0);
    let contained = ["query", "-q", "x", "query", "--containment", "0.1", "--best", "1"];
    corpus.dedup(&contained).pairs(&["query in/short"]).stderr("").exit_code(0);
    let best = ["query", "-q", "x", "query", "--preset", "prose", "--best", "1"];
    corpus.dedup(&best).pairs(&["query in/long"]).stderr("").exit_code(0);
}

/// An article of 400 words, and a text with 60 of them.
fn article(name: &'static str) -> Workspace {
    Workspace::new(name)
        .file("in/article.txt", words(0, 400))
        .file("copy.txt", words(5000, 200) + &words(100, 60) + &words(6000, 200))
        .file("whole.txt", words(0, 400))
}

#[test]
fn an_index_of_prose_samples_shingles_and_reports_copied_passages() {
    let corpus = article("index_prose_report");
    let rebuilt = ["index", "rebuild", "-q", "r", "plain", "--preset", "prose"];
    corpus.dedup(&["index", "build", "-q", "x", "in", "--preset", "prose"]).stdout("").stderr("").exit_code(0);
    corpus.dedup(&["index", "build", "-q", "plain", "in"]).stdout("").stderr("").exit_code(0);
    corpus.dedup(&rebuilt).stdout("").stderr("").exit_code(0);
    let settings = |index: &str| -> Value {
        serde_json::from_str(&printed(&corpus, &["index", "info", index, "--json"])).unwrap()
    };
    for index in ["x", "r"] {
        let settings = &settings(index)["settings"];
        assert_eq!(
            (&settings["shingle"], &settings["k"], &settings["containment"]),
            (&"word".into(), &5.into(), &8.into())
        );
        let text = "Near-duplicates: 1 pair of 2 documents in 1 group; 1 document compared\n   15 %  copy.txt  in/article.txt\n         line 1 and line 1: 60 tokens\n";
        let summary = |stderr: &str| {
            let found = "1 pair by copied passages of 1 document in an index of 1, in <time>; ";
            assert!(stderr.starts_with(found) && stderr.contains("(1 shingle in 8 is sampled)"), "{stderr}");
        };
        let query = ["query", index, "copy.txt", "--preset", "prose", "-f", "text", "--summary", "s"];
        corpus.dedup(&query).stdout(text).stderr_with(summary).exit_code(0);
        let summary: Value = serde_json::from_str(&corpus.read("s")).unwrap();
        assert_eq!(
            (&summary["settings"]["match"]["coverage"], &summary["containment"]["least"]),
            (&0.1.into(), &0.1.into())
        );
    }
}

#[test]
fn a_preset_uses_the_settings_of_the_index_and_reports_what_differs() {
    let corpus = article("index_prose_other");
    corpus.dedup(&["index", "build", "-q", "plain", "in"]).stdout("").stderr("").exit_code(0);
    let differs = "dedup: note: plain: the index was made with --shingle char, and --preset prose sets --shingle word; texts are compared as in the index\n";
    let wholes = "dedup: note: plain: finds documents that are similar as a whole, and not all copied passages; dedup index rebuild OUT plain --preset prose makes an index that does\n";
    let query = ["query", "plain", "whole.txt", "copy.txt", "--preset", "prose"];
    let notes = |stderr: &str| {
        let summary = stderr.strip_prefix(&*format!("{differs}{wholes}")).unwrap_or_else(|| panic!("{stderr}"));
        assert!(summary.starts_with("1 similar pair of 2 documents"), "{stderr}");
    };
    let look = |line: &str| assert!(line.contains("\"jaccard\":1.0") && line.contains("\"coverage_a\":1.0"), "{line}");
    corpus.dedup(&query).stdout_with(look).stderr_with(notes).exit_code(0);
    corpus.dedup(&[&query[..], &["-q"]].concat()).pairs(&["whole.txt in/article.txt"]).stderr("").exit_code(0);
    // A flag that the user gave is still an error if it differs.
    let refused = "dedup: plain: the index was made with --shingle char, not --shingle word; remove the flag, or build another index\n";
    corpus.dedup(&[&query[..], &["--shingle", "word"]].concat()).stdout("").stderr(refused).exit_code(2);
    // A sample of shingles finds passages of characters too.
    corpus.dedup(&["index", "build", "-q", "chars", "in", "--for-containment=1/8"]).stdout("").stderr("").exit_code(0);
    let query = ["query", "chars", "copy.txt", "--preset", "prose", "-q"];
    corpus.dedup(&query).pairs(&["copy.txt in/article.txt"]).stderr("").exit_code(0);
    let refused = |flags: &[&str], message: &str| {
        let line = format!("dedup: {message}\n");
        corpus.dedup(&[&query[..], flags].concat()).stdout("").stderr(&line).exit_code(2);
    };
    refused(
        &["--threshold", "0.5"],
        "--threshold: does not apply to documents that match by passages; give --containment instead, or remove the flag",
    );
    refused(
        &["--add", "unseen"],
        "--add: documents are added by what is similar to them, but --preset prose finds passages; remove one of them",
    );
    let sets = ["index", "build", "-q", "sets", "in", "--shingle", "set", "--for-containment"];
    corpus.dedup(&sets).stdout("").stderr("").exit_code(0);
    let look = |stderr: &str| assert!(stderr.contains("no order") && stderr.lines().count() == 1, "{stderr}");
    corpus.dedup(&["query", "sets", "copy.txt", "--preset", "prose", "-q"]).stdout("").stderr_with(look).exit_code(2);
}
