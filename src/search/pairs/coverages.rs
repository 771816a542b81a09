//! `PairCoverages`: computes the share of each document of a pair that common passages cover.
//!
//! It serves the few pairs that groups consist of. It reads documents once more, and aligns pairs that have their
//! second document in common together, so that this document is read once for many pairs.

use rayon::prelude::*;

use crate::base::flat::per_thread::PerThread;
use crate::base::problem::Problem;
use crate::compare::passages::{Aligner, PassageSettings};
use crate::documents::document::{DocId, Documents};
use crate::search::corpus::{ReadCorpus, Rereader, Tools};
use crate::text::removal::remaining_tokens;
use crate::text::shingle::Tokens;

/// The shares of the tokens of two documents that their common passages cover, from 0 to 1.
pub type Coverages = [f64; 2];

/// The maximum number of pairs in one task of a thread.
const PAIRS_AT_ONCE: usize = 64;

/// Aligns pairs of documents, from any thread of the pool.
pub(crate) struct PairCoverages<'a> {
    documents: &'a Documents,
    rereader: Rereader<'a>,
    aligners: PerThread<Aligner>,
}

impl<'a> PairCoverages<'a> {
    pub(crate) fn new(corpus: ReadCorpus<'a>, passages: PassageSettings) -> Self {
        let (threads, bytes) = (corpus.threads(), corpus.memory().passages());
        let aligner = move || Aligner::with_memory(passages, bytes / 2 / threads as u64);
        Self { documents: corpus.documents, rereader: corpus.rereader(), aligners: PerThread::new(threads, aligner) }
    }

    /// The coverages of each pair, in the order of `pairs`; `None` where a document changed or cannot be read. 32 bytes
    /// per pair.
    ///
    /// # Panics
    /// Outside the thread pool of the run.
    pub(crate) fn of(&self, pairs: &[(DocId, DocId)]) -> Vec<Option<Coverages>> {
        let mut order: Vec<usize> = (0..pairs.len()).collect();
        order.sort_unstable_by_key(|&at| (pairs[at].1, at));
        let of_pairs = |order: &[usize]| -> Vec<Option<Coverages>> {
            let with_one = |same: &[usize]| self.with_one(same.iter().map(|&at| pairs[at].0), pairs[same[0]].1);
            order.chunk_by(|&one, &next| pairs[one].1 == pairs[next].1).flat_map(with_one).collect()
        };
        let found: Vec<_> = order.par_chunks(PAIRS_AT_ONCE).with_max_len(1).map(of_pairs).collect();
        let mut coverages = vec![None; pairs.len()];
        for (at, found) in order.into_iter().zip(found.into_iter().flatten()) {
            coverages[at] = found;
        }
        coverages
    }

    /// Returns a problem for each document that could not be read again, in document order.
    pub(crate) fn into_problems(self) -> Vec<Problem> {
        self.rereader.into_problems()
    }

    /// The coverages of pairs that have their second document in common.
    fn with_one(&self, documents: impl Iterator<Item = DocId>, other: DocId) -> Vec<Option<Coverages>> {
        let other = self.documents.first_of_text(other);
        let mut other_tokens = None;
        let coverages = documents.map(|document| {
            let text = self.documents.first_of_text(document);
            if text == other {
                return text.map(|_| [1.0, 1.0]);
            }
            let tokens = self.tokens(text?)?;
            let other_tokens = other_tokens.get_or_insert_with(|| self.tokens(other?)).as_ref()?;
            let alignment = self.aligners.get().align(&tokens, other_tokens);
            Some([alignment.coverage_a(), alignment.coverage_b()])
        });
        coverages.collect()
    }

    fn tokens(&self, text: DocId) -> Option<Tokens> {
        let mut tokens = |text: &[u8], tools: &mut Tools| -> Tokens {
            remaining_tokens(&mut tools.shingler, tools.removal, text.to_vec())
        };
        self.rereader.read_again(text, &mut tokens)
    }
}
