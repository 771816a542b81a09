//! `dedup check`: every number of a result is recomputed, and each way to change a result is found.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::*;

/// Twelve texts: families of similar ones, an exact copy, and a record with an id.
fn corpus(name: &'static str) -> Workspace {
    let word = |family: usize, at: usize| format!("w{}", (family * 1009 + at * 7919) % 10_007);
    let text = |family: usize, changed: usize| {
        let words = (0..120).map(|at| if at < changed { format!("x{changed}y{at}") } else { word(family, at) });
        words.collect::<Vec<_>>().chunks(9).map(|line| line.join(" ")).collect::<Vec<_>>().join("\n")
    };
    let mut corpus = Workspace::new(name);
    for (file, family, changed) in [
        ("in/a/0", 1, 0),
        ("in/a/1", 1, 2),
        ("in/a/2", 1, 5),
        ("in/b/0", 2, 0),
        ("in/b/1", 2, 3),
        ("in/b/copy", 2, 3),
        ("in/b/far", 3, 0),
    ] {
        corpus = corpus.file(file, text(family, changed));
    }
    let record = json!({"id": "r1", "text": text(1, 3)}).to_string();
    corpus
        .file("in/c.jsonl", record + "\n")
        .file("in/p.py", "def f(a):\n    return a + 1\n".repeat(9))
        .file("in/q.py", "def g(b):\n    return b + 1\n".repeat(9))
}

/// Runs a scan whose result is not looked at.
fn run(corpus: &Workspace, args: &[&str]) {
    let output = corpus.command(args).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// The differences that a check prints, which must end with this exit code.
#[track_caller]
fn faults(corpus: &Workspace, args: &[&str], code: i32) -> Vec<Value> {
    let mut faults = Vec::new();
    let look = |lines: &str| faults = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let args = [&["check", "-q", "--json"], args].concat();
    corpus.dedup(&args).stdout_with(look).stderr("").exit_code(code);
    faults
}

fn kinds(faults: &[Value]) -> Vec<&str> {
    faults.iter().map(|fault| fault["fault"].as_str().unwrap()).collect()
}

#[test]
fn every_kind_of_result_agrees_with_its_documents() {
    let corpus =
        corpus("check_right").file("weights", "w1009\t3\n").file("template", "def f(a):\n").file("stop", "w1009\n");
    for flags in [
        &["in"][..],
        &["in", "--show-passages", "--with-source"],
        &["in", "--all-pairs", "-t", "0.2"],
        &["in", "--match", "passages", "--show-passages"],
        &["in", "--preset", "code", "--template", "template"],
        &["in", "--preset", "prose"],
        &["in", "--weights", "idf", "-t", "0.3"],
        &["in", "--weights", "weights", "--shingle", "word", "--k", "1"],
        &["in", "--bag", "--k", "3", "--signature", "classic", "--bands", "9", "--rows", "2"],
        &["in", "--max-df", "3", "-t", "0.1"],
        &["in", "--collapse-exact"],
        &["in", "--group-by", "dir", "--within-groups"],
        &["in", "--group-by", "dir"],
        &["in", "--top", "1", "--sort", "jaccard"],
    ] {
        run(&corpus, &[&["scan", "-q", "--save", "../result", "--force"], flags].concat());
        assert_eq!(faults(&corpus, &["../result"], 0), [] as [Value; 0], "{flags:?}");
    }
    run(&corpus, &["compare", "in/a", "-q", "--against", "in/b", "in/a/1", "-t", "0.1", "--save", "../compared"]);
    assert_eq!(faults(&corpus, &["../compared"], 0), [] as [Value; 0]);
    let look = |line: &str| {
        let (first, rest) = line.split_once('\n').unwrap();
        let documents = "documents: every number is right, and no pair of the scan is missing";
        assert!(first.starts_with("checked ") && first.ends_with(documents), "{line}");
        assert!(rest.contains("audit "), "{line}");
    };
    run(&corpus, &["scan", "in", "-q", "--save", "../result", "--force"]);
    corpus.dedup(&["check", "../result"]).stdout("").stderr_with(look).exit_code(0);
}

/// Lines of pairs, and a check of them.
struct Lines<'a> {
    corpus: &'a Workspace,
    lines: Vec<String>,
    flags: &'a [&'a str],
}

