//! `--old`: documents that are compared with all others, and not with one another.

use std::fs;

use crate::scope_twin::{ALL_PAIRS, Doc, FIND_ALL, assert_found, brute_force, random_texts};
use crate::support::*;

/// Three new documents and three old ones, of three texts.
pub(crate) fn course(name: &'static str) -> Workspace {
    Workspace::new(name)
        .file("new/ann", FOX)
        .file("new/ben", CAT)
        .file("new/cy", LOREM)
        .file("old/dan", FOX)
        .file("old/eve", FOX)
        .file("old/fay", LOREM)
}

#[test]
fn old_documents_are_compared_with_new_ones_only() {
    let pairs = [
        "new/ann new/ben",
        "new/ann old/dan",
        "new/ann old/eve",
        "new/ben old/dan",
        "new/ben old/eve",
        "new/cy old/fay",
    ];
    let corpus = course("old");
    corpus
        .dedup(&["scan", "new", "--old", "old", "--stats"])
        .pairs(&pairs)
        .stderr_with(|stderr| {
            assert!(stderr.contains("  new      3 (144 B)\n  old      3 (144 B)\n"), "{stderr}");
            assert!(stderr.contains("pairs of texts, at most one of them old\n"), "{stderr}");
        })
        .exit_code(0);
    // The mark is on each line of a pair with an old document.
    corpus
        .dedup(&["scan", "new", "--old", "old", "-q"])
        .stdout_with(|stdout| {
            let is_marked = |line: &&str| line.ends_with(",\"old_b\":true}");
            assert_eq!(
                stdout.lines().map(|line| is_marked(&line)).collect::<Vec<_>>(),
                [false, true, true, true, true, true]
            );
            assert_eq!(records(stdout).iter().filter(|pair| pair.old_b == Some(true)).count(), 5);
        })
        .stderr("")
        .exit_code(0);
    // Further paths, and an exact search.
    let args = ["scan", "new", "--old", "old/dan", "old/eve", "--old", "old/fay", "--all-pairs", "-q"];
    corpus.dedup(&args).pairs(&pairs).stderr("").exit_code(0);
    let text = "the quick brown fox jumps over the lazy dog again and again today";
    let corpus = corpus.file("long/new", text).file("long/old/1", text).file("long/old/2", text);
    let args = ["scan", "long", "--old", "long/old", "--preset", "prose", "-q"];
    corpus.dedup(&args).pairs(&["long/new long/old/1", "long/new long/old/2"]).stderr("").exit_code(0);
}

#[test]
fn a_file_belongs_to_the_most_specific_path() {
    let corpus = course("old_within").file("old/new.txt", CAT);
    let inside = ["new/ann new/ben", "new/ann old/dan", "new/ben old/dan", "new/cy old/fay"];
    for args in [["scan", ".", "--old", "old"], ["scan", "./new", "--old", "."]] {
        corpus
            .dedup(&[&args[..], &["-q", "--exclude", "eve", "--exclude", "new.txt"]].concat())
            .stdout_with(|stdout| {
                let named: Vec<String> = records(stdout)
                    .iter()
                    .map(|pair| {
                        format!("{} {}", name(&pair.a).trim_start_matches("./"), name(&pair.b).trim_start_matches("./"))
                    })
                    .collect();
                assert_eq!(named, inside, "{args:?}");
            })
            .stderr("")
            .exit_code(0);
    }
    // As a shell expands `old/*`: a path on both sides is old.
    corpus
        .dedup(&["scan", "old/dan", "old/eve", "old/new.txt", "--old", "old/dan", "old/eve", "-q"])
        .pairs(&["old/new.txt old/dan", "old/new.txt old/eve"])
        .stderr("")
        .exit_code(0);
    // A given file below an old folder is new.
    corpus
        .dedup(&["scan", "old/new.txt", "--old", "old", "-q"])
        .pairs(&["old/new.txt old/dan", "old/new.txt old/eve"])
        .stderr("")
        .exit_code(0);
}

