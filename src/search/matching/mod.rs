//! Matching finds the pairs of documents in which one shares enough passages with the other.
//!
//! ```text
//! texts -winnowing-> kept hashes -storage-> the texts of each hash -storage-> candidate pairs -alignment-> matches
//! ```
//!
//! Winnowing keeps some of the hashes of a text's token runs, such that two texts with a common run of an anchor's
//! length share a kept hash ([`Winnower`](crate::compare::passages::Winnower)). A pair that is reported has such a run, so every
//! match is a candidate, whatever the lengths of the texts. Hashes and pairs go through [`storage`](crate::base::storage), so
//! memory is bounded. Exact copies count as one text.
//!
//! The alignment of candidates ignores where their passages are in the files; the pair search locates the passages of
//! the pairs that match.

mod alignments;
mod buckets;
mod candidates;
mod filter;
mod hash_lists;
mod kept_alignments;
mod loaded_text;
mod own_texts;
mod postings;
mod settings;
mod summary;

use std::collections::HashMap;
use std::sync::Arc;

use self::alignments::{Matched, PairAligner};
use self::candidates::PairMaker;
pub(crate) use self::kept_alignments::KeptAlignments;
use self::loaded_text::LoadedText;
pub(crate) use self::own_texts::OwnTexts;
pub(crate) use self::postings::Postings;
pub use self::settings::MatchSettings;
pub use self::summary::{KeyCap, MatchSummary, NamedDocuments};
use crate::base::error::Result;
use crate::base::problem::Problem;
use crate::documents::document::DocId;
use crate::search::corpus::ReadCorpus;
use crate::sign::banding::{ListedCandidates, TextPair};

/// The pairs of texts that match.
pub(crate) struct Matches {
    pub(crate) candidates: ListedCandidates,
    /// The alignments of these pairs, as many as fit the memory.
    pub(crate) alignments: Arc<KeptAlignments>,
    /// The texts that repeat blocks, in a search for blocks.
    pub(crate) own: OwnTexts,
    pub(crate) summary: MatchSummary,
    /// The number of positions of shared token runs that were skipped, in all aligned pairs.
    pub(crate) seeds_capped: u64,
    /// The documents that could not be read again.
    pub(crate) problems: Vec<Problem>,
}

/// Finds the pairs of texts that share a hash, and the pairs among them that match.
pub(crate) struct MatchSearch<'a> {
    pub(crate) corpus: ReadCorpus<'a>,
    pub(crate) settings: MatchSettings,
}

/// Pairs of texts that share a hash.
pub(crate) struct CandidatePairs {
    pairs: crate::base::storage::SortedRecords<TextPair>,
    key_cap: Option<KeyCap>,
    /// The number of texts too short for a passage.
    short: u64,
    /// All texts, if they fit the memory.
    texts: Option<HashMap<DocId, Arc<LoadedText>>>,
    own: OwnTexts,
}

impl MatchSearch<'_> {
    /// Finds the candidate pairs, in the thread pool of the run.
    ///
    /// # Errors
    /// When memory is too small for them, or the run was cancelled.
    pub(crate) fn candidates(&self, mut postings: Postings) -> Result<CandidatePairs> {
        let Self { corpus, settings } = *self;
        let ReadCorpus { observer, documents, sources, .. } = corpus;
        let pairing =
            PairMaker { observer, documents, sources, memory: corpus.memory(), num_threads: corpus.threads() };
        let (pairs, key_cap) = pairing.pairs(&postings, settings.max_key_df, |pair| self.may_match(pair))?;
        Ok(CandidatePairs { pairs, key_cap, short: postings.short, texts: postings.texts.take(), own: postings.own })
    }

    /// Aligns the candidates and returns the pairs that match, in the thread pool of the run.
    ///
    /// # Errors
    /// When the pairs cannot be read or kept, or the run was cancelled.
    pub(crate) fn matches(&self, candidates: CandidatePairs) -> Result<Matches> {
        let Self { corpus, settings } = *self;
        let alignments = PairAligner::new(corpus, settings, candidates.texts.as_ref());
        let Matched { candidates: listed, alignments: kept, aligned, seeds_capped, seeds_capped_in, problems } =
            alignments.run(&candidates.pairs)?;
        let summary = MatchSummary::new(&settings, aligned, candidates.short, candidates.key_cap, seeds_capped_in);
        Ok(Matches {
            candidates: listed,
            alignments: Arc::new(kept),
            own: candidates.own,
            summary,
            seeds_capped,
            problems,
        })
    }

    /// Whether the lengths of two texts allow a match. A text with fewer than `min_matched` tokens can only match an
    /// equal text.
    fn may_match(&self, pair: TextPair) -> bool {
        let num_shingles = [pair.a, pair.b].map(|document| u64::from(self.corpus.documents.num_shingles(document)));
        let more = self.corpus.settings.shingles.size() as u64 - 1;
        let most_tokens = |shingles: u64| if shingles == u64::from(u32::MAX) { u64::MAX } else { shingles + more };
        let is_long = num_shingles.iter().all(|&shingles| most_tokens(shingles) >= self.settings.min_matched);
        // Texts of any lengths may be equal once shingles of templates are removed.
        is_long || self.corpus.removal.is_some() || num_shingles[0] == num_shingles[1]
    }
}
