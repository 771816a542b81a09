//! Where documents come from: `--with-source` on lines and in the list, `--id-prefix`, and ids that name nothing.

use ::zip::CompressionMethod;
use serde_json::{Value, json};

use crate::packing::{gzip, tar, zip};
use crate::support::*;

fn record(id: &str, text: &str) -> String {
    format!("{}\n", json!({ "id": id, "text": text }))
}

/// Of each line the names and the sources, which must stand at its end.
fn sources(stdout: &str) -> Vec<Value> {
    let source = |line: &str| {
        let pair: Value = serde_json::from_str(line).unwrap();
        let end = format!("\"source_a\":{},\"source_b\":{}}}", written(&pair["source_a"]), written(&pair["source_b"]));
        assert!(line.ends_with(&end), "{line}");
        json!([pair["a"], pair["source_a"], pair["b"], pair["source_b"]])
    };
    records(stdout);
    stdout.lines().map(source).collect()
}

/// With the file first, as lines have it.
fn written(source: &Value) -> String {
    let place = ["line", "row"].into_iter().find_map(|key| source.get(key).map(|place| format!(",\"{key}\":{place}")));
    format!("{{\"file\":{}{}}}", source["file"], place.unwrap_or_default())
}

#[test]
fn each_line_says_where_its_documents_come_from() {
    let table = format!("id,text\n\"7\n8\",{:?}\n9,{FOX}\n", LOREM);
    let members = [("x.txt", FOX.as_bytes()), ("y.csv", table.as_bytes())];
    let corpus = Workspace::new("sources")
        .file("a.jsonl", format!("\n{}{}", record("1", CAT), record("2", FOX)))
        .file("b.zip", zip(&members, CompressionMethod::Deflated))
        .file("c.jsonl.gz", gzip(record("1", FOX)))
        .file("d.txt", FOX);
    let expected = |collapse: bool| {
        let places = [
            json!(["1", { "file": "a.jsonl", "line": 2 }]),
            json!(["2", { "file": "a.jsonl", "line": 3 }]),
            json!(["b.zip!x.txt", { "file": "b.zip!x.txt" }]),
            json!(["9", { "file": "b.zip!y.csv", "line": 4 }]),
            json!(["c.jsonl.gz:1", { "file": "c.jsonl.gz", "line": 1 }]),
            json!(["d.txt", { "file": "d.txt" }]),
        ];
        let pairs = (0..6).flat_map(|a| (a + 1..6).map(move |b| (a, b)));
        let pairs = pairs.filter(|&(a, b)| !collapse || a == 1 || (a, b) == (0, 1));
        pairs.map(|(a, b)| json!([places[a][0], places[a][1], places[b][0], places[b][1]])).collect::<Vec<_>>()
    };
    let repeated = "dedup: c.jsonl.gz:1: the id \"1\" is a duplicate; compared under this name\n\
        dedup: warning: duplicate ids across files (1 record); --id-prefix file makes them distinct\n";
    for collapse in [false, true] {
        let mut args = vec!["scan", "-q", ".", "--with-source", "--threads", "3"];
        args.extend(collapse.then_some("--collapse-exact"));
        let look = |stdout: &str| assert_eq!(sources(stdout), expected(collapse));
        corpus.dedup(&args).stdout_with(look).stderr(repeated).exit_code(3);
    }
    // What is compared against has its own.
    let look = |stdout: &str| {
        assert_eq!(sources(stdout), [json!(["d.txt", { "file": "d.txt" }, "d.txt", { "file": "d.txt" }])]);
    };
    let both = ["compare", "-q", "d.txt", "--against", "d.txt", "--with-source"];
    corpus.dedup(&both).stdout_with(look).stderr("").exit_code(0);
    let line = copies("1", "d.txt", 36);
    corpus.dedup(&["scan", "-q", "c.jsonl.gz", "d.txt"]).stdout(&line).stderr("").exit_code(0);
}

#[test]
fn a_source_is_what_was_given_where_the_name_is_another() {
    use std::os::unix::ffi::OsStrExt;
    let odd = std::ffi::OsStr::from_bytes(b"z\xFF.jsonl");
    let corpus = Workspace::new("given").file("a.jsonl", record("b.txt", FOX)).file("b.txt", FOX);
    let corpus = corpus.file(odd, record("3", FOX));
    let expected = [
        json!(["b.txt", { "file": "a.jsonl", "line": 1 }, "./b.txt", { "file": "b.txt" }]),
        json!(["b.txt", { "file": "a.jsonl", "line": 1 }, "3", { "file": { "bytes": "ev8uanNvbmw=" }, "line": 1 }]),
        json!(["./b.txt", { "file": "b.txt" }, "3", { "file": { "bytes": "ev8uanNvbmw=" }, "line": 1 }]),
    ];
    let look = |stdout: &str| assert_eq!(sources(stdout), expected);
    corpus
        .dedup(&["scan", "-q", ".", "--with-source"])
        .stdout_with(look)
        .stderr("dedup: b.txt: this path is the id of a record before; compared as ./b.txt\n")
        .exit_code(3);
}

