//! `dedup unique --from`: the very bytes of a run, without a scan; and what does not fit a saved result is refused.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::packing::{gzip, tar, zip};
use crate::saved::seal;
use crate::support::*;

/// Bands that do not depend on the threshold, so that a run at a higher one finds the same pairs.
const METHOD: [&str; 6] = ["--bands", "100", "--rows", "2", "--threshold", "0.5"];

/// A text of some words of a family, a few of them changed.
fn text(random: &mut Random) -> String {
    let family = random.below(5);
    let mut words: Vec<String> = (0..14).map(|at| format!("w{family}x{at}")).collect();
    for _ in 0..random.below(4) {
        let at = random.below(words.len());
        words[at] = format!("v{}", random.below(30));
    }
    words.truncate(14 - random.below(3));
    words.join(" ")
}

/// Everything at a path: each file by its path below, with its bytes.
fn tree(root: &Path) -> BTreeMap<Vec<u8>, Vec<u8>> {
    let entries = walkdir::WalkDir::new(root).into_iter().map(Result::unwrap);
    let files = entries.filter(|entry| !entry.file_type().is_dir());
    let inside = |path: &Path| path.strip_prefix(root).unwrap().as_os_str().as_bytes().to_vec();
    let bytes =
        |path: &Path| fs::read(path).unwrap_or_else(|_| fs::read_link(path).unwrap().as_os_str().as_bytes().to_vec());
    files.map(|entry| (inside(entry.path()), bytes(entry.path()))).collect()
}

/// A folder with documents in every format.
fn corpus(seed: u64) -> Workspace {
    let mut random = Random(seed);
    let mut text = || text(&mut random);
    let lines = |text: &mut dyn FnMut() -> String| -> String {
        (0..12).map(|at| format!("{{\"n\":{at}, \"text\":\"{}\"}}\r\n", text())).collect()
    };
    let mut table = String::from("\u{FEFF}id,text\n");
    (0..12).for_each(|at| table += &format!("{at},\"{}\n\"\n", text()));
    let packed: Vec<(String, String)> = (0..6).map(|at| (format!("m/{at}.txt"), text())).collect();
    let mut members: Vec<(&str, &[u8])> = packed.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    let inner = lines(&mut text);
    members.push(("m/in.jsonl", inner.as_bytes()));
    let workspace = Workspace::new("unique_from")
        .file("in/a.jsonl", lines(&mut text) + "\n no JSON\n")
        .file("in/b.csv", table)
        .file("in/c.jsonl.gz", gzip(lines(&mut text)))
        .file("in/d.tar.gz", gzip(tar(&members)))
        .file("in/e.zip", zip(&members, ::zip::CompressionMethod::Deflated))
        .file("in/empty.jsonl", "")
        .file("in/empty.txt", "")
        .file("in/binary.bin", b"\0\x01\x02")
        .link("in/link", "t/0.txt");
    (0..10).fold(workspace, |workspace, at| workspace.file(format!("in/t/{at}.txt"), text()))
}

fn quietly(workspace: &Workspace, args: &[&str], exit_code: i32) {
    workspace.dedup(args).stdout_with(|_| ()).stderr_with(|_| ()).exit_code(exit_code);
}

/// Saves a result of `in`, which has a line that is no JSON.
fn save(workspace: &Workspace, more: &[&str]) {
    quietly(workspace, &[&["scan", "-q", "in", "--save", "result"], &METHOD[..], more].concat(), 3);
}

