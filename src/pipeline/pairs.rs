//! The second pass: candidates of one document after another, verified in parallel, leaving in document order.
//!
//! Documents are taken in blocks. The pool verifies the firsts of their texts in a block against their candidates; then
//! the block is walked in order, exact copies are joined in, and the pairs leave. Only what a later copy still needs
//! is kept: the neighbours of texts that occur more than once.

use std::cell::Cell;
use std::collections::HashMap;
use std::ops::Range;

use rayon::prelude::*;

use super::set_cache::{Cached, SetCache, Shingles};
use super::{Observer, Sink, Summary};
use crate::banding::BucketTable;
use crate::config::Config;
use crate::document::{DocId, Documents};
use crate::error::Result;
use crate::input::Sources;
use crate::shingle::ShingleIndex;
use crate::signature::equal_values;
use crate::verify::{DuplicatePair, Threshold, Verifier};

/// Pairs handed to the sink at a time.
const BATCH: usize = 1 << 14;
/// Most texts in a block.
const BLOCK_TEXTS: usize = 4096;
/// Candidates in a block, as far as can be told before, beyond which it takes no further text: some megabytes of pairs.
const BLOCK_CANDIDATES: usize = 1 << 18;
/// Candidates of one text that one thread takes at a time.
const CHUNK: usize = 4096;

pub(super) struct PairSearch<'a> {
    observer: &'a dyn Observer,
    documents: &'a Documents,
    table: &'a BucketTable,
    threshold: Threshold,
    num_hashes: u32,
    collapse_exact: bool,
    sets: SetCache<'a>,
}

/// A distinct text that was verified against another, seen from that other one.
#[derive(Debug, Clone, Copy)]
struct Neighbour {
    first: DocId,
    shingles: u32,
    shared: u32,
    equal_values: u32,
}

/// The verified neighbours of one distinct text among the texts that come later.
struct Verified {
    first: DocId,
    shingles: u32,
    num_candidates: u64,
    neighbours: Vec<Neighbour>,
}

/// What copies of a text that are still to come need.
#[derive(Default)]
struct Pending {
    shingles: u32,
    neighbours: Vec<Neighbour>,
}

