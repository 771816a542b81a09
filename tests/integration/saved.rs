//! `--output`, `--save` and `--from`: whole or not there, and refused when they do not fit.

use std::fs::{self, File};
use std::process::Stdio;

use crate::support::*;

/// Three of one family, a copy and one other; records and an archive in a folder of their own.
fn corpus(name: &'static str) -> Workspace {
    Workspace::new(name)
        .file("in/a", FOX)
        .file("in/b", CAT)
        .file("in/c", FOX)
        .file("in/d", LOREM)
        .file("in/r.jsonl", format!("{{\"id\":\"r1\",\"text\":\"{FOX}!\"}}\n{{\"id\":\"r2\"\n"))
}

/// Makes the header of an edited result fit its files again.
pub(crate) fn seal(corpus: &Workspace, folder: &str) {
    let place = format!("{folder}/header.json");
    let mut header: serde_json::Value = serde_json::from_str(&corpus.read(&place)).unwrap();
    let files = ["pairs.jsonl", "documents.jsonl"].map(|name| {
        let bytes = fs::read(corpus.path(format!("{folder}/{name}"))).unwrap();
        let hash = format!("{:032x}", xxhash_rust::xxh3::xxh3_128(&bytes));
        serde_json::json!({"file": name, "bytes": bytes.len(), "hash": hash})
    });
    header["files"] = files.into_iter().collect();
    header.as_object_mut().unwrap().remove("check");
    let text = header.to_string();
    let text = text.strip_suffix('}').unwrap();
    let check = xxhash_rust::xxh3::xxh3_128(text.as_bytes());
    fs::write(corpus.path(&place), format!("{text},\"check\":\"{check:032x}\"}}\n")).unwrap();
}

const SCAN: [&str; 5] = ["scan", "in", "-q", "--threshold", "0.7"];

/// What another line of the test looks at.
fn any(_: &str) {}

fn stdout_of(run: Run) -> (String, StdoutSeen) {
    let mut stdout = String::new();
    let seen = run.stdout_with(|text| stdout = text.to_owned());
    (stdout, seen)
}

fn names_of(lines: &str) -> Vec<String> {
    records(lines).iter().map(|pair| format!("{} {}", name(&pair.a), name(&pair.b))).collect()
}

/// What is said of a result whose run could not read an input.
const INCOMPLETE: &str = "dedup: note: saved: its scan could not read 1 input, so pairs may be missing\n";

#[test]
fn an_output_file_has_the_lines_of_standard_output() {
    let corpus = corpus("output_file");
    let (lines, seen) = stdout_of(corpus.dedup(&SCAN));
    seen.stderr_with(any).exit_code(3);
    assert_eq!(names_of(&lines).len(), 6);
    for name in ["out", "out", "in/out.jsonl", "in/out.jsonl"] {
        corpus.dedup(&[&SCAN[..], &["--output", name]].concat()).stdout("").stderr_with(any).exit_code(3);
        assert_eq!(corpus.read(name), lines, "{name}");
    }
    let note = "dedup: in/out.jsonl: the output is written to it; skipped";
    let again = ["scan", "in", "--exclude", "r.jsonl", "--threshold", "0.7", "-o", "in/out.jsonl"];
    corpus.dedup(&again).stdout("").stderr_with_line(note).exit_code(0);
    corpus
        .dedup(&["scan", "in/a", "in/c", "-q", "-o", "-"])
        .stdout(&copies("in/a", "in/c", 36))
        .stderr("")
        .exit_code(0);
    corpus.dedup(&["scan", "in/a", "-q", "--list-documents", "-o", "list"]).stdout("").stderr("").exit_code(0);
    assert!(corpus.read("list").starts_with("{\"name\":\"in/a\",\"treated\":\"used\""));
}

