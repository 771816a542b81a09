//! Pipes whose reader ends before the program: files and other outputs of the run are still written.

use crate::support::*;

/// 300 copies, whose 44,850 pairs are many more bytes than a pipe holds.
fn copies_of_fox(name: &'static str) -> Workspace {
    Workspace::new(name).file("c.jsonl", format!("{{\"text\":{FOX:?}}}\n").repeat(300))
}

/// Runs the program until the reader of its output has read one line, and returns the exit code of the program.
fn first_line(workspace: &Workspace, arguments: &str) -> String {
    let script = format!("{{ \"$D\" {arguments} 2>stderr; echo $? >code; }} | head -n 1");
    workspace
        .shell(&script)
        .stdout_with(|stdout| assert_eq!(stdout.lines().count(), 1, "{arguments}"))
        .stderr("")
        .exit_code(0);
    workspace.read("code").trim().to_owned()
}

#[test]
fn a_run_without_other_outputs_ends_with_its_reader() {
    let workspace = copies_of_fox("closed_alone");
    assert_eq!(first_line(&workspace, "scan c.jsonl"), "0");
    // A run that ends early has no summary.
    assert_eq!(workspace.read("stderr"), "");
}

#[test]
fn an_input_that_failed_before_the_reader_ended_is_in_the_exit_code() {
    let workspace = copies_of_fox("closed_failed");
    for arguments in ["scan c.jsonl missing", "scan -q missing c.jsonl", "cluster c.jsonl missing --labels"] {
        assert_eq!(first_line(&workspace, arguments), "3", "{arguments}");
        assert!(workspace.read("stderr").starts_with("dedup: missing: "), "{arguments}");
    }
}

#[test]
fn the_exit_code_is_the_one_of_the_whole_run() {
    let workspace = copies_of_fox("closed_exit_code");
    for (arguments, code) in [
        ("scan c.jsonl --exit-code", "1"),
        ("scan c.jsonl --fail-over 44849", "1"),
        ("scan c.jsonl --fail-over 44850", "0"),
        ("compare c.jsonl --against c.jsonl --exit-code", "1"),
        ("cluster c.jsonl --labels --exit-code", "1"),
    ] {
        assert_eq!(first_line(&workspace, arguments), code, "{arguments}");
    }
}

#[test]
fn a_scan_writes_its_other_outputs() {
    let workspace = copies_of_fox("closed_scan");
    let flags = "scan c.jsonl --save r --format html=p.html --format csv=p.csv --summary s.json";
    assert_eq!(first_line(&workspace, flags), "0");
    assert!(workspace.read("s.json").contains("\"pairs\":44850"));
    assert!(workspace.read("p.html").contains("</html>"));
    assert_eq!(workspace.read("p.csv").lines().count(), 44_851);
    assert!(
        workspace.read("stderr").contains("44,850 similar pairs among 300 documents"),
        "{}",
        workspace.read("stderr")
    );
    workspace
        .dedup(&["scan", "-q", "--from", "r", "--top", "1"])
        .pairs(&["c.jsonl:1 c.jsonl:2"])
        .stderr("")
        .exit_code(0);
    // The same with a saved result.
    assert_eq!(first_line(&workspace, "scan -q --from r --format html=again.html"), "0");
    assert!(workspace.read("again.html").contains("</html>"));
}

#[test]
fn a_baseline_is_pruned() {
    let workspace = copies_of_fox("closed_prune").file("a", LOREM).file("b", LOREM);
    workspace.dedup(&["scan", "-q", "a", "b", "--save", "r"]).pairs(&["a b"]).stderr("").exit_code(0);
    workspace.dedup(&["baseline", "-q", "--from", "r", "-o", "accepted"]).stdout("").stderr("").exit_code(0);
    assert_eq!(workspace.read("accepted").lines().count(), 2);
    std::fs::remove_file(workspace.path("b")).unwrap();
    let flags = "scan -q c.jsonl a --baseline accepted --prune --exit-code";
    assert_eq!(first_line(&workspace, flags), "1", "the exit code is that of the whole run");
    assert_eq!(workspace.read("accepted").lines().count(), 1);
}

#[test]
fn every_command_with_two_outputs_writes_the_second() {
    let workspace = copies_of_fox("closed_others");
    let left = format!("{{\"text\":{LOREM:?}}}\n");
    let workspace = workspace.file("d.jsonl", format!("{{\"text\":{FOX:?}}}\n").repeat(300) + &left);
    for (number, arguments) in [
        "compare c.jsonl --against d.jsonl",
        "cluster d.jsonl --labels",
        "unique d.jsonl --output clean.jsonl --removed -",
        "scan c.jsonl --forecast",
    ]
    .into_iter()
    .enumerate()
    {
        let summary = format!("s{number}.json");
        assert_eq!(first_line(&workspace, &format!("{arguments} --summary {summary}")), "0", "{arguments}");
        assert!(workspace.read(&summary).starts_with('{'), "{arguments}");
    }
    assert_eq!(workspace.read("clean.jsonl").lines().count(), 2);
}

#[test]
fn two_pipes_are_two_outputs() {
    let workspace = copies_of_fox("closed_two");
    workspace
        .shell("mkfifo one two; head -n 1 one >1 & cat two >2 & \"$D\" scan -q c.jsonl -o one --format csv=two; wait")
        .stdout("")
        .stderr("")
        .exit_code(0);
    assert_eq!((workspace.read("1").lines().count(), workspace.read("2").lines().count()), (1, 44_851));
}

#[test]
fn a_query_adds_what_it_was_asked_to_add() {
    let workspace = copies_of_fox("closed_query").file("new.jsonl", {
        let lines = (0..300).map(|number| format!("{{\"id\":\"n{number}\",\"text\":{FOX:?}}}\n"));
        lines.collect::<String>() + &format!("{{\"id\":\"far\",\"text\":{LOREM:?}}}\n")
    });
    for (number, (flags, added)) in
        [("new.jsonl --add unseen", 1), ("new.jsonl --add all", 301), ("--stdin --add unseen <new.jsonl", 1)]
            .into_iter()
            .enumerate()
    {
        let index = format!("x{number}");
        workspace.dedup(&["index", "build", "-q", &index, "c.jsonl"]).stdout("").stderr("").exit_code(0);
        assert_eq!(first_line(&workspace, &format!("query -q {index} {flags}")), "0", "{flags}");
        workspace
            .dedup(&["index", "export", &index])
            .stdout_with(|lines| assert_eq!(lines.lines().count(), 300 + added, "{flags}"))
            .stderr("")
            .exit_code(0);
    }
}
