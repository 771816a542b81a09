//! Indexes that are made of others: `merge` and `rebuild`.

use std::fs;

use crate::index::{printed, records_with};
use crate::scope_twin::random_texts;
use crate::support::*;

/// The documents of an index; `None` where there is no such file.
pub(crate) fn exported(workspace: &Workspace, index: &str) -> Option<String> {
    workspace.path(index).exists().then(|| printed(workspace, &["index", "export", index]))
}

fn line(id: &str, text: &str) -> String {
    format!("{}\n", serde_json::json!({ "id": id, "text": text }))
}

/// Three indexes of parts of one corpus, with removed documents, and with one name and text in two of them.
fn three(name: &'static str, flags: &[&str]) -> (Workspace, String) {
    let mut random = Random(156);
    let texts = random_texts(&mut random, 90);
    let mut workspace = Workspace::new(name);
    let mut all = String::new();
    for (number, texts) in texts.chunks(30).enumerate() {
        let records = records_with(texts, &format!("p{number}-"));
        all += &records;
        let shared = line("shared", LOREM);
        all += if number == 0 { &shared } else { "" };
        let gone = line("gone", &format!("{FOX} {number}"));
        workspace = workspace.file(format!("{number}.jsonl"), records + &shared + &gone);
        let (index, corpus) = (format!("{number}.index"), format!("{number}.jsonl"));
        workspace
            .dedup(&[&["index", "build", &index, &corpus, "-q"][..], flags].concat())
            .stdout("")
            .stderr("")
            .exit_code(0);
        workspace.dedup(&["index", "remove", &index, "gone", "-q"]).stdout("").stderr("").exit_code(0);
    }
    (workspace.file("all.jsonl", all), texts[3].clone())
}

const FLAGS: [&str; 8] = ["--k", "3", "--bands", "40", "--rows", "2", "--threshold", "0.3"];

#[test]
fn a_merged_index_is_one_of_all_documents() {
    let (workspace, text) = three("merge", &FLAGS);
    workspace
        .dedup(&["index", "merge", "m.index", "0.index", "1.index", "2.index"])
        .stdout("")
        .stderr("documents  91\n")
        .exit_code(0);
    assert_eq!(exported(&workspace, "m.index").unwrap(), workspace.read("all.jsonl"));
    workspace
        .dedup(&[&["index", "build", "f.index", "all.jsonl", "-q"][..], &FLAGS].concat())
        .stdout("")
        .stderr("")
        .exit_code(0);
    let workspace = workspace.file("q", text);
    let ask = |index: &str| printed(&workspace, &["query", index, "all.jsonl", "q", "-q", "--show-passages"]);
    assert!(ask("m.index") == ask("f.index") && ask("m.index").lines().count() > 100);
    workspace.dedup(&["index", "check", "m.index"]).stdout("").stderr("").exit_code(0);
    // The others are as they were.
    workspace.dedup(&["index", "check", "0.index"]).stdout("").stderr("").exit_code(0);
    workspace
        .dedup(&["index", "merge", "m.index", "0.index"])
        .stdout("")
        .stderr("dedup: m.index: already exists; choose another index, or delete it first\n")
        .exit_code(2);
}

#[test]
fn one_name_with_two_texts_is_an_error_or_decided() {
    let workspace = Workspace::new("merge_known")
        .file("a.jsonl", line("1", FOX) + &line("2", LOREM))
        .file("b.jsonl", line("2", CAT) + &line("3", CAT) + &line("1", FOX));
    for name in ["a", "b"] {
        let (index, corpus) = (format!("{name}.index"), format!("{name}.jsonl"));
        workspace.dedup(&["index", "build", &index, &corpus, "-q"]).stdout("").stderr("").exit_code(0);
    }
    workspace
        .dedup(&["index", "merge", "m.index", "a.index", "b.index"])
        .stdout("")
        .stderr("dedup: b.index: duplicate name \"2\": an earlier index has another text with it; give --known skip or --known replace\n")
        .exit_code(2);
    assert!(!workspace.path("m.index").exists());
    for (known, expected) in [
        ("skip", line("1", FOX) + &line("2", LOREM) + &line("3", CAT)),
        ("replace", line("1", FOX) + &line("2", CAT) + &line("3", CAT)),
    ] {
        let _ = fs::remove_file(workspace.path("m.index"));
        workspace
            .dedup(&["index", "merge", "m.index", "a.index", "b.index", "--known", known])
            .stdout("")
            .stderr("documents  3, 1 skipped or replaced\n")
            .exit_code(0);
        assert_eq!(exported(&workspace, "m.index").unwrap(), expected, "{known}");
        workspace.dedup(&["index", "check", "m.index"]).stdout("").stderr("").exit_code(0);
    }
    workspace.dedup(&["index", "build", "c.index", "a.jsonl", "-q", "--k", "5"]).stdout("").stderr("").exit_code(0);
    workspace
        .dedup(&["index", "merge", "n.index", "a.index", "c.index"])
        .stdout("")
        .stderr(
            "dedup: c.index: it has other settings than a.index; rebuild one of them with the settings of the other\n",
        )
        .exit_code(2);
}

