//! `SmallComponents`: verifies components of few texts, independently of one another.
//!
//! Most near-duplicates have few neighbours. One thread makes the sets of a component, compares them and drops them
//! while they are in its cache, and shares nothing with other threads. Where texts are long, idle threads help it.
//! [`LargeComponents`](super::LargeComponents) verifies larger components.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use crate::base::flat::ragged::Ragged;
use crate::compare::verify::VerifiableSet;
use crate::documents::document::DocId;
use crate::search::pairs::context::{ReusingVerifier, VerifyContext};
use crate::search::pairs::found::VerifiedTexts;
use crate::search::pairs::plan::{ComponentText, SearchLimits};
use crate::search::pairs::sets::LoadedDocument;

/// The maximum number of texts, with candidates or copies, in a small component.
const MOST_TEXTS: usize = 64;
/// The maximum number of candidates of all texts of a small component together.
const MOST_CANDIDATES: usize = 2048;

/// Verifies one small component after another, and keeps the results.
pub(in crate::search::pairs) struct SmallComponents<'s> {
    core: &'s VerifyContext<'s>,
    /// The maximum bytes of sets that one thread verifies without help, estimated before the sets are loaded.
    most_bytes: u64,
    room: &'s LongTextRoom,
    /// The results: the first entry for all components that this thread verified without help, then one for each text
    /// of the components with long texts.
    found: Vec<VerifiedTexts>,
    /// The candidates of each text of the component.
    candidates: Ragged<DocId>,
    /// All documents of the component that are compared, ascending.
    documents: Vec<DocId>,
    /// The sets of these documents; empty between two components.
    sets: Vec<Option<LoadedDocument>>,
}

/// The remaining bytes for components of long texts, shared by all threads.
pub(in crate::search::pairs) struct LongTextRoom(AtomicU64);

/// Bytes taken from a [`LongTextRoom`], and returned to it on drop.
struct TakenRoom<'r> {
    room: &'r LongTextRoom,
    num_bytes: u64,
}

/// The documents of a component, ascending, and their sets.
#[derive(Clone, Copy)]
struct ComponentSets<'c> {
    documents: &'c [DocId],
    sets: &'c [Option<LoadedDocument>],
}

impl<'s> SmallComponents<'s> {
    pub(in crate::search::pairs) fn new(
        core: &'s VerifyContext<'s>,
        limits: &SearchLimits,
        room: &'s LongTextRoom,
    ) -> Self {
        Self {
            core,
            most_bytes: limits.small_component_bytes,
            room,
            found: vec![VerifiedTexts::default()],
            candidates: Ragged::default(),
            documents: Vec::new(),
            sets: Vec::new(),
        }
    }

    /// Verifies the texts of a component against their candidates. Returns `false`, and does nothing, when the
    /// component is not small, or memory for its long texts is short at the moment; then it is verified as a large
    /// component. Skips texts that can no longer be loaded.
    pub(in crate::search::pairs) fn verify(&mut self, texts: &[ComponentText]) -> bool {
        if texts.len() > MOST_TEXTS || !self.gather(texts) {
            return false;
        }
        let Self { core, most_bytes, room, found, candidates, documents, sets } = self;
        let num_bytes: u64 = documents.iter().map(|&document| core.sets.most_bytes(document)).sum();
        let is_long = num_bytes > *most_bytes;
        let taken = is_long.then(|| room.take(num_bytes));
        if matches!(taken, Some(None)) {
            return false;
        }
        let load = |&document: &DocId| core.sets.load(document);
        if is_long {
            sets.par_extend(documents.par_iter().with_max_len(1).map(load));
        } else {
            sets.extend(documents.iter().map(load));
        }
        if sets.iter().flatten().any(|document| document.whole_set().is_none()) {
            sets.clear();
            return false;
        }
        let _in_use = core.memory.pass(sets.iter().flatten().map(LoadedDocument::num_bytes).sum());
        let component = ComponentSets { documents, sets };
        if is_long {
            let verify = |(number, text): (usize, &ComponentText)| {
                let mut found = VerifiedTexts::default();
                component.verify(core, text.first, candidates.row(number), &mut found);
                found
            };
            found.par_extend(texts.par_iter().enumerate().with_max_len(1).map(verify));
        } else {
            for (text, candidates) in texts.iter().zip(candidates.rows()) {
                component.verify(core, text.first, candidates, &mut found[0]);
            }
        }
        sets.clear();
        true
    }

    /// The results of all components.
    pub(in crate::search::pairs) fn into_found(self) -> Vec<VerifiedTexts> {
        self.found
    }

    /// Gathers the candidates of each text, and all documents; returns `false` when there are too many candidates.
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
        true
    }
}

impl<'c> ComponentSets<'c> {
    /// Verifies one text against its candidates.
    fn verify(self, core: &VerifyContext<'_>, first: DocId, candidates: &[DocId], found: &mut VerifiedTexts) {
        let Some(own) = self.get(first) else { return };
        found.num_candidates += candidates.len() as u64;
        let mut verifier = ReusingVerifier::new(set_of(own));
        for &other in candidates {
            let Some(candidate) = self.get(other) else { continue };
            let Some(shared) = verifier.verify_shared(set_of(candidate), core.threshold) else { continue };
            let neighbour = core.neighbour(own, candidate, shared);
            neighbour.into_iter().for_each(|neighbour| found.push_neighbour(neighbour));
        }
        let Some(counts) = core.counts(own) else { return };
        found.push_text(first, counts, core.has_copies(first));
    }

    /// The loaded document; `None` when it can no longer be loaded.
    fn get(self, document: DocId) -> Option<&'c LoadedDocument> {
        let place = self.documents.binary_search(&document).expect("every candidate was gathered");
        self.sets[place].as_ref()
    }
}

impl LongTextRoom {
    pub(in crate::search::pairs) fn new(num_bytes: u64) -> Self {
        Self(AtomicU64::new(num_bytes))
    }

    /// Takes bytes; `None` when fewer than `num_bytes` remain.
    fn take(&self, num_bytes: u64) -> Option<TakenRoom<'_>> {
        let left = |left: u64| left.checked_sub(num_bytes);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, left).ok()?;
        Some(TakenRoom { room: self, num_bytes })
    }
}

impl Drop for TakenRoom<'_> {
    fn drop(&mut self) {
        self.room.0.fetch_add(self.num_bytes, Ordering::Relaxed);
    }
}

fn set_of(document: &LoadedDocument) -> &VerifiableSet {
    document.whole_set().expect("a component with sliced sets is not small")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_taken_once_and_given_back() {
        let room = LongTextRoom::new(10);
        let taken = room.take(6).expect("there is room");
        assert!(room.take(6).is_none());
        let rest = room.take(4).expect("there is room");
        drop(taken);
        assert!(room.take(7).is_none() && room.take(6).is_some());
        drop(rest);
        assert!(room.take(10).is_some());
    }
}
