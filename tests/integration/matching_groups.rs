//! `--match passages` on commands that make groups: the coverages of what joins a group, and of what is removed.

use std::collections::HashMap;

use dedup_scan::records::{ClusterRecord, RemovedRecord};

use crate::matching_saved::{corpus, stdout_of};
use crate::support::*;

const SCAN: [&str; 5] = ["scan", "--match", "passages", "-q", "in.jsonl"];

/// The coverages of both documents of each pair that a scan prints, by their names in either order.
fn coverages_of_pairs(stdout: &str) -> HashMap<(String, String), [f64; 2]> {
    let mut coverages = HashMap::new();
    for pair in records(stdout) {
        let (a, b) = (name(&pair.a).to_owned(), name(&pair.b).to_owned());
        let [of_a, of_b] = [pair.coverage_a.unwrap(), pair.coverage_b.unwrap()];
        coverages.insert((a.clone(), b.clone()), [of_a, of_b]);
        coverages.insert((b, a), [of_b, of_a]);
    }
    coverages
}

#[test]
fn what_joins_a_group_has_the_coverages_of_its_pair() {
    let corpus = corpus("coverages_of_joins");
    let expected = coverages_of_pairs(&stdout_of(corpus.dedup(&[&SCAN[..], &["--save", "saved"]].concat())));
    // A file of pairs knows no order of documents but that of its lines.
    let corpus = corpus.file("pairs", "");
    std::fs::copy(corpus.path("saved/pairs.jsonl"), corpus.path("pairs")).unwrap();
    for linkage in ["components", "star", "complete"] {
        for from in [&SCAN[1..], &["--from", "saved", "-q"], &["--from", "pairs", "-q"]] {
            let groups = stdout_of(corpus.dedup(&[&["cluster", "--linkage", linkage], from].concat()));
            let mut num_joined = 0;
            for line in groups.lines() {
                let group: ClusterRecord = serde_json::from_str(line).unwrap();
                for joined in group.joined_by {
                    let pair = (name(&joined.name).to_owned(), name(&joined.by).to_owned());
                    let found = [joined.coverage_name.unwrap(), joined.coverage_by.unwrap()];
                    assert_eq!(found, expected[&pair], "{linkage} {from:?} {pair:?}");
                    num_joined += 1;
                }
            }
            assert!(num_joined > 10, "{linkage} {from:?}: {num_joined}");
        }
    }
    let similar = stdout_of(corpus.dedup(&["cluster", "in.jsonl", "--threshold", "0.1", "-q"]));
    assert!(similar.contains("joined_by") && !similar.contains("coverage"), "{similar}");
}

#[test]
fn what_is_removed_has_the_coverages_of_its_pair() {
    let corpus = corpus("coverages_of_removed");
    let expected = coverages_of_pairs(&stdout_of(corpus.dedup(&[&SCAN[..], &["--save", "saved"]].concat())));
    let unique = ["unique", "in.jsonl", "-n", "-q", "--removed", "-"];
    for linkage in ["components", "star"] {
        let of = |method: &[&str]| {
            let (mut lines, mut is_warned) = (String::new(), false);
            corpus
                .dedup(&[&unique[..], &["--linkage", linkage], method].concat())
                .stdout_with(|stdout| lines = stdout.to_owned())
                .stderr_with(|stderr| is_warned = stderr.starts_with("dedup: warning: "))
                .exit_code(0);
            (lines, is_warned)
        };
        let ((run, is_warned), (saved, is_saved_warned)) = (of(&["--match", "passages"]), of(&["--from", "saved"]));
        assert!(is_warned && is_saved_warned, "{linkage}");
        let mut num_pairs = 0;
        for (run, saved) in run.lines().zip(saved.lines()) {
            let [run, saved]: [RemovedRecord; 2] = [run, saved].map(|line| serde_json::from_str(line).unwrap());
            let found = [run.coverage_removed.unwrap(), run.coverage_kept.unwrap()];
            let pair = (name(&run.removed).to_owned(), name(&run.kept).to_owned());
            match expected.get(&pair) {
                Some(expected) => {
                    assert_eq!(found, *expected, "{linkage} {pair:?}");
                    assert_eq!(saved.coverage_removed.zip(saved.coverage_kept), Some((found[0], found[1])));
                    num_pairs += 1;
                }
                // Other documents connect them.
                None => assert_eq!((linkage, saved.coverage_removed), ("components", None)),
            }
        }
        assert!(num_pairs > 10 && run.lines().count() == saved.lines().count(), "{linkage}: {num_pairs}");
    }
}

#[test]
fn a_document_that_goes_for_one_copied_paragraph_is_warned_of() {
    let words = |of: char, number: usize| (0..number).map(|at| format!("{of}{at} ")).collect::<String>();
    let workspace = Workspace::new("hardly_covered")
        .file("in/a.txt", words('p', 30))
        .file("in/b.txt", words('p', 30) + &words('b', 70))
        .file("in/c.txt", words('p', 30) + &words('c', 10));
    let unique = |flags: &[&str], stderr: &str| {
        let args = [&["unique", "-q", "-n", "--match", "passages", "in"], flags].concat();
        workspace.dedup(&args).stdout("").stderr(stderr).exit_code(0);
    };
    let warning = "dedup: warning: 1 of 2 removed documents: less than half of each is in the document that is kept (lowest: 0.30 of in/b.txt), and the rest is removed too; --keep longest removes the shorter of two, --coverage 0.5 removes none if less than half of the shorter is covered; --removed lists them\n";
    unique(&[], warning);
    unique(&["--keep", "longest"], "");
}
