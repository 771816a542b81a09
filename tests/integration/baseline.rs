//! `dedup baseline`, `--baseline` and `--fail-over`: what was accepted is no longer reported.

use crate::support::*;

fn any(_: &str) {}

/// Fox and cat are alike by 0.8.
fn corpus(name: &'static str) -> Workspace {
    let corpus = Workspace::new(name).file("in/a", FOX).file("in/b", CAT).file("in/d", LOREM);
    corpus.dedup(&["scan", "in", "-q", "--save", "r"]).pairs(&["in/a in/b"]).stderr("").exit_code(0);
    corpus.dedup(&["baseline", "r", "-o", "base"]).stdout("").stderr("baseline   1 pair accepted\n").exit_code(0);
    corpus
}

const SCAN: [&str; 6] = ["scan", "in", "-q", "--exit-code", "--baseline", "base"];

#[test]
fn a_baseline_has_a_line_a_pair_and_knows_it() {
    let corpus = corpus("baseline");
    let lines: Vec<String> = corpus.read("base").lines().map(str::to_owned).collect();
    assert_eq!((lines.len(), lines[0].as_str()), (2, "{\"dedup_baseline\":1}"));
    assert!(lines[1].starts_with("{\"a\":\"in/a\",\"b\":\"in/b\",\"jaccard\":0.8,\"text_a\":\""), "{}", lines[1]);
    corpus.dedup(&["baseline", "r", "-q"]).stdout(&corpus.read("base")).stderr("").exit_code(0);
    corpus.dedup(&SCAN).stdout("").stderr("").exit_code(0);
    let loud: Vec<&str> = SCAN.iter().filter(|&&arg| arg != "-q").copied().collect();
    corpus
        .dedup(&loud)
        .stdout("")
        .stderr_with(|stderr| assert!(stderr.ends_with("baseline   1 pair known, 1 pair accepted\n"), "{stderr}"))
        .exit_code(0);
    let said = "baseline   1 pair known, 1 pair accepted\n";
    let totals = "Near-duplicates: 0 new pairs; 3 documents compared, at or above 80 %; 1 pair in the baseline\n";
    corpus.dedup(&["report", "r", "--baseline", "base", "--exit-code"]).stdout(totals).stderr(said).exit_code(0);
    corpus.dedup(&["scan", "--from", "r", "--baseline", "base", "--exit-code"]).stdout("").stderr(said).exit_code(0);
    // A file of pairs has names alone.
    let piped = corpus.shell("$D scan in -q | $D scan --from - --baseline base -q --exit-code");
    piped.stdout("").stderr("").exit_code(0);
}

#[test]
fn renamed_and_edited_documents_stay_known_and_new_ones_are_reported() {
    let corpus = corpus("baseline_renamed");
    // Renamed, with the text as it was.
    std::fs::rename(corpus.path("in/a"), corpus.path("in/renamed")).unwrap();
    corpus.dedup(&SCAN).stdout("").stderr("").exit_code(0);
    // A third one with the text of one of them makes pairs with both: of these texts one pair is known.
    let corpus = corpus.file("in/z", FOX);
    corpus.dedup(&SCAN).pairs(&["in/renamed in/z"]).stderr("").exit_code(1);
    // Edited, so that it is more alike than was accepted.
    let corpus = corpus.file("in/z", LOREM.replace('L', "M")).file("in/b", format!("{FOX}."));
    let look = |stderr: &str| assert_eq!(stderr, "");
    std::fs::rename(corpus.path("in/renamed"), corpus.path("in/a")).unwrap();
    corpus.dedup(&SCAN).pairs(&["in/a in/b", "in/d in/z"]).stderr_with(look).exit_code(1);
}

