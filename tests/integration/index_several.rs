//! Several indexes that are asked at once: the answers are those of each, and say which one they are from.

use serde_json::Value;

use crate::index::{printed, records_with};
use crate::scope_twin::random_texts;
use crate::support::*;

const FLAGS: [&str; 8] = ["--k", "3", "--bands", "40", "--rows", "2", "--threshold", "0.3"];

fn two_indexes(name: &'static str) -> Workspace {
    let mut random = Random(152);
    let (old, new) = (random_texts(&mut random, 80), random_texts(&mut random, 30));
    let workspace = Workspace::new(name)
        .file("one.jsonl", records_with(&old[..40], "p"))
        .file("two.jsonl", records_with(&old[20..], "q"))
        .file("new.jsonl", records_with(&[new, old[10..50].to_vec()].concat(), "n"));
    for name in ["one", "two"] {
        let (index, corpus) = (format!("{name}.index"), format!("{name}.jsonl"));
        let build = [&["index", "build", &index, &corpus, "-q"][..], &FLAGS].concat();
        workspace.dedup(&build).stdout("").stderr("").exit_code(0);
    }
    workspace
}

fn records(lines: &str) -> Vec<Value> {
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The number of a question.
fn asked(pair: &Value) -> usize {
    pair["a"].as_str().unwrap()[1..].parse().unwrap()
}

#[test]
fn answers_of_several_indexes_are_those_of_each() {
    let workspace = two_indexes("several");
    let lines =
        printed(&workspace, &["query", "one.index", "--index", "two.index", "new.jsonl", "-q", "--show-passages"]);
    assert!(
        lines
            .lines()
            .all(|line| line.ends_with("\"index\":\"one.index\"}") || line.ends_with("\"index\":\"two.index\"}"))
    );
    let mut expected = Vec::new();
    for index in ["one.index", "two.index"] {
        for mut pair in records(&printed(&workspace, &["query", index, "new.jsonl", "-q", "--show-passages"])) {
            pair["index"] = index.into();
            expected.push(pair);
        }
    }
    assert!(expected.iter().any(|pair| pair["index"] == "one.index") && expected.len() > 50);
    // By questions, then by indexes; the sort keeps the order of each index.
    expected.sort_by_key(asked);
    assert_eq!(records(&lines), expected);
    // The best of all, not of each.
    let best = printed(&workspace, &["query", "one.index", "--index", "two.index", "new.jsonl", "-q", "--best", "2"]);
    let mut of_best = Vec::new();
    for of_question in expected.chunk_by(|a, b| a["a"] == b["a"]) {
        let mut of_question = of_question.to_vec();
        of_question.sort_by(|a, b| b["jaccard"].as_f64().unwrap().total_cmp(&a["jaccard"].as_f64().unwrap()));
        of_best.extend(of_question.into_iter().take(2).map(|pair| (pair["b"].clone(), pair["index"].clone())));
    }
    let best: Vec<_> = records(&best).into_iter().map(|pair| (pair["b"].clone(), pair["index"].clone())).collect();
    assert_eq!(best, of_best);
    // Sorted lines keep the key.
    let sorted = printed(&workspace, &["query", "one.index", "--index", "two.index", "new.jsonl", "-q", "--top", "5"]);
    assert!(records(&sorted).iter().all(|pair| pair["index"].is_string()));
}

#[test]
fn what_is_added_goes_into_the_first_one() {
    let workspace =
        two_indexes("several_add").file("more.jsonl", records_with(&[LOREM.to_owned(), FOX.to_owned()], "m"));
    workspace.dedup(&["index", "add", "two.index", "more.jsonl", "-q"]).stdout("").stderr("").exit_code(0);
    let counts = || {
        ["one.index", "two.index"].map(|index| {
            let info: Value = serde_json::from_str(&printed(&workspace, &["index", "info", index, "--json"])).unwrap();
            info["documents"].as_u64().unwrap()
        })
    };
    let [one, two] = counts();
    // What the second one has is not unseen, also under its own name.
    for lines in [&["more.jsonl"][..], &["--stdin"]] {
        let add = [&["query", "one.index", "--index", "two.index", "--add", "unseen"][..], lines].concat();
        let questions = workspace.read("more.jsonl");
        let mut command = assert_cmd::Command::from_std(workspace.command(&add));
        command.write_stdin(questions).assert().success();
        assert_eq!(counts(), [one, two], "{lines:?}");
    }
    printed(&workspace, &["query", "one.index", "more.jsonl", "-q", "--add", "unseen"]);
    assert_eq!(counts(), [one + 2, two]);
    // All are added, once, to the first one.
    printed(&workspace, &["query", "two.index", "--index", "one.index", "new.jsonl", "-q", "--add", "all"]);
    // So are empty ones.
    let new = workspace.read("new.jsonl");
    assert!(new.contains("\"text\":\"\""));
    assert_eq!(counts(), [one + 2, two + new.lines().count() as u64]);
    workspace.dedup(&["index", "check", "one.index"]).stdout("").stderr("").exit_code(0);
}

#[test]
fn lines_are_answered_from_several_indexes() {
    let workspace = two_indexes("several_follow");
    let lines = std::fs::read(workspace.path("new.jsonl")).unwrap();
    let follow = ["query", "one.index", "--index", "two.index", "--stdin"];
    let workspace = workspace.stdin(lines);
    let mut output = String::new();
    workspace.dedup(&follow).stdout_with(|lines| output = lines.to_owned()).stderr("").exit_code(0);
    let all = records(&printed(&workspace, &["query", "one.index", "--index", "two.index", "new.jsonl", "-q"]));
    let mut expected = all.into_iter().map(|mut pair| {
        pair.as_object_mut().unwrap().remove("a");
        pair
    });
    let mut found = 0;
    for answer in records(&output) {
        for matched in answer["matches"].as_array().unwrap() {
            assert_eq!(Some(matched.clone()), expected.next());
            found += 1;
        }
    }
    assert!(found > 50 && expected.next().is_none(), "{found}");
}

#[test]
fn indexes_of_other_settings_are_not_asked_together() {
    let workspace = two_indexes("several_refused");
    let build = ["index", "build", "three.index", "one.jsonl", "-q", "--k", "4"];
    workspace.dedup(&build).stdout("").stderr("").exit_code(0);
    workspace
        .dedup(&["query", "one.index", "--index", "three.index", "new.jsonl"])
        .stdout("")
        .stderr(
            "dedup: three.index: it has other settings than one.index; query it separately, or rebuild one of them with the settings of the other\n",
        )
        .exit_code(2);
    // The threshold may differ: the one of the first index applies.
    let lenient =
        ["index", "rebuild", "low.index", "two.index", "-q", "--threshold", "0.1", "--bands", "40", "--rows", "2"];
    workspace.dedup(&lenient).stdout("").stderr_with(|_| ()).exit_code(0);
    let pairs = |index: &str| printed(&workspace, &["query", "one.index", "--index", index, "new.jsonl", "-q"]);
    assert_eq!(pairs("low.index").replace("low.index", "two.index"), pairs("two.index"));
}
