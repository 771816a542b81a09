//! An index that is changed: documents added, replaced and removed, compared with a plain list.

use std::collections::BTreeMap;
use std::fs;

use crate::scope_twin::random_texts;
use crate::support::*;

fn line(id: &str, text: &str) -> String {
    format!("{}\n", serde_json::json!({ "id": id, "text": text }))
}

/// What is said of two names of which one has a document.
const ONE_NOT_THERE: &str =
    "dedup: not there: no such document in the index; dedup index list prints the names\nremoved    1\n";

#[test]
fn documents_are_known_by_their_names() {
    let workspace = Workspace::new("index_add")
        .file("a.jsonl", line("1", FOX) + &line("2", LOREM))
        .file("b.jsonl", line("3", CAT) + &line("1", FOX));
    workspace.dedup(&["index", "build", "x.index", "a.jsonl", "-q"]).stdout("").stderr("").exit_code(0);
    workspace
        .dedup(&["index", "add", "x.index", "b.jsonl"])
        .stdout("")
        .stderr("added      1, 1 unchanged\n")
        .exit_code(0);
    // The same command again changes nothing.
    workspace
        .dedup(&["index", "add", "x.index", "b.jsonl"])
        .stdout("")
        .stderr("added      0, 2 unchanged\n")
        .exit_code(0);
    let workspace = workspace.file("c.jsonl", line("4", FOX) + &line("2", CAT)).file("q", FOX);
    workspace
        .dedup(&["index", "add", "x.index", "c.jsonl"])
        .stdout("")
        .stderr("dedup: x.index: the index has another text with the name 2; its batch was not added; give --known replace or --known skip\n")
        .exit_code(2);
    workspace.dedup(&["query", "x.index", "q", "-q"]).pairs(&["q 1", "q 3"]).stderr("").exit_code(0);
    workspace
        .dedup(&["index", "add", "x.index", "c.jsonl", "--known", "skip"])
        .stdout("")
        .stderr("added      1, 1 skipped\n")
        .exit_code(0);
    workspace.dedup(&["query", "x.index", "q", "-q"]).pairs(&["q 1", "q 3", "q 4"]).stderr("").exit_code(0);
    workspace
        .dedup(&["index", "add", "x.index", "c.jsonl", "--known", "replace"])
        .stdout("")
        .stderr("added      0, 1 unchanged, 1 replaced\n")
        .exit_code(0);
    workspace.dedup(&["query", "x.index", "q", "-q"]).pairs(&["q 1", "q 3", "q 4", "q 2"]).stderr("").exit_code(0);
    workspace.dedup(&["index", "check", "x.index"]).stdout("").stderr("").exit_code(0);
}

#[test]
fn the_files_of_an_index_are_no_documents_of_their_folder() {
    let workspace = Workspace::new("index_own_files").file("a/1", FOX).file("a/2", LOREM);
    workspace.dedup(&["index", "build", "a/x.index", "a", "-q"]).stdout("").stderr("").exit_code(0);
    workspace.dedup(&["index", "add", "a/x.index", "a", "-q"]).stdout("").stderr("").exit_code(0);
    let ask = ["query", "a/x.index", "a", "--skip-self", "--add", "all", "-q"];
    workspace.dedup(&ask).stdout("").stderr("").exit_code(0);
    let output = workspace.command(&["index", "export", "a/x.index"]).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 2);
}

#[test]
fn a_name_that_is_given_again_counts_once() {
    // More names than are removed at a time.
    let list = "a/2\n".repeat(100_001) + "not there\nnot there\n";
    let workspace = Workspace::new("index_again").file("a/1", FOX).file("a/2", LOREM).file("list", &list);
    workspace.dedup(&["index", "build", "x.index", "a", "-q"]).stdout("").stderr("").exit_code(0);
    workspace
        .dedup(&["index", "remove", "x.index", "--ids-from", "list"])
        .stdout("")
        .stderr(ONE_NOT_THERE)
        .exit_code(3);
}

