//! Indexes with enough texts for a dictionary: they are smaller, and nothing else changes.

use std::fs;
use std::path::Path;

use dedup_scan::index::index_info;

use crate::support::*;

/// Records.
const RECORDS: usize = 11_000;
/// Words that they are made of; all of them fit a page of SQLite.
const WORDS: usize = 1_500;

fn word(number: usize) -> String {
    let mut random = Random(number as u64);
    (0..4 + number % 7).map(|_| (b'a' + random.below(26) as u8) as char).collect()
}

/// 4.5 MB of records; each tenth one is another one with a word changed, and one has a word of its own.
fn records() -> Vec<(String, String)> {
    let words: Vec<String> = (0..WORDS).map(word).collect();
    let mut random = Random(5);
    let mut texts: Vec<Vec<&str>> = Vec::new();
    for record in 0..RECORDS {
        let text = if record % 10 == 9 {
            let mut text = texts[random.below(record)].clone();
            let at = random.below(text.len());
            text[at] = &words[random.below(WORDS)];
            text
        } else {
            (0..50).map(|_| words[random.below(WORDS)].as_str()).collect()
        };
        texts.push(text);
    }
    let mut records: Vec<(String, String)> =
        texts.iter().enumerate().map(|(number, text)| (format!("d{number}"), text.join(" "))).collect();
    records[4_321].1.push_str(" hippopotomonstrosesquippedaliophobia");
    records
}

fn lines(records: &[(String, String)]) -> String {
    records.iter().map(|(id, text)| format!("{}\n", serde_json::json!({ "id": id, "text": text }))).collect()
}

fn stdout(workspace: &Workspace, args: &[&str]) -> String {
    let output = workspace.command(args).output().unwrap();
    assert!(output.status.success(), "{args:?} {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Where the copies of a dictionary begin in an index: nothing else has so many letters and blanks in a row.
fn places_of_words(index: &Path) -> Vec<usize> {
    let bytes = fs::read(index).unwrap();
    let is_of_word = |byte: &u8| byte.is_ascii_lowercase() || *byte == b' ';
    let runs = bytes.chunk_by(|a, b| is_of_word(a) == is_of_word(b));
    let mut place = 0;
    let mut places = Vec::new();
    for run in runs {
        if run.len() > 4_000 && is_of_word(&run[0]) {
            places.push(place);
        }
        place += run.len();
    }
    places
}

#[test]
fn a_dictionary_changes_the_size_of_an_index_and_no_answer() {
    let records = records();
    let workspace = Workspace::new("index_dictionary")
        .file("c.jsonl", lines(&records))
        .file("first.jsonl", lines(&records[..5_000]))
        .file("rest.jsonl", lines(&records[5_000..]))
        .file(
            "q.jsonl",
            lines(
                &records[9_000..9_200]
                    .iter()
                    .map(|(id, text)| (format!("q{id}"), format!("{text} x")))
                    .collect::<Vec<_>>(),
            ),
        );
    for (index, build, add) in [("whole.index", "c.jsonl", None), ("late.index", "first.jsonl", Some("rest.jsonl"))] {
        workspace.dedup(&["index", "build", index, build, "-q"]).stdout("").stderr("").exit_code(0);
        if let Some(add) = add {
            workspace.dedup(&["index", "add", index, add, "-q"]).stdout("").stderr("").exit_code(0);
        }
        let info = index_info(&workspace.path(index)).unwrap();
        let share = info.parts.texts as f64 / info.text_bytes as f64;
        // Neither part of the second one is enough for a dictionary.
        assert_eq!(places_of_words(&workspace.path(index)).len() >= 2, add.is_none());
        assert!(if add.is_none() { share < 0.40 } else { share > 0.45 }, "{index} {share}");
        workspace.dedup(&["index", "check", index]).stdout("").stderr("").exit_code(0);
        assert!(stdout(&workspace, &["index", "export", index]) == lines(&records));
        let answers = stdout(&workspace, &["query", index, "q.jsonl", "-q"]);
        assert_eq!(answers, stdout(&workspace, &["compare", "q.jsonl", "--against", "c.jsonl", "-q"]));
        assert!(answers.lines().count() >= 200);
        workspace.dedup(&["index", "rebuild", "again.index", index, "-q"]).stdout("").stderr("").exit_code(0);
        assert!(places_of_words(&workspace.path("again.index")).len() >= 2);
        assert!(stdout(&workspace, &["index", "export", "again.index"]) == lines(&records));
        fs::remove_file(workspace.path("again.index")).unwrap();
    }
}

#[test]
fn a_dictionary_has_no_word_of_one_text_that_would_outlive_its_removal() {
    let mut records = records();
    let workspace = Workspace::new("index_dictionary_removed").file("c.jsonl", lines(&records));
    workspace.dedup(&["index", "build", "x.index", "c.jsonl", "-q"]).stdout("").stderr("").exit_code(0);
    workspace.dedup(&["index", "remove", "x.index", "d4321", "d4322", "d7", "-q"]).stdout("").stderr("").exit_code(0);
    for number in [4_322, 4_321, 7] {
        records.remove(number);
    }
    workspace.dedup(&["index", "check", "x.index"]).stdout("").stderr("").exit_code(0);
    assert!(stdout(&workspace, &["index", "export", "x.index"]) == lines(&records));
    let bytes = fs::read(workspace.path("x.index")).unwrap();
    let own_word = b"hippopotomonstrosesquippedaliophobia";
    assert!(!bytes.windows(own_word.len()).any(|window| window == own_word));
}

#[test]
fn a_damaged_dictionary_costs_no_text_while_its_copy_is_sound() {
    let records = records();
    // One of the last, of which no copy was made.
    let (asked, text) = &records[RECORDS - 2];
    let question = format!("{text} x");
    let workspace = Workspace::new("index_dictionary_damaged").file("c.jsonl", lines(&records)).file("q", question);
    workspace.dedup(&["index", "build", "x.index", "c.jsonl", "-q"]).stdout("").stderr("").exit_code(0);
    let index = workspace.path("x.index");
    let change_copy = |number: usize| {
        let mut bytes = fs::read(&index).unwrap();
        bytes[places_of_words(&index)[number] + 1_000] ^= 0x80;
        fs::write(&index, bytes).unwrap();
    };
    let damage = |number: usize| {
        format!(
            "dedup: x.index: meta block {number} of the index is damaged; `dedup index check` finds all damage, `dedup index \
             rebuild` saves what can be read\n"
        )
    };
    change_copy(0);
    workspace.dedup(&["query", "x.index", "q", "-q"]).pairs(&[&format!("q {asked}")]).stderr("").exit_code(0);
    workspace.dedup(&["index", "check", "x.index"]).stdout("").stderr(&damage(16)).exit_code(2);
    change_copy(1);
    workspace.dedup(&["query", "x.index", "q", "-q"]).stdout("").stderr(&damage(17)).exit_code(3);
}
