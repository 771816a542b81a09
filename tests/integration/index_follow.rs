//! `dedup query --stdin` and `--add`: lines in and out, and what is new is kept.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::scope_twin::random_texts;
use crate::support::*;

fn line(id: &str, text: &str) -> String {
    format!("{}\n", json!({ "id": id, "text": text }))
}

/// A program that answers lines.
struct Follower {
    child: Child,
    lines: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Follower {
    fn new(workspace: &Workspace, flags: &[&str]) -> Self {
        let mut command = workspace.command(&[&["query", "x.index", "--stdin"][..], flags].concat());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (lines, answers) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, lines, answers }
    }

    /// Sends a line and waits for its answer.
    fn ask(&mut self, line: &str) -> Value {
        self.lines.write_all(line.as_bytes()).unwrap();
        self.lines.flush().unwrap();
        let mut answer = String::new();
        self.answers.read_line(&mut answer).unwrap();
        serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{error}: {answer:?}"))
    }

    fn end(self) -> i32 {
        let Self { mut child, lines, .. } = self;
        drop(lines);
        wait(&mut child).code().unwrap()
    }
}

/// The names that an answer has, and whether its document was added.
fn seen(answer: &Value) -> (Vec<&str>, bool) {
    let matches = answer["matches"].as_array().unwrap_or_else(|| panic!("{answer}"));
    (matches.iter().map(|found| found["b"].as_str().unwrap()).collect(), answer["added"].as_bool().unwrap())
}

fn index(name: &'static str) -> Workspace {
    let workspace = Workspace::new(name).file("a.jsonl", line("fox", FOX));
    workspace.dedup(&["index", "build", "x.index", "a.jsonl", "-q"]).stdout("").stderr("").exit_code(0);
    workspace
}

#[test]
fn each_line_has_its_answer_before_the_next_one_is_sent() {
    let workspace = index("follow");
    let mut follower = Follower::new(&workspace, &[]);
    let answer = follower.ask(&line("cat", CAT));
    let found = json!({"b": "fox", "jaccard": 0.8, "containment_a": 32.0 / 36.0, "containment_b": 32.0 / 36.0, "shared": 32,
        "shingles_a": 36, "shingles_b": 36, "estimate": answer["matches"][0]["estimate"]});
    assert_eq!(answer, json!({"id": "cat", "matches": [found], "added": false}));
    assert_eq!(
        follower.ask("{\"text\":\"nothing like it in the index\"}\n"),
        json!({"id": null, "matches": [], "added": false})
    );
    for (line, error) in [
        ("nonsense\n", "not JSON (expected ident at line 1 column 2); write one JSON object a line"),
        ("[1]\n", "not a JSON object; write one JSON object a line"),
        ("{\"id\":1}\n", "no text in the field `text`; see --text-field"),
    ] {
        assert_eq!(follower.ask(line)["error"], error);
    }
    assert_eq!(seen(&follower.ask(&line("fox", FOX))).0, ["fox"]);
    assert_eq!(follower.end(), 3);
}

#[test]
fn what_is_added_is_seen_by_the_next_line_and_by_others() {
    let workspace = index("follow_add");
    let mut follower = Follower::new(&workspace, &["--add", "unseen", "--sync"]);
    let mut other = Follower::new(&workspace, &[]);
    assert_eq!(seen(&other.ask(&line("q", LOREM))), (vec![], false));
    let answer = follower.ask(&line("lorem", LOREM));
    assert_eq!((seen(&answer), &answer["durable"]), ((vec![], true), &json!(true)));
    assert_eq!(seen(&other.ask(&line("q", LOREM))), (vec!["lorem"], false));
    assert_eq!(seen(&follower.ask(&line("again", LOREM))), (vec!["lorem"], false));
    // A document that is there is not its own answer, and is not added again.
    assert_eq!(seen(&follower.ask(&line("lorem", LOREM))), (vec![], false));
    let error = follower.ask(&line("lorem", FOX));
    assert_eq!(error["error"], "lorem: duplicate id: the index has another text with it; choose another id");
    assert_eq!((follower.end(), other.end()), (3, 0));
    workspace.dedup(&["index", "check", "x.index"]).stdout("").stderr("").exit_code(0);
}

#[test]
fn an_open_batch_is_seen_and_is_kept_at_the_end() {
    let workspace = index("follow_open");
    let mut follower = Follower::new(&workspace, &["--add", "all"]);
    for (id, text, expected) in
        [("1", LOREM, vec![]), ("2", LOREM, vec!["1"]), ("3", CAT, vec!["fox"]), ("4", FOX, vec!["fox", "3"])]
    {
        assert_eq!(seen(&follower.ask(&line(id, text))), (expected, true), "{id}");
    }
    assert_eq!(follower.end(), 0);
    workspace
        .dedup(&["index", "export", "x.index"])
        .stdout(
            &[("fox", FOX), ("1", LOREM), ("2", LOREM), ("3", CAT), ("4", FOX)]
                .map(|(id, text)| line(id, text))
                .concat(),
        )
        .stderr("")
        .exit_code(0);
    // A signal keeps it too.
    let mut follower = Follower::new(&workspace, &["--add", "all"]);
    assert_eq!(seen(&follower.ask(&line("5", "something else than what is there so far"))), (vec![], true));
    signal(&follower.child, "TERM");
    assert_eq!(wait(&mut follower.child).code(), Some(143));
    workspace
        .dedup(&["index", "info", "x.index", "--json"])
        .stdout_with(|info| assert!(info.contains("\"documents\":6"), "{info}"))
        .stderr("")
        .exit_code(0);
}

