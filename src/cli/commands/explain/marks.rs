//! `PassageMarks`: finds the passage, the changes and the removed parts at a byte of a text.

use std::ops::Range;

/// The passages of one text, numbered from 1 with the same numbers as in the other text.
#[derive(Debug, Default)]
pub(super) struct PassageMarks {
    /// Passages ascending by start: the byte range, the number, and the maximum end of the passages up to this one.
    passages: Vec<(Range<usize>, usize, usize)>,
    /// Ranges that do not overlap, ascending, with the number of their passage; bytes of several passages belong to
    /// the one that begins first.
    owned: Vec<(Range<usize>, usize)>,
    /// Offsets of the first and the last byte of each passage, ascending.
    ends: Vec<usize>,
    /// Byte ranges of words that differ from the other text, ascending; empty ranges where only the other text has
    /// words.
    changed: Vec<Range<usize>>,
    /// Parts of passages that were too long to compare word by word.
    unknown: Vec<Range<usize>>,
    /// Parts that were not compared, ascending; they belong to no passage.
    removed: Vec<Range<usize>>,
    /// Mark of a row that was not compared.
    removed_words: &'static str,
}

impl PassageMarks {
    /// * `passages`: byte ranges in the order of their numbers.
    pub(super) fn new(passages: impl Iterator<Item = Range<usize>>) -> Self {
        let mut numbered: Vec<(Range<usize>, usize)> = passages.zip(1..).collect();
        numbered.sort_by_key(|(range, number)| (range.start, *number));
        let ends = numbered.iter().flat_map(|(range, _)| [range.start, range.end.saturating_sub(1).max(range.start)]);
        let mut marks = Self { ends: ends.collect(), ..Self::default() };
        marks.ends.sort_unstable();
        let mut end = 0;
        for (range, number) in numbered {
            let own = range.start.max(end)..range.end;
            end = end.max(range.end);
            if !own.is_empty() {
                marks.owned.push((own, number));
            }
            marks.passages.push((range, number, end));
        }
        marks
    }

    /// Adds the words that differ from the other text within passages, and just before and after them.
    ///
    /// * `changed`: the byte ranges of changed words, in any order.
    /// * `unknown`: parts of passages that were too long to compare word by word.
    pub(super) fn with_changes(self, mut changed: Vec<Range<usize>>, unknown: Vec<Range<usize>>) -> Self {
        changed.sort_by_key(|range| (range.start, range.end));
        Self { changed, unknown, ..self }
    }

    /// Whether a byte belongs to a word that differs.
    pub(super) fn is_changed(&self, offset: usize) -> bool {
        let next = self.changed.partition_point(|range| range.start <= offset);
        self.changed[..next].iter().rev().take(2).any(|range| range.contains(&offset))
    }

    /// Whether a line contains a change or an end of a passage.
    pub(super) fn is_notable(&self, line: &Range<usize>) -> bool {
        let is_end = |offset: &usize| *offset <= line.end;
        let has_end = self.ends[self.ends.partition_point(|&end| end < line.start)..].first().is_some_and(is_end);
        let first = self.changed.partition_point(|range| range.end < line.start);
        let is_changed = self.changed[first..].iter().take(1).any(|range| range.start <= line.end);
        let is_unknown = self.unknown.iter().any(|range| range.start <= line.end && range.end >= line.start);
        has_end || is_changed || is_unknown
    }

    /// Adds the parts that were not compared.
    ///
    /// * `words`: the mark of a row that was not compared.
    pub(super) fn with_removed(self, removed: &[Range<usize>], words: &'static str) -> Self {
        Self { removed: removed.to_vec(), removed_words: words, ..self }
    }

    /// Whether a byte belongs to a part that was not compared.
    pub(super) fn is_removed(&self, offset: usize) -> bool {
        let next = self.removed.partition_point(|range| range.start <= offset);
        self.removed[..next].last().is_some_and(|range| range.contains(&offset))
    }

    /// The mark of a row if none of its letters were compared; otherwise `None`.
    ///
    /// * `letters`: the offsets of the characters of the row that are not white space.
    pub(super) fn removed_words(&self, mut letters: impl Iterator<Item = usize>) -> Option<&'static str> {
        let first = letters.next()?;
        (self.is_removed(first) && letters.all(|offset| self.is_removed(offset))).then_some(self.removed_words)
    }

    /// The number of the passage that a byte is shown in; `None` outside passages.
    pub(super) fn of_byte(&self, offset: usize) -> Option<usize> {
        if self.is_removed(offset) {
            return None;
        }
        let next = self.owned.partition_point(|(range, _)| range.start <= offset);
        let (range, number) = self.owned[..next].last()?;
        range.contains(&offset).then_some(*number)
    }

    /// The numbers of all passages that a range touches, ascending.
    pub(super) fn in_range(&self, bytes: &Range<usize>) -> Vec<usize> {
        let before = self.passages.partition_point(|(range, _, _)| range.start < bytes.end);
        let touching = self.passages[..before].iter().rev().take_while(|(_, _, end)| *end > bytes.start);
        let mut numbers: Vec<usize> =
            touching.filter(|(range, _, _)| range.end > bytes.start).map(|&(_, number, _)| number).collect();
        numbers.sort_unstable();
        numbers
    }

    /// Number of columns of the widest mark of a row; 0 without passages and removed parts.
    pub(super) fn columns(&self) -> usize {
        let most = self.passages.len();
        // `[12]`, or `[11-12]` for a row with several passages.
        let of_passages = if most == 0 { 0 } else { most.to_string().len() * most.min(2) + most.min(2) + 1 };
        of_passages.max(if self.removed.is_empty() { 0 } else { self.removed_words.len() })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.passages.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn where_passages_overlap_the_first_has_the_bytes_and_all_are_named() {
        let marks = PassageMarks::new([4..8, 0..6, 1..2].into_iter());
        let of: Vec<_> = (0..9).map(|offset| marks.of_byte(offset).unwrap_or(0)).collect();
        assert_eq!(of, [2, 2, 2, 2, 2, 2, 1, 1, 0]);
        assert_eq!(
            (marks.in_range(&(1..5)), marks.in_range(&(6..9)), marks.in_range(&(8..9))),
            (vec![1, 2, 3], vec![1], vec![])
        );
    }

    proptest! {
        #[test]
        fn all_passages_of_a_range_are_found(
            passages in prop::collection::vec((0usize..50, 1usize..20), 0..12),
            (start, len) in (0usize..70, 1usize..10),
        ) {
            let passages: Vec<_> = passages.into_iter().map(|(start, len)| start..start + len).collect();
            let marks = PassageMarks::new(passages.iter().cloned());
            let touches = |range: &Range<usize>| range.start < start + len && range.end > start;
            let expected: Vec<usize> = (1..).zip(&passages).filter(|(_, range)| touches(range)).map(|(n, _)| n).collect();
            prop_assert_eq!(marks.of_byte(start).is_some(), passages.iter().any(|range| range.contains(&start)));
            prop_assert_eq!(marks.in_range(&(start..start + len)), expected);
        }
    }
}
