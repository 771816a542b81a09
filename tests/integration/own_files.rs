//! The run's own files among its inputs: its outputs and lists are left out and named, or refused.

use crate::support::*;

fn foxes(name: &'static str) -> Workspace {
    Workspace::new(name).file("a.txt", FOX).file("b.txt", FOX)
}

#[test]
fn output_that_goes_into_the_folder_is_left_out() {
    let corpus = foxes("own_output");
    for _ in 0..2 {
        let note = "dedup: out.jsonl: standard output is written to it; skipped\n";
        corpus.shell("$D scan . > out.jsonl").stdout("").notes(note).exit_code(0);
        assert_eq!(corpus.read("out.jsonl"), copies("a.txt", "b.txt", 36));
    }
    // What was there before is not read either, whatever it is called.
    let corpus = corpus.hard_link("other", "out.jsonl");
    corpus.shell("$D scan -q . >> out.jsonl").stdout("").stderr("").exit_code(0);
    assert_eq!(corpus.read("other"), copies("a.txt", "b.txt", 36).repeat(2));
}

#[test]
fn messages_that_go_into_the_folder_are_left_out() {
    let corpus = foxes("own_messages");
    corpus.shell("$D scan . 2> err.txt").pairs(&["a.txt b.txt"]).stderr("").exit_code(0);
    assert!(
        corpus
            .read("err.txt")
            .starts_with("dedup: err.txt: standard error is written to it; skipped\n1 similar pair among 2 ")
    );
    corpus.shell("$D scan . > all.txt 2>&1").stdout("").stderr("").exit_code(0);
    let all = corpus.read("all.txt");
    assert!(all.starts_with("dedup: all.txt: standard output is written to it; skipped\n"), "{all}");
}

#[test]
fn output_that_was_named_as_an_input_is_an_error() {
    let corpus = foxes("own_named").file("out.jsonl", "{\"text\":\"x\"}\n");
    let error = "dedup: out.jsonl: standard output is written to it; skipped\n";
    corpus.shell("$D scan -q a.txt b.txt out.jsonl >> out.jsonl").stdout("").stderr(error).exit_code(3);
    let stdin = format!("dedup: -: standard output is written to it; skipped\n{NOTHING_READ}");
    corpus.shell("$D scan -q - < out.jsonl >> out.jsonl").stdout("").stderr(&stdin).exit_code(2);
    assert_eq!(corpus.read("out.jsonl"), format!("{{\"text\":\"x\"}}\n{}", copies("a.txt", "b.txt", 36)));
}

#[test]
fn lists_are_left_out_unless_they_are_named() {
    let corpus = foxes("own_lists").file("list", "list\na.txt\nb.txt\n").file("words", "the\n");
    let note = "dedup: list: the run reads it as --files-from; skipped\n";
    corpus.dedup(&["scan", "--files-from", "list"]).pairs(&["a.txt b.txt"]).notes(note).exit_code(0);
    corpus
        .dedup(&["scan", ".", "--files-from", "list", "--shingle", "stopword", "--stopwords", "words"])
        .pairs(&["a.txt b.txt"])
        .notes("dedup: skipped 2 files that dedup has written or reads as lists: list, words\n")
        .exit_code(0);
    let list = "{\"name\":\"list\",\"treated\":\"short\",\"bytes\":17,\"tokens\":16,\"shingles\":8}\n"
        .replace("short", "used");
    let args = ["scan", "list", "--files-from", "list", "--include", "list", "--list-documents"];
    corpus.dedup(&args).stdout(&list).stderr("").exit_code(0);
}

#[test]
fn a_list_of_documents_leaves_its_own_file_out() {
    let corpus = foxes("own_listing");
    corpus.shell("$D scan -q . --list-documents > list.jsonl").stdout("").stderr("").exit_code(0);
    let names: Vec<String> = corpus.read("list.jsonl").lines().map(|line| line[..30].to_owned()).collect();
    assert_eq!(names.len(), 3);
    assert!(names[2].starts_with("{\"name\":\"list.jsonl\",\"treated\""), "{names:?}");
    assert!(
        corpus
            .read("list.jsonl")
            .ends_with("\"reason\":\"own_file\",\"detail\":\"standard output is written to it; skipped\"}\n")
    );
}

