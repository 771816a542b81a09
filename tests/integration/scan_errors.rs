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
        .stderr("dedup: a/c: cannot be read: Not a directory\n")
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
        .stderr("dedup: nope: cannot read the list of paths: No such file or directory\n")
        .exit_code(2);
}

#[test]
fn wrong_usage_is_one_line_that_leads_to_help() {
    let corpus = Workspace::new("usage");
    for (args, message) in [
        (&["plan"][..], "PATH: missing; give it (save standard input as a file first); see dedup plan --help"),
        (
            &["unique", "-o", "out"],
            "PATH: missing; give it (save standard input as a file first); see dedup unique --help",
        ),
        (
            &["query", "x.index"],
            "PATH: missing; write: dedup query INDEX PATH, where INDEX is a file that dedup index build INDEX PATH has written; see dedup query --help",
        ),
        (&["sign"], "PATH: missing; give it (- is standard input); see dedup sign --help"),
        (&["scan", "-0", "."], "--null: only applies to lists of paths; add --files-from FILE, or remove the flag"),
        (&["scan", ".", "--bnds", "3"], "--bnds: no such flag; --bands is similar; see dedup scan --help"),
        (&["scan", ".", "--signature", "sha1"], "--signature sha1: give fast or classic; see dedup scan --help"),
        (
            &["scan", ".", "--shingle", "lines"],
            "--shingle lines: give char, word, line, sentence, paragraph, code, stopword or set; line is similar; see dedup scan --help",
        ),
        (
            &["scan", ".", "--input-format", "xml"],
            "--input-format xml: give auto, text, lines, jsonl, json, csv, tsv, parquet, arrow, tar, zip, mail, mbox or warc; see dedup scan --help",
        ),
        (
            &["scan", ".", "--encoding", "utf-9"],
            "--encoding utf-9: give auto, or the label of an encoding, such as latin1, windows-1252, shift_jis, gbk, utf-16le or \
             cp850; see dedup scan --help",
        ),
        (
            &["scan", ".", "--filter", "pdftotext"],
            "--filter pdftotext: give an extension and a command, as in pdf='pdftotext - -'; see dedup scan --help",
        ),
        (&["scan", ".", "--k", "-3"], "--k -3: give a whole number of 1 or more; see dedup scan --help"),
        (
            &["scan", ".", "--threads", "two"],
            "--threads two: give a whole number from 1 to 1024; see dedup scan --help",
        ),
        (&["scan", ".", "--seed", "-q", "1"], "--seed: give a value; see dedup scan --help"),
        (
            &["compare", "--against", "a", "b"],
            "PATH: missing, since --against accepts all paths up to the next flag; write the paths to compare before it; \
             see dedup compare --help",
        ),
        (&["scan", ".", "--bands", "2", "--bands", "3"], "--bands: given twice; give it once; see dedup scan --help"),
        (&["scan", ".", "--within-groups"], "--group-by: missing; give it; see dedup scan --help"),
        (
            &["scan", ".", "--list-documents", "--summary", "s", "--collapse-exact"],
            "--list-documents: cannot be used with --summary or --collapse-exact; remove one of them; see dedup scan --help",
        ),
        (
            &["scan", ".", "--quiet=yes"],
            "--quiet yes: the flag accepts no such value; remove it; see dedup scan --help",
        ),
        (&["scan", ".", "-x"], "-x: no such flag; give --exclude; see dedup scan --help"),
        (
            &["scan", ".", "--against-include", "*"],
            "--against-include: `dedup compare` has this flag; use that command, or remove the flag; see dedup scan --help",
        ),
        (&["--quiet", "scan"], "--quiet: it must follow its command; write it after `scan`; see dedup --help"),
        (&["y"], "y: no such command, file or folder; check the path, or choose a command; see dedup --help"),
        (&["scna", "."], "scna: no such command; scan is similar; see dedup --help"),
    ] {
        corpus.dedup(args).stdout("").stderr(&format!("dedup: {message}\n")).exit_code(2);
    }
}

#[test]
fn a_file_that_looks_like_a_flag_is_named_with_what_to_write() {
    let corpus = Workspace::new("dash").file("-dash.txt", FOX).file("b", FOX);
    let message = "dedup: -dash.txt: looks like a flag; write ./-dash.txt if it is a path; see dedup scan --help\n";
    corpus.dedup(&["scan", "-dash.txt", "b"]).stdout("").stderr(message).exit_code(2);
    corpus.dedup(&["scan", "-q", "./-dash.txt", "b"]).pairs(&["./-dash.txt b"]).stderr("").exit_code(0);
    let message = "dedup: -gone.txt: no such flag; write ./-gone.txt if it is a path; see dedup scan --help\n";
    corpus.dedup(&["scan", "-gone.txt", "b"]).stdout("").stderr(message).exit_code(2);
}

