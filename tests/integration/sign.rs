//! `dedup sign`: lines in document order that agree with what a scan does, for any number of threads, while inputs are read.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use dedup_scan::records::{DocumentRecord, PairRecord, SignatureRecord};

use crate::support::{CAT, FOX, LOREM, NOTHING_READ, Random, Workspace, name, wait};

/// Reads lines back strictly.
fn signed(stdout: &str) -> Vec<SignatureRecord<'_>> {
    assert!(stdout.is_empty() || stdout.ends_with('\n'), "the last line is cut");
    let read = |line| {
        let record: SignatureRecord = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert_eq!(serde_json::to_string(&record).unwrap(), line, "keys out of order or numbers in another form");
        record
    };
    stdout.lines().map(read).collect()
}

/// Runs without a fault; gives stdout.
fn stdout_of(workspace: &Workspace, args: &[&str]) -> String {
    let mut stdout = String::new();
    workspace.dedup(args).stdout_with(|all| stdout = all.to_owned()).stderr("").exit_code(0);
    stdout
}

fn families(name: &'static str) -> Workspace {
    let mut random = Random(17);
    let mut records = String::new();
    let mut workspace = Workspace::new(name);
    for family in 0..40 {
        let words: Vec<String> = (0..80).map(|_| format!("w{}", random.below(5000))).collect();
        for version in 0..4 {
            let mut words = words.clone();
            for _ in 0..version {
                let at = random.below(80);
                words[at] = "changed".to_owned();
            }
            let text = words.join(" ");
            if version == 3 {
                records += &format!("{{\"id\":\"r{family}\",\"text\":\"{text}\"}}\n");
            } else {
                workspace = workspace.file(format!("texts/{family:02}-{version}.txt"), text);
            }
        }
    }
    workspace.file("records.jsonl", records)
}

#[test]
fn a_line_has_the_keys_of_a_document_and_its_signature_last() {
    let workspace = Workspace::new("sign_lines").file("a.txt", FOX).file("b.txt", format!(" {FOX}\n\n")).file("c", "");
    let flags = ["sign", "--threshold", "1", "--bands", "2", "--rows", "2", "a.txt", "b.txt", "c"];
    let plain = stdout_of(&workspace, &flags);
    let with_values = stdout_of(&workspace, &[&flags[..], &["--values"]].concat());
    for (line, longer) in plain.lines().zip(with_values.lines()) {
        assert!(longer.starts_with(&line[..line.len() - 1]), "{line}\n{longer}");
    }
    let all = signed(&with_values);
    assert_eq!(all.iter().map(|record| name(&record.id)).collect::<Vec<_>>(), ["a.txt", "b.txt", "c"]);
    let [a, b, c] = &all[..] else { panic!("three lines") };
    assert_eq!((a.shingles, a.keys.len(), a.signature.as_ref().unwrap().len()), (36, 2, 4));
    assert_eq!(a.text_hash.as_deref(), Some(format!("{:032x}", xxhash_rust::xxh3::xxh3_128(FOX.as_bytes())).as_str()));
    assert_eq!((b.shingles, &b.text_hash, &b.keys, &b.signature), (36, &a.text_hash, &a.keys, &a.signature));
    assert_eq!((c.shingles, &c.text_hash, c.keys.len()), (0, &None, 0));
    assert!(with_values.ends_with("{\"id\":\"c\",\"shingles\":0,\"text_hash\":null,\"keys\":[],\"signature\":[]}\n"));
}

#[test]
fn keys_and_values_are_those_by_which_a_scan_finds_and_estimates() {
    let workspace = families("sign_scan");
    for method in [
        &["--signature", "classic"][..],
        &["--signature", "fast", "--seed", "7"],
        &["--shingle", "word"],
        &["--preset", "revisions"],
    ] {
        let flags = [&["--threshold", "0.6", "-q", "."], method].concat();
        let lines = stdout_of(&workspace, &[&["sign", "--values"], &flags[..]].concat());
        let records = signed(&lines);
        let by_name: HashMap<&str, &SignatureRecord> =
            records.iter().map(|record| (name(&record.id), record)).collect();
        assert_eq!(by_name.len(), 160);
        let share_key = |a: &SignatureRecord, b: &SignatureRecord| a.keys.iter().zip(&*b.keys).any(|(a, b)| a == b);
        let pairs = stdout_of(&workspace, &[&["scan"], &flags[..]].concat());
        let mut found = BTreeSet::new();
        for line in pairs.lines() {
            let pair: PairRecord = serde_json::from_str(line).unwrap();
            let (a, b) = (by_name[name(&pair.a)], by_name[name(&pair.b)]);
            let (values_a, values_b) = (a.signature.as_ref().unwrap(), b.signature.as_ref().unwrap());
            let equal = values_a.iter().zip(values_b.iter()).filter(|(a, b)| a == b).count();
            assert_eq!(equal as f64 / values_a.len() as f64, pair.estimate, "{line}");
            assert_eq!((a.shingles, b.shingles), (pair.shingles_a, pair.shingles_b));
            assert!(share_key(a, b), "{line}");
            found.insert((name(&pair.a).to_owned(), name(&pair.b).to_owned()));
        }
        assert!(found.len() > 100, "{}", found.len());
        // What shares no key is no candidate: the scan prints all of what shares one and reaches the threshold.
        let share = |share: &dyn Fn(&SignatureRecord, &SignatureRecord) -> bool| {
            let pairs = records.iter().enumerate().flat_map(|(at, a)| records[at + 1..].iter().map(move |b| (a, b)));
            pairs.filter(|(a, b)| share(a, b)).count()
        };
        assert!(share(&share_key) >= found.len() && share(&share_key) < 160 * 159 / 4);
    }
}

