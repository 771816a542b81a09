//! The second pass: candidates verified in parallel, their pairs leaving in document order.
//!
//! Documents are taken in sweeps. In a sweep the texts that hang together by buckets are verified one component after
//! another: a small one by one thread as a family, what is larger in blocks. Then the sweep is walked in order, exact
//! copies are joined in, and the pairs leave. Only what a later copy still needs is kept: the neighbours of texts that occur
//! more than once.

mod block;
mod crowds;
mod families;
mod found;
mod joiner;
mod set_cache;
mod settings;
mod summary;
mod sweep;

use std::sync::Mutex;

use rayon::prelude::*;

use self::crowds::Crowds;
use self::families::FamilyMemory;
use self::found::{Found, Neighbour, in_document_order};
use self::joiner::Joiner;
use self::set_cache::{Cached, SetCache};
pub use self::settings::PairSettings;
pub(crate) use self::summary::SearchSummary;
use self::sweep::{Frontier, Sweep, Swept};
use crate::banding::{BucketTable, Candidates};
use crate::corpus::CorpusSettings;
use crate::document::{DocId, Documents};
use crate::error::Result;
use crate::input::Sources;
use crate::observe::Observer;
use crate::removal::Removal;
use crate::signature::equal_values;
use crate::verify::{DuplicatePair, Threshold};

/// Takes pairs in document order, a batch at a time.
pub type Sink<'a> = &'a mut (dyn FnMut(&Documents, &[DuplicatePair]) -> Result<()> + Send);

/// Candidates in a sweep, estimated before, beyond which it takes no further document, when the memory has no room for more:
/// their pairs wait in some megabytes. With 2^19 in place of 2^16 a crowd of 3,000 took 37 MB of 16, and half the time. Few in
/// tests, for the sake of many sweeps.
const LEAST_SWEEP: u64 = if cfg!(test) { 1 << 10 } else { 1 << 16 };
/// And not more, which are some tens of megabytes of neighbours.
const MOST_SWEEP: u64 = 1 << 21;
/// Most bytes of the sets of a family, as far as can be told before.
const FAMILY_BYTES: u64 = 4 << 20;
/// Most texts in a block.
const BLOCK_TEXTS: usize = 1024;
/// Candidates in a block, as far as can be told before, beyond which it takes no further text: some tens of megabytes
/// of candidates and pairs.
const BLOCK_CANDIDATES: usize = 1 << 19;
/// Bytes of the sets of a block's own texts for each thread, as far as can be told before, as long as all sets fit the
/// memory: what a block takes is in memory at a time, and with more of it the second pass gets no faster.
const THREAD_BLOCK_BYTES: u64 = 8 << 20;

pub(crate) struct PairSearch<'a> {
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
    crowds: Crowds,
    /// Most bytes of sets, as far as can be told before, of the texts of one block, and of the candidates held against
    /// them at a time.
    most_block_bytes: u64,
    /// Most bytes of the sets of a family, as far as can be told before.
    most_family_bytes: u64,
    /// Most candidates of a sweep, as far as can be told before.
    most_candidates: usize,
    /// One for each thread of the pool.
    gatherers: Vec<Mutex<Candidates<'a>>>,
    /// Where each candidate at hand stands in its tile.
    places: Vec<u32>,
}

impl<'a> PairSearch<'a> {
    pub(crate) fn new(
        observer: &'a dyn Observer,
        corpus: CorpusSettings<'a>,
        settings: PairSettings,
        removal: Option<&'a Removal>,
        documents: &'a Documents,
        table: &'a BucketTable,
        sources: &'a Sources,
    ) -> Self {
        let (memory, threads) = (corpus.memory(), corpus.resources.threads.get());
        Self {
            observer,
            documents,
            table,
            threshold: settings.threshold,
            num_hashes: corpus.banding.num_hashes() as u32,
            collapse_exact: settings.collapse_exact,
            takes_out: removal.is_some(),
            copies_are_pairs: documents.scope().compares_within_cells(),
            sets: SetCache::new(observer, corpus, removal, documents, table, sources, memory.kept_sets()),
            crowds: Crowds::new(settings.threshold, memory.crowds()),
            most_candidates: (memory.found() / size_of::<Neighbour>() as u64).clamp(LEAST_SWEEP, MOST_SWEEP) as usize,
            most_block_bytes: memory.block_side(),
            most_family_bytes: FAMILY_BYTES.min(memory.families() / threads as u64),
            gatherers: (0..threads).map(|_| Mutex::new(table.candidates())).collect(),
            places: vec![0; documents.len()],
        }
    }

    /// Bytes that a search takes for so many documents, whatever their candidates.
    pub(crate) fn table_bytes(num_documents: usize) -> usize {
        // Where each stands in its tile, and where its set is held.
        2 * size_of::<u32>() * num_documents
    }

