//! `PieceHits`: the documents of a piece that contain benchmark texts.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use super::benchmark::Benchmark;
use super::benchmark_text::Span;
use super::text_runs::TextRuns;

/// The maximum number of documents for each benchmark text whose spans are kept.
pub(super) const MOST_DOCUMENTS: u64 = 100;

/// The numbers of words that a document has in common with benchmark texts.
#[derive(Debug, Default)]
pub(super) struct CommonWords {
    /// The classes with texts that are found by popular runs, ascending, each with the number of words in these runs.
    pub(super) classes: Vec<(u32, u32)>,
    /// The texts that are found and have other runs in common with the document, ascending, each with the number of words in
    /// runs, and whether popular runs are too little to find it.
    pub(super) texts: Vec<(u32, u32, bool)>,
}

/// A document that contains enough of a benchmark text.
#[derive(Debug)]
pub(super) struct ContaminatedDocument {
    /// The number of the document in its piece.
    pub(super) document: u32,
    /// The text with the largest share in it.
    pub(super) text: u32,
    /// The number of words of this text in runs.
    pub(super) matched: u32,
    /// The number of texts that it contains to a sufficient part.
    pub(super) texts: u64,
    /// The bytes that are cut.
    pub(super) covered: Vec<Range<usize>>,
}

/// A benchmark text, or a class of texts, that a document contains.
#[derive(Debug)]
pub(super) struct Hit {
    /// The number of the document in its piece.
    pub(super) document: u32,
    /// The number of the benchmark text or of the class.
    pub(super) of: u32,
    /// The number of words that are in spans.
    pub(super) matched: u32,
    /// Its spans by position in the benchmark text, or in the first text of the class.
    pub(super) spans: Box<[Span]>,
}

/// The hits of one piece.
#[derive(Debug, Default)]
pub(super) struct PieceHits {
    pub(super) documents: Vec<ContaminatedDocument>,
    /// The first hits of each class, by document. Later hits are only counted.
    pub(super) classes: Vec<Hit>,
    /// The first hits of each text that has other than popular runs in common with the document, by document.
    pub(super) texts: Vec<Hit>,
    /// For each class and number of words, the number of documents.
    pub(super) num_of_class: HashMap<u32, HitCounts>,
    /// The number of documents that contain a text but are not counted for its class.
    pub(super) num_of_text: HashMap<u32, u64>,
    /// The number of hits in `texts` for each text.
    kept: HashMap<u32, u64>,
    /// The number of documents that contain a run, contaminated or not.
    pub(super) touched: u64,
    /// The number of words.
    pub(super) words: u64,
}

/// The number of documents for each number of common words.
#[derive(Debug, Clone, Default)]
pub(super) struct HitCounts(BTreeMap<u32, u64>);

impl HitCounts {
    /// Counts a document. Returns whether it may be one of the first documents with enough words, however many these are.
    pub(super) fn add(&mut self, matched: u32) -> bool {
        // Each number of words has at least one document, so this looks at no more than the first documents.
        let mut documents = 0;
        let is_first = !self.0.range(matched..).any(|(_, number)| {
            documents += number;
            documents >= MOST_DOCUMENTS
        });
        *self.0.entry(matched).or_default() += 1;
        is_first
    }

    /// Adds other counts.
    pub(super) fn append(&mut self, other: &Self) {
        other.0.iter().for_each(|(&matched, &number)| *self.0.entry(matched).or_default() += number);
    }

    /// The number of documents with a number of words for which `is_found` is true.
    pub(super) fn num_found(&self, is_found: impl Fn(u32) -> bool) -> u64 {
        self.0.iter().filter(|&(&matched, _)| is_found(matched)).map(|(_, number)| number).sum()
    }
}

impl PieceHits {
    /// Adds a document, if benchmark texts were found in it.
    ///
    /// * `document`: its number in the piece.
    pub(super) fn add(&mut self, benchmark: &Benchmark, document: u32, runs: &TextRuns, common: &CommonWords) {
        let share_is_larger = |(text, matched): (u32, u32), (other, of_other): (u32, u32)| {
            let len = |text: u32| benchmark.texts[text as usize].words.len() as u64;
            let shares = [u64::from(matched) * len(other), u64::from(of_other) * len(text)];
            shares[0] > shares[1] || shares[0] == shares[1] && text < other
        };
        let (mut best, mut num_texts) = (None, 0);
        let mut consider = |candidate| {
            if best.is_none_or(|best| share_is_larger(candidate, best)) {
                best = Some(candidate);
            }
        };
        for &(class, matched) in &common.classes {
            num_texts += benchmark.num_found(class, matched) as u64;
            consider((benchmark.alike.members(class)[0], matched));
            if self.num_of_class.entry(class).or_default().add(matched) {
                let spans = runs.popular_spans(benchmark, class);
                self.classes.push(Hit { document, of: class, matched, spans });
            }
        }
        for &(text, matched, is_new) in &common.texts {
            consider((text, matched));
            if is_new {
                num_texts += 1;
                *self.num_of_text.entry(text).or_default() += 1;
            }
            let kept = self.kept.entry(text).or_default();
            if *kept < MOST_DOCUMENTS {
                *kept += 1;
                self.texts.push(Hit { document, of: text, matched, spans: runs.spans(benchmark, text) });
            }
        }
        if let Some((text, matched)) = best {
            let covered = runs.covered(benchmark);
            self.documents.push(ContaminatedDocument { document, text, matched, texts: num_texts, covered });
        }
    }
}
