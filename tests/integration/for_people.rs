//! What a person sees on a terminal: every command that prints pairs or groups, at 80 and 120 columns, as golden text.

use std::fs::File;
use std::io::{Read, Write};
use std::process::Stdio;

use super::streams::terminal;
use super::support::{Workspace, signal, wait};
use crate::support::{CAT, FOX, LOREM};

/// Two copies, three related texts, and one text of its own.
fn corpus(name: &'static str) -> Workspace {
    let line = |number: usize| format!("Line {number} of a text that is long enough for everyone.\n");
    let text: String = (0..40).map(line).collect();
    let paragraph =
        |number: usize| format!("Paragraph {number} says something about another subject, anyone can read it.\n");
    let draft: String = (0..40).map(paragraph).collect();
    Workspace::new(name)
        .file("docs/a/plain.txt", &text)
        .file("docs/a/plain-copy.txt", &text)
        .file("docs/b/first-draft.txt", draft.replace("Paragraph 7 says", "The seventh paragraph tells"))
        .file("docs/b/second-draft.txt", &draft)
        .file("docs/b/final.txt", format!("{draft}And a last line, which no draft has.\n"))
        .file("docs/other.txt", "Nothing that is said here is said by any other document of this folder.\n")
}

/// What appears on a terminal of this size, colours as `<1>` to `<0>`, and the exit code.
pub(crate) fn seen(corpus: &Workspace, args: &[&str], columns: u16) -> (String, Option<i32>) {
    seen_with(corpus, args, columns, &[], &[])
}

/// Returns the same as [`seen`], with variables of the environment set.
///
/// * `answers`: lines that the person types, one after each question.
pub(crate) fn seen_with(
    corpus: &Workspace,
    args: &[&str],
    columns: u16,
    variables: &[(&str, &str)],
    answers: &[&str],
) -> (String, Option<i32>) {
    let (mut person, program) = terminal();
    let size = rustix::termios::Winsize { ws_col: columns, ws_row: 24, ws_xpixel: 0, ws_ypixel: 0 };
    rustix::termios::tcsetwinsize(&program, size).unwrap();
    let stream = || Stdio::from(program.try_clone().unwrap());
    let mut command = corpus.command(args);
    command.env("TERM", "xterm-256color").env_remove("NO_COLOR").env_remove("COLUMNS").env_remove("LINES");
    command.envs(variables.iter().copied());
    let mut child = command.stdin(stream()).stdout(stream()).stderr(stream()).spawn().unwrap();
    drop(command);
    drop(program);
    let answers: Vec<String> = answers.iter().map(|answer| format!("{answer}\n")).collect();
    let reader = std::thread::spawn(move || read_all(&mut person, answers));
    let code = wait(&mut child).code();
    let text = reader.join().unwrap().replace("\r\n", "\n");
    let colours = regex::Regex::new("\x1b\\[([0-9;]*)m").unwrap().replace_all(&text, "<$1>").into_owned();
    (regex::Regex::new(r" in \d+\.\d\d s\b").unwrap().replace_all(&colours, " in <time>").into_owned(), code)
}

/// A terminal whose last program has ended gives an error instead of an end.
fn read_all(person: &mut File, answers: Vec<String>) -> String {
    let (mut text, mut buffer) = (Vec::new(), [0; 4096]);
    let mut answers = answers.into_iter();
    while let Ok(len @ 1..) = person.read(&mut buffer) {
        text.extend_from_slice(&buffer[..len]);
        if text.ends_with(b"?] ") {
            let answer = answers.next().expect("there is an answer for each question");
            person.write_all(answer.as_bytes()).unwrap();
        }
    }
    String::from_utf8(text).unwrap()
}

#[test]
fn a_folder_is_a_view_for_people() {
    let corpus = corpus("view");
    let view = "<2>similar  in docs/<0>\n\
        <1;32>  100 %<0>  a/plain-copy.txt  …/plain.txt\n\
        <1;33> 91.5 %<0>  <1>3 documents<0>, 83.2 to 91.5 % similar\n\
        \x20          b/final.txt\n\
        \x20 <2> 90.3 %<0>  b/first-draft.txt  <2>with b/second-draft.txt<0>\n\
        \x20 <2> 91.5 %<0>  b/second-draft.txt\n\
        <2>dedup explain A B shows two of them side by side<0>\n\
        4 similar pairs among 6 documents (12.75 kB) in <time>; 99.96 % of the pairs at 80 % are found\n";
    assert_eq!(seen(&corpus, &["docs"], 120), (view.to_owned(), Some(0)));
    // The summary is broken between its two facts where the terminal would break a word.
    assert_eq!(seen(&corpus, &["docs"], 80), (view.replace("; 99", "\n99"), Some(0)));
    let nothing = "0 similar pairs among 2 documents (2.90 kB) in <time>\n99.96 % of the pairs at 80 % are found\n\
                   dedup: hint: try --preset prose: it finds copied passages\n";
    assert_eq!(seen(&corpus, &["docs/other.txt", "docs/b/second-draft.txt"], 80), (nothing.to_owned(), Some(0)));
    let sarif = "dedup: --format sarif: made for programs, not for a terminal; write it to a file, as in --format \
                 sarif=report.sarif\n";
    assert_eq!(seen(&corpus, &["docs", "-f", "sarif"], 80), (sarif.to_owned(), Some(2)));
}

