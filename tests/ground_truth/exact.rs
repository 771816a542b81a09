//! The built program against the truth: every line of its output, parsed strictly.

use dedup_scan::records::{Name, PairRecord};
use dedup_scan::{Banding, SignatureMethod};

use super::corpus::{Corpus, FoundPair};
use super::{generated, rates};

/// Any seed does; not the default one, so that `--seed` is seen to matter.
const SEED: u64 = 7;

/// Runs `dedup scan` over the corpus and returns what it printed.
pub(crate) fn scan(corpus: &Corpus, method_name: &str, flags: &[&str]) -> String {
    let output = assert_cmd::cargo::cargo_bin_cmd!("dedup")
        .args(["scan", "--threads", "2", "--signature", method_name, "--seed", &SEED.to_string()])
        .args(flags)
        .arg(corpus.input())
        .output()
        .expect("the program can be run");
    assert!(output.status.success(), "{flags:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("every id is UTF-8")
}

/// Parses lines strictly, checks the fractions of each against its counts, and leaves the counts.
pub(crate) fn parse(corpus: &Corpus, lines: &str) -> Vec<FoundPair> {
    parse_of(corpus, lines, 100)
}

/// As [`parse`], with estimates of signatures of so many values.
fn parse_of(corpus: &Corpus, lines: &str, num_hashes: usize) -> Vec<FoundPair> {
    assert!(lines.is_empty() || lines.ends_with('\n'), "the last line is whole");
    let position = |name: &Name| match name {
        Name::Text(id) => corpus.position(id),
        Name::Bytes { bytes } => panic!("{bytes} is no id"),
    };
    // The counts are exact; reading a decimal number back may cost the last bit.
    let is = |value: f64, part: u64, whole: u64| (value - part as f64 / whole as f64).abs() <= 1e-9;
    lines
        .lines()
        .map(|line| {
            let record: PairRecord = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
            let PairRecord { shared, shingles_a, shingles_b, .. } = record;
            assert!(is(record.jaccard, shared, shingles_a + shingles_b - shared), "jaccard: {line}");
            assert!(is(record.containment_a, shared, shingles_a), "containment_a: {line}");
            assert!(is(record.containment_b, shared, shingles_b), "containment_b: {line}");
            assert!((0.0..=1.0).contains(&record.estimate), "estimate: {line}");
            if record.jaccard >= 0.8 {
                // From 0.8 up practically every pair is found, so being found says nothing of the estimate, and it has
                // the standard deviation sqrt(s(1 - s)/n) of n values; five of them, and Bernstein's L/3 = 25/6
                // values (see `expected`) for the few unequal ones near 1.
                let num_hashes = num_hashes as f64;
                let sd = (record.jaccard * (1.0 - record.jaccard) / num_hashes).sqrt();
                let most = 5.0 * sd + 25.0 / (6.0 * num_hashes);
                assert!((record.estimate - record.jaccard).abs() <= most, "estimate: {line}");
            }
            FoundPair { a: position(&record.a), b: position(&record.b), shared, shingles_a, shingles_b }
        })
        .collect()
}

pub(crate) fn every_line_equals_brute_force(name: &str, method_name: &str, method: SignatureMethod) {
    let corpus = Corpus::load(name);
    let num_shingles = corpus.num_shingles();
    let found = parse(&corpus, &scan(&corpus, method_name, &["--threshold", "0.5", "--bands", "20", "--rows", "5"]));
    let indexes = corpus.match_truth(&found, &num_shingles);
    assert!(!indexes.is_empty());
    for index in indexes {
        assert!(corpus.truth[index].reaches(5), "{:?} is below the threshold", corpus.truth[index]);
    }
    for equal in corpus.truth.iter().filter(|pair| pair.shared == pair.union) {
        assert!(found.iter().any(|pair| (pair.a, pair.b) == (equal.a, equal.b)), "{equal:?} was missed");
    }
    // What `rates` learns from the library is true of the program.
    assert_eq!(found, rates::find(&corpus, method, Banding::default(), SEED), "program and library differ");
}

pub(crate) fn a_higher_threshold_only_filters(name: &str, method_name: &str) {
    let corpus = Corpus::load(name);
    let scan = |threshold| scan(&corpus, method_name, &["--threshold", threshold, "--bands", "20", "--rows", "5"]);
    let all = scan("0.5");
    let num_shingles = corpus.num_shingles();
    let indexes = corpus.match_truth(&parse(&corpus, &all), &num_shingles);
    for (threshold, tenths) in [("0.7", 7), ("0.8", 8), ("0.9", 9)] {
        let expected: String = all
            .split_inclusive('\n')
            .zip(&indexes)
            .filter(|&(_, &index)| corpus.truth[index].reaches(tenths))
            .map(|(line, _)| line)
            .collect();
        assert!(scan(threshold) == expected, "--threshold {threshold} is no filter of --threshold 0.5");
    }
}

pub(crate) fn a_banding_that_misses_nothing_prints_the_whole_truth(name: &str, method_name: &str) {
    // 150 bands of 2 rows miss a pair at 0.5 with probability (1 - 0.5^2)^150 < 2e-19.
    let corpus = Corpus::load(name);
    let num_shingles = corpus.num_shingles();
    let found = parse(&corpus, &scan(&corpus, method_name, &["--threshold", "0.5", "--bands", "150", "--rows", "2"]));
    let indexes = corpus.match_truth(&found, &num_shingles);
    let missed: Vec<_> = (0..corpus.truth.len()).filter(|index| !indexes.contains(index)).collect();
    assert!(missed.is_empty(), "{} pairs were missed, the first {:?}", missed.len(), corpus.truth[missed[0]]);
}

/// The exhaustive join prints the whole truth at every threshold, in little memory too.
pub(crate) fn all_pairs_are_the_whole_truth(name: &str) {
    let corpus = Corpus::load(name);
    let num_shingles = corpus.num_shingles();
    for (tenths, memory) in [(5, "1GiB"), (6, "16MiB"), (7, "1GiB"), (8, "16MiB"), (9, "64MiB"), (10, "1GiB")] {
        let threshold = (tenths as f64 / 10.0).to_string();
        let output = assert_cmd::cargo::cargo_bin_cmd!("dedup")
            .args(["scan", "--threads", "2", "--all-pairs", "--threshold", &threshold, "--memory", memory])
            .arg(corpus.input())
            .output()
            .expect("the program can be run");
        assert!(output.status.success(), "{threshold}: {}", String::from_utf8_lossy(&output.stderr));
        let lines = String::from_utf8(output.stdout).expect("every id is UTF-8");
        let num_hashes = Banding::for_recall(tenths as f64 / 10.0, Banding::DEFAULT_RECALL).num_hashes();
        let indexes = corpus.match_truth(&parse_of(&corpus, &lines, num_hashes), &num_shingles);
        let expected: Vec<usize> =
            (0..corpus.truth.len()).filter(|&index| corpus.truth[index].reaches(tenths)).collect();
        assert_eq!(indexes, expected, "at {threshold}");
    }
}

pub(crate) fn the_labelled_pairs_are_found_and_no_others(name: &str, method_name: &str) {
    // The labelled pairs have similarities from 0.97 up and are missed with probability (1 - 0.97^5)^20 < 1e-16.
    let corpus = Corpus::load(name);
    let found = parse(&corpus, &scan(&corpus, method_name, &["--threshold", "0.9"]));
    let found: Vec<(usize, usize)> = found.iter().map(|pair| (pair.a, pair.b)).collect();
    assert!(!found.is_empty());
    assert_eq!(found, corpus.labelled);
}

/// Brute force itself, and then the program, against similarities that are known from how the texts are made.
pub(crate) fn known_similarities_are_printed_as_they_were_made(name: &str, method_name: &str) {
    let made = generated::make(name).expect("a corpus that is made here");
    let known = made.known.clone();
    let corpus = Corpus::made(made);
    assert!(known.iter().filter(|[.., shared, union]| 2 * shared == *union).count() > 0, "none is exactly one half");
    for [a, b, shared, union] in known {
        // A pair right below the limit is not in the truth.
        let truth = corpus.truth.iter().find(|pair| (pair.a, pair.b) == (a, b)).map(|pair| (pair.shared, pair.union));
        assert_eq!(truth, (2 * shared >= union).then_some((shared as u64, union as u64)));
        // 2,000 bands of one row miss a pair at 0.49 with a probability below 1e-500.
        let threshold = (shared as f64 / union as f64).to_string();
        let flags = ["--threshold", &threshold, "--bands", "2000", "--rows", "1"];
        let found = parse(&corpus, &scan(&corpus, method_name, &flags));
        let found = found.iter().find(|pair| (pair.a, pair.b) == (a, b)).expect("a pair at the threshold is printed");
        let found_union = found.shingles_a + found.shingles_b - found.shared;
        assert_eq!((found.shared, found_union), (shared as u64, union as u64));
    }
}
