//! `dedup review`: which pairs are asked, how answers are kept, and what they say of thresholds.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use dedup_scan::records::Name;
use dedup_scan::results::{Answer, AnswerRecord, ReviewRecord};

use crate::streams::terminal;
use crate::support::*;

/// A family of texts: `fN` has N words of others.
fn family(name: &'static str, words: &[usize]) -> Workspace {
    words.iter().fold(Workspace::new(name), |corpus, &other| {
        let word = |word: usize| if word < other { format!("w{other}x{word}") } else { format!("word{word}") };
        corpus.file(format!("in/f{other:02}"), (0..100).map(word).collect::<Vec<_>>().join(" "))
    })
}

/// Pairs of `f00` with others: 0.904, 0.831, 0.763, 0.699 and so on, and of these with each other.
pub(crate) fn saved(name: &'static str) -> Workspace {
    let corpus = family(name, &[0, 5, 9, 13, 17]);
    let args = ["compare", "in/f00", "--against", "in", "--against-exclude", "f00", "-q", "--shingle", "word"];
    let args = [&args[..], &["--k", "1", "--threshold", "0.5", "--save", "r"]].concat();
    corpus.dedup(&args).stdout_with(|_| ()).stderr("").exit_code(0);
    corpus
}

/// The answers in a file: the other document of `f00`, and what was said.
fn answers(corpus: &Workspace, file: &str) -> Vec<(String, Answer)> {
    let text = corpus.read(file);
    let record = |line| {
        let record: AnswerRecord = serde_json::from_str(line).unwrap();
        assert_eq!(serde_json::to_string(&record).unwrap(), line);
        (name(&record.b).to_owned(), record.answer)
    };
    text.lines().map(record).collect()
}

fn said(list: &[(&str, Answer)]) -> Vec<(String, Answer)> {
    list.iter().map(|&(name, answer)| (format!("in/{name}"), answer)).collect()
}

pub(crate) fn report(stdout: &str) -> ReviewRecord {
    let record: ReviewRecord = serde_json::from_str(stdout).unwrap();
    assert_eq!(serde_json::to_string(&record).unwrap() + "\n", stdout);
    record
}

pub(crate) const REVIEW: [&str; 5] = ["review", "r", "--threshold", "0.8", "--json"];

#[test]
fn the_nearest_pairs_come_first_and_each_answer_is_kept() {
    let corpus = saved("review_order").stdin("y\nn\nx\n\ny\nu\nn\nmaybe\nq\n");
    let header = corpus.read("r/header.json");
    let look = |shown: &str| {
        let asked: Vec<&str> = shown.lines().filter_map(|line| line.strip_prefix("b            in/")).collect();
        assert_eq!(asked, ["f09", "f13", "f05", "f17", "f05", "f17"], "{shown}");
        assert!(shown.contains("pair         1 of 4, above or at the threshold of 80 %\n"), "{shown}");
        assert!(shown.contains("pair         2 of 4, below the threshold of 80 %\n"), "{shown}");
        assert!(shown.contains("similarity   83.4 % (91 of 109 shingles)\n"), "{shown}");
        assert!(shown.contains("[1] word9") && shown.contains(" │ "), "the texts stand side by side\n{shown}");
        assert_eq!(shown.matches("give y, n, s, u, q or ?, and Enter\n").count(), 3);
    };
    let record = |stdout: &str| {
        let record = report(stdout);
        assert_eq!((record.answered, record.yes, record.no, record.pairs), (3, 1, 2, 4));
    };
    corpus.dedup(&REVIEW).stdout_with(record).stderr_with(look).exit_code(0);
    let all =
        [("f09", Answer::Yes), ("f13", Answer::No), ("f05", Answer::Yes), ("f05", Answer::Undone), ("f05", Answer::No)];
    assert_eq!(answers(&corpus, "r.answers.jsonl"), said(&all));
    assert_eq!(corpus.read("r/header.json"), header);
    // The review goes on where it ended.
    let corpus = corpus.stdin("s\n");
    let look =
        |shown: &str| assert!(shown.starts_with("pair         4 of 4, below") && shown.contains("in/f17"), "{shown}");
    corpus.dedup(&REVIEW).stdout_with(|stdout| assert_eq!(report(stdout).skipped, 1)).stderr_with(look).exit_code(0);
    corpus.dedup(&REVIEW).stdout_with(|stdout| assert_eq!(report(stdout).skipped, 1)).stderr("").exit_code(0);
    // The result can be replaced still: nothing was added to it.
    let again = ["scan", "in", "-q", "--save", "r", "--force"];
    corpus.dedup(&again).stdout_with(|_| ()).stderr("").exit_code(0);
}

