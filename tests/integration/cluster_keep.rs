//! `dedup cluster --keep`: which member represents a group, and the times of the members.

use std::fs::File;
use std::time::{Duration, SystemTime};

use dedup_scan::records::ClusterRecord;

use crate::support::*;

/// Three versions of one text. The second is the newest, and the third the longest.
fn corpus(name: &'static str) -> Workspace {
    let corpus = Workspace::new(name).file("in/a", FOX).file("in/b", CAT).file("in/c", format!("{FOX} And once more."));
    for (file, day) in [("in/a", 2), ("in/b", 5), ("in/c", 1)] {
        let file = File::options().write(true).open(corpus.path(file)).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(day * 86400 + 61)).unwrap();
    }
    corpus
}

/// The representatives of the groups, and the first record.
fn representatives(corpus: &Workspace, args: &[&str]) -> (String, serde_json::Value) {
    let (mut names, mut first) = (Vec::new(), serde_json::Value::Null);
    let args = [&["cluster"], args, &["-q", "-t", "0.5"]].concat();
    let look = |stdout: &str| {
        for line in stdout.lines() {
            let record: ClusterRecord = serde_json::from_str(line).unwrap();
            names.push(name(&record.representative).to_owned());
            assert!(record.joined_by.iter().all(|joined| joined.name != record.representative));
        }
        first = serde_json::from_str(stdout.lines().next().unwrap()).unwrap();
    };
    corpus.dedup(&args).stdout_with(look).stderr("").exit_code(0);
    (names.join(" "), first)
}

#[test]
fn the_rules_of_unique_choose_the_representative() {
    let corpus = corpus("cluster_keep");
    for linkage in ["components", "complete"] {
        for (keep, expected) in [
            (&["first"][..], "in/a"),
            (&["last"], "in/c"),
            (&["longest"], "in/c"),
            (&["newest"], "in/b"),
            (&["oldest"], "in/c"),
            (&["matching:**/b"], "in/b"),
            (&["matching:**/x", "newest"], "in/b"),
            (&["path-order"], "in/a"),
        ] {
            let flags: Vec<&str> = keep.iter().flat_map(|keep| ["--keep", keep]).collect();
            let args = [&["in", "--linkage", linkage], &flags[..]].concat();
            assert_eq!(representatives(&corpus, &args).0, expected, "{linkage} {keep:?}");
        }
    }
    // With stars, a document that is preferred becomes a centre.
    assert_eq!(representatives(&corpus, &["in", "--linkage", "star", "--keep", "newest"]).0, "in/b");
    let (_, record) = representatives(&corpus, &["in", "--keep", "newest"]);
    let times = serde_json::json!(["1970-01-03T00:01:01Z", "1970-01-06T00:01:01Z", "1970-01-02T00:01:01Z"]);
    assert_eq!(record["times"], times);
    assert_eq!(representatives(&corpus, &["in", "--keep", "longest"]).1.get("times"), None);
    let records = |score: [u64; 2]| {
        let line = |id: &str, score| format!("{{\"id\":\"{id}\",\"text\":{FOX:?},\"score\":{score}}}\n");
        line("x", score[0]) + &line("y", score[1])
    };
    let corpus = corpus.file("r.jsonl", records([1, 2])).file("s.jsonl", records([4, 3]));
    assert_eq!(representatives(&corpus, &["r.jsonl", "--keep", "max:score"]).0, "y");
    assert_eq!(representatives(&corpus, &["s.jsonl", "--keep", "max:score"]).0, "x");
    assert_eq!(representatives(&corpus, &["s.jsonl", "--keep", "min:score"]).0, "y");
}

