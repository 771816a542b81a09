//! The seam of a cut: which characters go with the tokens that are cut, and what remains between the parts around them.
//!
//! | What is cut | What goes with it | What remains |
//! | --- | --- | --- |
//! | tokens, sentences | white space on both sides | one line break if there was one, else one space if there was white space |
//! | at the start of the text | white space after it | nothing |
//! | at the end of the text | white space before it | the line break that ended the text |
//! | lines | their line breaks | nothing |
//! | paragraphs | the blank lines after them | nothing |

use std::ops::Range;

use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

/// Characters on each side of a cut in which a word is looked for that would cross it.
const NEAR: usize = 64;

/// How a text is joined around a cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seam {
    /// Around tokens.
    Tokens {
        /// Whether two words must not become one.
        are_words: bool,
    },
    /// Around sentences.
    Sentences,
    Lines,
    Paragraphs,
}

/// A part of a text that is removed, and the text that is written instead of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TextCut {
    pub(super) range: Range<usize>,
    pub(super) instead: &'static str,
}

impl Seam {
    /// The parts to remove.
    ///
    /// * `tokens`: the bytes of consecutive tokens that are cut, ascending and without overlap.
    pub(super) fn cuts(self, text: &str, tokens: &[Range<usize>]) -> Vec<TextCut> {
        let mut joined: Vec<Range<usize>> = Vec::with_capacity(tokens.len());
        let whole = tokens.iter().filter(|range| !range.is_empty()).map(|range| self.whole(text, range.clone()));
        for range in whole.filter(|range| !range.is_empty()) {
            match joined.last_mut() {
                Some(last) if range.start <= last.end || text[last.end..range.start].trim().is_empty() => {
                    last.end = last.end.max(range.end);
                }
                _ => joined.push(range),
            }
        }
        joined.into_iter().map(|range| self.cut(text, range)).collect()
    }

    /// The range with the rest of its unit, which folding may have removed, and with what goes with the unit.
    fn whole(self, text: &str, range: Range<usize>) -> Range<usize> {
        let line_start = |at: usize| text[..at].rfind(is_break).map_or(0, |at| at + char_len(text, at));
        let line_end = |at: usize| text[at..].find(is_break).map_or(text.len(), |len| at + len);
        let next_line = |at: usize| line_end(at) + break_len(&text[line_end(at)..]);
        match self {
            Self::Tokens { are_words: true } => with_marks(text, range),
            Self::Tokens { are_words: false } => whole_characters(text, range),
            Self::Sentences => {
                let is_mark = |c: char| !c.is_whitespace() && !c.is_alphanumeric();
                let end = text[range.end..].find(|c| !is_mark(c)).map_or(text.len(), |len| range.end + len);
                text[..range.start].trim_end_matches(is_mark).len()..end
            }
            Self::Lines => line_start(range.start)..next_line(range.end),
            Self::Paragraphs => {
                let mut start = line_start(range.start);
                while start > 0 {
                    let above = line_start(text[..start].len() - last_break(&text[..start]).len());
                    if text[above..start].trim().is_empty() {
                        break;
                    }
                    start = above;
                }
                let mut end = next_line(range.end);
                while end < text.len() && !text[end..line_end(end)].trim().is_empty() {
                    end = next_line(end);
                }
                while end < text.len() && text[end..line_end(end)].trim().is_empty() {
                    end = next_line(end);
                }
                start..end
            }
        }
    }

    fn cut(self, text: &str, range: Range<usize>) -> TextCut {
        let (before, after) = (&text[..range.start], &text[range.end..]);
        if matches!(self, Self::Lines | Self::Paragraphs) {
            let ends_with_break = text[range.clone()].chars().next_back().is_some_and(is_break);
            if after.is_empty() && (!ends_with_break || self == Self::Paragraphs) {
                // The last line of a text without a line break at its end takes the one before it; a paragraph takes
                // the blank lines before it.
                let kept = before.trim_end();
                let last = if self == Self::Paragraphs { &before[kept.len()..] } else { last_break(before) };
                let instead = if ends_with_break && !kept.is_empty() { break_of(&text[range.clone()]) } else { "" };
                return TextCut { range: range.start - last.len()..range.end, instead };
            }
            return TextCut { range, instead: "" };
        }
        let are_words = self != Self::Tokens { are_words: false };
        let (kept_before, kept_after) = (before.trim_end(), after.trim_start());
        // White space at the ends of the part that is cut separated it as well: characters of white space can be tokens.
        let cut = &text[range.clone()];
        let begins = range.start + cut.len() - cut.trim_start().len();
        let ends = range.end - (cut.len() - cut.trim_end().len());
        let spaces = [&text[kept_before.len()..begins], &text[ends.max(begins)..text.len() - kept_after.len()]];
        let range = kept_before.len()..text.len() - kept_after.len();
        let has_break = spaces.iter().any(|space| space.contains(is_break));
        let line_break = || break_of(if spaces[1].contains(is_break) { spaces[1] } else { spaces[0] });
        let instead = if kept_before.is_empty() {
            ""
        } else if kept_after.is_empty() {
            if spaces[1].contains(is_break) { line_break() } else { "" }
        } else if has_break {
            line_break()
        } else if spaces.iter().any(|space| !space.is_empty()) || are_words && would_join(kept_before, kept_after) {
            " "
        } else {
            ""
        };
        TextCut { range, instead }
    }
}

