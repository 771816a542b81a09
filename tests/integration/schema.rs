//! The schemas of records: each is one, and what the commands print is what they say.

use jsonschema::Validator;
use serde_json::Value;

use crate::support::*;

const RECORDS: [&str; 25] = [
    "pair",
    "document",
    "cluster",
    "label",
    "overlap",
    "signature",
    "verified",
    "component",
    "params",
    "removed",
    "cut",
    "hit",
    "summary",
    "forecast",
    "explain",
    "curve",
    "curve-corpus",
    "review",
    "fault",
    "answer",
    "baseline",
    "header",
    "config",
    "followed",
    "index",
];

fn validator(workspace: &Workspace, record: &str) -> Validator {
    let schema = workspace.command(&["schema", record]).output().unwrap().stdout;
    let schema: Value = serde_json::from_slice(&schema).unwrap();
    jsonschema::meta::validate(&schema).unwrap_or_else(|error| panic!("{record}: {error}"));
    jsonschema::validator_for(&schema).unwrap_or_else(|error| panic!("{record}: {error}"))
}

/// Every line is a record of its schema; there is at least one.
fn check(workspace: &Workspace, record: &str, lines: &str) {
    let validator = validator(workspace, record);
    assert!(!lines.is_empty(), "{record}: there is a line");
    for line in lines.lines() {
        let value: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{record}: {error}: {line}"));
        let errors: Vec<String> =
            validator.iter_errors(&value).map(|error| format!("{error} at {}", error.instance_path())).collect();
        assert!(errors.is_empty(), "{record}: {errors:?}\n{line}");
    }
}

#[test]
fn the_list_has_every_record() {
    let look = |list: &str| {
        let names: Vec<&str> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
        assert_eq!(names, RECORDS);
    };
    let workspace = Workspace::new("schema_list");
    workspace.dedup(&["schema"]).stdout_with(look).stderr("").exit_code(0);
    for record in RECORDS {
        validator(&workspace, record);
    }
    let unknown = workspace.dedup(&["schema", "pairs"]).stdout("");
    unknown
        .stderr_with(|stderr| {
            assert!(
                stderr.starts_with("dedup: pairs: no such record; give pair, ")
                    && stderr.ends_with("; pair is similar\n"),
                "{stderr}"
            )
        })
        .exit_code(2);
}