#[test]
fn views_groups_and_saved_results_mark_old_documents() {
    let corpus = course("old_marks");
    let view = |stdout: &str| {
        assert!(stdout.contains("old/dan (old)\n") && stdout.contains("new/ann\n"), "{stdout}");
        assert!(!stdout.contains("new/ann (old)"), "{stdout}");
    };
    corpus.dedup(&["new", "--old", "old", "-q"]).stdout_with(view).stderr("").exit_code(0);
    let groups = |stdout: &str| {
        let lines: Vec<&str> = stdout.lines().collect();
        assert_eq!(lines.len(), 2, "{stdout}");
        assert!(lines[0].contains(r#""members":["new/ann","new/ben","old/dan","old/eve"]"#), "{stdout}");
        assert!(lines[0].ends_with(r#","old":["old/dan","old/eve"]}"#), "{stdout}");
        assert!(lines[1].ends_with(r#","old":["old/fay"]}"#), "{stdout}");
    };
    corpus.dedup(&["cluster", "new", "--old", "old", "-q"]).stdout_with(groups).stderr("").exit_code(0);
    corpus
        .dedup(&["cluster", "new", "--old", "old", "-q", "--labels"])
        .stdout_with(|stdout| assert_eq!(stdout.matches(",\"old\":true}").count(), 3, "{stdout}"))
        .stderr("")
        .exit_code(0);
    // Two old documents do not form a group, although they are equal.
    let corpus = corpus.file("else/x", "something else altogether, with some words");
    corpus.dedup(&["cluster", "else", "--old", "old", "-q"]).stdout("").stderr("").exit_code(0);

    corpus.dedup(&["scan", "new", "--old", "old", "-q", "--save", "saved"]).stdout_with(|_| ()).stderr("").exit_code(0);
    corpus.dedup(&["cluster", "--from", "saved"]).stdout_with(groups).stderr("").exit_code(0);
    corpus.dedup(&["scan", "--from", "saved", "--format", "text"]).stdout_with(view).stderr("").exit_code(0);
    for format in ["markdown", "github", "junit", "sarif", "gitlab", "html"] {
        let args = ["scan", "--from", "saved", "-q", "--format", format];
        corpus
            .dedup(&args)
            .stdout_with(|stdout| assert!(stdout.contains(" (old)"), "{format}: {stdout}"))
            .stderr("")
            .exit_code(0);
    }
    // A result with old documents does not say which documents are unique.
    corpus
        .dedup(&["unique", "--from", "saved", "-o", "kept"])
        .stdout("")
        .stderr_with(|stderr| assert!(stderr.starts_with("dedup: "), "{stderr}"))
        .exit_code(2);
}

#[test]
fn old_documents_need_new_ones() {
    let corpus = course("old_alone");
    corpus
        .dedup(&["--old", "old", "new"])
        .stdout("")
        .stderr("dedup: PATH: missing, since --old accepts all paths up to the next flag; write the new documents before it: dedup PATH --old PATH\n")
        .exit_code(2);
    corpus
        .dedup(&["scan", "new", "--old", "nowhere"])
        .stdout_with(|_| ())
        .stderr_with(|stderr| assert!(stderr.contains("nowhere"), "{stderr}"))
        .exit_code(3);
    assert!(fs::metadata(corpus.path("new/ann")).is_ok());
}

#[test]
fn random_old_documents_with_copies_equal_brute_force() {
    let records_of = |docs: &[Doc]| -> String {
        docs.iter().map(|doc| format!("{}\n", serde_json::json!({ "id": doc.name, "text": doc.text }))).collect()
    };
    for seed in 0..num_cases(12, 40) {
        let mut random = Random(seed);
        let num_documents = 2 + random.below(60);
        let start = 1 + random.below(num_documents - 1);
        let texts = random_texts(&mut random, num_documents).into_iter().enumerate();
        let docs: Vec<Doc> =
            texts.map(|(at, text)| Doc { name: at.to_string(), text, cell: usize::from(at >= start) }).collect();
        let corpus = Workspace::new("old_sides")
            .file("new.jsonl", records_of(&docs[..start]))
            .file("old.jsonl", records_of(&docs[start..]));
        let percent = [50, 60, 75, 100][seed as usize % 4];
        for (collapse, threads) in [(false, "1"), (false, "3"), (true, "2")] {
            let threshold = (percent as f64 / 100.0).to_string();
            let mut args = vec!["scan", "new.jsonl", "--old", "old.jsonl", "--threshold", &threshold];
            args.extend(["--threads", threads]);
            args.extend(collapse.then_some("--collapse-exact"));
            let expected = brute_force(&docs, percent, collapse, |a, _| a < start);
            for method in [&FIND_ALL[..], &ALL_PAIRS] {
                let context = format!("seed {seed}, collapse {collapse}, {method:?}");
                let look = |stdout: &str| assert_found(stdout, &expected, &context);
                corpus.dedup(&[&args, method].concat()).stdout_with(look).stderr("").exit_code(0);
            }
        }
    }
}