#[test]
fn a_saved_result_gives_the_very_bytes_of_a_run() {
    for seed in 0..3 {
        let workspace = corpus(seed);
        save(&workspace, &[]);
        let keeps =
            ["first", "last", "longest", "shortest", "newest", "path-order", "matching:*.csv", "max:n", "min:n"];
        let (mut written, mut none) = (0, Vec::new());
        for (number, keep) in keeps.into_iter().cycle().take(18).enumerate() {
            let linkage = ["star", "components"][number / 9];
            let threshold = ["0.5", "0.75"][number % 2];
            let choice = ["in", "--keep", keep, "--linkage", linkage, "--removed", "-", "-q"];
            let mut removed = Vec::new();
            for (output, how) in [("out", vec!["--bands", "100", "--rows", "2"]), ("again", vec!["--from", "result"])] {
                let args = [&["unique", "-o", output, "--threshold", threshold], &choice[..], &how].concat();
                let run = workspace.dedup(&args).stdout_with(|stdout| removed.push(stdout.to_owned()));
                run.stderr_with(|_| ()).exit_code(3);
            }
            let [out, again] = ["out", "again"].map(|output| tree(&workspace.path(output)));
            assert_eq!(out, again, "seed {seed}: {keep} {linkage} {threshold}");
            // What is far from what stands for it has no similarity in the result.
            let lines = removed[0].lines().zip(removed[1].lines());
            for (counted, saved) in lines.filter(|(counted, saved)| counted != saved) {
                let start = saved.strip_suffix('}').unwrap();
                assert!(linkage == "components" && counted.starts_with(start), "{counted} {saved}");
                none.push(seed);
            }
            assert_eq!(removed[0].lines().count(), removed[1].lines().count());
            written += usize::from(out != tree(&workspace.path("in")));
            ["out", "again"].iter().for_each(|output| fs::remove_dir_all(workspace.path(output)).unwrap());
        }
        assert_eq!((written, none.is_empty()), (18, false), "seed {seed}");
    }
}

