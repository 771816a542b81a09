//! Groups of the labelled corpus: by components they are those of brute force, and each linkage agrees with the labels as it
//! did before.

use std::collections::HashMap;
use std::fs;

use dedup_scan::records::{LabelRecord, Name};

use super::corpus::Corpus;

/// The linkages, and the adjusted Rand index of each at the thresholds 0.5 to 0.9. With 100 bands of 2 rows a pair at 0.5 is
/// missed once in 10¹², so that these depend on no seed.
pub(crate) const LINKAGES: [(&str, [f64; 5]); 3] = [
    ("components", [0.652490, 0.460398, 0.305125, 0.185311, 0.072112]),
    ("star", [0.420447, 0.306481, 0.234509, 0.141890, 0.067754]),
    ("complete", [0.422029, 0.307313, 0.236325, 0.141890, 0.067754]),
];

/// Checks the groups of a corpus with `labels.tsv` at each threshold.
pub(crate) fn groups_agree_with_the_labels(name: &str, linkage: &str, pinned: [f64; 5]) {
    let corpus = Corpus::load(name);
    let labels = fs::read_to_string(corpus.folder.join("labels.tsv")).expect("the corpus is labelled");
    let labels: HashMap<usize, &str> = labels
        .lines()
        .map(|line| line.split_once('\t').map(|(id, label)| (corpus.position(id), label)).expect("two fields"))
        .collect();
    let labels: Vec<&str> = (0..corpus.documents.len()).map(|document| labels[&document]).collect();
    let found: Vec<f64> = (5..10u64)
        .map(|tenths| {
            let groups = groups(&corpus, linkage, tenths);
            if linkage == "components" {
                let expected = components(&corpus, tenths);
                assert!(same_partition(&groups, &expected), "{tenths} tenths");
            }
            adjusted_rand_index(&groups, &labels)
        })
        .collect();
    println!("adjusted Rand index of {linkage} at 0.5 to 0.9: {found:?}");
    let is_near = found.iter().zip(pinned).all(|(found, pinned)| (found - pinned).abs() < 1e-6);
    assert!(is_near, "{linkage}: {found:?}, not {pinned:?}");
}

/// The group of each document, by the built program.
fn groups(corpus: &Corpus, linkage: &str, tenths: u64) -> Vec<u64> {
    let output = assert_cmd::cargo::cargo_bin_cmd!("dedup")
        .args(["cluster", "--quiet", "--labels", "--bands", "100", "--rows", "2", "--linkage", linkage])
        .args(["--threshold", &format!("0.{tenths}")])
        .arg(corpus.input())
        .output()
        .expect("the program can be run");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).expect("every id is UTF-8");
    let groups = lines.lines().enumerate().map(|(document, line)| {
        let label: LabelRecord = serde_json::from_str(line).expect("a label a line");
        assert!(matches!(&label.name, Name::Text(id) if corpus.position(id) == document), "{line}");
        label.group.expect("every document has a text")
    });
    let groups: Vec<u64> = groups.collect();
    assert_eq!(groups.len(), corpus.documents.len());
    groups
}

/// The same by brute force: the least document spreads along all pairs until nothing changes.
fn components(corpus: &Corpus, tenths: u64) -> Vec<u64> {
    let mut least: Vec<u64> = (0..corpus.documents.len() as u64).collect();
    loop {
        let before = least.clone();
        for pair in corpus.truth.iter().filter(|pair| pair.reaches(tenths)) {
            let both = least[pair.a].min(least[pair.b]);
            (least[pair.a], least[pair.b]) = (both, both);
        }
        if least == before {
            return least;
        }
    }
}

fn same_partition(one: &[u64], other: &[u64]) -> bool {
    pairs(one.len()).all(|(a, b)| (one[a] == one[b]) == (other[a] == other[b]))
}

fn pairs(len: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..len).flat_map(move |a| (a + 1..len).map(move |b| (a, b)))
}

/// Hubert and Arabie 1985, by counting pairs of documents: 1 for equal partitions, 0 on average for random ones.
fn adjusted_rand_index(groups: &[u64], labels: &[&str]) -> f64 {
    let count =
        |together: &dyn Fn(usize, usize) -> bool| pairs(groups.len()).filter(|&(a, b)| together(a, b)).count() as f64;
    let in_groups = count(&|a, b| groups[a] == groups[b]);
    let in_labels = count(&|a, b| labels[a] == labels[b]);
    let in_both = count(&|a, b| groups[a] == groups[b] && labels[a] == labels[b]);
    let expected = in_groups * in_labels / pairs(groups.len()).count() as f64;
    (in_both - expected) / ((in_groups + in_labels) / 2.0 - expected)
}