/// Whether two parts of a text would form a new word if they were joined: two letters or digits, or a word with a mark in it,
/// such as `1.5`, by the rules of UAX #29.
fn would_join(before: &str, after: &str) -> bool {
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    if is_letter(before.chars().next_back()) && is_letter(after.chars().next()) {
        return true;
    }
    let from = before.char_indices().rev().nth(NEAR).map_or(0, |(at, _)| at);
    let to = after.char_indices().nth(NEAR).map_or(after.len(), |(at, _)| at);
    let near = &before[from..];
    let joined = near.to_owned() + &after[..to];
    joined.split_word_bound_indices().all(|(at, _)| at != near.len())
}

/// The range with the marks that follow it in the character where it ends, which folding may have removed from the word.
fn with_marks(text: &str, range: Range<usize>) -> Range<usize> {
    let mut cursor = GraphemeCursor::new(range.end, text.len(), true);
    if range.is_empty() || cursor.is_boundary(text, 0).unwrap_or(true) {
        return range;
    }
    let end = cursor.next_boundary(text, 0).ok().flatten().unwrap_or(range.end);
    let are_marks = !text[range.end..end].chars().any(|c| c.is_alphanumeric() || c.is_whitespace());
    range.start..if are_marks { end } else { range.end }
}

/// The extended grapheme clusters within a range: a letter keeps its accents, and an emoji its parts.
fn whole_characters(text: &str, range: Range<usize>) -> Range<usize> {
    let boundary = |at: usize, is_start: bool| {
        let mut cursor = GraphemeCursor::new(at, text.len(), true);
        if cursor.is_boundary(text, 0).unwrap_or(true) {
            return at;
        }
        let near = if is_start { cursor.next_boundary(text, 0) } else { cursor.prev_boundary(text, 0) };
        near.ok().flatten().unwrap_or(at)
    };
    let start = boundary(range.start, true);
    start..boundary(range.end, false).max(start)
}

/// The text without the parts that are cut.
pub(super) fn without(text: &str, cuts: &[TextCut]) -> String {
    let (mut rest, mut at) = (String::with_capacity(text.len()), 0);
    for TextCut { range, instead } in cuts {
        rest.push_str(&text[at..range.start]);
        rest.push_str(instead);
        at = range.end;
    }
    rest + &text[at..]
}

/// Whether a character ends a line.
fn is_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

fn char_len(text: &str, at: usize) -> usize {
    text[at..].chars().next().map_or(0, char::len_utf8)
}

/// The length of the line break at the start of a text.
fn break_len(text: &str) -> usize {
    if text.starts_with("\r\n") { 2 } else { char_len(text, 0) }
}

/// The line break at the end of a text, if there is one.
fn last_break(text: &str) -> &str {
    let len = match text.chars().next_back() {
        _ if text.ends_with("\r\n") => 2,
        Some(c) if is_break(c) => c.len_utf8(),
        _ => 0,
    };
    &text[text.len() - len..]
}

