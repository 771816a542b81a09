//! How a run ends: exit codes, full disks, closed pipes and interrupts.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};

use crate::support::*;

#[test]
fn exit_code_tells_whether_pairs_were_found() {
    let corpus = Workspace::new("exit_code").file("a", FOX).file("b", FOX).file("c", LOREM).file("bad", b"\xFF");
    let error = "dedup: bad: not valid UTF-8 at byte 0; read it with --encoding LABEL or --invalid replace\n";
    corpus.dedup(&["scan", "-q", "a", "b"]).pairs(&["a b"]).stderr("").exit_code(0);
    corpus.dedup(&["scan", "-q", "a", "b", "--exit-code"]).pairs(&["a b"]).stderr("").exit_code(1);
    corpus.dedup(&["scan", "-q", "a", "c", "--exit-code"]).pairs(&[]).stderr("").exit_code(0);
    corpus.dedup(&["scan", "-q", "a", "b", "bad", "--exit-code"]).pairs(&["a b"]).stderr(error).exit_code(3);
    corpus
        .dedup(&["scan", "-q", "a", "b", "nope", "--exit-code"])
        .pairs(&["a b"])
        .stderr("dedup: nope: no such file or folder; check the path\n")
        .exit_code(3);
}

#[test]
fn a_full_disk_is_a_failure_of_standard_output() {
    let corpus = Workspace::new("full").file("a", FOX).file("b", FOX);
    let full = File::options().write(true).open("/dev/full").unwrap();
    let output = corpus.command(&["scan", "."]).stdout(full).output().unwrap();
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "dedup: standard output: cannot write: No space left on device; \
         the output is incomplete, run again\n"
    );
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_closed_pipe_ends_the_run_quietly() {
    // 500 copies make 124,750 lines, far more than a pipe holds.
    let line = format!("{{\"text\":{FOX:?}}}\n");
    let corpus = Workspace::new("closed").file("c.jsonl", line.repeat(500));
    let mut command = corpus.command(&["scan", "c.jsonl"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = String::new();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdout.read_line(&mut first).unwrap();
    drop(stdout);
    assert_eq!(first, copies("c.jsonl:1", "c.jsonl:2", 36));
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!(stderr, "");
    assert_eq!(wait(&mut child).code(), Some(0));
}

#[test]
fn a_closed_standard_error_is_no_failure() {
    let corpus = Workspace::new("closed_stderr").file("a", FOX).file("b", FOX);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = corpus.command(&["scan", "."]).stderr(writer).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), copies("a", "b", 36));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn an_interrupt_while_standard_input_is_read_leaves_nothing() {
    let corpus = Workspace::new("interrupt");
    let mut command = corpus.command(&["scan", "-", "--input-format", "jsonl"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A pipe holds far less than this, so once it is written the program is copying it to its spool.
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&vec![b'\n'; 4 << 20]).unwrap();
    corpus.assert_no_temporary_files();
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let status = wait(&mut child);
    drop(stdin);
    let (mut stdout, mut stderr) = (String::new(), String::new());
    child.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!((stdout.as_str(), stderr.as_str()), ("", "dedup: interrupted; the output is incomplete\n"));
    assert_eq!(status.code(), Some(130));
    corpus.assert_no_temporary_files();
}

#[test]
fn an_interrupt_while_pairs_are_written_ends_between_two_lines() {
    let line = format!("{{\"text\":{FOX:?}}}\n");
    let corpus = Workspace::new("interrupt_write").file("c.jsonl", line.repeat(1000));
    let mut command = corpus.command(&["scan", "-q", "c.jsonl"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut lines = String::new();
    stdout.read_line(&mut lines).unwrap();
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    stdout.read_to_string(&mut lines).unwrap();
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!(wait(&mut child).code(), Some(130));
    assert_eq!(stderr, "dedup: interrupted; the output is incomplete\n");
    assert!(lines.ends_with("}\n") && lines.lines().count() < 1000 * 999 / 2, "{} lines", lines.lines().count());
}

#[test]
fn a_summary_that_cannot_be_written_fails_before_any_work() {
    let corpus = Workspace::new("bad_summary").file("a", FOX).file("b", FOX).folder("d");
    for (path, why) in [("nope/s.json", "No such file or directory"), ("d", "Is a directory")] {
        let message = format!("dedup: {path}: cannot write the summary: {why}; check --summary\n");
        corpus.dedup(&["scan", ".", "--summary", path]).stdout("").stderr(&message).exit_code(2);
    }
    let full = "dedup: /dev/full: cannot write the summary: No space left on device; check --summary\n";
    corpus.dedup(&["scan", "-q", ".", "--summary", "/dev/full"]).pairs(&["a b"]).stderr(full).exit_code(2);
    assert!(!fs::exists(corpus.path("nope")).unwrap());
}

#[test]
fn a_folder_for_temporary_files_that_is_missing_is_told() {
    let corpus = Workspace::new("no_tmp");
    let output = corpus
        .command(&["scan", "-", "--input-format", "text"])
        .env("TMPDIR", "/nope")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.starts_with("dedup: -: cannot keep a copy of standard input in /nope: "), "{stderr}");
    assert!(
        stderr.ends_with("; set TMPDIR to a writable folder with enough space\n") && stderr.lines().count() == 1,
        "{stderr}"
    );
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn without_a_folder_for_temporary_files_a_run_is_not_done_and_says_why_once() {
    let members = zip_of("a.txt");
    let zipped = String::from("x.zip");
    for (args, place, file) in [
        (vec!["scan", "-", "--input-format", "zip"], "-: cannot keep a copy of standard input", members.clone()),
        (vec!["scan", "x.zip"], "x.zip!a.txt: cannot keep a copy of its text", members.clone()),
        (vec!["scan", ".", "--filter", "zip=cat"], "x.zip: cannot keep a copy of its text", members),
    ] {
        let corpus = Workspace::new("no_tmp_at_all").file(&zipped, &file).stdin(&file);
        for (folder, why) in [("/nope", "there is no such folder"), ("/proc", "no file can be made there")] {
            let run = corpus.dedup_with(&args, "TMPDIR", folder);
            let message = format!("in {folder}: {why}; set TMPDIR to a writable folder with enough space");
            run.stdout("").stderr(&format!("dedup: {place} {message}\n")).exit_code(2);
        }
    }
}

#[test]
fn a_full_folder_for_temporary_files_is_told_as_well() {
    let text = "x".repeat(5000);
    for (args, place) in [
        (["scan", "a.x", "--filter", "x=cat"], "a.x: cannot keep a copy of its text"),
        (["scan", "b.zip", "--threads", "1"], "b.zip!a: cannot keep a copy of its text"),
    ] {
        let zipped = crate::packing::zip(&[("a", text.as_bytes())], Default::default());
        let corpus = Workspace::new("full_tmp").file("a.x", &text).file("b.zip", zipped);
        let program = corpus.command(&args);
        // Files may have a kilobyte, and no signal says so.
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", "ulimit -f 1; trap '' XFSZ; exec \"$0\" \"$@\""]).arg(program.get_program());
        let output = shell.args(program.get_args()).current_dir(corpus.path("")).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.starts_with(&format!("dedup: {place} in ")) && stderr.lines().count() == 1, "{stderr}");
        assert!(stderr.ends_with("; set TMPDIR to a writable folder with enough space\n"), "{stderr}");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    }
}

fn zip_of(name: &str) -> Vec<u8> {
    crate::packing::zip(&[(name, FOX.as_bytes())], Default::default())
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_may_not_grow_is_named() {
    let corpus = Workspace::new("file_size").file("a", FOX).file("b", FOX);
    let run = corpus.dedup_limited("-f 0", &["scan", "-q", "a", "b", "--summary", "s.json"]);
    let message = "dedup: s.json: cannot write the summary: File too large; check --summary\n";
    run.pairs(&["a b"]).stderr(message).exit_code(2);
    assert_eq!(corpus.names(), ["a", "b"]);
}
