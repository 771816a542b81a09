//! `CommonPlaces`: the places in the benchmarks of the runs that they have in common with a text.

use super::benchmark::Benchmark;

/// The places, in the words of all benchmarks, of the runs of one text. 12 bytes for each.
#[derive(Debug, Default)]
pub(super) struct CommonPlaces {
    /// The places of runs that are not popular, ascending.
    of_texts: Vec<CommonPlace>,
    /// The places of popular runs in the first text of each class, ascending.
    of_classes: Vec<CommonPlace>,
}

/// A place of a common run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CommonPlace {
    pub(super) place: u32,
    /// The number of words.
    pub(super) len: u32,
    /// The number of its first occurrence among the common runs of the text.
    pub(super) occurrence: u32,
}

impl CommonPlaces {
    /// * `runs`: each distinct common run, with the number of its first occurrence.
    pub(super) fn new(benchmark: &Benchmark, runs: impl Iterator<Item = (u32, u32)>) -> Self {
        let (mut of_texts, mut of_classes) = (Vec::new(), Vec::new());
        for (run, occurrence) in runs {
            let len = benchmark.run_len(run);
            let placed = |&place| CommonPlace { place, len, occurrence };
            match benchmark.class_places(run) {
                Some(places) => of_classes.extend(places.iter().map(placed)),
                None => of_texts.extend(benchmark.places(run).iter().map(placed)),
            }
        }
        of_texts.sort_unstable();
        of_classes.sort_unstable();
        Self { of_texts, of_classes }
    }

    /// Each text with a run that is not popular, and the places of these runs.
    pub(super) fn texts(&self, benchmark: &Benchmark) -> impl Iterator<Item = (u32, &[CommonPlace])> {
        by_text(benchmark, &self.of_texts)
    }

    /// Each class with a popular run, and the places of these runs in its first text.
    pub(super) fn classes(&self, benchmark: &Benchmark) -> impl Iterator<Item = (u32, &[CommonPlace])> {
        let class_of = |text| benchmark.alike.class_of(text as usize).expect("it has a popular run");
        by_text(benchmark, &self.of_classes).map(move |(text, places)| (class_of(text), places))
    }

    /// The places of popular runs in the first text of a class.
    pub(super) fn of_class(&self, benchmark: &Benchmark, class: u32) -> &[CommonPlace] {
        places_in(benchmark, &self.of_classes, benchmark.alike.first(class))
    }

    /// The places of all common runs in a text, ascending.
    pub(super) fn of_text(&self, benchmark: &Benchmark, text: u32) -> Vec<CommonPlace> {
        let mut places = places_in(benchmark, &self.of_texts, text).to_vec();
        if let Some(class) = benchmark.alike.class_of(text as usize) {
            let moved =
                |at: &CommonPlace| CommonPlace { place: benchmark.alike.moved_place(at.place, class, text), ..*at };
            places.extend(self.of_class(benchmark, class).iter().map(moved));
            places.sort_unstable();
        }
        places
    }
}

/// The places in one text.
fn places_in<'p>(benchmark: &Benchmark, places: &'p [CommonPlace], text: u32) -> &'p [CommonPlace] {
    let words = &benchmark.texts[text as usize].words;
    let start = places.partition_point(|at| at.place < words.start);
    let len = places[start..].partition_point(|at| at.place < words.end);
    &places[start..start + len]
}

/// The places, which ascend, of each text.
fn by_text<'p>(benchmark: &Benchmark, mut places: &'p [CommonPlace]) -> impl Iterator<Item = (u32, &'p [CommonPlace])> {
    std::iter::from_fn(move || {
        let text = benchmark.text_at(places.first()?.place);
        let end = benchmark.texts[text].words.end;
        let (of_text, rest) = places.split_at(places.iter().take_while(|at| at.place < end).count());
        places = rest;
        Some((text as u32, of_text))
    })
}