#[test]
fn an_output_never_replaces_an_input_a_list_or_the_summary() {
    let corpus = corpus("output_taken").file("list", "in/a\n").link("link", "in/a");
    let taken =
        |path: &str, what: &str| format!("dedup: {path}: --output would overwrite {what}; choose another file\n");
    let refused = |args: &[&str], message: &str| {
        corpus.dedup(&[&["scan", "-q", "in/a", "in/c"], args].concat()).stdout("").stderr(message).exit_code(2);
    };
    refused(&["-o", "in/a"], &taken("in/a", "an input"));
    refused(&["-o", "link"], &taken("link", "the input in/a, which is the same file"));
    refused(&["--files-from", "list", "-o", "list"], &taken("list", "the list of --files-from"));
    let summary = "dedup: same: --summary would overwrite what the output goes to; choose another file\n";
    refused(&["-o", "same", "--summary", "./same"], &summary.replace("same: ", "./same: "));
    refused(&["-o", "no/out"], "dedup: no/out: cannot write the output: No such file or directory; check --output\n");
    assert_eq!(corpus.read("in/a"), FOX);
    assert_eq!(corpus.names(), ["in", "link", "list"]);
}

#[test]
fn a_run_that_ends_early_leaves_nothing_and_the_old_output_as_it_was() {
    for (signal_name, code) in [("INT", Some(130)), ("TERM", Some(143)), ("KILL", None)] {
        let corpus = corpus("output_killed").file("out", "{\"a\":").fifo("f");
        let args = ["scan", "in/a", "in/c", "f", "--input-format", "text", "-o", "out", "--save", "saved"];
        let mut child = corpus.command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // Opened when the program has opened the other end.
        let fifo = File::options().write(true).open(corpus.path("f")).unwrap();
        assert_eq!(corpus.names(), ["f", "in", "out"], "nothing is there while it runs");
        signal(&child, signal_name);
        assert_eq!(wait(&mut child).code(), code);
        drop(fifo);
        assert_eq!(
            (corpus.names(), corpus.read("out")),
            (vec!["f".into(), "in".into(), "out".into()], "{\"a\":".into())
        );
    }
}

#[test]
fn a_saved_result_is_printed_again_and_higher_thresholds_filter_it() {
    let corpus = corpus("save");
    let (lines, seen) = stdout_of(corpus.dedup(&[&SCAN[..], &["--save", "saved"]].concat()));
    seen.stderr_with(any).exit_code(3);
    assert_eq!(corpus.read("saved/pairs.jsonl"), lines);
    let mut names: Vec<_> =
        fs::read_dir(corpus.path("saved")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["documents.jsonl", "header.json", "pairs.jsonl"]);
    let documents = corpus.read("saved/documents.jsonl");
    assert!(
        documents.contains("{\"name\":\"r1\",\"treated\":\"used\"")
            && documents.contains("\"source\":{\"file\":\"in/r.jsonl\",\"line\":1},\"text_hash\":\""),
        "{documents}"
    );
    assert!(documents.contains("\"copy_of\":\"in/a\""));
    let header = corpus.read("saved/header.json");
    for part in ["{\"dedup_result\":1,", "\"threshold\":0.7", "{\"file\":\"in/r.jsonl\",\"bytes\":", "\"errors\":1,"] {
        assert!(header.contains(part), "{part}: {header}");
    }
    // Its inputs were read but for an error, and that is as true of the result.
    corpus.dedup(&["scan", "--from", "saved"]).stdout(&lines).stderr(INCOMPLETE).exit_code(3);
    corpus.dedup(&["scan", "--from", "saved/pairs.jsonl"]).stdout(&lines).stderr("").exit_code(0);
    corpus.shell("$D scan --from - < saved/pairs.jsonl").stdout(&lines).stderr("").exit_code(0);
    for threshold in ["0.8", "0.95", "1"] {
        let (fresh, seen) =
            stdout_of(corpus.dedup(&["scan", "in", "-q", "--threshold", threshold, "--bands", "50", "--rows", "3"]));
        seen.stderr_with(any).exit_code(3);
        let numbers = |lines: &str| {
            lines.lines().map(|line| line.split(",\"estimate\"").next().unwrap().to_owned()).collect::<Vec<_>>()
        };
        let (filtered, seen) = stdout_of(corpus.dedup(&["scan", "--from", "saved", "--threshold", threshold]));
        seen.stderr(INCOMPLETE).exit_code(3);
        assert_eq!(numbers(&filtered), numbers(&fresh), "{threshold}");
    }
    let lower = "dedup: saved: contains the pairs at or above 0.7 and none at 0.6; give a threshold of 0.7 or more, or scan again\n";
    corpus.dedup(&["scan", "--from", "saved", "--threshold", "0.6"]).stdout("").stderr(lower).exit_code(2);
    corpus.dedup(&["cluster", "--from", "saved", "--threshold", "0.6"]).stdout("").stderr(lower).exit_code(2);
}

