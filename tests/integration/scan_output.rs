//! What a scan prints: the lines, the summary for people and the one for programs.

use std::fs;

use crate::support::*;

fn fox_cat(name: &'static str) -> Workspace {
    Workspace::new(name).file("a.txt", FOX).file("b.txt", CAT).file("c.txt", LOREM)
}

const LINE: &str = concat!(
    r#"{"a":"a.txt","b":"b.txt","jaccard":0.8,"containment_a":0.8888888888888888,"#,
    r#""containment_b":0.8888888888888888,"shared":32,"shingles_a":36,"shingles_b":36,"estimate":0.77}"#,
    "\n"
);

#[test]
fn a_pair_at_the_threshold_is_one_line_and_the_summary_is_for_people() {
    let corpus =
        fox_cat("summary").file("d.txt", FOX).file("empty.txt", " \n").file("short.txt", "fox").file("binary", "a\0b");
    let binary = "dedup: binary: binary, with a NUL at byte 1; skipped\n";
    let line = "3 similar pairs among 5 documents (193 B; 1 more is empty) in <time>, skipped 1 binary; 99.96 % of the pairs at 80 % are found\n";
    corpus
        .dedup(&["scan", "a.txt", "b.txt", "."])
        .stdout_with(|stdout| assert_eq!(records(stdout).len(), 3))
        .stderr(&format!("{binary}{line}"))
        .exit_code(0);
    corpus
        .dedup(&["scan", "a.txt", "b.txt", ".", "--threads", "2", "--stats"])
        .stdout_with(|stdout| {
            assert_eq!(stdout.lines().next().unwrap(), LINE.trim_end());
            assert_eq!(records(stdout).len(), 3);
        })
        .stderr(
            "dedup: binary: binary, with a NUL at byte 1; skipped\n\
             documents  6 (193 B), 1 empty, 1 shorter than one shingle\n\
             skipped    1 binary\n\
             copies     1 in 1 group of equal texts\n\
             candidates 1 pair of distinct texts\n\
             pairs      3 at or above 0.8\n\
             recall     99.96 % of the pairs at 0.8 are found (20 bands x 5 rows)\n\
             memory     <bytes>\n\
             time       <times>\n",
        )
        .exit_code(0);
}

#[test]
fn quiet_leaves_the_lines_alone() {
    fox_cat("quiet").file("binary", "\0").dedup(&["scan", ".", "--quiet"]).stdout(LINE).stderr("").exit_code(0);
    fox_cat("q").dedup(&["scan", "-q", "."]).stdout(LINE).stderr("").exit_code(0);
}

const NO_DOCUMENTS: &str = "dedup: warning: no documents were found; check the paths, --include and --exclude\n";

#[test]
fn a_corpus_without_pairs_prints_nothing() {
    Workspace::new("no_pairs").file("a", FOX).dedup(&["scan", "-q", "."]).stdout("").stderr("").exit_code(0);
    Workspace::new("nothing").dedup(&["scan", "."]).stdout("").notes(NO_DOCUMENTS).exit_code(0);
}

#[test]
fn empty_and_short_texts_are_documents() {
    let corpus =
        Workspace::new("short").file("a", "").file("b", "").file("c", "fox").file("d", " fox\n").file("e", "dog");
    corpus.dedup(&["scan", "-q", "."]).stdout(&copies("c", "d", 1)).stderr("").exit_code(0);
}

#[test]
fn white_space_is_one_space() {
    let spread = FOX.replace(' ', "\r\n\t\u{a0}\u{3000}");
    let corpus = Workspace::new("white_space").file("a", FOX).file("b", format!("\n{spread}\u{2028}"));
    corpus.dedup(&["scan", "-q", "."]).stdout(&copies("a", "b", 36)).stderr("").exit_code(0);
}

#[test]
fn the_summary_file_is_one_json_object_with_known_keys() {
    let corpus = fox_cat("summary_file").file("bin", "\0").file("d.txt", FOX).file("0", "").file("1", "x");
    corpus
        .dedup(&["scan", ".", "-q", "--summary", "s.json", "--exclude", "s.json", "--seed", "7"])
        .pairs(&["a.txt b.txt", "a.txt d.txt", "b.txt d.txt"])
        .stderr("")
        .exit_code(0);
    let text = fs::read_to_string(corpus.path("s.json")).unwrap();
    assert!(text.ends_with("}\n") && text.lines().count() == 1, "{text}");
    let mut summary: serde_json::Value = serde_json::from_str(&text).unwrap();
    let seconds = summary.as_object_mut().unwrap().remove("seconds").unwrap();
    for stage in ["read", "band", "verify"] {
        assert!(seconds[stage].as_f64().unwrap() >= 0.0, "{text}");
    }
    assert_eq!(seconds.as_object().unwrap().len(), 3);
    let memory = summary.as_object_mut().unwrap().remove("memory").unwrap();
    assert!(memory["tables"].as_u64() > Some(6 * 160) && memory["sets"].as_u64() > Some(2 * 8 * 40), "{text}");
    assert_eq!(memory.as_object().unwrap().len(), 2);
    let recall = summary.as_object_mut().unwrap().remove("recall_at_threshold").unwrap().as_f64().unwrap();
    assert!((recall - 0.999639).abs() < 1e-6, "{recall}");
    let expected = serde_json::json!({
        "documents": 6, "bytes": 189, "empty": 1, "short": 1, "exact_groups": 1, "exact_copies": 1,
        "candidates": 1, "largest_bucket": { "documents": 2, "first": "a.txt" }, "pairs": 3, "skipped": { "binary": 1 }, "errors": 0,
        "settings": {
            "shingle": "char", "k": 9, "bands": 20, "rows": 5, "threshold": 0.8, "signature": "fast", "seed": 7,
            "bag": false, "stop_words": null, "folding": [], "skip_lines": [], "ignore_between": [], "min_tokens": 0
        },
        "sparse": 0,
    });
    assert_eq!(summary, expected);
}

