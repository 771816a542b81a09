//! `--input-format lines` and `--no-header`: one text a line, and tables without a header.

use crate::packing::gzip;
use crate::support::*;

#[test]
fn each_line_is_a_text() {
    let lines = format!("{FOX}\r\n\n{{\"text\": \"{LOREM}\"\n{CAT}\n  \n{FOX}");
    let corpus = Workspace::new("lines")
        .file("a.log", &lines)
        .file("b.jsonl", format!("{FOX}\n"))
        .file("c.log.gz", gzip(lines.as_bytes()));
    let pairs = ["a.log:1 a.log:4", "a.log:1 a.log:6", "a.log:4 a.log:6"];
    corpus.dedup(&["scan", "a.log", "--input-format", "lines", "-q"]).pairs(&pairs).stderr("").exit_code(0);
    // The places are the lines of the file.
    corpus
        .dedup(&["scan", "a.log", "--input-format", "lines", "--with-source", "--show-passages", "-q"])
        .stdout_with(|stdout| {
            let source = records(stdout)[0].source_b.clone().unwrap();
            assert_eq!((name(&source.file), source.line), ("a.log", Some(4)));
        })
        .stderr("")
        .exit_code(0);
    // Every file, also a packed one, and standard input.
    let args = ["scan", "b.jsonl", "c.log.gz", "--input-format", "lines", "-q", "--all-pairs"];
    corpus
        .dedup(&args)
        .pairs(&[
            "b.jsonl:1 c.log.gz:1",
            "b.jsonl:1 c.log.gz:4",
            "b.jsonl:1 c.log.gz:6",
            "c.log.gz:1 c.log.gz:4",
            "c.log.gz:1 c.log.gz:6",
            "c.log.gz:4 c.log.gz:6",
        ])
        .stderr("")
        .exit_code(0);
    let corpus = corpus.stdin(format!("{FOX}\n{CAT}\n"));
    corpus.dedup(&["scan", "-", "--stdin-format", "lines", "-q"]).pairs(&["-:1 -:2"]).stderr("").exit_code(0);
    // Without the flag it is one text.
    corpus.dedup(&["scan", "a.log", "-q"]).stdout("").stderr("").exit_code(0);
    // A line that is not UTF-8 is reported, and the others are compared.
    let corpus = corpus.file("bad.log", [FOX.as_bytes(), b"\n\xFF\xFE broken\n", CAT.as_bytes()].concat());
    corpus
        .dedup(&["scan", "bad.log", "--input-format", "lines", "--encoding", "utf-8!", "-q"])
        .pairs(&["bad.log:1 bad.log:3"])
        .stderr_with(|stderr| assert!(stderr.contains("bad.log:2"), "{stderr}"))
        .exit_code(3);
}

#[test]
fn unique_removes_lines_and_does_not_edit_them() {
    let corpus = Workspace::new("lines_unique").file("a.txt", format!("{FOX}\n{LOREM}\n{FOX}\n"));
    corpus
        .dedup(&["unique", "a.txt", "--input-format", "lines", "-o", "b.txt", "-q"])
        .stdout("")
        .stderr("")
        .exit_code(0);
    assert_eq!(corpus.read("b.txt"), format!("{FOX}\n{LOREM}\n"));
    corpus
        .dedup(&["unique", "a.txt", "--input-format", "lines", "--cut", "passages", "-o", "c.txt"])
        .stdout("")
        .stderr_with(|stderr| assert!(stderr.starts_with("dedup: --input-format lines: "), "{stderr}"))
        .exit_code(2);
}

#[test]
fn a_table_without_a_header_has_fields_by_number() {
    let table = format!("1\tann\t{FOX}\n2\tben\t{LOREM}\n3\tann\t{CAT}\n");
    let corpus = Workspace::new("no_header").file("a.tsv", &table).file("one.csv", format!("{FOX}\n{CAT}\n"));
    let args = ["scan", "a.tsv", "--no-header", "--text-field", "3", "-q"];
    corpus.dedup(&args).pairs(&["a.tsv:1 a.tsv:3"]).stderr("").exit_code(0);
    corpus.dedup(&[&args[..], &["--id-field", "1"]].concat()).pairs(&["1 3"]).stderr("").exit_code(0);
    corpus.dedup(&[&args[..], &["--group-by", "field:2"]].concat()).stdout("").stderr("").exit_code(0);
    // A table of one field needs no number.
    corpus.dedup(&["scan", "one.csv", "--no-header", "-q"]).pairs(&["one.csv:1 one.csv:2"]).stderr("").exit_code(0);
    for (args, message) in [
        (
            &["scan", "a.tsv", "--no-header"][..],
            "a.tsv:1: the table has 3 fields; give the number of the text's field, as in --text-field 2",
        ),
        (&["scan", "a.tsv", "--no-header", "--text-field", "4"], "--text-field 4: the table has 3 fields"),
        (&["scan", "a.tsv", "--no-header", "--text-field", "body"], "--text-field body: the table has 3 fields"),
    ] {
        let run = corpus.dedup(args).stdout("");
        run.stderr_with(|stderr| assert!(stderr.contains(message), "{stderr}")).exit_code(2);
    }
    corpus
        .dedup(&["unique", "a.tsv", "--no-header", "--text-field", "3", "-o", "b.tsv"])
        .stdout("")
        .stderr_with(|stderr| assert!(stderr.starts_with("dedup: --no-header: "), "{stderr}"))
        .exit_code(2);
}
