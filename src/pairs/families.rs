//! Families: components of few texts, each verified by one thread from reading to counting.
//!
//! Most near-duplicates have few neighbours. Their sets are made, compared and dropped by one thread while they are in its
//! cache, and nothing is shared with other threads; what is larger is left to blocks.

use super::block::INDEXES;
use super::found::{Found, Sizes};
use super::sweep::Swept;
use super::{PairSearch, count};
use crate::document::DocId;
use crate::pairs::set_cache::{Cached, Shingles};
use crate::verify::{VerifiableSet, Verifier};

/// Most texts of a family that have candidates or copies.
const MOST_TEXTS: usize = 64;
/// Most candidates of all texts of a family.
const MOST_CANDIDATES: usize = 2048;

/// The memory of a thread for one family after another.
#[derive(Default)]
pub(super) struct FamilyMemory {
    /// The candidates of all texts, one text after another.
    candidates: Vec<DocId>,
    /// Where those of each text end.
    ends: Vec<usize>,
    /// All documents, ascending.
    documents: Vec<DocId>,
    sets: Vec<Option<Cached>>,
}

impl PairSearch<'_> {
    /// Verifies the texts of one component if they and their candidates are a family; else returns `false`.
    pub(super) fn verify_family(&self, texts: &[Swept], memory: &mut FamilyMemory, found: &mut Found) -> bool {
        if texts.len() > MOST_TEXTS || !self.gather_family(texts, memory) {
            return false;
        }
        let FamilyMemory { candidates, ends, documents, sets } = memory;
        sets.clear();
        sets.extend(documents.iter().map(|&document| self.sets.loader.load(document)));
        let num_bytes = sets.iter().flatten().map(Cached::num_bytes).sum();
        self.sets.begin_passing(num_bytes);
        let place =
            |document: &DocId| documents.binary_search(document).expect("every document of the family is there");
        let mut start = 0;
        for (text, &end) in texts.iter().zip(&*ends) {
            let candidates = &candidates[start..end];
            start = end;
            // Texts that cannot be read any more have no candidates.
            let Some(own) = &sets[place(&text.first)] else { continue };
            let own_set = set_of(own);
            found.num_candidates += candidates.len() as u64;
            let mut verifier = Verifier::reusing(own_set, INDEXES.take());
            for &other in candidates {
                let Some(candidate) = &sets[place(&other)] else { continue };
                let Some(shared) = verifier.verify(set_of(candidate), self.threshold) else { continue };
                let neighbour = self.neighbour((text.first, own), (other, candidate), shared as u64);
                neighbour.into_iter().for_each(|neighbour| found.push_neighbour(neighbour));
            }
            INDEXES.set(verifier.into_indexes());
            let sizes = Sizes { shingles: count(own_set.set().len() as u64), removed: count(own.num_removed()) };
            found.push_text(text.first, sizes, self.has_copies(text.first));
        }
        self.sets.end_passing(num_bytes);
        true
    }

    /// The documents of a component and the candidates of each text, unless they are too many for a family.
    fn gather_family(&self, texts: &[Swept], memory: &mut FamilyMemory) -> bool {
        let FamilyMemory { candidates, ends, documents, .. } = memory;
        candidates.clear();
        ends.clear();
        for text in texts {
            if self.table.least_candidates(text.first) > MOST_CANDIDATES {
                return false;
            }
            self.gather(text.first, candidates);
            if candidates.len() > MOST_CANDIDATES {
                return false;
            }
            ends.push(candidates.len());
        }
        documents.clear();
        documents.extend(texts.iter().map(|text| text.first).chain(candidates.iter().copied()));
        documents.sort_unstable();
        documents.dedup();
        let num_bytes: u64 = documents.iter().map(|&document| self.sets.most_bytes(document)).sum();
        num_bytes <= self.most_family_bytes
    }
}

fn set_of(document: &Cached) -> &VerifiableSet {
    match &document.shingles {
        Shingles::Set(set) => set,
        Shingles::Huge(_) => unreachable!("a set that does not fit the memory does not fit the half of it"),
    }
}
