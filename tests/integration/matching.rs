//! `--match passages`: which documents are pairs for the passages that they share, and that none is missed.

use std::collections::HashMap;

use dedup_scan::records::PairRecord;
use serde_json::Value;

use crate::support::*;
use crate::twin::{self, Lengths, WORDS};

pub(crate) const MATCH: [&str; 4] = ["scan", "--match", "passages", "-q"];

/// A text of random words: now and then a span of one that others have too, or a single repeated word.
fn random_text(random: &mut Random, spans: &[Vec<String>], repeats: bool) -> String {
    let mut words: Vec<String> = Vec::new();
    for _ in 0..random.below(7) {
        match random.below(8) {
            0 | 1 => (0..random.below(25)).for_each(|_| words.push(format!("w{}", random.below(900)))),
            2 if repeats => (0..60 + random.below(90)).for_each(|_| words.push("same".to_owned())),
            _ => {
                let span = &spans[random.below(spans.len())];
                let start = random.below(span.len());
                let end = start + random.below(span.len() - start + 1);
                words.extend_from_slice(&span[start..end]);
            }
        }
    }
    words.join(" ")
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// A pair by the definitions: names, matched and longest, passages, and the tokens of both.
type Expected = (String, String, twin::Shared, [usize; 2]);

fn expected(texts: &[(String, String)], lengths: Lengths, coverage: f64, min_matched: usize) -> Vec<Expected> {
    let mut expected = Vec::new();
    for (at, (name, text)) in texts.iter().enumerate() {
        for (other_name, other) in &texts[at + 1..] {
            let (a, b) = (words(text), words(other));
            let shared = twin::share(&a, &b, lengths);
            assert_eq!(shared.matched, twin::share(&b, &a, lengths).matched);
            // In hundredths, so that nothing is rounded.
            let is_covered = shared.matched * 100 >= (coverage * 100.0).round() as usize * a.len().min(b.len());
            let is_enough = shared.matched > 0 && shared.matched >= min_matched && is_covered;
            if is_enough || a == b && !a.is_empty() {
                expected.push((name.clone(), other_name.clone(), shared, [a.len(), b.len()]));
            }
        }
    }
    expected
}

#[track_caller]
fn check(found: &[PairRecord], expected: &[Expected]) {
    let expected_names: Vec<(&str, &str)> = expected.iter().map(|(a, b, ..)| (a.as_str(), b.as_str())).collect();
    let names: Vec<(&str, &str)> = found.iter().map(|pair| (name(&pair.a), name(&pair.b))).collect();
    assert_eq!(names, expected_names);
    for (pair, (a, b, shared, lens)) in found.iter().zip(expected) {
        let coverage = lens.map(|len| shared.matched as f64 / len as f64);
        assert_eq!([pair.coverage_a, pair.coverage_b], coverage.map(Some), "{a} {b}");
        assert_eq!((pair.matched, pair.longest), (Some(shared.matched as u64), Some(shared.longest as u64)), "{a} {b}");
        let passages = pair.passages.as_ref().unwrap().as_ref().unwrap();
        let passages: Vec<(usize, bool)> =
            passages.iter().map(|passage| (passage.matched as usize, passage.exact)).collect();
        assert_eq!(passages, shared.passages, "{a} {b}");
    }
}

#[test]
fn pairs_and_numbers_of_random_texts_are_those_of_the_definitions() {
    let mut random = Random(14);
    for round in 0..12 {
        let spans: Vec<Vec<String>> =
            (0..4).map(|of| (0..40).map(|at| format!("s{of}x{}", at % 33)).collect()).collect();
        let mut texts: Vec<(String, String)> =
            (0..40).map(|at| (format!("d{at:02}"), random_text(&mut random, &spans, round % 3 == 0))).collect();
        // Copies, and short texts.
        texts[7].1 = texts[3].1.clone();
        texts[31].1 = texts[3].1.clone();
        (texts[11].1, texts[12].1, texts[13].1) = ("a b c".to_owned(), "A  b c".to_owned(), "a b c d".to_owned());
        let lines: String =
            texts.iter().map(|(id, text)| format!("{}\n", serde_json::json!({"id": id, "text": text}))).collect();
        let workspace = Workspace::new("random_texts_match").file("docs.jsonl", lines);
        texts[12].1 = texts[11].1.clone();
        let cases: [(&[&str], Lengths, f64, usize); 4] = [
            (&[], WORDS, 0.1, 20),
            (&["--coverage", "0", "--min-matched", "0"], WORDS, 0.0, 0),
            (&["--coverage", "0.5", "--min-matched", "9", "--max-gap", "0"], Lengths { max_gap: 0, ..WORDS }, 0.5, 9),
            (
                &["--min-run", "3", "--anchor", "3", "--min-matched", "5"],
                Lengths { min_run: 3, anchor: 3, ..WORDS },
                0.1,
                5,
            ),
        ];
        for (flags, lengths, coverage, min_matched) in cases {
            let expected = expected(&texts, lengths, coverage, min_matched);
            let arguments = [&MATCH[..], flags, &["docs.jsonl"]].concat();
            let look = |stdout: &str| check(&records(stdout), &expected);
            workspace.dedup(&arguments).stdout_with(look).stderr("").exit_code(0);
        }
    }
}

#[test]
fn threads_and_memory_make_no_difference_and_nothing_is_left_behind() {
    let mut random = Random(3);
    let spans: Vec<Vec<String>> = (0..30).map(|of| (0..120).map(|at| format!("s{of}x{at}")).collect()).collect();
    let lines: String = (0..600)
        .map(|at| {
            let text = random_text(&mut random, &spans, at % 50 == 0);
            format!("{}\n", serde_json::json!({"id": at.to_string(), "text": text}))
        })
        .collect();
    let workspace = Workspace::new("any_memory_matches").file("docs.jsonl", lines);
    let run = |flags: &[&str]| {
        let arguments = [&MATCH[..], &["--min-matched", "10"], flags, &["docs.jsonl"]].concat();
        let mut lines = String::new();
        workspace.dedup(&arguments).stdout_with(|stdout| lines = stdout.to_owned()).stderr("").exit_code(0);
        lines
    };
    let whole = run(&[]);
    assert!(whole.lines().count() > 2000, "{}", whole.lines().count());
    for flags in [&["--threads", "1"][..], &["--threads", "3", "--memory", "16MiB"]] {
        assert!(run(flags) == whole, "{flags:?}");
    }
}

#[test]
fn a_line_has_the_keys_of_all_pairs_and_then_those_of_matches() {
    let copied = "the harbour master counted the boats twice before the fog came in from the open sea that night";
    let own = |of: char| (0..60).map(|at| format!("{of}{at} ")).collect::<String>();
    let a = format!("{}{copied} {}", own('a'), own('b'));
    let b = format!(
        "{}The harbour-master counted the boats, TWICE, before the fog came in (from the open sea) that night.",
        own('c')
    );
    let workspace = Workspace::new("keys_of_matches").file("a.txt", a).file("b.txt", b);
    let look = |stdout: &str| {
        let line: Value = serde_json::from_str(stdout).unwrap();
        let keys: Vec<&String> = line.as_object().unwrap().keys().collect();
        let order = stdout.find("\"estimate\"").unwrap() < stdout.find("\"coverage_a\"").unwrap();
        assert!(order && keys.len() == 14, "{keys:?}");
        let end = stdout.split_once(",\"coverage_a\":").unwrap().1;
        assert_eq!(
            end.split_once(",\"passages\"").unwrap().0,
            format!("{},\"coverage_b\":{},\"matched\":15,\"longest\":15", 15.0 / 138.0, 15.0 / 77.0)
        );
    };
    // "harbour-master" becomes one word without its punctuation, and ends a run.
    let arguments = ["scan", "--match", "passages", "--min-matched", "15", "-q", "."];
    workspace.dedup(&arguments).stdout_with(look).stderr("").exit_code(0);
    workspace.dedup(&["scan", "--match", "passages", "-q", "."]).stdout("").stderr("").exit_code(0);
}

#[test]
fn a_passage_longer_than_every_document_is_warned_of() {
    let workspace = (0..4).fold(Workspace::new("anchor_too_long"), |workspace, number| {
        workspace.file(format!("{number}.txt"), format!("one two three four five six seven eight nine {number}"))
    });
    let warning = "dedup: warning: each of the 4 documents has fewer than 11 tokens, so that only equal texts are pairs; lower --anchor and --min-run\n";
    let scan = |run: &str| {
        let arguments = ["scan", "--match", "passages", "--min-matched", "1", "--min-run", run, "--anchor", run, "."];
        let mut stderr = String::new();
        let keep = |text: &str| stderr = text.to_owned();
        workspace.dedup(&arguments).stdout("").stderr_with(keep).exit_code(0);
        stderr
    };
    assert!(scan("11").contains(warning), "{}", scan("11"));
    assert!(!scan("10").contains("fewer than"), "{}", scan("10"));
}

#[test]
fn the_summary_says_what_is_promised_and_what_limits_it() {
    let copied = |of: usize| (0..30).map(|at| format!("c{of}x{at} ")).collect::<String>();
    let repeated = "same ".repeat(150);
    let mut workspace = Workspace::new("summary_of_matches");
    for number in 0..6 {
        workspace =
            workspace.file(format!("{number}.txt"), format!("{}own{number} {}", copied(0), copied(number / 2 + 1)));
    }
    workspace = workspace.file("r.txt", format!("{repeated} end")).file("s.txt", format!("other {repeated}"));
    let arguments = ["scan", "--match", "passages", "--summary", "../tmp-summary.json", "--stats", "."];
    let says = |stderr: &str| {
        assert!(stderr.contains("passages   every common run of at least 8 tokens is found\n"), "{stderr}");
        assert!(stderr.contains("pairs      16 with a coverage of at least 0.1 and 20 matched tokens\n"), "{stderr}");
        assert!(stderr.contains("a phrase is searched only at its first 64 places in a text: 164 places were not searched in 2 texts, the first is r.txt; a larger --min-run is repeated less often"), "{stderr}");
    };
    workspace
        .dedup(&arguments)
        .stdout_with(|stdout| assert_eq!(records(stdout).len(), 16))
        .stderr_with(says)
        .exit_code(0);
    let summary: Value = serde_json::from_str(&workspace.read("../tmp-summary.json")).unwrap();
    let matches = &summary["matches"];
    assert_eq!((&matches["every_run_of"], &matches["aligned"]), (&8.into(), &16.into()));
    assert_eq!(matches["seeds_capped_in"]["names"], serde_json::json!(["r.txt", "s.txt"]));
    assert_eq!((&summary["recall_at_threshold"], &summary["seeds_capped"]), (&1.0.into(), &164.into()));
    // What all six have in common is in more than two of them; what two of them have is not.
    let arguments =
        ["scan", "--match", "passages", "--max-key-df", "2", "--summary", "../tmp-summary.json", "--stats", "."];
    let says = |stderr: &str| {
        let line = "passages made only of hashes in more than 2 documents are not searched: ";
        assert!(stderr.contains(line) && stderr.contains(" in 6 texts, the first is 0.txt"), "{stderr}");
    };
    workspace
        .dedup(&arguments)
        .pairs(&["0.txt 1.txt", "2.txt 3.txt", "4.txt 5.txt", "r.txt s.txt"])
        .stderr_with(says)
        .exit_code(0);
    let summary: Value = serde_json::from_str(&workspace.read("../tmp-summary.json")).unwrap();
    let cap = &summary["matches"]["key_cap"];
    assert_eq!((&cap["more_than"], &cap["documents"]), (&2.into(), &6.into()));
    assert!(cap["hashes"].as_u64().unwrap() > 5);
}

#[test]
fn sides_and_groups_and_copies_are_those_of_all_pairs() {
    let copied = |of: usize| (0..40).map(|at| format!("c{of}x{at} ")).collect::<String>();
    let workspace = Workspace::new("scopes_of_matches")
        .file("x/1.txt", format!("{} one", copied(0)))
        .file("x/2.txt", format!("two {}", copied(0)))
        .file("y/1.txt", format!("{} one", copied(0)))
        .file("y/3.txt", format!("three {} {}", copied(0), copied(1)));
    let all = [
        "x/1.txt x/2.txt",
        "x/1.txt y/1.txt",
        "x/1.txt y/3.txt",
        "x/2.txt y/1.txt",
        "x/2.txt y/3.txt",
        "y/1.txt y/3.txt",
    ];
    let pairs = |flags: &[&str], expected: &[&str]| {
        workspace.dedup(&[&MATCH[..], flags, &["."]].concat()).pairs(expected).stderr("").exit_code(0);
    };
    pairs(&[], &all);
    pairs(&["--group-by", "dir"], &all[1..5]);
    pairs(&["--group-by", "dir", "--within-groups"], &[all[0], all[5]]);
    pairs(&["--collapse-exact"], &[all[0], all[1], all[2], all[4]]);
    workspace
        .dedup(&["compare", "--match", "passages", "-q", "x", "--against", "y"])
        .pairs(&["x/1.txt y/1.txt", "x/1.txt y/3.txt", "x/2.txt y/1.txt", "x/2.txt y/3.txt"])
        .stderr("")
        .exit_code(0);
}

#[test]
fn words_that_come_a_million_times_take_linear_time() {
    let repeated = "same ".repeat(1_000_000);
    let texts: HashMap<&str, String> = HashMap::from([
        ("a.txt", repeated.clone()),
        ("b.txt", format!("{repeated} end")),
        ("c.txt", format!("begin {repeated}")),
    ]);
    let workspace =
        texts.iter().fold(Workspace::new("a_million_words"), |workspace, (name, text)| workspace.file(name, text));
    let look = |stdout: &str| {
        let found = records(stdout);
        assert_eq!(found.len(), 3);
        assert!(found.iter().all(|pair| pair.matched == Some(1_000_000)), "{stdout}");
    };
    let capped = |stderr: &str| assert!(stderr.contains("in 3 texts, the first is a.txt"), "{stderr}");
    workspace
        .dedup(&["scan", "--stats", "--match", "passages", "."])
        .stdout_with(look)
        .stderr_with(capped)
        .exit_code(0);
}

/// 5,000 texts of 300 words, of which every hundredth has a passage of the first.
fn many_texts() -> String {
    let mut random = Random(77);
    let mut lines = String::new();
    let passage: String = (0..40).map(|at| format!("p{at} ")).collect();
    for number in 0..5000 {
        let mut text: String = (0..300).map(|_| format!("w{} ", random.below(50_000))).collect();
        if number % 100 == 0 {
            text += &passage;
        }
        lines += &format!("{{\"id\":\"{number}\",\"text\":\"{text}\"}}\n");
    }
    lines
}

#[test]
fn an_index_that_does_not_fit_the_memory_goes_to_the_disk_and_leaves_nothing_there() {
    let workspace = Workspace::new("spilled_index").file("docs.jsonl", many_texts());
    let arguments = |memory| [&MATCH[..], &["--threads", "1", "--memory", memory, "docs.jsonl"]].concat();
    let mut whole = String::new();
    workspace.dedup(&arguments("1GiB")).stdout_with(|stdout| whole = stdout.to_owned()).stderr("").exit_code(0);
    assert_eq!(whole.lines().count(), 50 * 49 / 2);
    workspace.dedup(&arguments("16MiB")).stdout(&whole).stderr("").exit_code(0);
    // It is the disk that the small memory takes.
    let missing = |stderr: &str| {
        let start = "dedup: /nowhere: cannot keep the index of passages: there is no such folder; set TMPDIR to a writable folder";
        assert!(stderr.starts_with(start) && stderr.lines().count() == 1, "{stderr}");
    };
    workspace.dedup_with(&arguments("16MiB"), "TMPDIR", "/nowhere").stdout("").stderr_with(missing).exit_code(2);
    workspace.dedup_with(&arguments("1GiB"), "TMPDIR", "/nowhere").stdout(&whole).stderr("").exit_code(0);
    let full = |stderr: &str| {
        assert!(
            stderr.contains(": cannot keep the index of passages: File too large") && stderr.lines().count() == 1,
            "{stderr}"
        );
    };
    workspace.dedup_limited("-f 1000", &arguments("16MiB")).stdout("").stderr_with(full).exit_code(2);
}

#[test]
fn past_ten_thousand_documents_a_warning_gives_the_cost_and_a_limit() {
    let mut lines = String::new();
    for number in 0..10_001 {
        lines += &format!("{{\"id\":\"{number}\",\"text\":\"own{number} text{number} of{number} its{number} own\"}}\n");
    }
    let common: String = (0..30).map(|at| format!("c{at} ")).collect();
    (0..90).for_each(|number| lines += &format!("{{\"id\":\"c{number}\",\"text\":\"{common} end{number}\"}}\n"));
    let workspace = Workspace::new("many_documents_match").file("docs.jsonl", lines);
    let warned = |stderr: &str| {
        let start = "dedup: warning: 10,091 documents have text in common, so up to ";
        let end = " are compared; a --max-key-df below 10000 compares fewer, and misses ";
        assert!(stderr.starts_with(start) && stderr.contains(end) && stderr.lines().count() == 1, "{stderr}");
    };
    let look = |stdout: &str| assert_eq!(records(stdout).len(), 90 * 89 / 2);
    workspace.dedup(&[&MATCH[..], &["docs.jsonl"]].concat()).stdout_with(look).stderr_with(warned).exit_code(0);
    workspace.dedup(&[&MATCH[..], &["--max-key-df", "50", "docs.jsonl"]].concat()).stdout("").stderr("").exit_code(0);
}

#[test]
fn groups_explanations_and_saved_results_take_matches_as_they_take_pairs() {
    let copied = |of: usize| (0..40).map(|at| format!("c{of}x{at} ")).collect::<String>();
    let own = |of: usize| (0..200).map(|at| format!("o{of}x{at} ")).collect::<String>();
    let workspace = Workspace::new("groups_of_matches")
        .file("in/a.txt", format!("{} {}", copied(0), own(0)))
        .file("in/b.txt", format!("{} {} {}", own(1), copied(0), copied(1)))
        .file("in/c.txt", format!("{} {}", copied(1), own(2)))
        .file("in/d.txt", own(3));
    let members = |stdout: &str| {
        let line: Value = serde_json::from_str(stdout).unwrap();
        assert_eq!(line["members"], serde_json::json!(["in/a.txt", "in/b.txt", "in/c.txt"]), "{stdout}");
    };
    workspace.dedup(&["cluster", "--match", "passages", "-q", "in"]).stdout_with(members).stderr("").exit_code(0);
    workspace
        .dedup(&[&MATCH[..], &["--save", "saved", "in"]].concat())
        .pairs(&["in/a.txt in/b.txt", "in/b.txt in/c.txt"])
        .stderr("")
        .exit_code(0);
    workspace.dedup(&["cluster", "--from", "saved", "-q"]).stdout_with(members).stderr("").exit_code(0);
    workspace
        .dedup(&["scan", "--from", "saved", "-q", "--sort", "coverage", "--top", "1"])
        .pairs(&["in/a.txt in/b.txt"])
        .stderr("")
        .exit_code(0);
    workspace
        .dedup(&[&MATCH[..], &["--sort", "matched", "--top", "1", "in"]].concat())
        .pairs(&["in/a.txt in/b.txt"])
        .stderr("")
        .exit_code(0);
    workspace
        .dedup(&["scan", "-q", "--sort", "matched", "in"])
        .stdout("")
        .stderr("dedup: --sort: the pairs have no passages to sort them by; add --match passages or --show-passages, or choose another order\n")
        .exit_code(2);
    workspace
        .dedup(&["unique", "--match", "passages", "-q", "in", "--output", "out"])
        .stdout("")
        .stderr_with(|stderr| assert!(stderr.starts_with("dedup: warning: 1 of 1 removed document: less"), "{stderr}"))
        .exit_code(0);
    assert!(!workspace.path("out/b.txt").exists() && workspace.path("out/a.txt").exists());
    let explain = |flags: &[&str], names: [&str; 2], reason: &str, reported: bool| {
        let arguments = [&["explain", "--match", "passages", "--json"], flags, &names].concat();
        let look = |stdout: &str| {
            let line: Value = serde_json::from_str(stdout).unwrap();
            assert_eq!((&line["reason"], &line["reported"]), (&reason.into(), &reported.into()), "{stdout}");
            assert_eq!((line.get("bands"), line["matched"].is_u64()), (None, true), "{stdout}");
            // What decides is in place of the threshold.
            let coverage = flags.get(1).map_or(0.1, |coverage| coverage.parse().unwrap());
            assert_eq!((line.get("threshold"), &line["coverage"]), (None, &coverage.into()), "{stdout}");
            assert_eq!(line["min_matched"], 20);
        };
        workspace.dedup(&arguments).stdout_with(look).stderr("").exit_code(0);
    };
    explain(&[], ["in/a.txt", "in/b.txt"], "reported", true);
    explain(&["--coverage", "0.2"], ["in/a.txt", "in/b.txt"], "below_coverage", false);
    explain(&[], ["in/a.txt", "in/c.txt"], "below_coverage", false);
    let says = |stdout: &str| {
        assert!(
            stdout.contains("matched      40 tokens, 40 in the longest run that is the same in both\n"),
            "{stdout}"
        );
        assert!(stdout.contains("verdict      reported: passages cover enough of the shorter document\n"), "{stdout}");
    };
    workspace
        .dedup(&["explain", "--match", "passages", "in/a.txt", "in/b.txt"])
        .stdout_with(says)
        .stderr("")
        .exit_code(0);
}