#[test]
fn the_best_threshold_is_suggested_and_measured_on_the_answers_alone() {
    let corpus = saved("review_report").stdin("y\ny\ny\nn\n");
    let look = |stdout: &str| {
        assert_eq!(
            stdout,
            "answers      4: 3 yes, 1 no; 0 skipped\n\n  \
             threshold  precision  recall  F1      yes above  no above  yes below\n  \
             0.9        1.0000     0.3333  0.5000  1          0         2\n  \
             0.83       1.0000     0.6667  0.8000  2          0         1\n  \
             0.8        1.0000     0.6667  0.8000  2          0         1  the present one\n\
             * 0.76       1.0000     1.0000  1.0000  3          0         0\n\n\
             suggested    --threshold 0.76: precision 100 %, recall 100 %\n\
             measured     on the 4 answered pairs only; pairs that were not found or not asked are not in it\n"
        );
    };
    corpus.dedup(&REVIEW[..4]).stdout_with(look).stderr_with(|_| ()).exit_code(0);
    corpus.dedup(&["review", "r", "--threshold", "0.8", "--report"]).stdout_with(look).stderr("").exit_code(0);
    let record = |stdout: &str| {
        let record = report(stdout);
        let suggested = record.suggested.unwrap();
        assert_eq!((suggested.threshold, suggested.precision, suggested.recall), (0.76, Some(1.0), Some(1.0)));
        assert_eq!((record.present.threshold, record.present.yes_below, record.cuts.len()), (0.8, 1, 3));
    };
    corpus.dedup(&[&REVIEW[..], &["--report"]].concat()).stdout_with(record).stderr("").exit_code(0);
    // The same answers, of the file of pairs alone and from a pipe.
    let copy = "cp r/pairs.jsonl p && cp r.answers.jsonl p.answers.jsonl && $D review p --json --report && \
                $D review - --json --report --answers p.answers.jsonl < p";
    let twice = |stdout: &str| {
        for line in stdout.split_inclusive('\n') {
            record(line);
        }
        assert_eq!(stdout.lines().count(), 2);
    };
    corpus.shell(copy).stdout_with(twice).stderr("").exit_code(0);
}

#[test]
fn answers_of_one_kind_suggest_nothing_and_say_what_to_ask() {
    let corpus = saved("review_one_kind").stdin("y\ny\nq\n");
    let yes = "answers      2: 2 yes, 0 no; 0 skipped\nsuggested    nothing: all answers are yes, so nothing shows where \
               duplicates end; answer more, or review a lower threshold\n";
    corpus.dedup(&REVIEW[..4]).stdout(yes).stderr_with(|_| ()).exit_code(0);
    let corpus = saved("review_no").stdin("n\n");
    let null = |stdout: &str| assert_eq!((report(stdout).suggested, report(stdout).no), (None, 1));
    corpus.dedup(&REVIEW).stdout_with(null).stderr_with(|_| ()).exit_code(0);
    let corpus = corpus.stdin("");
    let none = "answers      0: 0 yes, 0 no; 0 skipped\nsuggested    nothing: there are no answers yet\n";
    let args = [&REVIEW[..4], &["--answers", "new"]].concat();
    corpus.dedup(&args).stdout(none).stderr_with(|_| ()).exit_code(0);
}

#[test]
fn a_result_without_pairs_below_says_how_to_get_them() {
    let corpus = family("review_above", &[0, 5]).stdin("q\n");
    corpus.dedup(&["scan", "in", "-q", "--save", "r"]).stdout_with(|_| ()).stderr("").exit_code(0);
    let note = "dedup: note: r: no pair is below 0.8; to review such pairs too, scan with a lower --threshold and --save, \
                and review that result with --threshold 0.8";
    corpus.dedup(&["review", "r"]).stdout_with(|_| ()).stderr_with_line(note).exit_code(0);
    let lower = "dedup: r: contains the pairs at or above 0.8 and none at 0.7; give a threshold of 0.8 or more, or scan again\n";
    corpus.dedup(&["review", "r", "--threshold", "0.7"]).stdout("").stderr(lower).exit_code(2);
    let empty = family("review_empty", &[0, 90]).stdin("y\n");
    empty.dedup(&["scan", "in", "-q", "--save", "r"]).stdout("").stderr("").exit_code(0);
    let note = "dedup: note: r: it has no pairs, so there is nothing to review\n";
    empty.dedup(&["review", "r"]).stdout_with(|_| ()).stderr(note).exit_code(0);
    assert_eq!(empty.names(), ["in", "r"], "no file without an answer is left");
    // A result that is cut off.
    let pairs = corpus.read("r/pairs.jsonl");
    let cut = corpus.file("cut", &pairs[..100]);
    let look = |shown: &str| assert!(shown.starts_with("dedup: cut: line 1 is not a pair of dedup scan ("), "{shown}");
    cut.dedup(&["review", "cut"]).stdout("").stderr_with(look).exit_code(2);
}

