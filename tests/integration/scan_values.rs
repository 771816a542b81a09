//! JSON Lines whose names do not say so: `.json`, or no extension, as they are or compressed, in archives and on pipes.

use crate::packing::{gzip, tar};
use crate::support::*;

fn lines() -> String {
    format!("{{\"id\":\"a\",\"text\":\"{FOX}\"}}\n{{\"id\":\"b\",\"text\":\"{FOX}\"}}\n")
}

#[test]
fn json_lines_of_any_name_are_records() {
    let over_lines = lines().replace(",\"text\"", ",\n \"text\"");
    let workspace = Workspace::new("values")
        .file("a.json", lines())
        .file("b.json.gz", gzip(lines().as_bytes()))
        .file("part-00000", lines())
        .file("part-00000.gz", gzip(lines().as_bytes()))
        .file("c.json", over_lines)
        .file("d.tar", tar(&[("part-00001", lines().as_bytes())]));
    for file in ["a.json", "b.json.gz", "part-00000", "part-00000.gz", "c.json", "d.tar"] {
        workspace.dedup(&["scan", "-q", file]).pairs(&["a b"]).stderr("").exit_code(0);
        let output = format!("clean-{file}");
        workspace.dedup(&["unique", "-q", file, "-o", &output]).stdout("").stderr("").exit_code(0);
        workspace.dedup(&["scan", "-q", &output]).stdout("").stderr_with(|_| ()).exit_code(0);
    }
    assert_eq!(workspace.read("clean-a.json"), lines().split_inclusive('\n').next().unwrap());
    workspace.dedup(&["scan", "-q", "a.json", "--input-format", "text"]).stdout("").stderr("").exit_code(0);
}

#[test]
fn objects_that_are_no_records_are_one_text_and_reported() {
    let other = lines().replace("text", "body");
    let workspace = Workspace::new("other_values")
        .file("a.json", &other)
        .file("b.md", lines())
        .file("c.json", "{\"text\":\"x\"}\n");
    let note = "dedup: a.json: JSON values one after another, the first two not both objects with a text; compared as one text \
                (--text-field NAME gives the field of the text, --input-format jsonl or json reads records)\n";
    workspace.dedup(&["scan", "a.json"]).stdout("").notes(note).exit_code(0);
    workspace.dedup(&["scan", "-q", "a.json", "--text-field", "body"]).pairs(&["a b"]).stderr("").exit_code(0);
    let note = "dedup: b.md: JSON records one after another; compared as one text (--input-format jsonl or json \
                reads records)\n";
    workspace.dedup(&["scan", "b.md"]).stdout("").notes(note).exit_code(0);
    workspace.dedup(&["scan", "c.json"]).stdout("").notes("").exit_code(0);
}

#[test]
fn pretty_printed_records_are_read_and_reported_once_where_the_file_begins_otherwise() {
    let pretty = lines().replace("{", "{\n  ").replace(",", ",\n  ").replace('}', "\n}");
    let array = format!("[\n{}\n]\n", pretty.replace("}\n{", "},\n{"));
    let mixed = format!("{{\"text\":\"{LOREM}\"}}\n{pretty}");
    let workspace = Workspace::new("pretty")
        .file("a.jsonl", &pretty)
        .file("b.jsonl.gz", gzip(&pretty))
        .file("c.ndjson", array)
        .file("mixed.jsonl", &mixed)
        .file("cut.jsonl", format!("{}{{\n{}{{\n", lines(), lines().replace("\"id\":", "\"nr\":")));
    for file in ["a.jsonl", "b.jsonl.gz", "c.ndjson"] {
        workspace.dedup(&["scan", "-q", file]).pairs(&["a b"]).stderr("").exit_code(0);
    }
    let detail = "pretty-printed JSON, where JSON Lines has each record on one line; its lines are skipped (--input-format \
                  json reads it)";
    let notes = format!("dedup: mixed.jsonl:2: {detail}\n");
    workspace.dedup(&["scan", "mixed.jsonl"]).pairs(&[]).notes(&notes).exit_code(3);
    workspace.dedup(&["scan", "-q", "mixed.jsonl", "--input-format", "json"]).pairs(&["a b"]).stderr("").exit_code(0);
    // A line that was cut short is not pretty-printed, and each is reported.
    let cut =
        |line| format!("dedup: cut.jsonl:{line}: malformed record, column 1: it ends within an object; skipped\n");
    let look = |stderr: &str| assert!(stderr.starts_with(&(cut(3) + &cut(6))), "{stderr}");
    workspace.dedup(&["scan", "cut.jsonl"]).stdout_with(|_| ()).stderr_with(look).exit_code(3);
}

