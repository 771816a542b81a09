//! `scan --times`: which document of a pair was first, by the times of files or a date in the records.

use std::fs::File;
use std::time::{Duration, SystemTime};

use crate::index::printed;
use crate::packing::tar;
use crate::support::*;

/// Two versions of one text; the second one is older.
fn corpus(name: &'static str) -> Workspace {
    let corpus = Workspace::new(name).file("in/a", FOX).file("in/b", CAT);
    for (file, day) in [("in/a", 5), ("in/b", 2)] {
        let file = File::options().write(true).open(corpus.path(file)).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(day * 86400 + 61)).unwrap();
    }
    corpus
}

const TIMES: &str = r#","time_a":"1970-01-06T00:01:01Z","time_b":"1970-01-03T00:01:01Z"}"#;

#[test]
fn lines_and_views_have_the_times_of_files() {
    let corpus = corpus("times_files");
    let plain = printed(&corpus, &["scan", "-q", "in"]);
    let timed = plain.replace("}\n", &format!("{TIMES}\n"));
    for flags in [&[][..], &["--sort", "jaccard"], &["--top", "1"]] {
        let scan = [&["scan", "-q", "in", "--times", "file"], flags].concat();
        corpus.dedup(&scan).stdout(&timed).stderr("").exit_code(0);
        // The lines keep their sources, if these are requested.
        let sources = printed(&corpus, &[&scan[..], &["--with-source"]].concat());
        assert!(sources.contains(r#""source_a":{"file":"in/a"}"#) && sources.contains(TIMES), "{sources}");
    }
    corpus
        .dedup(&["compare", "-q", "in/a", "--against", "in/b", "--times", "file"])
        .stdout(&timed)
        .stderr("")
        .exit_code(0);
    let text = printed(&corpus, &["scan", "-q", "in", "--times", "file", "-f", "text"]);
    assert!(text.ends_with("   80 %  a 1970-01-06 00:01:01  b 1970-01-03 00:01:01\n"), "{text}");
    let markdown = printed(&corpus, &["scan", "-q", "in", "--times", "file", "-f", "markdown"]);
    assert!(markdown.contains("| `in/a` 1970-01-06 00:01:01 | `in/b` 1970-01-03 00:01:01 |"), "{markdown}");
    let csv = printed(&corpus, &["scan", "-q", "in", "--times", "file", "-f", "csv"]);
    assert!(csv.lines().next().unwrap().ends_with(",time_a,time_b"), "{csv}");
    assert!(csv.ends_with(",1970-01-06T00:01:01Z,1970-01-03T00:01:01Z\n"), "{csv}");
    // A check does not compare times. A saved result keeps them, and its reports show which document was first.
    std::fs::write(corpus.path("pairs.jsonl"), &timed).unwrap();
    corpus.dedup(&["check", "-q", "pairs.jsonl", "in"]).stdout("").stderr_with(|_| ()).exit_code(0);
    corpus.dedup(&["scan", "-q", "in", "--times", "file", "--save", "r"]).stdout(&timed).stderr("").exit_code(0);
    corpus.dedup(&["scan", "-q", "--from", "r"]).stdout(&timed).stderr("").exit_code(0);
    corpus.dedup(&["report", "r", "-f", "text"]).stdout(&text).stderr("").exit_code(0);
    corpus.dedup(&["report", "r", "-f", "csv"]).stdout(&csv).stderr("").exit_code(0);
    let page = printed(&corpus, &["report", "r", "-f", "html"]);
    assert!(page.contains(r#""times":[432061,172861],"dated":true"#), "{page}");
    corpus.dedup(&["check", "-q", "r"]).stdout("").stderr_with(|_| ()).exit_code(0);
    corpus
        .dedup(&["cluster", "-q", "--from", "r"])
        .stdout(&printed(&corpus, &["cluster", "-q", "in"]))
        .stderr("")
        .exit_code(0);
    // A later change of a file does not change the saved time.
    File::options().write(true).open(corpus.path("in/a")).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
    corpus.dedup(&["report", "r", "-f", "text"]).stdout(&text).stderr("").exit_code(0);
}

#[test]
fn members_of_archives_and_records_have_times() {
    let corpus = corpus("times_records").file("m.tar", tar(&[("x", FOX.as_bytes()), ("y", CAT.as_bytes())]));
    // A member without a time has the time of its archive.
    let archive = File::options().write(true).open(corpus.path("m.tar")).unwrap();
    archive.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(86400 + 61)).unwrap();
    let members = printed(&corpus, &["scan", "-q", "m.tar", "--times", "file"]);
    assert!(members.contains(r#","time_a":"1970-01-02T00:01:01Z","time_b":"1970-01-02T00:01:01Z"}"#), "{members}");
    let line = |id: &str, created: &str| format!("{{\"id\":{id:?},\"text\":{FOX:?},\"created\":{created}}}\n");
    let records = line("1", "\"2024-05-01\"") + &line("2", "\"2024-04-30T23:00:00+02:00\"") + &line("3", "\"soon\"");
    let corpus = corpus.file("r.jsonl", records);
    let scan = ["scan", "-q", "r.jsonl", "--times", "field:created"];
    let times = |stdout: &str| {
        let ends: Vec<&str> = stdout.lines().map(|line| line.split_once(r#","estimate":1.0"#).unwrap().1).collect();
        assert_eq!(
            ends,
            [
                r#","time_a":"2024-05-01T00:00:00Z","time_b":"2024-04-30T21:00:00Z"}"#,
                r#","time_a":"2024-05-01T00:00:00Z"}"#,
                r#","time_a":"2024-04-30T21:00:00Z"}"#,
            ]
        );
    };
    corpus.dedup(&scan).stdout_with(times).stderr("").exit_code(0);
    let page = printed(&corpus, &[&scan[..], &["-f", "html"]].concat());
    assert!(page.contains(r#""times":[1714521600,1714510800,-1],"dated":true"#), "{page}");
    let text = printed(&corpus, &[&scan[..], &["-f", "text"]].concat());
    assert!(text.contains("1 2024-05-01 00:00:00\n") && text.contains("2 2024-04-30 21:00:00\n"), "{text}");
}

#[test]
fn times_that_cannot_be_known_are_refused_or_warned_of() {
    let corpus = corpus("times_refused").file("r.jsonl", format!("{{\"id\":\"1\",\"text\":{FOX:?},\"n\":7}}\n"));
    let refused = |args: &[&str], message: &str| {
        let line = format!("dedup: {message}\n");
        corpus.dedup(&[&["scan"], args].concat()).stdout("").stderr(&line).exit_code(2);
    };
    refused(
        &["in", "--times", "newest"],
        "--times newest: give file, or a field such as field:created; see dedup scan --help",
    );
    refused(
        &["in", "--times", "file", "--unit", "dir:1"],
        "--times: with --unit, documents are joined from files, and have no time; remove one of the flags",
    );
    refused(
        &["in", "--times", "field:n", "--group-by", "dir"],
        "--times field:n: cannot be used with --group-by; give --times file, or remove one of the flags",
    );
    let look = |stderr: &str| assert!(stderr.contains("--times") && stderr.contains("--from"), "{stderr}");
    corpus.dedup(&["scan", "--from", "r", "--times", "file"]).stdout("").stderr_with(look).exit_code(2);
    let warning = "dedup: warning: --times field:n: no document has a date in this field\n";
    corpus.dedup(&["scan", "-q", "r.jsonl", "--times", "field:n"]).stdout("").stderr(warning).exit_code(0);
}