#[test]
fn texts_are_read_as_the_scan_read_them() {
    let record = |id: &str, text: &str| format!("{{\"key\":\"{id}\",\"body\":\"<p>{text}\"}}\n");
    let corpus = Workspace::new("review_flags")
        .file("in/r.jsonl", record("one", FOX) + &record("two", CAT))
        .file("in/x.up", FOX)
        .folder("elsewhere")
        .stdin("y\n");
    let scan = ["scan", "in", "-q", "--text-field", "body", "--id-field", "key", "--html", "strip", "--save", "r"];
    let filter = ["--shingle", "word", "--k", "1", "--filter", "up=touch $RAN; cat"];
    let args = [&scan[..], &filter].concat();
    let ran = corpus.path("ran");
    corpus.dedup_with(&args, "RAN", ran.to_str().unwrap()).stdout_with(|_| ()).stderr("").exit_code(0);
    fs::remove_file(&ran).unwrap();
    let look = |shown: &str| {
        assert!(shown.contains("\na            one\nb            two\n") && !shown.contains("not shown"), "{shown}");
        assert!(
            shown.contains("[1] The quick") && !shown.contains("<p>"),
            "passages of words, without markup\n{shown}"
        );
    };
    let mut command = corpus.command(&["review", "../r"]);
    command.current_dir(corpus.path("elsewhere")).env("RAN", &ran);
    corpus.run_shown(command).stdout_with(|_| ()).stderr_with(look).exit_code(0);
    assert!(!ran.exists(), "a command of the result was run");
}

#[test]
fn a_file_of_pairs_shows_texts_where_they_are_and_numbers_where_they_are_not() {
    let corpus = Workspace::new("review_pairs").file("a", FOX).file("b", CAT).file("gone", CAT).file("other", FOX);
    let corpus = corpus.stdin("y\nn\nn\nq\n");
    corpus.dedup(&["scan", ".", "-q", "-o", "p"]).stdout("").stderr("").exit_code(0);
    fs::remove_file(corpus.path("gone")).unwrap();
    fs::write(corpus.path("other"), LOREM).unwrap();
    let look = |shown: &str| {
        assert!(
            shown.contains(
                "texts        not shown: gone: no file has this name; for a record, save the pairs with --save, or scan with \
                 --with-source\n"
            ),
            "{shown}"
        );
        assert!(
            shown.contains("texts        not as they were compared: they changed, or the scan had flags"),
            "{shown}"
        );
        assert!(shown.contains("[1] The quick brown fox"), "{shown}");
    };
    corpus.dedup(&["review", "p"]).stdout_with(|_| ()).stderr_with(look).exit_code(3);
    // Ids say nothing of files; lines with sources do.
    let record = |id: &str, text: &str| format!("{{\"id\":\"{id}\",\"text\":\"{text}\"}}\n");
    let corpus = corpus.file("r.jsonl", record("one", FOX) + &record("two", CAT)).stdin("s\n");
    for (flag, is_shown) in [("--with-source", true), ("--quiet", false)] {
        corpus.dedup(&["scan", "r.jsonl", "-o", "q", flag]).stdout("").stderr_with(|_| ()).exit_code(0);
        let look = |shown: &str| {
            assert!(shown.contains("\na            one\nb            two\n"), "{shown}");
            assert_eq!(
                (shown.contains("[1] The quick"), shown.contains("not shown")),
                (is_shown, !is_shown),
                "{shown}"
            );
        };
        let args = ["review", "q", "--answers", if is_shown { "answers1" } else { "answers2" }];
        let code = if is_shown { 0 } else { 3 };
        corpus.dedup(&args).stdout_with(|_| ()).stderr_with(look).exit_code(code);
    }
}

