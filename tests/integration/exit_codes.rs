//! The rule of exit codes for every kind of input: 2 when none could be read and at least one failed; 0 with a warning when
//! there is nothing to read.

use crate::support::*;

const BAD: &str = "not valid UTF-8 at byte 0; read it with --encoding LABEL or --invalid replace\n";

#[test]
fn inputs_that_all_fail_are_a_failure_wherever_they_are_met() {
    let corpus = Workspace::new("all_fail")
        .file("d/x", b"\xFF")
        .file("r/r.jsonl", "{\n")
        .file("p/bin", "a\0")
        .file("list", "nope\n")
        .file("t.csv", "a,b\n1,2\n");
    let bad = format!("dedup: d/x: {BAD}");
    let missing = "dedup: nope: no such file or folder; check the path\n";
    let malformed = "dedup: r/r.jsonl:1: malformed record, column 1: it ends within an object; skipped\n";
    for (args, problem) in [
        (&["d/x"][..], bad.as_str()),
        (&["d"], &bad),
        (&["d", "--max-df", "2"], &bad),
        (&["r"], malformed),
        (&["nope"], missing),
        (&["--files-from", "list"], missing),
        (&["p/bin"], "dedup: p/bin: binary, with a NUL at byte 1; skipped\n"),
        // What is passed over by definition is nothing that could be read.
        (&["p", "d"], &bad),
    ] {
        let args = [&["scan", "-q"], args].concat();
        corpus.dedup(&args).stdout("").nothing_read(problem);
    }
    let args = ["compare", "-q", "d", "--against", "r"];
    corpus.dedup(&args).stdout("").nothing_read(&format!("{bad}{malformed}"));
}

#[test]
fn what_could_not_be_read_is_listed_all_the_same() {
    let line = format!(
        "{{\"name\":\"x\",\"treated\":\"skipped\",\"reason\":\"not_utf8\",\"detail\":\"{}\"}}\n",
        BAD.trim_end()
    );
    let corpus = Workspace::new("list_fails").file("x", b"\xFF");
    let run = corpus.dedup(&["scan", ".", "--list-documents"]);
    run.stdout(&line).nothing_read(&format!("dedup: x: {BAD}"));
}

#[test]
fn an_input_that_was_read_makes_failures_of_others_incomplete() {
    let corpus = Workspace::new("one_read").file("x", b"\xFF").file("short", "fox").file("empty", "");
    let bad = format!("dedup: x: {BAD}");
    corpus.dedup(&["scan", "-q", "x", "empty"]).stdout("").stderr(&bad).exit_code(3);
    let warning = "dedup: warning: no documents are left (1 not UTF-8, 1 with fewer tokens than --min-tokens); check the paths and flags\n";
    let args = ["scan", "-q", "x", "short", "--min-tokens", "9"];
    corpus.dedup(&args).stdout("").stderr(&format!("{bad}{warning}")).exit_code(3);
}

#[test]
fn nothing_to_read_is_complete_with_a_warning() {
    let corpus = Workspace::new("nothing_to_read").folder("d").file("s/short", "fox").file("b/bin", "\0");
    let found = "dedup: warning: no documents were found; check the paths, --include and --exclude\n";
    let left = |what| format!("dedup: warning: no documents are left ({what}); check the paths and flags\n");
    for (args, warning) in [
        (&["d"][..], found.to_owned()),
        (&["s", "--exclude", "*"], found.to_owned()),
        (&["--files-from", "/dev/null"], found.to_owned()),
        (&["s", "--min-tokens", "9"], left("1 with fewer tokens than --min-tokens")),
        (&["b"], left("1 binary")),
        (&["b", "--list-documents", "--exclude", "bin"], found.to_owned()),
    ] {
        let args = [&["scan", "-q"], args].concat();
        corpus.dedup(&args).stdout("").stderr(&warning).exit_code(0);
    }
}