#[test]
fn what_is_removed_is_erased() {
    let secret = "The password of the old lighthouse is a string of forty seven pearls and one grain of sand.";
    let workspace = Workspace::new("index_remove")
        .file("a/1", secret)
        .file("a/2", secret)
        .file("a/3", FOX)
        .file("b/4", LOREM)
        .file("list", "a/2\nnot there\n");
    workspace.dedup(&["index", "build", "x.index", "a", "b", "-q"]).stdout("").stderr("").exit_code(0);
    let exports = |workspace: &Workspace| {
        let output = workspace.command(&["index", "export", "x.index"]).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    workspace.dedup(&["index", "remove", "x.index", "a/1"]).stdout("").stderr("removed    1\n").exit_code(0);
    // The text stays as long as a document has it.
    assert!(exports(&workspace).contains(secret));
    workspace.dedup(&["query", "x.index", "a/1", "-q"]).pairs(&["a/1 a/2"]).stderr("").exit_code(0);
    workspace
        .dedup(&["index", "remove", "x.index", "--ids-from", "list"])
        .stdout("")
        .stderr(ONE_NOT_THERE)
        .exit_code(3);
    assert!(!exports(&workspace).contains(secret));
    workspace.dedup(&["query", "x.index", "a/1", "-q"]).stdout("").stderr("").exit_code(0);
    workspace.dedup(&["index", "check", "x.index"]).stdout("").stderr("").exit_code(0);
    workspace.dedup(&["index", "remove", "x.index", "--where-prefix", "a/", "-q"]).stdout("").stderr("").exit_code(0);
    assert_eq!(exports(&workspace), line("b/4", LOREM));
    // A name can be used again, and so can a text.
    workspace.dedup(&["index", "add", "x.index", "a/1", "-q"]).stdout("").stderr("").exit_code(0);
    workspace.dedup(&["query", "x.index", "a/2", "-q"]).pairs(&["a/2 a/1"]).stderr("").exit_code(0);
    workspace.dedup(&["index", "compact", "x.index"]).stdout("").stderr("").exit_code(0);
    workspace.dedup(&["query", "x.index", "a/2", "-q"]).pairs(&["a/2 a/1"]).stderr("").exit_code(0);
    workspace.dedup(&["index", "check", "x.index"]).stdout("").stderr("").exit_code(0);
}

#[test]
fn after_any_changes_the_answers_are_those_of_a_plain_list() {
    let mut random = Random(1515);
    for round in 0..4 {
        let texts = random_texts(&mut random, 90);
        let flags = ["--k", "3", "--bands", "30", "--rows", "2", "--threshold", "0.35"];
        let mut workspace = Workspace::new("index_list").file("q.jsonl", "").file("none.jsonl", line("first", LOREM));
        let build = [&["index", "build", "x.index", "none.jsonl", "-q"][..], &flags].concat();
        workspace.dedup(&build).stdout("").stderr("").exit_code(0);
        // Names and texts in the order of the index: what is replaced comes last.
        let mut list: Vec<(String, String)> = vec![("first".to_owned(), LOREM.to_owned())];
        for step in 0..14 {
            let names: Vec<String> = (0..1 + random.below(9)).map(|_| format!("n{}", random.below(40))).collect();
            match random.below(10) {
                0..=5 => {
                    let mut batch: BTreeMap<String, String> = BTreeMap::new();
                    for name in names {
                        batch.insert(name, texts[random.below(texts.len())].clone());
                    }
                    let known = ["replace", "skip"][random.below(2)];
                    let lines: String = batch.iter().map(|(name, text)| line(name, text)).collect();
                    workspace = workspace.file("add.jsonl", lines);
                    workspace
                        .dedup(&["index", "add", "x.index", "add.jsonl", "-q", "--known", known])
                        .stdout("")
                        .stderr("")
                        .exit_code(0);
                    for (name, text) in batch {
                        match list.iter().position(|(other, _)| *other == name) {
                            Some(at) if list[at].1 != text && known == "replace" => drop(list.remove(at)),
                            Some(_) => continue,
                            None => {}
                        }
                        list.push((name, text));
                    }
                }
                6..=8 => {
                    let lines: Vec<String> =
                        names.iter().filter(|name| list.iter().any(|(other, _)| other == *name)).cloned().collect();
                    workspace = workspace.file("names", lines.join("\n"));
                    workspace
                        .dedup(&["index", "remove", "x.index", "--ids-from", "names", "-q"])
                        .stdout("")
                        .stderr("")
                        .exit_code(0);
                    list.retain(|(name, _)| !lines.contains(name));
                }
                _ => workspace.dedup(&["index", "compact", "x.index"]).stdout("").stderr("").exit_code(0),
            }
            let questions: String =
                (0..6).map(|number| line(&format!("q{number}"), &texts[random.below(texts.len())])).collect();
            let corpus: String = list.iter().map(|(name, text)| line(name, text)).collect();
            fs::write(workspace.path("q.jsonl"), questions).unwrap();
            fs::write(workspace.path("list.jsonl"), &corpus).unwrap();
            let compare = [&["compare", "q.jsonl", "--against", "list.jsonl", "-q"][..], &flags].concat();
            let expected = String::from_utf8(workspace.command(&compare).output().unwrap().stdout).unwrap();
            let found =
                String::from_utf8(workspace.command(&["query", "x.index", "q.jsonl", "-q"]).output().unwrap().stdout)
                    .unwrap();
            assert_eq!(found, expected, "round {round}, step {step}");
            let exported = workspace.command(&["index", "export", "x.index"]).output().unwrap().stdout;
            assert_eq!(String::from_utf8(exported).unwrap(), corpus, "round {round}, step {step}");
        }
        workspace.dedup(&["index", "check", "x.index"]).stdout("").stderr("").exit_code(0);
    }
}
