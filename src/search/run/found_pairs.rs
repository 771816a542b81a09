//! `FoundPairs`: the pairs of texts that a run verifies, as each [`PairSource`](crate::search::pairs::PairSource) returns them.

use std::sync::Arc;

use super::candidate_sums::CandidateSums;
use super::settings::Settings;
use super::summary::Summary;
use crate::base::error::Result;
use crate::compare::verify::DuplicatePair;
use crate::documents::document::Documents;
use crate::search::corpus::Sample;
use crate::search::matching::Matches;
use crate::search::pairs::{PairSearch, PassageSearch, SearchSummary, Sink};
use crate::sign::banding::{BucketTable, CandidateSource, ListedCandidates, SignatureBits, TableCandidates};

/// The pairs that a source has found, one variant for each source.
pub(super) enum FoundPairs {
    /// Texts that share a bucket, to be verified, and the bits of their signatures, if some candidates are excluded by them.
    Table(BucketTable, Option<SignatureBits>),
    /// Texts that may reach the threshold, to be verified.
    Joined(ListedCandidates),
    /// Texts that match by their passages.
    Matches(Matches),
}

impl FoundPairs {
    /// The candidates of all documents, estimated from the candidates of a sample.
    ///
    /// # Errors
    /// When the run was cancelled.
    pub(super) fn sums(
        &self,
        sample: &Sample,
        documents: &Documents,
        settings: &Settings,
    ) -> Result<Option<CandidateSums>> {
        let sums = |candidates: &dyn CandidateSource| {
            CandidateSums::new(sample, documents, candidates, &settings.cancel).map(Some)
        };
        match self {
            Self::Table(table, _) => sums(&TableCandidates::new(table, settings.resources.threads.get())),
            Self::Joined(candidates) => sums(candidates),
            Self::Matches(_) => Ok(None),
        }
    }

    /// The bytes of the bucket table and of what its candidates need. `None` for other sources, whose pairs are within the
    /// memory of the run.
    pub(super) fn table_bytes(&self) -> Option<usize> {
        match self {
            Self::Table(table, bits) => {
                let bits = bits.as_ref().map_or(0, SignatureBits::num_bytes);
                Some(table.num_bytes() + bits + PairSearch::table_bytes(table))
            }
            Self::Joined(_) | Self::Matches(_) => None,
        }
    }

    /// Gives the passages that are known already to the search for passages.
    pub(super) fn passages<'a>(&self, search: PassageSearch<'a>) -> PassageSearch<'a> {
        match self {
            Self::Matches(matches) => search.of_matches(Arc::clone(&matches.alignments)),
            Self::Table(..) | Self::Joined(_) => search,
        }
    }

    /// The pairs of documents with themselves, in document order: those that repeat blocks, in a search for blocks.
    pub(super) fn own(&self, documents: &Documents, settings: &Settings) -> Vec<DuplicatePair> {
        let num_hashes = settings.banding.num_hashes() as u32;
        match self {
            Self::Matches(matches) => matches.own.pairs(documents, settings.pairs.collapse_exact, num_hashes),
            Self::Table(..) | Self::Joined(_) => Vec::new(),
        }
    }

    /// Verifies the pairs, in the thread pool of the run.
    ///
    /// # Errors
    /// When the sink fails.
    pub(super) fn verify<'a>(&'a self, search: PairSearch<'a>, sink: Sink<'_>) -> Result<SearchSummary> {
        match self {
            Self::Table(table, bits) => search.filtered_by(bits.as_ref()).run(table, sink),
            Self::Joined(candidates) => search.run_source(candidates, sink),
            Self::Matches(matches) => search.run_known(&matches.candidates, sink),
        }
    }

    /// Puts the numbers of the search for matching passages into the summary, instead of the numbers of the verification.
    pub(super) fn complete(&self, summary: &mut Summary) {
        match self {
            Self::Table(..) | Self::Joined(_) => {}
            Self::Matches(matches) => {
                (summary.candidates, summary.seeds_capped) = (matches.summary.aligned, Some(matches.seeds_capped));
            }
        }
    }

    /// Checks that all pairs could be read.
    ///
    /// # Errors
    /// When some could not be read, so that pairs are missing.
    pub(super) fn check(self) -> Result<()> {
        match self {
            Self::Table(..) => Ok(()),
            Self::Joined(candidates) => candidates.check(),
            Self::Matches(matches) => matches.candidates.check(),
        }
    }
}
