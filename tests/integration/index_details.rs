//! What answers of an index have more than their numbers: passages, and the similarity of programs with their names kept.

use std::fs;

use serde_json::Value;

use crate::index::{assert_parity, corpus, printed, records_with};
use crate::scope_twin::random_texts;
use crate::support::*;

const SONG: &str =
    "Row, row, row your boat, gently down the stream.\nMerrily, merrily, merrily, merrily, life is but a dream.\n";
const STORY: &str =
    "An old man sat at the edge of the harbour and mended nets,\nas he had done for forty years or more.\n";

#[test]
fn passages_of_answers_are_those_of_a_comparison() {
    let workspace = corpus("index_passages")
        .file("old/d.txt", format!("{SONG}{STORY}{LOREM}\n"))
        .file("old/r.jsonl", records_with(&[format!("{STORY}\r\n  {SONG}"), FOX.to_owned()], "r"))
        .file("old/t.csv", format!("id,text\nt1,\"{STORY}{SONG}\"\n"))
        .file("new/s.txt", format!("{LOREM} {SONG}\n\n\t{STORY}"))
        .file("new/q.jsonl", records_with(&[format!("{SONG}between them\n{STORY}")], "q"));
    for flags in [
        &["--threshold", "0.2", "--bands", "50", "--rows", "2"][..],
        &["--shingle", "word", "--k", "2", "--threshold", "0.2", "--lowercase"],
        &["--shingle", "line", "--k", "1", "--threshold", "0.2"],
        &["--shingle", "sentence", "--k", "1", "--threshold", "0.2"],
        &["--template", "old/b", "--threshold", "0.1", "--k", "4"],
    ] {
        let lines = assert_parity(&workspace, flags, &["--show-passages"]);
        assert!(lines.contains("\"of\":\"field\"") && lines.contains("\"coverage_a\":"), "{flags:?}: {lines}");
    }
    let flags = ["--threshold", "0.2", "--bands", "50", "--rows", "2"];
    for of_compare in [
        &["--show-passages", "--min-run", "4", "--anchor", "9", "--max-gap", "0"][..],
        &["--show-passages", "--sort", "coverage", "--top", "3"],
        &["--show-passages", "--with-source", "--min-containment", "0.3"],
        &["--show-passages", "--format", "csv"],
    ] {
        assert_parity(&workspace, &flags, of_compare);
    }
}

#[test]
fn passages_of_random_records_are_those_of_a_comparison_with_little_memory_too() {
    let mut random = Random(151);
    let (old, new) = (random_texts(&mut random, 90), random_texts(&mut random, 40));
    let more: Vec<String> = old.iter().step_by(3).cloned().collect();
    let workspace = Workspace::new("index_passages_random")
        .file("old/1.jsonl", records_with(&old, "p"))
        .file("new/1.jsonl", records_with(&[new, more].concat(), "n"));
    let flags = ["--k", "3", "--bands", "30", "--rows", "2", "--threshold", "0.3"];
    let of_compare = ["--show-passages", "--min-run", "2", "--anchor", "3"];
    let lines = assert_parity(&workspace, &flags, &of_compare);
    assert!(lines.lines().count() > 50, "{}", lines.lines().count());
    let little = ["query", "x.index", "new", "-q", "--memory", "16MiB"];
    assert_eq!(printed(&workspace, &[&little[..], &of_compare].concat()), lines);
}

#[test]
fn places_in_what_is_no_original_count_in_the_text_and_say_so() {
    let page = format!("<html><p>{SONG}</p>\n<p>{STORY}</p></html>");
    let workspace = Workspace::new("index_passages_pages")
        .file("old/page.html", page)
        .file(
            "old/wide.txt",
            format!("\u{FEFF}{SONG}{STORY}").encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>(),
        )
        .file("new/plain.txt", format!("{SONG}{STORY}"));
    workspace.dedup(&["index", "build", "x.index", "old", "-q"]).stdout("").stderr("").exit_code(0);
    let lines = printed(&workspace, &["query", "x.index", "new", "-q", "--show-passages"]);
    assert_eq!(lines.lines().count(), 2, "{lines}");
    for line in lines.lines() {
        let pair: Value = serde_json::from_str(line).unwrap();
        let passage = &pair["passages"][0];
        assert_eq!((passage["a"].get("of"), passage["b"]["of"].as_str()), (None, Some("text")), "{line}");
    }
    // The plain text of UTF-16 has the same lines and bytes as the question.
    let wide: Value = serde_json::from_str(lines.lines().find(|line| line.contains("wide.txt")).unwrap()).unwrap();
    let [a, b] = ["a", "b"].map(|side| (&wide["passages"][0][side]["lines"], &wide["passages"][0][side]["bytes"]));
    assert_eq!(a, b);
}

#[test]
fn passages_have_the_refusals_of_a_comparison() {
    let workspace = corpus("index_passages_refused");
    workspace.dedup(&["index", "build", "x.index", "old", "-q", "--shingle", "set"]).stdout("").stderr("").exit_code(0);
    for flags in [&["--show-passages"][..], &["--min-run", "3"], &["--sort", "coverage"]] {
        let of_query = workspace.command(&[&["query", "x.index", "new"][..], flags].concat()).output().unwrap();
        let of_compare =
            workspace.command(&[&["compare", "new", "--against", "old", "--shingle", "set"][..], flags].concat());
        let of_compare = { of_compare }.output().unwrap();
        assert_eq!(
            (of_query.status.code(), String::from_utf8_lossy(&of_query.stderr)),
            (Some(2), String::from_utf8_lossy(&of_compare.stderr)),
            "{flags:?}"
        );
    }
}