#[test]
fn json_in_one_piece_is_a_record_or_one_text_and_reported_where_that_is_uncertain() {
    let words = "[\"one two three four five\", \"six seven eight nine ten\"]";
    let records = format!("[{}]", lines().trim_end().replace('\n', ","));
    let utf32: Vec<u8> = format!("\u{FEFF}{}", lines()).chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
    let workspace = Workspace::new("one_piece")
        .file("a.json", lines().lines().next().unwrap())
        .file("b.json", format!("{{\n \"id\": \"b\",\n \"text\": \"{FOX}\"\n}}\n"))
        .file("rows.json", format!("{{\"n\": [1], \"rows\": {records}}}"))
        .file("comments.json", format!("# made\n// by hand\n{}", lines()))
        .file("strings.json", words)
        .file("u.json", utf32)
        .file("package.json", "{\"name\": \"x\", \"keywords\": [\"a\", \"b\"], \"files\": [{\"a\": 1}]}");
    workspace.dedup(&["scan", "-q", "a.json", "b.json"]).pairs(&["a b"]).stderr("").exit_code(0);
    workspace.dedup(&["unique", "-q", "a.json", "b.json", "-o", "out"]).stdout("").stderr("").exit_code(0);
    assert!(workspace.path("out/a.json").exists() && !workspace.path("out/b.json").exists());
    for (file, note) in [
        (
            "rows.json",
            "an object with an array of records in its field `rows`; compared as one text (jq -c '.rows[]' FILE prints the records as JSON Lines)",
        ),
        (
            "comments.json",
            "JSON Lines after comment lines; compared as one text (--input-format jsonl reads the records, and reports the comment lines)",
        ),
        (
            "strings.json",
            "an array of strings; compared as one text (jq -c '.[] | {text: .}' FILE makes a record of each)",
        ),
        ("u.json", "JSON in UTF-32; compared as one text (for its records, convert it: iconv -f UTF-32 -t UTF-8)"),
    ] {
        workspace.dedup(&["scan", file]).stdout("").notes(&format!("dedup: {file}: {note}\n")).exit_code(0);
    }
    workspace.dedup(&["scan", "package.json"]).stdout("").notes("").exit_code(0);
}

#[test]
fn records_without_a_text_and_empty_files_end_a_run_alike() {
    let workspace = Workspace::new("textless_only").file("a.jsonl", "{\"text\":null}\n").file("empty.txt", "");
    for file in ["a.jsonl", "empty.txt"] {
        workspace.dedup(&["scan", "-q", file]).stdout("").stderr_with(|_| ()).exit_code(0);
        workspace.dedup(&["scan", "-q", file, "--strict"]).stdout("").stderr_with(|_| ()).exit_code(3);
    }
    let workspace = Workspace::new("wordless").file("a.txt", "!!!").file("b.txt", FOX);
    let look = |stderr: &str| assert!(stderr.contains(" B; 1 more is without a word)"), "{stderr}");
    workspace.dedup(&["scan", ".", "--shingle", "word"]).stdout("").stderr_with(look).exit_code(0);
}

#[test]
fn json_lines_that_are_named_as_texts_are_records() {
    let other = lines().replace("text", "body");
    let workspace = Workspace::new("values_in_texts")
        .file("a.txt", lines())
        .file("b.LOG", lines())
        .file("c.dat.gz", gzip(lines()))
        .file("d.tar", tar(&[("e.txt", lines().as_bytes())]))
        .file("prose.txt", format!("{{ {FOX}\n{{ {LOREM}\n"))
        .file("other.log", &other)
        .file("list.txt", format!("[{}]", lines().trim_end().replace('\n', ",")))
        .file("array.txt", format!("{{\n  \"text\": \"{FOX}\"\n}}\n{{\n  \"text\": \"{FOX}\"\n}}\n"));
    for file in ["a.txt", "b.LOG", "c.dat.gz", "d.tar"] {
        workspace.dedup(&["scan", "-q", file]).pairs(&["a b"]).stderr("").exit_code(0);
        workspace.dedup(&["scan", "-q", file, "--input-format", "text"]).pairs(&[]).stderr("").exit_code(0);
    }
    workspace.dedup(&["scan", "prose.txt"]).pairs(&[]).notes("").exit_code(0);
    for (file, note) in [
        (
            "other.log",
            "JSON values one after another, the first two not both objects with a text; compared as one text (--text-field NAME gives the field of the text, --input-format jsonl or json reads records)",
        ),
        (
            "array.txt",
            "JSON records one after another; compared as one text (--input-format jsonl or json reads records)",
        ),
        ("list.txt", "an array of JSON records; compared as one text (--input-format json reads its records)"),
    ] {
        workspace.dedup(&["scan", file]).pairs(&[]).notes(&format!("dedup: {file}: {note}\n")).exit_code(0);
    }
    workspace.dedup(&["scan", "-q", "other.log", "--text-field", "body"]).pairs(&["a b"]).stderr("").exit_code(0);
    workspace.dedup(&["unique", "-q", "a.txt", "-o", "clean.txt"]).stdout("").stderr("").exit_code(0);
    assert_eq!(workspace.read("clean.txt"), lines().split_inclusive('\n').next().unwrap());
}

