//! The standard streams: closed, full, a terminal; and signals that are to stay ignored.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;

use crate::support::*;

#[test]
fn a_closed_standard_output_is_a_failure_of_every_command() {
    let corpus = Workspace::new("closed_stdout").file("a", FOX).file("b", FOX);
    let message = "dedup: standard output: not open for writing; redirect it to a file, a program or /dev/null\n";
    for args in
        ["scan a b", "scan a --summary s.json", "scan . --list-documents", "curve", "--help", "--version", "help scan"]
    {
        for closed in [">&-", "1< a"] {
            corpus.shell(&format!("$D {args} {closed}")).stdout("").stderr(message).exit_code(2);
        }
    }
    assert_eq!(corpus.names(), ["a", "b"]);
    // What is given away on purpose is not closed, however it is open.
    for away in ["> /dev/null", "1<> /dev/null"] {
        corpus.shell(&format!("$D scan -q a b {away}")).stdout("").stderr("").exit_code(0);
    }
    corpus.shell("$D scan a b >&- 2>&-").stdout("").stderr("").exit_code(2);
    corpus.shell("$D scan -q a b <&-").pairs(&["a b"]).stderr("").exit_code(0);
}

#[test]
fn a_closed_standard_input_that_is_to_be_read_is_a_failure() {
    let corpus = Workspace::new("closed_stdin").file("a", FOX);
    let message = "dedup: -: standard input is not open for reading; redirect a file or a pipe to it, or remove `-`\n";
    for args in ["scan a -", "scan --files-from -", "scan a --template -"] {
        corpus.shell(&format!("$D {args} <&-")).stdout("").stderr(message).exit_code(2);
    }
}

#[test]
fn a_full_disk_is_a_failure_of_help_too() {
    let corpus = Workspace::new("full_help");
    let message = "dedup: standard output: cannot write: No space left on device; \
                   the output is incomplete, run again\n";
    for args in ["--help", "-h", "--version", "help scan", "scan --help", "curve", "curve --json"] {
        corpus.shell(&format!("$D {args} > /dev/full")).stdout("").stderr(message).exit_code(2);
    }
}

/// Runs a script until it has opened the FIFO `f`, does `meanwhile`, and gives it a document; its exit code.
fn with_fifo(corpus: &Workspace, script: &str, meanwhile: impl FnOnce(&std::process::Child)) -> Option<i32> {
    let mut child = corpus.script(script).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    // Opened when the program has opened the other end, and so is at work.
    let mut fifo = File::options().write(true).open(corpus.path("f")).unwrap();
    meanwhile(&child);
    // Of no interest to a program that has ended.
    let _ = fifo.write_all(FOX.as_bytes());
    drop(fifo);
    wait(&mut child).code()
}

#[test]
fn signals_that_are_ignored_stay_so() {
    for (name, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let corpus = Workspace::new("ignored").fifo("f");
        let ignoring = format!("trap '' {name}; exec $D scan f --input-format text");
        assert_eq!(with_fifo(&corpus, &ignoring, |child| signal(child, name)), Some(0), "{name}");
        // The same, when it is not ignored.
        let status = {
            let mut child = corpus.script("exec $D scan f --input-format text").stderr(Stdio::null()).spawn().unwrap();
            let fifo = File::options().write(true).open(corpus.path("f")).unwrap();
            signal(&child, name);
            let status = wait(&mut child);
            drop(fifo);
            status
        };
        assert_eq!(status.code(), Some(code), "{name}");
    }
}

#[test]
fn a_background_job_of_a_script_is_not_interrupted() {
    let corpus = Workspace::new("background").fifo("f");
    // Jobs in the background of a script ignore interrupts; the shell sends one to the job that has opened the FIFO.
    let script = "$D scan -q f --input-format text & exec 3> f; kill -INT $!; echo text >&3; exec 3>&-; wait $!";
    corpus.shell(script).stdout("").stderr("").exit_code(0);
}

/// Both ends of a new terminal: what a person sees and types, and what a program has.
pub(crate) fn terminal() -> (File, File) {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    let person = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&person).unwrap();
    unlockpt(&person).unwrap();
    let name = ptsname(&person, Vec::new()).unwrap().into_string().unwrap();
    let program =
        rustix::fs::open(name, rustix::fs::OFlags::RDWR | rustix::fs::OFlags::NOCTTY, rustix::fs::Mode::empty());
    (person.into(), program.unwrap().into())
}

