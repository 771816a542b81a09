//! Where reports point to: lines of files and of records, passages, and documents of both sides.

use std::collections::HashSet;

use serde_json::Value;

use crate::reports::results;
use crate::support::*;

#[test]
fn records_are_shown_where_they_stand() {
    let line = |id: &str| format!("{{\"id\":\"{id}\",\"text\":\"{FOX}\"}}\n");
    let corpus = Workspace::new("report_records").file("r.jsonl", line("one") + &line("two"));
    for from in [
        &["scan", "r.jsonl", "-q", "--save", "s", "--format", "github"][..],
        &["report", "-q", "--from", "s", "--format", "github"],
    ] {
        corpus
            .dedup(from)
            .stdout_with(|text| {
                assert!(
                    text.starts_with(
                        "::warning file=r.jsonl,line=1,endLine=1,title=Near-duplicate::one is 100 %25 similar to two"
                    ),
                    "{text}"
                );
            })
            .stderr("")
            .exit_code(0);
    }
    // The lines of a run stay without what was not asked for.
    corpus
        .dedup(&["scan", "r.jsonl", "-q", "--top", "5", "--format", "csv=c"])
        .stdout(&copies("one", "two", 36))
        .stderr("")
        .exit_code(0);
    assert!(corpus.read("c").contains("\none,two,1,1,1,36,36,36,1,,,r.jsonl,1,,r.jsonl,2,"), "{}", corpus.read("c"));
}

#[test]
fn documents_of_both_sides_are_told_apart() {
    let corpus = Workspace::new("report_sides").file("x/a", FOX).file("y/b", CAT);
    let args = ["compare", "x", "y", "--against", "x", "y", "-q", "--format", "dot"];
    corpus
        .dedup(&args)
        .stdout_with(|text| {
            let start = "graph dedup {\n  node [shape=box];\n  n0 [label=\"x/a\"];\n  n1 [label=\"x/a (against)\"];\n";
            assert!(text.starts_with(start), "{text}");
            let next = "  n0 -- n1 [weight=1, label=\"100 %\"];\n  n2 [label=\"y/b (against)\"];\n  n0 -- n2 [weight=0.8, label=\"80 %\"];\n";
            assert!(text.contains(next), "{text}");
        })
        .stderr("")
        .exit_code(0);
}

#[test]
fn white_space_at_the_ends_of_a_passage_is_not_annotated() {
    let copied = format!("{FOX}\n{LOREM}");
    let corpus = Workspace::new("report_edges")
        .file("a.txt", format!("Some words of its own\n\n{copied}\n\n"))
        .file("b.txt", format!("Other text here, of b!\n\n\n{copied}\n\n\nAnd its end.\n"));
    let args =
        ["scan", ".", "--threshold", "0.3", "-q", "--show-passages", "--format", "github", "--format", "sarif=.s"];
    corpus
        .dedup(&args)
        .stdout_with(|text| {
            assert!(text.starts_with("::warning file=a.txt,line=3,endLine=4,"), "{text}");
            assert!(text.contains(" b.txt, lines 4-5\n"), "{text}");
        })
        .stderr("")
        .exit_code(0);
    let sarif: Value = serde_json::from_str(&corpus.read(".s")).unwrap();
    let end = LOREM.trim_end().encode_utf16().count() + 1;
    let region = serde_json::json!({"startLine": 3, "endLine": 4, "startColumn": 1, "endColumn": end});
    assert_eq!(results(&sarif)[0]["locations"][0]["physicalLocation"]["region"], region);
    corpus
        .dedup(&["explain", "a.txt", "b.txt", "--json", "-q"])
        .stdout_with(|text| {
            let explained: Value = serde_json::from_str(text).unwrap();
            let passage = &explained["passages"][0];
            assert_eq!((&passage["a"]["lines"], &passage["b"]["lines"]), (&[3, 4].into(), &[4, 5].into()), "{text}");
        })
        .stderr("")
        .exit_code(0);
}

#[test]
fn a_pair_of_a_comparison_is_known_by_its_sides() {
    let record = |id: &str, text: &str| format!("{{\"id\":\"{id}\",\"text\":\"{text}\"}}\n");
    let corpus = Workspace::new("report_of_sides")
        .file("a.jsonl", record("1", FOX) + &record("2", FOX))
        .file("b.jsonl", record("1", FOX) + &record("2", FOX));
    let args = ["compare", "a.jsonl", "--against", "b.jsonl", "-q", "--save", ".r", "--format", "gitlab"];
    let fingerprints = |text: &str| {
        let issues: Value = serde_json::from_str(text).unwrap();
        let all: HashSet<&str> =
            issues.as_array().unwrap().iter().map(|issue| issue["fingerprint"].as_str().unwrap()).collect();
        assert_eq!(all.len(), 4, "{text}");
    };
    corpus.dedup(&args).stdout_with(fingerprints).stderr("").exit_code(0);
    let from = ["report", ".r", "-q", "--format", "gitlab"];
    corpus.dedup(&from).stdout_with(fingerprints).stderr("").exit_code(0);
}
