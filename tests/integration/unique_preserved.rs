//! `dedup unique` with `--preserve`, `--several`, `--against` and several `--keep`, against a slow twin.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::support::*;
use crate::unique::unique;

type Words = BTreeSet<u32>;

fn similarity(a: &Words, b: &Words) -> f64 {
    a.intersection(b).count() as f64 / a.union(b).count() as f64
}

/// The numbers of the new documents that stay: each one is removed if kept documents before it replace it.
fn slowly(new: &[Words], old: &[Words], threshold: f64, preserve: Option<(f64, bool)>) -> Vec<usize> {
    let mut kept: Vec<&Words> = old.iter().collect();
    let mut stays = Vec::new();
    for (number, words) in new.iter().enumerate() {
        let similar: Vec<&Words> =
            kept.iter().copied().filter(|&other| similarity(words, other) >= threshold).collect();
        let share = |other: &Words| words.intersection(other).count() as f64 / words.len() as f64;
        let is_removed = match preserve {
            _ if similar.contains(&words) => true,
            None => !similar.is_empty(),
            Some((least, several)) => {
                let all: Words = similar.iter().flat_map(|other| other.iter().copied()).collect();
                similar.iter().any(|other| share(other) >= least) || several && share(&all) >= least
            }
        };
        if !is_removed {
            kept.push(words);
            stays.push(number);
        }
    }
    stays
}

fn lines(texts: &[Words], from: usize) -> String {
    let mut lines = String::new();
    for (number, words) in texts.iter().enumerate() {
        let text = words.iter().map(|word| format!("w{word}")).collect::<Vec<_>>().join(" ");
        writeln!(lines, "{{\"id\":\"{}\",\"text\":\"{text}\"}}", number + from).unwrap();
    }
    lines
}

#[test]
fn the_documents_that_stay_are_those_of_a_slow_twin() {
    let mut random = StdRng::seed_from_u64(5);
    for round in 0..40 {
        let mut texts = |number: usize| -> Vec<Words> {
            // Parts of a few ranges of words, so that many are similar, contained or equal.
            let mut text = || {
                let start = random.random_range(0..4) * 12 + random.random_range(0..6);
                (start..start + random.random_range(6..22)).filter(|_| random.random_range(0..12) > 0).collect()
            };
            (0..number).map(|_| text()).filter(|words: &Words| !words.is_empty()).collect()
        };
        let (new, old) = (texts(40), texts(15));
        let corpus =
            Workspace::new("preserved_twin").file("new.jsonl", lines(&new, 0)).file("old.jsonl", lines(&old, 1000));
        let threshold = [0.3, 0.5, 0.8][round % 3];
        let all = [
            "unique",
            "new.jsonl",
            "-q",
            "--force",
            "-o",
            "out.jsonl",
            "--all-pairs",
            "--shingle",
            "word",
            "--k",
            "1",
            "-t",
        ];
        let all = [&all[..], &[["0.3", "0.5", "0.8"][round % 3]]].concat();
        for (args, preserve) in [
            (&[][..], None),
            (&["--preserve", "0.9"], Some((0.9, false))),
            (&["--preserve", "0.75", "--several"], Some((0.75, true))),
        ] {
            for (against, old) in [(&[][..], &[][..]), (&["--against", "old.jsonl"], &old)] {
                corpus.dedup(&[&all[..], args, against].concat()).stdout("").stderr_with(|_| ()).exit_code(0);
                let found: Vec<usize> = corpus
                    .read("out.jsonl")
                    .lines()
                    .map(|line| line.split('"').nth(3).unwrap().parse().unwrap())
                    .collect();
                assert_eq!(found, slowly(&new, old, threshold, preserve), "{threshold} {args:?} {against:?}");
            }
        }
    }
}

#[test]
fn what_stays_is_counted_and_every_removed_document_names_what_replaces_it() {
    let short = "one two three four five six seven eight";
    let corpus = Workspace::new("preserved")
        .file("a.jsonl", format!("{{\"id\":1,\"text\":\"{short}\"}}\n{{\"id\":2,\"text\":\"{short} nine\"}}\n{{\"id\":3,\"text\":\"{short} nine\"}}\n{{\"id\":4,\"text\":\"two three four five six seven eight\"}}\n"));
    let args = [
        "unique",
        "a.jsonl",
        "-o",
        "b.jsonl",
        "--shingle",
        "word",
        "--k",
        "1",
        "-t",
        "0.8",
        "--preserve",
        "1",
        "--removed",
        "-",
        "--summary",
        "s.json",
    ];
    corpus
        .dedup(&args)
        .stdout("{\"removed\":\"3\",\"kept\":\"2\",\"jaccard\":1.0,\"preserved\":1.0}\n{\"removed\":\"4\",\"kept\":\"1\",\"jaccard\":0.875,\"preserved\":1.0}\n")
        .stderr_with(|stderr| {
            assert!(stderr.contains("2 documents similar to a kept one, but too little of it is in there; kept"), "{stderr}");
        })
        .exit_code(0);
    let summary: serde_json::Value = serde_json::from_str(&corpus.read("s.json")).unwrap();
    assert_eq!((summary["unique"]["unpreserved"].as_u64(), summary["unique"]["kept"].as_u64()), (Some(2), Some(2)));
}

