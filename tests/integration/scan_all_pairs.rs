//! `--all-pairs` and `--audit`: what is printed, refused and measured.

use std::fmt::Write as _;
use std::fs;

use serde_json::Value;

use crate::support::*;

const COMMANDS: [&[&str]; 3] = [&["scan"], &["cluster"], &["unique", "--output", "out"]];

/// Records in families: each is some words, of which the members change some.
fn families(num_families: usize, members: usize) -> String {
    let mut random = Random(11);
    let mut lines = String::new();
    for family in 0..num_families {
        let words: Vec<usize> = (0..100).map(|_| random.below(5000)).collect();
        for member in 0..members {
            let mut words = words.clone();
            for _ in 0..random.below(8) {
                let place = random.below(words.len());
                words[place] = 5000 + random.below(5000);
            }
            let words: Vec<String> = words.iter().map(usize::to_string).collect();
            writeln!(lines, r#"{{"id": "{family}-{member}", "text": "{}"}}"#, words.join(" ")).unwrap();
        }
    }
    lines
}

fn json(path: &std::path::Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn the_lines_are_those_of_a_scan_that_misses_nothing() {
    let corpus =
        Workspace::new("all_pairs").file("a.txt", FOX).file("b.txt", CAT).file("c.txt", FOX).file("d.txt", LOREM);
    let mut with_signatures = String::new();
    let keep = |stdout: &str| with_signatures = stdout.to_owned();
    corpus.dedup(&["scan", "-q", "."]).stdout_with(keep).stderr("").exit_code(0);
    assert_eq!(with_signatures.lines().count(), 3);
    for threads in ["1", "2", "5"] {
        corpus
            .dedup(&["scan", "-q", "--all-pairs", "--threads", threads, "."])
            .stdout(&with_signatures)
            .stderr("")
            .exit_code(0);
    }
}

#[test]
fn what_has_no_part_in_it_is_refused_in_one_line() {
    let corpus = Workspace::new("refused").file("a.txt", FOX);
    for (flags, why) in [
        (&["--bands", "5"][..], "cannot be used with --bands; remove one of them"),
        (&["--rows", "5"], "cannot be used with --rows; remove one of them"),
        (&["--recall", "0.9"], "cannot be used with --recall; remove one of them"),
        (&["--signature", "fast"], "cannot be used with --signature; remove one of them"),
        (&["--audit"], "remove one of them"),
        (&["--match", "passages"], "--all-pairs: does not apply to pairs that match by passages"),
        (&["--threshold", "0"], "every two documents are a pair at threshold 0; give a threshold above 0"),
    ] {
        let look = |stderr: &str| assert!(stderr.contains(why), "{flags:?}: {stderr}");
        corpus.dedup(&[&["scan", "--all-pairs", "a.txt"], flags].concat()).stdout("").stderr_with(look).exit_code(2);
    }
    let why = "dedup: --audit: does not apply to pairs that match by passages; remove the flag, since every common run that is long enough is found\n";
    corpus.dedup(&["scan", "--audit", "--match", "passages", "a.txt"]).stdout("").stderr(why).exit_code(2);
    let why = "dedup: --all-pairs: finds pairs by similarity, but pairs match by passages; choose one of them (--preset sentences sets --all-pairs)\n";
    let sentences = ["scan", "--preset", "sentences", "--match", "passages", "a.txt"];
    corpus.dedup(&sentences).stdout("").stderr(why).exit_code(2);
}

#[test]
fn odd_documents_are_no_obstacle() {
    let corpus = Workspace::new("odd")
        .file("empty.txt", "")
        .file("blank.txt", " \n\t ")
        .file("short1.txt", "abc")
        .file("short2.txt", "abc ")
        .file("short3.txt", "abd")
        .file("one.txt", "a".repeat(5000))
        .file("two.txt", "a".repeat(6000))
        .file("bytes.bin", [0, 1, 2, 255]);
    let run = |flags: &[&str]| corpus.dedup(&[&["scan", "-q", "--all-pairs"], flags, &["."]].concat());
    for threshold in ["0.01", "0.8", "1"] {
        run(&["--threshold", threshold]).pairs(&["one.txt two.txt", "short1.txt short2.txt"]).stderr("").exit_code(0);
    }
    let nothing = Workspace::new("nothing").folder("d");
    let look = |stderr: &str| assert!(stderr.starts_with("dedup: warning: no documents were found"), "{stderr}");
    nothing.dedup(&["scan", "-q", "--all-pairs", "d"]).stdout("").stderr_with(look).exit_code(0);
}

#[test]
fn the_summary_says_what_was_looked_at_and_promises_all() {
    let corpus = Workspace::new("summary").file("c.jsonl", families(40, 5));
    let look = |stderr: &str| {
        let found = "\nrecall     all pairs at or above 0.8 are found (exhaustive join: ";
        assert!(stderr.contains(found), "{stderr}");
    };
    let args = ["scan", "--all-pairs", "--summary", "s.json", "c.jsonl", "-o", "pairs", "--stats"];
    corpus.dedup(&args).stdout("").stderr_with(look).exit_code(0);
    let summary = json(&corpus.path("s.json"));
    assert_eq!((&summary["recall_at_threshold"], &summary["settings"]["all_pairs"]), (&1.0.into(), &true.into()));
    assert!(summary["join"]["postings"].as_u64() > Some(0) && summary["join"]["checks"].as_u64() > Some(0));
    assert!(summary["candidates"].as_u64() >= summary["pairs"].as_u64() && summary["pairs"].as_u64() > Some(20));
}

#[test]
fn groups_and_kept_documents_are_those_of_signatures_that_miss_nothing() {
    for command in COMMANDS {
        let run = |method: &[&str]| {
            let corpus =
                Workspace::new("commands").file("c.jsonl", families(30, 6)).file("a.txt", FOX).file("b.txt", CAT);
            let mut printed = String::new();
            let keep = |stdout: &str| printed = stdout.to_owned();
            let args = [command, &["--threshold", "0.7", "-q"], method, &["c.jsonl", "a.txt", "b.txt"]].concat();
            corpus.dedup(&args).stdout_with(keep).stderr("").exit_code(0);
            let kept = std::fs::read_to_string(corpus.path("out/c.jsonl")).unwrap_or_default();
            // The estimates are of other signatures.
            let lines = printed.lines().map(|line| line.split(r#","estimate""#).next().unwrap().to_owned());
            (lines.collect::<Vec<_>>(), kept)
        };
        let (all, signatures) = (run(&["--all-pairs"]), run(&["--bands", "200", "--rows", "1"]));
        assert_eq!(all, signatures, "{command:?}");
        assert!(!all.0.is_empty() || !all.1.is_empty());
    }
}

#[test]
fn an_explanation_does_not_blame_bands() {
    let corpus = Workspace::new("explain_all").file("a.txt", FOX).file("b.txt", CAT);
    let look = |stdout: &str| {
        assert!(stdout.contains("reported: the similarity reaches the threshold of 80 %\n"), "{stdout}");
        assert!(!stdout.contains("bands"), "{stdout}");
    };
    corpus.dedup(&["explain", "-q", "--all-pairs", "a.txt", "b.txt"]).stdout_with(look).stderr("").exit_code(0);
}

#[test]
fn an_audit_measures_what_is_missed() {
    let corpus = Workspace::new("audit").file("c.jsonl", families(300, 6));
    let count = |flags: &[&str]| {
        let mut number = 0;
        // Exact copies are always found, and do not count.
        let keep = |stdout: &str| {
            number = records(stdout).iter().filter(|pair| pair.jaccard < 1.0).count() as u64;
        };
        corpus
            .dedup(&[&["scan", "-q", "--collapse-exact", "c.jsonl"], flags].concat())
            .stdout_with(keep)
            .stderr_with(|_| ())
            .exit_code(0);
        number
    };
    let all = count(&["--all-pairs"]);
    // Few bands miss many.
    let banding = ["--bands", "3", "--rows", "5"];
    let found = count(&banding);
    assert!(found * 10 < all * 9 && found * 3 > all, "{found} of {all}");
    let audit = |flags: &[&str]| {
        let args = [&["scan", "--summary", "s.json", "-o", "pairs", "c.jsonl"], flags].concat();
        let mut printed = String::new();
        let keep = |stderr: &str| printed = stderr.to_owned();
        corpus.dedup(&args).stdout("").stderr_with(keep).exit_code(0);
        (json(&corpus.path("s.json"))["audit"].clone(), printed)
    };
    for threads in ["1", "3"] {
        let (measured, printed) = audit(&[&banding[..], &["--audit", "--threads", threads]].concat());
        assert_eq!((measured["pairs"].as_u64(), measured["found"].as_u64()), (Some(all), Some(found)));
        let (recall, promised) = (measured["recall"].as_f64().unwrap(), measured["promised"].as_f64().unwrap());
        assert_eq!(recall, found as f64 / all as f64);
        let interval = &measured["interval"];
        let is_likely = |share| interval[0].as_f64() < Some(share) && Some(share) < interval[1].as_f64();
        assert!(is_likely(recall) && (recall - promised).abs() < 0.1, "{measured}");
        assert_eq!(measured["differs"], false);
        let buckets = measured["by_similarity"].as_array().unwrap();
        let sum = |key: &str| buckets.iter().map(|bucket| bucket[key].as_u64().unwrap()).sum::<u64>();
        assert_eq!((buckets.len(), sum("pairs"), sum("found")), (10, all, found));
        let missed = measured["missed"].as_array().unwrap();
        let falling = |pairs: &[Value]| pairs[0]["jaccard"].as_f64() >= pairs[1]["jaccard"].as_f64();
        assert!(missed.windows(2).all(falling) && missed.len() == 100.min((all - found) as usize), "{measured}");
        let names = |pair: &Value| [&pair["a"], &pair["b"]].map(|name| name.as_str().unwrap().to_owned());
        let printed_pairs = fs::read_to_string(corpus.path("pairs")).unwrap();
        let printed_pairs: Vec<_> =
            printed_pairs.lines().map(|line| names(&serde_json::from_str(line).unwrap())).collect();
        assert!(missed.iter().all(|pair| !printed_pairs.contains(&names(pair))));
        let [a, b] = names(&missed[0]);
        let first = format!("  missed   {a} and {b}: {:.4}\n", missed[0]["jaccard"].as_f64().unwrap());
        let others = format!("and {} more; --summary has the first {}\n", all - found - 3, missed.len());
        assert!(printed.contains(&first) && printed.contains(&others), "{printed}");
        assert!(printed.contains(&format!("  found    {found} of these: ")), "{printed}");
        assert!(printed.contains("the measured recall and the stated one differ by no more than chance"), "{printed}");
    }
    let (sampled, _) = audit(&[&banding[..], &["--audit=100"]].concat());
    let (all_texts, _) = audit(&["--audit"]);
    assert_eq!((&sampled["texts"], &sampled["of_texts"]), (&100.into(), &all_texts["texts"]));
    assert!(sampled["pairs"].as_u64() < Some(all) && sampled["pairs"].as_u64() > Some(50), "{sampled}");
    assert_eq!(audit(&[&banding[..], &["--audit=100"]].concat()).0, sampled);
    assert_ne!(audit(&[&banding[..], &["--audit=100", "--seed", "7"]].concat()).0["pairs"], Value::Null);
}

#[test]
fn a_number_of_texts_behind_a_space_is_no_path() {
    let corpus = Workspace::new("audit_spaced").file("a.txt", FOX).file("7", FOX);
    let message = "dedup: 20: no such file or folder; for a number of texts write --audit=20\n";
    for args in [&["scan", ".", "--audit", "20"][..], &["compare", "20", "--against", ".", "--audit"]] {
        corpus.dedup(args).stdout("").stderr(message).exit_code(2);
    }
    corpus.dedup(&["scan", "-q", "--audit", "7", "a.txt"]).stdout_with(|_| ()).stderr("").exit_code(0);
}

#[test]
fn an_audit_of_bands_that_find_hardly_any_says_so() {
    let corpus = Workspace::new("hardly_any").file("c.jsonl", families(60, 4));
    let args = ["scan", "--bands", "1", "--rows", "64", "--audit", "--summary", "s.json", "-o", "pairs", "c.jsonl"];
    let look = |stderr: &str| assert!(stderr.contains(", promised "), "{stderr}");
    corpus.dedup(&args).stdout("").stderr_with(look).exit_code(0);
    let audit = &json(&corpus.path("s.json"))["audit"];
    assert!(audit["recall"].as_f64() < Some(0.3) && audit["promised"].as_f64() < Some(0.3), "{audit}");
}

#[test]
fn an_audit_of_nothing_has_no_recall() {
    let corpus = Workspace::new("audit_of_nothing").file("a.txt", FOX).file("b.txt", LOREM).file("c.txt", "");
    let args = ["scan", "--audit", "--summary", "s.json", "."];
    let look = |stderr: &str| {
        assert!(stderr.contains("\naudit      2 of 2 distinct texts drawn; they have 0 pairs\n"), "{stderr}");
    };
    corpus.dedup(&args).stdout("").stderr_with(look).exit_code(0);
    let audit = &json(&corpus.path("s.json"))["audit"];
    assert_eq!((&audit["pairs"], &audit["recall"], &audit["interval"]), (&0.into(), &Value::Null, &Value::Null));
}
