//! The second pass: verifies all candidate pairs in parallel and passes duplicate pairs on in document order.
//!
//! [`verify_windows`] proceeds in *windows*, ranges of consecutive documents. Within a window it verifies one
//! *component* after another: the texts that are connected by shared buckets, directly or through others. Texts of
//! different components are never candidates of each other. The texts of a component are read into *blocks*, in which
//! each shingle has a number and a text is a row of bits ([`count`]). One thread verifies a small component; all threads
//! together verify a large one. Then the pairs of the window leave in document order, together with the pairs of exact
//! copies.
//!
//! Clustering needs fewer pairs where many documents are alike: only the pairs that connect a component (`spanning`),
//! or the pairs with a centre (`stars`).
//!
//! With passages, the documents of each pair are read a third time before the pair leaves ([`PassageSearch`]). So are
//! programs that are also compared by their names ([`IdentifierSearch`]).
//!
//! The search is independent of files and signatures: a [`CandidateSource`](crate::sign::banding::CandidateSource) provides
//! the candidates, and a [`SetSource`](sets::SetSource) provides the shingle sets. This module connects it to the
//! bucket table and to documents that are read a second time.

mod context;
mod count;
mod coverages;
mod emit;
mod found;
mod kept_documents;
mod min_similarity;
mod identifiers;
mod passages;
mod plan;
mod windows;
mod sets;
mod settings;
mod sink;
mod spanning;
mod stars;
mod summary;

use self::context::VerifyContext;
pub use self::coverages::Coverages;
pub(crate) use self::coverages::PairCoverages;
use self::emit::PairEmitter;
pub(crate) use self::identifiers::IdentifierSearch;
pub(crate) use self::min_similarity::LeastSimilarities;
pub(crate) use self::passages::{PassageSearch, PositionedTokens};
use self::plan::SearchLimits;
use self::sets::RereadSets;
pub use self::settings::{PairSettings, PairSource};
pub use self::sink::{PairBatch, PairSink, Sink};
pub(crate) use self::summary::SearchSummary;
use self::windows::verify_windows;
use crate::base::error::Result;
use crate::base::observe::{Observer, Unwatched};
use crate::compare::clusters::CentreOrder;
use crate::compare::verify::Threshold;
use crate::documents::document::{DocId, Documents};
use crate::search::corpus::ReadCorpus;
use crate::sign::banding::{
    BucketTable, CandidateSource, FilteredCandidates, ListedCandidates, SignatureBits, TableCandidates,
};

/// The number of documents in a bucket from which on only the needed pairs are verified, where fewer pairs suffice. A
/// smaller value means more rereading; a larger value means more needless verification.
const LARGE_BUCKET: usize = 256;

/// A search for the duplicate pairs of a corpus that the first pass has read.
pub(crate) struct PairSearch<'a> {
    observer: &'a dyn Observer,
    documents: &'a Documents,
    settings: PairSettings,
    removes_shingles: bool,
    num_hashes: u32,
    limits: SearchLimits,
    sets: RereadSets<'a>,
    /// The bits of signatures that exclude candidates, if some are excluded.
    bits: Option<&'a SignatureBits>,
    /// The order of centres, when only the pairs that their stars need are requested.
    centres: Option<&'a CentreOrder>,
}

impl<'a> PairSearch<'a> {
    pub(crate) fn new(corpus: ReadCorpus<'a>, settings: PairSettings) -> Self {
        let stages = corpus.settings;
        Self {
            observer: corpus.observer,
            documents: corpus.documents,
            settings,
            removes_shingles: corpus.removal.is_some(),
            num_hashes: stages.banding.num_hashes() as u32,
            limits: SearchLimits::new(corpus.memory(), corpus.threads(), stages.kept.is_some()),
            sets: RereadSets::new(corpus),
            bits: None,
            centres: None,
        }
    }

    /// Excludes candidates by their signatures before their texts are read.
    pub(crate) fn filtered_by(self, bits: Option<&'a SignatureBits>) -> Self {
        Self { bits, ..self }
    }

    /// Restricts the search to the pairs that the stars of centres need, where that saves verifying others.
    /// Has no effect with sides or groups.
    pub(crate) fn of_stars(self, centres: &'a CentreOrder) -> Self {
        Self { centres: Some(centres), ..self }
    }

    /// The bytes that a search in a table needs, whatever its candidates.
    pub(crate) fn table_bytes(table: &BucketTable) -> usize {
        FilteredCandidates::num_bytes_of(table)
    }