#[test]
fn the_bytes_are_the_same_for_any_number_of_threads_and_the_names_those_of_a_list() {
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
    let workspace = Workspace::new("sign_threads");
    let paths = [format!("{corpus}/formats"), format!("{corpus}/corpus")];
    let run = |args: &[&str]| {
        let mut out = (String::new(), String::new());
        let args = [args, &[&paths[0], &paths[1]]].concat();
        let run = workspace.dedup(&args).stdout_with(|all| out.0 = all.to_owned());
        run.stderr_with(|all| out.1 = all.to_owned()).exit_code(3);
        out
    };
    let one = run(&["sign", "--values", "--threads", "1"]);
    for threads in ["2", "16"] {
        assert_eq!(run(&["sign", "--values", "--threads", threads]), one, "{threads} threads");
    }
    let list = run(&["scan", "--list-documents"]).0;
    let listed = list.lines().map(|line| serde_json::from_str::<DocumentRecord>(line).unwrap());
    let listed = listed.filter(|document| document.shingles.is_some());
    let listed: Vec<_> = listed.map(|document| (name(&document.name).to_owned(), document.shingles.unwrap())).collect();
    let records = signed(&one.0).into_iter().map(|record| (name(&record.id).to_owned(), record.shingles));
    assert_eq!(records.collect::<Vec<_>>(), listed);
}

#[test]
fn ids_that_come_twice_get_the_name_of_their_place() {
    let record = |id: &str| format!("{{\"id\":\"{id}\",\"text\":\"{FOX}\"}}\n");
    let workspace = Workspace::new("sign_ids")
        .file("a.jsonl", [record("x"), record("x"), record("a.jsonl:1"), record("b.jsonl:2")].concat())
        .file("b.jsonl", format!("{}{{\"text\":\"{CAT}\"}}\n{}", record("x"), record("b.jsonl:2")));
    let ids = |stdout: &str| signed(stdout).iter().map(|record| name(&record.id).to_owned()).collect::<Vec<_>>();
    let expected = ["x", "a.jsonl:2", "a.jsonl:3", "b.jsonl:2", "b.jsonl:1", "b.jsonl:2/#2", "b.jsonl:3"];
    let stderr = "dedup: a.jsonl:2: the id \"x\" is a duplicate; compared under this name\n\
                  dedup: a.jsonl:3: the id \"a.jsonl:1\" is the place of a record; compared under this name\n\
                  dedup: b.jsonl:1: the id \"x\" is a duplicate; compared under this name\n\
                  dedup: b.jsonl:2: this place is the id of a record before; compared as b.jsonl:2/#2\n\
                  dedup: b.jsonl:3: the id \"b.jsonl:2\" is the place of a record; compared under this name\n\
                  dedup: warning: duplicate ids across files (1 record); --id-prefix file makes them distinct\n";
    let run = workspace.dedup(&["sign", "a.jsonl", "b.jsonl"]);
    run.stdout_with(|stdout| assert_eq!(ids(stdout), expected)).stderr(stderr).exit_code(3);
}