#[test]
fn documents_without_a_text_are_counted_and_errors_only_in_a_strict_run() {
    let workspace = Workspace::new("textless")
        .file("a.txt", FOX)
        .file("empty.txt", "")
        .file("a.jsonl", format!("{{\"text\":\"{LOREM}\"}}\n{{\"text\":null}}\n{{\"id\":1}}\n"))
        .file("b.jsonl", "{\"body\":\"x\"}\n");
    for (command, files) in [
        (&["scan", "-q"][..], ["a.txt", "empty.txt"]),
        (&["scan", "-q"], ["a.txt", "a.jsonl"]),
        (&["cluster", "-q"], ["a.txt", "empty.txt"]),
        (&["unique", "-q", "-n"], ["a.txt", "a.jsonl"]),
    ] {
        let args = [command, &files].concat();
        workspace.dedup(&args).stdout("").stderr_with(|_| ()).exit_code(0);
        workspace.dedup(&[&args[..], &["--strict"]].concat()).stdout("").stderr_with(|_| ()).exit_code(3);
    }
    workspace
        .dedup(&["scan", "-q", "a.txt", "b.jsonl"])
        .stdout("")
        .stderr("dedup: b.jsonl: there is no field `text` (--text-field); there are: `body`\n")
        .exit_code(3);
}

#[test]
fn a_table_of_excel_says_its_delimiter_and_an_encoding_is_proposed() {
    let rows = format!("id;text\r\n1;{FOX}\r\n2;{FOX}\r\n");
    let workspace = Workspace::new("excel")
        .file("a.csv", format!("sep=;\r\n{rows}"))
        .file("b.csv", b"id,text\n1,Die Gr\xF6\xDFe der \xDCbung f\xFCr \xC4rzte ist \xE4rgerlich\n");
    workspace.dedup(&["scan", "-q", "a.csv"]).pairs(&["1 2"]).stderr("").exit_code(0);
    workspace.dedup(&["unique", "a.csv", "-o", "out.csv", "-q"]).stdout("").stderr_with(|_| ()).exit_code(0);
    assert_eq!(workspace.read("out.csv"), format!("sep=;\r\nid;text\r\n1;{FOX}\r\n"));
    workspace.dedup(&["scan", "-q", "b.csv"]).stdout("").nothing_read(
        "dedup: b.csv:2: the text is not valid UTF-8 at its byte 6; it seems to be windows-1252: read it with --encoding \
         windows-1252 or --invalid replace\n",
    );
}

#[test]
fn a_notebook_is_read_from_standard_input_and_in_utf_16() {
    let notebook = |text: &str| {
        format!("{{\"cells\":[{{\"cell_type\":\"code\",\"source\":\"{text}\"}}],\"nbformat\":4,\"metadata\":{{}}}}")
    };
    let wide: Vec<u8> = notebook(FOX).encode_utf16().flat_map(u16::to_le_bytes).collect();
    let workspace =
        Workspace::new("notebooks").file("a.ipynb", [b"\xFF\xFE", wide.as_slice()].concat()).file("b.txt", FOX);
    workspace.dedup(&["scan", "-q", "."]).pairs(&["a.ipynb b.txt"]).stderr("").exit_code(0);
    for end in ["", "\n", "\n\n"] {
        let input = format!("{}{end}", notebook(FOX));
        let workspace = Workspace::new("notebook_line").file("b.txt", FOX).stdin(input);
        workspace.dedup(&["scan", "-q", "-", "b.txt"]).pairs(&["- b.txt"]).stderr("").exit_code(0);
    }
    let lines = format!("{}\n{}\n", notebook(FOX), notebook(FOX));
    let args = ["scan", "-q", "-", "--text-field", "cells.source"];
    Workspace::new("notebook_lines").stdin(lines).dedup(&args).pairs(&["-:1 -:2"]).stderr("").exit_code(0);
}

#[test]
fn messages_name_what_is_there() {
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n";
    let workspace = Workspace::new("named")
        .file("a.jsonl", "{\"text\":\"x\",\"n\":NaN}\n{\"text\":\"x\",\"n\":undefined}\n{'text':1}\n")
        .file("b.jsonl", format!("{{\"text\":\"{FOX}\"}}\n\u{FEFF}{{\"text\":\"{FOX}\"}}\n"))
        .file("c.parquet", pointer)
        .file("d.txt", pointer);
    workspace.dedup(&["scan", "-q", "a.jsonl"]).stdout("").nothing_read(
        "dedup: a.jsonl:1: malformed record, column 17: a value is missing: `NaN`, which is not JSON (write \
         null, or a number); skipped\n\
         dedup: a.jsonl:2: malformed record, column 17: a value is missing: `undefined`; skipped\n\
         dedup: a.jsonl:3: malformed record, column 2: the name of a field is not in quotation marks: `'`; skipped\n",
    );
    workspace.dedup(&["scan", "-q", "b.jsonl"]).pairs(&["b.jsonl:1 b.jsonl:2"]).stderr("").exit_code(0);
    let detail = "a Git LFS pointer instead of the data; skipped (`git lfs pull` fetches the data)";
    let both = format!("dedup: c.parquet: {detail}\ndedup: d.txt: {detail}\n");
    workspace.dedup(&["scan", "-q", "c.parquet", "d.txt"]).stdout("").nothing_read(&both);
}
