//! `dedup index` and `dedup query`: what an index answers is what a comparison with its corpus prints.

use std::fs;

use crate::scope_twin::random_texts;
use crate::support::*;

/// Lines of records with these ids.
pub(crate) fn records_with(texts: &[String], prefix: &str) -> String {
    let record = |(number, text): (usize, &String)| {
        format!("{}\n", serde_json::json!({ "id": format!("{prefix}{number}"), "text": text }))
    };
    texts.iter().enumerate().map(record).collect()
}

/// What a run prints on standard output; it ends well.
pub(crate) fn printed(workspace: &Workspace, args: &[&str]) -> String {
    let output = workspace.command(args).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {stderr}");
    String::from_utf8(output.stdout).unwrap()
}

/// Builds an index with some flags, and compares every way to ask it with a comparison.
pub(crate) fn assert_parity(workspace: &Workspace, flags: &[&str], of_compare: &[&str]) -> String {
    let _ = fs::remove_file(workspace.path("x.index"));
    let build = [&["index", "build", "x.index", "old", "-q"][..], flags].concat();
    // Some of these settings are warned of.
    workspace.dedup(&build).stdout("").stderr_with(|_| ()).exit_code(0);
    let compare = [&["compare", "new", "--against", "old", "-q"][..], flags, of_compare].concat();
    let expected = printed(workspace, &compare);
    for threads in ["1", "3"] {
        let query = [&["query", "x.index", "new", "-q", "--threads", threads][..], of_compare].concat();
        workspace.dedup(&query).stdout(&expected).stderr_with(|_| ()).exit_code(0);
    }
    workspace.dedup(&["index", "check", "x.index"]).stdout("").stderr("").exit_code(0);
    // An index of places answers as one of texts.
    let _ = fs::remove_file(workspace.path("places.index"));
    let build = [&["index", "build", "places.index", "old", "-q", "--texts", "refer"][..], flags].concat();
    workspace.dedup(&build).stdout("").stderr_with(|_| ()).exit_code(0);
    let query = [&["query", "places.index", "new", "-q"][..], of_compare].concat();
    workspace.dedup(&query).stdout(&expected).stderr_with(|_| ()).exit_code(0);
    workspace.dedup(&["index", "check", "places.index"]).stdout("").stderr("").exit_code(0);
    expected
}

pub(crate) fn corpus(name: &'static str) -> Workspace {
    Workspace::new(name)
        .file("new/z", FOX)
        .file("new/y", CAT)
        .file("new/lorem", LOREM)
        .file("new/empty", " \n")
        .file("old/b", CAT)
        .file("old/a", FOX)
        .file("old/c", format!(" {FOX}\n"))
        .file("old/empty", "")
}

#[test]
fn a_query_prints_what_a_comparison_prints() {
    let workspace = corpus("index_query");
    let lines = assert_parity(&workspace, &[], &[]);
    assert_eq!(lines.lines().count(), 6);
    for flags in [
        &["--shingle", "word", "--k", "2", "--threshold", "0.5"][..],
        &["--lowercase", "--strip-punctuation", "--signature", "fast", "--seed", "7"],
        &["--bag", "--k", "3"],
        &["--shingle", "line", "--min-tokens", "1"],
        &["--template", "old/b", "--threshold", "0.1", "--k", "4"],
        &["--shingle", "stopword", "--language", "en", "--k", "2", "--threshold", "0.2"],
        &["--skip-lines", "^Lorem", "--ignore-between", "quick", "fox"],
        &["--preset", "revisions"],
        &["--shingle", "set"],
    ] {
        assert_parity(&workspace, flags, &[]);
    }
    for of_compare in [
        &["--with-source"][..],
        &["--sort", "jaccard", "--top", "3"],
        &["--min-containment", "0.95"],
        &["--threshold", "0.95"],
    ] {
        let flags: &[&str] = if of_compare[0] == "--threshold" { &["--bands", "20", "--rows", "5"] } else { &[] };
        assert_parity(&workspace, flags, of_compare);
    }
}

#[test]
fn a_query_of_random_records_prints_what_a_comparison_prints() {
    let mut random = Random(15);
    for round in 0..6 {
        let (old, new) = (random_texts(&mut random, 120), random_texts(&mut random, 60));
        let more: Vec<String> = old.iter().step_by(3).cloned().collect();
        let workspace = Workspace::new("index_random")
            .file("old/1.jsonl", records_with(&old[..70], "p"))
            .file("old/2.jsonl", records_with(&old[70..], "q"))
            .file("new/1.jsonl", records_with(&[new, more].concat(), "n"));
        let method = if round % 2 == 0 { "classic" } else { "fast" };
        let lines = assert_parity(
            &workspace,
            &["--k", "3", "--bands", "30", "--rows", "2", "--threshold", "0.3", "--signature", method],
            &[],
        );
        assert!(lines.lines().count() > 100, "{}", lines.lines().count());
    }
}

