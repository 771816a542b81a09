//! `OffsetMap`: maps the offsets of a text to the offsets of the text that it was made from.
//!
//! A text is made from another one from beginning to end, so the map is a sequence of units: `made` bytes that were
//! made from `source` bytes. [`OffsetRuns`] stores consecutive equal units once, usually in two bytes. An unchanged text
//! needs one run; a text from which every accent was removed needs two runs per accent.
//!
//! Each step that changes a text reports its changes to a [`Trace`]. [`NoTrace`] costs nothing;
//! [`OffsetTrace`](super::offset_trace::OffsetTrace) combines the steps.

mod runs;
mod trace;

use std::ops::Range;

use self::runs::{OffsetRun, OffsetRuns};
pub(crate) use self::trace::{NoTrace, Trace};

/// Maps offsets in a text back to the source that the text was made from. All offsets are bytes.
///
/// The map needs two bytes, sometimes a few more, for each place at which the text differs from its source. A
/// [`Normalizer`](crate::text::Normalizer) makes it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OffsetMap {
    runs: OffsetRuns,
}

impl OffsetMap {
    /// The map of a text of `len` bytes that is equal to its source.
    pub(crate) fn identity(len: usize) -> Self {
        let mut map = Self::default();
        map.copied(len);
        map
    }

    /// Records that the next `len` bytes are equal to the source.
    #[inline]
    pub(crate) fn copied(&mut self, len: usize) {
        self.runs.push(OffsetRun { made: 1, source: 1, count: len as u64 });
    }

    /// Records that the next `len` bytes of the source are not in the text.
    #[inline]
    pub(crate) fn left_out(&mut self, len: usize) {
        self.runs.push(OffsetRun { made: 0, source: len as u64, count: 1 });
    }

    /// Records that the next `by` bytes of the text were made as a whole from the next `len` bytes of the source; `len`
    /// 0 is an insertion.
    #[inline]
    pub(crate) fn replaced(&mut self, len: usize, by: usize) {
        self.runs.push(OffsetRun { made: by as u64, source: len as u64, count: 1 });
    }

    /// The length of the text in bytes.
    pub fn made_len(&self) -> usize {
        self.runs.len().0 as usize
    }

    /// The length of the source in bytes.
    pub fn source_len(&self) -> usize {
        self.runs.len().1 as usize
    }

    /// The source of a range of the text: from the start of the source of its first byte to the end of the source of
    /// its last byte. The source of an empty range is empty.
    ///
    /// Bytes that were removed at either end of the range are excluded, so that a word maps to the bytes of that word.
    /// Bytes that were combined into one character, such as a letter and its accents, count as a whole. O(log of the
    /// number of runs).
    ///
    /// # Panics
    /// When the range ends after the end of the text.
    pub fn source_range(&self, range: Range<usize>) -> Range<usize> {
        assert!(range.start <= range.end && range.end <= self.made_len(), "{range:?} of {} bytes", self.made_len());
        if range.start == self.made_len() {
            return self.source_len()..self.source_len();
        }
        let start = self.runs.unit_of_made(range.start as u64).start as usize;
        match range.end.checked_sub(1).filter(|&last| last >= range.start) {
            Some(last) => start..self.runs.unit_of_made(last as u64).end as usize,
            None => start..start,
        }
    }

    /// The number of bytes of the text whose source begins at or before `source`.
    pub(crate) fn made_up_to(&self, source: usize) -> usize {
        self.runs.made_up_to(source as u64) as usize
    }

    /// The ranges of the source that the text does not contain unchanged, ascending.
    pub(crate) fn changed(&self) -> Vec<Range<usize>> {
        let mut at = 0;
        let mut changed = Vec::new();
        for run in self.runs.iter() {
            let start = at;
            at += (run.source * run.count) as usize;
            if (run.made, run.source) != (1, 1) && at > start {
                changed.push(start..at);
            }
        }
        changed
    }

    /// Whether the text has something of every byte of the source from `start` on.
    pub(crate) fn takes_all_from(&self, start: usize) -> bool {
        let mut at = 0;
        self.runs.iter().all(|run| {
            at += (run.source * run.count) as usize;
            run.made > 0 || at <= start
        })
    }

    /// Reports the text of this map as a part of a step.
    pub(crate) fn report_to(&self, trace: &mut impl Trace) {
        for run in self.runs.iter() {
            let (made, source, count) = (run.made as usize, run.source as usize, run.count as usize);
            match (made, source) {
                (1, 1) => trace.copied(count),
                (0, source) => trace.left_out(source * count),
                (made, source) => (0..count).for_each(|_| trace.replaced(source, made)),
            }
        }
    }

    /// Combines two maps: `next` maps a second text to the text of this map; the result maps it to the source of this
    /// map.
    ///
    /// O(runs of both maps), and one step for each replaced unit of `next` where this map has a change. Where a unit of
    /// `next` ends within a unit of this map, the two become one unit.
    ///
    /// # Panics
    /// When the source of `next` does not have the length of the text of this map.
    pub(crate) fn then(&self, next: &Self) -> Self {
        assert_eq!(next.source_len(), self.made_len(), "the second text is made of the first one");
        Self { runs: self.runs.then(&next.runs) }
    }

