//! Outputs that are compressed because of their names, and are read again.

use std::fs;

use dedup_scan::records::start_of;

use crate::support::*;

/// The first bytes of each format.
const FORMATS: [(&str, &[u8]); 4] =
    [("gz", b"\x1F\x8B"), ("zst", b"\x28\xB5\x2F\xFD"), ("bz2", b"BZh"), ("xz", b"\xFD7zXZ\0")];

fn corpus(name: &'static str) -> Workspace {
    Workspace::new(name).file("in/a", FOX).file("in/b", FOX).file("in/c", CAT).file("in/d", LOREM)
}

fn text(corpus: &Workspace, path: &str) -> String {
    String::from_utf8(start_of(&corpus.path(path), u64::MAX).unwrap()).unwrap()
}

#[test]
fn the_name_of_an_output_decides_how_it_is_compressed() {
    let corpus = corpus("compressed_outputs");
    let scan = |args: &[&str]| {
        corpus.dedup(&[&["scan", "in", "-q"], args].concat()).stdout("").stderr("").exit_code(0);
    };
    scan(&["-o", "pairs", "--format", "csv=table"]);
    for (extension, magic) in FORMATS {
        let names = ["pairs", "table", "summary.json"].map(|name| format!("{name}.{extension}"));
        let table = format!("csv={}", names[1]);
        // The second time, each file replaces an output of an earlier run.
        for _ in 0..2 {
            scan(&["-o", &names[0], "--summary", &names[2], "--format", &table]);
            for name in &names {
                assert!(fs::read(corpus.path(name)).unwrap().starts_with(magic), "{name}");
            }
            assert_eq!(text(&corpus, &names[0]), corpus.read("pairs"), "{extension}");
            assert_eq!(text(&corpus, &names[1]), corpus.read("table"), "{extension}");
            assert!(text(&corpus, &names[2]).starts_with("{\"documents\":4,"), "{extension}");
        }
    }
}

#[test]
fn compressed_pairs_are_read_again() {
    let corpus = corpus("compressed_pairs");
    corpus.dedup(&["scan", "in", "-q", "-o", "pairs"]).stdout("").stderr("").exit_code(0);
    let report = |from: &str| {
        let mut report = String::new();
        let keep = |stdout: &str| report.push_str(stdout);
        corpus.dedup(&["report", from, "-f", "csv"]).stdout_with(keep).stderr("").exit_code(0);
        report
    };
    let expected = report("pairs");
    assert_eq!(expected.lines().count(), 4);
    for (extension, _) in FORMATS {
        let name = format!("pairs.{extension}");
        corpus.dedup(&["scan", "in", "-q", "-o", &name]).stdout("").stderr("").exit_code(0);
        assert_eq!(report(&name), expected);
        corpus.shell(&format!("$D scan --from - < {name}")).stdout(&corpus.read("pairs")).stderr("").exit_code(0);
        corpus.dedup(&["check", "-q", &name, "in"]).stdout("").stderr("").exit_code(0);
        let baseline = format!("baseline.{extension}");
        corpus.dedup(&["baseline", &name, "-q", "-o", &baseline]).stdout("").stderr("").exit_code(0);
        let gate = ["scan", "in", "-q", "--baseline", &baseline, "--exit-code"];
        corpus.dedup(&gate).stdout("").stderr("").exit_code(0);
    }
    // A damaged file is an error, not the end of the pairs.
    let bytes = fs::read(corpus.path("pairs.gz")).unwrap();
    fs::write(corpus.path("half.gz"), &bytes[..bytes.len() / 2]).unwrap();
    let look = |stderr: &str| assert!(stderr.starts_with("dedup: half.gz: cannot read it: "), "{stderr}");
    corpus.dedup(&["report", "half.gz", "-f", "csv"]).stdout_with(|_| ()).stderr_with(look).exit_code(2);
}

#[test]
fn a_compressed_list_of_removed_documents_lists_all() {
    let corpus = corpus("compressed_list");
    let unique = ["unique", "in", "-q", "--output", "out", "--removed", "removed.zst"];
    corpus.dedup(&unique).stdout("").stderr("").exit_code(0);
    let removed = text(&corpus, "removed.zst");
    assert!(removed.starts_with("{\"removed\":") && removed.lines().count() == 2, "{removed}");
    // A large output is written by another thread.
    let records: String = (0..3000).map(|number| format!("{{\"id\":{number},\"text\":{FOX:?}}}\n")).collect();
    fs::write(corpus.path("many.jsonl"), records).unwrap();
    let list = ["scan", "many.jsonl", "-q", "--collapse-exact"];
    corpus.dedup(&[&list[..], &["-o", "plain"]].concat()).stdout("").stderr("").exit_code(0);
    corpus.dedup(&[&list[..], &["-o", "packed.zst"]].concat()).stdout("").stderr("").exit_code(0);
    assert_eq!(corpus.read("plain").lines().count(), 2999);
    assert!(text(&corpus, "packed.zst") == corpus.read("plain"));
}