#[test]
fn what_is_no_file_of_answers_is_refused_and_stays_as_it_is() {
    let corpus = saved("review_refused").file("words", "hello\n").folder("folder");
    let refused = |args: &[&str], message: &str| {
        let args = [&["review", "r"], args].concat();
        corpus.dedup(&args).stdout("").stderr(&format!("dedup: {message}\n")).exit_code(2);
    };
    refused(
        &["--answers", "words"],
        "words: its first line is neither an answer nor the names of columns (a, b and answer); correct it, or name another file",
    );
    let taken = "r/pairs.jsonl: belongs to the result, which is never changed; choose another file for --answers";
    refused(&["--answers", "r/pairs.jsonl"], taken);
    refused(&["--answers", "folder"], "folder: it is no file that could keep the answers; name another");
    refused(
        &["--answers", "none/file"],
        "none/file: cannot write the answers: No such file or directory; check --answers",
    );
    refused(
        &["--report"],
        "r.answers.jsonl: cannot read the answers: No such file or directory; answer some pairs first, or check --answers",
    );
    let dash = "-: standard input is needed for the answers; save the pairs in a file and review that, or add --report";
    corpus.dedup(&["review", "-"]).stdout("").stderr(&format!("dedup: {dash}\n")).exit_code(2);
    assert_eq!(corpus.read("words"), "hello\n");
    let other = r#"{"a":"q","b":"z","jaccard":0.8,"answer":"yes"}"#;
    let corpus = corpus.file("others", format!("{other}\n"));
    let foreign = "dedup: r: none of the answers (1) is of one of its pairs; name the file of its own answers\n";
    corpus.dedup(&["review", "r", "--answers", "others"]).stdout("").stderr(foreign).exit_code(2);
    // Some of other pairs are counted.
    let own = AnswerRecord {
        a: Name::new(b"in/f00"),
        b: Name::new(b"in/f05"),
        jaccard: 0.9,
        answer: Answer::Yes,
        note: None,
    };
    let corpus = corpus.file("mixed", format!("{other}\n{}\n", serde_json::to_string(&own).unwrap())).stdin("");
    let note = "dedup: note: mixed: answers of other pairs: 1; they are not counted";
    let args = [&REVIEW[..], &["--answers", "mixed"]].concat();
    let look = |stdout: &str| assert_eq!((report(stdout).foreign, report(stdout).yes), (1, 1));
    corpus.dedup(&args).stdout_with(look).stderr_with_line(note).exit_code(0);
}

#[test]
fn a_kill_costs_at_most_the_pair_at_hand() {
    let corpus = saved("review_killed");
    for (number, (signal_name, code)) in [("INT", Some(130)), ("KILL", None)].into_iter().enumerate() {
        let mut command = corpus.command(&REVIEW);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let pair = |stderr: &mut BufReader<_>| {
            let mut line = String::new();
            while !line.starts_with("pair ") {
                line.clear();
                assert!(stderr.read_line(&mut line).unwrap() > 0, "it ended");
            }
            line
        };
        pair(&mut stderr);
        child.stdin.as_mut().unwrap().write_all(b"y\n").unwrap();
        assert!(pair(&mut stderr).starts_with(&format!("pair         {} of 4", number + 2)));
        signal(&child, signal_name);
        assert_eq!(wait(&mut child).code(), code);
        assert_eq!(answers(&corpus, "r.answers.jsonl").len(), number + 1);
        if code.is_some() {
            let mut rest = String::new();
            std::io::Read::read_to_string(&mut stderr, &mut rest).unwrap();
            assert!(rest.ends_with("\ndedup: interrupted; the answers so far are kept\n"), "{rest}");
        }
    }
    // A torn line is cut off.
    let whole = corpus.read("r.answers.jsonl");
    fs::write(corpus.path("r.answers.jsonl"), format!("{whole}{{\"a\":\"in/f0")).unwrap();
    let corpus = corpus.stdin("n\n");
    corpus.dedup(&REVIEW).stdout_with(|stdout| assert_eq!(report(stdout).answered, 3)).stderr_with(|_| ()).exit_code(0);
    assert!(corpus.read("r.answers.jsonl").starts_with(&whole));
    assert_eq!(answers(&corpus, "r.answers.jsonl").len(), 3);
}

