//! The page on architecture, and the table of changes in `lib.rs`, name files and folders that there are.

use std::path::{Path, PathBuf};

/// The words between backticks that contain a slash. The page writes paths so, each relative to its layer.
fn paths(page: &str) -> impl Iterator<Item = &str> {
    page.split('`').skip(1).step_by(2).filter(|word| word.contains('/') && !word.contains(char::is_whitespace))
}

fn all_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        found.push(path.clone());
        if path.is_dir() {
            all_below(&path, found);
        }
    }
}

#[test]
fn every_path_of_the_architecture_page_is_there() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(top.join(".github/contributing/architecture.md")).unwrap();
    // The drawing between three backticks is no prose.
    let page: String = page.split("```").step_by(2).collect();
    let mut all = Vec::new();
    ["src", "tests", "benches", "examples"].into_iter().for_each(|folder| all_below(&top.join(folder), &mut all));
    let is_there = |path: &str| top.join(path).exists() || all.iter().any(|other| other.ends_with(path));
    // The corpora beside the project are not everywhere.
    let named: Vec<&str> = paths(&page).filter(|path| !path.starts_with("shared/")).collect();
    assert!(named.len() > 30, "{named:?}");
    let missing: Vec<&str> = named.into_iter().filter(|path| !is_there(path)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn every_file_in_which_a_change_begins_is_there() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let text = std::fs::read_to_string(sources.join("lib.rs")).unwrap();
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("//! | a")).collect();
    assert!(rows.len() > 10, "{rows:?}");
    for row in rows {
        assert!(paths(row).next().is_some(), "{row}");
        paths(row).for_each(|path| assert!(sources.join(path).is_file(), "{row}"));
    }
}
