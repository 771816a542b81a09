//! `ListedCandidates`: candidate pairs from a list.

use super::CandidateSource;
use crate::document::DocId;
use crate::error::Result;
use crate::flat::union_find::UnionFind;

/// Candidate pairs that were listed one by one; 16 bytes a document and 4 bytes a pair.
pub(crate) struct ListedCandidates {
    /// Where the candidates of each document end.
    ends: Box<[usize]>,
    candidates: Vec<DocId>,
    last_users: Box<[DocId]>,
    components: UnionFind,
}

impl ListedCandidates {
    /// * `pairs`: the earlier document first; in any order, and some perhaps more than once.
    pub(crate) fn new(num_documents: usize, mut pairs: Vec<(DocId, DocId)>) -> Self {
        pairs.sort_unstable();
        pairs.dedup();
        let add_all = |add: &mut dyn FnMut(DocId, DocId)| {
            pairs.iter().for_each(|&(a, b)| add(a, b));
            Ok(())
        };
        Self::of_ascending(num_documents, add_all).expect("nothing fails here")
    }

    /// * `for_each`: passes on the pairs, the earlier document first; ascending, each once.
    ///
    /// # Errors
    /// Those of `for_each`.
    pub(crate) fn of_ascending(
        num_documents: usize,
        for_each: impl FnOnce(&mut dyn FnMut(DocId, DocId)) -> Result<()>,
    ) -> Result<Self> {
        let components = UnionFind::new(num_documents as u32);
        let mut ends = vec![0; num_documents].into_boxed_slice();
        let mut last_users: Box<[DocId]> = (0..num_documents).map(DocId::new).collect();
        let mut candidates = Vec::new();
        for_each(&mut |a, b| {
            components.join(a.get(), b.get());
            ends[a.index()] += 1;
            last_users[b.index()] = a;
            candidates.push(b);
        })?;
        components.settle();
        let mut end = 0;
        for (document, len) in ends.iter_mut().enumerate() {
            if *len > 0 {
                last_users[document] = DocId::new(document);
            }
            end += *len;
            *len = end;
        }
        Ok(Self { ends, candidates, last_users, components })
    }

    /// Bytes in memory.
    pub(crate) fn num_bytes(&self) -> usize {
        let documents = size_of_val(&*self.ends) + size_of_val(&*self.last_users) + self.components.num_bytes();
        documents + size_of::<DocId>() * self.candidates.capacity()
    }

    fn of(&self, document: DocId) -> &[DocId] {
        let start = document.index().checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.candidates[start..self.ends[document.index()]]
    }
}

impl CandidateSource for ListedCandidates {
    fn gather(&self, document: DocId, candidates: &mut Vec<DocId>) {
        candidates.extend_from_slice(self.of(document));
    }

    fn least_candidates(&self, document: DocId) -> usize {
        self.of(document).len()
    }

    fn component(&self, document: DocId) -> DocId {
        DocId::new(self.components.least(document.get()) as usize)
    }

    fn last_user(&self, document: DocId) -> DocId {
        self.last_users[document.index()]
    }
}
