//! Every kind of shingle against brute force: all pairs of a corpus, with sets of strings and no hashes of ours.

use std::collections::HashMap;
use std::io::Write;

use serde::Deserialize;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};
use unicode_segmentation::UnicodeSegmentation;

use super::corpus::{Corpus, FoundPair, count_shared};
use super::exact;
use super::normalized::normalized;

/// The list that `--stopwords` is given.
const STOP_WORDS: [&str; 8] = ["the", "of", "and", "a", "to", "in", "he", "said"];

/// What is compared, and with what.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    /// Made here, and of `../shared/data`.
    pub(crate) corpora: [&'static str; 2],
    flags: &'static [&'static str],
    /// In percent.
    threshold: u64,
    banding: [i32; 2],
    /// The shingles of a text as it was written, repeats included.
    shingles: fn(&str) -> Vec<String>,
    bag: bool,
}

/// Single rows find what shares next to nothing, so that values far from 1 are compared, too.
const ALL: [i32; 2] = [2000, 1];
/// Enough for half of either text.
const HALF: [i32; 2] = [300, 2];

pub(crate) const CASES: [Case; 8] = [
    Case {
        name: "words",
        corpora: ["prose", "mccormick_100"],
        flags: &["--shingle", "word"],
        threshold: 1,
        banding: ALL,
        shingles: |text| windows(&words(text), 5),
        bag: false,
    },
    Case {
        name: "words_of_chinese",
        corpora: ["scripts", "trpl_zh_revisions"],
        flags: &["--shingle", "word", "--k", "4"],
        threshold: 50,
        banding: HALF,
        shingles: |text| windows(&words(text), 4),
        bag: false,
    },
    Case {
        name: "bags_of_words",
        corpora: ["prose", "mccormick_100"],
        flags: &["--shingle", "word", "--k", "1", "--bag"],
        threshold: 10,
        banding: ALL,
        shingles: words,
        bag: true,
    },
    Case {
        name: "bags_of_characters",
        corpora: ["prose", "mccormick_100"],
        flags: &["--k", "4", "--bag"],
        threshold: 10,
        banding: ALL,
        shingles: |text| {
            let text: Vec<char> = normalized(text).chars().collect();
            text.windows(4).map(|window| window.iter().collect()).collect()
        },
        bag: true,
    },
    Case {
        name: "stop_words",
        corpora: ["prose", "mccormick_100"],
        flags: &["--shingle", "stopword"],
        threshold: 1,
        banding: ALL,
        shingles: |text| {
            let shingles = windows(&words(text), 3).into_iter();
            let is_stop_word = |word: &str| STOP_WORDS.contains(&word.to_lowercase().as_str());
            shingles.filter(|shingle| is_stop_word(shingle.split(' ').next().expect("three words"))).collect()
        },
        bag: false,
    },
    Case {
        name: "lines",
        corpora: ["code", "spdx_licenses"],
        flags: &["--shingle", "line"],
        threshold: 10,
        banding: ALL,
        shingles: lines,
        bag: false,
    },
    Case {
        name: "sentences",
        corpora: ["prose", "mccormick_100"],
        flags: &["--shingle", "sentence"],
        threshold: 1,
        banding: ALL,
        // No text of this corpus has a blank line.
        shingles: |text| normalized(text).split_sentence_bounds().map(|sentence| sentence.trim().to_owned()).collect(),
        bag: false,
    },
    Case {
        name: "folded_words",
        corpora: ["prose", "mccormick_100"],
        flags: &["--shingle", "word", "--k", "2", "--lowercase", "--fold-digits", "--strip-punctuation"],
        threshold: 1,
        banding: ALL,
        shingles: |text| {
            let mut text = text.to_lowercase();
            text.retain(|c| c.general_category_group() != GeneralCategoryGroup::Punctuation);
            let is_digit = |c: char| c.general_category() == GeneralCategory::DecimalNumber;
            windows(&words(&text.replace(is_digit, "0")), 2)
        },
        bag: false,
    },
];