    /// Bytes in memory.
    pub(crate) fn num_bytes(&self) -> usize {
        self.runs.num_bytes()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[derive(Debug, Clone, Copy)]
    enum Step {
        Copied(usize),
        LeftOut(usize),
        Replaced(usize, usize),
    }

    /// The slow reference implementation: the source of every byte.
    fn naive(steps: &[Step]) -> (Vec<Range<usize>>, usize) {
        let (mut sources, mut at) = (Vec::new(), 0);
        for step in steps {
            match *step {
                Step::Copied(len) => sources.extend((at..at + len).map(|at| at..at + 1)),
                Step::LeftOut(_) => {}
                Step::Replaced(len, by) => sources.extend(std::iter::repeat_n(at..at + len, by)),
            }
            let (Step::Copied(len) | Step::LeftOut(len) | Step::Replaced(len, _)) = *step;
            at += len;
        }
        (sources, at)
    }

    fn map(steps: &[Step]) -> OffsetMap {
        let mut map = OffsetMap::default();
        for step in steps {
            match *step {
                Step::Copied(len) => map.copied(len),
                Step::LeftOut(len) => map.left_out(len),
                Step::Replaced(len, by) => map.replaced(len, by),
            }
        }
        map
    }

    fn steps(most: usize) -> impl Strategy<Value = Vec<Step>> {
        let step = prop_oneof![
            (0usize..300).prop_map(Step::Copied),
            (0usize..5).prop_map(Step::Copied),
            (0usize..20).prop_map(Step::LeftOut),
            (0usize..4, 0usize..4).prop_map(|(len, by)| Step::Replaced(len, by)),
            (0usize..400, 0usize..30).prop_map(|(len, by)| Step::Replaced(len, by)),
        ];
        prop::collection::vec((step, 1usize..4), 0..most)
            .prop_map(|steps| steps.into_iter().flat_map(|(step, times)| vec![step; times]).collect())
    }

    /// Adapts steps to a source of `len` bytes.
    fn fitted(steps: &[Step], mut len: usize) -> Vec<Step> {
        let mut fitted: Vec<Step> = steps
            .iter()
            .map(|&step| {
                let (Step::Copied(wanted) | Step::LeftOut(wanted) | Step::Replaced(wanted, _)) = step;
                let taken = wanted.min(len);
                len -= taken;
                match step {
                    Step::Copied(_) => Step::Copied(taken),
                    Step::LeftOut(_) => Step::LeftOut(taken),
                    Step::Replaced(_, by) => Step::Replaced(taken, by),
                }
            })
            .collect();
        fitted.push(Step::Copied(len));
        fitted
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(600))]

        #[test]
        fn each_range_has_the_source_of_its_first_byte_to_its_last(
            steps in steps(300),
            ranges in prop::collection::vec(any::<[prop::sample::Index; 2]>(), 20),
        ) {
            let (sources, source_len) = naive(&steps);
            let map = map(&steps);
            prop_assert_eq!((map.made_len(), map.source_len()), (sources.len(), source_len));
            for [a, b] in ranges {
                let (a, b) = (a.index(sources.len() + 1), b.index(sources.len() + 1));
                let (start, end) = (a.min(b), a.max(b));
                let first = sources.get(start).map_or(source_len, |source| source.start);
                let last = if start < end { sources[end - 1].end } else { first };
                prop_assert_eq!(map.source_range(start..end), first..last);
                let at = a.min(source_len);
                let up_to = sources.iter().filter(|source| source.start <= at).count();
                prop_assert_eq!(map.made_up_to(at), up_to, "{}", at);
            }
        }

        #[test]
        fn one_map_then_another_is_the_way_through_both(first in steps(60), second in steps(60)) {
            let (first_sources, source_len) = naive(&first);
            let second = fitted(&second, first_sources.len());
            let (second_sources, _) = naive(&second);
            let joined = map(&first).then(&map(&second));
            prop_assert_eq!((joined.made_len(), joined.source_len()), (second_sources.len(), source_len));
            let mut cuts = 0;
            for (at, middle) in second_sources.iter().enumerate().filter(|(_, middle)| !middle.is_empty()) {
                let slow = first_sources[middle.start].start..first_sources[middle.end - 1].end;
                let found = joined.source_range(at..at + 1);
                prop_assert!(found.start <= slow.start && slow.end <= found.end, "{} {:?} {:?}", at, found, slow);
                cuts += usize::from(found != slow);
            }
            // Only units that are cut become wider; without long units all results are exact.
            let is_cut = first.iter().any(|step| matches!(step, Step::Replaced(_, 2..)));
            prop_assert!(is_cut || cuts == 0);
        }
    }

    #[test]
    fn what_is_equal_costs_no_more_for_being_long() {
        let mut wide = OffsetMap::default();
        (0..1_000_000).for_each(|_| wide.replaced(2, 1));
        assert_eq!(wide.source_range(999_999..1_000_000), 1_999_998..2_000_000);
        let joined = OffsetMap::identity(2_000_000).then(&wide).then(&OffsetMap::identity(1_000_000));
        assert_eq!(joined, wide);
        assert!(wide.num_bytes() < 200, "{}", wide.num_bytes());
        // Every third character is changed: two runs of two bytes each, and a mark now and then.
        let mut mixed = OffsetMap::default();
        for _ in 0..100_000 {
            mixed.copied(2);
            mixed.replaced(2, 1);
        }
        assert!(mixed.num_bytes() < 2 * 500_000, "{}", mixed.num_bytes());
    }
}