#[test]
fn programs_have_their_similarity_with_names_kept() {
    let program = |total: &str| {
        format!(
            "def add(first, second):\n    {total} = first + second\n    print({total}, first, second)\n    return {total}\n\n\ndef twice(value):\n    return add(value, value)\n"
        )
    };
    let workspace = Workspace::new("index_kept")
        .file("old/a.py", program("total"))
        .file("old/b.py", program("other"))
        .file("old/starter.py", "def twice(value):\n    return add(value, value)\n")
        .file("new/c.py", program("sum").replace("first", "one"))
        .file("new/d.py", program("total"));
    let preset = ["--preset", "code", "--threshold", "0.3", "--min-tokens", "0"];
    let lines = assert_parity(&workspace, &preset, &[]);
    assert!(lines.lines().count() > 3 && lines.lines().all(|line| line.contains("\"jaccard_kept\":")), "{lines}");
    assert!(assert_parity(&workspace, &preset, &["--jaccard-kept", "3", "--show-passages"]) != lines);
    assert!(!assert_parity(&workspace, &preset, &["--jaccard-kept", "0"]).contains("jaccard_kept"));
    let with_template = [&preset[..], &["--template", "old/starter.py"]].concat();
    let lines = assert_parity(&workspace, &with_template, &[]);
    assert!(lines.contains("\"jaccard_raw\":") && lines.contains("\"jaccard_kept\":"), "{lines}");
    workspace
        .dedup(&["query", "x.index", "new", "--jaccard-kept", "3"])
        .stdout("")
        .stderr("dedup: --jaccard-kept: the index has its templates without names, or in shingles of another size; remove it\n")
        .exit_code(2);
    // A rebuilt index and a merged one compare names as the first one does.
    let _ = fs::remove_file(workspace.path("y.index"));
    workspace.dedup(&["index", "rebuild", "y.index", "x.index", "-q"]).stdout("").stderr("").exit_code(0);
    workspace.dedup(&["query", "y.index", "new", "-q"]).stdout(&lines).stderr_with(|_| ()).exit_code(0);
    workspace.dedup(&["index", "merge", "z.index", "x.index", "y.index", "-q"]).stdout("").stderr("").exit_code(0);
    workspace.dedup(&["query", "z.index", "new", "-q"]).stdout(&lines).stderr_with(|_| ()).exit_code(0);
}

/// What the pairs of a question have that its matches line by line have too.
fn details(found: &Value) -> Vec<Value> {
    ["b", "jaccard", "jaccard_kept", "coverage_a", "coverage_b", "passages"].map(|key| found[key].clone()).into()
}

#[test]
fn lines_have_the_details_of_a_batch() {
    let program = |total: &str, text: &str| {
        format!("def add(first, second):\n    {total} = first + second\n    print('{text}')\n    return {total}\n")
    };
    let record = |id: &str, text: &str| format!("{}\n", serde_json::json!({ "id": id, "text": text }));
    let questions = record("c.py", &program("sum", "x")) + &record("d.py", &program("other", "y"));
    let workspace = Workspace::new("index_follow_details")
        .file("old/a.py", program("total", "x"))
        .file("old/b.py", program("other", "x"))
        .file("new.jsonl", &questions)
        .stdin(&questions);
    for texts in ["keep", "refer"] {
        let _ = fs::remove_file(workspace.path("x.index"));
        let build = ["index", "build", "x.index", "old", "-q", "--preset", "code", "--threshold", "0.1", "--k", "3"];
        let build = [&build[..], &["--texts", texts, "--min-tokens", "0"]].concat();
        workspace.dedup(&build).stdout("").stderr_with(|_| ()).exit_code(0);
        for flags in [
            &[][..],
            &["--show-passages", "--min-run", "3"],
            &["--jaccard-kept", "0"],
            &["--best", "1", "--show-passages"],
        ] {
            let lines = printed(&workspace, &[&["query", "x.index", "new.jsonl", "-q"][..], flags].concat());
            let pairs: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            let expected: Vec<Vec<Value>> = pairs.iter().map(details).collect();
            assert!(expected.len() >= 2, "{lines}");
            let has_passages = flags.contains(&"--show-passages");
            assert!(!has_passages || expected.iter().all(|found| found[5][0].is_object()), "{lines}");
            assert_eq!(expected[0][2].is_null(), flags.contains(&"--jaccard-kept"), "{lines}");
            let look = |answers: &str| {
                let answers = answers.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
                let found = answers.flat_map(|answer| answer["matches"].as_array().unwrap().clone());
                assert_eq!(found.map(|found| details(&found)).collect::<Vec<_>>(), expected, "{texts} {flags:?}");
            };
            let follow = [&["query", "x.index", "--stdin"][..], flags].concat();
            workspace.dedup(&follow).stdout_with(look).stderr("").exit_code(0);
        }
    }
}
