//! The joiner: walks the documents in order, joins exact copies in, and passes pairs on in batches.

use std::collections::HashMap;
use std::ops::Range;

use super::found::{Neighbour, Sizes, Verified};
use super::{PairSearch, Sink};
use crate::document::{DocId, DocSet, Documents};
use crate::error::Result;
use crate::verify::{DuplicatePair, TakenOut};

/// Pairs handed to the sink at a time.
const BATCH: usize = 1 << 14;

/// Walks the documents in order, joins exact copies in, and passes pairs on in batches.
pub(super) struct Joiner<'s, 'a> {
    documents: &'a Documents,
    collapse_exact: bool,
    copies_are_pairs: bool,
    takes_out: bool,
    num_hashes: u32,
    sink: Sink<'s>,
    pending: HashMap<DocId, Pending>,
    /// The documents whose text is, or was, pending.
    expected: DocSet,
    batch: Vec<DuplicatePair>,
    pub(super) num_pairs: u64,
}

/// What copies of a text that are still to come need.
#[derive(Default)]
struct Pending {
    sizes: Sizes,
    neighbours: Vec<Neighbour>,
}

impl<'s, 'a> Joiner<'s, 'a> {
    pub(super) fn new(search: &PairSearch<'a>, sink: Sink<'s>) -> Self {
        Self {
            documents: search.documents,
            collapse_exact: search.collapse_exact,
            takes_out: search.takes_out,
            copies_are_pairs: search.copies_are_pairs,
            num_hashes: search.num_hashes,
            sink,
            pending: HashMap::new(),
            expected: DocSet::new(search.documents.len()),
            batch: Vec::with_capacity(BATCH),
            num_pairs: 0,
        }
    }

    /// Joins the documents of a sweep.
    ///
    /// * `verified`: its texts that have neighbours or copies, ascending.
    pub(super) fn join<'f>(
        &mut self,
        documents: Range<usize>,
        verified: impl Iterator<Item = Verified<'f>>,
    ) -> Result<()> {
        let mut verified = verified.peekable();
        for document in documents.map(DocId::new) {
            let own = verified.next_if(|verified| verified.first == document);
            if own.is_none() && !self.expected.contains(document) {
                continue;
            }
            let Some(first) = self.documents.first_of_text(document) else { continue };
            if self.collapse_exact {
                self.join_collapsed(own)?;
            } else {
                self.join_all(document, first, own)?;
            }
        }
        Ok(())
    }

    /// The copies of a text are paired with its first document, and texts with each other.
    fn join_collapsed(&mut self, own: Option<Verified<'_>>) -> Result<()> {
        let Some(Verified { first, sizes, neighbours }) = own else { return Ok(()) };
        let mut partners = neighbours.to_vec();
        partners.extend(self.copies(first, sizes));
        partners.sort_unstable_by_key(|partner| partner.first);
        self.emit(first, sizes, &partners)
    }

    /// Every document with a near-duplicate or equal text is paired with every other one.
    fn join_all(&mut self, document: DocId, first: DocId, own: Option<Verified<'_>>) -> Result<()> {
        let documents = self.documents;
        if let Some(verified) = own {
            self.expect_copies(&verified);
            if !documents.has_copies(first) && !self.pending.contains_key(&first) {
                // The common case: no copy on this side, perhaps some on the other.
                let mut partners: Vec<Neighbour> = Vec::with_capacity(verified.neighbours.len());
                for neighbour in verified.neighbours {
                    partners.push(*neighbour);
                    partners.extend(
                        documents.copies_of(neighbour.first).map(|copy| Neighbour { first: copy, ..*neighbour }),
                    );
                }
                partners.sort_unstable_by_key(|partner| partner.first);
                return self.emit(document, verified.sizes, &partners);
            }
            let pending = self.pending(first);
            pending.sizes = verified.sizes;
            pending.neighbours.extend(verified.neighbours);
        }
        let last = documents.copies_of(first).next_back().unwrap_or(first);
        let Some(pending) = self.pending.remove(&first) else { return Ok(()) };
        let mut partners = Vec::new();
        for neighbour in &pending.neighbours {
            let members = std::iter::once(neighbour.first).chain(documents.copies_of(neighbour.first));
            let later = members.filter(|&member| member > document);
            partners.extend(later.map(|member| Neighbour { first: member, ..*neighbour }));
        }
        partners.extend(self.copies(first, pending.sizes).filter(|copy| copy.first > document));
        partners.sort_unstable_by_key(|partner| partner.first);
        let sizes = pending.sizes;
        if document < last {
            self.pending.insert(first, pending);
        }
        self.emit(document, sizes, &partners)
    }

    /// Keeps what later documents need of a text's neighbours: a neighbour whose copies, or which itself, comes before a
    /// copy of this text has that pair to report.
    fn expect_copies(&mut self, verified: &Verified<'_>) {
        let last = self.documents.copies_of(verified.first).next_back();
        for neighbour in verified.neighbours {
            if last.is_some_and(|last| last > neighbour.first) {
                let pending = self.pending(neighbour.first);
                pending.sizes = Sizes { shingles: neighbour.shingles, removed: neighbour.removed };
                let Verified { first, sizes: Sizes { shingles, removed }, .. } = *verified;
                pending.neighbours.push(Neighbour { first, shingles, removed, ..*neighbour });
            }
        }
    }

    /// What is pending of a text; from now on its documents are expected.
    fn pending(&mut self, first: DocId) -> &mut Pending {
        self.pending.entry(first).or_insert_with(|| {
            for document in std::iter::once(first).chain(self.documents.copies_of(first)) {
                self.expected.insert(document);
            }
            Pending::default()
        })
    }

    /// The copies of a text, as neighbours that share everything; none where they are no pairs.
    fn copies(&self, first: DocId, sizes: Sizes) -> impl Iterator<Item = Neighbour> + use<'a> {
        let equal_values = self.num_hashes;
        let Sizes { shingles, removed } = sizes;
        let documents = self.documents;
        let copies = self.copies_are_pairs.then(|| documents.copies_of(first));
        copies.into_iter().flatten().map(move |copy| Neighbour {
            first: copy,
            shingles,
            shared: shingles,
            equal_values,
            removed,
            shared_removed: removed,
        })
    }

    fn emit(&mut self, a: DocId, sizes: Sizes, partners: &[Neighbour]) -> Result<()> {
        for partner in partners {
            self.batch.push(DuplicatePair {
                a,
                b: partner.first,
                shared: partner.shared.into(),
                shingles_a: sizes.shingles.into(),
                shingles_b: partner.shingles.into(),
                equal_values: partner.equal_values,
                num_hashes: self.num_hashes,
                taken_out: self.takes_out.then(|| TakenOut {
                    a: sizes.removed.into(),
                    b: partner.removed.into(),
                    shared: partner.shared_removed.into(),
                }),
            });
            if self.batch.len() == BATCH {
                self.flush()?;
            }
        }
        Ok(())
    }

    pub(super) fn flush(&mut self) -> Result<()> {
        self.num_pairs += self.batch.len() as u64;
        if !self.batch.is_empty() {
            (self.sink)(self.documents, &self.batch)?;
            self.batch.clear();
        }
        Ok(())
    }
}
