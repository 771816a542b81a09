//! `BenchmarkText` and `Span`: the texts of the benchmarks, and the words that a document has in common with one.

use std::ops::Range;

/// A benchmark text: a document, or a field of one.
#[derive(Debug)]
pub(super) struct BenchmarkText {
    /// The number of the document among all benchmark documents.
    pub(super) document: u32,
    /// The number of the field among the fields that are searched for separately; 0 without such fields.
    pub(super) field: u32,
    /// Its words among the words of all benchmarks.
    pub(super) words: Range<u32>,
}

/// The number of the text that has this word.
///
/// * `texts`: all texts, by position.
pub(super) fn text_at(texts: &[BenchmarkText], word: u32) -> usize {
    texts.partition_point(|text| text.words.end <= word)
}

/// A run of equal words in a benchmark text and a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Span {
    /// The first of its words in all benchmarks.
    pub(super) benchmark: u32,
    /// The number of its words.
    pub(super) len: u32,
    /// Its bytes in the document.
    pub(super) bytes: [u32; 2],
    /// The bytes of its next occurrences in the document.
    pub(super) again: Box<[[u32; 2]]>,
}