#[test]
fn what_to_try_fits_the_documents_and_was_not_given() {
    let (program, other) =
        ("def area(width, height):\n    return width * height\n", "class Pond:\n    depth = \"low\"\n");
    let corpus = Workspace::new("to_try")
        .file("prose/a.txt", FOX)
        .file("prose/b.txt", "Nobody on the quay remembered who had lit the lamp at the end of the pier.")
        .file("code/a.py", program)
        .file("code/b.py", other)
        .file("records.jsonl", "{\"id\":1,\"text\":\"one of them\"}\n{\"id\":2,\"text\":\"another one\"}\n");
    for (args, line) in [
        ("prose", "dedup: hint: try --preset prose: it finds copied passages"),
        ("cluster prose", "dedup: hint: try --preset prose: it finds copied passages"),
        ("prose -t 0.5", "dedup: hint: try --preset prose without --threshold: it finds copied passages"),
        (
            "prose --preset revisions",
            "dedup: hint: try --preset prose without --preset revisions: it finds copied passages",
        ),
        ("prose --preset prose", "dedup: hint: try --coverage 0.05"),
        ("code", "dedup: hint: try --preset code: it compares programs"),
        ("compare code/a.py --against code/b.py", "dedup: hint: try --preset code: it compares programs"),
        ("code --preset code", "dedup: hint: try --threshold 0.3"),
        ("code --preset code -t 0.3", "dedup: hint: try --threshold 0.15"),
        ("records.jsonl", "dedup: hint: try --threshold 0.5"),
        ("records.jsonl -t 0.7", "dedup: hint: try --threshold 0.3"),
        ("records.jsonl -t 0.1", ""),
        ("prose code/a.py code/b.py records.jsonl -q", ""),
    ] {
        let words: Vec<&str> = args.split(' ').collect();
        let (text, _) = seen(&corpus, &words, 120);
        assert_eq!(
            text.lines().find(|line| line.starts_with("dedup: hint: ")).unwrap_or_default(),
            line,
            "{args}: {text}"
        );
    }
}

/// Whether a line of standard error is part of the summary: a sentence, or a row of a name and a value.
fn is_of_summary(line: &str) -> bool {
    let (name, value) = line.split_at_checked(11).unwrap_or((line, ""));
    let is_row = name.trim_end().chars().all(|c| c.is_ascii_lowercase()) && !value.starts_with(' ');
    is_row || line.contains(" in <time>") || line.ends_with(" are found")
}

#[test]
fn a_line_that_is_no_message_is_the_summary() {
    let corpus = corpus("lines_of_stderr").file("docs/.gitignore", "final.txt\n").file("docs/image.png", b"\x89PNG\0");
    for args in [
        "scan docs -o 1.jsonl --summary 1.json",
        "scan docs -o 2.jsonl --stats",
        "scan docs --save result",
        "scan docs -f html=page.html",
        "scan docs/other.txt docs/b/final.txt",
        "scan docs -o 3.jsonl --top 1 --min-containment 0.9",
        "compare docs/a --against docs/b -o 4.jsonl",
        "cluster docs -o 5.jsonl",
        "unique docs --output clean",
        "plan docs -o plan.sh",
        "baseline result -o accepted.jsonl",
        "scan docs -o 6.jsonl --baseline accepted.jsonl",
        "scan docs -o 7.jsonl --fail-over 1",
        "index build docs.index docs",
        "index add docs.index docs",
        "index remove docs.index docs/other.txt nowhere",
        "query docs.index docs -o 8.jsonl",
        "query docs.index docs -o 9.jsonl --stats",
        "scan docs nowhere -o 10.jsonl",
    ] {
        let words: Vec<&str> = args.split(' ').collect();
        let (text, _) = seen(&corpus, &words, 200);
        let is_allowed = |line: &str| line.starts_with("dedup: ") || line.starts_with(' ') || is_of_summary(line);
        assert!(text.lines().all(is_allowed), "{args}: {text}");
        assert!(!text.is_empty(), "{args}");
    }
}

