//! Damaged indexes: an answer is right, or the damage is named; nothing else ever happens.

use std::fs;
use std::path::Path;

use dedup_scan::base::IndexError;
use dedup_scan::compare::passages::LocatedPassages;
use dedup_scan::index::{IndexSettings, QuerySettings, SampleRate, build_index, check_index, query_index};
use dedup_scan::{Documents, DuplicatePair, Error, InputSettings, Settings, Threshold, Unwatched};

use crate::support::*;

/// What a query finds of similar and of contained documents, or the damage that it names.
fn answers(index: &Path, questions: &Path) -> Result<(Vec<String>, bool), Error> {
    let (mut similar, is_damaged) = answers_to(index, questions, None)?;
    let (contained, is_table_damaged) = answers_to(index, questions, Some(Threshold::new(0.5).unwrap()))?;
    similar.extend(contained.into_iter().map(|answer| format!("contained {answer}")));
    Ok((similar, is_damaged || is_table_damaged))
}

fn answers_to(index: &Path, questions: &Path, containment: Option<Threshold>) -> Result<(Vec<String>, bool), Error> {
    let mut found = Vec::new();
    let mut sink = |documents: &Documents, pairs: &[DuplicatePair], _: &[Option<LocatedPassages>]| {
        let name = |document| String::from_utf8_lossy(documents.name(document)).into_owned();
        found.extend(pairs.iter().map(|pair| format!("{} {} {}", name(pair.a), name(pair.b), pair.shared)));
        Ok(())
    };
    let query = QuerySettings { index: index.to_owned(), containment, ..QuerySettings::default() };
    let settings = Settings::of(InputSettings::of(vec![questions.to_owned()]));
    let summary = query_index(&query, &settings, &Unwatched, &mut sink)?;
    Ok((found, !summary.damage.is_empty()))
}

/// Changes an index in one way after another, and looks at what becomes of the answers.
fn assert_never_wrong(index: &Path, questions: &Path, changes: impl Iterator<Item = (String, Vec<u8>)>) {
    let (expected, _) = answers(index, questions).unwrap();
    assert!(expected.len() > 3);
    let changed = index.with_extension("changed");
    let (mut harmless, mut named) = (0, 0);
    for (change, bytes) in changes {
        fs::write(&changed, bytes).unwrap();
        match answers(&changed, questions) {
            Ok((found, is_damaged)) => {
                let is_part = found.iter().all(|answer| expected.contains(answer));
                assert!(is_part, "{change}: {found:?}");
                assert!(found == expected || is_damaged, "{change}: answers are missing, and no damage is named");
                harmless += 1;
            }
            Err(Error::Index(error)) => {
                assert!(!error.to_string().contains('\n'), "{error}");
                named += 1;
            }
            Err(error) => panic!("{change}: {error}"),
        }
        // Looking for damage ends, whatever it finds.
        let _ = check_index(&changed, &Unwatched);
        for beside in ["-wal", "-shm"] {
            let mut path = changed.clone().into_os_string();
            path.push(beside);
            let _ = fs::remove_file(path);
        }
    }
    assert!(harmless > 0 && named > 0, "{harmless} {named}");
}

fn small_index(name: &'static str) -> (Workspace, std::path::PathBuf, std::path::PathBuf) {
    let lines: String = (0..40)
        .map(|number| format!("{}\n", serde_json::json!({ "id": format!("d{number}"), "text": if number % 4 == 0 { FOX.to_owned() } else { format!("{LOREM} {number}") } })))
        .collect();
    let workspace = Workspace::new(name).file("c.jsonl", lines).file("q", CAT);
    let index = workspace.path("x.index");
    let settings = Settings::of(InputSettings::of(vec![workspace.path("c.jsonl")]));
    build_index(
        &index,
        IndexSettings { containment: SampleRate::one_in(2), ..IndexSettings::default() },
        &settings,
        &Unwatched,
    )
    .unwrap();
    let questions = workspace.path("q");
    (workspace, index, questions)
}

#[test]
fn a_flipped_byte_is_named_or_harmless() {
    let (_workspace, index, questions) = small_index("damage_flip");
    let bytes = fs::read(&index).unwrap();
    // All of them: DEDUP_DAMAGE=all cargo test --test integration index_damage
    let step = if std::env::var_os("DEDUP_DAMAGE").is_some() { 1 } else { 211 };
    let changes = (0..bytes.len()).step_by(step).map(|at| {
        let mut changed = bytes.clone();
        changed[at] ^= 1 << (at % 8);
        (format!("byte {at}"), changed)
    });
    assert_never_wrong(&index, &questions, changes);
}

#[test]
fn an_index_that_was_cut_is_named() {
    let (_workspace, index, questions) = small_index("damage_cut");
    let bytes = fs::read(&index).unwrap();
    let pages = (0..bytes.len()).step_by(16_384).chain([1, 50, 99, 100, 101, bytes.len() - 1, bytes.len()]);
    assert_never_wrong(&index, &questions, pages.map(|len| (format!("{len} bytes"), bytes[..len].to_vec())));
}

