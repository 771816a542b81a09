//! Sides, groups and copies against a slow twin: it decides for each pair of a corpus by itself whether it is compared.

use std::collections::{BTreeSet, HashMap};

use crate::support::*;

/// Signatures with which no pair of a test is missed: at similarity 0.5 with probability 2⁻²⁰⁰.
pub(crate) const FIND_ALL: [&str; 7] = ["--bands", "200", "--rows", "1", "--k", "3", "-q"];
/// No signatures, with which none is missed at all.
pub(crate) const ALL_PAIRS: [&str; 4] = ["--all-pairs", "--k", "3", "-q"];

/// A document of a test.
#[derive(Debug, Clone)]
pub(crate) struct Doc {
    pub(crate) name: String,
    pub(crate) text: String,
    /// Documents of one cell and text can stand for each other.
    pub(crate) cell: usize,
}

/// Names, shared shingles and sizes of a pair.
pub(crate) type Found = (String, String, u64, u64, u64);

/// All pairs of documents at or above `percent` that `may_pair`, in order. To collapse is to leave out what is not the first
/// of its text in its cell, but for the pairs of a cell's first document with its copies.
pub(crate) fn brute_force(
    docs: &[Doc],
    percent: usize,
    collapse: bool,
    may_pair: impl Fn(usize, usize) -> bool,
) -> Vec<Found> {
    let sets: Vec<BTreeSet<Vec<char>>> = docs.iter().map(|doc| shingles(&doc.text)).collect();
    let mut first_of_text = HashMap::new();
    let first = |at: usize| *first_of_text.entry((&docs[at].text, docs[at].cell)).or_insert(at);
    let firsts: Vec<usize> = (0..docs.len()).map(first).collect();
    let mut pairs = Vec::new();
    for a in (0..docs.len()).filter(|&a| !collapse || firsts[a] == a) {
        for b in (a + 1..docs.len()).filter(|&b| !collapse || firsts[b] == b || firsts[b] == a) {
            let shared = sets[a].intersection(&sets[b]).count();
            let union = sets[a].len() + sets[b].len() - shared;
            if union > 0 && shared * 100 >= union * percent && may_pair(a, b) {
                let [shared, len_a, len_b] = [shared, sets[a].len(), sets[b].len()].map(|len| len as u64);
                pairs.push((docs[a].name.clone(), docs[b].name.clone(), shared, len_a, len_b));
            }
        }
    }
    pairs
}

/// The shingles of three characters of a text without white space, or all of a shorter one.
pub(crate) fn shingles(text: &str) -> BTreeSet<Vec<char>> {
    let characters: Vec<char> = text.chars().collect();
    if characters.is_empty() {
        return BTreeSet::new();
    }
    characters.windows(characters.len().min(3)).map(<[char]>::to_vec).collect()
}

/// Random texts of which many are equal and more are near: one or two edits anywhere make chains of texts that are near, but
/// not all to each other. An empty text is in no pair, a short one is a single shingle.
pub(crate) fn random_texts(random: &mut Random, num_documents: usize) -> Vec<String> {
    let num_texts = 1 + random.below(8);
    let mut texts = vec!["abcdefghijklmnopqrstuvwxyz".to_owned()];
    while texts.len() < num_texts {
        let mut text: Vec<char> = texts[random.below(texts.len())].chars().collect();
        for _ in 0..=random.below(2) {
            let place = random.below(text.len());
            text[place] = char::from(b'A' + random.below(26) as u8);
        }
        texts.push(text.into_iter().collect());
    }
    texts.extend([String::new(), "xy".to_owned()]);
    (0..num_documents).map(|_| texts[random.below(texts.len())].clone()).collect()
}

/// Looks at the pairs that a run printed.
pub(crate) fn assert_found(stdout: &str, expected: &[Found], context: &str) {
    let actual: Vec<Found> = records(stdout)
        .iter()
        .map(|pair| (name(&pair.a).into(), name(&pair.b).into(), pair.shared, pair.shingles_a, pair.shingles_b))
        .collect();
    let place = expected.iter().zip(&actual).take_while(|(a, b)| a == b).count();
    assert!(
        expected == actual,
        "{context}: {} pairs, not {}; from {place}: {:?}, not {:?}",
        actual.len(),
        expected.len(),
        actual.get(place),
        expected.get(place),
    );
}
