//! `AlikeTexts`: classes of benchmark texts that have the same popular runs.
//!
//! A popular run is in very many benchmark texts, such as the instruction at the start of each prompt, and a document with
//! this run has something in common with all of them. Texts of one class have the same popular runs in the same spans,
//! so a document covers equally many words of each by these runs. A popular run therefore leads to one text of each class,
//! and documents are counted for the class.

use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_128;

use super::benchmark_text::{BenchmarkText, Span, text_at};
use super::run_table::RunTable;
use crate::base::flat::ragged::Ragged;

/// A run in more texts than this is popular. Tests have few texts.
pub(super) const MANY_TEXTS: usize = if cfg!(test) { 2 } else { 32 };
/// The class of a text without popular runs.
const NONE: u32 = u32::MAX;

/// The classes of all texts. 20 bytes for each text with a popular run, 4 for each other, 4 for each span.
#[derive(Debug, Default)]
pub(super) struct AlikeTexts {
    /// The number of each popular run, ascending.
    runs: Vec<u32>,
    /// The positions of each popular run in the first text of each class.
    positions: Ragged<u32>,
    /// The class of each text.
    class_of: Vec<u32>,
    /// The first text of each class.
    firsts: Vec<u32>,
    /// The texts of each class, the shortest first, and among these the first.
    members: Ragged<u32>,
    /// The first word of each span of overlapping popular runs of each text.
    starts: Ragged<u32>,
}

impl AlikeTexts {
    /// * `texts`: the benchmark texts, by position.
    /// * `tables`: the tables of runs, each with the number of its first run.
    pub(super) fn new(texts: &[BenchmarkText], tables: &[(u32, &RunTable)]) -> Self {
        let mut found = popular_positions(texts, tables);
        let mut alike = Self { class_of: vec![NONE; texts.len()], ..Self::default() };
        let (mut at, mut key, mut numbers) = (0, Vec::new(), HashMap::new());
        let mut members: Vec<(u32, usize, u32)> = Vec::new();
        for (number, text) in texts.iter().enumerate() {
            let (mut done, mut start) = (0, 0);
            key.clear();
            while let Some(&(position, run, len)) = found.get(at).filter(|found| found.0 < text.words.end) {
                if position >= done {
                    alike.starts.open_row().push(position);
                    start = position;
                    key.extend_from_slice(&u32::MAX.to_le_bytes());
                }
                key.extend([position - start, run].iter().flat_map(|number| number.to_le_bytes()));
                done = done.max(position + len);
                at += 1;
            }
            alike.starts.end_row();
            if !key.is_empty() {
                let next = numbers.len() as u32;
                let class = *numbers.entry(xxh3_128(&key)).or_insert(next);
                if class == next {
                    alike.firsts.push(number as u32);
                }
                alike.class_of[number] = class;
                members.push((class, text.words.len(), number as u32));
            }
        }
        members.sort_unstable();
        for class in members.chunk_by(|a, b| a.0 == b.0) {
            alike.members.push_row(class.iter().map(|&(_, _, text)| text));
        }
        // The positions in the first text of each class, by run.
        found.retain(|&(position, ..)| {
            let text = text_at(texts, position);
            alike.first(alike.class_of[text]) as usize == text
        });
        found.sort_unstable_by_key(|&(position, run, _)| (run, position));
        for run in found.chunk_by(|a, b| a.1 == b.1) {
            alike.runs.push(run[0].1);
            alike.positions.push_row(run.iter().map(|&(position, ..)| position));
        }
        alike
    }

    /// The positions of a popular run in the first text of each class; `None` if the run is not popular.
    pub(super) fn positions(&self, run: u32) -> Option<&[u32]> {
        self.runs.binary_search(&run).ok().map(|at| self.positions.row(at))
    }

    /// The number of classes.
    pub(super) fn num_classes(&self) -> usize {
        self.firsts.len()
    }

    /// The class of a text; `None` if it has no popular run.
    pub(super) fn class_of(&self, text: usize) -> Option<u32> {
        Some(self.class_of[text]).filter(|&class| class != NONE)
    }

    /// The first text of a class.
    pub(super) fn first(&self, class: u32) -> u32 {
        self.firsts[class as usize]
    }

    /// The texts of a class, the shortest first.
    pub(super) fn members(&self, class: u32) -> &[u32] {
        self.members.row(class as usize)
    }

    /// A span in the first text of a class as the span in another text of the class.
    pub(super) fn moved(&self, span: &Span, class: u32, text: u32) -> Span {
        Span { benchmark: self.moved_position(span.benchmark, class, text), ..span.clone() }
    }

    /// The position of a popular run in the first text of a class as its position in another text of the class.
    pub(super) fn moved_position(&self, position: u32, class: u32, text: u32) -> u32 {
        let (from, to) = (self.starts.row(self.first(class) as usize), self.starts.row(text as usize));
        let number = from.partition_point(|&start| start <= position) - 1;
        to[number] + (position - from[number])
    }

    /// Bytes in memory.
    pub(super) fn num_bytes(&self) -> usize {
        4 * (self.runs.capacity() + self.class_of.capacity() + self.firsts.capacity())
            + self.positions.num_bytes()
            + self.members.num_bytes()
            + self.starts.num_bytes()
    }
}

/// The positions of all popular runs, ascending, each with the number of the run and its length.
fn popular_positions(texts: &[BenchmarkText], tables: &[(u32, &RunTable)]) -> Vec<(u32, u32, u32)> {
    let mut found = Vec::new();
    for &(base, table) in tables {
        for run in 0..table.num_runs() {
            let positions = table.positions(run);
            if positions.len() > MANY_TEXTS && is_in_many(texts, positions) {
                found.extend(positions.iter().map(|&position| (position, base + run as u32, table.len() as u32)));
            }
        }
    }
    found.sort_unstable();
    found
}

/// Whether these positions, which ascend, are in many texts.
fn is_in_many(texts: &[BenchmarkText], positions: &[u32]) -> bool {
    let (mut num_texts, mut end) = (0, 0);
    for &position in positions {
        if position >= end {
            num_texts += 1;
            end = texts[text_at(texts, position)].words.end;
        }
        if num_texts > MANY_TEXTS {
            return true;
        }
    }
    false
}