#[test]
fn a_lost_page_is_named() {
    let (_workspace, index, questions) = small_index("damage_page");
    let bytes = fs::read(&index).unwrap();
    let pages = (16_384..bytes.len()).step_by(16_384).flat_map(|start| {
        let mut zeroed = bytes.clone();
        zeroed[start..start + 16_384].fill(0);
        let mut other = bytes.clone();
        other.copy_within(16_384 * 2..16_384 * 3, start);
        [(format!("zeroes at {start}"), zeroed), (format!("another page at {start}"), other)]
    });
    assert_never_wrong(&index, &questions, pages.chain([("nothing".to_owned(), bytes.clone())]));
    let damaged = IndexError::Damaged { path: "x".into(), part: "texts block 7".to_owned() };
    assert!(damaged.to_string() == "x: texts block 7 of the index is damaged");
}

#[test]
fn an_index_without_its_end_is_rebuilt_as_far_as_it_goes() {
    let texts: String = (0..400)
        .map(|number| {
            let words: String = (0..60).map(|word| format!("{} ", (number * 61 + word) * 7919 % 100_003)).collect();
            format!("{}\n", serde_json::json!({ "id": format!("d{number}"), "text": words }))
        })
        .collect();
    let workspace = Workspace::new("damage_truncated").file("c.jsonl", texts);
    workspace.dedup(&["index", "build", "whole.index", "c.jsonl", "-q"]).stdout("").stderr("").exit_code(0);
    let whole = fs::read(workspace.path("whole.index")).unwrap();
    let lines = crate::index::printed(&workspace, &["index", "export", "whole.index"]);
    let (mut numbers, step) = (Vec::new(), (whole.len() / 12).next_multiple_of(16_384));
    for len in (step..whole.len()).step_by(step).chain([200, whole.len() - 1]) {
        fs::write(workspace.path("cut.index"), &whole[..len]).unwrap();
        for left in ["rest.index", "cut.index-wal", "cut.index-shm"] {
            let _ = fs::remove_file(workspace.path(left));
        }
        let rebuilt = workspace.command(&["index", "rebuild", "rest.index", "cut.index", "-q"]).output().unwrap();
        let stderr = String::from_utf8(rebuilt.stderr).unwrap();
        if rebuilt.status.code() == Some(2) {
            assert!(stderr.starts_with("dedup: cut.index: ") && stderr.lines().count() == 1, "{len}: {stderr}");
            continue;
        }
        let rest = crate::index::printed(&workspace, &["index", "export", "rest.index"]);
        assert!(rest.lines().all(|line| lines.contains(line)), "{len}");
        let is_whole = rest == lines;
        assert_eq!(rebuilt.status.code(), Some(if is_whole { 0 } else { 3 }), "{len}: {stderr}");
        numbers.push(rest.lines().count());
        let checked = workspace.command(&["index", "check", "cut.index"]).output().unwrap();
        assert_eq!(
            checked.status.code(),
            Some(if len == whole.len() - 1 && checked.stderr.is_empty() { 0 } else { 2 }),
            "{len}"
        );
    }
    assert!(numbers.iter().any(|&number| number > 0), "{numbers:?}");
}

#[test]
fn documents_of_a_damaged_block_are_named_and_come_from_another_index_that_has_them() {
    let texts: String = (0..40)
        .map(|number| {
            format!("{}\n", serde_json::json!({"id": format!("d{number}"), "text": format!("{LOREM} number {number}")}))
        })
        .collect();
    let workspace = Workspace::new("damage_named").file("c.jsonl", texts);
    workspace.dedup(&["index", "build", "whole.index", "c.jsonl", "-q"]).stdout("").stderr("").exit_code(0);
    let whole = fs::read(workspace.path("whole.index")).unwrap();
    // A byte of a block of texts: the first of some places that tears one.
    let is_torn = |&place: &usize| {
        let mut bytes = whole.clone();
        bytes[place] ^= 0x55;
        fs::write(workspace.path("torn.index"), bytes).unwrap();
        let faults = check_index(&workspace.path("torn.index"), &Unwatched).unwrap_or_default();
        !faults.is_empty() && faults.iter().all(|fault| fault.to_string().contains("(texts block"))
    };
    (0..whole.len()).step_by(509).find(is_torn).expect("texts take a part of an index");
    let named = |stderr: &str| assert!(stderr.contains("the text of \"d0\" (texts block"), "{stderr}");
    workspace.dedup(&["index", "check", "torn.index"]).stdout("").stderr_with(named).exit_code(2);
    let rebuilt = workspace.command(&["index", "rebuild", "rest.index", "torn.index", "-q"]).output().unwrap();
    assert_eq!(rebuilt.status.code(), Some(3));
    let lost: Vec<String> = String::from_utf8(rebuilt.stderr).unwrap().lines().map(str::to_owned).collect();
    let rest = crate::index::printed(&workspace, &["index", "export", "rest.index"]);
    assert_eq!(rest.lines().count() + lost.len(), 40, "{lost:?}");
    assert!(!lost.is_empty() && lost.iter().all(|line| line.contains("the text of \"d")), "{lost:?}");
    let whole = crate::index::printed(&workspace, &["index", "export", "whole.index"]);
    for (out, indexes) in [("1.index", ["torn.index", "whole.index"]), ("2.index", ["whole.index", "torn.index"])] {
        let merge = [&["index", "merge", out, "-q"][..], &indexes].concat();
        workspace.dedup(&merge).stdout("").stderr("").exit_code(0);
        assert_eq!(crate::index::printed(&workspace, &["index", "export", out]), whole);
    }
}
