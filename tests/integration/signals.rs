//! Signals while documents are added: those that were reported as added are in the index.

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

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

/// Sends a signal to a command on an index some time after its start. Returns its exit code and what it wrote on stderr.
fn interrupted(workspace: &Workspace, args: &[&str], after: Duration, name: &str) -> (Option<i32>, String) {
    let mut child = workspace.command(args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    thread::sleep(after);
    signal(&child, name);
    let status = wait(&mut child);
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    (status.code(), stderr)
}

/// A command that changes an index is done or not done, whenever a signal ends it, and the index is whole.
#[test]
fn an_index_is_whole_whenever_a_signal_ends_a_change() {
    let records = |prefix: &str, number: usize| -> String {
        (0..number).map(|id| format!("{{\"id\":\"{prefix}{id}\",\"text\":\"text {id} {FOX}\"}}\n")).collect()
    };
    let workspace = Workspace::new("signal_changes")
        .file("a.jsonl", records("a", 300))
        .file("b.jsonl", records("b", 6000))
        .file("list", (0..200).map(|id| format!("a{id}\n")).collect::<String>());
    let (mut num_ended, mut num_done) = (0, 0);
    let signals = ["HUP", "INT", "TERM"];
    for trial in 0..24 {
        let (index, name) = (format!("x{trial}"), signals[trial % 3]);
        workspace.dedup(&["index", "build", "-q", &index, "a.jsonl"]).stdout("").stderr("").exit_code(0);
        let before = names_in(&workspace, &index);
        let removes = trial % 2 == 1;
        let args: &[&str] = match removes {
            true => &["index", "remove", &index, "--ids-from", "list"],
            false => &["index", "add", "-q", &index, "b.jsonl"],
        };
        let after = Duration::from_millis((trial as u64 / 2) * if removes { 2 } else { 12 });
        let (code, stderr) = interrupted(&workspace, args, after, name);
        workspace.dedup(&["index", "check", &index]).stdout_with(|_| ()).stderr_with(|_| ()).exit_code(0);
        let stored = names_in(&workspace, &index);
        if code == Some(0) {
            num_done += 1;
            assert_eq!(stored.len(), if removes { 100 } else { 6300 }, "{args:?} {name} {stderr}");
        } else {
            num_ended += 1;
            // Older documents stay. A removal is done or not, and documents are added in batches.
            let number = signals.iter().position(|other| *other == name).map(|at| [1, 2, 15][at]).unwrap();
            // A signal may come before the program handles signals.
            assert!(code.is_none_or(|code| code == 128 + number), "{code:?} {args:?} {name} {stderr}");
            match removes {
                true => assert!(stored.len() == 300 || stored.len() == 100, "{} {stderr}", stored.len()),
                false => assert!(stored.is_superset(&before), "{stderr}"),
            }
        }
    }
    assert!(num_ended > 0 && num_done + num_ended == 24, "{num_ended} of 24 were ended by a signal");
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