#[test]
fn a_result_of_inputs_that_changed_is_refused_with_their_names() {
    let corpus = corpus("save_changed").file("form.txt", "Lorem ipsum dolor sit amet");
    let save = ["scan", "in/a", "in/b", "in/r.jsonl", "-q", "--template", "form.txt", "--save", "saved"];
    corpus.dedup(&save).stdout_with(any).stderr_with(any).exit_code(3);
    let refused = |fault: &str| {
        let message = format!("dedup: {fault}; the result does not match it any more, scan again\n");
        for command in ["scan", "cluster"] {
            corpus.dedup(&[command, "--from", "saved"]).stdout("").stderr(&message).exit_code(2);
        }
    };
    for file in ["in/b", "form.txt"] {
        let (text, modified) = (corpus.read(file), fs::metadata(corpus.path(file)).unwrap().modified().unwrap());
        fs::write(corpus.path(file), text.to_uppercase()).unwrap();
        File::options().write(true).open(corpus.path(file)).unwrap().set_modified(modified).unwrap();
        refused(&format!("{file}: it has other bytes than when the result was saved"));
        fs::write(corpus.path(file), text).unwrap();
        corpus.dedup(&["scan", "--from", "saved"]).stdout_with(any).stderr(INCOMPLETE).exit_code(3);
    }
    fs::write(corpus.path("in/r.jsonl"), "{}").unwrap();
    refused("in/r.jsonl: it had 78 bytes when the result was saved and has 2");
    fs::remove_file(corpus.path("in/a")).unwrap();
    refused("in/a: No such file or directory");
    corpus.shell("mkdir sub && cd sub && $D scan --from ../saved").stdout("").stderr_with(any).exit_code(2);
}

#[test]
fn a_time_in_the_future_is_no_change() {
    let corpus = corpus("save_future");
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(86_400);
    File::options().write(true).open(corpus.path("in/a")).unwrap().set_modified(later).unwrap();
    corpus.dedup(&["scan", "in/a", "in/c", "-q", "--save", "saved"]).pairs(&["in/a in/c"]).stderr("").exit_code(0);
    corpus.dedup(&["scan", "--from", "saved"]).pairs(&["in/a in/c"]).stderr("").exit_code(0);
}

#[test]
fn only_a_saved_result_is_replaced_and_only_by_force() {
    let corpus = corpus("save_force").folder("other").file("file", "x");
    let save =
        |name: &str, more: &[&str]| corpus.dedup(&[&["scan", "in/a", "in/c", "-q", "--save", name], more].concat());
    save("saved", &[]).pairs(&["in/a in/c"]).stderr("").exit_code(0);
    let there = "already exists; choose another name, or give --force to replace a saved result\n";
    save("saved", &[]).stdout("").stderr(&format!("dedup: saved: {there}")).exit_code(2);
    for name in ["other", "file"] {
        let fault = format!("dedup: {name}: already exists and is not a saved result; choose another name\n");
        save(name, &["--force"]).stdout("").stderr(&fault).exit_code(2);
    }
    save("saved", &["--force", "--threshold", "0.9"]).pairs(&["in/a in/c"]).stderr("").exit_code(0);
    assert!(corpus.read("saved/header.json").contains("\"threshold\":0.9"));
    // A result in the folder that is scanned is none of its documents when it is replaced.
    corpus
        .dedup(&["scan", ".", "-q", "--save", "saved", "--force", "--exclude", "r.jsonl"])
        .stdout_with(any)
        .stderr("")
        .exit_code(0);
    assert!(!corpus.read("saved/documents.jsonl").contains("{\"name\":\"saved/pairs.jsonl\",\"treated\":\"used\""));
    assert_eq!(corpus.names(), ["file", "in", "other", "saved"]);
    let fault = "dedup: other: it is a folder without a saved result; save one by dedup scan PATH --save DIR\n";
    corpus.dedup(&["scan", "--from", "other"]).stdout("").stderr(fault).exit_code(2);
}