#[test]
fn what_an_index_answers_is_what_the_schemas_say() {
    let line = |id: &str, text: &str| format!("{}\n", serde_json::json!({ "id": id, "text": text }));
    let workspace = Workspace::new("schema_index")
        .file("a.jsonl", line("1", FOX) + &line("2", LOREM))
        .file("page.html", format!("<p>{FOX}</p>"))
        .file("p.py", "def f(a):\n    return a + 1\n".repeat(9))
        .file("b.jsonl", line("3", CAT))
        .stdin(line("4", CAT) + "nonsense\n\n{\"text\":\"x\"}\n");
    let done = |args: &[&str]| {
        let output = workspace.command(args).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    done(&["index", "build", "x.index", "a.jsonl", "page.html", "-q", "--for-containment=1/1"]);
    done(&["index", "build", "y.index", "a.jsonl", "-q", "--for-containment=1/1"]);
    done(&["index", "build", "z.index", "p.py", "-q", "--preset", "code"]);
    check(&workspace, "pair", &done(&["query", "x.index", "--index", "y.index", "b.jsonl", "-q", "--show-passages"]));
    check(&workspace, "pair", &done(&["query", "z.index", "p.py", "-q"]));
    check(&workspace, "index", &done(&["index", "info", "x.index", "--json"]));
    for args in [
        &["query", "x.index", "b.jsonl", "-q", "--containment", "0.5"][..],
        &["query", "x.index", "b.jsonl", "-q", "--show-passages", "--add", "all"],
    ] {
        let _ = std::fs::remove_file(workspace.path("s.json"));
        done(&[args, &["--summary", "s.json"]].concat());
        check(&workspace, "summary", &workspace.read("s.json"));
    }
    for flags in [&["--index", "y.index"][..], &["--add", "all", "--sync"]] {
        let follow = [&["query", "x.index", "--stdin"][..], flags].concat();
        let look = |lines: &str| check(&workspace, "followed", lines);
        workspace.dedup(&follow).stdout_with(look).stderr("").exit_code(3);
    }
}

#[test]
fn what_the_commands_print_is_what_the_schemas_say() {
    let workspace = Workspace::new("schema")
        .file("a.txt", FOX)
        .file("b.txt", CAT)
        .file("c.txt", FOX)
        .file("d.txt", "")
        .file(
            "e.jsonl",
            format!("{{\"id\":\"x\",\"text\":\"{FOX} More.\"}}\n{{\"text\":\"{LOREM}\"}}\n{{\"none\":1}}\n"),
        )
        .file("p.py", "def f(a):\n    return a + 1\n".repeat(9))
        .file("q.py", "def g(b):\n    return b + 1\n".repeat(9));
    let run = |record: &str, args: &[&str]| {
        let output = workspace.command(args).output().unwrap();
        check(&workspace, record, std::str::from_utf8(&output.stdout).unwrap());
    };
    run("pair", &["scan", "-q", "."]);
    run("pair", &["scan", "-q", ".", "--with-source", "--show-passages", "--template", "d.txt", "--save", "../result"]);
    run("pair", &["scan", "-q", ".", "--preset", "code"]);
    run(
        "pair",
        &[
            "compare",
            "-q",
            "a.txt",
            "--against",
            "b.txt",
            "--match",
            "passages",
            "--coverage",
            "0",
            "--min-matched",
            "0",
        ],
    );
    run("document", &["scan", "-q", ".", "--list-documents", "--with-source"]);
    run("document", &["scan", "-q", ".", "--list-documents", "--preset", "code"]);
    check(&workspace, "document", &workspace.read("../result/documents.jsonl"));
    check(&workspace, "pair", &workspace.read("../result/pairs.jsonl"));
    check(&workspace, "header", &workspace.read("../result/header.json"));
    run("cluster", &["cluster", "-q", ".", "--singletons"]);
    run("cluster", &["cluster", "-q", ".", "--linkage", "star", "--match", "passages"]);
    run("overlap", &["cluster", "-q", ".", "--by", "name-of-(.)", "--min-share", "0.1"]);
    run("label", &["cluster", "-q", ".", "--labels"]);
    run("signature", &["sign", "-q", "a.txt", "d.txt", "--values"]);
    run("removed", &["unique", "-q", ".", "-n", "--removed", "-"]);
    run("cut", &["unique", "-q", ".", "-n", "--cut", "passages:3", "--cuts", "-"]);
    run("removed", &["unique", "-q", ".", "-n", "-t", "0.5", "--preserve", "0.5", "--removed", "-"]);
    run("hit", &["decontaminate", "-q", "a.txt", "b.txt", "--against", "c.txt", "-n", "--hits", "-", "--min-run", "4"]);
    run("explain", &["explain", "-q", "a.txt", "b.txt", "--json"]);
    run("explain", &["explain", "-q", "p.py", "q.py", "--preset", "code", "--json"]);
    run("explain", &["explain", "-q", "a.txt", "c.txt", "--match", "passages", "--json"]);
    run("curve", &["curve", "--json"]);
    run("curve", &["curve", "--bands", "3", "--rows", "9", "--json"]);
    run("curve-corpus", &["curve", "--corpus", ".", "--json"]);
    run("params", &["params", "--json"]);
    for (record, args, rows) in [
        ("signature", &["sign", "--pipe", "jsonl", "--values"][..], r#"{"id":1,"text":"some text"}"#),
        ("verified", &["verify", "--by", "copy", "--pipe", "jsonl", "--ends"], r#"{"a":"a","b":"b","shingles":7}"#),
        ("component", &["cluster", "--edges", "--pipe", "jsonl"], r#"{"a":"a","b":"b"}"#),
    ] {
        let output = assert_cmd::Command::from_std(workspace.command(args)).write_stdin(rows).output().unwrap();
        check(&workspace, record, std::str::from_utf8(&output.stdout).unwrap());
    }
    run("baseline", &["baseline", "../result"]);
    run("config", &["config", "--json"]);
    // The summary counts the formats of documents.
    std::fs::write(workspace.path("n.rtf"), "{\\rtf1 A text.}").unwrap();
    for (name, args) in [
        ("scan", &["scan", "-q", "."][..]),
        ("audit", &["scan", "-q", ".", "--audit"]),
        ("join", &["scan", "-q", ".", "--all-pairs", "--group-by", "dir", "--within-groups", "--max-df", "50%"]),
        ("code", &["scan", "-q", ".", "--preset", "code", "--skip-lines", "^x", "--ignore-between", "<", ">"]),
        ("passages", &["compare", "-q", ".", "--match", "passages", "--max-key-df", "2", "--against", "."]),
        ("cluster", &["cluster", "-q", "."]),
        ("overlaps", &["cluster", "-q", ".", "--by", "dir"]),
        ("unique", &["unique", "-q", "a.txt", "b.txt", "-n"]),
    ] {
        let file = format!("../{name}.json");
        // `--against` takes all that follows.
        let (first, rest) = args.split_at(1);
        let status = workspace.command(&[first, &["--summary", &file], rest].concat()).output().unwrap();
        assert!(matches!(status.status.code(), Some(0 | 3)), "{status:?}");
        check(&workspace, "summary", &workspace.read(&file));
    }
    let status =
        workspace.command(&["scan", "-q", "--forecast", "--summary", "../forecast.json", "."]).output().unwrap();
    assert!(matches!(status.status.code(), Some(0 | 3)), "{status:?}");
    check(&workspace, "forecast", &workspace.read("../forecast.json"));
    let answered = workspace.shell(
        "printf 'y\\nn\\nq\\n' | \"$D\" review ../result --answers ../answers.jsonl > ../asked; cat ../answers.jsonl",
    );
    answered.stdout_with(|answers| check(&workspace, "answer", answers)).stderr_with(|_| ()).exit_code(0);
    run("fault", &["check", "-q", "--json", "../result/pairs.jsonl", ".", "--template", "d.txt", "-t", "0.9"]);
    run("review", &["review", "../result", "--answers", "../answers.jsonl", "--report", "--json"]);
}
