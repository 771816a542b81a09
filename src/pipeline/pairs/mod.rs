//! The second pass: candidates of one document after another, verified in parallel, leaving in document order.
//!
//! Documents are taken in blocks. A block's texts are verified against their candidates; then the block is walked in
//! order, exact copies are joined in, and the pairs leave. Only what a later copy still needs is kept: the neighbours of
//! texts that occur more than once.

mod block;
mod joiner;

use std::ops::Range;
use std::sync::Mutex;

use self::joiner::Joiner;
use super::set_cache::SetCache;
use super::{Observer, Sink, Summary};
use crate::banding::{BucketTable, Candidates};
use crate::config::Config;
use crate::document::{DocId, Documents};
use crate::error::Result;
use crate::input::Sources;
use crate::removal::Removal;
use crate::verify::Threshold;

/// Most texts in a block.
const BLOCK_TEXTS: usize = 4096;
/// Candidates in a block, as far as can be told before, beyond which it takes no further text: some tens of megabytes
/// of candidates and pairs.
const BLOCK_CANDIDATES: usize = 1 << 19;

pub(super) struct PairSearch<'a> {
    observer: &'a dyn Observer,
    documents: &'a Documents,
    table: &'a BucketTable,
    threshold: Threshold,
    num_hashes: u32,
    collapse_exact: bool,
    /// Whether a text's documents are pairs with each other.
    copies_are_pairs: bool,
    takes_out: bool,
    sets: SetCache<'a>,
    /// Most bytes of sets, as far as can be told before, of the texts of one block, and of the candidates held against
    /// them at a time.
    most_block_bytes: u64,
    /// One for each thread of the pool.
    gatherers: Vec<Mutex<Candidates<'a>>>,
    /// Where each candidate at hand stands in its tile.
    places: Vec<u32>,
}

/// A distinct text that was verified against another, seen from that other one.
#[derive(Debug, Clone, Copy)]
struct Neighbour {
    first: DocId,
    shingles: u32,
    shared: u32,
    equal_values: u32,
    /// Shingles taken out of it, and out of both.
    removed: u32,
    shared_removed: u32,
}

/// The verified neighbours of one distinct text among the texts that come later.
struct Verified {
    first: DocId,
    shingles: u32,
    removed: u32,
    num_candidates: u64,
    neighbours: Vec<Neighbour>,
}

impl<'a> PairSearch<'a> {
    pub(super) fn new(
        observer: &'a dyn Observer,
        config: &'a Config,
        removal: Option<&'a Removal>,
        documents: &'a Documents,
        table: &'a BucketTable,
        sources: &'a Sources,
    ) -> Self {
        Self {
            observer,
            documents,
            table,
            threshold: config.threshold,
            num_hashes: config.banding.num_hashes() as u32,
            collapse_exact: config.collapse_exact,
            takes_out: removal.is_some(),
            copies_are_pairs: documents.scope().compares_within_cells(),
            // Half of the bytes are for sets that are kept, and a quarter each for both sides of a block, be they kept or not.
            sets: SetCache::new(observer, config, removal, documents, sources, config.memory_bytes / 2),
            most_block_bytes: config.memory_bytes / 4,
            gatherers: (0..config.threads.get()).map(|_| Mutex::new(table.candidates())).collect(),
            places: vec![0; documents.len()],
        }
    }

    /// Bytes that a search takes for so many documents, whatever their candidates.
    pub(super) fn table_bytes(num_documents: usize) -> usize {
        // Where each stands in its tile, and where its set is held.
        2 * size_of::<u32>() * num_documents
    }

    /// Verifies all candidates and passes the pairs on, in document order.
    pub(super) fn run(mut self, sink: Sink<'_>, summary: &mut Summary) -> Result<()> {
        let num_documents = self.documents.len();
        let observer = self.observer;
        observer.total(num_documents as u64);
        let mut joiner = Joiner::new(&self, sink);
        let mut start = 0;
        while start < num_documents {
            let (block, firsts) = self.next_block(start);
            let verified = self.verify_block(&firsts);
            summary.candidates += verified.iter().map(|verified| verified.num_candidates).sum::<u64>();
            let len = block.len() as u64;
            start = block.end;
            joiner.join(block, verified)?;
            observer.advance(len, len, 0);
        }
        joiner.flush()?;
        summary.pairs = joiner.num_pairs;
        summary.memory.sets = self.sets.peak_bytes;
        for problem in self.sets.into_problems() {
            summary.count(&problem);
            observer.problem(&problem);
        }
        Ok(())
    }

    /// The next documents from `start` on, and the texts among them that have candidates or copies.
    fn next_block(&self, start: usize) -> (Range<usize>, Vec<DocId>) {
        /// Documents without candidates cost next to nothing, but the output should keep flowing.
        const MOST_DOCUMENTS: usize = 1 << 18;
        let mut firsts = Vec::new();
        let (mut num_candidates, mut num_bytes) = (0, 0);
        let mut end = start;
        while end < self.documents.len()
            && end - start < MOST_DOCUMENTS
            && firsts.len() < BLOCK_TEXTS
            && num_candidates < BLOCK_CANDIDATES
            && num_bytes < self.most_block_bytes
        {
            let document = DocId::new(end);
            if self.documents.is_first(document) {
                let least = self.table.least_candidates(document);
                if least > 0 || (self.copies_are_pairs && self.documents.copies_of(document).len() > 0) {
                    firsts.push(document);
                    num_candidates += least;
                    num_bytes += self.sets.most_bytes(document);
                }
            }
            end += 1;
        }
        (start..end, firsts)
    }
}

fn count(number: u64) -> u32 {
    u32::try_from(number).expect("fewer than 2^32 shingles")
}
