//! What ends a filter of rows: a row that cannot be used, parameters of others, a reader that goes away.

use std::io::Write;
use std::process::Stdio;

use serde_json::Value;

use crate::filters::{filter, refusal};
use crate::support::{FOX, Workspace, wait};

#[test]
fn a_row_that_cannot_be_used_ends_a_filter_with_its_number() {
    let workspace = Workspace::new("filter_rows");
    for (args, input, fault) in [
        (&["sign", "--pipe", "tsv"][..], "a\tx\nb\n", "row 2: 1 fields instead of 2 (id, text)"),
        (&["sign", "--pipe", "tsv"], "a\tx\nb\ty", "row 2: it has no line end; the input was cut off"),
        (&["sign", "--pipe", "tsv"], "a\tx\\q\n", "row 1: a backslash in the text"),
        (&["sign", "--pipe", "tsv"], "\tx\n", "row 1: the field id is empty"),
        (&["sign", "--pipe", "jsonl"], "{\"id\":1,\"text\":\"x\"}\n{\"id\":2,\"te", "row 2: not a JSON object"),
        (&["sign", "--pipe", "jsonl"], "{\"id\":1,\"text\":null}\n", "row 1: the field `text` is no string"),
        (&["sign", "--pipe", "jsonl"], "{\"id\":1,\"text\":\"\\ud800\"}\n", "row 1: "),
        (&["verify", "--by", "group"], "g\t2\ta\tx\ng\t1\tb\tx\n", "row 2: it is out of order"),
        (&["verify", "--by", "group"], "g\t\ta\tx\ng\t\ta\tx\n", "row 2: it is out of order"),
        (&["verify", "--by", "group"], "g\t\ta\tx\nh\t\ta\tx\ng\t\tb\tx\n", "row 3: its group ended before"),
        (&["verify", "--by", "pair"], "b\ta\t\t\tx\tx\n", "row 1: a is not before b"),
        (&["verify", "--by", "copy"], "a\tb\t\t\tmany\n", "row 1: the field shingles is no whole number"),
        (&["verify", "--by", "copy"], "a\tb\t\t\t0\n", "row 1: a text without shingles"),
        (&["cluster", "--edges"], "a\tb\nc\t\n", "row 2: the field b is empty"),
        (&["cluster", "--edges"], "a\tb\nc\td\r\n", "row 2: the field b has a carriage return"),
    ] {
        let said = refusal(&workspace, args, input);
        assert!(said.starts_with(&format!("dedup: {fault}")), "{args:?}: {said}");
    }
    let output =
        assert_cmd::Command::from_std(workspace.command(&["sign", "--pipe", "tsv"])).write_stdin(b"a\t\xFF\n").output();
    assert!(String::from_utf8_lossy(&output.unwrap().stderr).contains("row 1: it is not valid UTF-8"));
}

#[test]
fn other_parameters_and_other_flags_are_refused() {
    let workspace = Workspace::new("filter_params");
    let params = |flags: &[&str]| {
        let printed = filter(&workspace, &[&["params", "--json"], flags].concat(), "");
        let printed: Value = serde_json::from_str(&printed).unwrap();
        ["params", "hash"].map(|name| printed[name].as_str().unwrap().to_owned())
    };
    let (row, group) = (format!("a\t{FOX}\n"), format!("g\t\ta\t{FOX}\n"));
    for own in params(&[]).iter().chain(&params(&["--threshold", "0.8"])) {
        assert_eq!(filter(&workspace, &["sign", "--pipe", "tsv", "--params", own], &row).lines().count(), 1);
        assert_eq!(filter(&workspace, &["verify", "--by", "group", "--params", own], &group), "");
        assert_eq!(filter(&workspace, &["cluster", "--edges", "--params", own], ""), "");
    }
    let [string, hash] = params(&["--shingle", "word"]);
    let said = refusal(&workspace, &["sign", "--pipe", "tsv", "--params", &string], &row);
    assert!(
        said.contains("expected `shingle` to be \"word\", found \"char\"") || said.contains("expected `k` to be 5"),
        "{said}"
    );
    let said = refusal(&workspace, &["verify", "--by", "group", "--params", &hash], &group);
    assert!(said.starts_with(&format!("dedup: the parameters differ: expected {hash}, found")), "{said}");
    let later = hash.replace(env!("CARGO_PKG_VERSION"), "99.1.0");
    for args in [&["sign", "--pipe", "tsv"][..], &["verify", "--by", "pair"], &["cluster", "--edges"]] {
        let said = refusal(&workspace, &[args, &["--params", &later]].concat(), "");
        assert!(said.contains("expected version 99.1.0, this is version"), "{said}");
    }
    for (args, what) in [
        (&["sign", "--pipe", "tsv", "."][..], "PATH: does not apply to rows"),
        (&["sign", "--pipe", "tsv", "--output", "x"], "--output: does not apply to rows"),
        (&["sign", "--pipe", "tsv", "--template", "x"], "--template: "),
        (&["sign", "--pipe", "tsv", "--threads", "2"], "--threads: does not apply to rows"),
        (&["cluster", "--edges", "--threshold", "0.5"], "--threshold: does not apply to rows"),
        (&["verify", "--by", "group", "--all-pairs"], "--all-pairs: filters find documents by signatures; remove it"),
        (&["verify", "--by", "group", "--weights", "idf"], "--weights: filters know no weights; remove it"),
        (&["params", "--shingle", "set"], "--shingle set: a row has a text and not a set; remove it"),
    ] {
        let said = refusal(&workspace, args, "");
        assert!(said.starts_with(&format!("dedup: {what}")), "{args:?}: {said}");
    }
}

#[test]
fn a_reader_that_goes_away_is_a_failure() {
    // A job must never take a part of the rows for all of them.
    let workspace = Workspace::new("filter_pipe");
    let mut child = workspace
        .command(&["sign", "--pipe", "tsv"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let rows = format!("a\t{FOX}\n").repeat(20_000);
    let _ = child.stdin.take().unwrap().write_all(rows.as_bytes());
    assert_eq!(wait(&mut child).code(), Some(2));
}
