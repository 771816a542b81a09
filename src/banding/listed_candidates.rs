//! `ListedCandidates`: candidate pairs from a list.

use super::CandidateSource;
use crate::document::DocId;
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
        let components = UnionFind::new(num_documents as u32);
        let mut ends = vec![0; num_documents].into_boxed_slice();
        let mut last_users: Box<[DocId]> = (0..num_documents).map(DocId::new).collect();
        for &(a, b) in &pairs {
            components.join(a.get(), b.get());
            ends[a.index()] += 1;
            last_users[b.index()] = a;
        }
        components.settle();
        let mut end = 0;
        for (document, len) in ends.iter_mut().enumerate() {
            if *len > 0 {
                last_users[document] = DocId::new(document);
            }
            end += *len;
            *len = end;
        }
        Self { ends, candidates: pairs.into_iter().map(|(_, b)| b).collect(), last_users, components }
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
