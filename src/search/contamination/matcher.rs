//! `Matcher`: finds the runs that a text has in common with the benchmarks. One instance per thread.
//!
//! The first step looks each run of a text up in the table, where the runs of other texts are rarely found. Only for the others are the words collected, each run proved word by word, and joined to spans as long as
//! possible.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use xxhash_rust::xxh3::xxh3_128;

use super::benchmark::Benchmark;
use super::run_table::{RunHash, RunTable};
use crate::base::error::Result;
use crate::search::corpus::TextWatcher;
use crate::text::plain_words::for_each_plain_word;

/// Texts with the same common runs have the same numbers, which are kept if they needed more places than this.
const MANY_PLACES: usize = 256;
/// The maximum number of texts in all kept results together, about 64 MiB.
const MOST_KEPT: usize = 8 << 20;
/// The maximum number of documents for each benchmark text whose spans are kept.
pub(super) const MOST_DOCUMENTS: u64 = 100;

/// The number of hashes that are looked up together.
const BLOCK: usize = 32;

/// A run of equal words in a benchmark text and a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    /// The first of its words in all benchmarks.
    pub(super) benchmark: u32,
    /// Its words.
    pub(super) len: u32,
    /// Its bytes in the document.
    pub(super) bytes: [u32; 2],
}

/// A benchmark text that a document contains.
#[derive(Debug)]
pub(super) struct Hit {
    /// The number of the document in its piece.
    pub(super) document: u32,
    /// The number of the benchmark text.
    pub(super) text: u32,
    /// The words of the text that are in spans.
    pub(super) matched: u32,
    /// Its spans by place in the benchmark text; empty when the piece has enough other documents that contain the text.
    pub(super) spans: Box<[Span]>,
}

/// The hits of one piece.
#[derive(Debug, Default)]
pub(super) struct PieceHits {
    pub(super) hits: Vec<Hit>,
    /// The number of documents that contain a run, contaminated or not.
    pub(super) touched: u64,
    /// The number of words.
    pub(super) words: u64,
    /// The bytes of all common runs of each document with hits.
    pub(super) covered: Vec<Vec<Range<usize>>>,
    /// The number of documents that contain each benchmark text.
    num_of: HashMap<u32, u64>,
}

/// The benchmark texts that contaminate a text, each with the number of matched words.
type Results = Arc<Vec<(u32, u32)>>;

/// The results for each set of common runs, and the number of entries in all of them.
#[derive(Debug, Default)]
pub(super) struct KeptResults(Mutex<(HashMap<u128, Results>, usize)>);

/// Finds common runs.
pub(super) struct Matcher<'b> {
    benchmark: &'b Benchmark,
    kept: &'b KeptResults,
    /// The last words, in a ring.
    ring: Vec<u64>,
    /// The hashes of runs and anchors that are looked up next.
    pending: Box<[[RunHash; BLOCK]; 2]>,
    words: Vec<u64>,
    bytes: Vec<[u32; 2]>,
    /// Each common run, by its number and its place in the words of the text.
    found: Vec<(u32, u32)>,
}

impl<'b> Matcher<'b> {
    pub(super) fn new(benchmark: &'b Benchmark, kept: &'b KeptResults) -> Self {
        // A power of two, so that a place in the ring is a mask.
        let ring = vec![0; (benchmark.tables[0].len() + 1).next_power_of_two()];
        Self { benchmark, kept, ring, pending: Box::default(), words: Vec::new(), bytes: Vec::new(), found: Vec::new() }
    }

    /// The number of words of a text, and whether it may have a common run.
    fn look(&mut self, text: &[u8]) -> (u64, bool) {
        let Self { benchmark, ring, pending, .. } = self;
        let (runs, anchors) = (&benchmark.tables[0], &benchmark.anchors);
        let (mask, run_len, anchor_len) = (ring.len() - 1, runs.len(), anchors.len());
        let has_anchors = anchors.num_runs() > 0;
        let (mut run, mut anchor) = (RunHash::default(), RunHash::default());
        let (mut num, mut is_found) = (0, false);
        ring.fill(0);
        let [pending_runs, pending_anchors] = &mut **pending;
        for_each_plain_word(text, |word, _| {
            ring[num & mask] = word;
            // Before the first words the ring has zeros, which change nothing.
            run.add(word);
            runs.forget(&mut run, ring[num.wrapping_sub(run_len) & mask]);
            pending_runs[num % BLOCK] = run;
            if has_anchors {
                anchor.add(word);
                anchors.forget(&mut anchor, ring[num.wrapping_sub(anchor_len) & mask]);
                pending_anchors[num % BLOCK] = anchor;
            }
            num += 1;
            if num % BLOCK == 0 && !is_found {
                is_found = runs.has_any(pending_runs) || has_anchors && anchors.has_any(pending_anchors);
            }
        });
        // The hashes of the first words, before a whole run, find a run only by chance, and each run is proved later.
        let rest = num % BLOCK;
        is_found =
            is_found || runs.has_any(&pending_runs[..rest]) || has_anchors && anchors.has_any(&pending_anchors[..rest]);
        (num as u64, is_found)
    }

    /// Collects the words of a text and its common runs.
    fn collect(&mut self, text: &[u8]) {
        let Self { benchmark, words, bytes, found, .. } = self;
        words.clear();
        bytes.clear();
        found.clear();
        for_each_plain_word(text, |word, range| {
            words.push(word);
            bytes.push([range.start, range.end].map(|at| u32::try_from(at).unwrap_or(u32::MAX)));
        });
        for_each_run(&benchmark.tables[0], benchmark, words, &mut |run, at, _| found.push((run as u32, at)));
        for_each_run(&benchmark.anchors, benchmark, words, &mut |_, at, hash| {
            let start = at as usize;
            let (mut hash, mut len) = (hash, benchmark.anchors.len());
            for (number, table) in benchmark.tables.iter().enumerate().skip(1) {
                let Some(whole) = words.get(start..start + table.len()) else { break };
                whole[len..].iter().for_each(|&word| hash.add(word));
                len = whole.len();
                if let Some(run) = table.find(hash).and_then(|run| table.prove(run, &benchmark.words, whole)) {
                    found.push((benchmark.run_number(number, run), at));
                }
            }
        });
        found.sort_unstable();
    }