#[test]
fn the_list_has_the_share_that_several_kept_documents_preserve() {
    // The third text has six words of the first and six of the second.
    let words = |words: std::ops::Range<u32>| words.map(|word| format!("w{word} ")).collect::<String>();
    let texts = [words(0..9), words(20..29), words(3..9) + &words(20..26)];
    let line = |(id, text): (usize, &String)| format!("{{\"id\":{id},\"text\":\"{text}\"}}\n");
    let corpus =
        Workspace::new("preserved_several").file("a.jsonl", texts.iter().enumerate().map(line).collect::<String>());
    let args = [
        "unique",
        "a.jsonl",
        "-q",
        "-n",
        "--shingle",
        "word",
        "--k",
        "1",
        "-t",
        "0.4",
        "--all-pairs",
        "--removed",
        "-",
    ];
    let removed = |flags: &[&str], expected: &str| {
        corpus.dedup(&[&args[..], flags].concat()).stdout(expected).stderr_with(|_| ()).exit_code(0);
    };
    removed(&["--preserve", "0.6"], "");
    removed(&["--preserve", "0.5"], "{\"removed\":\"2\",\"kept\":\"0\",\"jaccard\":0.4,\"preserved\":0.5}\n");
    let several = "{\"removed\":\"2\",\"kept\":\"0\",\"jaccard\":0.4,\"preserved\":1.0}\n";
    removed(&["--preserve", "0.6", "--several"], several);
}

#[test]
fn a_corpus_is_written_without_what_another_one_has() {
    // Two documents of the other corpus are similar to each other, and each one counts.
    let text = |words: std::ops::Range<u32>| words.map(|word| format!("w{word} ")).collect::<String>();
    let corpus = Workspace::new("unique_against")
        .file("old/a.txt", text(0..40))
        .file("old/b.txt", text(3..43))
        .file("new/c.txt", text(6..46))
        .file("new/d.txt", text(100..140))
        .file("new/e.txt", text(0..40))
        .file("new/f.bin", b"\0");
    let args = ["unique", "new", "--against", "old", "-o", "out", "--shingle", "word", "--k", "1", "-t", "0.8"];
    corpus.dedup(&[&args[..], &["--removed", "-"]].concat()).stdout(
        "{\"removed\":\"new/c.txt\",\"kept\":\"old/b.txt\",\"jaccard\":0.8604651162790697}\n{\"removed\":\"new/e.txt\",\"kept\":\"old/a.txt\",\"jaccard\":1.0}\n",
    ).stderr_with(|_| ()).exit_code(0);
    let mut names: Vec<_> =
        std::fs::read_dir(corpus.path("out")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["d.txt", "f.bin"]);
    for (args, message) in [
        (&["unique", "new", "--against", "old", "-o", "old/out"][..], "old/out: it is inside old"),
        (
            &["unique", "new", "--against", "old", "-o", "x", "--linkage", "components"],
            "--against: applies to --linkage star",
        ),
        (
            &["unique", "new", "--preserve", "0.5", "-o", "x", "--linkage", "complete"],
            "--preserve: applies to --linkage star",
        ),
        (&["unique", "new", "--preserve", "0.5", "-o", "x", "--match", "passages"], "--preserve: counts shingles"),
        (&["unique", "new", "--against", "old", "-o", "x", "--cut", "line"], "cannot be used with"),
        (&["unique", "new", "--several", "-o", "x"], "--preserve"),
        (
            &["unique", "new", "--against", "new/c.txt", "-o", "x"],
            "new/c.txt: has documents that are also to be written",
        ),
        (&["unique", "new/c.txt", "--against", "new", "-o", "x"], "new: has documents that are also to be written"),
    ] {
        corpus
            .dedup(args)
            .stdout("")
            .stderr_with(|stderr| assert!(stderr.contains(message), "{args:?}: {stderr}"))
            .exit_code(2);
    }
}

#[test]
fn several_rules_decide_one_after_another() {
    let rows = [(1, 5, "2024-01-01", 1), (2, 7, "2024-03-01", 2), (3, 7, "2024-05-01", 3), (4, 7, "2024-05-01", 9)];
    let line = |(id, score, date, size): (i32, i32, &str, i32)| {
        format!("{{\"id\":{id},\"score\":{score},\"date\":\"{date}\",\"size\":{size},\"text\":\"{FOX}\"}}\n")
    };
    let corpus = Workspace::new("unique_rules").file("a.jsonl", rows.map(line).concat());
    for (keep, id) in [
        (&["max:score"][..], 2),
        (&["max:score", "newest:date"], 3),
        (&["max:score", "newest:date", "max:size"], 4),
        (&["max:score", "oldest:date", "max:size"], 2),
        (&["min:score", "max:size"], 1),
        (&["max:score", "first", "max:size"], 2),
        (&["last", "min:score"], 4),
        (&["longest", "max:size"], 4),
    ] {
        let flags: Vec<&str> = keep.iter().flat_map(|rule| ["--keep", rule]).collect();
        unique(&corpus, &[&["a.jsonl", "-o", "b.jsonl", "--force"], &flags[..]].concat(), 0);
        assert_eq!(corpus.read("b.jsonl"), line(rows[id - 1]), "{keep:?}");
        // The same from a saved result.
        corpus
            .dedup(&["scan", "a.jsonl", "--save", "saved", "--force", "-q"])
            .stdout_with(|_| ())
            .stderr_with(|_| ())
            .exit_code(0);
        if !keep.contains(&"longest") {
            unique(&corpus, &[&["a.jsonl", "-o", "b.jsonl", "--force", "--from", "saved"], &flags[..]].concat(), 0);
            assert_eq!(corpus.read("b.jsonl"), line(rows[id - 1]), "{keep:?} from a saved result");
        }
    }
}
