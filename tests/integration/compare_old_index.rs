//! `--old INDEX` and `--against INDEX` give the same pairs as the indexed files.

use std::fs;

use crate::compare_old;
use crate::scope_twin::random_texts;
use crate::support::*;

/// Whether a command has the same lines with an index as with the files that it was made of.
///
/// * `args`: the command, without `--old`.
/// * `build`: further flags for the index.
#[track_caller]
fn is_as_with_files(corpus: &Workspace, args: &[&str], files: &str, build: &[&str]) {
    let index = corpus.path("x.index");
    let _ = fs::remove_file(&index);
    let made = ["index", "build", "-q", "x.index", files];
    corpus.dedup(&[&made, build].concat()).stdout("").stderr_with(|_| ()).exit_code(0);
    let (mut expected, mut warnings) = (String::new(), String::new());
    let with_files = [args, &["-q", "--old", files]].concat();
    corpus
        .dedup(&with_files)
        .stdout_with(|stdout| stdout.clone_into(&mut expected))
        .stderr_with(|stderr| stderr.clone_into(&mut warnings))
        .exit_code(0);
    assert!(expected.contains("\"old"), "{args:?}: {expected}");
    for threads in ["1", "3"] {
        let with_index = [args, &["-q", "--threads", threads, "--old", "x.index"]].concat();
        corpus.dedup(&with_index).stdout(&expected).stderr(&warnings).exit_code(0);
    }
}

/// A course with the documents of `compare_old::course` and an empty old one.
fn course(name: &'static str) -> Workspace {
    compare_old::course(name).file("old/gus", "")
}

#[test]
fn the_documents_of_an_index_are_as_the_files_that_it_was_made_of() {
    let corpus = course("old_index");
    for flags in
        [&[][..], &["--show-passages", "--with-source"], &["--all-pairs", "--threshold", "0.5"], &["--list-documents"]]
    {
        is_as_with_files(&corpus, &[&["scan", "new"], flags].concat(), "old", &[]);
        is_as_with_files(&corpus, &[&["scan", "new"], flags].concat(), "old", &["--texts", "refer"]);
    }
    is_as_with_files(&corpus, &["cluster", "new"], "old", &[]);
    // Texts are compared with the settings of the run.
    is_as_with_files(&corpus, &["scan", "new"], "old", &["--shingle", "word", "--k", "2", "--lowercase"]);
    let text = "the quick brown fox jumps over the lazy dog again and again today. ".to_owned() + &LOREM.repeat(4);
    let corpus =
        corpus.file("long/new", format!("Something new. {text}")).file("longer/1", &text).file("longer/2", &text);
    is_as_with_files(&corpus, &["scan", "long", "--preset", "prose"], "longer", &["--preset", "prose"]);
    let program = |name: &str| {
        format!(
            "def {name}(rows):\n    total = 0\n    for row in rows:\n        total += row.price * row.count\n    return total\n"
        )
    };
    let corpus = corpus.file("code/a.py", program("sum_of")).file("programs/b.py", program("total_of"));
    is_as_with_files(&corpus, &["scan", "code", "--preset", "code"], "programs", &["--preset", "code"]);
}

#[test]
fn an_index_is_the_other_side_of_a_comparison() {
    let corpus = course("against_index");
    corpus.dedup(&["index", "build", "-q", "x", "old"]).stdout("").stderr("").exit_code(0);
    let pairs = ["new/ann old/dan", "new/ann old/eve", "new/ben old/dan", "new/ben old/eve", "new/cy old/fay"];
    corpus.dedup(&["compare", "new", "--against", "x", "-q"]).pairs(&pairs).stderr("").exit_code(0);
    // Each side has its own names.
    let args = ["compare", "old/eve", "--against", "x", "-q"];
    corpus.dedup(&args).pairs(&["old/eve old/dan", "old/eve old/eve"]).stderr("").exit_code(0);
    for preset in ["sentences", "records"] {
        let mut expected = String::new();
        let with_files = ["compare", "new", "-q", "--preset", preset, "--against", "old"];
        corpus.dedup(&with_files).stdout_with(|stdout| stdout.clone_into(&mut expected)).stderr("").exit_code(0);
        assert!(expected.contains("old/fay"), "{expected}");
        let with_index = ["compare", "new", "-q", "--preset", preset, "--against", "x"];
        corpus.dedup(&with_index).stdout(&expected).stderr("").exit_code(0);
    }
    let save = ["compare", "new", "--against", "x", "-q", "--save", "saved"];
    corpus.dedup(&save).stdout_with(|_| ()).stderr("").exit_code(0);
    corpus.dedup(&["check", "saved", "-q"]).stdout("").stderr("").exit_code(0);
    let says = |stdout: &str| assert!(stdout.contains("verdict      reported"), "{stdout}");
    let explain = ["explain", "new/ann", "old/dan", "--in", "new", "--against", "x"];
    corpus.dedup(&explain).stdout_with(says).stderr_with(|_| ()).exit_code(0);
}