#[test]
fn the_summary_of_an_earlier_run_is_left_out() {
    let corpus = foxes("own_summary");
    corpus.dedup(&["scan", "-q", ".", "--summary", "s.json"]).pairs(&["a.txt b.txt"]).stderr("").exit_code(0);
    let note = "dedup: s.json: the summary is written to it; skipped\n";
    for summary in ["s.json", "empty"] {
        let corpus = foxes("own_summary_again").file("empty", "").file("s.json", corpus.read("s.json"));
        let exclude = if summary == "empty" { "s.json" } else { "empty" };
        let run = corpus.dedup(&["scan", ".", "--summary", summary, "--exclude", exclude]);
        run.pairs(&["a.txt b.txt"]).notes(&note.replace("s.json", summary)).exit_code(0);
        assert!(corpus.read(summary).contains("\"skipped\":{\"own_file\":1}"));
    }
}

#[test]
fn a_summary_never_replaces_an_input() {
    let corpus = foxes("summary_input")
        .file("d/c.txt", LOREM)
        .file("list", "d/c.txt\n")
        .file("s.json", "{\"documents\":0}\n")
        .link("link", "a.txt")
        .hard_link("hard", "a.txt");
    for (args, file) in [
        (&["a.txt", "b.txt"][..], "a.txt"),
        (&["b.txt", "a.txt"], "link"),
        (&["b.txt", "a.txt"], "hard"),
        (&["."], "a.txt"),
        (&["a.txt", "d"], "d/c.txt"),
        (&["a.txt", "--files-from", "list"], "d/c.txt"),
        (&["b.txt", "--template", "a.txt"], "a.txt"),
        (&["b.txt", "--template", "d"], "d/c.txt"),
        // What was named was meant, a summary too.
        (&["b.txt", "s.json"], "s.json"),
    ] {
        let args = [&["scan", "-q", "--summary", file], args].concat();
        let run = corpus.dedup(&args).stdout("");
        let what = match file {
            "link" | "hard" => "the input a.txt, which is the same file",
            _ => "an input",
        };
        run.stderr(&format!("dedup: {file}: --summary would overwrite {what}; choose another file\n")).exit_code(2);
    }
    for (args, what) in
        [("--files-from words", "--files-from"), ("b.txt --shingle stopword --stopwords words", "--stopwords")]
    {
        let corpus = foxes("summary_list").file("words", "the\n");
        let message = format!("dedup: words: --summary would overwrite the list of {what}; choose another file\n");
        corpus.shell(&format!("$D scan {args} --summary words")).stdout("").stderr(&message).exit_code(2);
        assert_eq!(corpus.read("words"), "the\n");
    }
    assert_eq!(
        (corpus.read("a.txt"), corpus.read("d/c.txt"), corpus.read("s.json")),
        (FOX.into(), LOREM.into(), "{\"documents\":0}\n".into())
    );
    let stdin = "dedup: a.txt: --summary would overwrite the input -, which is the same file; choose another file\n";
    corpus.shell("$D scan - --input-format text --summary a.txt < a.txt").stdout("").stderr(stdin).exit_code(2);
}

#[test]
fn a_summary_never_replaces_the_output() {
    let corpus = foxes("summary_output");
    let message = |file, what| format!("dedup: {file}: --summary would overwrite {what}; choose another file\n");
    let output = message("out", "standard output");
    corpus.shell("$D scan . --summary out > out").stdout("").stderr(&output).exit_code(2);
    corpus.shell("$D scan . --summary err 2> err").stdout("").stderr("").exit_code(2);
    assert_eq!(corpus.read("err"), message("err", "standard error"));
    assert_eq!(corpus.read("out"), "");
}

#[test]
fn what_earlier_runs_wrote_is_left_out() {
    let corpus = foxes("own_written");
    let reports = ["csv", "dot", "gitlab", "graphml", "html", "junit", "sarif", "tsv"];
    let formats: String =
        reports.iter().map(|name| format!(" --format {name}=r-{name}.{}", extension_of(name))).collect();
    corpus.shell(&format!("$D scan . -q -o pairs.jsonl --save saved{formats}")).stdout("").stderr("").exit_code(0);
    corpus.shell("$D cluster --from saved -q -o groups.jsonl").stdout("").stderr("").exit_code(0);
    let notes = "dedup: skipped 13 files that dedup has written or reads as lists: groups.jsonl, pairs.jsonl, r-csv.csv and 10 more\n";
    corpus.dedup(&["scan", "."]).stdout(&copies("a.txt", "b.txt", 36)).notes(notes).exit_code(0);
    // One that is named is meant.
    let page = ["scan", "r-html.html", "a.txt", "--list-documents"];
    corpus
        .dedup(&page)
        .stdout_with(|list| assert!(list.contains("\"treated\":\"used\""), "{list}"))
        .stderr("")
        .exit_code(0);
}

fn extension_of(report: &str) -> &str {
    match report {
        "gitlab" => "json",
        "junit" => "xml",
        name => name,
    }
}