#[test]
fn a_record_among_files_does_not_keep_the_folder_in_their_names() {
    let corpus = Workspace::new("record_among_files")
        .file("news/a.txt", FOX)
        .file("news/old/b.txt", FOX)
        .file("news/r.jsonl", format!("{{\"id\":\"17\",\"text\":\"{FOX}\"}}\n"));
    let view = "Near-duplicates: 3 pairs of 3 documents in 1 group; 3 documents compared, at or above 80 %\n\
                in news/\n  100 %  3 documents\n           a.txt\n    100 %  old/b.txt\n    100 %  17\n";
    corpus.dedup(&["news", "-q"]).stdout(view).stderr("").exit_code(0);
    let groups = "Near-duplicates: 1 group of 3 documents; 3 documents compared, at or above 80 %\n\
                  in news/\n  100 %  3 documents\n           a.txt\n    100 %  old/b.txt\n    100 %  17\n";
    corpus.dedup(&["cluster", "news", "-q", "-f", "text"]).stdout(groups).stderr("").exit_code(0);
    // Pairs that are shown one by one, with their passages.
    let look = |view: &str| {
        for line in ["in news/", "  100 %  a.txt      old/b.txt", "  100 %  a.txt      17"] {
            assert!(view.lines().any(|shown| shown == line), "{line}\n{view}");
        }
    };
    corpus.dedup(&["news", "-q", "--show-passages"]).stdout_with(look).stderr("").exit_code(0);
}

#[test]
fn groups_for_people_begin_with_the_largest() {
    let (a, b) = (FOX.repeat(9), format!("{} and more", FOX.repeat(9)));
    let corpus = Workspace::new("largest_groups")
        .file("1", &a)
        .file("2", &b)
        .file("3", LOREM)
        .file("4", LOREM)
        .file("5", LOREM)
        .file("6", CAT.replace(' ', ""))
        .file("7", CAT.replace(' ', ""));
    let first = |args: &[&str], expected: [&str; 3]| {
        let look = |view: &str| {
            let at = |name: &str| view.lines().position(|line| line.trim() == name).unwrap();
            assert!(expected.is_sorted_by_key(|name| at(name)), "{args:?} {view}");
        };
        let args = [&["cluster", "-q", "-t", "0.5", "1", "2", "3", "4", "5", "6", "7"], args].concat();
        corpus.dedup(&args).stdout_with(look).stderr("").exit_code(0);
    };
    first(&["-f", "text"], ["3", "6", "1"]);
    first(&["-f", "text", "--top", "3"], ["3", "6", "1"]);
    first(&["-f", "text", "--sort", "size"], ["3", "1", "6"]);
    first(&["-f", "text", "--sort", "order"], ["1", "3", "6"]);
    let lines = |lines: &str| {
        let members: Vec<_> =
            lines.lines().map(|line| line.split_once("members\":[\"").unwrap().1[..1].to_owned()).collect();
        assert_eq!(members, ["1", "3", "6"], "{lines}");
    };
    let args = ["cluster", "-q", "-t", "0.5", "1", "2", "3", "4", "5", "6", "7", "-f", "text=view.txt"];
    corpus.dedup(&args).stdout_with(lines).stderr("").exit_code(0);
}

#[test]
fn lines_on_a_terminal_are_followed_by_a_word_for_people() {
    let corpus = corpus("lines");
    for args in [&["scan", "docs/a"][..], &["docs/a", "-f", "jsonl"], &["scan", "docs/a", "-f", "json"]] {
        let (text, code) = seen(&corpus, args, 80);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!((lines.len(), code), (4, Some(0)), "{text}");
        assert!(lines[0].starts_with("{\"a\":\"docs/a/plain-copy.txt\"") && lines[0].ends_with('}'), "{text}");
        assert_eq!(lines[1], "dedup: hint: for people, use dedup FOLDER or give -f text");
        assert!(lines[2].starts_with("1 similar pair among 2 documents"), "{text}");
    }
}

#[test]
fn a_terminal_is_told_which_files_were_written_and_gets_no_pairs_then() {
    let corpus = corpus("wrote");
    let look = |args: &[&str], wrote: &str| {
        let (text, code) = seen(&corpus, args, 120);
        let (first, rest) = text.split_once('\n').unwrap();
        assert!(first.starts_with(wrote) && first.ends_with("B)") && code == Some(0), "{text}");
        assert!(rest.starts_with("4 similar pairs among 6 documents") && rest.lines().count() == 1, "{text}");
    };
    look(&["docs", "-f", "html=x.html"], "dedup: wrote x.html (4 pairs, ");
    look(&["scan", "docs", "-f", "csv=x.csv"], "dedup: wrote x.csv (4 pairs, ");
    look(&["scan", "docs", "--save", "saved"], "dedup: wrote saved (4 pairs, ");
    look(&["docs", "-o", "x.jsonl", "-f", "jsonl"], "dedup: wrote x.jsonl (4 pairs, ");
}