impl<'a> PairSearch<'a> {
    pub(super) fn new(
        observer: &'a dyn Observer,
        config: &'a Config,
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
            sets: SetCache::new(observer, config, documents, sources),
        }
    }

    /// Verifies all candidates and passes the pairs on, in document order.
    pub(super) fn run(self, sink: Sink<'_>, summary: &mut Summary) -> Result<()> {
        let num_documents = self.documents.len();
        let observer = self.observer;
        observer.total(num_documents as u64);
        let mut joiner = Joiner::new(&self, sink);
        let mut start = 0;
        while start < num_documents {
            let (block, firsts) = self.next_block(start);
            let verified: Vec<Verified> = firsts
                .par_iter()
                .map_init(
                    || self.table.candidates(),
                    |candidates, &first| {
                        let verified = self.verify(first, candidates.of(first));
                        observer.advance(1, 1, 0);
                        verified
                    },
                )
                .flatten()
                .collect();
            summary.candidates += verified.iter().map(|verified| verified.num_candidates).sum::<u64>();
            joiner.join(block.clone(), verified)?;
            let without_candidates = (block.len() - firsts.len()) as u64;
            observer.advance(without_candidates, without_candidates, 0);
            start = block.end;
        }
        joiner.flush()?;
        summary.pairs = joiner.num_pairs;
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
        let mut num_candidates = 0;
        let mut end = start;
        while end < self.documents.len()
            && end - start < MOST_DOCUMENTS
            && firsts.len() < BLOCK_TEXTS
            && num_candidates < BLOCK_CANDIDATES
        {
            let document = DocId::new(end);
            if self.documents.is_first(document) {
                let least = self.table.least_candidates(document);
                if least > 0 || self.documents.copies_of(document).len() > 0 {
                    firsts.push(document);
                    num_candidates += least;
                }
            }
            end += 1;
        }
        (start..end, firsts)
    }

    /// Verifies one text against its candidates; `None` when it can no longer be read.
    fn verify(&self, first: DocId, candidates: &[DocId]) -> Option<Verified> {
        let document = self.sets.get(first)?;
        // Many candidates are shared among the threads; each makes an index of its own, which pays after a few.
        let neighbours: Vec<Neighbour> = if candidates.len() > CHUNK {
            candidates.par_chunks(CHUNK).flat_map_iter(|chunk| self.neighbours(first, &document, chunk)).collect()
        } else {
            self.neighbours(first, &document, candidates)
        };
        // Of a huge set the size is mostly known by now: verifying a candidate counts both sides.
        let shingles = count(self.sets.num_shingles(first, &document)?);
        Some(Verified { first, shingles, num_candidates: candidates.len() as u64, neighbours })
    }

    fn neighbours(&self, first: DocId, document: &Cached, candidates: &[DocId]) -> Vec<Neighbour> {
        let sets = &self.sets;
        let mut verifier = match &document.shingles {
            Shingles::Set(set) => Some(Verifier::reusing(set, INDEX.take())),
            Shingles::Huge(_) => None,
        };
        let mut neighbours = Vec::new();
        for &other in candidates {
            let Some(candidate) = sets.get(other) else { continue };
            let shared = match (&mut verifier, &candidate.shingles) {
                (Some(verifier), Shingles::Set(set)) => {
                    verifier.verify(set, self.threshold).map(|shared| shared as u64)
                }
                _ => sets.verify_huge((first, document), (other, &candidate), self.threshold),
            };
            let Some(shared) = shared else { continue };
            let Some(own_signature) = sets.signature(first, document) else { continue };
            let Some(signature) = sets.signature(other, &candidate) else { continue };
            let Some(shingles) = sets.num_shingles(other, &candidate) else { continue };
            neighbours.push(Neighbour {
                first: other,
                shingles: count(shingles),
                shared: count(shared),
                equal_values: count(equal_values(own_signature, signature) as u64),
            });
        }
        if let Some(verifier) = verifier {
            INDEX.set(verifier.into_index());
        }
        neighbours
    }
}

thread_local! {
    /// The memory of the last index that a thread made.
    static INDEX: Cell<ShingleIndex> = Cell::default();
}

fn count(number: u64) -> u32 {
    u32::try_from(number).expect("fewer than 2^32 shingles")
}

/// Walks the documents in order, joins exact copies in, and passes pairs on in batches.
struct Joiner<'s, 'a> {
    documents: &'a Documents,
    collapse_exact: bool,
    num_hashes: u32,
    sink: Sink<'s>,
    pending: HashMap<DocId, Pending>,
    batch: Vec<DuplicatePair>,
    num_pairs: u64,
}

impl<'s, 'a> Joiner<'s, 'a> {
    fn new(search: &PairSearch<'a>, sink: Sink<'s>) -> Self {
        Self {
            documents: search.documents,
            collapse_exact: search.collapse_exact,
            num_hashes: search.num_hashes,
            sink,
            pending: HashMap::new(),
            batch: Vec::with_capacity(BATCH),
            num_pairs: 0,
        }
    }

    fn join(&mut self, block: Range<usize>, verified: Vec<Verified>) -> Result<()> {
        let mut verified = verified.into_iter().peekable();
        for document in block.map(DocId::new) {
            let own = verified.next_if(|verified| verified.first == document);
            let Some(first) = self.documents.first_of_text(document) else { continue };
            if own.is_none() && self.pending.is_empty() {
                continue;
            }
            if self.collapse_exact {
                self.join_collapsed(own)?;
            } else {
                self.join_all(document, first, own)?;
            }
        }
        Ok(())
    }

