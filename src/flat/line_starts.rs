//! `LineStarts`: the lines of a text, by offsets in the bytes that it was decoded from.
//!
//! A line ends behind LF, and so behind CR LF. In a text without LF it ends behind CR, as in files of old systems; where there
//! is an LF, a CR alone ends none. Editors and the tools that count lines agree with this.

use super::offset_map::OffsetMap;

/// Where the lines of a text begin: a map from a text with one byte for each line, so that lines of equal lengths, and
/// texts of short lines, cost little.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct LineStarts {
    lines: OffsetMap,
}

impl LineStarts {
    /// The lines of `text`.
    ///
    /// * `map`: from the text to the source whose offsets count; `None` when it is the source.
    pub(crate) fn new(text: &[u8], map: Option<&OffsetMap>) -> Self {
        let end = if memchr::memchr(b'\n', text).is_some() { b'\n' } else { b'\r' };
        let mut lines = OffsetMap::default();
        let mut start = 0;
        for at in memchr::memchr_iter(end, text) {
            lines.replaced(at + 1 - start, 1);
            start = at + 1;
        }
        // Behind the last end is a line too, if only an empty one.
        lines.replaced(text.len() - start, 1);
        Self { lines: map.map_or(lines.clone(), |map| map.then(&lines)) }
    }

    /// Bytes in memory.
    pub(crate) fn num_bytes(&self) -> usize {
        self.lines.num_bytes()
    }

    /// The number of the line, from 1, that a byte of the source is on; its end belongs to it.
    ///
    /// * `offset`: of the byte in the source.
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
        // Other line ends of Unicode end no line that a tool counts.
        assert_eq!(lines("a\u{B}b\u{85}").last(), Some(&1));
    }

    #[test]
    fn lines_count_in_the_source() {
        // UTF-16 with a mark: two bytes each.
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
