//! `CandidateSource`: a document in, its candidates out. The search for pairs sees nothing else of banding.
//!
//! The bucket table is one such source; a database could be another.

use super::{BucketTable, Candidates};
use crate::document::DocId;
use crate::flat::per_thread::PerThread;

/// The candidate pairs of a corpus, by their first documents. Its methods are called a few times a document, and never in
/// an inner loop.
pub(crate) trait CandidateSource: Sync {
    /// Appends the candidates of a document: later documents, ascending, each once.
    ///
    /// # Panics
    /// Outside the thread pool of the run.
    fn gather(&self, document: DocId, candidates: &mut Vec<DocId>);

    /// A lower bound of the number of candidates of a document: not 0 when it has any.
    fn least_candidates(&self, document: DocId) -> usize;

    /// The first document of the component of a document. No document of a component is a candidate of one outside of it.
    fn component(&self, document: DocId) -> DocId;

    /// The last document whose candidates cannot be verified without `document`: itself when it has candidates, else the
    /// last document that it is a candidate of, or itself when there is none.
    fn last_user(&self, document: DocId) -> DocId;
}

/// A bucket table as a source, with the memory in which each thread gathers.
pub(crate) struct TableCandidates<'t> {
    table: &'t BucketTable,
    gathered: PerThread<Candidates<'t>>,
}

impl<'t> TableCandidates<'t> {
    /// * `num_threads`: of the pool that will ask for candidates.
    pub(crate) fn new(table: &'t BucketTable, num_threads: usize) -> Self {
        Self { table, gathered: PerThread::new(num_threads, || table.candidates()) }
    }
}

impl CandidateSource for TableCandidates<'_> {
    fn gather(&self, document: DocId, candidates: &mut Vec<DocId>) {
        candidates.extend_from_slice(self.gathered.get().of(document));
    }

    fn least_candidates(&self, document: DocId) -> usize {
        self.table.least_candidates(document)
    }

    fn component(&self, document: DocId) -> DocId {
        self.table.component(document)
    }

    fn last_user(&self, document: DocId) -> DocId {
        self.table.last_user(document)
    }
}
