//! Word shingles against brute force: all pairs of a corpus, sets of words as vectors, nothing hashed but by the map.

use std::collections::HashSet;

use unicode_segmentation::UnicodeSegmentation;

use super::corpus::{Corpus, FoundPair};
use super::exact;

/// Words in a shingle when `--k` is not given.
const SHINGLE_SIZE: usize = 5;

pub(crate) fn word_shingles_equal_brute_force(method_name: &str) {
    // Single rows find what shares next to nothing, so that values far from 1 are compared too; how likely any is missed
    // is computed from the pairs themselves.
    const BANDS: i32 = 2000;
    let corpus = Corpus::load("mccormick_100");
    let expected = brute_force(&corpus, 0.01);
    let similarity = |pair: &FoundPair| pair.shared as f64 / (pair.shingles_a + pair.shingles_b - pair.shared) as f64;
    let missed: f64 = expected.iter().map(|pair| (1.0 - similarity(pair)).powi(BANDS)).sum();
    assert!(missed < 1e-6, "{missed} pairs are expected to be missed; choose more bands");
    assert!(expected.iter().any(|pair| similarity(pair) < 0.5), "only easy pairs");
    let flags = ["--shingle", "word", "--threshold", "0.01", "--bands", &BANDS.to_string(), "--rows", "1"];
    assert_eq!(exact::parse(&corpus, &exact::scan(&corpus, method_name, &flags)), expected);
}

/// All pairs at or above the threshold, in document order.
fn brute_force(corpus: &Corpus, threshold: f64) -> Vec<FoundPair> {
    let sets: Vec<HashSet<Vec<&str>>> = corpus.documents.iter().map(|document| word_shingles(&document.text)).collect();
    let mut pairs = Vec::new();
    for a in 0..sets.len() {
        for b in a + 1..sets.len() {
            let shared = sets[a].intersection(&sets[b]).count();
            let union = sets[a].len() + sets[b].len() - shared;
            if shared as f64 >= threshold * union as f64 {
                let [shared, shingles_a, shingles_b] = [shared, sets[a].len(), sets[b].len()].map(|len| len as u64);
                pairs.push(FoundPair { a, b, shared, shingles_a, shingles_b });
            }
        }
    }
    pairs
}

fn word_shingles(text: &str) -> HashSet<Vec<&str>> {
    let words: Vec<&str> = text.unicode_words().collect();
    assert!(words.len() >= SHINGLE_SIZE, "every document of this corpus is longer");
    words.windows(SHINGLE_SIZE).map(<[&str]>::to_vec).collect()
}