    /// The copies of a text are paired with its first document, and texts with each other.
    fn join_collapsed(&mut self, own: Option<Verified>) -> Result<()> {
        let Some(Verified { first, shingles, mut neighbours, .. }) = own else { return Ok(()) };
        neighbours.extend(self.copies(first, shingles));
        neighbours.sort_unstable_by_key(|neighbour| neighbour.first);
        self.emit(first, shingles, &neighbours)
    }

    /// Every document with a near-duplicate or equal text is paired with every other one.
    fn join_all(&mut self, document: DocId, first: DocId, own: Option<Verified>) -> Result<()> {
        let documents = self.documents;
        if let Some(verified) = own {
            self.expect_copies(&verified);
            if documents.copies_of(first).len() == 0 && !self.pending.contains_key(&first) {
                // The common case: no copy on this side, perhaps some on the other.
                let mut partners: Vec<Neighbour> = Vec::with_capacity(verified.neighbours.len());
                for neighbour in &verified.neighbours {
                    partners.push(*neighbour);
                    partners.extend(
                        documents.copies_of(neighbour.first).map(|copy| Neighbour { first: copy, ..*neighbour }),
                    );
                }
                partners.sort_unstable_by_key(|partner| partner.first);
                return self.emit(document, verified.shingles, &partners);
            }
            let pending = self.pending.entry(first).or_default();
            pending.shingles = verified.shingles;
            pending.neighbours.extend(verified.neighbours);
        }
        let last = documents.copies_of(first).next_back().unwrap_or(first);
        let Some(pending) = self.pending.remove(&first) else { return Ok(()) };
        let mut partners = Vec::new();
        for neighbour in &pending.neighbours {
            let members = std::iter::once(neighbour.first).chain(documents.copies_of(neighbour.first));
            let later = members.filter(|&member| member > document);
            partners.extend(later.map(|member| Neighbour { first: member, ..*neighbour }));
        }
        partners.extend(self.copies(first, pending.shingles).filter(|copy| copy.first > document));
        partners.sort_unstable_by_key(|partner| partner.first);
        let shingles = pending.shingles;
        if document < last {
            self.pending.insert(first, pending);
        }
        self.emit(document, shingles, &partners)
    }

    /// Keeps what later documents need of a text's neighbours: a neighbour whose copies, or which itself, comes before a
    /// copy of this text has that pair to report.
    fn expect_copies(&mut self, verified: &Verified) {
        let last = self.documents.copies_of(verified.first).next_back();
        for neighbour in &verified.neighbours {
            if last.is_some_and(|last| last > neighbour.first) {
                let pending = self.pending.entry(neighbour.first).or_default();
                pending.shingles = neighbour.shingles;
                pending.neighbours.push(Neighbour { first: verified.first, shingles: verified.shingles, ..*neighbour });
            }
        }
    }

    /// The copies of a text, as neighbours that share everything.
    fn copies(&self, first: DocId, shingles: u32) -> impl Iterator<Item = Neighbour> + use<'a> {
        let equal_values = self.num_hashes;
        let documents = self.documents;
        documents.copies_of(first).map(move |copy| Neighbour { first: copy, shingles, shared: shingles, equal_values })
    }

    fn emit(&mut self, a: DocId, shingles_a: u32, partners: &[Neighbour]) -> Result<()> {
        for partner in partners {
            self.batch.push(DuplicatePair {
                a,
                b: partner.first,
                shared: partner.shared.into(),
                shingles_a: shingles_a.into(),
                shingles_b: partner.shingles.into(),
                equal_values: partner.equal_values,
                num_hashes: self.num_hashes,
            });
            if self.batch.len() == BATCH {
                self.flush()?;
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        self.num_pairs += self.batch.len() as u64;
        if !self.batch.is_empty() {
            (self.sink)(self.documents, &self.batch)?;
            self.batch.clear();
        }
        Ok(())
    }
}
