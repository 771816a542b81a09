//! `TextRuns`: the words of a text and the runs that it has in common with the benchmarks.

use std::cell::OnceCell;
use std::ops::Range;

use super::benchmark::Benchmark;
use super::benchmark_text::Span;
use super::common_positions::{CommonPosition, CommonPositions};
use super::remaining_words::RemainingWords;
use super::run_table::{RunHash, RunTable};
use crate::text::plain_words::for_each_plain_word;

/// The maximum number of further occurrences of a span, and of positions that are compared to find them.
const MOST_AGAIN: usize = 10;
const MOST_COMPARED: usize = 100;

/// The words of a text and its common runs.
#[derive(Debug, Default)]
pub(super) struct TextRuns {
    words: Vec<u64>,
    bytes: Vec<[u32; 2]>,
    /// Each common run and its position in the words of the text, ascending.
    found: Vec<PositionedRun>,
    /// The positions of these runs in the benchmarks, from the first use on.
    positions: OnceCell<CommonPositions>,
}

/// The number of a run and its position.
type PositionedRun = (u32, u32);

impl TextRuns {
    /// Collects the words of a text and its common runs.
    pub(super) fn collect(&mut self, benchmark: &Benchmark, text: &[u8]) {
        let Self { words, bytes, found, positions } = self;
        positions.take();
        words.clear();
        bytes.clear();
        found.clear();
        for_each_plain_word(text, |word, range| {
            words.push(word);
            bytes.push([range.start, range.end].map(|at| u32::try_from(at).unwrap_or(u32::MAX)));
        });
        for_each_common_run(benchmark, words, &mut |run, at, _| found.push((run, at)));
        found.sort_unstable();
    }

    /// Whether the text has no common run.
    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The number of each common run, ascending.
    pub(super) fn distinct(&self) -> impl Iterator<Item = u32> + '_ {
        self.found.chunk_by(|a, b| a.0 == b.0).map(|chunk| chunk[0].0)
    }

    /// The positions of the common runs in the benchmarks.
    pub(super) fn positions(&self, benchmark: &Benchmark) -> &CommonPositions {
        self.positions.get_or_init(|| {
            let mut occurrence = 0;
            let runs = self.found.chunk_by(|a, b| a.0 == b.0).map(|chunk| {
                let first = occurrence;
                occurrence += chunk.len() as u32;
                (chunk[0].0, first)
            });
            CommonPositions::new(benchmark, runs)
        })
    }

    /// The bytes to cut so that the text has no common run, ascending; runs that overlap or touch are joined. A run that only
    /// exists when the words around a cut follow each other is cut, too.
    pub(super) fn covered(&self, benchmark: &Benchmark) -> Vec<Range<usize>> {
        let mut remaining = RemainingWords::new(self.words.len());
        let mut runs: Vec<Range<usize>> =
            self.found.iter().map(|&(run, at)| at as usize..(at + benchmark.run_len(run)) as usize).collect();
        joined(&mut runs);
        runs.into_iter().for_each(|run| remaining.remove(run));
        let (mut words, most) = (Vec::new(), benchmark.tables[0].len() - 1);
        while let Some(around) = remaining.next_seam(most) {
            words.clear();
            words.extend(around.iter().map(|&word| self.words[word]));
            runs = Vec::new();
            for_each_common_run(benchmark, &words, &mut |_, at, len| runs.push(at as usize..at as usize + len));
            joined(&mut runs);
            runs.into_iter().for_each(|run| remaining.remove_all(&around[run]));
        }
        remaining
            .removed()
            .map(|range| self.bytes[range.start][0] as usize..self.bytes[range.end - 1][1] as usize)
            .collect()
    }

    /// The spans of the text in one benchmark text, as long as possible, by position in the benchmark text.
    pub(super) fn spans(&self, benchmark: &Benchmark, text: u32) -> Box<[Span]> {
        self.spans_of(benchmark, &self.positions(benchmark).of_text(benchmark, text))
    }

    /// The spans in the first text of a class that consist of popular runs.
    pub(super) fn popular_spans(&self, benchmark: &Benchmark, class: u32) -> Box<[Span]> {
        self.spans_of(benchmark, self.positions(benchmark).of_class(benchmark, class))
    }

    /// * `positions`: the positions of common runs in one benchmark text, ascending.
    fn spans_of(&self, benchmark: &Benchmark, positions: &[CommonPosition]) -> Box<[Span]> {
        let mut spans: Vec<(u32, u32, &[PositionedRun])> = Vec::new();
        for &CommonPosition { position, len, occurrence } in positions {
            let chunk = self.occurrences(occurrence);
            if let Some((start, span, first)) = spans.last_mut() {
                let diagonal = first[0].1 + (position - *start);
                let goes_on = position < *start + *span && chunk.binary_search(&(chunk[0].0, diagonal)).is_ok();
                if goes_on {
                    *span = (*span).max(position + len - *start);
                    continue;
                }
            }
            spans.push((position, len, chunk));
        }
        let span = |(position, len, first): (u32, u32, &[PositionedRun])| {
            let at = first[0].1;
            let again = self.again(&benchmark.words[position as usize..(position + len) as usize], first);
            Span { benchmark: position, len, bytes: self.bytes_of(at, len), again }
        };
        spans.into_iter().map(span).collect()
    }

    /// All occurrences of a run in the text.
    ///
    /// * `first`: the number of the first one.
    fn occurrences(&self, first: u32) -> &[PositionedRun] {
        let from = &self.found[first as usize..];
        &from[..from.partition_point(|run| run.0 == from[0].0)]
    }

    /// The bytes of further occurrences of some words, without overlap.
    ///
    /// * `first`: the first run of these words, at each of its positions.
    fn again(&self, words: &[u64], first: &[PositionedRun]) -> Box<[[u32; 2]]> {
        let len = words.len() as u32;
        let (mut again, mut end) = (Vec::new(), first[0].1 + len);
        for &(_, at) in first.iter().filter(|run| run.1 >= first[0].1 + len).take(MOST_COMPARED) {
            let is_it = at >= end && self.words[at as usize..].starts_with(words);
            if is_it && again.len() < MOST_AGAIN {
                again.push(self.bytes_of(at, len));
                end = at + len;
            }
        }
        again.into()
    }

    fn bytes_of(&self, at: u32, len: u32) -> [u32; 2] {
        [self.bytes[at as usize][0], self.bytes[(at + len) as usize - 1][1]]
    }
}