/// A line break like the first one of a text.
fn break_of(text: &str) -> &'static str {
    let Some(at) = text.find(is_break) else { return "\n" };
    match text[at..].chars().next() {
        _ if text[at..].starts_with("\r\n") => "\r\n",
        Some('\r') => "\r",
        Some('\u{B}') => "\u{B}",
        Some('\u{C}') => "\u{C}",
        Some('\u{85}') => "\u{85}",
        Some('\u{2028}') => "\u{2028}",
        Some('\u{2029}') => "\u{2029}",
        _ => "\n",
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The text without its parts between `[` and `]`.
    fn cut(seam: Seam, marked: &str) -> String {
        let (mut text, mut ranges) = (String::new(), Vec::new());
        for c in marked.chars() {
            match c {
                '[' => ranges.push(text.len()..0),
                ']' => ranges.last_mut().unwrap().end = text.len(),
                c => text.push(c),
            }
        }
        without(&text, &seam.cuts(&text, &ranges))
    }

    #[test]
    fn white_space_around_tokens_becomes_one_space_or_line_break() {
        for (marked, expected) in [
            ("one [two] three", "one three"),
            ("one  [two]\tthree", "one three"),
            ("one [two]\n three", "one\nthree"),
            ("one\r\n\r\n[two three] four", "one\r\nfour"),
            ("one ([two]) three", "one () three"),
            ("one [two], three", "one , three"),
            ("[one] two", "two"),
            ("  [one]\n\n two", "two"),
            ("one [two]", "one"),
            ("one [two]\n", "one\n"),
            ("one\n[two]\n\n", "one\n"),
            ("[one two]\n", ""),
            ("one [two] [three] four", "one four"),
            ("a[-]b", "a b"),
            ("字[文]字", "字 字"),
            ("foo:[two]bar", "foo: bar"),
            ("1[two].5", "1 .5"),
            ("can’[two]t", "can’ t"),
            ("(one)[two]three", "(one)three"),
            ("[A]\u{20DD} b", "b"),
        ] {
            assert_eq!(cut(Seam::Tokens { are_words: true }, marked), expected, "{marked:?}");
        }
        assert_eq!(cut(Seam::Tokens { are_words: false }, "字[文]字 a[b]c"), "字字 ac");
        // White space may be a part of what is cut.
        assert_eq!(cut(Seam::Tokens { are_words: false }, "red[ this. ]green"), "red green");
        assert_eq!(cut(Seam::Tokens { are_words: false }, "red[\n this.]\ngreen"), "red\ngreen");
        assert_eq!(cut(Seam::Tokens { are_words: false }, "red[ ]green [ ] blue"), "red green blue");
        let marks = "a[bcde]\u{301}f [\u{1F468}]\u{200D}\u{1F467}";
        assert_eq!(cut(Seam::Tokens { are_words: false }, marks), "ae\u{301}f \u{1F468}\u{200D}\u{1F467}");
    }

    #[test]
    fn lines_go_with_their_line_breaks() {
        for (marked, expected) in [
            ("one\n  [two]  \nthree\n", "one\nthree\n"),
            ("one\r\n[two]\r\n\r\nthree", "one\r\n\r\nthree"),
            ("[one]\ntwo", "two"),
            ("one\n[two]", "one"),
            ("one\n[two]\n", "one\n"),
            ("[one\ntwo]\n", ""),
            ("one\n\n[two]\n\n[three]\nfour", "one\n\nfour"),
            ("one\n -[two]!! \nthree", "one\nthree"),
        ] {
            assert_eq!(cut(Seam::Lines, marked), expected, "{marked:?}");
        }
    }

    #[test]
    fn sentences_go_with_their_marks() {
        for (marked, expected) in
            [("One. (\"[Two two]!\") Three.", "One. Three."), ("One.\n[Two].", "One."), ("[One]? Two.", "Two.")]
        {
            assert_eq!(cut(Seam::Sentences, marked), expected, "{marked:?}");
        }
    }

    #[test]
    fn paragraphs_go_with_the_blank_lines_after_them() {
        for (marked, expected) in [
            ("one\n\n[two\ntwo]\n\n three\n", "one\n\n three\n"),
            ("[one]\n\n\ntwo\n", "two\n"),
            ("one\n\n[two]\n", "one\n"),
            ("one\r\n\r\n[two]\r\n", "one\r\n"),
            ("one\n\n[two]", "one"),
            ("[one]\n", ""),
            ("one\n\n---\n[two\ntwo].\n***\n\nthree\n", "one\n\nthree\n"),
        ] {
            assert_eq!(cut(Seam::Paragraphs, marked), expected, "{marked:?}");
        }
    }

    proptest! {
        #[test]
        fn only_cut_tokens_and_white_space_go(text in "[a é\n\r文\u{2028}]{0,30}", marks in prop::collection::vec(0usize..30, 6)) {
            let bounds: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let mut marks: Vec<usize> = marks.into_iter().map(|mark| bounds[mark.min(bounds.len() - 1)]).collect();
            marks.sort_unstable();
            let ranges: Vec<Range<usize>> = marks.chunks_exact(2).map(|pair| pair[0]..pair[1]).collect();
            for seam in [Seam::Tokens { are_words: true }, Seam::Tokens { are_words: false }] {
                let rest = without(&text, &seam.cuts(&text, &ranges));
                let kept: String = text
                    .char_indices()
                    .filter(|(at, _)| !ranges.iter().any(|range| range.contains(at)))
                    .map(|(_, c)| c)
                    .collect();
                let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
                prop_assert_eq!(letters(&rest), letters(&kept));
            }
        }
    }
}