#[test]
fn entries_that_no_longer_occur_are_named_and_pruned() {
    let corpus = corpus("baseline_gone").file("in/d", format!("{LOREM}!")).file("in/e", LOREM);
    corpus
        .dedup(&["scan", "in", "-q", "--save", "r", "--force"])
        .pairs(&["in/a in/b", "in/d in/e"])
        .stderr("")
        .exit_code(0);
    corpus.dedup(&["baseline", "r", "-q", "-o", "base"]).stdout("").stderr("").exit_code(0);
    let both = corpus.read("base");
    std::fs::remove_file(corpus.path("in/e")).unwrap();
    let names = |stderr: &str| {
        let notes: Vec<&str> =
            stderr.lines().filter(|line| line.contains("base") && !line.starts_with("printed")).collect();
        assert_eq!(
            notes,
            [
                "baseline   1 pair known, 2 pairs accepted",
                "dedup: note: base: accepts in/d and in/e, which are no longer a pair",
                "dedup: note: base: --prune removes the entries that are no longer a pair",
            ]
        );
    };
    let loud: Vec<&str> = SCAN.iter().filter(|&&arg| arg != "-q").copied().collect();
    corpus.dedup(&loud).stdout("").stderr_with(names).exit_code(0);
    assert_eq!(corpus.read("base"), both);
    // A higher threshold does not find the other pair, which says nothing of it.
    corpus.dedup(&[&SCAN[..], &["--prune", "--threshold", "0.85"]].concat()).stdout("").stderr("").exit_code(0);
    assert_eq!(corpus.read("base").lines().count(), 2);
    assert!(corpus.read("base").contains("in/a"));
    // What could not be read may have pairs.
    std::fs::write(corpus.path("base"), &both).unwrap();
    let corpus = corpus.file("in/x.gz", "\x1f\u{8b}");
    std::fs::write(corpus.path("in/x.gz"), b"\x1f\x8b\x08broken").unwrap();
    let warning = "dedup: warning: base: not pruned, since 1 input could not be read and may be in accepted pairs; repair them, and run again\n";
    corpus
        .dedup(&[&SCAN[..], &["--prune"]].concat())
        .stdout("")
        .stderr_with(|stderr| assert!(stderr.ends_with(warning), "{stderr}"))
        .exit_code(3);
    assert_eq!(corpus.read("base"), both);
}

#[test]
fn too_many_pairs_or_documents_are_counted_without_what_is_known() {
    let corpus = corpus("fail_over").file("in/e", LOREM).file("in/f", "Something that no other document has in it.");
    // One new pair, of two of five documents.
    for (limit, code) in [("0", 1), ("1", 0), ("39%", 1), ("40%", 0), ("40.0001%", 0)] {
        let args = ["scan", "in", "-q", "--baseline", "base", "--fail-over", limit];
        corpus.dedup(&args).pairs(&["in/d in/e"]).stderr("").exit_code(code);
    }
    for (limit, code) in [("1", 1), ("2", 0), ("79%", 1), ("80%", 0)] {
        corpus
            .dedup(&["scan", "in", "-q", "--top", "1", "--fail-over", limit])
            .stdout_with(any)
            .stderr("")
            .exit_code(code);
    }
    corpus
        .dedup(&["compare", "in/a", "in/f", "--against", "in/b", "-q", "--fail-over", "50%"])
        .stdout_with(any)
        .stderr("")
        .exit_code(0);
    corpus
        .dedup(&["compare", "in/a", "in/f", "--against", "in/b", "-q", "--fail-over", "49%"])
        .stdout_with(any)
        .stderr("")
        .exit_code(1);
    let piped = corpus.shell("$D scan in -q | $D report - --fail-over 5%");
    let says = "dedup: --fail-over: a file of pairs does not say how many documents were compared; give a number of pairs, or a folder \
                of --save\n";
    piped.stdout_with(any).stderr(says).exit_code(2);
    for (args, part) in [
        (
            &["--fail-over", "x"][..],
            "--fail-over x: give a number of pairs, such as 0, or a share of the documents, such as 5%",
        ),
        (&["--fail-over", "1", "--exit-code"], "--fail-over: cannot be used with --exit-code"),
        (&["--prune"], "--baseline: missing; give it"),
        (&["--baseline", "in/a"], "in/a: not a baseline; write one with dedup baseline RESULT --output FILE"),
        (&["--baseline", "nowhere"], "nowhere: cannot read the baseline: No such file or directory"),
    ] {
        let args: Vec<&str> = ["scan", "in"].iter().chain(args).copied().collect();
        corpus.dedup(&args).stdout("").stderr_with(|stderr| assert!(stderr.contains(part), "{stderr}")).exit_code(2);
    }
}

#[test]
fn baselines_of_passages_accept_a_coverage() {
    let text = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen \
                nineteen twenty twenty-one and some more words";
    let other = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi psi";
    let corpus = Workspace::new("baseline_passages").file("in/a", text).file("in/b", format!("{other} {text} {other}"));
    let scan = ["scan", "in", "-q", "--match", "passages"];
    corpus.dedup(&[&scan[..], &["--save", "r"]].concat()).stdout_with(any).stderr("").exit_code(0);
    corpus.dedup(&["baseline", "r", "-q", "-o", "base"]).stdout("").stderr("").exit_code(0);
    assert!(corpus.read("base").contains("\"coverage\":1.0"), "{}", corpus.read("base"));
    corpus.dedup(&[&scan[..], &["--baseline", "base", "--exit-code"]].concat()).stdout("").stderr("").exit_code(0);
}