#[test]
fn the_numbers_are_those_of_a_run_and_a_result_may_lie_among_its_inputs() {
    let workspace = Workspace::new("unique_from_numbers").file("a.txt", FOX).file("b.txt", CAT).file("c.txt", FOX);
    quietly(&workspace, &["scan", "-q", ".", "--save", "result"], 0);
    let line = "unique     1 kept, 2 removed; 1 file would be written, 2 not written, 44 B of 132 B in files\n";
    workspace.dedup(&["unique", ".", "--from", "result", "-n"]).stdout("").stderr(line).exit_code(0);
    let summary = |stdout: &str| {
        let removed = r#"{"removed":"b.txt","kept":"a.txt","jaccard":0.8}"#;
        assert_eq!(stdout.lines().next(), Some(removed));
    };
    let args = ["unique", ".", "--from", "result", "-n", "-q", "--removed", "-", "--summary", "../tmp-summary"];
    workspace.dedup(&args).stdout_with(summary).stderr("").exit_code(0);
    let summary = fs::read_to_string(workspace.path("../tmp-summary")).unwrap();
    assert!(summary.starts_with(r#"{"unique":{"kept":1,"removed":2,"#), "{summary}");
    // Sets are lines, which the result knows.
    let sets = Workspace::new("unique_from_sets").file("s.txt", "a b c\nd e f\na b c\n");
    quietly(&sets, &["scan", "-q", "s.txt", "--shingle", "set", "--save", "result"], 0);
    sets.dedup(&["unique", "-q", "s.txt", "--from", "result", "-o", "o.txt"]).stdout("").stderr("").exit_code(0);
    assert_eq!(sets.read("o.txt"), "a b c\nd e f\n");
}

#[test]
fn a_result_that_does_not_fit_is_refused_with_the_file() {
    let new = || {
        let workspace = corpus(1);
        save(&workspace, &[]);
        workspace
    };
    let refused = |workspace: &Workspace, args: &[&str], why: &str| {
        let look = |stderr: &str| {
            assert!(stderr.starts_with(why) && stderr.lines().count() == 1, "{why}\n{stderr}");
        };
        let args = [&["unique", "-q", "--from"], args, &["-o", "out"]].concat();
        workspace.dedup(&args).stdout("").stderr_with(look).exit_code(2);
        assert!(!workspace.names().iter().any(|name| name == "out" || name.starts_with(".dedup")));
    };
    let workspace = new();
    let result = ["result", "in"];
    refused(&workspace, &["result/pairs.jsonl", "in"], "dedup: result/pairs.jsonl: it does not say which documents");
    refused(&workspace, &["-", "in"], "dedup: -: it does not say which documents");
    refused(&workspace, &["none", "in"], "dedup: none: ");
    refused(
        &workspace,
        &["result", "in", "--keep", "max:none"],
        "dedup: --keep: no record has a value in the field `none`",
    );
    refused(&workspace, &["result", "in", "--threshold", "0.4"], "dedup: result: contains the pairs at or above 0.5");
    refused(&workspace, &["result", "in/a.jsonl"], "dedup: in/b.csv: it does not hold the documents");
    refused(&workspace, &["result", "in", "--exclude", "*.csv"], "dedup: in/b.csv: it does not hold the documents");
    refused(&workspace, &["result", "in", "--input-format", "text"], "dedup: result: it was saved with --inp");
    for flag in [&["--k", "3"][..], &["--lowercase"], &["--skip-lines", "x"], &["--preset", "prose"], &["--bag"]] {
        let says = format!("dedup: --from: cannot be used with {}; remove one of them;", flag[0]);
        let look = |stderr: &str| assert!(stderr.starts_with(&says), "{stderr}");
        let args = [&["unique", "in", "--from", "result", "-n"], flag].concat();
        workspace.dedup(&args).stdout("").stderr_with(look).exit_code(2);
    }
    let moved =
        workspace.shell("mkdir else && cp -r in else && cd else && \"$D\" unique -q in --from ../result -o out");
    let seen = format!(
        "dedup: ../result: its names are seen from {}; run the command there\n",
        fs::canonicalize(workspace.path("")).unwrap().display()
    );
    moved.stdout("").stderr(&seen).exit_code(2);
    let changes: [(&str, &str); 6] = [
        ("printf x >> in/t/3.txt", "dedup: in/t/3.txt: it had "),
        ("rm in/e.zip", "dedup: in/e.zip: "),
        ("printf 'new' > in/new.txt", "dedup: in/new.txt: it is new"),
        ("printf '{\"text\":1}' > in/empty.jsonl", "dedup: in/empty.jsonl: it had 0 bytes"),
        ("tr w v < in/t/1.txt > x && cat x > in/t/1.txt && rm x", "dedup: in/t/1.txt: it has other bytes"),
        ("printf '\\000\\002' > in/binary.bin", "dedup: in/binary.bin: it had 3 bytes"),
    ];
    for (change, why) in changes {
        let workspace = new();
        workspace.shell(change).stdout("").stderr("").exit_code(0);
        refused(&workspace, &result, why);
    }
    // Edited results.
    let edits: [(&str, &str, &str); 6] = [
        ("documents", "s/b.csv/z.csv/", "dedup: in/z.csv: it does not hold the documents"),
        ("documents", "$d", "dedup: result: it has "),
        ("documents", "s/\"line\":5/\"line\":6/", "dedup: "),
        ("documents", "1s/.*/{/", "dedup: result: line 1 of documents.jsonl is no document"),
        ("pairs", "1d", "dedup: result: it has "),
        (
            "pairs",
            "1s/\"b\":\"[^\"]*\"/\"b\":\"in\\/t\\/0.txt\"/;1s/\"a\":\"[^\"]*\"/\"a\":\"in\\/t\\/0.txt\"/",
            "dedup: result: ",
        ),
    ];
    for (file, edit, why) in edits {
        let workspace = new();
        let script = format!("sed -i '{edit}' result/{file}.jsonl");
        workspace.shell(&script).stdout("").stderr("").exit_code(0);
        refused(&workspace, &result, &format!("dedup: result: {file}.jsonl is not as it was saved; scan again"));
        // Faults that the hashes do not show are found all the same.
        seal(&workspace, "result");
        refused(&workspace, &result, why);
    }
    let groups = new();
    quietly(&groups, &["scan", "-q", "in", "--group-by", "dir", "--save", "grouped"], 3);
    refused(&groups, &["grouped", "in"], "dedup: grouped: it is of two sides or of groups");
}

#[test]
fn inputs_are_read_as_they_were_for_the_result_or_not_at_all() {
    let record = |title: &str| format!("{{\"id\":\"{title}\",\"text\":\"{FOX}\",\"title\":\"{title}\"}}\n");
    let workspace = Workspace::new("unique_from_reading").file("two.jsonl", record("one") + &record(LOREM));
    quietly(&workspace, &["scan", "-q", "two.jsonl", "--save", "tw"], 0);
    let run = |from: &str, flags: &[&str]| {
        let args = [&["unique", "-q", "two.jsonl", "--from", from, "-o", "two.out"], flags].concat();
        workspace.dedup(&args)
    };
    let refused = |from: &str, flags: &[&str], saved: &str, given: &str| {
        let says = format!(
            "dedup: {from}: it was saved {saved}, and this run is {given}; give the flags of the saved run, or scan again\n"
        );
        run(from, flags).stdout("").stderr(&says).exit_code(2);
        assert!(!workspace.path("two.out").exists(), "{flags:?}");
    };
    let flags = [
        ("--text-field title", "with --text-field text"),
        ("--text-field text --text-field title", "with --text-field text"),
        ("--id-field title", "without --id-field"),
        ("--id-prefix file", "with --id-prefix none"),
        ("--encoding windows-1252", "with --encoding auto"),
        ("--html strip", "with --html auto"),
        ("--no-quoting", "without --no-quoting"),
        ("--delimiter ;", "with --delimiter ,"),
        ("--max-document-bytes 1000", "without --max-document-bytes"),
        ("--invalid replace", "with --invalid skip"),
        ("--filter jsonl=cat", "without --filter"),
        ("--input-format json", "with --input-format auto"),
    ];
    let mut all = Vec::new();
    for (number, (flag, saved)) in flags.into_iter().enumerate() {
        let given: Vec<&str> = flag.split(' ').collect();
        refused("tw", &given, saved, &format!("with {flag}"));
        // What says the same as the saved run goes.
        let from = format!("r{number}");
        let save = [&["scan", "-q", "two.jsonl", "--save", &from], &given[..]].concat();
        quietly(&workspace, &save, 0);
        refused(&from, &[], &format!("with {flag}"), saved);
        all.push((from, given));
    }
    let accepted = |from: &str, flags: &[&str], kept: usize| {
        run(from, flags).stdout("").stderr("").exit_code(0);
        assert_eq!(workspace.read("two.out").lines().count(), kept, "{flags:?}");
        fs::remove_file(workspace.path("two.out")).unwrap();
    };
    accepted("tw", &[], 1);
    accepted("tw", &["--text-field", "text", "--encoding", "auto", "--html", "auto", "--strict"], 1);
    accepted("r0", &["--text-field", "title"], 2);
    accepted("r2", &["--id-field", "title"], 1);
    // A result of a version that did not say how its inputs were read.
    let header = workspace.read("tw/header.json");
    let start = header.find("\"reading\":").unwrap();
    let end = start + header[start..].find("},").unwrap() + 2;
    fs::write(workspace.path("tw/header.json"), header[..start].to_owned() + &header[end..]).unwrap();
    let old = |stderr: &str| {
        let start = "dedup: tw: header.json is none of this version (missing field `reading`";
        assert!(stderr.starts_with(start) && stderr.ends_with("; scan again\n"), "{stderr}");
    };
    run("tw", &[]).stdout("").stderr_with(old).exit_code(2);
    quietly(&workspace, &["scan", "-q", "two.jsonl", "--save", "tw", "--force"], 0);
    accepted("tw", &[], 1);
}
