//! Shingles: why sets of single words fail, and why long shingles that are hashed beat short ones (3.2.2 and 3.2.3).
//!
//! Three essays of the example corpus: two that have nothing in common, and one that copied a page from the second.

use std::collections::BTreeSet;

use dedup_scan::{ShingleKind, ShingleSet, Shingler, normalize};

const UNRELATED: &str = "keep-the-page-clean.txt";
const SOURCE: &str = "on-writing-in-books.txt";
const COPY: &str = "term-paper.txt";

fn essay(name: &str) -> String {
    let path = format!("{}/examples/corpus/essays/{name}", env!("CARGO_MANIFEST_DIR"));
    normalize(&std::fs::read_to_string(path).expect("the corpus has the essay"))
}

fn hashes(kind: ShingleKind, k: usize, text: &str) -> BTreeSet<u64> {
    ShingleSet::new(Shingler::new(kind, k).shingles(text)).hashes().iter().copied().collect()
}

fn similarity<T: Ord>(a: &BTreeSet<T>, b: &BTreeSet<T>) -> f64 {
    let shared = a.intersection(b).count();
    shared as f64 / (a.len() + b.len() - shared) as f64
}

fn similarity_of_essays(kind: ShingleKind, k: usize, a: &str, b: &str) -> f64 {
    similarity(&hashes(kind, k, &essay(a)), &hashes(kind, k, &essay(b)))
}

#[test]
fn sets_of_single_words_ignore_their_order() {
    let text = essay(COPY);
    let mut words: Vec<&str> = text.split(' ').collect();
    words.sort_unstable();
    let sorted = words.join(" ");
    let similarity = |k| similarity(&hashes(ShingleKind::Word, k, &text), &hashes(ShingleKind::Word, k, &sorted));
    assert_eq!(similarity(1), 1.0);
    assert!(similarity(5) < 0.01);
}

#[test]
fn sets_of_single_words_hardly_distinguish_a_copied_page_from_an_unrelated_essay() {
    let words = |a, b| similarity_of_essays(ShingleKind::Word, 1, a, b);
    let characters = |a, b| similarity_of_essays(ShingleKind::Char, 9, a, b);
    let (unrelated, copied) = (words(UNRELATED, SOURCE), words(COPY, SOURCE));
    assert!(unrelated > 0.2 && copied < 1.1 * unrelated, "{unrelated} {copied}");
    let (unrelated, copied) = (characters(UNRELATED, SOURCE), characters(COPY, SOURCE));
    assert!(unrelated < 0.02 && copied > 7.0 * unrelated, "{unrelated} {copied}");
}

#[test]
fn nine_characters_hashed_to_four_bytes_beat_four_characters() {
    let (unrelated, source) = (essay(UNRELATED), essay(SOURCE));
    // The low half of a hash of 64 bits is a hash of 32 bits.
    let hashed = |text: &str| -> BTreeSet<u32> {
        hashes(ShingleKind::Char, 9, text).into_iter().map(|hash| hash as u32).collect()
    };
    let four_characters = similarity_of_essays(ShingleKind::Char, 4, UNRELATED, SOURCE);
    let nine_in_four_bytes = similarity(&hashed(&unrelated), &hashed(&source));
    assert!(four_characters > 0.24, "{four_characters}");
    assert!(nine_in_four_bytes < 0.02, "{nine_in_four_bytes}");
    // Collisions of 32 bits change nothing here.
    assert_eq!(nine_in_four_bytes, similarity_of_essays(ShingleKind::Char, 9, UNRELATED, SOURCE));
}