#[test]
fn a_further_copy_of_what_is_accepted_is_new() {
    let corpus = Workspace::new("further_copy").file("in/a", FOX).file("in/b", FOX);
    corpus.dedup(&["scan", "in", "-q", "--save", "r"]).pairs(&["in/a in/b"]).stderr("").exit_code(0);
    corpus.dedup(&["baseline", "r", "-q", "-o", "base"]).stdout("").stderr("").exit_code(0);
    let corpus = corpus.file("in/z", FOX);
    corpus.dedup(&SCAN).pairs(&["in/a in/z", "in/b in/z"]).stderr("").exit_code(1);
    corpus.dedup(&["scan", "in", "-q", "--save", "r", "--force"]).stdout_with(any).stderr("").exit_code(0);
    corpus
        .dedup(&["scan", "--from", "r", "-q", "--exit-code", "--baseline", "base"])
        .pairs(&["in/a in/z", "in/b in/z"])
        .stderr("")
        .exit_code(1);
    // Moved, it is what was accepted.
    std::fs::remove_file(corpus.path("in/b")).unwrap();
    corpus.dedup(&SCAN).stdout("").stderr("").exit_code(0);
}

#[test]
fn entries_that_a_run_did_not_look_at_are_kept() {
    let corpus = corpus("not_looked_at").file("in/e/f", LOREM);
    corpus.dedup(&["scan", "in", "-q", "--save", "r", "--force"]).stdout_with(any).stderr("").exit_code(0);
    corpus.dedup(&["baseline", "r", "-q", "-o", "base"]).stdout("").stderr("").exit_code(0);
    let both = corpus.read("base");
    assert_eq!(both.lines().count(), 3);
    for looked_at in
        [&["in/e"][..], &["in", "--exclude", "f"], &["in", "--group-by", "dir:1"], &["in", "--collapse-exact"]]
    {
        let args = [&["scan", "-q", "--baseline", "base", "--prune"], looked_at].concat();
        corpus.dedup(&args).stdout("").stderr("").exit_code(0);
        assert_eq!(corpus.read("base"), both, "{looked_at:?}");
    }
    // A file that is gone is gone wherever one looks; one that is no longer alike, where both were compared.
    std::fs::remove_file(corpus.path("in/e/f")).unwrap();
    corpus.dedup(&["scan", "in/e", "in/a", "-q", "--baseline", "base", "--prune"]).stdout("").stderr("").exit_code(0);
    assert_eq!(corpus.read("base").lines().count(), 2);
    std::fs::write(corpus.path("in/b"), "nothing of that").unwrap();
    corpus.dedup(&["scan", "in", "-q", "--baseline", "base", "--prune"]).stdout("").stderr("").exit_code(0);
    assert_eq!(corpus.read("base").lines().count(), 1);
}

#[test]
fn outputs_do_not_replace_what_is_read() {
    let corpus = corpus("replaced");
    let accepted = corpus.read("base");
    for flag in [&["--output", "base"][..], &["--format", "csv=base"], &["--summary", "base"]] {
        let look = |stderr: &str| assert!(stderr.contains("base") && stderr.contains("--baseline"), "{stderr}");
        corpus.dedup(&[&SCAN[..], flag].concat()).stdout("").stderr_with(look).exit_code(2);
    }
    let args = ["report", "r", "--baseline", "base", "--output", "base"];
    corpus.dedup(&args).stdout("").stderr_with(|_| ()).exit_code(2);
    assert_eq!(corpus.read("base"), accepted);
    for command in [&["baseline"][..], &["report", "--format", "csv"]] {
        let look = |stderr: &str| assert!(stderr.contains("a document of the result"), "{stderr}");
        corpus
            .dedup(&[command, &["--from", "r", "--output", "in/a"]].concat())
            .stdout("")
            .stderr_with(look)
            .exit_code(2);
    }
    assert_eq!(corpus.read("in/a"), FOX);
}

