//! Files of earlier versions, which `tests/kept` has: this version reads each of them, as the page on compatibility promises.
//!
//! The files were made in the root of the repository from `examples/corpus/licences` and `examples/corpus/news`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use xxhash_rust::xxh3::xxh3_128;

const TOP: &str = env!("CARGO_MANIFEST_DIR");
const INPUTS: [&str; 2] = ["examples/corpus/licences", "examples/corpus/news"];

/// Runs the program in the root of the repository.
#[track_caller]
fn dedup(args: &[&str], code: i32) -> String {
    let program = env!("CARGO_BIN_EXE_dedup");
    let Output { status, stdout, stderr } = Command::new(program).args(args).current_dir(TOP).output().unwrap();
    assert_eq!(status.code(), Some(code), "{args:?}: {}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).unwrap()
}

/// The folder of each version.
fn versions() -> Vec<PathBuf> {
    let folders = fs::read_dir(Path::new(TOP).join("tests/kept")).unwrap();
    let mut versions: Vec<PathBuf> = folders.map(|folder| folder.unwrap().path()).collect();
    versions.sort();
    assert!(!versions.is_empty());
    versions
}

/// Copies a saved result, whose header has `FOLDER` instead of a folder, and no hash of itself yet.
fn saved(version: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for name in ["pairs.jsonl", "documents.jsonl"] {
        fs::copy(version.join("result").join(name), to.join(name)).unwrap();
    }
    let header = fs::read_to_string(version.join("result/header.json")).unwrap();
    let folder = serde_json::to_string(TOP).unwrap();
    let header = header.replace("\"FOLDER\"", &folder);
    let check = xxh3_128(header.as_bytes());
    fs::write(to.join("header.json"), format!("{header},\"check\":\"{check:032x}\"}}\n")).unwrap();
}

#[test]
fn files_of_earlier_versions_are_read() {
    let folder = tempfile::tempdir().unwrap();
    for version in versions() {
        let name = version.file_name().unwrap().to_str().unwrap();
        let file = |name: &str| version.join(name).to_str().unwrap().to_owned();
        let new = |what: &str| folder.path().join(format!("{name}.{what}")).to_str().unwrap().to_owned();

        // A saved result: its pairs, reports, and every number of it again.
        let result = new("result");
        saved(&version, Path::new(&result));
        let pairs = fs::read_to_string(version.join("result/pairs.jsonl")).unwrap();
        assert_eq!(dedup(&["scan", "-q", "--from", &result], 0), pairs, "{name}");
        assert_eq!(dedup(&["report", "-q", &result, "--format", "csv"], 0).lines().count(), 1 + pairs.lines().count());
        assert_eq!(dedup(&["check", "-q", &result], 0), "", "{name}");

        // A baseline: nothing is new.
        let accepted = file("accepted.jsonl");
        let scan = [&["scan", "-q", "--exit-code", "--baseline", &accepted], &INPUTS[..]].concat();
        assert_eq!(dedup(&scan, 0), "", "{name}");

        // Signatures, by which documents of different versions can be joined.
        let signatures = fs::read_to_string(file("signatures.jsonl")).unwrap();
        assert_eq!(dedup(&["sign", "-q", INPUTS[0]], 0), signatures, "{name}");

        // An index: it is searched, added to, and checked.
        let index = new("index");
        fs::copy(file("seen.index"), &index).unwrap();
        let found = dedup(
            &["query", "-q", &index, "examples/corpus/licences/lantern-1.0.txt", "--best", "1", "--skip-self"],
            0,
        );
        let found: Value = serde_json::from_str(&found).unwrap();
        assert_eq!(
            (&found["b"], &found["jaccard"]),
            (&"examples/corpus/licences/lantern-1.1.txt".into(), &0.9052848318462594.into())
        );
        dedup(&["index", "add", "-q", &index, INPUTS[1]], 0);
        dedup(&["index", "check", &index], 0);
    }
}
