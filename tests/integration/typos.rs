//! Typing errors: the message names what may have been meant.

use crate::support::*;

#[test]
fn what_may_have_been_meant_is_named() {
    let workspace = Workspace::new("typos").file("a.txt", FOX);
    for (args, message) in [
        (vec!["scna", "."], "scna: no such command; scan is similar"),
        (vec!["index", "chek", "x.index"], "chek: no such command; check is similar"),
        (vec!["index", "lsit", "x.index"], "lsit: no such command; give "),
        (vec!["scan", "--treshold", "0.8", "."], "--treshold: no such flag; --threshold is similar"),
        (
            vec!["scan", "--shingle", "wrod", "."],
            "--shingle wrod: give char, word, line, sentence, code, stopword or set; word is similar",
        ),
        (
            vec!["scan", "--preset", "porse", "."],
            "--preset porse: give prose, revisions, code or sentences; prose is similar",
        ),
        (vec!["scan", "--format", "serif", "."], "--format serif: give text, "),
        (vec!["unique", "--keep", "longset", "-n", "."], "--keep longset: give first, last, longest, "),
        (vec!["scan", "--encoding", "shiftjis9", "."], "--encoding shiftjis9: give a label"),
    ] {
        let look = |stderr: &str| assert!(stderr.starts_with(&format!("dedup: {message}")), "{stderr}");
        workspace.dedup(&args).stdout("").stderr_with(look).exit_code(2);
    }
    for (args, similar) in [(["--format", "serif"], "sarif"), (["--syntax", "pyton"], "python")] {
        let look = |stderr: &str| assert!(stderr.contains(&format!("; {similar} is similar; see ")), "{stderr}");
        workspace.dedup(&["scan", args[0], args[1], "."]).stdout("").stderr_with(look).exit_code(2);
    }
    let look = |stderr: &str| assert!(stderr.contains("; longest is similar; see "), "{stderr}");
    workspace.dedup(&["unique", "--keep", "longset", "-n", "."]).stdout("").stderr_with(look).exit_code(2);
}