#[test]
fn results_and_baselines_in_a_folder_are_no_documents_of_it() {
    let corpus = Workspace::new("written").file("a.txt", FOX).file("b.txt", CAT);
    let scan = |flags: &[&str]| corpus.dedup(&[&["scan", ".", "-q"], flags].concat());
    for _ in 0..2 {
        scan(&["--save", "result", "--force"]).pairs(&["a.txt b.txt"]).stderr("").exit_code(0);
        corpus.dedup(&["baseline", "result", "-q", "-o", "base.jsonl"]).stdout("").stderr("").exit_code(0);
    }
    scan(&["--baseline", "base.jsonl", "--exit-code"]).stdout("").stderr("").exit_code(0);
    scan(&[]).pairs(&["a.txt b.txt"]).stderr("").exit_code(0);
    let look = |stderr: &str| {
        let own = "dedup: skipped 4 files that dedup has written or reads as lists: base.jsonl, result/documents.jsonl, \
                   result/header.json and 1 more\n";
        assert!(stderr.starts_with(own) && stderr.lines().count() == 2, "{stderr}");
        assert!(stderr.contains(", skipped 4 files of dedup itself"), "{stderr}");
    };
    corpus.dedup(&["scan", "."]).pairs(&["a.txt b.txt"]).stderr_with(look).exit_code(0);
}

#[test]
fn pairs_groups_and_reports_in_a_folder_are_no_documents_of_it() {
    let corpus = Workspace::new("written_reports").file("a.txt", FOX).file("b.txt", CAT);
    let written = ["pairs.jsonl", "groups.jsonl", "r.csv", "r.tsv", "r.sarif", "g.csv", "g.tsv"];
    for (command, files) in [("scan", &written[2..5]), ("cluster", &written[5..])] {
        let formats = files.iter().map(|file| {
            let (_, format) = file.split_once('.').unwrap();
            format!("--format={format}={file}")
        });
        let formats: Vec<String> = formats.collect();
        let lines = if command == "scan" { written[0] } else { written[1] };
        let args =
            [&[command, ".", "-q", "-o", lines][..], &formats.iter().map(String::as_str).collect::<Vec<_>>()].concat();
        corpus.dedup(&args).stdout("").stderr("").exit_code(0);
    }
    let look = |stderr: &str| {
        let own =
            "dedup: skipped 7 files that dedup has written or reads as lists: g.csv, g.tsv, groups.jsonl and 4 more\n";
        assert!(stderr.starts_with(own), "{stderr}");
    };
    corpus.dedup(&["scan", "."]).pairs(&["a.txt b.txt"]).stderr_with(look).exit_code(0);
    // Records that only look alike, and a file that is asked for by its name, are read.
    let record = format!("{{\"a\":1,\"id\":\"x\",\"text\":\"{FOX}\"}}\n");
    let corpus = corpus
        .file("more.jsonl", record)
        .file("pair.jsonl", "{\"a\":\"x\",\"b\":\"y\",\"jaccard\":1,\"text\":\"z\"}\n");
    let pairs = ["a.txt b.txt", "a.txt x", "b.txt x"];
    corpus.dedup(&["scan", ".", "-q"]).pairs(&pairs).stderr("").exit_code(0);
    let args = ["scan", "r.csv", "--text-field", "a", "--list-documents", "-q"];
    corpus.dedup(&args).stdout_with(|lines| assert_eq!(lines.lines().count(), 1, "{lines}")).stderr("").exit_code(0);
}

#[test]
fn a_crowd_of_accepted_copies_costs_each_pair_the_same() {
    let mut corpus = Workspace::new("crowd");
    for number in 0..300 {
        corpus = corpus.file(format!("in/{number}"), FOX);
    }
    corpus.dedup(&["scan", "in", "-q", "--save", "r"]).stdout_with(any).stderr("").exit_code(0);
    corpus.dedup(&["baseline", "r", "-q", "-o", "base"]).stdout("").stderr("").exit_code(0);
    // With a step for every two pairs this takes minutes.
    corpus.dedup(&SCAN).stdout("").stderr("").exit_code(0);
}

#[test]
fn the_summary_counts_what_is_known_and_what_is_new() {
    let corpus = corpus("baseline_summary").file("in/new", LOREM);
    corpus
        .dedup(&["scan", "in", "-q", "--baseline", "base", "--top", "1", "--summary", "s.json"])
        .pairs(&["in/d in/new"])
        .stderr("")
        .exit_code(0);
    let summary: serde_json::Value = serde_json::from_str(&corpus.read("s.json")).unwrap();
    assert_eq!(summary["gate"], serde_json::json!({ "known": 1, "new": 1 }));
    corpus.dedup(&["scan", "in", "-q", "--summary", "s.json"]).stdout_with(|_| ()).stderr("").exit_code(0);
    let summary: serde_json::Value = serde_json::from_str(&corpus.read("s.json")).unwrap();
    assert!(summary.get("gate").is_none() && summary["pairs"] == 2, "{summary}");
}
