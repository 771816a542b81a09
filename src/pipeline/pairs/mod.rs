//! The second pass: candidates verified in parallel, their pairs leaving in document order.
//!
//! Documents are taken window by window. The sketches rule most false candidates out; the texts of the others are put into
//! an order in which relatives stand side by side, read again, and counted block by block. Then the window is walked in
//! document order, exact copies are joined in, and the pairs leave. Only what a later copy still needs is kept: the neighbours
//! of texts that occur more than once.

mod block;
mod found;
mod joiner;
mod judge;
mod plan;
mod sketches;
mod window;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use self::block::{BlockMemory, Counted};
use self::found::{Found, in_document_order};
use self::joiner::Joiner;
use self::plan::{Component, Plan};
pub(super) use self::sketches::Sketches;
use self::window::Window;
use super::reread::Rereader;
use super::{Observer, Sink, Summary};
use crate::banding::{BucketTable, Candidates};
use crate::config::Config;
use crate::document::{DocId, Documents};
use crate::error::Result;
use crate::input::Sources;
use crate::removal::Removal;
use crate::verify::Threshold;

/// Bytes of a pair on its way: its edge in both directions and its counts, and its part of two texts and a line.
const PAIR_BYTES: u64 = 128;
/// Fewest and most pairs of a window: some more would take no less time.
const LEAST_PAIRS: u64 = 1 << 10;
const MOST_PAIRS: u64 = 1 << 21;
/// Bytes of a distinct shingle in a matrix, its runs and classes included.
const SHINGLE_BYTES: u64 = 40;
/// Most distinct shingles of a matrix: what does not fit the processor's caches at all gains nothing by being larger.
const MOST_SHINGLES: u64 = 1 << 22;

pub(super) struct PairSearch<'a> {
    observer: &'a dyn Observer,
    documents: &'a Documents,
    table: &'a BucketTable,
    sketches: &'a Sketches,
    threshold: Threshold,
    num_hashes: u32,
    collapse_exact: bool,
    /// Whether a text's documents are pairs with each other.
    copies_are_pairs: bool,
    /// Whether shingles are removed from documents.
    removes: bool,
    rereader: Rereader<'a>,
    /// Pairs beyond which a window ends.
    most_pairs: usize,
    /// Distinct shingles of a matrix.
    most_shingles: usize,
    /// One for each thread of the pool.
    gatherers: Vec<Mutex<Candidates<'a>>>,
    memories: Vec<Mutex<BlockMemory>>,
    /// Bytes of the largest matrix.
    matrix_bytes: AtomicU64,
}

impl<'a> PairSearch<'a> {
    pub(super) fn new(
        observer: &'a dyn Observer,
        config: &'a Config,
        removal: Option<&'a Removal>,
        documents: &'a Documents,
        (table, sketches): (&'a BucketTable, &'a Sketches),
        sources: &'a Sources,
    ) -> Self {
        let threads = config.threads.get();
        // An eighth is for pairs, half for matrices; an eighth was for sketches.
        let most_pairs = (config.memory_bytes / 8 / PAIR_BYTES).clamp(LEAST_PAIRS, MOST_PAIRS);
        let most_shingles = (config.memory_bytes / 2 / threads as u64 / SHINGLE_BYTES).clamp(1 << 8, std::env::var("DBG_MOST").map_or(MOST_SHINGLES, |v| v.parse().unwrap()));
        Self {
            observer,
            documents,
            table,
            sketches,
            threshold: config.threshold,
            num_hashes: config.banding.num_hashes() as u32,
            collapse_exact: config.collapse_exact,
            removes: removal.is_some(),
            copies_are_pairs: documents.scope().compares_within_cells(),
            rereader: Rereader::new(observer, config, removal, documents, sources),
            most_pairs: most_pairs as usize,
            most_shingles: most_shingles as usize,
            gatherers: (0..threads).map(|_| Mutex::new(table.candidates())).collect(),
            memories: (0..threads).map(|_| Mutex::default()).collect(),
            matrix_bytes: AtomicU64::new(0),
        }
    }

    /// Bytes that a search takes for so many documents, whatever their candidates.
    pub(super) fn table_bytes(num_documents: usize) -> usize {
        // The place of each in a plan.
        size_of::<u32>() * num_documents
    }