impl Lines<'_> {
    /// The differences of these lines.
    #[track_caller]
    fn faults(&self, lines: &[String]) -> Vec<Value> {
        fs::write(self.corpus.path("../pairs.jsonl"), lines.join("\n") + "\n").unwrap();
        faults(self.corpus, &[&["../pairs.jsonl"], self.flags].concat(), 1)
    }
}

#[test]
fn a_hundred_changes_of_lines_are_all_found() {
    let corpus = corpus("check_changed");
    let mut num_changes = 0;
    for flags in [
        &["in", "-t", "0.3"][..],
        &["in", "-t", "0.3", "--all-pairs", "--shingle", "word", "--k", "2"],
        &["in", "--preset", "code", "-t", "0.3"],
        &["in", "--weights", "idf", "-t", "0.2"],
    ] {
        let mut printed = String::new();
        let args = [&["scan", "-q", "--with-source", "--show-passages"], flags].concat();
        corpus.dedup(&args).stdout_with(|lines| printed = lines.to_owned()).stderr_with(|_| ()).exit_code(0);
        let lines = Lines { corpus: &corpus, lines: printed.lines().map(str::to_owned).collect(), flags };
        for at in 0..lines.lines.len() {
            let pair: Value = serde_json::from_str(&lines.lines[at]).unwrap();
            // Another value of each key.
            for key in pair.as_object().unwrap().keys() {
                // The check of all values of all lines takes long; each key is changed in some line.
                if !((at + key.len()) as u64).is_multiple_of(num_cases(13, 5)) && at > 1 {
                    continue;
                }
                let mut changed = pair.clone();
                changed[key] = match &pair[key] {
                    Value::String(name) => json!(format!("{name}x")),
                    Value::Number(number) if number.is_u64() => json!(number.as_u64().unwrap() + 1),
                    // The smallest change that a number can have.
                    Value::Number(number) => json!(f64::from_bits(number.as_f64().unwrap().to_bits() - 1)),
                    Value::Object(_) => json!({"file": "in/a/0", "line": 1}),
                    _ => json!([]),
                };
                let mut all = lines.lines.clone();
                all[at] = changed.to_string();
                let found = lines.faults(&all);
                num_changes += 1;
                let is_found = found
                    .iter()
                    .any(|fault| fault["line"] == at as u64 + 1 && (fault["key"] == *key || fault["fault"] != "value"));
                assert!(is_found, "{key} of {}: {found:?}", all[at]);
            }
            if at > 3 && !is_long() {
                continue;
            }
            // A line that is not there, one that is there twice, and names in the wrong order.
            let mut all = lines.lines.clone();
            let gone = all.remove(at);
            let missing = lines.faults(&all);
            assert_eq!((kinds(&missing), &missing[0]["jaccard"]), (vec!["missing"], &pair["jaccard"]));
            all.push(gone.clone());
            all.push(gone);
            assert_eq!(kinds(&lines.faults(&all)), ["repeated"]);
            let mut swapped = pair.clone();
            (swapped["a"], swapped["b"]) = (pair["b"].clone(), pair["a"].clone());
            all = lines.lines.clone();
            all[at] = swapped.to_string();
            assert!(kinds(&lines.faults(&all)).contains(&"not_reported"));
            num_changes += 3;
        }
        for (line, kind) in [
            ("", "not_a_pair"),
            ("{", "not_a_pair"),
            ("[1]", "not_a_pair"),
            (&lines.lines[0].replace("\"a\":", "\"x\":"), "not_a_pair"),
            (&lines.lines[0].replace("\"a\":\"", "\"a\":\"no-"), "unknown_document"),
        ] {
            let all = [&lines.lines[..], &[line.to_owned()]].concat();
            let found = lines.faults(&all);
            assert!(kinds(&found) == [kind] && found[0]["line"] == all.len() as u64, "{line}: {found:?}");
            num_changes += 1;
        }
        // A pair that the scan does not report, with numbers that may be right.
        let added = r#"{"a":"in/a/0","b":"in/b/far","jaccard":0.5,"containment_a":0.5,"containment_b":0.5,"shared":1,"shingles_a":2,"shingles_b":2,"estimate":0.5}"#;
        let found = lines.faults(&[&lines.lines[..], &[added.to_owned()]].concat());
        assert!(kinds(&found).contains(&"not_reported") && kinds(&found).contains(&"value"), "{found:?}");
    }
    assert!(num_changes > 100, "{num_changes}");
}