/// Joins ranges that overlap or touch, and sorts them.
fn joined(ranges: &mut Vec<Range<usize>>) {
    ranges.sort_unstable_by_key(|range| range.start);
    ranges.dedup_by(|next, last| {
        let touches = next.start <= last.end;
        if touches {
            last.end = last.end.max(next.end);
        }
        touches
    });
}

/// Calls `visit` with the number of each common run of some words, its position and its length.
fn for_each_common_run(benchmark: &Benchmark, words: &[u64], visit: &mut dyn FnMut(u32, u32, usize)) {
    let runs = &benchmark.tables[0];
    for_each_run(runs, benchmark, words, &mut |run, at, _| visit(run as u32, at, runs.len()));
    for_each_run(&benchmark.anchors, benchmark, words, &mut |_, at, hash| {
        let start = at as usize;
        let (mut hash, mut len) = (hash, benchmark.anchors.len());
        for (number, table) in benchmark.tables.iter().enumerate().skip(1) {
            let Some(whole) = words.get(start..start + table.len()) else { break };
            whole[len..].iter().for_each(|&word| hash.add(word));
            len = whole.len();
            if let Some(run) = table.find(hash).and_then(|run| table.prove(run, &benchmark.words, whole)) {
                visit(benchmark.run_number(number, run), at, len);
            }
        }
    });
}

/// Calls `visit` with each run of a table in a text, proved word by word, its position and its hash.
fn for_each_run(table: &RunTable, benchmark: &Benchmark, words: &[u64], visit: &mut dyn FnMut(usize, u32, RunHash)) {
    if table.num_runs() == 0 {
        return;
    }
    let mut hash = RunHash::default();
    for (at, &word) in words.iter().enumerate() {
        hash.add(word);
        if at >= table.len() {
            table.forget(&mut hash, words[at - table.len()]);
        }
        let Some(start) = (at + 1).checked_sub(table.len()) else { continue };
        if let Some(run) = table.find(hash).and_then(|run| table.prove(run, &benchmark.words, &words[start..=at])) {
            visit(run, start as u32, hash);
        }
    }
}
