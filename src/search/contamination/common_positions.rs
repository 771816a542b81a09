//! `CommonPositions`: the positions in the benchmarks of the runs that they have in common with a text.

use super::benchmark::Benchmark;

/// The positions, in the words of all benchmarks, of the runs of one text. 12 bytes for each.
#[derive(Debug, Default)]
pub(super) struct CommonPositions {
    /// The positions of runs that are not popular, ascending.
    of_texts: Vec<CommonPosition>,
    /// The positions of popular runs in the first text of each class, ascending.
    of_classes: Vec<CommonPosition>,
}

/// A position of a common run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CommonPosition {
    pub(super) position: u32,
    /// The number of words.
    pub(super) len: u32,
    /// The number of its first occurrence among the common runs of the text.
    pub(super) occurrence: u32,
}

impl CommonPositions {
    /// * `runs`: each distinct common run, with the number of its first occurrence.
    pub(super) fn new(benchmark: &Benchmark, runs: impl Iterator<Item = (u32, u32)>) -> Self {
        let (mut of_texts, mut of_classes) = (Vec::new(), Vec::new());
        for (run, occurrence) in runs {
            let len = benchmark.run_len(run);
            let positioned = |&position| CommonPosition { position, len, occurrence };
            match benchmark.class_positions(run) {
                Some(positions) => of_classes.extend(positions.iter().map(positioned)),
                None => of_texts.extend(benchmark.positions(run).iter().map(positioned)),
            }
        }
        of_texts.sort_unstable();
        of_classes.sort_unstable();
        Self { of_texts, of_classes }
    }

    /// Each text with a run that is not popular, and the positions of these runs.
    pub(super) fn texts(&self, benchmark: &Benchmark) -> impl Iterator<Item = (u32, &[CommonPosition])> {
        by_text(benchmark, &self.of_texts)
    }

    /// Each class with a popular run, and the positions of these runs in its first text.
    pub(super) fn classes(&self, benchmark: &Benchmark) -> impl Iterator<Item = (u32, &[CommonPosition])> {
        let class_of = |text| benchmark.alike.class_of(text as usize).expect("it has a popular run");
        by_text(benchmark, &self.of_classes).map(move |(text, positions)| (class_of(text), positions))
    }

    /// The positions of popular runs in the first text of a class.
    pub(super) fn of_class(&self, benchmark: &Benchmark, class: u32) -> &[CommonPosition] {
        positions_in(benchmark, &self.of_classes, benchmark.alike.first(class))
    }

    /// The positions of all common runs in a text, ascending.
    pub(super) fn of_text(&self, benchmark: &Benchmark, text: u32) -> Vec<CommonPosition> {
        let mut positions = positions_in(benchmark, &self.of_texts, text).to_vec();
        if let Some(class) = benchmark.alike.class_of(text as usize) {
            let moved = |at: &CommonPosition| CommonPosition {
                position: benchmark.alike.moved_position(at.position, class, text),
                ..*at
            };
            positions.extend(self.of_class(benchmark, class).iter().map(moved));
            positions.sort_unstable();
        }
        positions
    }
}

/// The positions in one text.
fn positions_in<'p>(benchmark: &Benchmark, positions: &'p [CommonPosition], text: u32) -> &'p [CommonPosition] {
    let words = &benchmark.texts[text as usize].words;
    let start = positions.partition_point(|at| at.position < words.start);
    let len = positions[start..].partition_point(|at| at.position < words.end);
    &positions[start..start + len]
}

/// The positions, which ascend, of each text.
fn by_text<'p>(
    benchmark: &Benchmark,
    mut positions: &'p [CommonPosition],
) -> impl Iterator<Item = (u32, &'p [CommonPosition])> {
    std::iter::from_fn(move || {
        let text = benchmark.text_at(positions.first()?.position);
        let end = benchmark.texts[text].words.end;
        let (of_text, rest) = positions.split_at(positions.iter().take_while(|at| at.position < end).count());
        positions = rest;
        Some((text as u32, of_text))
    })
}