#[test]
fn the_summary_can_go_to_a_device() {
    fox_cat("summary_device")
        .dedup(&["scan", "c.txt", "-q", "--summary", "/dev/stdout"])
        .stdout_with(|stdout| assert!(stdout.starts_with(r#"{"documents":1,"#) && stdout.ends_with("}\n"), "{stdout}"))
        .stderr("")
        .exit_code(0);
}

#[test]
fn a_summary_to_the_file_of_stdout_comes_after_the_pairs() {
    use std::process::Command;
    let folder = tempfile::tempdir().unwrap();
    for name in ["a", "b"] {
        std::fs::write(folder.path().join(name), FOX).unwrap();
    }
    let out = folder.path().join("out");
    let status = Command::new(assert_cmd::cargo::cargo_bin!("dedup"))
        .args(["scan", "-q", "a", "b", "--summary", "/dev/stdout"])
        .current_dir(&folder)
        .stdout(std::fs::File::create(&out).unwrap())
        .status();
    assert!(status.unwrap().success());
    let text = std::fs::read_to_string(&out).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines.len() == 2 && lines[0].starts_with(r#"{"a":"a","b":"b""#) && lines[1].contains(r#""pairs":1"#),
        "{text}"
    );
}

#[test]
fn a_scan_that_fails_leaves_the_last_summary_as_it_was() {
    let corpus = Workspace::new("old_summary").file("old.json", "old");
    let failed = |corpus: &Workspace, summary| {
        let message = "dedup: nowhere: no such file or folder; check the path\n\
                       dedup: none of the inputs could be read; nothing was compared\n";
        corpus.dedup(&["scan", "-q", "nowhere", "--summary", summary]).stdout("").stderr(message).exit_code(2);
    };
    failed(&corpus, "old.json");
    failed(&corpus, "new.json");
    assert_eq!(std::fs::read_to_string(corpus.path("old.json")).unwrap(), "old");
    assert!(!corpus.path("new.json").exists());
}

#[test]
fn a_name_that_is_not_utf8_is_base64() {
    use std::os::unix::ffi::OsStrExt;
    let name = std::ffi::OsStr::from_bytes(b"\xFF.txt");
    let line = copies("a.txt", "<>", 36).replace("\"<>\"", r#"{"bytes":"/y50eHQ="}"#);
    let corpus = Workspace::new("not_utf8_name").file("a.txt", FOX).file(name, FOX);
    corpus.dedup(&["scan", "-q", "."]).stdout(&line).stderr("").exit_code(0);
    assert_eq!(records(&line).len(), 1);
}

#[test]
fn names_are_escaped_in_lines_and_messages() {
    let corpus = Workspace::new("odd_names").file("a\n\"b\"", FOX).file("ü", FOX).file("z\n", b"\xFF");
    corpus
        .dedup(&["scan", "-q", "."])
        .stdout(&copies(r#"a\n\"b\""#, "ü", 36))
        .stderr("dedup: z\\n: not valid UTF-8 at byte 0; read it with --encoding LABEL or --invalid replace\n")
        .exit_code(3);
}

#[test]
fn binary_files_of_no_known_kind_are_one_line() {
    let corpus = (0..25).fold(Workspace::new("notes"), |corpus, number| corpus.file(format!("{number:02}"), "\0"));
    let more = "dedup: skipped 25 binary files: 25 of no known kind; --list-documents lists each\n\
                dedup: warning: no documents are left (25 binary); check the paths and flags\n";
    corpus.dedup(&["scan", "."]).stdout("").notes(more).exit_code(0);
}

#[test]
fn a_large_bucket_without_pairs_is_named_with_what_helps() {
    // A form that all have, and a line of their own; no two are near enough.
    let form = "The undersigned applicant hereby confirms the particulars stated below in every respect. ";
    let own = |i: u64| (0..9).map(|j| format!("{:x} ", (i + 1) * (j + 7) * 0x9E37_79B9)).collect::<String>();
    let records: String = (0..2000).map(|i| format!("{{\"text\":\"{form}{}\"}}\n", own(i))).collect();
    let corpus = Workspace::new("large_bucket").file("r.jsonl", records);
    let flags = [
        "scan",
        "r.jsonl",
        "--seed",
        "3",
        "--bands",
        "4",
        "--rows",
        "1",
        "--threshold",
        "0.99",
        "--summary",
        "s.json",
        "--stats",
    ];
    let look = |stderr: &str| {
        let (_, rest) = stderr.split_once("  bucket   the largest has 1,").unwrap_or_else(|| panic!("{stderr}"));
        assert!(rest.contains(" texts, the first is r.jsonl:"), "{rest}");
        assert!(rest.contains("what they have in common costs time and makes no pairs; --template FILE"), "{rest}");
    };
    corpus.dedup(&flags).stdout("").stderr_with(look).exit_code(0);
    let summary: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(corpus.path("s.json")).unwrap()).unwrap();
    let bucket = &summary["largest_bucket"];
    assert!(bucket["documents"].as_u64().unwrap() >= 1000, "{bucket}");
    assert!(bucket["first"].as_str().unwrap().starts_with("r.jsonl:"), "{bucket}");
}
