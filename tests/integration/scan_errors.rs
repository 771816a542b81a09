//! Inputs that cannot be opened, and wrong usage.

use crate::support::*;

const MISSING: &str = "dedup: nope: no such file or folder; check the path\n";

#[test]
fn a_missing_path_is_told_and_the_rest_is_compared() {
    let corpus = Workspace::new("missing").file("a", FOX).file("b", FOX).file("list", "nope\na\nb\n");
    corpus.dedup(&["scan", "-q", "a", "nope", "b"]).pairs(&["a b"]).stderr(MISSING).exit_code(3);
    corpus.dedup(&["scan", "a", "nope", "b"]).pairs(&["a b"]).notes(MISSING).exit_code(3);
    corpus.dedup(&["scan", "-q", "--files-from", "list"]).pairs(&["a b"]).stderr(MISSING).exit_code(3);
}

#[test]
fn missing_paths_alone_are_a_failure() {
    let nothing = "dedup: none of the inputs could be read; nothing was compared\n";
    let corpus = Workspace::new("all_missing").file("list", "nope\n");
    corpus.dedup(&["scan", "nope"]).stdout("").stderr(&format!("{MISSING}{nothing}")).exit_code(2);
    corpus
        .dedup(&["scan", "-q", "nope", "nope"])
        .stdout("")
        .stderr(&format!("{MISSING}{MISSING}{nothing}"))
        .exit_code(2);
    corpus.dedup(&["scan", "--files-from", "list"]).stdout("").stderr(&format!("{MISSING}{nothing}")).exit_code(2);
}

#[test]
fn a_path_through_a_file_is_told() {
    let corpus = Workspace::new("through").file("a", FOX).file("b", FOX);
    corpus
        .dedup(&["scan", "-q", "a", "b", "a/c"])
        .pairs(&["a b"])
        .stderr("dedup: a/c: cannot be read: Not a directory (os error 20)\n")
        .exit_code(3);
}

#[test]
fn what_must_not_be_read_is_told_and_the_rest_is_compared() {
    let corpus = Workspace::new("unreadable")
        .file("a", FOX)
        .file("b", FOX)
        .file("locked.txt", LOREM)
        .file("r.jsonl", format!("{{\"text\":{LOREM:?}}}"))
        .file("z/c", LOREM);
    // Permissions do not bind root, for whom these are files like any other.
    let bound = ["locked.txt", "r.jsonl", "z"].map(|path| corpus.forbid(path));
    let run = corpus.dedup(&["scan", "-q", "."]);
    if bound == [true; 3] {
        let denied = |path| format!("dedup: {path}: permission denied; change its permissions or exclude it\n");
        run.pairs(&["a b"]).stderr(&["locked.txt", "r.jsonl", "z"].map(denied).concat()).exit_code(3);
    } else {
        run.pairs(&["a b", "locked.txt r.jsonl:1", "locked.txt z/c", "r.jsonl:1 z/c"]).stderr("").exit_code(0);
    }
}

#[test]
fn a_list_that_cannot_be_read_is_a_failure() {
    Workspace::new("no_list")
        .dedup(&["scan", "--files-from", "nope"])
        .stdout("")
        .stderr("dedup: nope: cannot read the list of paths: No such file or directory (os error 2)\n")
        .exit_code(2);
}

#[test]
fn wrong_usage_is_one_line_that_leads_to_help() {
    let corpus = Workspace::new("usage");
    for (args, message) in [
        (&["scan"][..], "the following required arguments were not provided: <PATH>...; see dedup scan --help"),
        (
            &["scan", "-0", "."],
            "--null: it is about lists of paths, and there is none; add --files-from FILE or leave it out",
        ),
        (
            &["scan", ".", "--bnds", "3"],
            "unexpected argument '--bnds' found; a similar argument exists: '--bands'; see dedup scan --help",
        ),
        (
            &["scan", ".", "--signature", "sha1"],
            "invalid value 'sha1' for '--signature <SIGNATURE>' [possible values: classic, fast]; see dedup scan --help",
        ),
        (
            &["scan", ".", "--shingle", "lines"],
            "invalid value 'lines' for '--shingle <SHINGLE>' [possible values: char, word, line, sentence, stopword, set]; \
             a similar value exists: 'line'; see dedup scan --help",
        ),
        (
            &["scan", ".", "--input-format", "xml"],
            "invalid value 'xml' for '--input-format <FORMAT>' [possible values: auto, text, jsonl, json, csv, tsv, \
             parquet, tar, zip]; see dedup scan --help",
        ),
        (
            &["scan", ".", "--encoding", "utf-9"],
            "invalid value 'utf-9' for '--encoding <LABEL>': encoding \"utf-9\": not a label of the Encoding Standard; \
             try latin1, windows-1252, shift_jis, gbk or utf-16le; see dedup scan --help",
        ),
        (
            &["scan", ".", "--filter", "pdftotext"],
            "invalid value 'pdftotext' for '--filter <EXT=CMD>': filter \"pdftotext\": give an extension and a command, \
             as in pdf='pdftotext - -'; see dedup scan --help",
        ),
        (
            &["scan", ".", "--k", "-3"],
            "unexpected argument '-3' found; to pass '-3' as a value, use '-- -3'; see dedup scan --help",
        ),
        (
            &["scan", ".", "--threads", "two"],
            "invalid value 'two' for '--threads <N>': invalid digit found in string; see dedup scan --help",
        ),
        (
            &["scan", ".", "--seed", "-q", "1"],
            "a value is required for '--seed <SEED>' but none was supplied; see dedup scan --help",
        ),
        (&["scna", "."], "unrecognized subcommand 'scna'; a similar subcommand exists: 'scan'; see dedup --help"),
    ] {
        corpus.dedup(args).stdout("").stderr(&format!("dedup: {message}\n")).exit_code(2);
    }
}
