//! Signals while documents are added: those that were reported as added are in the index.

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;
use std::thread;

use serde_json::Value;

use crate::support::*;

/// Names of the documents of an index.
fn names_in(workspace: &Workspace, index: &str) -> HashSet<String> {
    let output = workspace.command(&["index", "export", index]).output().unwrap();
    assert!(output.status.success());
    let lines = String::from_utf8(output.stdout).unwrap();
    let name = |line: &str| {
        let record: Value = serde_json::from_str(line).unwrap();
        record["id"].as_str().unwrap_or_else(|| panic!("{line}")).to_owned()
    };
    lines.lines().map(name).collect()
}

/// Follows lines, sends signals after some answers, and looks for all documents that were answered as added.
fn trial(workspace: &Workspace, number: usize, answers: usize, signals: &[(&str, i32)]) {
    let index = format!("x{number}");
    workspace.dedup(&["index", "build", "-q", &index, "a.jsonl"]).stdout("").stderr("").exit_code(0);
    let mut command = workspace.command(&["query", &index, "--stdin", "--add", "all"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = child.stdin.take().unwrap();
    // The program ends before it has read them all.
    let writer = thread::spawn(move || {
        (0..20_000).try_for_each(|line| writeln!(lines, "{{\"id\":\"n{line}\",\"text\":\"text number {line}\"}}"))
    });
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut answered = String::new();
    for _ in 0..answers {
        stdout.read_line(&mut answered).unwrap();
    }
    signals.iter().for_each(|(name, _)| signal(&child, name));
    stdout.read_to_string(&mut answered).unwrap();
    let status = wait(&mut child);
    assert!(writer.join().unwrap().is_err(), "all lines were answered before the signal");
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    let added: HashSet<String> = answered
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .filter(|answer| answer["added"] == true)
        .map(|answer| answer["id"].as_str().unwrap().to_owned())
        .collect();
    assert!(added.len() >= answers);
    let stored = names_in(workspace, &index);
    let lost = added.difference(&stored).count();
    assert_eq!(lost, 0, "{signals:?} after {answers}: of {} documents {lost} are not in the index", added.len());
    assert!(signals.iter().any(|&(_, number)| status.code() == Some(128 + number)), "{status}");
    assert!(stderr.ends_with("; the documents that were reported as added are in the index\n"), "{stderr}");
}

#[test]
fn documents_that_were_answered_as_added_are_kept() {
    let (hup, int, term) = (("HUP", 1), ("INT", 2), ("TERM", 15));
    let workspace = Workspace::new("signal_follow").file("a.jsonl", format!("{{\"id\":\"fox\",\"text\":{FOX:?}}}\n"));
    let mut number = 0;
    for answers in [1, 30, 300] {
        for signals in [&[hup][..], &[int], &[term], &[hup, term]] {
            trial(&workspace, number, answers, signals);
            number += 1;
        }
    }
}
