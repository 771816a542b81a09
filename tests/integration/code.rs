//! `--shingle code` and `--preset code`: copied programs, whatever the names in them.

use serde_json::Value;

use crate::office::ipynb;
use crate::support::*;

/// A program of some 300 tokens.
pub(crate) const PROGRAM: &str = include_str!("../../examples/corpus/code/free_time.py");
/// The same with other names and comments.
pub(crate) const COPY: &str = include_str!("../../examples/corpus/code/homework3.py");

/// A program of its own, longer than 200 tokens.
const OTHER: &str = "
struct Stack { items: Vec<u32>, limit: usize }
impl Stack {
    fn push(&mut self, item: u32) -> Result<(), String> {
        if self.items.len() >= self.limit { return Err(format!(\"full at {}\", self.limit)); }
        self.items.push(item);
        Ok(())
    }
    fn pop(&mut self) -> Option<u32> { self.items.pop() }
}
fn evaluate(text: &str) -> Result<u32, String> {
    let mut stack = Stack { items: Vec::new(), limit: 64 };
    for word in text.split_whitespace() {
        match word {
            \"+\" | \"*\" => {
                let (Some(b), Some(a)) = (stack.pop(), stack.pop()) else { return Err(\"too few\".into()) };
                stack.push(if word == \"+\" { a + b } else { a * b })?;
            }
            number => stack.push(number.parse().map_err(|_| format!(\"{number} is no number\"))?)?,
        }
    }
    let result = stack.pop().ok_or_else(|| \"nothing\".to_owned())?;
    if stack.pop().is_some() { Err(\"too many\".into()) } else { Ok(result) }
}
";

pub(crate) fn lines(stdout: &str) -> Vec<Value> {
    stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_renamed_copy_is_a_pair_by_its_tokens_and_not_by_its_characters() {
    let workspace = Workspace::new("renamed").file("a.py", PROGRAM).file("b.py", COPY).file("c.rs", OTHER);
    workspace.dedup(&["scan", "-q", "."]).pairs(&[]).stderr("").exit_code(0);
    workspace
        .dedup(&["scan", "-q", "--preset", "code", "."])
        .stdout_with(|stdout| {
            let [pair] = &records(stdout)[..] else { panic!("{stdout}") };
            assert_eq!((name(&pair.a), name(&pair.b)), ("a.py", "b.py"));
            assert!(pair.jaccard >= 0.9, "{stdout}");
            assert!(pair.jaccard_kept.is_some_and(|kept| kept < 0.5 * pair.jaccard), "{stdout}");
        })
        .stderr("")
        .exit_code(0);
    // As shingles of code alone, and by passages.
    let scan = |flags: &[&str]| workspace.dedup(&[&["scan", "-q"], flags, &["."]].concat());
    scan(&["--shingle", "code"]).pairs(&["a.py b.py"]).stderr("").exit_code(0);
    scan(&["--shingle", "code", "--keep-names"]).pairs(&[]).stderr("").exit_code(0);
    let look = |stdout: &str| {
        let [pair] = &records(stdout)[..] else { panic!("{stdout}") };
        assert!(pair.coverage_a.is_some_and(|coverage| coverage > 0.9) && pair.jaccard_kept.is_some(), "{stdout}");
    };
    scan(&["--preset", "code", "--match", "passages"]).stdout_with(look).stderr("").exit_code(0);
}

#[test]
fn passages_are_in_the_lines_and_bytes_of_the_program() {
    let shared = "def total(rows, start):\n    # Sum up.\n    result = start\n    for row in rows:\n        result += row * 2\n    return result";
    let copy = "def summe(zeilen, anfang):\r\n    ergebnis = anfang\r\n\r\n    for zeile in zeilen:  # alle\r\n        ergebnis += zeile * 3\r\n    return ergebnis";
    let a = format!("import sys\n\n{shared}\n\nprint(1)\n");
    let b = format!("\u{FEFF}# Größe\r\nx = [1, 2]\r\n{copy}\r\n");
    let look = |stdout: &str| {
        let [pair] = &lines(stdout)[..] else { panic!("{stdout}") };
        let [passage] = &pair["passages"].as_array().unwrap()[..] else { panic!("{stdout}") };
        let part = |side: &str, text: &str| {
            let bytes = passage[side]["bytes"].as_array().unwrap().iter().map(|at| at.as_u64().unwrap() as usize);
            let bytes: Vec<usize> = bytes.collect();
            text[bytes[0]..bytes[1]].to_owned()
        };
        assert_eq!(part("a", &a), shared);
        assert_eq!(part("b", &b), copy);
        assert_eq!(
            (&passage["a"]["lines"], &passage["b"]["lines"]),
            (&Value::from([3, 8].to_vec()), &Value::from([3, 8].to_vec()))
        );
        assert_eq!(passage["exact"], true);
    };
    let workspace = Workspace::new("code_passages").file("a.py", &a).file("b.py", &b);
    let flags = ["scan", "-q", "--preset", "code", "--match", "passages", "."];
    let few = "dedup: warning: 2 documents of fewer than 200 tokens: short programs agree by coincidence; --list-documents lists them, --min-tokens 200 skips them\n";
    workspace.dedup(&flags).stdout_with(look).stderr(few).exit_code(0);
    let look = |stdout: &str| {
        let explained: Value = serde_json::from_str(stdout).unwrap();
        assert_eq!(explained["reason"], "reported", "{stdout}");
    };
    let explain = ["explain", "a.py", "b.py", "-q", "--preset", "code", "--match", "passages"];
    workspace.dedup(&[&explain[..], &["--json"]].concat()).stdout_with(look).stderr("").exit_code(0);
    let look = |stdout: &str| {
        let stdout = ["[-", "-]", "{+", "+}"].iter().fold(stdout.to_owned(), |text, sign| text.replace(sign, ""));
        for line in ["def total(rows, start):", "def summe(zeilen, anfang):", "result += row * 2"] {
            assert!(stdout.contains(line), "{stdout}");
        }
    };
    workspace.dedup_with(&explain, "COLUMNS", "200").stdout_with(look).stderr("").exit_code(0);
}

#[test]
fn languages_come_from_names_of_files_records_and_members_or_from_a_flag() {
    let record = |id: &str, text: &str| format!("{}\n", serde_json::json!({ "id": id, "content": text }));
    let records = record("x/a.py", PROGRAM) + &record("x/b.py", COPY) + &record("notes", COPY);
    let workspace = Workspace::new("code_records")
        .file("programs.jsonl", records)
        .file("run", format!("#!/usr/bin/env python3\n{PROGRAM}"));
    let listed = |flags: &[&str]| {
        let run = workspace
            .command(&[&["scan", "--preset", "code", "--list-documents", "-q", "."], flags].concat())
            .output()
            .unwrap();
        let documents = lines(str::from_utf8(&run.stdout).unwrap());
        documents.iter().map(|document| (document["name"].clone(), document["syntax"].clone())).collect::<Vec<_>>()
    };
    let python = || Value::from("python");
    let names = ["x/a.py", "x/b.py", "notes", "run"].map(Value::from);
    assert_eq!(
        listed(&["--text-field", "content"]),
        names.clone().into_iter().zip([python(), python(), Value::Null, python()]).collect::<Vec<_>>()
    );
    assert_eq!(
        listed(&["--text-field", "content", "--syntax", "py"]),
        names.into_iter().map(|name| (name, python())).collect::<Vec<_>>()
    );
    let scan = ["scan", "-q", "--preset", "code", "--text-field", "content", "."];
    workspace.dedup(&scan).pairs(&["x/a.py x/b.py", "x/a.py run", "x/b.py run"]).stderr("").exit_code(0);
    let all = ["x/a.py x/b.py", "x/a.py notes", "x/a.py run", "x/b.py notes", "x/b.py run", "notes run"];
    workspace.dedup(&[&scan[..], &["--syntax", "python"]].concat()).pairs(&all).stderr("").exit_code(0);
}

#[test]
fn a_notebook_is_in_the_language_that_it_states() {
    let notebook = |metadata: &str, source: &str| {
        let notebook = String::from_utf8(ipynb(&[("markdown", "# Title"), ("code", source)])).unwrap();
        notebook.replace(r#""metadata":{},"nbformat""#, &format!(r#""metadata":{metadata},"nbformat""#))
    };
    let assigned = "area <- c(1, 2, 3)  # the area\nprint(area[1] + area[2] * area[3])\nfor (i in area) print(i)\n";
    let of_r = r#"{"kernelspec":{"display_name":"R","language":"R","name":"ir"},"widgets":{"a":[NaN,[]]}}"#;
    let old =
        r#"{"nbformat":3,"worksheets":[{"cells":[{"cell_type":"code","language":"scala","input":["val x = 1"]}]}]}"#;
    let workspace = Workspace::new("languages_of_notebooks")
        .file("in/ann/a.ipynb", notebook(of_r, assigned))
        .file("in/ben/a.R", assigned)
        .file("c.ipynb", notebook(r#"{"language_info":{"name":"julia"},"kernelspec":{"language":"R"}}"#, PROGRAM))
        .file("d.ipynb", old)
        .file("e.ipynb", notebook("[1]", PROGRAM))
        .file("f.ipynb", notebook(r#"{"kernelspec":{"name":"my-env"}}"#, PROGRAM))
        .file("g.ipynb", notebook(r#"{"kernelspec":{"name":"bash"}}"#, "echo $1"));
    let scan = ["scan", "-q", "--preset", "code"];
    workspace
        .dedup(&[&scan[..], &[".", "--list-documents"]].concat())
        .stdout_with(|stdout| {
            let syntaxes: Vec<_> = lines(stdout).iter().map(|document| document["syntax"].clone()).collect();
            let expected = [Value::Null, "scala".into(), "python".into(), "python".into(), "shell".into()];
            assert_eq!(syntaxes, [&expected[..], &["r".into(), "r".into()]].concat());
        })
        .stderr_with(|_| ())
        .exit_code(0);
    // The notebook has the tokens of the script, also where files are joined, and in an index.
    let same = |args: &[&str], pair: &str| {
        let args = [&scan[..], &["--threshold", "1"], args].concat();
        workspace.dedup(&args).pairs(&[pair]).stderr_with(|_| ()).exit_code(0);
    };
    same(&["in"], "in/ann/a.ipynb in/ben/a.R");
    same(&["in", "--unit", "dir:1"], "in/ann in/ben");
    let build = ["index", "build", "old.dedup", "in/ann", "-q", "--preset", "code"];
    workspace.dedup(&build).stdout("").stderr_with(|_| ()).exit_code(0);
    same(&["in/ben", "--old", "old.dedup"], "in/ben/a.R in/ann/a.ipynb");
}

#[test]
fn an_id_that_repeats_keeps_the_language_of_its_name() {
    let record = |text: &str| format!("{}\n", serde_json::json!({ "id": "a.py", "text": text }));
    Workspace::new("repeated_ids_of_code")
        .file("programs.jsonl", record(PROGRAM) + &record(COPY))
        .dedup(&["scan", "-q", "--preset", "code", "--show-passages", "."])
        .pairs(&["a.py programs.jsonl:2"])
        .stderr("dedup: programs.jsonl:2: the id \"a.py\" is a duplicate; compared under this name\n")
        .exit_code(3);
}

#[test]
fn what_is_known_of_programs_is_counted_and_listed() {
    let workspace = Workspace::new("counted_programs")
        .file("a.py", PROGRAM)
        .file("b.c", "int a = 1; /* no end")
        .file("c.txt", "Some words that nobody wrote as a program.")
        .file("d.py", "# nothing else\n");
    let few = "dedup: warning: 2 documents of fewer than 200 tokens: short programs agree by coincidence; --list-documents lists them, --min-tokens 200 skips them";
    workspace
        .dedup(&["scan", "--stats", "--preset", "code", "--summary", "s.json", "."])
        .pairs(&[])
        .stderr_with(|stderr| {
            let row = "programs   2 python, 1 c, 1 of no known language (words kept; --syntax names one), 1 with a string or comment that has no \
                       end, 2 of fewer than 200 tokens";
            assert!(stderr.lines().any(|line| line == row) && stderr.lines().any(|line| line == few), "{stderr}");
            assert!(stderr.lines().any(|line| line == "shingles   12 tokens of code"), "{stderr}");
        })
        .exit_code(0);
    let summary: Value = serde_json::from_str(&workspace.read("s.json")).unwrap();
    let expected =
        serde_json::json!({ "syntaxes": { "c": 1, "python": 2 }, "unknown": 1, "unclosed": 1, "few_tokens": 2 });
    assert_eq!(summary["code"], expected);
    workspace
        .dedup(&["scan", "--preset", "code", "--list-documents", "."])
        .stdout_with(|stdout| {
            let documents = lines(stdout);
            assert_eq!(documents[1]["syntax"], "c");
            assert_eq!((&documents[1]["unclosed"], &documents[1]["few_tokens"]), (&Value::from(1), &Value::from(true)));
            assert_eq!((documents[0].get("unclosed"), documents[0].get("few_tokens")), (None, None));
            assert_eq!(documents[2]["syntax"], Value::Null);
            assert_eq!((&documents[3]["treated"], &documents[3]["tokens"]), (&Value::from("empty"), &Value::from(0)));
        })
        .stderr(&format!(
            "dedup: b.c: line 1: a string or comment has no end; what follows is compared as program text\n{few}\n"
        ))
        .exit_code(0);
}

#[test]
fn comments_and_imports_are_no_tokens() {
    let commented = PROGRAM
        .replace("):\n", "):  # anything\n    # Something that nobody reads.\n")
        .replace("import sys", "import sys, os\nfrom re import *");
    Workspace::new("comments")
        .file("a.py", PROGRAM)
        .file("b.py", commented)
        .dedup(&["scan", "-q", "--shingle", "code", "--keep-names", "--threshold", "1", "."])
        .pairs(&["a.py b.py"])
        .stderr("")
        .exit_code(0);
}

#[test]
fn starter_code_is_removed_from_programs() {
    let starter = OTHER;
    let workspace = Workspace::new("starter_code")
        .file("starter.rs", starter)
        .file("in/a.rs", format!("{starter}\nfn own(x: u8) -> u8 {{ let y = x + 1; if y > 3 {{ y }} else {{ x }} }}"))
        .file(
            "in/b.rs",
            format!("{starter}\nstruct Own {{ a: Vec<u8>, b: bool }} // and {{ 'more'\nconst B: [u8; 2] = [1, 2];"),
        );
    let scan = ["scan", "-q", "--preset", "code", "in"];
    workspace.dedup(&scan).pairs(&["in/a.rs in/b.rs"]).stderr("").exit_code(0);
    workspace.dedup(&[&scan[..], &["--template", "starter.rs"]].concat()).pairs(&[]).stderr("").exit_code(0);
    let by_passages = [&scan[..], &["--match", "passages", "--template", "starter.rs"]].concat();
    workspace.dedup(&by_passages).pairs(&[]).stderr("").exit_code(0);
}

#[test]
fn a_low_limit_of_document_frequency_is_warned_of() {
    let mut workspace = Workspace::new("max_df_of_code");
    for number in 0..10 {
        workspace =
            workspace.file(format!("{number}.py"), format!("{PROGRAM}\nx{number} = [{}]\n", "1, ".repeat(number + 1)));
    }
    let warning = "dedup: warning: --max-df comes to 2 of 10 programs: below 30% it removes what many copied from one source; remove starter code with --template\n";
    workspace
        .dedup(&["scan", "-q", "--preset", "code", "--max-df", "20%", "."])
        .pairs(&[])
        .stderr(warning)
        .exit_code(0);
    let look = |stdout: &str| assert_eq!(records(stdout).len(), 45);
    workspace
        .dedup(&["scan", "-q", "--preset", "code", "--max-df", "100%", "."])
        .stdout_with(look)
        .stderr("")
        .exit_code(0);
}

#[test]
fn flags_of_other_texts_are_refused() {
    let workspace = Workspace::new("refused_of_code").file("a.py", PROGRAM);
    let refused = |flags: &[&str], message: &str| {
        let stderr = format!("dedup: {message}\n");
        workspace.dedup(&[&["scan"], flags, &["a.py"]].concat()).stdout("").stderr(&stderr).exit_code(2);
    };
    for flag in [&["--syntax", "c"][..], &["--keep-names"], &["--jaccard-kept", "8"]] {
        refused(flag, &format!("{}: only applies to programs; add --shingle code, or remove the flag", flag[0]));
    }
    refused(
        &["--preset", "code", "--keep-whitespace"],
        "--keep-whitespace does not apply to programs, which are compared by their tokens; remove the flag",
    );
    refused(
        &["--shingle", "code", "--undisguise"],
        "--undisguise does not apply to programs, which are compared by their tokens; remove the flag",
    );
}

#[test]
fn the_preset_is_shown_whole_and_flags_override_it() {
    let workspace = Workspace::new("code_preset").file("a.py", PROGRAM).file("b.py", COPY);
    let shown = |stdout: &str| {
        for flag in ["--shingle code --k 12", "--threshold 0.5", "--jaccard-kept 8", "--anchor 17", "--max-gap 6"] {
            assert!(stdout.contains(flag), "{flag}: {stdout}");
        }
    };
    workspace.dedup(&["scan", "--preset", "code", "--help"]).stdout_with(shown).stderr("").exit_code(0);
    let scan = |flags: &[&str]| workspace.dedup(&[&["scan", "-q", "--preset", "code"], flags, &["."]].concat());
    scan(&["--shingle", "word"]).pairs(&[]).stderr("").exit_code(0);
    scan(&["--keep-names"]).pairs(&[]).stderr("").exit_code(0);
    // Everywhere pairs are found.
    let run = |args: &[&str]| workspace.dedup(&[args, &["-q", "--preset", "code"]].concat());
    run(&["cluster", ".", "--labels"])
        .stdout_with(|stdout| assert_eq!(stdout.lines().count(), 2))
        .stderr("")
        .exit_code(0);
    run(&["compare", "a.py", "--against", "b.py"]).pairs(&["a.py b.py"]).stderr("").exit_code(0);
    run(&["unique", "a.py", "b.py", "--output", "out"]).stdout("").stderr("").exit_code(0);
    assert_eq!(std::fs::read_dir(workspace.path("out")).unwrap().count(), 1);
}