#[test]
fn what_was_acknowledged_survives_a_kill() {
    let workspace = index("follow_kill");
    let mut expected = vec!["fox".to_owned()];
    for round in 0..4 {
        let mut follower = Follower::new(&workspace, &["--add", "all", "--sync"]);
        for number in 0..3 + round {
            let id = format!("{round}-{number}");
            let answer = follower
                .ask(&line(&id, &format!("the text of document {id}, which is like no other {}", round * 31 + number)));
            assert_eq!(answer["durable"], true);
            expected.push(id);
        }
        // One more, of which nobody has heard the answer.
        follower.lines.write_all(line(&format!("{round}-lost"), LOREM).as_bytes()).unwrap();
        follower.child.kill().unwrap();
        follower.child.wait().unwrap();
        workspace.dedup(&["index", "check", "x.index"]).stdout("").stderr("").exit_code(0);
        let output = workspace.command(&["index", "export", "x.index"]).output().unwrap();
        let names: Vec<String> = String::from_utf8(output.stdout)
            .unwrap()
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].as_str().unwrap().to_owned())
            .collect();
        let kept: Vec<&String> = names.iter().filter(|name| !name.ends_with("lost")).collect();
        assert_eq!(kept, expected.iter().collect::<Vec<_>>());
    }
}

#[test]
fn what_nothing_is_similar_to_is_added_for_any_number_of_threads() {
    let mut random = Random(77);
    let texts = random_texts(&mut random, 200);
    let lines: String = texts.iter().enumerate().map(|(number, text)| line(&format!("d{number}"), text)).collect();
    let workspace = Workspace::new("add_unseen").file("first.jsonl", line("first", &texts[3])).file("all.jsonl", lines);
    let mut results = Vec::new();
    for threads in ["1", "3"] {
        let _ = std::fs::remove_file(workspace.path("x.index"));
        let flags = ["--k", "3", "--bands", "40", "--rows", "1", "--threshold", "0.4"];
        workspace
            .dedup(&[&["index", "build", "x.index", "first.jsonl", "-q"][..], &flags].concat())
            .stdout("")
            .stderr("")
            .exit_code(0);
        let add = ["query", "x.index", "all.jsonl", "--add", "unseen", "-q", "--threads", threads];
        let printed = workspace.command(&add).output().unwrap();
        assert!(printed.status.success(), "{}", String::from_utf8_lossy(&printed.stderr));
        let exported = workspace.command(&["index", "export", "x.index"]).output().unwrap().stdout;
        workspace.dedup(&["index", "check", "x.index"]).stdout("").stderr("").exit_code(0);
        // The same command again adds nothing.
        workspace.command(&add).output().unwrap();
        assert_eq!(workspace.command(&["index", "export", "x.index"]).output().unwrap().stdout, exported);
        results.push((printed.stdout, exported));
    }
    assert!(results[0] == results[1], "the number of threads counts");
    // No two of those that were added are similar, and everything else is similar to one of them.
    std::fs::write(workspace.path("kept.jsonl"), &results[0].1).unwrap();
    let scan = ["scan", "kept.jsonl", "-q", "--k", "3", "--bands", "40", "--rows", "1", "--threshold", "0.4"];
    workspace.dedup(&scan).stdout("").stderr("").exit_code(0);
    let kept = String::from_utf8_lossy(&results[0].1).lines().count();
    assert!((2..200).contains(&kept), "{kept}");
}

#[test]
fn ids_are_as_they_are_written() {
    let workspace = index("follow_ids");
    let mut follower = Follower::new(&workspace, &["--add", "all", "--sync"]);
    for id in ["100000000000000000000001", "100000000000000000000002", "1.50", "18446744073709551615", "-7", "1e3"] {
        let answer = follower.ask(&format!("{{\"text\":\"{LOREM}\",\"id\": {id} }}\n"));
        assert_eq!((answer["id"].as_str(), answer["durable"].as_bool()), (Some(id), Some(true)), "{answer}");
    }
    assert_eq!(follower.end(), 0);
    let mut follower = Follower::new(&workspace, &["--id-field", "of.key", "--skip-self", "--add", "none"]);
    let answer = follower.ask(&format!("{{\"text\":\"{LOREM}\",\"of\":{{\"key\":1.50}}}}\n"));
    assert_eq!(answer["id"], "1.50");
    let (names, _) = seen(&answer);
    assert_eq!(names.len(), 5, "{names:?}");
    assert!(!names.contains(&"1.50"));
    assert_eq!(follower.end(), 0);
}

