//! `VerifyContext`: everything that all ways to verify pairs share: the candidates, the shingle sets, the threshold and the
//! count of memory.

use std::cell::Cell;
use std::ops::{Deref, DerefMut};

use super::found::{Neighbour, ShingleCounts};
use super::sets::{LoadedDocument, SetMemory, SetSource, SliceCounter};
use crate::base::observe::Observer;
use crate::compare::verify::{Indexes, SharedShingles, Threshold, VerifiableSet, Verifier};
use crate::documents::document::{DocId, Documents};
use crate::sign::banding::CandidateSource;
use crate::sign::signature::equal_values;

/// The context that every strategy borrows.
pub(super) struct VerifyContext<'a> {
    pub(super) observer: &'a dyn Observer,
    pub(super) documents: &'a Documents,
    pub(super) candidates: &'a dyn CandidateSource,
    pub(super) sets: &'a dyn SetSource,
    pub(super) slices: SliceCounter<'a>,
    pub(super) threshold: Threshold,
    pub(super) memory: SetMemory,
    reports_copies: bool,
}

impl<'a> VerifyContext<'a> {
    pub(super) fn new(
        observer: &'a dyn Observer,
        documents: &'a Documents,
        candidates: &'a dyn CandidateSource,
        sets: &'a dyn SetSource,
        threshold: Threshold,
    ) -> Self {
        let (slices, memory) = (SliceCounter::new(sets), SetMemory::default());
        let reports_copies = documents.scope().compares_within_cells();
        Self { observer, documents, candidates, sets, slices, threshold, memory, reports_copies }
    }

    /// Restricts the context to pairs of different texts.
    pub(super) fn without_copies(self) -> Self {
        Self { reports_copies: false, ..self }
    }

    /// Appends the candidates of a text that may form a pair with it in the scope of the run, ascending.
    pub(super) fn gather(&self, first: DocId, candidates: &mut Vec<DocId>) {
        let start = candidates.len();
        self.candidates.gather(first, candidates);
        self.documents.scope().retain(first, candidates, start);
    }

    /// Whether pairs of a text and its exact copies are reported, and the text has copies.
    pub(super) fn has_copies(&self, first: DocId) -> bool {
        self.reports_copies && self.documents.has_copies(first)
    }

    /// Describes a candidate whose pair with `own` reaches the threshold; `None` when the source can no longer provide
    /// one of the two.
    pub(super) fn neighbour(
        &self,
        own: &LoadedDocument,
        other: &LoadedDocument,
        shared: SharedShingles,
    ) -> Option<Neighbour> {
        let own_signature = own.signature_or(|| self.sets.signature(own))?;
        let signature = other.signature_or(|| self.sets.signature(other))?;
        Some(Neighbour {
            document: other.document,
            counts: self.counts(other)?,
            shared: small(shared.shingles),
            equal_values: small(equal_values(own_signature, signature) as u64),
            shared_removed: small(own.shared_removed(other)),
            shared_weight: shared.weight,
        })
    }

    /// The shingle counts of a loaded document; `None` when its shingles are still to be counted and the source can no
    /// longer provide them.
    pub(super) fn counts(&self, document: &LoadedDocument) -> Option<ShingleCounts> {
        let SharedShingles { shingles, weight } = self.slices.size(document)?;
        Some(ShingleCounts { shingles: small(shingles), removed: small(document.num_removed()), weight })
    }
}

fn small(number: u64) -> u32 {
    u32::try_from(number).expect("fewer than 2^32 shingles")
}

thread_local! {
    /// The buffers of the last index that a thread made.
    static INDEXES: Cell<Indexes> = Cell::default();
}

/// A verifier that reuses the buffers of the thread's last one, and returns them when it is dropped.
pub(super) struct ReusingVerifier<'v>(Verifier<'v>);

impl<'v> ReusingVerifier<'v> {
    pub(super) fn new(set: &'v VerifiableSet) -> Self {
        Self(Verifier::reusing(set, INDEXES.take()))
    }
}

impl<'v> Deref for ReusingVerifier<'v> {
    type Target = Verifier<'v>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for ReusingVerifier<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl Drop for ReusingVerifier<'_> {
    fn drop(&mut self) {
        INDEXES.set(self.0.take_indexes());
    }
}
