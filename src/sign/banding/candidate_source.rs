//! `CandidateSource`: the candidates of each document. The search for pairs uses banding only through this trait.
//!
//! A new source also needs the positions that `search/run/found_pairs` lists.

use super::{BucketTable, Candidates};
use crate::base::flat::per_thread::PerThread;
use crate::documents::document::DocId;

/// The candidate pairs of a corpus, by their first documents. Its methods are called a few times per document, never in
/// an inner loop.
pub(crate) trait CandidateSource: Sync {
    /// Appends the candidates of a document: later documents, ascending, each once.
    ///
    /// # Panics
    /// When called outside the thread pool of the run.
    fn gather(&self, document: DocId, candidates: &mut Vec<DocId>);

    /// Does what [`gather`](Self::gather) does, in any order.
    fn gather_unordered(&self, document: DocId, candidates: &mut Vec<DocId>) {
        self.gather(document, candidates);
    }

    /// A lower bound of the number of candidates of a document; above 0 if it has a candidate.
    fn least_candidates(&self, document: DocId) -> usize;

    /// The first document of a document's component. Candidate pairs never connect documents of different components.
    fn component(&self, document: DocId) -> DocId;
}

/// A bucket table as a source, with one gatherer of candidates per thread.
pub(crate) struct TableCandidates<'t> {
    table: &'t BucketTable,
    gathered: PerThread<Candidates<'t>>,
}

impl<'t> TableCandidates<'t> {
    /// Creates the source; `num_threads` is the number of threads in the pool that will call it.
    pub(crate) fn new(table: &'t BucketTable, num_threads: usize) -> Self {
        Self { table, gathered: PerThread::new(num_threads, || table.candidates()) }
    }

    /// The table.
    pub(crate) fn table(&self) -> &'t BucketTable {
        self.table
    }
}

impl CandidateSource for TableCandidates<'_> {
    fn gather(&self, document: DocId, candidates: &mut Vec<DocId>) {
        candidates.extend_from_slice(self.gathered.get().of(document));
    }

    fn gather_unordered(&self, document: DocId, candidates: &mut Vec<DocId>) {
        candidates.extend_from_slice(self.gathered.get().unordered(document));
    }

    fn least_candidates(&self, document: DocId) -> usize {
        self.table.least_candidates(document)
    }

    fn component(&self, document: DocId) -> DocId {
        self.table.component(document)
    }
}
