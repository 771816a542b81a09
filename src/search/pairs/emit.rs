//! `PairEmitter`: goes through the documents in order, adds the pairs of exact copies, and passes pairs on in batches.
//!
//! Each text is verified once, by its first document. Its copies have the same neighbours, so the emitter keeps a
//! text's neighbours until its last copy has passed, and nothing else.

use std::collections::HashMap;
use std::ops::Range;

use super::found::{Neighbour, VerifiedText};
use super::sink::Sink;
use crate::base::error::Result;
use crate::compare::block::ShingleCounts;
use crate::compare::verify::{DuplicatePair, PairWeights, RemovedShingles};
use crate::documents::document::{DocId, DocSet, Documents};

/// The number of pairs in a batch.
const BATCH: usize = 1 << 14;

/// Passes pairs on in document order: by `a`, then by `b`.
pub(super) struct PairEmitter<'s, 'a> {
    documents: &'a Documents,
    collapse_exact: bool,
    copies_are_pairs: bool,
    removes_shingles: bool,
    num_hashes: u32,
    sink: Sink<'s>,
    /// The data that later copies need, by the first document of their text.
    pending: HashMap<DocId, Pending>,
    /// The documents whose text is pending, or was.
    expected: DocSet,
    batch: Vec<DuplicatePair>,
    num_pairs: u64,
}

/// The data that later copies of a text need.
#[derive(Default)]
struct Pending {
    counts: ShingleCounts,
    neighbours: Vec<Neighbour>,
}

impl<'s, 'a> PairEmitter<'s, 'a> {
    /// * `collapse_exact`: whether to report each exact copy only once, paired with the first document of its text.
    /// * `removes_shingles`: whether pairs contain the numbers of removed shingles.
    /// * `num_hashes`: the number of values in a signature.
    pub(super) fn new(
        documents: &'a Documents,
        collapse_exact: bool,
        removes_shingles: bool,
        num_hashes: u32,
        sink: Sink<'s>,
    ) -> Self {
        Self {
            documents,
            collapse_exact,
            copies_are_pairs: true,
            removes_shingles,
            num_hashes,
            sink,
            pending: HashMap::new(),
            expected: DocSet::new(documents.len()),
            batch: Vec::with_capacity(BATCH),
            num_pairs: 0,
        }
    }

    /// Restricts the emitter to pairs of different texts.
    pub(super) fn without_copies(self) -> Self {
        Self { copies_are_pairs: false, ..self }
    }

