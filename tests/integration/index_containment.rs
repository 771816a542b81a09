//! Contained texts: what an index finds by sampled shingles is what every pair of documents shows, after any changes too.

use serde_json::Value;

use crate::index::printed;
use crate::support::*;

/// A text of so many words that are its own.
fn words(start: usize, len: usize) -> String {
    (start..start + len).map(|word| format!("w{}x ", word * 7919 % 100_003)).collect()
}

fn line(id: &str, text: &str) -> String {
    format!("{}\n", serde_json::json!({ "id": id, "text": text }))
}

/// Books, and parts of them of different lengths, with something of their own.
fn library(random: &mut Random) -> Vec<(String, String)> {
    let mut documents = Vec::new();
    for book in 0..12 {
        documents.push((format!("book{book}"), words(book * 1000, 300)));
        let (start, len) = (random.below(200), 20 + random.below(80));
        let own = words(50_000 + book * 100, random.below(20));
        documents.push((format!("part{book}"), format!("{}{own}", words(book * 1000 + start, len))));
    }
    documents
}

/// Names, the number of shared shingles, and whether one holds so much of the other, of every two documents.
fn every_pair(workspace: &Workspace, questions: &str, corpus: &str, least: f64) -> Vec<(String, String, u64)> {
    let compare = [
        "compare",
        questions,
        "--against",
        corpus,
        "-q",
        "--threshold",
        "0.0001",
        "--all-pairs",
        "--min-containment",
        &least.to_string(),
    ];
    pairs(&printed(workspace, &compare))
}

fn pairs(lines: &str) -> Vec<(String, String, u64)> {
    let pair = |line: &str| {
        let pair: Value = serde_json::from_str(line).unwrap();
        (
            pair["a"].as_str().unwrap().to_owned(),
            pair["b"].as_str().unwrap().to_owned(),
            pair["shared"].as_u64().unwrap(),
        )
    };
    lines.lines().map(pair).collect()
}

#[test]
fn contained_texts_are_found_in_both_directions() {
    let mut random = Random(153);
    let corpus: String = library(&mut random).iter().map(|(id, text)| line(id, text)).collect();
    let questions =
        line("part", &words(3100, 60)) + &line("whole", &words(5000, 600)) + &line("none", &words(90_000, 80));
    let workspace = Workspace::new("containment").file("c.jsonl", corpus).file("q.jsonl", questions);
    // With every shingle sampled nothing is missed, whether the index has the texts or their places.
    for (index, texts) in [("x.index", "keep"), ("places.index", "refer")] {
        let build = ["index", "build", index, "c.jsonl", "-q", "--for-containment=1/1", "--texts", texts];
        workspace.dedup(&build).stdout("").stderr("").exit_code(0);
    }
    for least in [0.3, 0.6, 0.9, 1.0] {
        let query = |index: &str| {
            pairs(&printed(&workspace, &["query", index, "q.jsonl", "-q", "--containment", &least.to_string()]))
        };
        let found = query("x.index");
        assert_eq!(found, every_pair(&workspace, "q.jsonl", "c.jsonl", least), "{least}");
        assert_eq!(query("places.index"), found, "{least}");
        let has = |a: &str, b: &str| found.iter().any(|pair| (&*pair.0, &*pair.1) == (a, b));
        assert!(
            has("part", "book3") && has("whole", "book5") && !found.iter().any(|pair| pair.0 == "none"),
            "{found:?}"
        );
    }
    // The one most contained is the best, and not the most similar one.
    let best = ["query", "x.index", "q.jsonl", "-q", "--containment", "0.3", "--best", "1"];
    let found = pairs(&printed(&workspace, &best));
    assert_eq!(found.iter().map(|pair| &*pair.1).collect::<Vec<_>>(), ["book3", "book5"]);
    // The lines are those of any other query.
    let lines = printed(&workspace, &["query", "x.index", "q.jsonl", "-q", "--containment", "0.9", "--show-passages"]);
    let first: Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert!(
        first["jaccard"].as_f64().unwrap() < 0.5 && first["containment_a"] == 1.0 && first["coverage_a"] == 1.0,
        "{first}"
    );
}

#[test]
fn a_usual_rate_finds_long_parts_and_says_how_many() {
    let mut random = Random(154);
    let documents = library(&mut random);
    let corpus: String =
        documents.iter().filter(|(id, _)| id.starts_with("book")).map(|(id, text)| line(id, text)).collect();
    let questions: String = (0..12).map(|book| line(&format!("q{book}"), &words(book * 1000 + 40, 200))).collect();
    let workspace = Workspace::new("containment_rate").file("c.jsonl", corpus).file("q.jsonl", questions);
    let build = ["index", "build", "x.index", "c.jsonl", "-q", "--for-containment"];
    workspace.dedup(&build).stdout("").stderr("").exit_code(0);
    let query = ["query", "x.index", "q.jsonl", "--containment", "0.9", "--summary", "s.json"];
    let look = |stderr: &str| {
        assert!(
            stderr.contains(" that are contained to 0.9 or more are found, and ") && stderr.contains("1 shingle in 64"),
            "{stderr}"
        );
    };
    let found = |lines: &str| assert_eq!(lines.lines().count(), 12, "{lines}");
    workspace.dedup(&query).stdout_with(found).stderr_with(look).exit_code(0);
    let summary: Value = serde_json::from_str(&workspace.read("s.json")).unwrap();
    let of_containment = &summary["containment"];
    assert_eq!((&of_containment["least"], &of_containment["one_in"]), (&0.9.into(), &64.into()));
    let (shingles, recall) =
        (&of_containment["median"]["shingles"], of_containment["median"]["recall"].as_f64().unwrap());
    let shared = (0.9 * shingles.as_f64().unwrap()).ceil();
    assert!((recall - (1.0 - (63.0f64 / 64.0).powf(shared))).abs() < 1e-9, "{recall} of {shingles}");
}