#[test]
fn damaged_results_are_refused_by_line() {
    let corpus = corpus("save_damaged").file("bad", "{\"a\":1}\n");
    corpus.dedup(&["scan", "in/a", "in/c", "-q", "--save", "saved"]).pairs(&["in/a in/c"]).stderr("").exit_code(0);
    fs::write(corpus.path("saved/pairs.jsonl"), "").unwrap();
    seal(&corpus, "saved");
    corpus
        .dedup(&["scan", "--from", "saved"])
        .stdout("")
        .stderr("dedup: saved: it has 0 of its 1 pairs; scan again\n")
        .exit_code(2);
    let bad =
        |stderr: &str| assert!(stderr.starts_with("dedup: bad: line 1 is not a pair of dedup scan ("), "{stderr}");
    corpus.dedup(&["cluster", "--from", "bad"]).stdout("").stderr_with(bad).exit_code(2);
    let both = "dedup: PATH: cannot be used with --from; remove one of them; see dedup scan --help\n";
    corpus.dedup(&["scan", "in", "--from", "saved"]).stdout("").stderr(both).exit_code(2);
    let flag = "dedup: --from: cannot be used with --k; remove one of them; see dedup scan --help\n";
    corpus.dedup(&["scan", "--from", "saved", "--k", "5"]).stdout("").stderr(flag).exit_code(2);
}

#[test]
fn both_sides_of_a_saved_comparison_keep_their_names() {
    let corpus = corpus("save_sides");
    let args = ["compare", "in/a", "in/b", "--against", "in/a", "in/c", "-q", "--threshold", "0.7", "--save", "saved"];
    let (lines, seen) = stdout_of(corpus.dedup(&args));
    seen.stderr("").exit_code(0);
    assert_eq!(names_of(&lines).len(), 4);
    corpus.dedup(&["compare", "--from", "saved"]).stdout(&lines).stderr("").exit_code(0);
    let one = |stdout: &str| assert!(stdout.contains("\"members\":[\"in/a\",\"in/b\",\"in/a\",\"in/c\"]"), "{stdout}");
    corpus.dedup(&["cluster", "--from", "saved"]).stdout_with(one).stderr("").exit_code(0);
    let fault = "dedup: saved/pairs.jsonl: line 1 has two documents of one name; scan again and --save the result\n";
    corpus.dedup(&["cluster", "--from", "saved/pairs.jsonl"]).stdout("").stderr(fault).exit_code(2);
}

/// What pairs are sorted by.
type Key<'k> = &'k dyn Fn(&str) -> f64;

#[test]
fn filters_choose_among_the_pairs_of_a_run_and_of_a_result_alike() {
    let corpus = corpus("filters")
        .file("in/long", format!("{FOX} {LOREM}"))
        .file("in/longer", format!("{FOX}! {LOREM} {LOREM}"));
    let scan = ["scan", "in", "-q", "--exclude", "r.jsonl", "--threshold", "0.2"];
    let (all, seen) = stdout_of(corpus.dedup(&[&scan[..], &["--save", "saved"]].concat()));
    seen.stderr("").exit_code(0);
    let all: Vec<&str> = all.lines().collect();
    let value = |line: &str, key: &str| {
        let (_, rest) = line.split_once(&format!("\"{key}\":")).unwrap();
        rest.split([',', '}']).next().unwrap().parse::<f64>().unwrap()
    };
    let containment = |line: &str| value(line, "containment_a").max(value(line, "containment_b"));
    let keys: [(&str, Key); 4] = [
        ("jaccard", &|line| value(line, "jaccard")),
        ("containment", &containment),
        ("shared", &|line| value(line, "shared")),
        ("order", &|_| 0.0),
    ];
    for (sort, key) in keys {
        for (top, least) in [(3, 0.0), (100, 0.9), (2, 0.9)] {
            let mut expected: Vec<&str> = all.iter().copied().filter(|line| containment(line) >= least).collect();
            assert!(expected.len() > 3);
            expected.sort_by(|a, b| key(b).total_cmp(&key(a)));
            expected.truncate(top);
            let expected: String = expected.iter().map(|line| format!("{line}\n")).collect();
            let (top, least) = (top.to_string(), least.to_string());
            let filters = ["--sort", sort, "--top", &top, "--min-containment", &least];
            corpus.dedup(&[&scan[..], &filters].concat()).stdout(&expected).stderr("").exit_code(0);
            corpus
                .dedup(&[&["scan", "--from", "saved"], &filters[..]].concat())
                .stdout(&expected)
                .stderr("")
                .exit_code(0);
        }
    }
    let printed = "printed    1 of these pairs, after --top";
    corpus
        .dedup(&["scan", "in/a", "in/c", "in/b", "--top", "1"])
        .pairs(&["in/a in/c"])
        .stderr_with_line(printed)
        .exit_code(0);
    let none = ["scan", "in/a", "in/b", "-q", "--threshold", "0.7", "--min-containment", "1", "--exit-code"];
    corpus.dedup(&none).stdout("").stderr("").exit_code(0);
}