    /// Verifies all candidates and passes the pairs on, in document order.
    pub(crate) fn run(mut self, sink: Sink<'_>) -> Result<SearchSummary> {
        let mut summary = SearchSummary::default();
        let num_documents = self.documents.len();
        let observer = self.observer;
        observer.total(num_documents as u64);
        let mut joiner = Joiner::new(&self, sink);
        let mut start = 0;
        while start < num_documents {
            let sweep = self.next_sweep(start);
            let found = self.verify_sweep(&sweep);
            summary.candidates += found.iter().map(|found| found.num_candidates).sum::<u64>();
            start = sweep.documents.end;
            let without_text = (sweep.documents.len() - sweep.texts.len()) as u64;
            joiner.join(sweep.documents, in_document_order(&found))?;
            observer.advance(without_text, without_text, 0);
        }
        joiner.flush()?;
        summary.pairs = joiner.num_pairs;
        summary.set_bytes = self.sets.peak_bytes();
        for problem in self.sets.into_problems() {
            summary.problems.count(&problem);
            observer.problem(&problem);
        }
        Ok(summary)
    }

    /// Verifies the texts of a sweep against their candidates.
    fn verify_sweep(&mut self, sweep: &Sweep) -> Vec<Found> {
        self.sets.count_beside(self.crowds.num_bytes());
        let components: Vec<&[Swept]> = sweep.texts.chunk_by(|a, b| a.component == b.component).collect();
        let start = || (Found::default(), Vec::new(), FamilyMemory::default());
        // No thread should end much later than the others.
        let most_at_a_time = components.len() / (64 * self.gatherers.len()) + 1;
        let families = components.par_iter().with_max_len(most_at_a_time).fold(
            start,
            |(mut found, mut larger, mut memory), texts| {
                if self.verify_family(texts, &mut memory, &mut found) {
                    self.observer.advance(texts.len() as u64, texts.len() as u64, 0);
                } else {
                    larger.push(*texts);
                }
                (found, larger, memory)
            },
        );
        let (mut found, larger): (Vec<Found>, Vec<_>) = families.map(|(found, larger, _)| (found, larger)).unzip();
        let larger = larger.concat().concat();
        let mut found_bytes = found.iter().map(Found::num_bytes).sum();
        let mut rest = larger.as_slice();
        while let Some(&next) = rest.first() {
            let texts = rest.split_off(..self.block_len(rest)).expect("a block is no longer than what is left");
            let frontier = Frontier { table: self.table, sweep: sweep.documents.clone(), next };
            let firsts: Vec<DocId> = texts.iter().map(|text| text.first).collect();
            let found_in_block = self.verify_block(&firsts, &frontier, found_bytes);
            found_bytes += found_in_block.num_bytes();
            found.push(found_in_block);
            self.observer.advance(texts.len() as u64, texts.len() as u64, 0);
        }
        self.sets.count_beside(found_bytes + self.crowds.num_bytes());
        found
    }

    /// How many of these texts make a block.
    fn block_len(&self, texts: &[Swept]) -> usize {
        let (mut num_candidates, mut num_bytes) = (0, 0);
        // What does not fit is read again for each block: then the fewer blocks the better.
        let enough = THREAD_BLOCK_BYTES * self.gatherers.len() as u64;
        let most_bytes = if self.sets.is_full() { self.most_block_bytes } else { self.most_block_bytes.min(enough) };
        let fits = |text: &&Swept| {
            let fits = num_candidates < BLOCK_CANDIDATES && num_bytes < most_bytes;
            num_candidates += self.table.least_candidates(text.first);
            num_bytes += self.sets.most_bytes(text.first);
            fits
        };
        texts.iter().take(BLOCK_TEXTS).take_while(fits).count()
    }

    /// Appends the candidates of a text, ascending.
    fn gather(&self, first: DocId, candidates: &mut Vec<DocId>) {
        let scope = self.documents.scope();
        let thread = rayon::current_thread_index().expect("verification runs in the pool");
        let mut gatherer = self.gatherers[thread].lock().expect("no holder panics");
        let gathered = gatherer.of(first);
        if scope.is_all() {
            candidates.extend_from_slice(gathered);
        } else {
            candidates.extend(gathered.iter().filter(|&&candidate| scope.may_pair(first, candidate)));
        }
    }

    /// A candidate that shares so many shingles as the threshold asks for; `None` if one of the two has to be read again
    /// and cannot.
    fn neighbour(
        &self,
        (first, own): (DocId, &Cached),
        (other, candidate): (DocId, &Cached),
        shared: u64,
    ) -> Option<Neighbour> {
        let loader = &self.sets.loader;
        let own_signature = loader.signature(first, own)?;
        let signature = loader.signature(other, candidate)?;
        Some(Neighbour {
            first: other,
            shingles: count(loader.num_shingles(other, candidate)?),
            shared: count(shared),
            equal_values: count(equal_values(own_signature, signature) as u64),
            removed: count(candidate.num_removed()),
            shared_removed: count(own.shared_removed(candidate)),
        })
    }

    /// Whether pairs of a text and its copies are to be told.
    fn has_copies(&self, first: DocId) -> bool {
        self.copies_are_pairs && self.documents.has_copies(first)
    }
}

fn count(number: u64) -> u32 {
    u32::try_from(number).expect("fewer than 2^32 shingles")
}