#[test]
fn views_mark_the_representative_and_show_times_and_edges() {
    let corpus = corpus("cluster_keep_views");
    let newest = ["cluster", "in", "-q", "-t", "0.5", "--keep", "newest"];
    let text = |text: &str| {
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[3].ends_with(" %  a 1970-01-03 00:01:01"), "{text}");
        assert_eq!(lines[4], "           b 1970-01-06 00:01:01 (kept)", "{text}");
        assert!(lines[5].ends_with(" %  c 1970-01-02 00:01:01  with a"), "{text}");
    };
    corpus.dedup(&[&newest[..], &["-f", "text"]].concat()).stdout_with(text).stderr("").exit_code(0);
    let table = |csv: &str| {
        let lines: Vec<&str> = csv.lines().collect();
        assert!(lines[0].ends_with(",side,time"), "{csv}");
        assert!(lines[2].starts_with("1,3,in/b,in/b,,") && lines[2].ends_with(",1970-01-06T00:01:01Z"), "{csv}");
    };
    corpus.dedup(&[&newest[..], &["-f", "csv"]].concat()).stdout_with(table).stderr("").exit_code(0);
    let page = |page: &str| assert!(page.contains(r#""in/b (kept)""#) && page.contains(r#""raw":{"#), "{page}");
    corpus.dedup(&[&newest[..], &["-f", "html"]].concat()).stdout_with(page).stderr("").exit_code(0);
    let plain = |text: &str| assert!(!text.contains("kept") && !text.contains("1970"), "{text}");
    corpus.dedup(&[&newest[..5], &["-f", "text"]].concat()).stdout_with(plain).stderr("").exit_code(0);
}

#[test]
fn the_groups_of_a_saved_result_have_the_representatives_of_a_run() {
    let members = crate::packing::tar(&[("x", CAT.as_bytes()), ("y", FOX.as_bytes())]);
    let corpus = corpus("cluster_keep_saved").file("in/d.tar", members).file("in/e/f", format!("{FOX}{CAT}"));
    let save = |flags: &[&str], to: &str| {
        let args = [&["scan", "in", "-q", "-t", "0.4", "--save", to], flags].concat();
        corpus.dedup(&args).stdout_with(|_| ()).stderr("").exit_code(0);
    };
    save(&[], "r");
    for keep in [
        &["last"][..],
        &["longest"],
        &["shortest"],
        &["newest"],
        &["oldest"],
        &["path-order"],
        &["matching:**/b", "longest"],
        &["matching:**/x", "newest"],
    ] {
        for linkage in ["components", "star"] {
            let flags: Vec<&str> = keep.iter().flat_map(|keep| ["--keep", keep]).collect();
            let flags = [&["--linkage", linkage, "-q", "--check-groups", "0"], &flags[..]].concat();
            let run = crate::index::printed(&corpus, &[&["cluster", "in", "-t", "0.4"], &flags[..]].concat());
            // A saved result is not checked for chains.
            let flags: Vec<&str> =
                flags.iter().filter(|flag| !["--check-groups", "0"].contains(flag)).copied().collect();
            let saved = crate::index::printed(&corpus, &[&["cluster", "--from", "r"], &flags[..]].concat());
            assert_eq!(saved, run, "{flags:?}");
        }
    }
    // Documents that are joined from files have lengths, and no times.
    save(&["--unit", "dir:1"], "u");
    assert_eq!(representatives(&corpus, &["--from", "u", "--keep", "longest"]).0, "in/e");
    corpus
        .dedup(&["cluster", "--from", "u", "--keep", "newest"])
        .stdout("")
        .stderr("dedup: --keep newest: needs what the documents of this result do not have, since they are joined from files or an earlier version saved it; give the inputs instead of --from: dedup cluster PATH --keep newest\n")
        .exit_code(2);
}

#[test]
fn a_rule_without_what_it_needs_is_refused() {
    let corpus = corpus("cluster_keep_refused");
    corpus.dedup(&["scan", "in", "-q", "-t", "0.5", "--save", "r"]).stdout_with(|_| ()).stderr("").exit_code(0);
    assert_eq!(representatives(&corpus, &["--from", "r", "--keep", "last"]).0, "in/c");
    let refused = |args: &[&str], line: &str| {
        let args = [&["cluster"], args].concat();
        corpus.dedup(&args).stdout("").stderr(&format!("dedup: {line}\n")).exit_code(2);
    };
    refused(
        &["--from", "r", "--keep", "max:score"],
        "--keep max:score: needs the fields of the records, which a saved result does not have; give the inputs instead of --from: dedup cluster PATH --keep max:score",
    );
    refused(
        &["--from", "r/pairs.jsonl", "--keep", "newest"],
        "--keep newest: needs a folder of --save, since a file of pairs does not list the documents; give the inputs instead of --from: dedup cluster PATH --keep newest",
    );
    refused(
        &["in", "--unit", "dir:1", "--keep", "max:score"],
        "--keep max:score: with --unit, documents are joined from files; give first, last, longest, shortest or path-order",
    );
}