#[test]
fn the_source_follows_what_the_whole_documents_come_to_and_is_in_the_list() {
    let corpus = Workspace::new("source_keys").file("a.jsonl", record("1", FOX)).file("b", CAT).file("t", "lazy");
    let look = |stdout: &str| {
        assert!(stdout.contains(",\"jaccard_raw\":0.8,\"source_a\":{\"file\":\"a.jsonl\",\"line\":1},\"source_b\""));
        assert_eq!(sources(stdout).len(), 1);
    };
    let args = ["scan", "-q", "a.jsonl", "b", "--template", "t", "--with-source"];
    corpus.dedup(&args).stdout_with(look).stderr("").exit_code(0);
    let size = "\"treated\":\"used\",\"bytes\":64,\"tokens\":44,\"shingles\":36";
    let list = format!(
        "{{\"name\":\"1\",{size},\"source\":{{\"file\":\"a.jsonl\",\"line\":1}}}}\n\
         {{\"name\":\"b\",{},\"source\":{{\"file\":\"b\"}}}}\n",
        size.replace("64", "44")
    );
    let args = ["scan", "-q", "a.jsonl", "b", "--list-documents", "--with-source"];
    corpus.dedup(&args).stdout(&list).stderr("").exit_code(0);
}

#[test]
fn ids_that_repeat_across_shards_are_warned_of_and_told_apart_by_their_files() {
    // Each numbers from 1.
    let shard: String = (1..=30).map(|number| record(&number.to_string(), &format!("{number} {FOX}"))).collect();
    let corpus = Workspace::new("shards").file("a.jsonl", &shard).file("b.jsonl.gz", gzip(&shard));
    let corpus = corpus.file("c.tar", tar(&[("m/c.jsonl", shard.as_bytes())]));
    let named = (1..=20)
        .map(|line| format!("dedup: b.jsonl.gz:{line}: the id \"{line}\" is a duplicate; compared under this name\n"));
    let warnings = named.collect::<String>()
        + "dedup: and 40 more (duplicate ids (compared under another name))\n\
           dedup: warning: duplicate ids across files (60 records); --id-prefix file makes them distinct\n";
    let scan = ["scan", "-q", ".", "--threshold", "1", "--collapse-exact"];
    let pairs: Vec<String> =
        (1..=30).flat_map(|id| [format!("{id} b.jsonl.gz:{id}"), format!("{id} c.tar!m/c.jsonl:{id}")]).collect();
    let pairs: Vec<&str> = pairs.iter().map(String::as_str).collect();
    corpus.dedup(&scan).pairs(&pairs).stderr(&warnings).exit_code(3);
    let prefixed: Vec<String> = (1..=30)
        .flat_map(|id| {
            let other = |file: &str| format!("a.jsonl#{id} {file}#{id}");
            [other("b.jsonl.gz"), other("c.tar!m/c.jsonl")]
        })
        .collect();
    let prefixed: Vec<&str> = prefixed.iter().map(String::as_str).collect();
    corpus.dedup(&[&scan[..], &["--id-prefix", "file"]].concat()).pairs(&prefixed).stderr("").exit_code(0);
    // The default may be written.
    let args = ["scan", "-q", "a.jsonl", "--id-prefix", "none", "--threshold", "1"];
    corpus.dedup(&args).stdout("").stderr("").exit_code(0);
}

#[test]
fn a_prefix_is_for_the_ids_of_every_format_and_repeats_within_a_file_stay_faults() {
    let corpus = Workspace::new("prefix")
        .file("a.jsonl", record("1", FOX) + &record("1", FOX) + &format!("{}\n", json!({ "text": FOX })))
        .file("d/b.csv", format!("id,text\n1,{FOX}\n"));
    corpus
        .dedup(&["scan", "-q", ".", "--id-prefix", "file", "--collapse-exact"])
        .pairs(&["a.jsonl#1 a.jsonl:2", "a.jsonl#1 a.jsonl:3", "a.jsonl#1 d/b.csv#1"])
        .stderr("dedup: a.jsonl:2: the id \"a.jsonl#1\" is a duplicate; compared under this name\n")
        .exit_code(3);
    let corpus = corpus.stdin(record("1", FOX));
    corpus
        .dedup(&["scan", "-q", "-", "d", "--stdin-format", "jsonl", "--id-prefix", "file"])
        .pairs(&["-#1 d/b.csv#1"])
        .stderr("")
        .exit_code(0);
}

#[test]
fn ids_of_nothing_or_white_space_are_none() {
    let ids = ["", " ", "\t\u{3000}", "x"];
    let records: String = ids.iter().map(|id| record(id, FOX)).collect();
    let corpus =
        Workspace::new("blank_ids").file("a.jsonl", records).file("b.csv", format!("id,text\n  ,{FOX}\n,{FOX}\n"));
    let expected = ["a.jsonl:2", "a.jsonl:3", "x", "b.csv:2", "b.csv:3"].map(|other| format!("a.jsonl:1 {other}"));
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    corpus.dedup(&["scan", "-q", ".", "--collapse-exact"]).pairs(&expected).stderr("").exit_code(0);
}