#[test]
fn a_result_is_not_overwritten_by_its_reader() {
    let corpus = Workspace::new("saved_overwritten").file("in/a", FOX).file("in/b", FOX);
    corpus.dedup(&["scan", "in", "-q", "--save", "r", "-o", "pairs"]).stdout("").stderr("").exit_code(0);
    let pairs = corpus.read("pairs");
    for (command, from, output) in [
        ("scan", "r", "r/pairs.jsonl"),
        ("cluster", "r", "r/documents.jsonl"),
        ("scan", "pairs", "pairs"),
        ("cluster", "pairs", "in/../pairs"),
    ] {
        let message = format!("dedup: {output}: --output would overwrite the list of --from; choose another file\n");
        corpus.dedup(&[command, "--from", from, "-q", "-o", output]).stdout("").stderr(&message).exit_code(2);
    }
    assert_eq!((corpus.read("pairs"), corpus.read("r/pairs.jsonl")), (pairs.clone(), pairs));
}

#[test]
fn a_file_of_pairs_does_not_say_its_threshold() {
    let corpus = corpus("pairs_threshold");
    corpus.dedup(&["scan", "in/a", "in/b", "in/c", "-q", "-o", "p"]).stdout("").stderr("").exit_code(0);
    let lines = corpus.read("p");
    let note = "dedup: note: p: its lowest similarity is 0.800000, and a file of pairs does not say its threshold; if the scan \
                had a higher one than 0.5, pairs are missing: scan again, or --save a folder, which says it\n";
    corpus.dedup(&["scan", "--from", "p", "--threshold", "0.5"]).stdout(&lines).stderr(note).exit_code(0);
    corpus.dedup(&["cluster", "--from", "p", "--threshold", "0.5"]).stdout_with(any).stderr(note).exit_code(0);
    for args in [&["--threshold", "0.5", "-q"][..], &["--threshold", "0.8"], &[]] {
        corpus.dedup(&[&["scan", "--from", "p"], args].concat()).stdout(&lines).stderr("").exit_code(0);
    }
}