#[test]
fn many_questions_are_answered_together_as_a_comparison_finds_them() {
    let mut random = Random(16);
    let mut text = |words: usize| (0..words).map(|_| format!("{} ", random.below(5000))).collect::<String>();
    let old: Vec<String> = (0..900).map(|_| text(90)).collect();
    // Every third is an old text, every third nearly so; some are asked twice.
    let mut new: Vec<String> = old.iter().step_by(2).take(200).cloned().collect();
    new.extend(old.iter().skip(1).step_by(2).take(200).map(|old| format!("{old}{}", text(3))));
    new.extend((0..200).map(|_| text(90)));
    new.extend_from_within(150..250);
    let workspace = Workspace::new("index_many")
        .file("old/1.jsonl", records_with(&old[..700], "p"))
        .file("old/2.jsonl", records_with(&old[700..], "q"))
        .file("new.jsonl", records_with(&new, "n"));
    let expected = printed(&workspace, &["compare", "new.jsonl", "--against", "old", "-q", "--bands", "256"]);
    assert_eq!(expected.lines().count(), 500);
    // A hundred blocks of keys, in two runs.
    printed(&workspace, &["index", "build", "x.index", "old/1.jsonl", "-q", "--bands", "256"]);
    printed(&workspace, &["index", "add", "x.index", "old/2.jsonl", "-q"]);
    // Little memory has the sets of some questions at a time.
    for (memory, threads) in [("16MiB", "1"), ("16MiB", "3"), ("1GiB", "1"), ("1GiB", "3")] {
        let query = ["query", "x.index", "new.jsonl", "-q", "--memory", memory, "--threads", threads];
        workspace.dedup(&query).stdout(&expected).stderr("").exit_code(0);
    }
    let removed: Vec<String> = (0..700).step_by(2).map(|number| format!("p{number}\n")).collect();
    fs::write(workspace.path("names"), removed.concat()).unwrap();
    printed(&workspace, &["index", "remove", "x.index", "-q", "--ids-from", "names"]);
    let left = printed(&workspace, &["query", "x.index", "new.jsonl", "-q"]);
    let is_left = |line: &&str| {
        let pair: serde_json::Value = serde_json::from_str(line).unwrap();
        let name = pair["b"].as_str().unwrap();
        name[1..].parse::<u32>().unwrap() % 2 == 1 || name.starts_with('q')
    };
    assert_eq!(left.lines().collect::<Vec<_>>(), expected.lines().filter(is_left).collect::<Vec<_>>());
    workspace.dedup(&["index", "check", "x.index"]).stdout("").stderr("").exit_code(0);
}

#[test]
fn programs_are_asked_in_the_language_of_each() {
    let program =
        "def add(first, second):\n    total = first + second\n    print(total, first, second)\n    return total\n";
    let workspace = Workspace::new("index_code")
        .file("old/a.py", program)
        .file("old/script", format!("#!/usr/bin/env python3\n{program}"))
        .file("new/b.py", program.replace("total", "sum"));
    let lines = assert_parity(&workspace, &["--shingle", "code", "--k", "4", "--threshold", "0.5"], &[]);
    assert_eq!(lines.lines().count(), 2);
}

#[test]
fn the_best_answers_come_first_and_a_document_is_not_its_own_answer() {
    let workspace = corpus("index_best");
    workspace.dedup(&["index", "build", "x.index", "old", "-q"]).stdout("").stderr("").exit_code(0);
    workspace
        .dedup(&["query", "x.index", "new/z", "-q"])
        .pairs(&["new/z old/a", "new/z old/b", "new/z old/c"])
        .stderr("")
        .exit_code(0);
    workspace
        .dedup(&["query", "x.index", "new/z", "-q", "--best", "2"])
        .pairs(&["new/z old/a", "new/z old/c"])
        .stderr("")
        .exit_code(0);
    workspace
        .dedup(&["query", "x.index", "old/b", "-q", "--best", "1"])
        .pairs(&["old/b old/b"])
        .stderr("")
        .exit_code(0);
    workspace
        .dedup(&["query", "x.index", "old/b", "-q", "--best", "1", "--skip-self"])
        .pairs(&["old/b old/a"])
        .stderr("")
        .exit_code(0);
    workspace.dedup(&["query", "x.index", "new/lorem", "-q", "--exit-code"]).stdout("").stderr("").exit_code(0);
    workspace
        .dedup(&["query", "x.index", "new/z", "-q", "--exit-code", "--best", "1"])
        .pairs(&["new/z old/a"])
        .stderr("")
        .exit_code(1);
}