    /// Verifies all candidates and passes the pairs on, in document order.
    pub(super) fn run(self, sink: Sink<'_>, summary: &mut Summary) -> Result<()> {
        let num_documents = self.documents.len();
        let observer = self.observer;
        observer.total(num_documents as u64);
        let mut joiner = Joiner::new(&self, sink);
        let mut places = vec![0; num_documents];
        let mut start = 0;
        while start < num_documents {
            let window = self.next_window(start);
            start = window.documents.end;
            summary.candidates += window.num_candidates;
            let found = self.verify_window(&window, &mut places);
            let window_bytes = window.pairs.len() as u64 * PAIR_BYTES
                + self.matrix_bytes.load(Ordering::Relaxed) * self.memories.len() as u64;
            summary.memory.sets = summary.memory.sets.max(window_bytes);
            let num_texts = window.documents.len() as u64;
            joiner.join(window.documents, in_document_order(&found))?;
            observer.advance(num_texts, num_texts, 0);
        }
        joiner.flush()?;
        summary.pairs = joiner.num_pairs;
        for problem in self.rereader.into_problems() {
            summary.count(&problem);
            observer.problem(&problem);
        }
        Ok(())
    }

    /// Verifies the pairs of a window.
    fn verify_window(&self, window: &Window, places: &mut [u32]) -> Vec<Found> {
        let plan = Plan::new(window, self.documents, places);
        let (large, small): (Vec<&Component>, Vec<&Component>) =
            plan.components.iter().partition(|component| component.blocks.len() > 1);
        let mut found: Vec<Found> = Vec::new();
        eprintln!("DBG window {:?} candidates {} edges {} texts {} components {} large {} ({} texts, {} edges) blocks {} shingles {}", window.documents, window.num_candidates, window.pairs.len(), plan.texts.len(), plan.components.len(), large.len(), large.iter().map(|c| c.texts.len()).sum::<usize>(), large.iter().map(|c| plan.edges_of(&c.texts).len()).sum::<usize>(), large.iter().map(|c| c.blocks.len()).sum::<usize>(), plan.texts.iter().map(|&t| self.documents.num_shingles(t) as u64).sum::<u64>());
        let dbg_start = std::time::Instant::now();
        // The blocks of large components first, one at a time, so that no thread is left with one at the end.
        let blocks: Vec<&std::ops::Range<usize>> = large.iter().flat_map(|component| &component.blocks).collect();
        let mut counted: Vec<Counted> = blocks
            .par_iter()
            .with_max_len(1)
            .map(|block| {
                let mut memory = self.memory();
                self.count_block(&plan, block, true, &mut memory);
                std::mem::take(&mut memory.counted)
            })
            .collect();
        eprintln!("DBG large counted {:?}", dbg_start.elapsed());
        let mut counted = counted.drain(..);
        for component in large {
            let counted: Vec<Counted> = counted.by_ref().take(component.blocks.len()).collect();
            let mut found_here = Found::default();
            self.judge(window, &plan, component, &counted, &mut found_here);
            found.push(found_here);
        }
        eprintln!("DBG large judged {:?}", dbg_start.elapsed());
        // The largest first, so that no thread is left with one at the end.
        let mut small = small;
        let size = |component: &&Component| -> u64 {
            component.texts.clone().map(|text| u64::from(self.documents.num_shingles(plan.texts[text]))).sum()
        };
        small.sort_by_cached_key(|component| std::cmp::Reverse(size(component).checked_ilog2()));
        let verified = small.par_iter().with_max_len(1).fold(Found::default, |mut found, component| {
            let t = std::time::Instant::now();
            self.verify_component(window, &plan, &component.texts, &mut self.memory(), &mut found);
            let n = component.texts.clone().map(|t| self.documents.num_shingles(plan.texts[t]) as u64).sum::<u64>();
            if n > 1000000 { eprintln!("DBGC {} {} {} {}", n, component.texts.len(), t.elapsed().as_nanos() as u64 / n, t.elapsed().as_micros()); }
            found
        });
        found.par_extend(verified);
        eprintln!("DBG small {:?}", dbg_start.elapsed());
        found
    }

    fn memory(&self) -> std::sync::MutexGuard<'_, BlockMemory> {
        let thread = rayon::current_thread_index().expect("verification runs in the pool");
        self.memories[thread].lock().expect("no holder panics")
    }

    fn count_memory(&self, num_bytes: usize) {
        self.matrix_bytes.fetch_max(num_bytes as u64, Ordering::Relaxed);
    }

    /// Whether pairs of a text and its copies are to be reported.
    fn has_copies(&self, first: DocId) -> bool {
        self.copies_are_pairs && self.documents.has_copies(first)
    }
}
