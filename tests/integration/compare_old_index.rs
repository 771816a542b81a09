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
        let is_expected = |stdout: &str| {
            assert_eq!(
                stdout.contains(",\"index\":\"x.index\"}"),
                args.contains(&"--with-source"),
                "{args:?}: {stdout}"
            );
            assert_eq!(stdout.replace(",\"index\":\"x.index\"}", "}"), expected, "{args:?}");
        };
        corpus.dedup(&with_index).stdout_with(is_expected).stderr(&warnings).exit_code(0);
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
fn the_texts_of_a_saved_result_come_from_the_index_that_stores_them() {
    let renamed = format!("{{\"id\":\"s1\",\"text\":\"{FOX}\"}}\n");
    let corpus = course("old_index_texts").file("old/r.jsonl", &renamed).file("new/r.jsonl", &renamed);
    corpus.dedup(&["index", "build", "-q", "x.index", "old"]).stdout("").stderr("").exit_code(0);
    fs::remove_dir_all(corpus.path("old")).unwrap();
    // Another file has the name of a document of the index.
    let corpus = corpus.file("old/dan", "something else altogether, which nobody has copied");
    for (save, command) in
        [("saved", &["scan", "new", "--old", "x.index"][..]), ("sides", &["compare", "new", "--against", "x.index"])]
    {
        corpus.dedup(&[command, &["-q", "--save", save]].concat()).stdout_with(|_| ()).stderr("").exit_code(0);
        assert!(
            !corpus.read(&format!("{save}/header.json")).contains("old/dan"),
            "a file that was not read is no input"
        );
        let html = format!("html={save}.html");
        corpus.dedup(&["report", save, "--format", &html, "-q"]).stdout("").stderr("").exit_code(0);
        corpus.dedup(&["check", save, "-q"]).stdout("").stderr("").exit_code(0);
        let answers = format!("{save}.answers");
        let shows = |stderr: &str| {
            assert!(stderr.contains("old/dan") && stderr.contains("s1") && !stderr.contains("not shown"), "{stderr}");
        };
        let review = ["review", save, "-t", "0.9", "--answers", &answers];
        let all = "n\n".repeat(corpus.read(&format!("{save}/pairs.jsonl")).lines().count());
        fs::write(corpus.path("keys"), all).unwrap();
        corpus
            .shell(&format!("\"$D\" {} < keys", review.join(" ")))
            .stdout_with(|_| ())
            .stderr_with(shows)
            .exit_code(0);
    }
    // From another folder, and after the index is gone.
    corpus
        .shell("mkdir sub && cd sub && \"$D\" report ../saved -q --format html=p.html")
        .stdout("")
        .stderr("")
        .exit_code(0);
    fs::rename(corpus.path("x.index"), corpus.path("y.index")).unwrap();
    let gone = "dedup: old/dan: x.index no longer has this document; the report lacks its text, scan again\n";
    let says = |stderr: &str| assert!(stderr.contains(gone), "{stderr}");
    corpus.dedup(&["report", "saved", "--format", "html=p.html", "-q"]).stdout("").stderr_with(says).exit_code(3);
    let says = |stderr: &str| assert!(stderr.contains("x.index no longer has this document"), "{stderr}");
    corpus
        .shell("echo q | \"$D\" review saved/pairs.jsonl -t 0.9")
        .stdout_with(|_| ())
        .stderr_with(|_| ())
        .exit_code(3);
    corpus
        .shell("mv saved moved; \"$D\" report moved --format html=p.html -q")
        .stdout("")
        .stderr_with(says)
        .exit_code(3);
}

#[test]
fn an_id_of_a_new_document_costs_an_old_one_its_name_and_nothing_else() {
    let record = |id: &str, text: &str| format!("{{\"id\":\"{id}\",\"text\":\"{text}\"}}\n");
    let corpus = Workspace::new("old_ids")
        .file("new.jsonl", record("s1", FOX) + &record("s2", LOREM))
        .file("old.jsonl", record("s1", "nothing that anybody has copied from here") + &record("s2", LOREM))
        .file("older.jsonl", record("s9", FOX))
        .file("oldest.jsonl", record("s9", LOREM));
    let says = |stderr: &str| {
        assert!(
            stderr.contains("dedup: old.jsonl:2: the id \"s2\" is a duplicate; compared under this name"),
            "{stderr}"
        );
        assert!(!stderr.contains("--id-prefix"), "{stderr}");
    };
    let scan = ["scan", "new.jsonl", "--threshold", "1", "--old"];
    corpus.dedup(&[&scan[..], &["old.jsonl"]].concat()).pairs(&["s2 old.jsonl:2"]).stderr_with(says).exit_code(0);
    corpus.dedup(&["index", "build", "-q", "x", "old.jsonl"]).stdout("").stderr("").exit_code(0);
    corpus.dedup(&[&scan[..], &["x", "-q"]].concat()).pairs(&["s2 s2/#2"]).stderr("").exit_code(0);
    // Two old documents with one id are an error, as two new ones are.
    let twice = [&scan[..], &["older.jsonl", "oldest.jsonl", "-q"]].concat();
    corpus.dedup(&twice).pairs(&["s1 s9", "s2 oldest.jsonl:1"]).stderr_with(|_| ()).exit_code(3);
}

#[test]
fn flags_about_files_do_not_apply_to_an_index_and_say_so() {
    let corpus = course("old_index_files");
    corpus.dedup(&["index", "build", "-q", "x", "old"]).stdout("").stderr("").exit_code(0);
    let note = |flags: &str| {
        format!(
            "dedup: note: {flags} to files and records, and not to the documents of the index x, which are compared as they were stored\n"
        )
    };
    for (args, flags) in [
        (&["scan", "new", "--old", "x", "--include", "ann"][..], "--include: applies"),
        (
            &["scan", "new", "--old", "x", "--text-field", "body", "--encoding", "latin1"],
            "--text-field, --encoding: apply",
        ),
        (&["compare", "new", "--against", "x", "--against-exclude", "dan"], "--against-exclude: applies"),
        (&["cluster", "new", "--old", "x", "--exclude", "ann"], "--exclude: applies"),
    ] {
        let says = |stderr: &str| assert!(stderr.starts_with(&note(flags)), "{stderr}");
        corpus
            .dedup(args)
            .stdout_with(|stdout| assert!(stdout.contains("old/"), "{stdout}"))
            .stderr_with(says)
            .exit_code(0);
    }
    let silent = ["scan", "new", "--old", "x", "--include", "ann", "-q"];
    corpus.dedup(&silent).pairs(&["new/ann old/dan", "new/ann old/eve"]).stderr("").exit_code(0);
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