#[test]
fn a_full_disk_ends_the_review_and_leaves_whole_lines() {
    let corpus = saved("review_full");
    let line = serde_json::to_string(&AnswerRecord {
        a: Name::new(b"in/f00"),
        b: Name::new(b"in/f05"),
        jaccard: 0.9,
        answer: Answer::Skip,
        note: None,
    });
    // One block of 512 bytes is the limit, and the next line would cross it.
    let line = line.unwrap() + "\n";
    let before = line.repeat(512 / line.len());
    let corpus = corpus.file("full", &before).stdin("y\n");
    let args = [&REVIEW[..], &["--answers", "full"]].concat();
    let message = "dedup: full: cannot write the answer: File too large; those before it are kept";
    corpus.dedup_limited("-f 1", &args).stdout("").stderr_with_line(message).exit_code(2);
    assert_eq!(corpus.read("full"), before);
}

#[test]
fn names_and_texts_have_no_effect_on_a_terminal() {
    let corpus = Workspace::new("review_names")
        .file("a\n\u{1b}[31m", format!("{FOX}\u{1b}]0;x\u{7}"))
        .file("b\u{202e}", format!("{FOX} "))
        .stdin("\u{1b}[2J\nn\n");
    corpus.dedup(&["scan", ".", "-q", "--save", "r"]).stdout_with(|_| ()).stderr("").exit_code(0);
    let look = |shown: &str| {
        assert!(shown.chars().all(|c| c == '\n' || !c.is_control()) && !shown.contains('\u{202e}'), "{shown:?}");
        assert!(shown.contains("\na            a\\n\\u{1b}[31m\n"), "{shown}");
    };
    let args = ["review", "r", "--color", "never"];
    corpus.dedup(&args).stdout_with(|_| ()).stderr_with(look).exit_code(0);
}

#[test]
fn two_reviews_do_not_write_to_one_file() {
    let corpus = saved("review_twice");
    let mut command: Command = corpus.command(&REVIEW);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.as_mut().unwrap()).read_line(&mut line).unwrap();
    let message = "dedup: r.answers.jsonl: another review adds answers to it; end that one, or name another file\n";
    corpus.dedup(&REVIEW).stdout("").stderr(message).exit_code(2);
    drop(child.stdin.take());
    assert_eq!(wait(&mut child).code(), Some(0));
}

#[test]
fn on_a_terminal_pairs_are_coloured_and_nothing_is_typed_twice() {
    let corpus = saved("review_terminal");
    let (mut person, terminal) = terminal();
    let mut command = corpus.command(&REVIEW);
    command.stdin(terminal.try_clone().unwrap()).stderr(terminal).stdout(Stdio::piped());
    let mut child = command.env_remove("NO_COLOR").env("TERM", "xterm").spawn().unwrap();
    drop(command);
    let mut seen = BufReader::new(person.try_clone().unwrap());
    let mut until = |end: &str| {
        let mut shown = Vec::new();
        while !shown.ends_with(end.as_bytes()) {
            let mut byte = [0];
            std::io::Read::read_exact(&mut seen, &mut byte).unwrap();
            shown.push(byte[0]);
        }
        String::from_utf8(shown).unwrap()
    };
    let first = until("duplicates? [y n s u q ?] ");
    assert!(first.contains("pair         1 of 4") && first.contains("\u{1b}[32m"), "{first:?}");
    person.write_all(b"n\n").unwrap();
    let second = until("duplicates? [y n s u q ?] ");
    // The terminal itself shows what is typed.
    assert!(second.starts_with("n\r\npair         2 of 4"), "{second:?}");
    person.write_all(b"\x04").unwrap();
    let mut stdout = String::new();
    std::io::Read::read_to_string(child.stdout.as_mut().unwrap(), &mut stdout).unwrap();
    assert_eq!((report(&stdout).no, wait(&mut child).code()), (1, Some(0)));
}

#[test]
fn pairs_by_passages_have_no_threshold_to_review() {
    let corpus = family("review_of_passages", &[0, 5]);
    let scan = ["scan", "in", "-q", "--match", "passages", "--save", "r"];
    corpus.dedup(&scan).stdout_with(|stdout| assert_eq!(stdout.lines().count(), 1)).stderr("").exit_code(0);
    let line = "dedup: r: its pairs match by passages, but a review looks for a threshold of similarity; review a scan without --match passages\n";
    corpus.dedup(&["review", "r"]).stdout("").stderr(line).exit_code(2);
    let header: serde_json::Value = serde_json::from_str(&corpus.read("r/header.json")).unwrap();
    let expected = serde_json::json!({"coverage": 0.1, "min_matched": 20, "max_key_df": null});
    assert_eq!(header["settings"]["match"], expected);
}
