//! `changed_words`: finds the words that differ between two nearly equal passages.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};
use unicode_segmentation::UnicodeSegmentation;

/// Maximum number of words of a compared passage: the time grows with the number of words times the number of changes.
const MOST_WORDS: usize = 20_000;

/// The parts of two passages that differ, as byte ranges of both texts.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct WordChanges {
    /// The words that differ, in both texts. Where only one text has words, the other has an empty range.
    pub(super) changed: [Vec<Range<usize>>; 2],
    /// The parts that are too long to compare word by word, between their equal beginnings and ends.
    pub(super) unknown: Option<[Range<usize>; 2]>,
}

/// Compares two passages word by word.
///
/// * `starts`: the offsets of the passages in their texts.
pub(super) fn changed_words(passages: [&str; 2], starts: [usize; 2]) -> WordChanges {
    let [a, b] = passages.map(words);
    let is_same = |&((_, a), (_, b)): &((usize, &str), (usize, &str))| a == b;
    let first = a.iter().copied().zip(b.iter().copied()).take_while(is_same).count();
    let (rest_a, rest_b) = (&a[first..], &b[first..]);
    let ends = rest_a.iter().rev().copied().zip(rest_b.iter().rev().copied());
    let last = ends.take_while(is_same).count();
    let (rest_a, rest_b) = (&rest_a[..rest_a.len() - last], &rest_b[..rest_b.len() - last]);
    let place = |words, range: Range<usize>, start| bytes(words, first + range.start..first + range.end, start);
    let mut changes = WordChanges::default();
    if rest_a.len().max(rest_b.len()) > MOST_WORDS {
        changes.unknown = Some([place(&a, 0..rest_a.len(), starts[0]), place(&b, 0..rest_b.len(), starts[1])]);
        return changes;
    }
    let [texts_a, texts_b] = [rest_a, rest_b].map(|words| words.iter().map(|&(_, word)| word).collect::<Vec<_>>());
    for operation in capture_diff_slices(Algorithm::Myers, &texts_a, &texts_b) {
        if !matches!(operation, DiffOp::Equal { .. }) {
            changes.changed[0].push(place(&a, operation.old_range(), starts[0]));
            changes.changed[1].push(place(&b, operation.new_range(), starts[1]));
        }
    }
    changes
}

/// Whether two texts have at least half of their words in common, in the same order; false if one has no words.
pub(super) fn are_alike(texts: [&str; 2]) -> bool {
    let [a, b] = texts.map(|text| words(text).into_iter().map(|(_, word)| word).collect::<Vec<_>>());
    let num_equal = |operation: DiffOp| match operation {
        DiffOp::Equal { len, .. } => len,
        _ => 0,
    };
    let num_common: usize = capture_diff_slices(Algorithm::Myers, &a, &b).into_iter().map(num_equal).sum();
    !a.is_empty() && !b.is_empty() && num_common * 2 >= a.len().max(b.len())
}

/// The words and punctuation of a text with their byte offsets, without white space.
fn words(text: &str) -> Vec<(usize, &str)> {
    text.split_word_bound_indices().filter(|(_, word)| !word.trim().is_empty()).collect()
}

/// The bytes from the first word of `range` to the end of the last one; an empty range if `range` is empty.
fn bytes(words: &[(usize, &str)], range: Range<usize>, start: usize) -> Range<usize> {
    let end = |at: usize| words[at].0 + words[at].1.len();
    let last = words.len().checked_sub(1).map_or(0, end);
    let from = words.get(range.start).map_or(last, |&(at, _)| at);
    let to = if range.is_empty() { from } else { end(range.end - 1) };
    start + from..start + to
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_differ_are_marked_in_both_texts() {
        let (a, b) = ("the quick  brown fox, now", "the slow brown\nfox jumps now then");
        let WordChanges { changed: [of_a, of_b], unknown } = changed_words([a, b], [0, 100]);
        assert_eq!(unknown, None);
        let shown = |text: &'static str, ranges: &[Range<usize>], start: usize| -> Vec<&str> {
            ranges.iter().map(|range| &text[range.start - start..range.end - start]).collect()
        };
        assert_eq!(shown(a, &of_a, 0), ["quick", ",", ""]);
        assert_eq!(shown(b, &of_b, 100), ["slow", "jumps", "then"]);
        assert_eq!(changed_words([a, "the quick brown fox , now"], [0, 0]), WordChanges::default());
    }

    #[test]
    fn texts_are_alike_that_have_half_of_their_words_in_common() {
        for (a, b, is_alike) in [
            ("The history of the", "The history of a", true),
            ("one two", "one three", true),
            ("one two three", "one four five", false),
            ("one", "", false),
            (" ", " ", false),
        ] {
            assert_eq!(are_alike([a, b]), is_alike, "{a}, {b}");
        }
    }

    #[test]
    fn only_the_part_between_equal_ends_can_be_too_long() {
        let long = "a ".repeat(MOST_WORDS + 1);
        assert_eq!(changed_words([&long, &long], [0, 0]), WordChanges::default());
        let (a, b) = (format!("b {long} c"), format!("b {} c", long.replace('a', "d")));
        let changes = changed_words([&a, &b], [0, 0]);
        assert_eq!(changes.unknown, Some([2..a.len() - 3, 2..b.len() - 3]));
        assert!(changes.changed.iter().all(Vec::is_empty));
    }
}