#[test]
fn a_pipe_gets_the_same_view_whole_and_without_colour() {
    let corpus = corpus("piped");
    let view = "Near-duplicates: 4 pairs of 5 documents in 2 groups; 6 documents compared, at or above 80 %\nin docs/\n  \
        100 %  a/plain-copy.txt  …/plain.txt\n 91.5 %  3 documents, 83.2 to 91.5 % similar\n           b/final.txt\n   90.3 %  \
        b/first-draft.txt  with b/second-draft.txt\n   91.5 %  b/second-draft.txt\n";
    corpus.dedup(&["docs", "-q"]).stdout(view).stderr("").exit_code(0);
    corpus.dedup(&["scan", "docs", "-q", "-f", "text"]).stdout(view).stderr("").exit_code(0);
}

#[test]
fn a_folder_named_like_a_command_is_the_command() {
    let corpus = Workspace::new("named").file("scan/a", "one and the same").file("scan/b", "one and the same");
    let folder = "Near-duplicates: 1 pair of 2 documents in 1 group; 2 documents compared, at or above 80 %\nin ./scan/\n  100 %  a  b\n";
    corpus.dedup(&["./scan", "-q"]).stdout(folder).stderr("").exit_code(0);
    // Without a path it is this folder, unless somebody writes to standard input.
    let piped = r#"printf '{"id":"x","text":"same"}\n{"id":"y","text":"same"}\n' | $D scan -q --input-format jsonl"#;
    corpus.shell(piped).pairs(&["x y"]).stderr("").exit_code(0);
    corpus.shell("$D scan -q < /dev/null").pairs(&["scan/a scan/b"]).stderr("").exit_code(0);
}

#[test]
fn a_progress_bar_is_gone_when_a_signal_ends_the_run() {
    let corpus = Workspace::new("bar").file("a.txt", "one");
    let (mut person, program) = terminal();
    let stream = || Stdio::from(program.try_clone().unwrap());
    // It waits for a second file on standard input.
    let mut command = corpus.command(&["scan", "a.txt", "-", "--input-format", "jsonl"]);
    command.env("TERM", "xterm");
    let mut child = command.stdin(Stdio::piped()).stdout(stream()).stderr(stream()).spawn().unwrap();
    drop(command);
    drop(program);
    let reader = std::thread::spawn(move || read_all(&mut person, Vec::new()));
    std::thread::sleep(std::time::Duration::from_millis(1500));
    signal(&child, "INT");
    assert_eq!(wait(&mut child).code(), Some(130));
    let text = reader.join().unwrap();
    assert!(text.contains("reading "), "{text:?}");
    assert!(!text.contains("unknown"), "{text:?}");
    let (before, last) = text.trim_end().rsplit_once("dedup: interrupted").unwrap();
    assert!(before.ends_with("\x1b[2K") || before.ends_with('\r') || before.ends_with('\n'), "{before:?}");
    assert!(last.ends_with("the output is incomplete"), "{last:?}");
}

#[test]
fn a_saved_result_is_shown_and_a_large_group_fills_the_screen() {
    let corpus =
        (0..40).fold(Workspace::new("large_group"), |corpus, number| corpus.file(format!("d/{number:02}"), FOX));
    corpus.dedup(&["scan", "d", "--save", "saved", "-q", "-o", "pairs.jsonl"]).stdout("").stderr("").exit_code(0);
    let first = |stdout: &str| assert!(stdout.starts_with("Near-duplicates: 780 pairs of 40 documents"), "{stdout}");
    corpus.dedup(&["--from", "saved"]).stdout_with(first).stderr("").exit_code(0);
    let (text, _) = seen(&corpus, &["d"], 80);
    assert!(text.lines().count() >= 22 && text.contains("\n<2>24 more documents; see all with "), "{text}");
    assert!(text.contains("           <2>and 24 more<0>\n"), "{text}");
}

#[test]
fn a_terminal_that_cannot_delete_lines_gets_no_progress_bar() {
    let corpus = Workspace::new("dumb").file("a.txt", "one");
    let (mut person, program) = terminal();
    let stream = || Stdio::from(program.try_clone().unwrap());
    let mut command = corpus.command(&["scan", "a.txt", "-", "--input-format", "jsonl"]);
    command.env("TERM", "dumb");
    let mut child = command.stdin(Stdio::piped()).stdout(stream()).stderr(stream()).spawn().unwrap();
    drop(command);
    drop(program);
    let reader = std::thread::spawn(move || read_all(&mut person, Vec::new()));
    std::thread::sleep(std::time::Duration::from_millis(1500));
    drop(child.stdin.take());
    wait(&mut child);
    let text = reader.join().unwrap();
    assert!(!text.contains('\u{1b}') && !text.contains("reading"), "{text:?}");
}