#[test]
fn an_edited_result_is_refused_by_every_reader() {
    let corpus = Workspace::new("saved_edited").file("in/a", FOX).file("in/b", CAT).file("in/c", LOREM);
    corpus.dedup(&["scan", "in", "-q", "--save", "saved"]).stdout_with(any).stderr("").exit_code(0);
    let header = corpus.read("saved/header.json");
    seal(&corpus, "saved");
    let value = |header: &str| serde_json::from_str::<serde_json::Value>(header).unwrap();
    let sealed = |mut header: serde_json::Value| header.as_object_mut().unwrap().remove("check").map(|_| header);
    let now = sealed(value(&corpus.read("saved/header.json")));
    assert_eq!(sealed(value(&header)), now, "lengths and hashes are those of the files");
    let readers: [&[&str]; 6] = [
        &["scan", "--from", "saved"],
        &["cluster", "--from", "saved"],
        &["compare", "--from", "saved"],
        &["plan", "--from", "saved"],
        &["unique", "in", "--from", "saved", "-o", "out"],
        &["review", "saved", "--report"],
    ];
    for (file, from, to) in [
        ("pairs.jsonl", "\"b\":\"in/b\"", "\"b\":\"in/c\""),
        ("pairs.jsonl", "\"jaccard\":0.8", "\"jaccard\":0.9"),
        ("documents.jsonl", "in/a", "in/x"),
        ("documents.jsonl", "}\n", "}\n\n"),
        ("header.json", "\"threshold\":0.8", "\"threshold\":0.7"),
        ("header.json", "\"errors\":0", "\"errors\":1"),
        ("header.json", "\"check\":\"", "\"chek\":\""),
        ("header.json", "}\n", "}"),
    ] {
        let place = format!("saved/{file}");
        let text = corpus.read(&place);
        let edited = text.replacen(from, to, 1);
        assert_ne!(text, edited);
        fs::write(corpus.path(&place), edited).unwrap();
        for reader in readers {
            let says = format!("dedup: saved: {file} is not as it was saved; scan again\n");
            corpus.dedup(reader).stdout("").stderr(&says).exit_code(2);
        }
        fs::write(corpus.path(&place), text).unwrap();
    }
    // A review without answers has nothing to report.
    for reader in &readers[..5] {
        corpus.dedup(reader).stdout_with(any).stderr_with(any).exit_code(0);
    }
    fs::remove_file(corpus.path("saved/documents.jsonl")).unwrap();
    let gone = "dedup: saved: documents.jsonl cannot be read: No such file or directory; scan again\n";
    corpus.dedup(&["scan", "--from", "saved"]).stdout("").stderr(gone).exit_code(2);
}

#[test]
fn a_file_of_pairs_with_numbers_that_cannot_be_is_refused() {
    let corpus = corpus("pairs_numbers");
    corpus.dedup(&["scan", "in/a", "in/b", "-q", "-o", "p"]).stdout("").stderr("").exit_code(0);
    let line = corpus.read("p");
    for (from, to, what) in [
        ("\"jaccard\":0.8", "\"jaccard\":1.5", "numbers that no pair has"),
        ("\"jaccard\":0.8", "\"jaccard\":-0.1", "numbers that no pair has"),
        ("\"containment_a\":", "\"containment_a\":7", "numbers that no pair has"),
        ("\"shared\":32", "\"shared\":37", "numbers that no pair has"),
        ("\"b\":\"in/b\"", "\"b\":\"in/a\"", "two documents of one name"),
    ] {
        let edited = line.replacen(from, to, 1);
        assert_ne!(line, edited, "{from}");
        fs::write(corpus.path("edited"), line.clone() + &edited).unwrap();
        for command in ["scan", "cluster"] {
            let says = format!("dedup: edited: line 2 has {what}; scan again and --save the result\n");
            corpus.dedup(&[command, "--from", "edited"]).stdout_with(any).stderr(&says).exit_code(2);
            let piped = corpus.shell(&format!("$D {command} --from - < edited"));
            piped.stdout_with(any).stderr(&says.replace("edited", "-")).exit_code(2);
        }
    }
}

#[test]
fn what_a_killed_run_left_is_deleted_by_the_next_one_with_the_same_name() {
    let corpus = Workspace::new("saved_left").file("a", FOX).file("b", FOX);
    let left = [".r.saving-999999/pairs.jsonl", ".r.saving-x/own", ".s.saving-999999/other"];
    let corpus = left.into_iter().fold(corpus, |corpus, path| corpus.file(path, "left"));
    corpus.dedup(&["scan", "-q", "a", "b", "--save", "r"]).pairs(&["a b"]).stderr("").exit_code(0);
    assert_eq!(corpus.names(), [".r.saving-x", ".s.saving-999999", "a", "b", "r"]);
    fs::rename(corpus.path(".s.saving-999999"), corpus.path(".r.saving-999999")).unwrap();
    corpus.dedup(&["scan", "-q", "a", "b", "--save", "r", "--force"]).pairs(&["a b"]).stderr("").exit_code(0);
    assert_eq!(corpus.names(), [".r.saving-x", "a", "b", "r"]);
}