#[test]
fn a_low_threshold_is_warned_of() {
    let workspace = corpus("index_recall");
    workspace.dedup(&["index", "build", "x.index", "old", "-q"]).stdout("").stderr("").exit_code(0);
    workspace
        .dedup(&["query", "x.index", "new/lorem", "-q", "--threshold", "0.5"])
        .stdout("")
        .stderr(
            "dedup: warning: the index has 20 bands x 5 rows, which find 47.00 % of the documents at similarity 0.5; build another \
             with --threshold 0.5\n",
        )
        .exit_code(0);
}

#[test]
fn what_an_index_was_not_made_with_is_refused_in_one_line() {
    let workspace = corpus("index_refusals");
    workspace.dedup(&["index", "build", "x.index", "old", "-q", "--k", "9"]).stdout("").stderr("").exit_code(0);
    let refused = |args: &[&str], message: &str| {
        workspace.dedup(args).stdout("").stderr(&format!("dedup: {message}\n")).exit_code(2);
    };
    for (flags, own, given) in [
        (&["--k", "5"][..], "--k 9", "--k 5"),
        (&["--shingle", "word"], "--shingle char", "--shingle word"),
        (&["--lowercase"], "no --lowercase", "--lowercase"),
        (&["--nfc"], "no --nfc or --nfkc", "--nfc"),
        (&["--nfkc"], "no --nfc or --nfkc", "--nfkc"),
        (&["--fold", "plagiarism"], "no --fold plagiarism", "--fold plagiarism"),
        (&["--undisguise"], "no --undisguise", "--undisguise"),
        (&["--bands", "10"], "--bands 20", "--bands 10"),
        (&["--rows", "4"], "--rows 5", "--rows 4"),
        (&["--seed", "7"], "--seed 42", "--seed 7"),
        (&["--signature", "classic"], "--signature fast", "--signature classic"),
        (&["--bag"], "no --bag", "--bag"),
        (&["--html", "strip"], "--html auto", "--html strip"),
        (&["--html", "main"], "--html auto", "--html main"),
        (&["--mail-quotes", "keep"], "--mail-quotes strip", "--mail-quotes keep"),
        (&["--mail-subject"], "no --mail-subject", "--mail-subject"),
        (&["--min-tokens", "3"], "--min-tokens 0", "--min-tokens 3"),
    ] {
        for command in [&["query", "x.index", "new"][..], &["index", "add", "x.index", "new"]] {
            let message =
                format!("x.index: the index was made with {own}, not {given}; remove the flag, or build another index");
            refused(&[command, flags].concat(), &message);
        }
    }
    // A query has a threshold of its own, and what is added has not.
    refused(
        &["index", "add", "x.index", "new", "--threshold", "0.5"],
        "x.index: the index was made with --threshold 0.8, not --threshold 0.5; remove the flag, or build another index",
    );
    refused(
        &["index", "remove", "x.index", "--where-prefix", ""],
        "--where-prefix: give a value; see dedup index remove --help",
    );
    // What is given and the same is no contradiction, and neither is what is not given.
    workspace
        .dedup(&["query", "x.index", "new/lorem", "-q", "--k", "9", "--seed", "42"])
        .stdout("")
        .stderr("")
        .exit_code(0);
    refused(
        &["index", "build", "y.index", "old", "--max-df", "5"],
        "--max-df: frequency depends on documents that are added later; remove it",
    );
    refused(
        &["query", "x.index", "new", "--template", "old"],
        "--template: an index has the shingles of its templates; remove it",
    );
    refused(&["index", "build", "x.index", "old"], "x.index: already exists; choose another index, or delete it first");
    assert_eq!(workspace.names(), ["new", "old", "x.index"]);
}

#[test]
fn a_file_that_is_no_index_is_refused_in_one_line() {
    let plain = |application: i64, format: i64| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("plain");
        let connection = rusqlite::Connection::open(&path).unwrap();
        let pragmas = format!("PRAGMA application_id={application}; PRAGMA user_version={format}; CREATE TABLE t(a);");
        connection.execute_batch(&pragmas).unwrap();
        drop(connection);
        fs::read(path).unwrap()
    };
    let workspace = corpus("index_foreign")
        .file("text", "some text that is longer than the header of a database, which is a hundred bytes, as it is said everywhere")
        .file("nothing", "")
        .file("other", plain(0, 1))
        .file("earlier", plain(0x6464_7570, 1))
        .file("later", plain(0x6464_7570, 4))
        .file("forged", plain(0x6464_7570, 3));
    let other_format = |format| {
        format!(
            "made by another version of dedup (format {format}), but this version reads format 3; use that version, or build the index again"
        )
    };
    let not_an_index = |what| format!("not an index: {what}; give a file that `dedup index build` made");
    for (file, message) in [
        ("text", not_an_index("an index begins with other bytes")),
        ("nothing", not_an_index("it is empty")),
        ("other", not_an_index("it is a database of another program")),
        ("forged", not_an_index("its tables are not those of one")),
        ("old", not_an_index("it is a folder, and the index comes first")),
        ("earlier", other_format(1)),
        ("later", other_format(4)),
        ("missing", "cannot read the index: No such file or directory; check its name".to_owned()),
    ] {
        let message = format!("dedup: {file}: {message}\n");
        for args in [
            &["query", file, "new"][..],
            &["index", "info", file],
            &["index", "check", file],
            &["index", "export", file],
            &["index", "remove", file, "x"],
        ] {
            workspace.dedup(args).stdout("").stderr(&message).exit_code(2);
        }
    }
}

