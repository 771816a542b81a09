//! `changed_words`: finds the words that differ between two nearly equal passages.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};
use unicode_segmentation::UnicodeSegmentation;

/// Maximum number of words of a compared passage: the time grows with the number of words times the number of changes.
const MOST_WORDS: usize = 20_000;

/// The byte ranges of changed words in both texts. Where only one text has words, the other has an empty range. `None`
/// for a passage that is too long to compare.
///
/// * `starts`: the offsets of the passages in their texts.
pub(super) fn changed_words(passages: [&str; 2], starts: [usize; 2]) -> Option<[Vec<Range<usize>>; 2]> {
    let [a, b] = passages.map(words);
    if a.len().max(b.len()) > MOST_WORDS {
        return None;
    }
    let [texts_a, texts_b] = [&a, &b].map(|words| words.iter().map(|&(_, word)| word).collect::<Vec<_>>());
    let mut changed = [Vec::new(), Vec::new()];
    for operation in capture_diff_slices(Algorithm::Myers, &texts_a, &texts_b) {
        if !matches!(operation, DiffOp::Equal { .. }) {
            changed[0].push(bytes(&a, operation.old_range(), starts[0]));
            changed[1].push(bytes(&b, operation.new_range(), starts[1]));
        }
    }
    Some(changed)
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
        let [of_a, of_b] = changed_words([a, b], [0, 100]).unwrap();
        let shown = |text: &'static str, ranges: &[Range<usize>], start: usize| -> Vec<&str> {
            ranges.iter().map(|range| &text[range.start - start..range.end - start]).collect()
        };
        assert_eq!(shown(a, &of_a, 0), ["quick", ",", ""]);
        assert_eq!(shown(b, &of_b, 100), ["slow", "jumps", "then"]);
        assert_eq!(changed_words([a, "the quick brown fox , now"], [0, 0]), Some([vec![], vec![]]));
        assert_eq!(changed_words([&"a ".repeat(MOST_WORDS + 1), ""], [0, 0]), None);
    }
}
