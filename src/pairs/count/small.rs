//! `SmallComponents`: components of few texts, each verified by one thread from loading to counting.
//!
//! Most near-duplicates have few neighbours. One thread makes their sets, compares them and drops them while they are in
//! its cache, and shares nothing with other threads. [`LargeComponents`](super::LargeComponents) verifies what is larger.

use crate::document::DocId;
use crate::flat::ragged::Ragged;
use crate::pairs::core::{Core, ReusingVerifier};
use crate::pairs::found::Found;
use crate::pairs::plan::{ComponentText, SearchLimits};
use crate::pairs::sets::LoadedDocument;
use crate::verify::VerifiableSet;

/// Most texts with candidates or copies in a small component.
const MOST_TEXTS: usize = 64;
/// Most candidates of all its texts.
const MOST_CANDIDATES: usize = 2048;

/// Verifies one small component after another, and keeps what it finds.
pub(in crate::pairs) struct SmallComponents<'s> {
    core: &'s Core<'s>,
    /// Most bytes of sets, estimated before they are loaded.
    most_bytes: u64,
    found: Found,
    /// The candidates of each text of the component.
    candidates: Ragged<DocId>,
    /// All documents of the component that are compared, ascending.
    documents: Vec<DocId>,
    sets: Vec<Option<LoadedDocument>>,
}

impl<'s> SmallComponents<'s> {
    pub(in crate::pairs) fn new(core: &'s Core<'s>, limits: &SearchLimits) -> Self {
        Self {
            core,
            most_bytes: limits.small_component_bytes,
            found: Found::default(),
            candidates: Ragged::default(),
            documents: Vec::new(),
            sets: Vec::new(),
        }
    }

    /// Verifies the texts of a component against their candidates; returns `false`, and does nothing, when the component
    /// is not small. Passes over texts that can no longer be loaded.
    pub(in crate::pairs) fn verify(&mut self, texts: &[ComponentText]) -> bool {
        if texts.len() > MOST_TEXTS || !self.gather(texts) {
            return false;
        }
        let Self { core, found, candidates, documents, sets, .. } = self;
        sets.clear();
        sets.extend(documents.iter().map(|&document| core.sets.load(document)));
        if sets.iter().flatten().any(|document| document.whole_set().is_none()) {
            return false;
        }
        let _in_use = core.memory.pass(sets.iter().flatten().map(LoadedDocument::num_bytes).sum());
        let place = |document: DocId| documents.binary_search(&document).expect("every candidate was gathered");
        for (text, candidates) in texts.iter().zip(candidates.rows()) {
            let Some(own) = &sets[place(text.first)] else { continue };
            found.num_candidates += candidates.len() as u64;
            let mut verifier = ReusingVerifier::new(set_of(own));
            for &other in candidates {
                let Some(candidate) = &sets[place(other)] else { continue };
                let Some(shared) = verifier.verify_shared(set_of(candidate), core.threshold) else { continue };
                let neighbour = core.neighbour(own, candidate, shared);
                neighbour.into_iter().for_each(|neighbour| found.push_neighbour(neighbour));
            }
            let Some(counts) = core.counts(own) else { continue };
            found.push_text(text.first, counts, core.has_copies(text.first));
        }
        true
    }

    /// What was found in all components.
    pub(in crate::pairs) fn into_found(self) -> Found {
        self.found
    }

    /// Gathers the candidates of each text, and all documents; returns `false` when they are too many.
    fn gather(&mut self, texts: &[ComponentText]) -> bool {
        let Self { core, candidates, documents, .. } = self;
        candidates.clear();
        for text in texts {
            if core.candidates.least_candidates(text.first) > MOST_CANDIDATES {
                return false;
            }
            core.gather(text.first, candidates.open_row());
            if candidates.items().len() > MOST_CANDIDATES {
                return false;
            }
            candidates.end_row();
        }
        documents.clear();
        documents.extend(texts.iter().map(|text| text.first).chain(candidates.items().iter().copied()));
        documents.sort_unstable();
        documents.dedup();
        let num_bytes: u64 = documents.iter().map(|&document| core.sets.most_bytes(document)).sum();
        num_bytes <= self.most_bytes
    }
}

fn set_of(document: &LoadedDocument) -> &VerifiableSet {
    document.whole_set().expect("a component with sliced sets is not small")
}
