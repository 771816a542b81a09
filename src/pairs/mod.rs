//! The second pass: verifies all candidate pairs in parallel and passes duplicate pairs on in document order.
//!
//! [`search`](search::search) takes the documents window by window. It verifies the texts of a window component by
//! component, as texts of different components share no bucket: small components each on one thread, large ones in
//! blocks. Then the pairs of the window leave in document order, together with those of exact copies.
//!
//! With passages, the documents of each pair are read a third time before the pair leaves ([`PassageSearch`]).
//!
//! The search knows neither files nor signatures: [`CandidateSource`](crate::banding::CandidateSource) says which pairs
//! are candidates, [`SetSource`](sets::SetSource) provides shingle sets. This file joins it to the bucket table and to
//! documents that are read a second time.

mod core;
mod count;
mod emit;
mod found;
mod least;
mod passages;
mod plan;
mod search;
mod sets;
mod settings;
mod spanning;
mod summary;

use self::core::Core;
use self::count::LargeComponents;
use self::emit::PairEmitter;
pub use self::emit::Sink;
pub(crate) use self::least::LeastSimilarities;
pub(crate) use self::passages::PassageSearch;
pub use self::passages::PassageSink;
use self::plan::SearchLimits;
use self::sets::RereadSets;
pub use self::settings::PairSettings;
pub(crate) use self::summary::SearchSummary;
use crate::banding::{BucketTable, TableCandidates};
use crate::corpus::CorpusSettings;
use crate::document::Documents;
use crate::error::Result;
use crate::input::Sources;
use crate::observe::Observer;
use crate::removal::Removal;

/// A search for the duplicate pairs of a corpus that the first pass has read.
pub(crate) struct PairSearch<'a> {
    observer: &'a dyn Observer,
    documents: &'a Documents,
    settings: PairSettings,
    removes_shingles: bool,
    num_hashes: u32,
    limits: SearchLimits,
    table: &'a BucketTable,
    sets: RereadSets<'a>,
}

impl<'a> PairSearch<'a> {
    /// * `removal`: the shingles that are removed from every document, if any are.
    pub(crate) fn new(
        observer: &'a dyn Observer,
        corpus: CorpusSettings<'a>,
        settings: PairSettings,
        removal: Option<&'a Removal>,
        documents: &'a Documents,
        table: &'a BucketTable,
        sources: &'a Sources,
    ) -> Self {
        let threads = corpus.resources.threads.get();
        Self {
            observer,
            documents,
            settings,
            removes_shingles: removal.is_some(),
            num_hashes: corpus.banding.num_hashes() as u32,
            limits: SearchLimits::new(corpus.memory(), threads),
            table,
            sets: RereadSets::new(observer, corpus, removal, documents, sources),
        }
    }

    /// Bytes that a search takes for so many documents, whatever their candidates.
    pub(crate) fn table_bytes(num_documents: usize) -> usize {
        LargeComponents::DOCUMENT_BYTES * num_documents
    }

    /// Verifies all candidate pairs and passes the duplicate pairs on, in document order.
    ///
    /// # Errors
    /// When the sink fails.
    ///
    /// # Panics
    /// Outside the thread pool of the run.
    pub(crate) fn run(self, sink: Sink<'_>) -> Result<SearchSummary> {
        let mut summary = if self.is_spanning() {
            self.search_spanning(spanning::LARGE_BUCKET, sink)?
        } else {
            self.search_in(self.table, sink)?
        };
        for problem in self.sets.into_problems() {
            summary.problems.count(&problem);
            self.observer.problem(&problem);
        }
        Ok(summary)
    }

    fn is_spanning(&self) -> bool {
        self.settings.spanning && self.documents.scope().is_all()
    }

    /// Verifies all pairs of a table.
    fn search_in(&self, table: &BucketTable, sink: Sink<'_>) -> Result<SearchSummary> {
        let candidates = TableCandidates::new(table, self.limits.num_threads);
        let core = Core::new(self.observer, self.documents, &candidates, &self.sets, self.settings.threshold);
        search::search(&core, &self.limits, self.emitter(sink))
    }

    fn emitter<'s>(&'s self, sink: Sink<'s>) -> PairEmitter<'s, 's> {
        let collapse_exact = self.settings.collapse_exact || self.is_spanning();
        PairEmitter::new(self.documents, collapse_exact, self.removes_shingles, self.num_hashes, sink)
    }
}

#[cfg(test)]
mod tests;