#[test]
fn waiting_for_standard_input_on_a_terminal_is_told_once() {
    let corpus = Workspace::new("terminal_input").file("list", FOX);
    for args in [&["scan", "-", "--input-format", "text"][..], &["scan", "--files-from", "-"]] {
        let (mut person, terminal) = terminal();
        let mut command = corpus.command(args);
        let mut child = command.stdin(terminal).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        drop(command);
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        stderr.read_line(&mut line).unwrap();
        assert_eq!(line, "dedup: -: reading standard input from the terminal; end it with Ctrl-D\n");
        person.write_all(b"list\n\x04").unwrap();
        let mut rest = String::new();
        stderr.read_to_string(&mut rest).unwrap();
        assert!(rest.starts_with("0 similar pairs among 1 document ") && !rest.contains("dedup:"), "{rest}");
        assert_eq!(wait(&mut child).code(), Some(0));
    }
    corpus.shell("printf 'list' | $D scan - --input-format text -q").stdout("").stderr("").exit_code(0);
}

#[test]
fn waiting_for_a_fifo_on_a_terminal_is_told_once() {
    let corpus = Workspace::new("terminal_fifo").fifo("f");
    let (person, terminal) = terminal();
    let mut command = corpus.command(&["scan", "f", "--input-format", "text"]);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(terminal).spawn().unwrap();
    drop(command);
    let mut person = BufReader::new(person);
    let mut line = String::new();
    person.read_line(&mut line).unwrap();
    assert_eq!(line.trim_end(), "dedup: f: waiting for a program that writes to this FIFO");
    std::fs::write(corpus.path("f"), FOX).unwrap();
    let mut rest = Vec::new();
    // A terminal whose last program has ended fails when it is read.
    let _ = person.read_to_end(&mut rest);
    assert!(!String::from_utf8_lossy(&rest).contains("waiting"));
    assert_eq!(wait(&mut child).code(), Some(0));
    // Nobody to be told.
    assert_eq!(with_fifo(&corpus, "exec $D scan f --input-format text", |_| ()), Some(0));
}

#[test]
fn no_name_has_an_effect_on_a_terminal() {
    const NAME: &str = "a\u{1B}[31m\u{202E}\u{9B}\u{2066}.txt";
    let corpus = Workspace::new("terminal_names").file(NAME, FOX).file("b.txt", FOX);
    let formats =
        ["text", "csv", "tsv", "markdown", "dot", "github", "jsonl"].map(|format| ["scan", "-f", format, "."]);
    let commands: [&[&str]; 7] = [
        &["."],
        &["scan", ".", "--list-documents"],
        &["cluster", "-f", "csv", "."],
        &["cluster", "."],
        &["explain", NAME, "b.txt"],
        &["unique", ".", "--dry-run", "--removed", "-"],
        &["plan", "."],
    ];
    for args in formats.iter().map(|args| &args[..]).chain(commands) {
        let (mut person, terminal) = terminal();
        let mut command = corpus.command(args);
        command.env("NO_COLOR", "1").stdout(terminal.try_clone().unwrap()).stderr(terminal);
        let mut child = command.stdin(Stdio::null()).spawn().unwrap();
        drop(command);
        let mut shown = Vec::new();
        // A terminal whose program has ended fails to be read.
        let _ = person.read_to_end(&mut shown);
        wait(&mut child);
        let shown = String::from_utf8(shown).unwrap();
        let harmful = |c: char| matches!(c, '\u{202E}' | '\u{9B}' | '\u{2066}');
        assert!(
            shown.contains("b.txt") && !shown.contains(harmful) && !shown.contains("\u{1B}[31m"),
            "{args:?}: {shown:?}"
        );
    }
    // A pipe gets every name as it is.
    let look = |text: &str| assert!(text.contains(NAME), "{text:?}");
    corpus.dedup(&["scan", "-q", "-f", "csv", "."]).stdout_with(look).stderr("").exit_code(0);
}