#[test]
fn changed_files_of_a_saved_result_and_changed_inputs_are_named() {
    let corpus = corpus("check_files");
    let save = || run(&corpus, &["scan", "in", "-q", "--save", "../result", "--force", "--with-source"]);
    let change = |file: &str, from: &str, to: &str| {
        let path = corpus.path("../result").join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{from}: {text}");
        fs::write(path, text.replacen(from, to, 1)).unwrap();
    };
    for (file, from, to) in [
        ("header.json", "\"documents\":10", "\"documents\":11"),
        ("header.json", "\"pairs\":", "\"pairs\":1"),
        ("header.json", "\"threshold\":0.8", "\"threshold\":0.7"),
        ("documents.jsonl", "\"bytes\":", "\"bytes\":1"),
        ("documents.jsonl", "in/a/0", "in/a/9"),
        ("documents.jsonl", "{", "{}\n{"),
        ("pairs.jsonl", "\"shared\":", "\"shared\":1"),
    ] {
        save();
        change(file, from, to);
        let found = faults(&corpus, &["../result"], 1);
        let is_changed = |fault: &Value| fault["fault"] == "changed" && fault["file"] == file;
        assert!(found.iter().any(is_changed), "{file} {from}: {found:?}");
        // A wrong number is found without the hashes, too.
        assert!(found.iter().any(|fault| fault["fault"] != "changed"), "{file} {from}: {found:?}");
    }
    save();
    let input = corpus.path("in/a/1");
    let text = fs::read_to_string(&input).unwrap();
    fs::write(&input, text.replace("x2y0", "x2y9")).unwrap();
    let found = faults(&corpus, &["../result"], 1);
    assert!(found[0]["fault"] == "changed" && found[0]["file"] == "in/a/1", "{found:?}");
    assert!(found.iter().any(|fault| fault["fault"] == "value" && fault["file"] == "documents.jsonl"), "{found:?}");
    fs::remove_file(&input).unwrap();
    let found = faults(&corpus, &["../result"], 1);
    assert!(kinds(&found).contains(&"unknown_document"), "{found:?}");
}

#[test]
fn a_document_that_came_or_went_is_one_difference() {
    let corpus = corpus("check_documents");
    run(&corpus, &["scan", "in", "-q", "--save", "../result"]);
    let of_documents = || -> Vec<(u64, Option<String>)> {
        let found = faults(&corpus, &["../result"], 1);
        let of_documents = found.iter().filter(|fault| fault["file"] == "documents.jsonl");
        of_documents.map(|fault| (fault["line"].as_u64().unwrap(), fault["a"].as_str().map(str::to_owned))).collect()
    };
    fs::write(corpus.path("in/a/00"), "a text of its own with other words than the rest").unwrap();
    assert_eq!(of_documents(), [(2, Some("in/a/00".to_owned()))]);
    fs::rename(corpus.path("in/a/0"), corpus.path("in/a/00")).unwrap();
    // The text is the same, so the line is about this document.
    let named: Vec<u64> = of_documents().iter().map(|fault| fault.0).collect();
    assert_eq!(named, [1, 1]);
    fs::remove_file(corpus.path("in/a/00")).unwrap();
    assert_eq!(of_documents(), [(1, Some("in/a/0".to_owned()))]);
}