#[test]
fn the_table_follows_every_change() {
    let mut random = Random(155);
    let workspace = Workspace::new("containment_changes").file("none.jsonl", line("first", LOREM));
    let build = ["index", "build", "x.index", "none.jsonl", "-q", "--for-containment=1/2"];
    workspace.dedup(&build).stdout("").stderr("").exit_code(0);
    let mut list = vec![("first".to_owned(), LOREM.to_owned())];
    for step in 0..12 {
        let batch: Vec<(String, String)> = library(&mut random).into_iter().skip(random.below(20)).take(4).collect();
        let lines: String = batch.iter().map(|(id, text)| line(id, text)).collect();
        std::fs::write(workspace.path("add.jsonl"), lines).unwrap();
        let add = ["index", "add", "x.index", "add.jsonl", "-q", "--known", "replace"];
        workspace.dedup(&add).stdout("").stderr("").exit_code(0);
        for (id, text) in batch {
            if list.iter().any(|other| other.0 == id && other.1 == text) {
                continue;
            }
            list.retain(|(other, _)| *other != id);
            list.push((id, text));
        }
        if step % 3 == 2 {
            let gone = list[random.below(list.len())].0.clone();
            workspace.dedup(&["index", "remove", "x.index", &gone, "-q"]).stdout("").stderr("").exit_code(0);
            list.retain(|(id, _)| *id != gone);
        }
        if step % 5 == 4 {
            workspace.dedup(&["index", "compact", "x.index"]).stdout("").stderr("").exit_code(0);
        }
    }
    let corpus: String = list.iter().map(|(id, text)| line(id, text)).collect();
    let questions: String = (0..12).map(|book| line(&format!("q{book}"), &words(book * 1000 + 90, 100))).collect();
    let workspace = workspace.file("list.jsonl", corpus).file("q.jsonl", questions);
    workspace.dedup(&["index", "check", "x.index"]).stdout("").stderr("").exit_code(0);
    // An index of the list has the same table, and so have a merged and a rebuilt one.
    let build = ["index", "build", "fresh.index", "list.jsonl", "-q", "--for-containment=1/2"];
    workspace.dedup(&build).stdout("").stderr("").exit_code(0);
    workspace.dedup(&["index", "merge", "merged.index", "x.index", "-q"]).stdout("").stderr("").exit_code(0);
    let rebuild = ["index", "rebuild", "other.index", "x.index", "-q", "--for-containment=1/1"];
    workspace.dedup(&rebuild).stdout("").stderr("").exit_code(0);
    let ask = |index: &str| printed(&workspace, &["query", index, "q.jsonl", "-q", "--containment", "0.4"]);
    let expected = ask("fresh.index");
    assert!(expected.lines().count() > 8, "{expected}");
    assert_eq!((ask("x.index"), ask("merged.index")), (expected.clone(), expected));
    assert_eq!(pairs(&ask("other.index")), every_pair(&workspace, "q.jsonl", "list.jsonl", 0.4));
    // Lines are answered as files are.
    let questions = workspace.read("q.jsonl");
    let workspace = workspace.stdin(questions);
    let expected = ask_pairs(&workspace);
    let follow = ["query", "x.index", "--stdin", "--containment", "0.4"];
    let look = |answers: &str| {
        let mut found = Vec::new();
        for answer in answers.lines() {
            let answer: Value = serde_json::from_str(answer).unwrap();
            let matches = answer["matches"].as_array().unwrap();
            found.extend(matches.iter().map(|found| (answer["id"].clone(), found["b"].clone())));
        }
        assert_eq!(found, expected);
    };
    workspace.dedup(&follow).stdout_with(look).stderr("").exit_code(0);
}

fn ask_pairs(workspace: &Workspace) -> Vec<(Value, Value)> {
    let lines = printed(workspace, &["query", "x.index", "q.jsonl", "-q", "--containment", "0.4"]);
    pairs(&lines).into_iter().map(|(a, b, _)| (a.into(), b.into())).collect()
}

#[test]
fn what_an_index_was_not_made_for_is_refused() {
    let workspace = Workspace::new("containment_refused").file("a", FOX);
    workspace.dedup(&["index", "build", "x.index", "a", "-q"]).stdout("").stderr("").exit_code(0);
    workspace
        .dedup(&["query", "x.index", "a", "--containment", "0.5"])
        .stdout("")
        .stderr("dedup: x.index: the index was not built to find contained documents; make one that is: dedup index rebuild OUT x.index --for-containment\n")
        .exit_code(2);
    workspace
        .dedup(&["index", "build", "y.index", "a", "--for-containment=1/0"])
        .stdout("")
        .stderr("dedup: --for-containment[=<RATE>] 1/0: give a rate from 1/1 to 1/65536, such as 1/64; see dedup index build --help\n")
        .exit_code(2);
    workspace
        .dedup(&["query", "x.index", "a", "--containment", "0.5", "--add", "all"])
        .stdout("")
        .stderr_with(|stderr| assert!(stderr.contains("--containment") && stderr.lines().count() == 1, "{stderr}"))
        .exit_code(2);
}
