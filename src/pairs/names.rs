//! `NamesSearch`: duplicate pairs of programs in, the same with their similarity by kept names out.
//!
//! Pairs come in document order, in batches. A batch is compared in rounds: the sets of as many pairs as fit the memory are
//! made from the documents, those that were not kept from the round before, and then the pairs are counted; both in
//! parallel.

use std::collections::{HashMap, HashSet};

use rayon::prelude::*;

use super::summary::SearchSummary;
use crate::corpus::{CorpusSettings, NamesReader};
use crate::document::{DocId, Documents};
use crate::input::Sources;
use crate::observe::Observer;
use crate::removal::Removal;
use crate::shingle::ShingleSet;
use crate::verify::{DuplicatePair, KeptNames, shared_shingles};

/// Most pairs of a round.
const MOST_PAIRS: usize = 1 << 12;

/// Compares programs with their names kept.
pub(crate) struct NamesSearch<'a> {
    documents: &'a Documents,
    reader: NamesReader<'a>,
    most_bytes: u64,
    /// `None` of a document that cannot be read as it was.
    kept: HashMap<DocId, Option<ShingleSet>>,
    kept_bytes: u64,
}

impl<'a> NamesSearch<'a> {
    /// * `size`: tokens in a shingle.
    /// * `removal`: shingles with names kept that are left out.
    pub(crate) fn new(
        corpus: CorpusSettings<'a>,
        size: usize,
        removal: Option<Removal>,
        documents: &'a Documents,
        sources: &'a Sources,
    ) -> Self {
        Self {
            documents,
            reader: NamesReader::new(corpus, size, removal, documents, sources),
            most_bytes: corpus.memory().kept_names(),
            kept: HashMap::new(),
            kept_bytes: 0,
        }
    }

    /// The pairs with their similarity by kept names; without it, where a document could not be read again.
    ///
    /// # Panics
    /// Outside the thread pool of the run.
    pub(crate) fn compared(&mut self, pairs: &[DuplicatePair]) -> Vec<DuplicatePair> {
        let mut compared = pairs.to_vec();
        let mut rest = compared.as_mut_slice();
        while !rest.is_empty() {
            let (len, missing) = self.begin_round(rest);
            let loaded: Vec<_> = missing.par_iter().map(|&document| self.reader.read(document)).collect();
            for (document, set) in missing.into_iter().zip(loaded) {
                self.kept_bytes += set.as_ref().map_or(0, |set| 8 * set.len() as u64);
                self.kept.insert(document, set);
            }
            let (round, next) = std::mem::take(&mut rest).split_at_mut(len);
            round.par_iter_mut().for_each(|pair| pair.kept_names = self.compare(pair));
            rest = next;
        }
        compared
    }

    /// How many of these pairs have sets that fit the memory together, at least one, and which are to be made. Drops all others
    /// when there is no room beside them.
    fn begin_round(&mut self, pairs: &[DuplicatePair]) -> (usize, Vec<DocId>) {
        let bytes = |document| 8 * u64::from(self.documents.num_shingles(document)) + 64;
        let (mut wanted, mut wanted_bytes, mut len) = (HashSet::new(), 0, 0);
        for pair in &pairs[..pairs.len().min(MOST_PAIRS)] {
            let new: Vec<DocId> = [pair.a, pair.b].into_iter().filter(|document| !wanted.contains(document)).collect();
            let more_bytes: u64 = new.iter().map(|&document| bytes(document)).sum();
            if len > 0 && wanted_bytes + more_bytes > self.most_bytes {
                break;
            }
            wanted_bytes += more_bytes;
            wanted.extend(new);
            len += 1;
        }
        if self.kept_bytes + wanted_bytes > self.most_bytes {
            self.kept.retain(|document, _| wanted.contains(document));
            self.kept_bytes = self.kept.values().flatten().map(|set| 8 * set.len() as u64).sum();
        }
        let mut missing: Vec<DocId> = wanted.into_iter().filter(|document| !self.kept.contains_key(document)).collect();
        missing.sort_unstable();
        (len, missing)
    }

    fn compare(&self, pair: &DuplicatePair) -> Option<KeptNames> {
        let set = |document| self.kept.get(&document).and_then(Option::as_ref);
        let (a, b) = (set(pair.a)?, set(pair.b)?);
        let shared = shared_shingles(a, b) as u64;
        Some(KeptNames { shared, all: (a.len() + b.len()) as u64 - shared })
    }

    /// Adds the documents that could not be read again to the summary of the search, and reports them.
    pub(crate) fn finish(self, summary: &mut SearchSummary, observer: &dyn Observer) {
        for problem in self.reader.into_problems() {
            summary.problems.count(&problem);
            observer.problem(&problem);
        }
    }
}
