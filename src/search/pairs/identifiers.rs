//! `IdentifierSearch`: adds to each duplicate pair of programs its similarity with identifiers kept.
//!
//! Pairs come in document order, in batches. A batch is compared in rounds of as many pairs as fit the memory. A round
//! first makes the sets of documents that are not kept from earlier rounds, and then counts the pairs, both in
//! parallel.

use rayon::prelude::*;

use super::kept_documents::KeptDocuments;
use crate::base::problem::Problem;
use crate::compare::verify::{DuplicatePair, KeptNames};
use crate::documents::document::Documents;
use crate::search::corpus::{IdentifierReader, ReadCorpus};
use crate::text::removal::Removal;
use crate::text::shingle::ShingleSet;

/// The maximum number of pairs in a round.
const MOST_PAIRS: usize = 1 << 12;

/// Compares programs with their identifiers kept.
pub(crate) struct IdentifierSearch<'a> {
    documents: &'a Documents,
    reader: IdentifierReader<'a>,
    kept: KeptDocuments<ShingleSet>,
}

impl<'a> IdentifierSearch<'a> {
    /// * `size`: the number of tokens in a shingle.
    /// * `removal`: the shingles with identifiers kept that are removed.
    pub(crate) fn new(corpus: ReadCorpus<'a>, size: usize, removal: Option<&'a Removal>) -> Self {
        Self {
            documents: corpus.documents,
            reader: IdentifierReader::new(corpus, size, removal),
            kept: KeptDocuments::new(size_of::<u64>() as u64, corpus.memory().kept_names()),
        }
    }

    /// Returns the pairs with their similarity by kept identifiers, or without it where a document could not be read
    /// again.
    ///
    /// # Panics
    /// Outside the thread pool of the run.
    pub(crate) fn compared(&mut self, pairs: &[DuplicatePair]) -> Vec<DuplicatePair> {
        let mut compared = pairs.to_vec();
        let mut rest = compared.as_mut_slice();
        while !rest.is_empty() {
            let (len, missing) = self
                .kept
                .begin_round(|document| self.documents.num_shingles(document), &rest[..rest.len().min(MOST_PAIRS)]);
            let loaded: Vec<_> = missing.par_iter().map(|&document| self.reader.read(document)).collect();
            for (document, set) in missing.into_iter().zip(loaded) {
                let num_bytes = set.as_ref().map_or(0, |set| size_of_val(set.hashes()) as u64);
                self.kept.insert(document, set, num_bytes);
            }
            let (round, next) = std::mem::take(&mut rest).split_at_mut(len);
            round.par_iter_mut().for_each(|pair| pair.kept_names = self.compare(pair));
            rest = next;
        }
        compared
    }

    fn compare(&self, pair: &DuplicatePair) -> Option<KeptNames> {
        let [a, b] = self.kept.of_pair(pair)?;
        Some(KeptNames::of(a, b))
    }

    /// The documents that could not be read again.
    pub(crate) fn into_problems(self) -> Vec<Problem> {
        self.reader.into_problems()
    }
}