#[test]
fn a_line_that_is_sent_again_is_acknowledged_again() {
    let workspace = index("follow_again");
    let answer = |flags: &[&str], text: &str| {
        let mut follower = Follower::new(&workspace, &[&["--add", "all"][..], flags].concat());
        let answer = follower.ask(&line("again", text));
        assert_eq!(follower.end(), 0);
        (answer["added"].as_bool().unwrap(), answer.get("durable").cloned())
    };
    assert_eq!(answer(&["--sync"], LOREM), (true, Some(true.into())));
    assert_eq!(answer(&["--sync"], LOREM), (false, Some(true.into())));
    assert_eq!(answer(&[], LOREM), (false, None));
    // Another text under the name is not what is there.
    assert_eq!(answer(&["--sync", "--known", "skip"], FOX), (false, None));
    // An empty document is one too, where all are added.
    assert_eq!(answer(&["--sync", "--known", "replace"], "\t"), (true, Some(true.into())));
    let mut follower = Follower::new(&workspace, &["--add", "all", "--sync"]);
    let added = json!({"id": "none", "matches": [], "added": true, "durable": true});
    assert_eq!(follower.ask(&line("none", "")), added);
    assert_eq!(follower.end(), 0);
    // Of white space nothing can have been seen either.
    let mut follower = Follower::new(&workspace, &["--add", "unseen", "--sync"]);
    for (id, text) in [("nothing", ""), ("tab", "\t")] {
        assert_eq!(follower.ask(&line(id, text)), json!({"id": id, "matches": [], "added": false}));
    }
    assert_eq!(follower.end(), 0);
}

#[test]
fn nothing_is_acknowledged_that_goes_into_an_index_without_a_name() {
    for is_replaced in [false, true] {
        let workspace = index("follow_gone");
        workspace.dedup(&["index", "build", "other.index", "a.jsonl", "-q"]).stdout("").stderr("").exit_code(0);
        for flags in [&["--add", "all", "--sync"][..], &[]] {
            let mut command = workspace.command(&[&["query", "x.index", "--stdin"][..], flags].concat());
            let mut child =
                command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            let (mut lines, mut answers) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
            lines.write_all(line("first", CAT).as_bytes()).unwrap();
            let mut answer = String::new();
            answers.read_line(&mut answer).unwrap();
            assert!(answer.contains("\"matches\""), "{answer}");
            std::fs::copy(workspace.path("x.index"), workspace.path("kept.index")).unwrap();
            match is_replaced {
                true => std::fs::copy(workspace.path("other.index"), workspace.path("next.index"))
                    .and_then(|_| std::fs::rename(workspace.path("next.index"), workspace.path("x.index")))
                    .unwrap(),
                false => std::fs::remove_file(workspace.path("x.index")).unwrap(),
            }
            lines.write_all(line("second", LOREM).as_bytes()).unwrap();
            drop(lines);
            answer.clear();
            answers.read_line(&mut answer).unwrap();
            assert_eq!(answer, "");
            let output = child.wait_with_output().unwrap();
            let stderr = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{stderr}");
            assert!(stderr.contains("x.index: the index was deleted or replaced since it was opened"), "{stderr}");
            std::fs::rename(workspace.path("kept.index"), workspace.path("x.index")).unwrap();
        }
    }
}

#[test]
fn flags_of_other_inputs_are_refused_beside_lines() {
    let workspace = index("follow_flags");
    for flag in
        [&["--strict"][..], &["--max-document-bytes", "100"], &["--input-format", "csv"], &["--encoding", "latin1"]]
    {
        let args = [&["query", "x.index", "--stdin"][..], flag].concat();
        let look = |stderr: &str| assert!(stderr.contains("--stdin") && stderr.contains(flag[0]), "{stderr}");
        workspace.dedup(&args).stdout("").stderr_with(look).exit_code(2);
    }
    let look = |stderr: &str| assert!(stderr.starts_with("dedup: --sync: only applies to --stdin"), "{stderr}");
    workspace.dedup(&["query", "x.index", "a.jsonl", "--sync"]).stdout("").stderr_with(look).exit_code(2);
    let look = |stderr: &str| assert!(stderr.ends_with("; see dedup index build --help\n"), "{stderr}");
    workspace.dedup(&["index", "build", "y.index", "a.jsonl", "--nothing"]).stdout("").stderr_with(look).exit_code(2);
    for (preset, by) in [("clones", "copied blocks"), ("sentences", "comparing all of them")] {
        let refused = format!(
            "dedup: --preset {preset}: finds documents by {by}, but an index finds them by signatures; choose another preset\n"
        );
        let build = ["index", "build", "y.index", "a.jsonl", "--preset", preset];
        workspace.dedup(&build).stdout("").stderr(&refused).exit_code(2);
        let rebuild = ["index", "rebuild", "y.index", "x.index", "--preset", preset];
        workspace.dedup(&rebuild).stdout("").stderr(&refused).exit_code(2);
    }
}