impl Case {
    pub(crate) fn equals_brute_force(&self, corpus: &str, method_name: &str) {
        let corpus = Corpus::load(corpus);
        let expected = self.brute_force(&corpus);
        let similarity =
            |pair: &FoundPair| pair.shared as f64 / (pair.shingles_a + pair.shingles_b - pair.shared) as f64;
        // How likely any is missed is computed from the pairs themselves.
        let [bands, rows] = self.banding;
        let missed: f64 = expected.iter().map(|pair| (1.0 - similarity(pair).powi(rows)).powi(bands)).sum();
        assert!(missed < 1e-6, "{missed} pairs are expected to be missed; choose more bands");
        assert!(expected.iter().any(|pair| similarity(pair) < 0.7), "only easy pairs");
        let mut list = tempfile::NamedTempFile::new().expect("a temporary file");
        list.write_all(STOP_WORDS.join("\n").as_bytes()).expect("room for a few words");
        let list = list.path().to_str().expect("a plain name");
        let threshold = (self.threshold as f64 / 100.0).to_string();
        let [bands, rows] = [bands.to_string(), rows.to_string()];
        let mut flags = vec!["--threshold", &threshold, "--bands", &bands, "--rows", &rows];
        flags.extend(self.flags);
        if self.name == "stop_words" {
            flags.extend(["--stopwords", list]);
        }
        let found = exact::parse(&corpus, &exact::scan(&corpus, method_name, &flags));
        assert!(found == expected, "{} pairs, {} by brute force", found.len(), expected.len());
    }

    /// All pairs at or above the threshold, in document order.
    fn brute_force(&self, corpus: &Corpus) -> Vec<FoundPair> {
        let mut numbers = HashMap::new();
        let sets: Vec<Vec<usize>> =
            raw_texts(corpus).iter().map(|text| elements((self.shingles)(text), self.bag, &mut numbers)).collect();
        let mut pairs = Vec::new();
        for a in 0..sets.len() {
            for b in a + 1..sets.len() {
                let [shared, shingles_a, shingles_b] =
                    [count_shared(&sets[a], &sets[b]), sets[a].len(), sets[b].len()].map(|len| len as u64);
                if shared * 100 >= self.threshold * (shingles_a + shingles_b - shared) {
                    pairs.push(FoundPair { a, b, shared, shingles_a, shingles_b });
                }
            }
        }
        pairs
    }
}

/// The numbers of a text's shingles, ascending, or of a multiset's shingles each with its occurrence.
fn elements(shingles: Vec<String>, bag: bool, numbers: &mut HashMap<(String, usize), usize>) -> Vec<usize> {
    assert!(shingles.iter().all(|shingle| !shingle.is_empty()), "every document of these corpora has a token");
    let mut counts: HashMap<String, usize> = HashMap::new();
    let mut elements: Vec<usize> = shingles
        .into_iter()
        .map(|shingle| {
            let count = counts.entry(shingle.clone()).or_default();
            let occurrence = if bag { *count } else { 0 };
            *count += 1;
            let next = numbers.len();
            *numbers.entry((shingle, occurrence)).or_insert(next)
        })
        .collect();
    elements.sort_unstable();
    elements.dedup();
    elements
}

/// The texts as they were written, in document order.
fn raw_texts(corpus: &Corpus) -> Vec<String> {
    #[derive(Deserialize)]
    struct Record {
        text: String,
    }
    let lines = std::fs::read_to_string(corpus.input()).expect("it was read before");
    lines.lines().map(|line| serde_json::from_str::<Record>(line).expect("a document a line").text).collect()
}

fn lines(text: &str) -> Vec<String> {
    let lines = text.split(['\n', '\r', '\u{B}', '\u{C}', '\u{85}', '\u{2028}', '\u{2029}']).map(normalized);
    lines.filter(|line| !line.is_empty()).collect()
}

/// Words by UAX #29, and Katakana, which it leaves together, a character at a time.
fn words(text: &str) -> Vec<String> {
    let is_katakana = |c: char| ('\u{30A0}'..='\u{30FF}').contains(&c);
    let cut = |word: &str| {
        if word.contains(is_katakana) { word.chars().map(String::from).collect() } else { vec![word.to_owned()] }
    };
    normalized(text).unicode_words().flat_map(cut).collect()
}

/// Fewer words than a shingle has are one shingle.
fn windows(words: &[String], size: usize) -> Vec<String> {
    if words.len() < size {
        return vec![words.join(" ")];
    }
    words.windows(size).map(|window| window.join(" ")).collect()
}
