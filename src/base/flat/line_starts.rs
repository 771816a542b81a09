//! `LineStarts`: finds the line of a byte, by offsets in the bytes that a text was decoded from.
//!
//! A line ends after LF, and so after CR LF. In a text without LF a line ends after CR, as in files of old systems; in
//! a text with LF a single CR does not end a line. Editors and tools that count lines agree with this.

use super::offset_map::OffsetMap;

/// The character that separates slides, chapters and pages.
const FORM_FEED: u8 = b'\x0C';

/// The start offsets of the lines of a text: an [`OffsetMap`] to a text with one byte per line, so that lines of equal
/// lengths, and texts of short lines, need little memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct LineStarts {
    lines: OffsetMap,
    /// The starts of the parts of the text after the first, such as slides: a form feed precedes each. Empty unless the text
    /// is the source.
    parts: Vec<usize>,
}

impl LineStarts {
    /// Finds the lines of `text`.
    ///
    /// * `map`: maps the text to the source whose offsets count; `None` when the text is the source.
    pub(crate) fn new(text: &[u8], map: Option<&OffsetMap>) -> Self {
        let end = if memchr::memchr(b'\n', text).is_some() { b'\n' } else { b'\r' };
        let mut lines = OffsetMap::default();
        let mut start = 0;
        for at in memchr::memchr_iter(end, text) {
            lines.replaced(at + 1 - start, 1);
            start = at + 1;
        }
        // The text after the last line end is a line too, even if it is empty.
        lines.replaced(text.len() - start, 1);
        match map {
            Some(map) => Self { lines: map.then(&lines), parts: Vec::new() },
            None => Self { lines, parts: memchr::memchr_iter(FORM_FEED, text).map(|at| at + 1).collect() },
        }
    }

    /// The number of the part that contains a byte of the source, from 1; `None` for a text with one part.
    ///
    /// * `offset`: the offset of the byte in the source.
    pub(crate) fn part_of(&self, offset: usize) -> Option<u64> {
        let part = || self.parts.partition_point(|&start| start <= offset) as u64 + 1;
        (!self.parts.is_empty()).then(part)
    }

    /// The number of lines: the end of the last line does not begin another one.
    pub(crate) fn num_lines(&self) -> u64 {
        self.lines.source_len().checked_sub(1).map_or(0, |last| self.line_of(last))
    }

    /// Bytes in memory.
    pub(crate) fn num_bytes(&self) -> usize {
        self.lines.num_bytes() + size_of_val(self.parts.as_slice())
    }

    /// The number of the line that contains a byte of the source, from 1; a line end belongs to the line before it.
    ///
    /// * `offset`: the offset of the byte in the source.
    pub(crate) fn line_of(&self, offset: usize) -> u64 {
        self.lines.made_up_to(offset).max(1) as u64
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn lines(text: &str) -> Vec<u64> {
        let lines = LineStarts::new(text.as_bytes(), None);
        (0..=text.len()).map(|at| lines.line_of(at)).collect()
    }

    #[test]
    fn lines_end_behind_lf_and_where_there_is_none_behind_cr() {
        assert_eq!(lines(""), [1]);
        assert_eq!(lines("a\n\nb"), [1, 1, 2, 3, 3]);
        assert_eq!(lines("a\r\nb\r\n"), [1, 1, 1, 2, 2, 2, 3]);
        assert_eq!(lines("a\rb\r"), [1, 1, 2, 2, 3]);
        assert_eq!(lines("a\rb\nc"), [1, 1, 1, 1, 2, 2]);
        // Other line ends of Unicode do not end a line that tools count.
        assert_eq!(lines("a\u{B}b\u{85}").last(), Some(&1));
    }

    #[test]
    fn form_feeds_separate_parts() {
        let parts = |text: &str| {
            let lines = LineStarts::new(text.as_bytes(), None);
            (0..text.len()).map(|at| lines.part_of(at).unwrap_or(0)).collect::<Vec<_>>()
        };
        assert_eq!(parts("a\nb"), [0, 0, 0]);
        assert_eq!(parts("a\n\x0Cb\n\x0C\x0Cd"), [1, 1, 1, 2, 2, 2, 3, 4]);
    }

    #[test]
    fn lines_count_in_the_source() {
        // UTF-16 with a byte order mark: two bytes per character.
        let mut map = OffsetMap::default();
        map.left_out(2);
        (0..4).for_each(|_| map.replaced(2, 1));
        let lines = LineStarts::new(b"a\nb\n", Some(&map));
        assert_eq!([0, 2, 5, 6, 9, 10].map(|at| lines.line_of(at)), [1, 1, 1, 2, 2, 3]);
    }

    proptest! {
        #[test]
        fn the_line_of_a_byte_is_one_more_than_the_ends_before_it(text in r"[a\n]{0,300}|(a{0,40}\n){0,100}") {
            let expected: Vec<u64> =
                (0..=text.len()).map(|at| 1 + text[..at].matches('\n').count() as u64).collect();
            prop_assert_eq!(lines(&text), expected);
        }
    }
}