    /// Verifies all candidate pairs of a table and passes the duplicate pairs on, in document order.
    ///
    /// # Errors
    /// When the sink fails.
    ///
    /// # Panics
    /// Outside the thread pool of the run.
    pub(crate) fn run(self, table: &BucketTable, sink: Sink<'_>) -> Result<SearchSummary> {
        let summary = match self.centres.filter(|_| self.documents.scope().is_all()) {
            Some(centres) => self.search_stars(table, centres.text_positions(self.documents), LARGE_BUCKET, sink)?,
            None if self.is_spanning() => self.search_spanning(table, LARGE_BUCKET, sink)?,
            None => self.search_table(table, sink)?,
        };
        Ok(self.finish(summary))
    }

    /// Passes on pairs that are already known to be reported, with their copies and counts, whatever their similarity.
    ///
    /// # Errors
    /// When the sink fails.
    ///
    /// # Panics
    /// Outside the thread pool of the run.
    pub(crate) fn run_known(self, pairs: &dyn CandidateSource, sink: Sink<'_>) -> Result<SearchSummary> {
        let core = VerifyContext::new(self.observer, self.documents, pairs, &self.sets, Threshold::ZERO);
        let summary = verify_windows(&core, &self.limits, self.emitter(self.settings.collapse_exact, sink))?;
        Ok(self.finish(summary))
    }

    /// Verifies the candidate pairs of any source and passes the duplicate pairs on, in document order.
    ///
    /// # Errors
    /// When the sink fails.
    ///
    /// # Panics
    /// Outside the thread pool of the run.
    pub(crate) fn run_source(self, candidates: &dyn CandidateSource, sink: Sink<'_>) -> Result<SearchSummary> {
        let summary = self.search_in(candidates, sink)?;
        Ok(self.finish(summary))
    }

    fn finish(self, mut summary: SearchSummary) -> SearchSummary {
        for problem in self.sets.into_problems() {
            summary.problems.count(&problem);
            self.observer.problem(&problem);
        }
        summary
    }

    fn is_spanning(&self) -> bool {
        self.settings.spanning && self.documents.scope().is_all()
    }

    /// Verifies all candidate pairs of a table that their signatures do not exclude.
    fn search_table(&self, table: &BucketTable, sink: Sink<'_>) -> Result<SearchSummary> {
        let candidates = TableCandidates::new(table, self.limits.num_threads);
        match self.bits.map(|bits| FilteredCandidates::new(self.documents, &candidates, bits)) {
            None => self.search_in(&candidates, sink),
            Some(filtered) => Ok(self.search_in(&filtered, sink)?.with_excluded(filtered.num_excluded())),
        }
    }

    /// Verifies all candidate pairs of a source.
    fn search_in(&self, candidates: &dyn CandidateSource, sink: Sink<'_>) -> Result<SearchSummary> {
        let core = VerifyContext::new(self.observer, self.documents, candidates, &self.sets, self.settings.threshold);
        let collapse_exact = self.settings.collapse_exact || self.is_spanning();
        verify_windows(&core, &self.limits, self.emitter(collapse_exact, sink))
    }

    /// Verifies the listed pairs of different texts that their signatures do not exclude.
    ///
    /// * `pairs`: pairs of texts by their first documents, the earlier one first, with possible repeats.
    fn search_listed(&self, mut pairs: Vec<(DocId, DocId)>, sink: Sink<'_>) -> Result<SearchSummary> {
        pairs.sort_unstable();
        pairs.dedup();
        let all = pairs.len();
        if let Some(bits) = self.bits {
            bits.retain_pairs(&mut pairs);
        }
        let excluded = all - pairs.len();
        let candidates = ListedCandidates::new(self.documents.len(), &pairs);
        let core = VerifyContext::new(&Unwatched, self.documents, &candidates, &self.sets, self.settings.threshold);
        let emitter = self.emitter(true, sink).without_copies();
        Ok(verify_windows(&core.without_copies(), &self.limits, emitter)?.with_excluded(excluded as u64))
    }

    fn emitter<'s>(&'s self, collapse_exact: bool, sink: Sink<'s>) -> PairEmitter<'s, 's> {
        PairEmitter::new(self.documents, collapse_exact, self.removes_shingles, self.num_hashes, sink)
    }
}

#[cfg(test)]
mod tests;
