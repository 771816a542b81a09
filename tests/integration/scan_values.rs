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
    let note = "dedup: a.json: JSON objects one after another, the first two not both with a text; compared as one text \
                (--text-field NAME gives the field of the text, --input-format jsonl or json reads records)\n";
    workspace.dedup(&["scan", "a.json"]).stdout("").notes(note).exit_code(0);
    workspace.dedup(&["scan", "-q", "a.json", "--text-field", "body"]).pairs(&["a b"]).stderr("").exit_code(0);
    let note = "dedup: b.md: JSON records one after another; compared as one text for its name (--input-format jsonl or json \
                reads records)\n";
    workspace.dedup(&["scan", "b.md"]).stdout("").notes(note).exit_code(0);
    workspace.dedup(&["scan", "c.json"]).stdout("").notes("").exit_code(0);
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
        .file("array.txt", format!("{{\n  \"text\": \"{FOX}\"\n}}\n{{\n  \"text\": \"{FOX}\"\n}}\n"));
    for file in ["a.txt", "b.LOG", "c.dat.gz", "d.tar"] {
        workspace.dedup(&["scan", "-q", file]).pairs(&["a b"]).stderr("").exit_code(0);
        workspace.dedup(&["scan", "-q", file, "--input-format", "text"]).pairs(&[]).stderr("").exit_code(0);
    }
    for file in ["prose.txt", "other.log", "array.txt"] {
        workspace.dedup(&["scan", file]).pairs(&[]).notes("").exit_code(0);
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
