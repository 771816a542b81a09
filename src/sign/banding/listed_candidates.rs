//! `ListedCandidates`: candidate pairs from a list.

use std::ops::Range;
use std::sync::Mutex;

use super::CandidateSource;
use crate::base::error::{Error, Result};
use crate::base::flat::union_find::UnionFind;
use crate::base::memory::table;
use crate::base::storage::NumberColumn;
use crate::documents::document::DocId;

/// Receives a pair of documents.
pub(crate) type AddPair<'a> = dyn FnMut(DocId, DocId) -> Result<()> + 'a;

/// Candidate pairs from a list; 12 bytes per document and 4 bytes per pair, in memory or in a temporary file.
pub(crate) struct ListedCandidates {
    /// For each document, the end of its candidates in `candidates`.
    ends: Box<[usize]>,
    candidates: NumberColumn,
    /// The error that prevented reading candidates, if any; the run must then fail.
    failure: Mutex<Option<Error>>,
    components: UnionFind,
}

impl ListedCandidates {
    /// Creates the source from pairs in ascending order, each once and with the earlier document first.
    pub(crate) fn new(num_documents: usize, pairs: &[(DocId, DocId)]) -> Self {
        let add_all = |add: &mut AddPair<'_>| pairs.iter().try_for_each(|&(a, b)| add(a, b));
        Self::of_ascending(num_documents, u64::MAX, add_all).expect("nothing fails here")
    }

    /// Creates the source from pairs in ascending order.
    ///
    /// * `memory_bytes`: maximum bytes of the pairs in memory; more of them go to a temporary file.
    /// * `for_each`: passes on the pairs, the earlier document first; ascending, each once.
    ///
    /// # Errors
    /// The errors of `for_each`, and when the pairs cannot be written to the disk.
    pub(crate) fn of_ascending(
        num_documents: usize,
        memory_bytes: u64,
        for_each: impl FnOnce(&mut AddPair<'_>) -> Result<()>,
    ) -> Result<Self> {
        let components = table(|| UnionFind::new(num_documents as u32));
        let mut ends = table(|| vec![0; num_documents].into_boxed_slice());
        let mut candidates = NumberColumn::new(memory_bytes);
        for_each(&mut |a, b| {
            components.join(a.get(), b.get());
            ends[a.index()] += 1;
            candidates.push(b.get(), "a candidate pair")
        })?;
        components.settle();
        let mut end = 0;
        for len in &mut ends {
            end += *len;
            *len = end;
        }
        Ok(Self { ends, candidates, failure: Mutex::default(), components })
    }

    /// Bytes in memory.
    pub(crate) fn num_bytes(&self) -> usize {
        let documents = size_of_val(&*self.ends) + self.components.num_bytes();
        documents + self.candidates.num_bytes()
    }

    /// Checks that all candidates could be read.
    ///
    /// # Errors
    /// When candidates could not be read, so that pairs are missing.
    pub(crate) fn check(self) -> Result<()> {
        self.failure.into_inner().expect("no holder panics").map_or(Ok(()), Err)
    }

    fn positions_of(&self, document: DocId) -> Range<usize> {
        let start = document.index().checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[document.index()]
    }
}

impl CandidateSource for ListedCandidates {
    fn gather(&self, document: DocId, candidates: &mut Vec<DocId>) {
        let positions = self.positions_of(document);
        if positions.is_empty() {
            return;
        }
        let mut numbers = Vec::with_capacity(positions.len());
        match self.candidates.read(positions, &mut numbers) {
            Ok(()) => candidates.extend(numbers.into_iter().map(|number| DocId::new(number as usize))),
            Err(error) => *self.failure.lock().expect("no holder panics") = Some(error),
        }
    }

    fn least_candidates(&self, document: DocId) -> usize {
        self.positions_of(document).len()
    }

    fn component(&self, document: DocId) -> DocId {
        DocId::new(self.components.least(document.get()) as usize)
    }
}
