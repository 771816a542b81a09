//! `Matcher`: finds the benchmark texts that a text contains. One instance per thread.
//!
//! The first step looks each run of a text up in the table, where the runs of other texts are rarely found. Only if one may be
//! there are the words collected, and each run proved word by word.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use xxhash_rust::xxh3::xxh3_128;

use super::benchmark::Benchmark;
use super::common_positions::CommonPosition;
use super::hits::{CommonWords, PieceHits};
use super::run_table::RunHash;
use super::text_runs::TextRuns;
use crate::base::error::Result;
use crate::search::corpus::TextWatcher;
use crate::text::plain_words::for_each_plain_word;

/// Texts with the same common runs have the same numbers, which are kept if they needed more positions than this.
const MANY_POSITIONS: usize = 256;
/// The maximum number of texts in all kept results together, about 64 MiB.
const MOST_KEPT: usize = 8 << 20;

/// The number of hashes that are looked up together.
const BLOCK: usize = 32;

/// The results for each set of common runs, and the number of entries in all of them.
#[derive(Debug, Default)]
pub(super) struct KeptResults(Mutex<(HashMap<u128, Arc<CommonWords>>, usize)>);

/// Finds common runs.
pub(super) struct Matcher<'b> {
    benchmark: &'b Benchmark,
    kept: &'b KeptResults,
    /// The last words, in a ring.
    ring: Vec<u64>,
    /// The hashes of runs and anchors that are looked up next.
    pending: Box<[[RunHash; BLOCK]; 2]>,
    runs: TextRuns,
}

impl<'b> Matcher<'b> {
    pub(super) fn new(benchmark: &'b Benchmark, kept: &'b KeptResults) -> Self {
        // A power of two, so that a position in the ring is a mask.
        let ring = vec![0; (benchmark.tables[0].len() + 1).next_power_of_two()];
        Self { benchmark, kept, ring, pending: Box::default(), runs: TextRuns::default() }
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

    /// The benchmark texts that the collected text contaminates.
    fn results(&self) -> Arc<CommonWords> {
        let (mut key, mut num_positions) = (Vec::new(), 0);
        for run in self.runs.distinct() {
            key.extend_from_slice(&run.to_le_bytes());
            num_positions += self.benchmark.class_positions(run).unwrap_or_else(|| self.benchmark.positions(run)).len();
        }
        if num_positions <= MANY_POSITIONS {
            return Arc::new(self.count());
        }
        let key = xxh3_128(&key);
        if let Some(known) = self.kept.0.lock().expect("no holder panics").0.get(&key) {
            return Arc::clone(known);
        }
        let counted = Arc::new(self.count());
        let num_entries = counted.classes.len() + counted.texts.len() + 8;
        let mut kept = self.kept.0.lock().expect("no holder panics");
        if kept.1 + num_entries < MOST_KEPT {
            kept.1 += num_entries;
            kept.0.insert(key, Arc::clone(&counted));
        }
        counted
    }

    /// Counts the words of each benchmark text in the common runs of the collected text: once for a class of texts where
    /// the runs are popular.
    fn count(&self) -> CommonWords {
        let benchmark = self.benchmark;
        let positions = self.runs.positions(benchmark);
        let mut by_class: Vec<(u32, u32)> =
            positions.classes(benchmark).map(|(class, positions)| (class, num_covered(positions))).collect();
        by_class.iter().for_each(|&(class, matched)| benchmark.count_class(class, matched));
        let mut texts = Vec::new();
        for (text, of_text) in positions.texts(benchmark) {
            let class = benchmark.alike.class_of(text as usize);
            let by_popular = class.and_then(|class| by_class.binary_search_by_key(&class, |of_class| of_class.0).ok());
            let by_popular = by_popular.map_or(0, |at| by_class[at].1);
            let matched =
                if by_popular == 0 { num_covered(of_text) } else { num_covered(&positions.of_text(benchmark, text)) };
            benchmark.count(text as usize, matched);
            if benchmark.is_found(text, matched) {
                texts.push((text, matched, !benchmark.is_found(text, by_popular)));
            }
        }
        by_class.retain(|&(class, matched)| benchmark.num_found(class, matched) > 0);
        CommonWords { classes: by_class, texts }
    }
}

/// The number of words at some positions, which ascend.
fn num_covered(positions: &[CommonPosition]) -> u32 {
    let (mut num, mut done) = (0, 0);
    for &CommonPosition { position, len, .. } in positions {
        let end = position + len;
        num += end.saturating_sub(position.max(done));
        done = done.max(end);
    }
    num
}

impl TextWatcher for Matcher<'_> {
    type Found = PieceHits;

    fn see(&mut self, number: usize, text: &[u8], found: &mut PieceHits) -> Result<u64> {
        let (num_words, may_match) = self.look(text);
        found.words += num_words;
        if !may_match {
            return Ok(num_words);
        }
        self.runs.collect(self.benchmark, text);
        found.touched += u64::from(!self.runs.is_empty());
        let common = self.results();
        found.add(self.benchmark, number as u32, &self.runs, &common);
        Ok(num_words)
    }
}