#[test]
fn records_of_an_index_have_their_names_and_places() {
    let corpus = Workspace::new("old_index_records")
        .file("new.jsonl", format!("{{\"id\":\"n\",\"text\":\"{FOX}\"}}\n{{\"text\":\"{LOREM}\"}}\n"))
        .file("old/a.jsonl", format!("{{\"id\":\"o\",\"text\":\"{FOX}\"}}\n\n{{\"text\":\"{CAT}\"}}\n"))
        .file("old/b.csv", format!("id,text\np,\"{LOREM}\"\nq,\"{CAT}\"\n"));
    for flags in [&["--with-source"][..], &["--show-passages"], &["--group-by", "^."]] {
        is_as_with_files(&corpus, &[&["scan", "new.jsonl"], flags].concat(), "old", &[]);
    }
}

#[test]
fn random_records_of_an_index_have_the_pairs_of_their_files() {
    for seed in 0..num_cases(6, 30) {
        let mut random = Random(seed);
        let num_documents = 4 + random.below(60);
        let texts = random_texts(&mut random, num_documents);
        let records = |texts: &[String], prefix: &str| -> String {
            let record =
                |(at, text): (usize, &String)| serde_json::json!({ "id": format!("{prefix}{at}"), "text": text });
            texts.iter().enumerate().map(|numbered| format!("{}\n", record(numbered))).collect()
        };
        let (new, old) = texts.split_at(1 + random.below(num_documents - 1));
        // Each new text has a copy, so that there are pairs with old documents.
        let old: Vec<String> = old.iter().chain(new).cloned().collect();
        let corpus = Workspace::new("old_index_random")
            .file("new.jsonl", records(new, "n"))
            .file("old.jsonl", records(&old, "o"));
        is_as_with_files(&corpus, &["scan", "new.jsonl", "--threshold", "0.5", "--show-passages"], "old.jsonl", &[]);
    }
}

#[test]
fn an_index_goes_with_other_paths_and_is_not_filtered() {
    let corpus = course("old_index_paths").file("older/hal.md", FOX);
    corpus.dedup(&["index", "build", "-q", "x.index", "old"]).stdout("").stderr("").exit_code(0);
    let pairs = ["new/ann older/hal.md", "new/ann old/dan", "new/ann old/eve"];
    let args = ["scan", "new", "--old", "older", "x.index", "-q", "--include", "ann", "--include", "*.md"];
    corpus.dedup(&args).pairs(&pairs).stderr("").exit_code(0);
    // The index in a folder of new documents is not one of them.
    corpus.dedup(&["index", "build", "-q", "new/y.index", "older"]).stdout("").stderr("").exit_code(0);
    let args = ["scan", "new", "--old", "new/y.index", "-q", "--threshold", "1"];
    corpus.dedup(&args).pairs(&["new/ann older/hal.md"]).stderr("").exit_code(0);
    // Removed documents are not old.
    corpus.dedup(&["index", "remove", "-q", "x.index", "old/dan"]).stdout("").stderr_with(|_| ()).exit_code(0);
    let args = ["scan", "new", "--old", "x.index", "-q", "--threshold", "1"];
    corpus.dedup(&args).pairs(&["new/ann old/eve", "new/cy old/fay"]).stderr("").exit_code(0);
    // A name on both sides has a number on the second.
    corpus
        .dedup(&["scan", "old/eve", "--old", "x.index"])
        .pairs(&["old/eve old/eve/#2"])
        .stderr_with(|stderr| {
            assert!(stderr.contains("old/eve: this name was there before; compared as old/eve/#2"), "{stderr}")
        })
        .exit_code(0);
}