#[test]
fn a_rebuilt_index_is_one_of_its_texts_with_other_settings() {
    let (workspace, _) = three("rebuild", &FLAGS);
    let corpus = exported(&workspace, "1.index").unwrap();
    let workspace = workspace.file("1.corpus.jsonl", corpus);
    for (number, flags) in [
        &["--k", "5"][..],
        &["--shingle", "word", "--k", "2", "--threshold", "0.4"],
        &["--threshold", "0.7", "--signature", "fast", "--seed", "3"],
        &["--lowercase", "--strip-punctuation", "--min-tokens", "25"],
    ]
    .into_iter()
    .enumerate()
    {
        let rebuilt = format!("r{number}.index");
        let rebuild = [&["index", "rebuild", &rebuilt, "1.index", "-q"][..], flags].concat();
        workspace.dedup(&rebuild).stdout("").stderr_with(|_| ()).exit_code(0);
        workspace.dedup(&["index", "check", &rebuilt]).stdout("").stderr("").exit_code(0);
        let bands: &[&str] = if flags.contains(&"--threshold") { &[] } else { &FLAGS[2..] };
        let k: &[&str] = if flags.contains(&"--k") { &[] } else { &FLAGS[..2] };
        let against = [&["compare", "all.jsonl", "--against", "1.corpus.jsonl", "-q"][..], flags, bands, k].concat();
        let output = workspace.command(&against).output().unwrap();
        let expected = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && !expected.is_empty(), "{flags:?}");
        workspace.dedup(&["query", &rebuilt, "all.jsonl", "-q"]).stdout(&expected).stderr_with(|_| ()).exit_code(0);
    }
    // Nothing given changes nothing.
    workspace.dedup(&["index", "rebuild", "same.index", "1.index"]).stdout("").stderr("documents  31\n").exit_code(0);
    assert_eq!(exported(&workspace, "same.index"), exported(&workspace, "1.index"));
    let settings = |index: &str| {
        let info: serde_json::Value =
            serde_json::from_str(&printed(&workspace, &["index", "info", index, "--json"])).unwrap();
        info["settings"].clone()
    };
    assert_eq!(settings("same.index"), settings("1.index"));
}

#[test]
fn a_rebuilt_index_saves_what_is_not_damaged() {
    let mut random = Random(157);
    let mut words = || (0..40).map(|_| format!("{:x} ", random.next() >> 40)).collect::<String>();
    let records: Vec<String> = (0..400).map(|_| words()).collect();
    let workspace = Workspace::new("rebuild_damaged").file("c.jsonl", records_with(&records, "d"));
    workspace.dedup(&["index", "build", "x.index", "c.jsonl", "-q"]).stdout("").stderr("").exit_code(0);
    // Changes a byte of each block of texts, until one is hit that costs some documents and not all.
    let bytes = fs::read(workspace.path("x.index")).unwrap();
    let mut is_saved = false;
    for at in (16_384 * 2 + 700..bytes.len()).step_by(4096) {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        fs::write(workspace.path("x.index"), changed).unwrap();
        let _ = fs::remove_file(workspace.path("r.index"));
        let output = workspace.command(&["index", "rebuild", "r.index", "x.index"]).output().unwrap();
        if output.status.code() == Some(3) {
            let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(
                stderr.starts_with("dedup: x.index: ") && stderr.contains(" of the index is damaged; "),
                "{stderr}"
            );
            workspace.dedup(&["index", "check", "r.index"]).stdout("").stderr("").exit_code(0);
            let left = exported(&workspace, "r.index").unwrap().lines().count();
            assert!((1..400).contains(&left), "{left}");
            is_saved = true;
            break;
        }
    }
    assert!(is_saved, "no block of texts was hit");
}