#[test]
fn filtered_lines_are_checked_without_looking_for_missing_pairs() {
    let corpus = corpus("check_only_lines");
    run(&corpus, &["scan", "in", "-q", "-t", "0.3", "--top", "1", "--sort", "jaccard", "-o", "../top.jsonl"]);
    assert_eq!(faults(&corpus, &["../top.jsonl", "in", "-t", "0.3", "--only-lines"], 0), [] as [Value; 0]);
    let found = faults(&corpus, &["../top.jsonl", "in", "-t", "0.3"], 1);
    assert!(found.len() > 1 && kinds(&found).iter().all(|&kind| kind == "missing"), "{found:?}");
    // The pairs of standard input, and another threshold than the lines have.
    let top = corpus.read("../top.jsonl");
    let stdin =
        assert_cmd::Command::from_std(corpus.command(&["check", "-q", "--json", "-", "in", "--only-lines", "-t", "1"]));
    let output = { stdin }.write_stdin(top).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "exact copies: {}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn wrong_uses_are_refused_with_what_to_do() {
    let corpus = corpus("check_refused");
    run(&corpus, &["scan", "in", "-q", "--save", "../result"]);
    for (args, error) in [
        (&["../result", "--k", "3"][..], "--k: ../result is a saved result, which has its own inputs and flags"),
        (&["../result", "in"], "PATH: ../result is a saved result"),
        (&["../result/pairs.jsonl"], "PATH: missing; ../result/pairs.jsonl is a file of pairs"),
        (&["none.jsonl", "in"], "none.jsonl: no such file or folder; check the path"),
        (&["in"], "it is a folder without a saved result"),
        (&[], "RESULT: missing; write: dedup check RESULT"),
    ] {
        let args = [&["check"], args].concat();
        corpus.dedup(&args).stdout("").stderr_with(|text| assert!(text.contains(error), "{text}")).exit_code(2);
    }
    // Standard input of the run is needed again.
    let text = corpus.read("in/a/0");
    let stdin = |args: &[&str]| {
        assert_cmd::Command::from_std(corpus.command(args)).write_stdin(text.clone()).output().unwrap().status.code()
    };
    assert_eq!(stdin(&["scan", "-", "in/a", "-q", "--save", "../piped"]), Some(0));
    assert_eq!(stdin(&["check", "../piped", "-q"]), Some(0));
    let look = |text: &str| assert!(text.contains("read standard input, which cannot be read again"), "{text}");
    corpus.shell("\"$D\" check ../piped < /dev/null").stdout("").stderr_with(look).exit_code(2);
    // Commands in a result are not run unless they are given again.
    run(&corpus, &["scan", "in", "-q", "--filter", "py=cat", "--save", "../filtered"]);
    let look = |text: &str| assert!(text.contains("--filter: the run converted files by commands"), "{text}");
    corpus.dedup(&["check", "../filtered"]).stdout("").stderr_with(look).exit_code(2);
    assert_eq!(faults(&corpus, &["../filtered", "--filter", "py=cat"], 0), [] as [Value; 0]);
}

/// Runs the second program, and returns its output and exit code.
fn second_program(folder: &Path, args: &[&str]) -> (String, Option<i32>) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/check_result.py");
    let output = Command::new("python3").arg("-B").arg(script).args(args).current_dir(folder).output();
    let output = output.expect("python3 is there");
    (String::from_utf8(output.stdout).unwrap(), output.status.code())
}