#[test]
fn an_index_says_what_it_holds_and_gives_it_back() {
    let workspace = corpus("index_info").file("new/r.jsonl", "{\"id\":\"r\",\"text\":\"a  b\"}\n");
    workspace
        .dedup(&["index", "build", "x.index", "old", "new/r.jsonl"])
        .stdout("")
        .stderr_with(|stderr| {
            assert!(stderr.starts_with("documents  5 ("), "{stderr}");
            assert!(stderr.contains("\nindex      "), "{stderr}");
        })
        .exit_code(0);
    let info: serde_json::Value =
        serde_json::from_str(&printed(&workspace, &["index", "info", "x.index", "--json"])).unwrap();
    assert_eq!((&info["format"], &info["documents"], &info["removed"]), (&3.into(), &5.into(), &0.into()));
    assert_eq!((&info["texts"], &info["segments"], &info["settings"]["k"]), (&4.into(), &1.into(), &9.into()));
    workspace
        .dedup(&["index", "info", "x.index"])
        .stdout_with(|text| assert!(text.contains("documents  5\n"), "{text}"))
        .stderr("")
        .exit_code(0);
    let line = |id: &str, text: &str| format!("{}\n", serde_json::json!({ "id": id, "text": text }));
    let exported = [("old/a", FOX), ("old/b", CAT), ("old/c", &format!(" {FOX}\n")), ("old/empty", ""), ("r", "a  b")];
    let exported: String = exported.iter().map(|(id, text)| line(id, text)).collect();
    workspace.dedup(&["index", "export", "x.index"]).stdout(&exported).stderr("").exit_code(0);
    // What is exported can be built again, to the same answers.
    workspace.dedup(&["index", "export", "x.index", "-o", "e.jsonl"]).stdout("").stderr("").exit_code(0);
    workspace.dedup(&["index", "build", "y.index", "e.jsonl", "-q"]).stdout("").stderr("").exit_code(0);
    let answers = ["x.index", "y.index"].map(|index| printed(&workspace, &["query", index, "new/z", "-q"]));
    assert_eq!(answers[0], answers[1]);
    assert_eq!(workspace.names(), ["e.jsonl", "new", "old", "x.index", "y.index"]);
}

#[test]
fn an_index_that_cannot_be_built_is_not_there() {
    let workspace = corpus("index_not_built");
    workspace
        .dedup(&["index", "build", "x.index", "missing", "-q"])
        .stdout("")
        .stderr_with(|stderr| assert!(stderr.ends_with(NOTHING_READ), "{stderr}"))
        .exit_code(2);
    workspace
        .dedup(&["index", "build", "no/x.index", "old", "-q"])
        .stdout("")
        .stderr_with(|stderr| assert!(stderr.starts_with("dedup: no/x.index: cannot write the index: "), "{stderr}"))
        .exit_code(2);
    // What a build that was killed left is deleted by the next one, and nothing else.
    let workspace = workspace.file(".x.index.building-999999", "left").file(".x.index.building-x", "other");
    workspace.dedup(&["index", "build", "x.index", "old", "-q"]).stdout("").stderr("").exit_code(0);
    assert_eq!(workspace.names(), [".x.index.building-x", "new", "old", "x.index"]);
    // Also one that was killed when its index had its name, and by every command that makes an index.
    let workspace = workspace.hard_link(".x.index.building-999999", "x.index");
    workspace
        .dedup(&["index", "build", "x.index", "old", "-q"])
        .stdout("")
        .stderr_with(|stderr| assert!(stderr.starts_with("dedup: x.index: "), "{stderr}"))
        .exit_code(2);
    for (command, out) in [("merge", "m.index"), ("rebuild", "r.index")] {
        std::fs::write(workspace.path(format!(".{out}.building-999999")), "left").unwrap();
        workspace.dedup(&["index", command, out, "x.index", "-q"]).stdout("").stderr("").exit_code(0);
    }
    assert_eq!(workspace.names(), [".x.index.building-x", "m.index", "new", "old", "r.index", "x.index"]);
}
