//! The index against a comparison, on every corpus: the same bytes.

use assert_cmd::cargo::cargo_bin_cmd;

use super::corpus::Corpus;

fn printed(args: &[&str]) -> String {
    let output = cargo_bin_cmd!("dedup").args(args).output().expect("the program can be run");
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("every id is UTF-8")
}

pub(crate) fn a_query_prints_what_a_comparison_prints(name: &str, method_name: &str) {
    let corpus = Corpus::load(name);
    let (input, folder) = (corpus.input(), tempfile::tempdir().expect("there is a folder for temporary files"));
    let (input, index) = (input.to_str().expect("it is UTF-8"), folder.path().join("index"));
    let index = index.to_str().expect("it is UTF-8");
    let flags = ["--threshold", "0.5", "--bands", "20", "--rows", "5", "--signature", method_name, "-q"];
    printed(&[&["index", "build", index, input][..], &flags].concat());
    let expected = printed(&[&["compare", input, "--against", input][..], &flags].concat());
    assert!(!expected.is_empty());
    // Lines are compared as a whole, so that a difference is one short message.
    assert!(printed(&["query", index, input, "-q", "--threads", "2"]) == expected, "{name}: query and compare differ");
    assert_eq!(printed(&["index", "check", index]), "");
}