    /// Emits the pairs of a window of documents. The windows of a run must follow one another.
    ///
    /// * `verified`: the texts of the window that have neighbours or copies, ascending.
    ///
    /// # Errors
    /// When the sink fails.
    pub(super) fn emit_window<'f>(
        &mut self,
        documents: Range<usize>,
        verified: impl Iterator<Item = VerifiedText<'f>>,
    ) -> Result<()> {
        let mut verified = verified.peekable();
        for document in documents.map(DocId::new) {
            let own = verified.next_if(|verified| verified.first == document);
            if own.is_none() && !self.expected.contains(document) {
                continue;
            }
            let Some(first) = self.documents.first_of_text(document) else { continue };
            if self.collapse_exact {
                self.emit_collapsed(own)?;
            } else {
                self.emit_all(document, first, own)?;
            }
        }
        Ok(())
    }

    /// Passes on the remaining pairs, and returns the total number of pairs.
    ///
    /// # Errors
    /// When the sink fails.
    pub(super) fn finish(mut self) -> Result<u64> {
        self.flush()?;
        Ok(self.num_pairs)
    }

    /// Pairs a text's copies with its first document, and texts with one another.
    fn emit_collapsed(&mut self, own: Option<VerifiedText<'_>>) -> Result<()> {
        let Some(VerifiedText { first, counts, neighbours }) = own else { return Ok(()) };
        let mut partners = neighbours.to_vec();
        partners.extend(self.copies(first, counts));
        partners.sort_unstable_by_key(|partner| partner.document);
        self.emit(first, counts, &partners)
    }

    /// Pairs every document with each later document that has the same text or a near-duplicate of it.
    fn emit_all(&mut self, document: DocId, first: DocId, own: Option<VerifiedText<'_>>) -> Result<()> {
        let documents = self.documents;
        if let Some(verified) = own {
            self.expect_copies(&verified);
            if !documents.has_copies(first) && !self.pending.contains_key(&first) {
                // The common case: this text has no copies, but its neighbours may have some.
                let mut partners: Vec<Neighbour> = Vec::with_capacity(verified.neighbours.len());
                for neighbour in verified.neighbours {
                    partners.push(*neighbour);
                    let copies = documents.copies_of(neighbour.document);
                    partners.extend(copies.map(|copy| Neighbour { document: copy, ..*neighbour }));
                }
                partners.sort_unstable_by_key(|partner| partner.document);
                return self.emit(document, verified.counts, &partners);
            }
            let pending = self.pending(first);
            pending.counts = verified.counts;
            pending.neighbours.extend(verified.neighbours);
        }
        let last = documents.copies_of(first).next_back().unwrap_or(first);
        let Some(pending) = self.pending.remove(&first) else { return Ok(()) };
        let mut partners = Vec::new();
        for neighbour in &pending.neighbours {
            let members = std::iter::once(neighbour.document).chain(documents.copies_of(neighbour.document));
            let later = members.filter(|&member| member > document);
            partners.extend(later.map(|member| Neighbour { document: member, ..*neighbour }));
        }
        partners.extend(self.copies(first, pending.counts).filter(|copy| copy.document > document));
        partners.sort_unstable_by_key(|partner| partner.document);
        let counts = pending.counts;
        if document < last {
            self.pending.insert(first, pending);
        }
        self.emit(document, counts, &partners)
    }

    /// Keeps the neighbours of a text for later documents: when a document with the neighbour's text precedes a copy of
    /// this text, that pair is reported under the neighbour.
    fn expect_copies(&mut self, verified: &VerifiedText<'_>) {
        let last = self.documents.copies_of(verified.first).next_back();
        for neighbour in verified.neighbours {
            if last.is_some_and(|last| last > neighbour.document) {
                let pending = self.pending(neighbour.document);
                pending.counts = neighbour.counts;
                pending.neighbours.push(Neighbour { document: verified.first, counts: verified.counts, ..*neighbour });
            }
        }
    }

    /// The pending entry of a text. Its documents are expected from now on.
    fn pending(&mut self, first: DocId) -> &mut Pending {
        self.pending.entry(first).or_insert_with(|| {
            for document in std::iter::once(first).chain(self.documents.copies_of(first)) {
                self.expected.insert(document);
            }
            Pending::default()
        })
    }

    /// The copies of a text, as neighbours that share everything; empty where copies are not pairs.
    fn copies(&self, first: DocId, counts: ShingleCounts) -> impl Iterator<Item = Neighbour> + use<'a> {
        let equal_values = self.num_hashes;
        let documents = self.documents;
        let are_pairs = self.copies_are_pairs && documents.scope().compares_within_cell(first);
        let copies = are_pairs.then(|| documents.copies_of(first)).into_iter().flatten();
        let of_copy = Neighbour { document: first, counts, shared: counts, equal_values };
        copies.map(move |document| Neighbour { document, ..of_copy })
    }

    fn emit(&mut self, a: DocId, counts: ShingleCounts, partners: &[Neighbour]) -> Result<()> {
        for partner in partners {
            self.batch.push(DuplicatePair {
                a,
                b: partner.document,
                shared: partner.shared.shingles.into(),
                shingles_a: counts.shingles.into(),
                shingles_b: partner.counts.shingles.into(),
                equal_values: partner.equal_values,
                num_hashes: self.num_hashes,
                removed: self.removes_shingles.then(|| RemovedShingles {
                    a: counts.removed.into(),
                    b: partner.counts.removed.into(),
                    shared: partner.shared.removed.into(),
                }),
                kept_names: None,
                // The weight is 0 where shingles have no weights.
                weights: (counts.weight > 0).then_some(PairWeights {
                    shared: partner.shared.weight,
                    a: counts.weight,
                    b: partner.counts.weight,
                }),
            });
            if self.batch.len() == BATCH {
                self.flush()?;
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        self.num_pairs += self.batch.len() as u64;
        if !self.batch.is_empty() {
            (self.sink)(self.documents, &self.batch)?;
            self.batch.clear();
        }
        Ok(())
    }
}
