//! Matching by passages against brute force: which pairs have a long enough run in common, and what they share.

use std::collections::{BTreeSet, HashMap};

use assert_cmd::Command;
use dedup_scan::records::PairRecord;
use dedup_scan::text::UnicodeForm;
use dedup_scan::{Normalization, ShingleKind, Shingler, Units};

use super::corpus::Corpus;
use super::random::Random;
use super::twin;

/// Pairs that are aligned by the twin, of those that are printed and of those that are not.
const TWINS: usize = 40;
/// The labels of these revisions at the prose preset as it stands: pairs found that are labelled, found in all, and labelled.
pub(crate) const REVISIONS: &str = "trpl_zh_revisions";

/// The words of all documents as the preset folds them, and the documents' names.
fn words(corpus: &Corpus) -> Vec<Vec<String>> {
    let folding = Normalization {
        form: Some(UnicodeForm::Nfkc),
        lowercase: true,
        strip_accents: true,
        strip_punctuation: true,
        ..Normalization::default()
    };
    let mut normalizer = dedup_scan::Normalizer::new(&folding, Units::Text);
    let mut shingler = Shingler::new(ShingleKind::Word, 5);
    let words = |text: &str| {
        let tokens = shingler.tokens(normalizer.normalize(text));
        (0..tokens.len()).map(|at| tokens.text()[tokens.bytes_of(at..at + 1)].to_owned()).collect()
    };
    corpus.documents.iter().map(|document| document.text.as_str()).map(words).collect()
}

fn scan(corpus: &Corpus, flags: &[&str]) -> Vec<(usize, usize, String)> {
    let output = Command::new(assert_cmd::cargo::cargo_bin!("dedup"))
        .args(["scan", "--match", "passages", "--quiet"])
        .args(flags)
        .arg(corpus.folder.join("docs.jsonl"))
        .output()
        .expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let stdout = String::from_utf8(output.stdout).expect("JSON is UTF-8");
    let pair = |line: &str| {
        let record: PairRecord = serde_json::from_str(line).expect("a line is a record");
        let place = |name: &dedup_scan::records::Name| {
            let name = String::from_utf8(name.to_bytes()).expect("ids are UTF-8");
            corpus.position(&name)
        };
        (place(&record.a), place(&record.b), line.to_owned())
    };
    stdout.lines().map(pair).collect()
}

/// All pairs of documents with a common run of 8 words, or the same words, by a table of all such runs.
fn with_common_run(words: &[Vec<String>]) -> BTreeSet<(usize, usize)> {
    let mut holders: HashMap<&[String], Vec<usize>> = HashMap::new();
    for (document, words) in words.iter().enumerate() {
        let runs: Vec<&[String]> = if words.len() < 8 { vec![words] } else { words.windows(8).collect() };
        for run in runs.into_iter().filter(|run| !run.is_empty()) {
            let holders = holders.entry(run).or_default();
            if holders.last() != Some(&document) {
                holders.push(document);
            }
        }
    }
    let mut pairs = BTreeSet::new();
    for holders in holders.values() {
        for (at, &a) in holders.iter().enumerate() {
            pairs.extend(holders[at + 1..].iter().map(|&b| (a, b)));
        }
    }
    pairs
}

/// Whatever the length of two documents, and whatever else is in them, a common run of 8 words is found.
pub(crate) fn every_pair_with_a_common_run_is_found(name: &str) {
    let corpus = Corpus::load(name);
    let expected = with_common_run(&words(&corpus));
    let found = scan(&corpus, &["--coverage", "0", "--min-matched", "0"]);
    let pairs: Vec<(usize, usize)> = found.iter().map(|&(a, b, _)| (a, b)).collect();
    assert!(pairs.is_sorted());
    let pairs: BTreeSet<(usize, usize)> = pairs.into_iter().collect();
    let missing: Vec<_> = expected.difference(&pairs).take(5).collect();
    let wrong: Vec<_> = pairs.difference(&expected).take(5).collect();
    assert!(missing.is_empty() && wrong.is_empty(), "missing {missing:?}, wrong {wrong:?} of {}", expected.len());
}

/// What is printed, and what is not, is what the twin says token by token.
pub(crate) fn passages_are_those_of_the_twin(name: &str) {
    let corpus = Corpus::load(name);
    let words = words(&corpus);
    let found = scan(&corpus, &[]);
    let printed: HashMap<(usize, usize), &str> = found.iter().map(|(a, b, line)| ((*a, *b), line.as_str())).collect();
    let mut random = Random(8);
    let (mut shared, mut others): (Vec<_>, Vec<_>) =
        with_common_run(&words).into_iter().partition(|pair| printed.contains_key(pair));
    for pairs in [&mut shared, &mut others] {
        random.shuffle(pairs);
        pairs.truncate(TWINS);
    }
    assert!(printed.len() >= shared.len());
    for &(a, b) in shared.iter().chain(&others) {
        let lens = [words[a].len(), words[b].len()];
        let twin = twin::share(&words[a], &words[b], twin::WORDS);
        let is_reported = words[a] == words[b] || twin.matched >= 20 && twin.matched * 10 >= lens[0].min(lens[1]);
        let line = printed.get(&(a, b));
        assert_eq!(is_reported, line.is_some(), "{a} {b} {twin:?} {lens:?}");
        let Some(line) = line else { continue };
        let pair: PairRecord = serde_json::from_str(line).expect("a record");
        let coverage = lens.map(|len| Some(twin.matched as f64 / len as f64));
        assert_eq!([pair.coverage_a, pair.coverage_b], coverage);
        assert_eq!((pair.matched, pair.longest), (Some(twin.matched as u64), Some(twin.longest as u64)));
        let passages = pair.passages.flatten().expect("they are there");
        let passages: Vec<_> = passages.iter().map(|passage| (passage.matched as usize, passage.exact)).collect();
        assert_eq!(passages, twin.passages);
    }
}

/// The labels at the preset as it stands. What is pinned is what was measured; no setting was chosen by it.
pub(crate) fn labels_are_found_as_measured() {
    let corpus = Corpus::load(REVISIONS);
    let pairs = |file: &str| -> BTreeSet<(usize, usize)> {
        let text = std::fs::read_to_string(corpus.folder.join(file)).expect("the labels");
        let pair = |line: &str| {
            let (a, b) = line.split_once('\t').expect("two names");
            let (a, b) = (corpus.position(a), corpus.position(b));
            (a.min(b), a.max(b))
        };
        text.lines().map(pair).collect()
    };
    let (truth, ignored) = (pairs("truth.tsv"), pairs("ignore.tsv"));
    let found: BTreeSet<_> = scan(&corpus, &[]).into_iter().map(|(a, b, _)| (a, b)).collect();
    let found: BTreeSet<_> = found.difference(&ignored).copied().collect();
    let right = found.intersection(&truth).count() as f64;
    let (precision, recall) = (right / found.len() as f64, right / truth.len() as f64);
    let f1 = 2.0 * precision * recall / (precision + recall);
    println!("{REVISIONS}: precision {precision:.4}, recall {recall:.4}, F1 {f1:.4}");
    assert!(f1 >= 0.91 && precision >= 0.94, "precision {precision:.4}, recall {recall:.4}, F1 {f1:.4}");
}
