//! Matching: documents in, the pairs out of which one shares enough passages with the other.
//!
//! ```text
//! texts -winnowing-> kept hashes -storage-> the texts of each hash -storage-> candidate pairs -alignment-> matches
//! ```
//!
//! Two texts with a common run of an anchor's length share a kept hash ([`Winnower`](crate::passages::Winnower)), and a pair that
//! is reported has such a run. So every match is a candidate, whatever the lengths of the texts. Hashes and pairs go through
//! [`storage`](crate::storage), so memory is bounded. Exact copies are one text.
//!
//! The candidates are aligned without a look at where their passages are; the search for pairs does that for those that match.

mod alignments;
mod buckets;
mod candidates;
mod filter;
mod hash_lists;
mod kept_alignments;
mod loaded_text;
mod postings;
mod settings;
mod summary;

use std::collections::HashMap;
use std::sync::Arc;

use self::alignments::{Alignments, Matched};
use self::candidates::Pairing;
pub(crate) use self::kept_alignments::KeptAlignments;
use self::loaded_text::LoadedText;
pub(crate) use self::postings::Postings;
pub use self::settings::MatchSettings;
pub use self::summary::{KeyCap, MatchSummary, NamedDocuments};
use crate::banding::{ListedCandidates, TextPair};
use crate::corpus::CorpusSettings;
use crate::document::{DocId, Documents};
use crate::error::Result;
use crate::input::Sources;
use crate::observe::Observer;
use crate::problem::Problem;
use crate::removal::Removal;

/// The pairs of texts that match.
pub(crate) struct Matches {
    pub(crate) candidates: ListedCandidates,
    /// Of these, as many as fit the memory.
    pub(crate) alignments: KeptAlignments,
    pub(crate) summary: MatchSummary,
    /// Places of shared runs that were not looked at, in all aligned pairs.
    pub(crate) seeds_capped: u64,
    /// Documents that could not be read again.
    pub(crate) problems: Vec<Problem>,
}

/// Finds the pairs of texts that share a hash.
pub(crate) struct MatchSearch<'a> {
    pub(crate) observer: &'a dyn Observer,
    pub(crate) corpus: CorpusSettings<'a>,
    pub(crate) settings: MatchSettings,
    pub(crate) removal: Option<&'a Removal>,
    pub(crate) documents: &'a Documents,
    pub(crate) sources: &'a Sources,
}

/// Pairs of texts that share a hash.
pub(crate) struct CandidatePairs {
    pairs: crate::storage::SortedRecords<TextPair>,
    key_cap: Option<KeyCap>,
    /// All texts, where they fit the memory.
    texts: Option<HashMap<DocId, Arc<LoadedText>>>,
}

impl MatchSearch<'_> {
    /// The candidate pairs; in the thread pool of the run.
    ///
    /// # Errors
    /// When there is no room for them, or the run was cancelled.
    pub(crate) fn candidates(&self, mut postings: Postings) -> Result<CandidatePairs> {
        let Self { observer, corpus, settings, documents, sources, .. } = *self;
        let num_threads = corpus.resources.threads.get();
        let pairing = Pairing { observer, documents, sources, memory: corpus.memory(), num_threads };
        let (pairs, key_cap) = pairing.pairs(&postings, settings.max_key_df, |pair| self.may_match(pair))?;
        Ok(CandidatePairs { pairs, key_cap, texts: postings.texts.take() })
    }

    /// The candidates that match; in the thread pool of the run.
    ///
    /// # Errors
    /// When they cannot be read or kept, or the run was cancelled.
    pub(crate) fn matches(&self, candidates: CandidatePairs) -> Result<Matches> {
        let Self { observer, corpus, settings, removal, documents, sources } = *self;
        let alignments =
            Alignments::new(observer, corpus, settings, removal, documents, sources, candidates.texts.as_ref());
        let Matched { candidates: listed, alignments: kept, aligned, seeds_capped, seeds_capped_in, problems } =
            alignments.run(&candidates.pairs)?;
        let summary = MatchSummary::new(&settings, aligned, candidates.key_cap, seeds_capped_in);
        Ok(Matches { candidates: listed, alignments: kept, summary, seeds_capped, problems })
    }

    /// Whether the lengths of two texts allow a match: one that is too short for enough matched tokens matches equal ones only.
    fn may_match(&self, pair: TextPair) -> bool {
        let num_shingles = [pair.a, pair.b].map(|document| u64::from(self.documents.num_shingles(document)));
        let more = self.corpus.shingles.size() as u64 - 1;
        let most_tokens = |shingles: u64| if shingles == u64::from(u32::MAX) { u64::MAX } else { shingles + more };
        let is_long = num_shingles.iter().all(|&shingles| most_tokens(shingles) >= self.settings.min_matched);
        // What a template leaves of two texts may be equal, whatever they were.
        is_long || self.removal.is_some() || num_shingles[0] == num_shingles[1]
    }
}