#[test]
fn lines_leave_while_the_input_is_read() {
    let workspace = Workspace::new("sign_streams");
    let mut command = workspace.command(&["sign", "-q", "--stdin-format", "jsonl", "-"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let text = |number: usize| format!("{{\"id\":\"{number}\",\"text\":\"{}{number}\"}}\n", "a few words ".repeat(50));
    // The input does not end before the first lines are there. None of it is kept for a second reading.
    let (send, seen) = std::sync::mpsc::channel::<()>();
    let writer = std::thread::spawn(move || {
        for number in 0..20_000 {
            stdin.write_all(text(number).as_bytes()).unwrap();
        }
        stdin.flush().unwrap();
        seen.recv().unwrap();
        stdin.write_all(text(20_000).as_bytes()).unwrap();
    });
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    assert!(line.starts_with("{\"id\":\"0\",\"shingles\":"), "{line}");
    let temporary = std::fs::read_dir(workspace.path("../tmp")).unwrap().count();
    send.send(()).unwrap();
    let numbers = stdout.lines().map(|line| line.unwrap().split('"').nth(3).unwrap().to_owned());
    assert!(numbers.eq((1..=20_000).map(|number| number.to_string())));
    writer.join().unwrap();
    assert!(wait(&mut child).success());
    assert_eq!(temporary, 0);
}

#[test]
fn what_stdin_gives_needs_no_temporary_file() {
    let workspace = Workspace::new("sign_stdin").stdin(FOX);
    let mut line = String::new();
    let run = workspace.dedup_with(&["sign", "-"], "TMPDIR", "/nowhere/at/all");
    run.stdout_with(|stdout| line = stdout.to_owned()).stderr("").exit_code(0);
    assert_eq!(signed(&line)[0].shingles, 36);
    let scan = workspace.dedup_with(&["scan", "-q", "-"], "TMPDIR", "/nowhere/at/all");
    scan.stdout("").stderr_with(|stderr| assert!(stderr.contains("/nowhere/at/all"), "{stderr}")).exit_code(2);
}

#[test]
fn inputs_that_cannot_be_read_are_named_and_the_rest_is_signed() {
    let workspace = Workspace::new("sign_faults").file("a.txt", FOX).file("c.txt", LOREM);
    let names = |stdout: &str| signed(stdout).iter().map(|record| name(&record.id).to_owned()).collect::<Vec<_>>();
    let missing = "dedup: gone.txt: no such file or folder; check the path\n";
    let run = workspace.dedup(&["sign", "a.txt", "gone.txt", "c.txt"]);
    run.stdout_with(|stdout| assert_eq!(names(stdout), ["a.txt", "c.txt"])).stderr(missing).exit_code(3);
    workspace.dedup(&["sign", "gone.txt"]).stdout("").stderr(&format!("{missing}{NOTHING_READ}")).exit_code(2);
    let run = workspace.dedup(&["sign", "--strict", "a.txt", "gone.txt", "c.txt"]);
    run.stdout_with(|stdout| assert_eq!(names(stdout), ["a.txt"]))
        .stderr_with(|stderr| assert!(stderr.starts_with("dedup: gone.txt: no such file or folder"), "{stderr}"))
        .exit_code(2);
}

#[test]
fn a_reader_that_has_seen_enough_ends_it_quietly_and_a_full_disk_does_not() {
    let workspace = families("sign_pipes");
    workspace.shell("$D sign --values . | head -n 1 >/dev/null").stdout("").stderr("").exit_code(0);
    workspace
        .shell("$D sign --values . >/dev/full")
        .stdout("")
        .stderr("dedup: standard output: cannot write: No space left on device; the output is incomplete, run again\n")
        .exit_code(2);
}

#[test]
fn templates_are_removed_and_short_documents_left_out_as_by_a_scan() {
    let workspace = Workspace::new("sign_templates").file("form", FOX).file("a", FOX).file("b", CAT).file("c", "fox");
    let lines = stdout_of(&workspace, &["sign", "--template", "form", "a", "b", "c"]);
    let shingles: BTreeMap<&str, (u64, usize)> = BTreeMap::from([("a", (0, 0)), ("b", (4, 20)), ("c", (1, 20))]);
    let found = signed(&lines);
    let found = found.iter().map(|record| (name(&record.id), (record.shingles, record.keys.len())));
    assert_eq!(found.collect::<BTreeMap<_, _>>(), shingles);
    let run = workspace.dedup(&["sign", "--min-tokens", "9", "a", "c"]);
    run.stdout_with(|stdout| assert_eq!(signed(stdout).len(), 1))
        .stderr("dedup: c: 3 tokens, fewer than --min-tokens 9; skipped\n")
        .exit_code(0);
}

#[test]
fn flags_of_pairs_are_refused() {
    for flag in ["--max-df", "--match", "--collapse-exact", "--memory", "--save"] {
        let run = Workspace::new("sign_flags").file("a", FOX).dedup(&["sign", "a", flag]);
        run.stdout("").stderr_with(|stderr| assert!(stderr.contains(flag), "{stderr}")).exit_code(2);
    }
    let run = Workspace::new("sign_all_pairs").file("a", FOX).dedup(&["sign", "a", "--all-pairs"]);
    run.stdout("").stderr_with(|stderr| assert!(stderr.contains("--all-pairs"), "{stderr}")).exit_code(2);
}
