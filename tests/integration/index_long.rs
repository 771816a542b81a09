//! What takes long: readers beside writers that are killed, a thousand kills, crowds of equal texts, a million lines.
//!
//! ```text
//! DEDUP_LONG=1 cargo test --release --test integration index_
//! ```
//!
//! Without the variable each is done in a short form.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::index::printed;
use crate::index_restored::exported;
use crate::support::*;

fn line(id: &str, text: &str) -> String {
    format!("{}\n", json!({ "id": id, "text": text }))
}

/// A text that is like no other one but those of the same topic.
fn text(topic: usize, number: usize) -> String {
    let words: String = (0..30).map(|word| format!("t{} ", (topic * 31 + word) * 7919 % 100_003)).collect();
    format!("{words}{number}")
}

/// A batch of documents, and the names that they have.
fn batch(number: usize) -> (Vec<String>, String) {
    let names: Vec<String> = (0..20).map(|document| format!("b{number}-{document}")).collect();
    let lines = names.iter().enumerate().map(|(document, name)| line(name, &text(document, number))).collect();
    (names, lines)
}

fn start(workspace: &Workspace, args: &[&str]) -> Child {
    workspace.command(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Kills a program after some time, unless it has ended before; returns whether it ended well by itself.
fn kill_after(mut child: Child, time: Duration) -> bool {
    let started = Instant::now();
    while started.elapsed() < time {
        if let Some(status) = child.try_wait().unwrap() {
            return status.success();
        }
        std::thread::sleep(Duration::from_micros(200));
    }
    let _ = child.kill();
    child.wait().unwrap().success()
}

#[test]
fn whatever_is_killed_at_any_moment_leaves_all_or_nothing() {
    let rounds = if is_long() { 1000 } else { 25 };
    let mut random = Random(157);
    let workspace = Workspace::new("kills").file("first.jsonl", batch(0).1);
    let build = ["index", "build", "x.index", "first.jsonl", "-q", "--for-containment"];
    workspace.dedup(&build).stdout("").stderr("").exit_code(0);
    let mut list = exported(&workspace, "x.index").unwrap();
    let mut num_ended = 0;
    for round in 1..=rounds {
        let (_, lines) = batch(round);
        std::fs::write(workspace.path("b.jsonl"), &lines).unwrap();
        let prefix = format!("b{}-", random.below(round));
        let without: String = list
            .lines()
            .filter(|line| !line.contains(&format!("\"{prefix}")))
            .map(|line| format!("{line}\n"))
            .collect();
        let (args, after): (&[&str], String) = match random.below(6) {
            0..=2 => (&["index", "add", "x.index", "b.jsonl", "-q"], format!("{list}{lines}")),
            3 => (&["index", "remove", "x.index", "--where-prefix", &prefix, "-q"], without),
            4 => (&["index", "compact", "x.index"], list.clone()),
            _ => {
                let _ = std::fs::remove_file(workspace.path("m.index"));
                (&["index", "merge", "m.index", "x.index", "-q"], list.clone())
            }
        };
        let time = Duration::from_micros(random.below(40_000) as u64);
        let has_ended = kill_after(start(&workspace, args), time);
        num_ended += usize::from(has_ended);
        let found = exported(&workspace, "x.index").unwrap();
        assert!(found == after || found == list && !has_ended, "round {round}: {args:?}");
        workspace.dedup(&["index", "check", "x.index"]).stdout("").stderr("").exit_code(0);
        if args[1] == "merge" && workspace.path("m.index").exists() {
            assert_eq!(exported(&workspace, "m.index").unwrap(), list, "round {round}");
        }
        list = found;
        if round % 25 == 0 {
            std::fs::write(workspace.path("list.jsonl"), &list).unwrap();
            let expected = printed(&workspace, &["compare", "b.jsonl", "--against", "list.jsonl", "-q"]);
            assert!(printed(&workspace, &["query", "x.index", "b.jsonl", "-q"]) == expected, "round {round}");
        }
    }
    assert!(num_ended < rounds, "none was killed in time");
}

#[test]
fn eight_followers_see_whole_batches_beside_a_writer_that_is_killed() {
    let rounds = if is_long() { 200 } else { 12 };
    let mut random = Random(158);
    let workspace = Workspace::new("followers").file("first.jsonl", batch(0).1);
    let build = ["index", "build", "x.index", "first.jsonl", "-q"];
    workspace.dedup(&build).stdout("").stderr("").exit_code(0);
    let question = line("q", &text(3, 999_999));
    let done = std::sync::atomic::AtomicBool::new(false);
    let (workspace, question, done) = (&workspace, &question, &done);
    let counts: Vec<usize> = std::thread::scope(|scope| {
        let ask = move || {
            let mut command = workspace.command(&["query", "x.index", "--stdin"]);
            let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
            let (mut lines, mut answers) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
            let (mut asked, mut before) = (0, 0);
            while !done.load(std::sync::atomic::Ordering::Relaxed) {
                lines.write_all(question.as_bytes()).unwrap();
                let mut answer = String::new();
                answers.read_line(&mut answer).unwrap();
                let answer: Value = serde_json::from_str(&answer).unwrap();
                let matches = answer["matches"].as_array().unwrap_or_else(|| panic!("{answer}"));
                // Each batch has one document of the topic: of the first batches all are there.
                let names: Vec<&str> = matches.iter().map(|found| found["b"].as_str().unwrap()).collect();
                assert!(names.iter().all(|name| name.ends_with("-3")), "{names:?}");
                assert!(names.len() >= before, "{names:?}");
                (asked, before) = (asked + 1, names.len());
            }
            drop(lines);
            assert!(wait(&mut child).success());
            asked
        };
        let followers: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
        let mut write = || {
            for round in 1..=rounds {
                std::fs::write(workspace.path("b.jsonl"), batch(round).1).unwrap();
                let args: &[&str] = if round % 4 == 0 {
                    &["index", "compact", "x.index"]
                } else {
                    &["index", "add", "x.index", "b.jsonl", "-q", "--wait", "5"]
                };
                kill_after(start(workspace, args), Duration::from_micros(10_000 + random.below(90_000) as u64));
            }
        };
        write();
        done.store(true, std::sync::atomic::Ordering::Relaxed);
        followers.into_iter().map(|follower| follower.join().unwrap()).collect()
    });
    assert!(counts.iter().all(|&asked| asked > 2), "{counts:?}");
    workspace.dedup(&["index", "check", "x.index"]).stdout("").stderr("").exit_code(0);
    // Nothing is there by half.
    let all = exported(workspace, "x.index").unwrap();
    for round in 0..=rounds {
        let of_batch = all.matches(&format!("\"b{round}-")).count();
        assert!(of_batch == 0 || of_batch == 20, "batch {round}: {of_batch}");
    }
}

#[test]
fn a_crowd_of_equal_texts_takes_little_memory_and_is_found_as_a_whole() {
    let (equal, near) = if is_long() { (1_000_000, 100_000) } else { (20_000, 1_000) };
    let workspace = Workspace::new("crowd");
    let write = |name: &str, lines: &mut dyn Iterator<Item = String>| {
        let mut file = std::io::BufWriter::new(std::fs::File::create(workspace.path(name)).unwrap());
        lines.for_each(|line| file.write_all(line.as_bytes()).unwrap());
    };
    let long_text = text(1, 0).repeat(10);
    write("equal.jsonl", &mut (0..equal).map(|number| line(&format!("e{number}"), &text(5, 0))));
    // No two are equal, and all are similar: by the threshold, each is a candidate of every other.
    write("near.jsonl", &mut (0..near).map(|number| line(&format!("n{number}"), &format!("{long_text}{number:07}"))));
    write("q.jsonl", &mut [line("equal", &text(5, 0)), line("near", &long_text)].into_iter());
    let limited = |args: &[&str]| {
        // In KiB; the names of a million documents are the most of it.
        let mut command = workspace.limited_command("-v 3000000", args);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    limited(&["index", "build", "x.index", "equal.jsonl", "-q", "--memory", "256MiB"]);
    limited(&["index", "add", "x.index", "near.jsonl", "-q"]);
    let found = limited(&["query", "x.index", "q.jsonl", "-q"]);
    let of = |question: &str| found.lines().filter(|line| line.starts_with(&format!("{{\"a\":\"{question}\""))).count();
    assert_eq!((of("equal"), of("near")), (equal, near));
    let best = limited(&["query", "x.index", "q.jsonl", "-q", "--best", "1"]);
    assert_eq!(best.lines().count(), 2);
    // One text of the crowd is stored.
    let info: Value = serde_json::from_str(&printed(&workspace, &["index", "info", "x.index", "--json"])).unwrap();
    assert_eq!(info["texts"], near + 1);
    if is_long() {
        workspace.dedup(&["index", "check", "x.index"]).stdout("").stderr("").exit_code(0);
    }
}

const PYTHON: &str = r#"
import json, subprocess, sys
program, lines = sys.argv[1], int(sys.argv[2])
dedup = subprocess.Popen([program, "query", "x.index", "--stdin"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
answers = dedup.stdout
rest = b""
def answer():
    global rest
    while b"\n" not in rest:
        rest += answers.read(1 << 16)
    line, _, rest = rest.partition(b"\n")
    return json.loads(line)
found = 0
for number in range(lines):
    text = "The quick brown fox jumps over the lazy dog." if number % 3 == 0 else "Nothing like it."
    dedup.stdin.write((json.dumps({"id": str(number), "text": text}) + "\n").encode())
    reply = answer()
    assert reply["id"] == str(number), reply
    found += len(reply["matches"])
dedup.stdin.close()
assert dedup.wait() == 0 and answers.read() == b""
print(found)
"#;

const NODE: &str = r#"
const { spawn } = require("node:child_process");
const { createInterface } = require("node:readline");
const [program, count] = [process.argv[1], Number(process.argv[2])];
const dedup = spawn(program, ["query", "x.index", "--stdin"], { stdio: ["pipe", "pipe", "inherit"] });
const answers = createInterface({ input: dedup.stdout })[Symbol.asyncIterator]();
(async () => {
  let found = 0;
  for (let number = 0; number < count; number++) {
    const text = number % 3 == 0 ? "The quick brown fox jumps over the lazy dog." : "Nothing like it.";
    dedup.stdin.write(JSON.stringify({ id: String(number), text }) + "\n");
    const reply = JSON.parse((await answers.next()).value);
    if (reply.id !== String(number)) throw new Error(JSON.stringify(reply));
    found += reply.matches.length;
  }
  dedup.stdin.end();
  console.log(found);
})();
"#;

#[test]
fn other_languages_get_an_answer_for_each_line() {
    let lines: usize = if is_long() { 1_000_000 } else { 1500 };
    let workspace = Workspace::new("languages").file("a.jsonl", line("fox", FOX));
    workspace.dedup(&["index", "build", "x.index", "a.jsonl", "-q"]).stdout("").stderr("").exit_code(0);
    let program = workspace.command::<&str>(&[]);
    for (interpreter, flag, script) in [("python3", "-c", PYTHON), ("node", "-e", NODE)] {
        let mut command = Command::new(interpreter);
        command.args([flag, script]).arg(program.get_program()).arg(lines.to_string());
        let Ok(output) = command.current_dir(workspace.path("")).output() else {
            eprintln!("left out: {interpreter} is not there");
            continue;
        };
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{interpreter}: {stderr}");
        assert_eq!(
            String::from_utf8_lossy(&output.stdout).trim(),
            lines.div_ceil(3).to_string(),
            "{interpreter}: {stderr}"
        );
    }
}