    /// The benchmark texts that the collected text contaminates, with the number of their words in common runs.
    fn results(&self) -> Results {
        let (mut key, mut num_places) = (Vec::new(), 0);
        for run in self.distinct() {
            key.extend_from_slice(&run.to_le_bytes());
            num_places += self.benchmark.places(run).0.len();
        }
        if num_places <= MANY_PLACES {
            return Arc::new(self.count());
        }
        let key = xxh3_128(&key);
        if let Some(known) = self.kept.0.lock().expect("no holder panics").0.get(&key) {
            return Arc::clone(known);
        }
        let counted = Arc::new(self.count());
        let mut kept = self.kept.0.lock().expect("no holder panics");
        if kept.1 + counted.len() < MOST_KEPT {
            kept.1 += counted.len() + 8;
            kept.0.insert(key, Arc::clone(&counted));
        }
        counted
    }

    fn distinct(&self) -> impl Iterator<Item = u32> + '_ {
        self.found.chunk_by(|a, b| a.0 == b.0).map(|chunk| chunk[0].0)
    }

    fn count(&self) -> Vec<(u32, u32)> {
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for run in self.distinct() {
            let (places, len) = self.benchmark.places(run);
            ranges.extend(places.iter().map(|&place| (place, place + len)));
        }
        ranges.sort_unstable();
        let (mut results, mut at) = (Vec::new(), 0);
        while at < ranges.len() {
            let text = self.benchmark.text_at(ranges[at].0);
            let (mut matched, mut done) = (0, 0);
            while at < ranges.len() && ranges[at].0 < self.benchmark.texts[text].words.end {
                let (start, end) = ranges[at];
                matched += end.saturating_sub(start.max(done));
                done = done.max(end);
                at += 1;
            }
            self.benchmark.count(text, matched);
            let len = self.benchmark.texts[text].words.len() as u64;
            if self.benchmark.settings.is_found(matched.into(), len) {
                results.push((text as u32, matched));
            }
        }
        results
    }

    /// The bytes of the collected text in common runs, ascending; runs that overlap or touch are joined.
    fn covered(&self) -> Vec<Range<usize>> {
        let mut runs: Vec<(u32, u32)> =
            self.found.iter().map(|&(run, at)| (at, at + self.benchmark.places(run).1)).collect();
        runs.sort_unstable();
        let mut joined: Vec<(u32, u32)> = Vec::new();
        for (start, end) in runs {
            match joined.last_mut() {
                Some(last) if start <= last.1 => last.1 = last.1.max(end),
                _ => joined.push((start, end)),
            }
        }
        let bytes =
            |(start, end): (u32, u32)| self.bytes[start as usize][0] as usize..self.bytes[end as usize - 1][1] as usize;
        joined.into_iter().map(bytes).collect()
    }

    /// The spans of the collected text in one benchmark text, as long as possible, by place in the benchmark text.
    fn spans(&self, text: u32) -> Box<[Span]> {
        let words = self.benchmark.texts[text as usize].words.clone();
        let mut runs = Vec::new();
        for chunk in self.found.chunk_by(|a, b| a.0 == b.0) {
            let (places, len) = self.benchmark.places(chunk[0].0);
            let start = places.partition_point(|&place| place < words.start);
            let places = places[start..].iter().take_while(|&&place| place < words.end);
            runs.extend(places.map(|&place| (place, len, chunk)));
        }
        runs.sort_unstable_by_key(|&(place, len, _)| (place, len));
        let mut spans: Vec<(u32, u32, u32)> = Vec::new();
        for (place, len, chunk) in runs {
            if let Some((start, span, at)) = spans.last_mut() {
                let diagonal = *at + (place - *start);
                let goes_on = place < *start + *span && chunk.binary_search(&(chunk[0].0, diagonal)).is_ok();
                if goes_on {
                    *span = (*span).max(place + len - *start);
                    continue;
                }
            }
            spans.push((place, len, chunk[0].1));
        }
        let span = |(benchmark, len, at): (u32, u32, u32)| {
            let bytes = [self.bytes[at as usize][0], self.bytes[(at + len) as usize - 1][1]];
            Span { benchmark, len, bytes }
        };
        spans.into_iter().map(span).collect()
    }
}

/// Calls `visit` with each run of a table in a text, proved word by word, its place and its hash.
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

impl TextWatcher for Matcher<'_> {
    type Found = PieceHits;

    fn see(&mut self, number: usize, text: &[u8], found: &mut PieceHits) -> Result<u64> {
        let (num_words, may_match) = self.look(text);
        found.words += num_words;
        if !may_match {
            return Ok(num_words);
        }
        self.collect(text);
        found.touched += u64::from(!self.found.is_empty());
        let results = self.results();
        if !results.is_empty() {
            found.covered.push(self.covered());
        }
        for &(text, matched) in results.iter() {
            let num_of = found.num_of.entry(text).or_default();
            let spans = if *num_of < MOST_DOCUMENTS { self.spans(text) } else { Box::default() };
            *num_of += 1;
            found.hits.push(Hit { document: number as u32, text, matched, spans });
        }
        Ok(num_words)
    }
}
