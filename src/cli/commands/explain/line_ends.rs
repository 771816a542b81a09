//! `to_line_ends`: extends a common passage of two texts for the comparison of its words, so that a changed word just before
//! or after it is marked as well.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::changes::are_alike;
use super::marks::PassageMarks;

/// Maximum bytes by which a passage is extended in each direction: many passages can share one long line.
const MOST_BYTES: usize = 400;

/// The parts of both texts whose words are compared for a passage: the passage, extended to whole words, and to the ends of
/// its lines where the lines have about the same words there and no other passage.
///
/// * `passage`: the byte ranges of the passage in both texts.
/// * `marks`: the passages of both texts.
pub(super) fn to_line_ends(
    texts: [&str; 2],
    passage: [Range<usize>; 2],
    marks: [&PassageMarks; 2],
) -> [Range<usize>; 2] {
    let starts = [0, 1].map(|side| whole_word(texts[side], passage[side].start).start);
    let ends = [0, 1].map(|side| whole_word(texts[side], passage[side].end).end);
    let before = [0, 1].map(|side| line_start(texts[side], starts[side])..starts[side]);
    let after = [0, 1].map(|side| ends[side]..line_end(texts[side], ends[side]));
    let is_compared = |ranges: &[Range<usize>; 2]| {
        let is_free = |side: usize| marks[side].in_range(&ranges[side]).is_empty();
        (0..2).all(is_free) && are_alike([0, 1].map(|side| &texts[side][ranges[side].clone()]))
    };
    let (is_head, is_tail) = (is_compared(&before), is_compared(&after));
    [0, 1].map(|side| {
        let start = if is_head { before[side].start } else { starts[side] };
        start..if is_tail { after[side].end } else { ends[side] }
    })
}

/// The start of the first character that begins at most [`MOST_BYTES`] before a byte.
fn far_before(text: &str, offset: usize) -> usize {
    let at = offset.saturating_sub(MOST_BYTES);
    (at..=offset).find(|&at| text.is_char_boundary(at)).unwrap_or(offset)
}

/// The end of the last character that ends at most [`MOST_BYTES`] after a byte.
fn far_after(text: &str, offset: usize) -> usize {
    let at = (offset + MOST_BYTES).min(text.len());
    (offset..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(offset)
}

/// The start of the line of a byte; the byte itself if the line begins far before it.
fn line_start(text: &str, offset: usize) -> usize {
    let near = far_before(text, offset);
    match text[near..offset].rfind('\n') {
        Some(at) => near + at + 1,
        None if near == 0 => 0,
        None => offset,
    }
}

/// The end of the line of a byte; the byte itself if the line ends far after it.
fn line_end(text: &str, offset: usize) -> usize {
    let near = far_after(text, offset);
    match text[offset..near].find('\n') {
        Some(at) => offset + at,
        None if near == text.len() => near,
        None => offset,
    }
}

/// The word that a byte is inside of; an empty range at the byte if it is between two words.
fn whole_word(text: &str, offset: usize) -> Range<usize> {
    let start = far_before(text, offset);
    let end = far_after(text, offset);
    let words = text[start..end].split_word_bound_indices();
    let mut places = words.map(|(at, word)| start + at..start + at + word.len());
    places.find(|place| place.start < offset && offset < place.end).unwrap_or(offset..offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts that are compared for the passage that `<` and `>` enclose in both texts.
    fn compared(a: &str, b: &str) -> [String; 2] {
        let passage = |text: &str| text.find('<').unwrap()..text.find('>').unwrap() - 1;
        let ranges = [passage(a), passage(b)];
        let texts = [a, b].map(|text| text.replace(['<', '>'], ""));
        let marks = ranges.clone().map(|range| PassageMarks::new([range].into_iter()));
        let found = to_line_ends([&texts[0], &texts[1]], ranges, [&marks[0], &marks[1]]);
        [0, 1].map(|side| texts[side][found[side].clone()].to_owned())
    }

    #[test]
    fn a_passage_is_extended_to_the_ends_of_lines_that_are_alike() {
        assert_eq!(
            compared("x\nThe history of the< lightship\nand> more", "y\nThe history of a< lightship\nand> more"),
            ["The history of the lightship\nand more", "The history of a lightship\nand more"]
        );
        // Lines with other words stay outside; half a word does not.
        assert_eq!(compared("one two <com>bining", "three four <com>bined"), ["combining", "combined"]);
        assert_eq!(compared("<same> x", "<same>"), ["same", "same"]);
    }

    #[test]
    fn other_passages_and_long_lines_are_left_out() {
        let texts = ["one two three", "one two three"];
        let marks = [[0..3, 8..13], [0..3, 8..13]].map(|ranges| PassageMarks::new(ranges.into_iter()));
        assert_eq!(to_line_ends(texts, [8..13, 8..13], [&marks[0], &marks[1]]), [8..13, 8..13]);
        let long = format!("{}<end>", "word ".repeat(100));
        assert_eq!(compared(&long, &long), ["end", "end"]);
        let short = format!("{}<end>", "word ".repeat(20));
        assert_eq!(compared(&short, &short), [short.replace(['<', '>'], ""), short.replace(['<', '>'], "")]);
        let wide = format!("{}<é>", "é".repeat(600));
        assert_eq!(compared(&wide, &wide)[0].len(), MOST_BYTES + "é".len());
    }
}