#[test]
fn saved_results_and_views_have_the_documents_of_an_index() {
    let corpus = course("old_index_saved");
    corpus.dedup(&["index", "build", "-q", "x.index", "old"]).stdout("").stderr("").exit_code(0);
    corpus
        .dedup(&["new", "--old", "x.index", "-q", "--format", "html=page.html"])
        .stdout_with(|_| ())
        .stderr("")
        .exit_code(0);
    assert!(corpus.read("page.html").contains("old/dan"));
    let save = ["scan", "new", "--old", "x.index", "-q", "--save", "saved"];
    corpus.dedup(&save).stdout_with(|_| ()).stderr("").exit_code(0);
    let marked = |stdout: &str| assert!(stdout.contains("old/dan (old)"), "{stdout}");
    corpus.dedup(&["report", "saved", "--format", "text"]).stdout_with(marked).stderr("").exit_code(0);
    corpus.dedup(&["check", "saved"]).stdout_with(|_| ()).stderr_with(|_| ()).exit_code(0);
    // A changed index is a changed input.
    corpus.dedup(&["index", "remove", "-q", "x.index", "old/fay"]).stdout("").stderr_with(|_| ()).exit_code(0);
    corpus
        .dedup(&["report", "saved", "--format", "text"])
        .stdout("")
        .stderr_with(|stderr| assert!(stderr.starts_with("dedup: x.index: it "), "{stderr}"))
        .exit_code(2);
}

#[test]
fn settings_that_differ_from_the_index_are_one_line() {
    let corpus = course("old_index_settings").file("new/page.html", "<p>The <b>quick</b> brown fox jumps</p>");
    corpus.dedup(&["index", "build", "-q", "x", "old", "--shingle", "word"]).stdout("").stderr("").exit_code(0);
    let note =
        "dedup: note: x: the index was made with --shingle word, and this run compares texts with --shingle char\n";
    corpus
        .dedup(&["scan", "new", "--old", "x"])
        .stdout_with(|_| ())
        .stderr_with(|stderr| assert!(stderr.starts_with(note), "{stderr}"))
        .exit_code(0);
    corpus
        .dedup(&["scan", "new", "--old", "x", "--html", "raw"])
        .stdout("")
        .stderr("dedup: x: the index was made with --html auto, and this run reads documents with --html raw; use the same setting for both\n")
        .exit_code(2);
    corpus
        .dedup(&["scan", "new", "--old", "x", "--shingle", "set"])
        .stdout("")
        .stderr("dedup: x: the index was made with --shingle word, and this run reads documents with --shingle set; use the same setting for both\n")
        .exit_code(2);
    corpus
        .dedup(&["scan", "new", "--old", "x", "-q", "--unit", "dir:1"])
        .stdout("")
        .stderr("dedup: --unit: joins files, and the documents of an index are not files; give the files of the index to --old, or remove the flag\n")
        .exit_code(2);
    for (flag, value, what) in [
        (
            "--times",
            "file",
            "the documents of an index have no time; give the files of the index to --old, or remove the flag",
        ),
        (
            "--times",
            "field:date",
            "the documents of an index have no time; give the files of the index to --old, or remove the flag",
        ),
        (
            "--group-by",
            "dir",
            "an index knows only the names of its documents; group by host or by an expression, or give the files of the index to --old",
        ),
    ] {
        let message = format!("dedup: {flag}: {what}\n");
        corpus.dedup(&["scan", "new", "--old", "x", "-q", flag, value]).stdout("").stderr(&message).exit_code(2);
    }
}

#[test]
fn texts_that_an_index_cannot_read_are_reported() {
    let corpus = course("old_index_stale");
    let build = ["index", "build", "-q", "x", "old", "--texts", "refer"];
    corpus.dedup(&build).stdout("").stderr("").exit_code(0);
    let corpus = corpus.file("old/dan", "something else");
    corpus
        .dedup(&["scan", "new", "--old", "x", "-q", "--threshold", "1"])
        .pairs(&["new/ann old/eve", "new/cy old/fay"])
        .stderr_with(|stderr| assert!(stderr.starts_with("dedup: old/dan: changed since it was indexed"), "{stderr}"))
        .exit_code(3);
    // A damaged index ends the run.
    fs::write(corpus.path("x"), [&fs::read(corpus.path("x")).unwrap()[..100], &[7; 900]].concat()).unwrap();
    corpus
        .dedup(&["scan", "new", "--old", "x", "-q"])
        .stdout_with(|_| ())
        .stderr_with(|stderr| assert!(stderr.starts_with("dedup: x: "), "{stderr}"))
        .exit_code(2);
}
