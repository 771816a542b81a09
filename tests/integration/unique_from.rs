//! `dedup unique --from`: the very bytes of a run, without a scan; and what does not fit a saved result is refused.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::scan_packed::{gzip, tar, zip};
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
    let line = "unique     1 kept, 2 removed; 1 file would be written, 2 left out, 44 B of 132 B\n";
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
    refused(&workspace, &["result", "in", "--keep", "max:none"], "dedup: --keep: no record has the field `none`");
    refused(&workspace, &["result", "in", "--threshold", "0.4"], "dedup: result: it holds the pairs at or above 0.5");
    refused(&workspace, &["result", "in/a.jsonl"], "dedup: in/b.csv: it does not hold the documents");
    refused(&workspace, &["result", "in", "--exclude", "*.csv"], "dedup: in/b.csv: it does not hold the documents");
    refused(&workspace, &["result", "in", "--input-format", "text"], "dedup: in/");
    workspace
        .dedup(&["unique", "in", "--from", "result", "-n", "--k", "3"])
        .stdout("")
        .stderr_with(|_| ())
        .exit_code(2);
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
        refused(&workspace, &result, why);
    }
    let groups = new();
    quietly(&groups, &["scan", "-q", "in", "--group-by", "dir", "--save", "grouped"], 3);
    refused(&groups, &["grouped", "in"], "dedup: grouped: it is of two sides or of groups");
}
