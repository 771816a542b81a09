//! Faults of a disk at every step of every command that writes an index: what was acknowledged is there, and nothing is there by
//! half. A library that the test compiles stands between the program and the system, and lets one write or sync fail.

use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::index_restored::exported;
use crate::support::*;

const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/integration/index_faults.c");

/// The library; `None` where it cannot be compiled.
fn library(folder: &Path) -> Option<PathBuf> {
    let library = folder.join("faults.so");
    let compiled =
        Command::new("cc").args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(SOURCE).arg("-ldl").status();
    compiled.is_ok_and(|status| status.success()).then_some(library)
}

fn line(id: &str, text: &str) -> String {
    format!("{}\n", serde_json::json!({ "id": id, "text": text }))
}

/// A command, and the index that it makes or changes.
struct FaultyCommand {
    args: &'static [&'static str],
    index: &'static str,
}

const COMMANDS: [FaultyCommand; 6] = [
    FaultyCommand { args: &["index", "build", "new.index", "b.jsonl", "-q", "--for-containment"], index: "new.index" },
    FaultyCommand { args: &["index", "add", "x.index", "b.jsonl", "-q", "--known", "replace"], index: "x.index" },
    FaultyCommand { args: &["index", "remove", "x.index", "--where-prefix", "a1", "-q"], index: "x.index" },
    FaultyCommand { args: &["index", "compact", "x.index"], index: "x.index" },
    FaultyCommand { args: &["index", "merge", "new.index", "x.index", "y.index", "-q"], index: "new.index" },
    FaultyCommand {
        args: &["query", "x.index", "b.jsonl", "--add", "unseen", "-q", "--known", "skip"],
        index: "x.index",
    },
];

/// A workspace in which every command has something to do.
fn prepared() -> Workspace {
    let records = |prefix: &str, numbers: std::ops::Range<usize>| -> String {
        numbers
            .map(|number| line(&format!("{prefix}{number}"), &format!("{LOREM} {FOX} {}", number * number * 977)))
            .collect()
    };
    let workspace = Workspace::new("faults")
        .file("a.jsonl", records("a", 0..30))
        .file("more.jsonl", records("a", 30..40))
        .file("b.jsonl", records("b", 40..60) + &line("a5", CAT))
        .file("c.jsonl", records("c", 60..70));
    for args in [
        &["index", "build", "x.index", "a.jsonl", "-q", "--for-containment"][..],
        &["index", "add", "x.index", "more.jsonl", "-q"],
        &["index", "remove", "x.index", "a7", "-q"],
        &["index", "build", "y.index", "c.jsonl", "-q", "--for-containment"],
    ] {
        workspace.dedup(args).stdout("").stderr("").exit_code(0);
    }
    workspace
}

/// Puts the files of the indexes in place of those that are there.
fn restore(workspace: &Workspace, kept: &[(String, Vec<u8>)]) {
    for name in workspace.names().into_iter().filter(|name| name.contains(".index") || name == "done") {
        std::fs::remove_file(workspace.path(&name)).unwrap();
    }
    kept.iter().for_each(|(name, bytes)| std::fs::write(workspace.path(name), bytes).unwrap());
}

#[test]
fn a_fault_at_any_step_loses_nothing_that_was_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let Some(library) = library(folder.path()) else { return eprintln!("left out: cc is not there") };
    let workspace = prepared();
    let kept: Vec<(String, Vec<u8>)> =
        ["x.index", "y.index"].map(|name| (name.to_owned(), std::fs::read(workspace.path(name)).unwrap())).to_vec();
    for FaultyCommand { args, index } in COMMANDS {
        restore(&workspace, &kept);
        let before = exported(&workspace, index);
        assert!(workspace.command(args).output().unwrap().status.success(), "{args:?}");
        let after = exported(&workspace, index);
        let mut num_steps = 0;
        // What a command has done when it ends well is on the disk.
        restore(&workspace, &kept);
        let mut command = workspace.command(args);
        command.env("LD_PRELOAD", &library).env("FAULT_PART", index).env("FAULT_KIND", "exit");
        assert!(command.output().unwrap().status.success(), "{args:?}");
        assert_eq!(exported(&workspace, index), after, "{args:?}: what was acknowledged is lost");
        workspace.dedup(&["index", "check", index]).stdout("").stderr("").exit_code(0);
        for kind in ["error", "full", "kill", "lose", "log", "index"] {
            // All of them: DEDUP_LONG=1 cargo test --test integration index_faults
            let stride = if is_long() { 1 } else { (num_steps / 4).max(13) };
            for step in (1..).step_by(stride) {
                restore(&workspace, &kept);
                let mut command = workspace.command(args);
                command.env("LD_PRELOAD", &library).env("FAULT_PART", index).env("FAULT_AT", step.to_string());
                command.env("FAULT_KIND", kind).env("FAULT_DONE", workspace.path("done"));
                let output = command.output().unwrap();
                let context = format!("{args:?}: {kind} at {step}: {}", String::from_utf8_lossy(&output.stderr));
                if !workspace.path("done").exists() {
                    assert!(output.status.success() && step > 1, "{context}");
                    num_steps = step;
                    break;
                }
                let is_killed = output.status.signal() == Some(9);
                assert_eq!(is_killed, !matches!(kind, "error" | "full"), "{context}");
                let found = exported(&workspace, index);
                assert!(found == before || found == after, "{context}: {found:?}");
                if output.status.success() {
                    assert_eq!(found, after, "{context}");
                } else if !is_killed {
                    // One line that says what, where, and what to do.
                    let stderr = String::from_utf8_lossy(&output.stderr);
                    let is_one = stderr.lines().count() == 1 && stderr.starts_with("dedup: ") && stderr.contains(index);
                    assert!(is_one && output.status.code() == Some(2), "{context}");
                    assert!(kind != "full" || stderr.contains("space"), "{context}");
                }
                if workspace.path(index).exists() {
                    workspace.dedup(&["index", "check", index]).stdout("").stderr("").exit_code(0);
                }
                // The same command again finishes it, unless it makes what is there.
                if found.is_none() || index == "x.index" {
                    let again = workspace.command(args).output().unwrap();
                    assert!(again.status.success(), "{context}: {}", String::from_utf8_lossy(&again.stderr));
                    assert_eq!(exported(&workspace, index), after, "{context}");
                    workspace.dedup(&["index", "check", index]).stdout("").stderr("").exit_code(0);
                }
            }
        }
        assert!(num_steps > 5, "{args:?}: {num_steps}");
    }
}
