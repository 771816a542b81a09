//! `dedup unique --output` as one file of JSON Lines, JSON, CSV, TSV and Parquet, by its name.

use std::fs;

use serde_json::{Value, json};

use crate::packing::{gzip, unpacked};
use crate::support::*;

/// Records with values of all types; the second is a duplicate.
fn records() -> String {
    [
        format!(r#"{{"id":"a","text":"{FOX}","n":1,"score":0.5,"ok":true,"tags":["x","y"]}}"#),
        format!(r#"{{"id":"b","text":"{FOX}","n":2}}"#),
        r#"{"text":"He said \"no\",\n\tand left.","id":"c","n":null,"score":2,"more":""}"#.to_owned(),
        r#"{"id":"d","text":"été, 文","n":-9007199254740993,"ok":false,"tags":{"k":null}}"#.to_owned(),
    ]
    .join("\n")
        + "\n"
}

/// Runs `dedup unique` without a word.
fn convert(workspace: &Workspace, inputs: &[&str], output: &str) {
    let args = [&["unique", "-q"], inputs, &["-o", output]].concat();
    workspace.dedup(&args).stdout("").stderr("").exit_code(0);
}

/// Runs `dedup unique` on one record, which is refused with this message.
fn refused(records: &str, output: &str, expected: &str) {
    let workspace = Workspace::new("convert_refused").file("a.jsonl", records);
    let message =
        format!("dedup: a.jsonl: {expected}; correct it, or name an output of the same format as the input\n");
    let look = |stderr: &str| assert!(stderr.ends_with(&message), "{stderr}\n{message}");
    workspace.dedup(&["unique", "-q", "a.jsonl", "-o", output]).stdout("").stderr_with(look).exit_code(2);
    assert_eq!(workspace.names(), ["a.jsonl"]);
}

#[test]
fn records_of_json_become_rows() {
    let workspace = Workspace::new("convert_to_tables").file("a.jsonl", records()).file("b.jsonl.gz", gzip(records()));
    let header = "id,text,n,score,ok,tags,more\n";
    let quoted = r#""He said ""no"",
	and left.""#;
    let rows = format!(
        "a,{FOX},1,0.5,true,\"[\"\"x\"\",\"\"y\"\"]\",\nc,{quoted},,2,,,\"\"\nd,\"été, 文\",-9007199254740993,,false,\"{{\"\"k\"\":null}}\",\n"
    );
    convert(&workspace, &["a.jsonl"], "a.csv");
    assert_eq!(workspace.read("a.csv"), format!("{header}{rows}"));
    convert(&workspace, &["b.jsonl.gz"], "b.csv.gz");
    let bytes = fs::read(workspace.path("b.csv.gz")).unwrap();
    assert_eq!(unpacked(".gz", &bytes), fs::read(workspace.path("a.csv")).unwrap());
    // A table that is read again has the same rows.
    for output in ["a.tsv", "b.csv"] {
        convert(&workspace, &["a.jsonl"], output);
        convert(&workspace, &[output], &format!("{output}.jsonl"));
        let lines = workspace.read(&format!("{output}.jsonl"));
        let found: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let column = |name: &str| found.iter().map(|record| record[name].as_str().unwrap()).collect::<Vec<_>>();
        assert_eq!(column("id"), ["a", "c", "d"], "{output}");
        assert_eq!(column("text"), [FOX, "He said \"no\",\n\tand left.", "été, 文"], "{output}");
        assert_eq!(column("n"), ["1", "", "-9007199254740993"], "{output}");
    }
}

#[test]
fn tables_become_records() {
    let table = format!("id;text\na;\"{FOX}\"\nb;{FOX}\nc;\"x;\"\"y\"\"\n\"\n");
    let workspace = Workspace::new("convert_tables").file("a.csv", table);
    let clean = format!("{{\"id\":\"a\",\"text\":\"{FOX}\"}}\n{{\"id\":\"c\",\"text\":\"x;\\\"y\\\"\\n\"}}\n");
    convert(&workspace, &["a.csv", "--delimiter", ";"], "a.jsonl");
    assert_eq!(workspace.read("a.jsonl"), clean);
    convert(&workspace, &["a.csv", "--delimiter", ";"], "a.json");
    let array: Value = serde_json::from_str(&workspace.read("a.json")).unwrap();
    assert_eq!(array, json!([{ "id": "a", "text": FOX }, { "id": "c", "text": "x;\"y\"\n" }]));
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_has_the_types_of_the_values() {
    use parquet::file::reader::{FileReader, SerializedFileReader};

    let workspace = Workspace::new("convert_parquet").file("a.jsonl", records());
    convert(&workspace, &["a.jsonl"], "a.parquet");
    let reader = SerializedFileReader::new(fs::File::open(workspace.path("a.parquet")).unwrap()).unwrap();
    let schema = reader.metadata().file_metadata().schema_descr();
    let types: Vec<String> =
        schema.columns().iter().map(|column| format!("{} {}", column.name(), column.physical_type())).collect();
    let expected = [
        "id BYTE_ARRAY",
        "text BYTE_ARRAY",
        "n INT64",
        "score DOUBLE",
        "ok BOOLEAN",
        "tags BYTE_ARRAY",
        "more BYTE_ARRAY",
    ];
    assert_eq!(types, expected);
    convert(&workspace, &["a.parquet"], "b.jsonl");
    let lines = workspace.read("b.jsonl");
    let found: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let text = "He said \"no\",\n\tand left.";
    assert_eq!(
        found,
        [
            json!({ "id": "a", "text": FOX, "n": 1, "score": 0.5, "ok": true, "tags": "[\"x\",\"y\"]", "more": null }),
            json!({ "id": "c", "text": text, "n": null, "score": 2.0, "ok": null, "tags": null, "more": "" }),
            json!({ "id": "d", "text": "été, 文", "n": -9007199254740993i64, "score": null, "ok": false, "tags": "{\"k\":null}",
                "more": null }),
        ]
    );
    // Several files become one.
    let other =
        format!("{{\"id\":\"e\",\"text\":\"{LOREM}\",\"n\":7,\"z\":true}}\n{{\"id\":\"f\",\"text\":\"{FOX}\"}}\n");
    let workspace = workspace.file("o.jsonl", other);
    convert(&workspace, &["a.jsonl", "o.jsonl"], "c.parquet");
    convert(&workspace, &["c.parquet"], "c.csv");
    let table = workspace.read("c.csv");
    assert!(table.starts_with("id,text,n,score,ok,tags,more,z\na,"), "{table}");
    assert!(table.ends_with(",7,,,,,true\n"), "{table}");
}

#[test]
fn what_the_format_cannot_write_is_an_error_with_its_place() {
    let two = |a: &str, b: &str| format!("{{\"text\":\"x y z\",\"v\":{a}}}\n{{\"text\":\"a b c\",\"v\":{b}}}\n");
    #[cfg(feature = "parquet")]
    for (a, b, fault) in [
        ("1", "\"1\"", "a text after values of another type, and a column of Parquet has one type"),
        ("[]", "true", "true or false after values of another type, and a column of Parquet has one type"),
        ("1", "12345678901234567890", "12345678901234567890 has more digits than a number of Parquet"),
        ("9007199254740993", "0.5", "0.5: the column has fractions and whole numbers of more than 53 bits"),
    ] {
        refused(&two(a, b), "b.parquet", &format!("record at line 2: `v`: {fault}"));
    }
    refused("{\"text\":\"x\",\"v\":1,\"v\":2}\n", "b.csv", "record at line 1: the record has two fields `v`");
    let malformed = format!("{}not json\n", two("1", "2"));
    refused(&malformed, "b.csv", "record at line 3: not an object of JSON");
    let workspace = Workspace::new("convert_drop").file("a.jsonl", malformed);
    let args = ["unique", "-q", "a.jsonl", "-o", "b.csv", "--drop-skipped"];
    workspace.dedup(&args).stdout("").stderr_with(|_| ()).exit_code(3);
    assert_eq!(workspace.read("b.csv"), "text,v\nx y z,1\na b c,2\n");
    workspace.dedup(&["unique", "-q", "-n", "a.jsonl", "-o", "c.csv"]).stdout("").stderr_with(|_| ()).exit_code(2);
}

/// Two records on two lines; the second is a duplicate.
fn lines(id: &str, text: &str) -> String {
    format!("{{ \"id\": \"{id}1\", \"text\": \"{text}\", \"n\": 1.50 }}\n{{\"id\":\"{id}2\",\"text\":\"{text}\"}}\n")
}

#[test]
fn an_array_becomes_lines_and_lines_become_an_array() {
    let array = format!(
        "[\n {{\n  \"id\": \"a\",\n  \"text\": \"{FOX}\",\n  \"v\": [1,\n 2.50]\n }},\n {{\"text\": \"{FOX}\"}}\n]\n"
    );
    let workspace = Workspace::new("convert_array").file("a.json", array).file("l.json", lines("a", FOX));
    for output in ["a.jsonl", "a.ndjson"] {
        convert(&workspace, &["a.json"], output);
        let line = format!("{{\"id\":\"a\",\"text\":\"{FOX}\",\"v\":[1,2.50]}}\n");
        assert_eq!(workspace.read(output), line);
    }
    convert(&workspace, &["a.jsonl"], "b.json");
    let found: Value = serde_json::from_str(&workspace.read("b.json")).unwrap();
    assert_eq!(found, json!([{ "id": "a", "text": FOX, "v": [1, 2.5] }]));
    // Under the same extension nothing is converted.
    convert(&workspace, &["l.json"], "m.json");
    assert_eq!(workspace.read("m.json"), lines("a", FOX).lines().next().unwrap().to_owned() + "\n");
    convert(&workspace, &["a.json"], "c.json");
    assert!(workspace.read("c.json").starts_with("[\n {\n  \"id\""));
}

#[test]
fn files_of_records_become_one_file() {
    let workspace = Workspace::new("convert_one")
        .file("a.jsonl", lines("a", FOX))
        .file("b.jsonl.gz", gzip(lines("b", LOREM)))
        .file("in/c.jsonl", lines("c", FOX))
        .file("in/d.json", format!("[{}]", lines("d", LOREM).trim_end().replace('\n', ",")))
        .file("s;.csv", format!("id;text\ns;{FOX}\n"))
        .file("t;.csv", format!("id;text;more\nt;{LOREM};m\n"));
    let first = |id, text| lines(id, text).lines().next().unwrap().to_owned() + "\n";
    // Records that were on one line keep their bytes.
    let all = first("a", FOX) + &first("b", LOREM);
    convert(&workspace, &["a.jsonl", "b.jsonl.gz"], "one.jsonl");
    assert_eq!(workspace.read("one.jsonl"), all);
    workspace.dedup(&["unique", "-q", "a.jsonl", "b.jsonl.gz", "-o", "-"]).stdout(&all).stderr("").exit_code(0);
    convert(&workspace, &["in"], "two.jsonl");
    assert_eq!(workspace.read("two.jsonl"), first("c", FOX) + &first("d", LOREM));
    convert(&workspace, &["s;.csv", "t;.csv", "--delimiter", ";"], "s.csv");
    assert_eq!(workspace.read("s.csv"), format!("id;text;more\ns;{FOX};\nt;{LOREM};m\n"));
    // A slash at the end says a folder, and so does the name of the only folder.
    convert(&workspace, &["a.jsonl", "b.jsonl.gz"], "folder.jsonl/");
    assert_eq!(workspace.read("folder.jsonl/a.jsonl"), first("a", FOX));
    convert(&workspace, &["folder.jsonl"], "again.jsonl");
    assert_eq!(workspace.read("again.jsonl/a.jsonl"), first("a", FOX));
    // One file in a folder is one file.
    let workspace = workspace.file("lonely/x.md", FOX).folder("lonely/empty");
    workspace.dedup(&["unique", "-q", "lonely", "-o", "-"]).stdout(FOX).stderr("").exit_code(0);
}

#[test]
fn names_of_other_formats_are_refused() {
    let workspace = Workspace::new("convert_names")
        .file("a.jsonl", lines("a", FOX))
        .file("b.jsonl", lines("b", LOREM))
        .file("n.txt", FOX)
        .file("mixed/a.jsonl", lines("a", FOX))
        .file("mixed/n.md", FOX);
    let before = workspace.names();
    let refused = |inputs: &[&str], output: &str, expected: &str| {
        let look = |stderr: &str| {
            assert!(stderr.starts_with(&format!("dedup: {output}: {expected}")), "{inputs:?} {output}: {stderr}");
            assert_eq!(stderr.lines().count(), 1, "{stderr}");
        };
        let args = [&["unique"], inputs, &["-o", output]].concat();
        workspace.dedup(&args).stdout("").stderr_with(look).exit_code(2);
        assert_eq!(workspace.names(), before);
    };
    for ending in ["docx", "xlsx", "ipc", "npz", "db", "html", "pq", "xml", "yaml", "docx.gz", "7z", "lz4"] {
        let expected =
            format!("cannot write the format .{ending}; give the extension of the input, .jsonl, or .jsonl, .json, ");
        refused(&["a.jsonl"], &format!("x.{ending}"), &expected);
    }
    refused(&["n.txt"], "x.pdf", "cannot write the format .pdf; give the extension of the input, .txt, or ");
    refused(
        &["a.jsonl"],
        "x.feather",
        "its name says Arrow, and the input a.jsonl is JSON; use the extension of the input",
    );
    refused(&["n.txt"], "x.csv", "its name says CSV, and the input n.txt is text; use the extension of the input");
    refused(
        &["a.jsonl"],
        "x.tar.gz",
        "its name says tar, and the input a.jsonl is JSON; use the extension of the input",
    );
    for ending in ["docx", "xlsx", "pq", "zip", "tar.gz", "gz", "html"] {
        let expected = format!("the output of several files is a folder, and this name says .{ending}; for a folder ");
        refused(&["a.jsonl", "b.jsonl"], &format!("x.{ending}"), &expected);
        refused(&["mixed"], &format!("x.{ending}"), &expected);
    }
    let expected = "is to be one file of records, and mixed/n.md is not; exclude it, or give x.csv/ for a folder\n";
    refused(&["mixed"], "x.csv", expected);
    let expected = "standard output is one file, and these are 2 files; give --output a folder, ";
    refused(&["mixed"], "-", expected);
    // Names that say nothing.
    for name in ["x.out", "x.new", "x.2026", "x", "x.log"] {
        convert(&workspace, &["a.jsonl"], name);
    }
    for name in ["y.v2", "y", "y.2026"] {
        convert(&workspace, &["a.jsonl", "b.jsonl"], name);
    }
}
