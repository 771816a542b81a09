//! `dedup unique --output` in another format than the input has: JSON Lines, JSON, CSV, TSV and Parquet.

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