#[test]
fn a_second_program_from_the_definitions_alone_counts_the_same() {
    let chars: Vec<char> = "abc de.fg'h 1,2_:\n\t\u{a0}\u{85}éß七の\r".chars().collect();
    let ascii: Vec<char> = chars.iter().copied().filter(char::is_ascii).collect();
    let mut random = Random(44);
    let mut corpus = corpus("check_second").file("sets", "x y z\nx y z w\na b\n");
    for number in 0..60 {
        // Texts of few characters have many pairs.
        let alphabet = if number % 2 == 0 { &chars } else { &ascii };
        let len = random.below(60);
        let text: String = (0..len).map(|_| alphabet[random.below(alphabet.len())]).collect();
        corpus = corpus.file(format!("random/{number:02}"), text.repeat(1 + number % 3));
    }
    let check = |corpus: &Workspace, scan: &[&str], flags: &[&str], every: &[&str]| {
        let args = [&["scan", "-q", "--all-pairs", "-o", "../pairs.jsonl"], scan, flags].concat();
        run(corpus, &args);
        let args = [&["../pairs.jsonl"], flags, every].concat();
        let (printed, code) = second_program(&corpus.path(""), &args);
        assert!(
            printed.contains(" 0 wrong lines, 0 missing pairs") && matches!(code, Some(0 | 3)),
            "{flags:?} {printed}"
        );
        let num_pairs = printed.split_once(" pairs checked").and_then(|(all, _)| all.parse::<u64>().ok());
        assert!(num_pairs.is_some_and(|pairs| pairs > 0), "{flags:?} {printed}");
    };
    for flags in [
        &["--threshold", "0.2"][..],
        &["--threshold", "0.05", "--k", "2"],
        &["--threshold", "0.05", "--k", "3", "--bag"],
        &["--threshold", "0.05", "--shingle", "word", "--k", "1"],
        &["--threshold", "0.05", "--shingle", "word", "--k", "2", "--bag"],
        &["--threshold", "0.01", "--shingle", "line"],
    ] {
        check(&corpus, &["random", "in"], flags, &["--records", "in/c.jsonl", "--every", "random", "in"]);
    }
    check(&corpus, &["sets"], &["--shingle", "set", "--threshold", "0.2"], &[]);
    // It finds what is wrong.
    run(&corpus, &["scan", "-q", "in/a", "-o", "../pairs.jsonl"]);
    let right = corpus.read("../pairs.jsonl");
    let lines: Vec<&str> = right.lines().collect();
    let pair: Value = serde_json::from_str(lines[0]).unwrap();
    let mut swapped = pair.clone();
    for [one, other] in [["a", "b"], ["containment_a", "containment_b"], ["shingles_a", "shingles_b"]] {
        swapped[one] = pair[other].clone();
        swapped[other] = pair[one].clone();
    }
    let own = "{\"a\":\"in/a/0\",\"b\":\"in/a/0\"}\n";
    let shared = format!("\"shared\":{}", pair["shared"]);
    for (wrong, at) in [
        (format!("{right}{swapped}\n"), "an earlier line has this pair"),
        (right.clone() + own, "both documents are the same one"),
        (right.replacen(&shared, &format!("{shared}.0"), 1), "line 1: in/a/0 in/a/1: shared is"),
        (right.replacen("\"shared\":", "\"shared\":1", 1), "line 1: in/a/0 in/a/1: shared is 1"),
        (right.clone() + lines[0] + "\n", "an earlier line has this pair"),
        (lines[1..].join("\n"), "missing: in/a/0 in/a/1: jaccard 0."),
        (right.clone() + "{}\n", "is not a pair"),
    ] {
        fs::write(corpus.path("../wrong.jsonl"), wrong).unwrap();
        let (printed, code) = second_program(&corpus.path(""), &["../wrong.jsonl", "--every", "in/a"]);
        assert!(printed.contains(at) && code == Some(1), "{at}: {printed}");
    }
    let script = include_str!("../../examples/check_result.py");
    assert!(script.lines().count() <= 250);
}

#[test]
fn pairs_of_old_documents_and_of_folders_are_checked_with_the_flags_of_their_scan() {
    let corpus = corpus("check_units");
    for flags in [&["in/a", "--old", "in/b", "-t", "0.1"][..], &["in", "--unit", "dir:1", "-t", "0.01"]] {
        run(&corpus, &[&["scan", "-q", "-o", "../pairs.jsonl"], flags].concat());
        assert!(!corpus.read("../pairs.jsonl").is_empty(), "{flags:?}");
        assert_eq!(faults(&corpus, &[&["../pairs.jsonl"], flags].concat(), 0), [] as [Value; 0], "{flags:?}");
    }
}