#[test]
fn what_a_terminal_obeys_is_escaped_in_messages_and_in_json() {
    let name = "a\u{202E}b\u{9B}1m\u{85}.txt";
    let corpus = Workspace::new("treacherous").file(name, FOX).file("b", FOX);
    let look = |stdout: &str| {
        assert!(stdout.starts_with(r#"{"a":"a\u202eb\u009b1m\u0085.txt","b":"b","#), "{stdout}");
        let pair: dedup_scan::records::PairRecord = serde_json::from_str(stdout).unwrap();
        assert_eq!(crate::support::name(&pair.a), name);
    };
    corpus.dedup(&["scan", "-q", name, "b"]).stdout_with(look).stderr("").exit_code(0);
    let message = "dedup: a\\u{202e}b\\u{9b}1m\\u{85}: no such file or folder; check the path\n";
    corpus.dedup(&["scan", "-q", "b", "a\u{202E}b\u{9B}1m\u{85}"]).stdout("").stderr(message).exit_code(3);
    let listed = |stdout: &str| assert!(stdout.contains(r#"{"name":"a\u202eb\u009b1m\u0085.txt","#), "{stdout}");
    corpus.dedup(&["scan", "-q", ".", "--list-documents"]).stdout_with(listed).stderr("").exit_code(0);
}

#[test]
fn a_very_long_path_is_cut_in_the_middle() {
    let message = format!("dedup: {}…{}: ", "a".repeat(500), "b".repeat(500));
    let output =
        Workspace::new("long").command(&["scan", "-q", &format!("{}{}", "a".repeat(9000), "b".repeat(9000))]).output();
    let stderr = String::from_utf8(output.unwrap().stderr).unwrap();
    assert!(stderr.starts_with(&message) && stderr.len() < 1200, "{stderr}");
}

#[test]
fn flags_without_effect_are_warned_of() {
    let corpus = Workspace::new("no_effect")
        .file("a.txt", FOX)
        .file("b.txt", FOX)
        .file("t.csv", "text\nx\n")
        .file("r.jsonl", "{\"id\":1,\"text\":\"x\"}\n");
    let scan = ["scan", "-q", "a.txt", "b.txt"];
    let warning = |flag, what| {
        format!("dedup: warning: {flag}: {what} was read, so it had no effect; remove it, or check --input-format\n")
    };
    let (table, records) = ("no CSV or TSV", "no JSON Lines, CSV, TSV, Parquet or Arrow");
    for (flags, what) in [
        (&["--delimiter", ";"][..], table),
        (&["--no-quoting"], table),
        (&["--id-field", "x"], records),
        (&["--delimiter", ",", "r.jsonl"], table),
    ] {
        let all = [&scan[..], flags].concat();
        corpus.dedup(&all).pairs(&["a.txt b.txt"]).stderr(&warning(flags[0], what)).exit_code(0);
    }
    for flags in [&["--delimiter", ",", "t.csv"][..], &["--no-quoting", "t.csv"], &["--id-field", "id", "r.jsonl"]] {
        corpus.dedup(&[&scan[..], flags].concat()).pairs(&["a.txt b.txt"]).stderr("").exit_code(0);
    }
    for pattern in ["", "x*"] {
        let warning =
            format!("dedup: warning: --skip-lines {pattern:?} matches every line, so no text is left; correct it\n");
        corpus.dedup(&[&scan[..], &["--skip-lines", pattern]].concat()).stdout("").stderr(&warning).exit_code(0);
    }
    corpus.dedup(&[&scan[..], &["--skip-lines", "^$"]].concat()).pairs(&["a.txt b.txt"]).stderr("").exit_code(0);
}

#[test]
fn a_byte_order_mark_before_a_list_is_no_part_of_the_first_name() {
    let corpus = Workspace::new("marked_list").file("a", FOX).file("b", FOX).file("list", "\u{FEFF}a\r\nb\r\n");
    corpus.dedup(&["scan", "-q", "--files-from", "list"]).pairs(&["a b"]).stderr("").exit_code(0);
}
