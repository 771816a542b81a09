//! Connected components of the documents that share buckets: what is in different ones can be verified apart.
//!
//! Union-find that all bands feed at once (Anderson and Woll 1991; Jayanti and Tarjan 2016): a root is linked to a root
//! that comes before it, by one compare-and-swap, and paths are halved on the way. So the root of a component is its first
//! document, whatever the order in which documents are joined.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

use crate::document::DocId;

/// 4 bytes a document.
#[derive(Debug)]
pub(super) struct Components {
    /// A document of the same component that does not come later; itself for a root.
    parents: Box<[AtomicU32]>,
}

impl Components {
    /// Each document alone.
    pub(super) fn new(num_documents: usize) -> Self {
        let parents = (0..num_documents).map(|index| AtomicU32::new(DocId::new(index).get()));
        Self { parents: parents.collect() }
    }

    /// Makes the components of two documents one. From any thread.
    pub(super) fn join(&self, a: DocId, b: DocId) {
        let (mut a, mut b) = (a.get(), b.get());
        loop {
            (a, b) = (self.root(a), self.root(b));
            if a == b {
                return;
            }
            let (first, later) = (a.min(b), a.max(b));
            // Another thread may have linked it meanwhile; then it is no root any more.
            let linked =
                self.parent(later).compare_exchange(later, first, Ordering::Relaxed, Ordering::Relaxed).is_ok();
            if linked {
                return;
            }
        }
    }

    /// Shortens all paths to one step; to be called once all are joined, and before [`first`](Self::first).
    pub(super) fn settle(&self) {
        (0..self.parents.len() as u32).into_par_iter().for_each(|document| {
            // Without halving, since that could put back what was above a document before it was settled.
            let mut root = document;
            loop {
                match self.parent(root).load(Ordering::Relaxed) {
                    parent if parent == root => break,
                    parent => root = parent,
                }
            }
            self.parent(document).store(root, Ordering::Relaxed);
        });
    }

    /// The first document of the component.
    pub(super) fn first(&self, document: DocId) -> DocId {
        DocId::new(self.parent(document.get()).load(Ordering::Relaxed) as usize)
    }

    /// Bytes of the components.
    pub(super) fn num_bytes(&self) -> usize {
        size_of_val(&*self.parents)
    }

    fn parent(&self, document: u32) -> &AtomicU32 {
        &self.parents[document as usize]
    }

    fn root(&self, mut document: u32) -> u32 {
        loop {
            let parent = self.parent(document).load(Ordering::Relaxed);
            let grandparent = self.parent(parent).load(Ordering::Relaxed);
            if parent == grandparent {
                return parent;
            }
            // A document that is no root never becomes one again, and what was above it stays above it.
            self.parent(document).store(grandparent, Ordering::Relaxed);
            document = grandparent;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_first_document_of_a_component_is_the_least_that_joins_lead_to(
            joins in prop::collection::vec((0usize..300, 0usize..300), 0..400),
        ) {
            let components = Components::new(300);
            joins.par_iter().for_each(|&(a, b)| components.join(DocId::new(a), DocId::new(b)));
            components.settle();
            // The slow twin: the least number spreads along all joins until nothing changes.
            let mut least: Vec<usize> = (0..300).collect();
            loop {
                let before = least.clone();
                for &(a, b) in &joins {
                    let both = least[a].min(least[b]);
                    (least[a], least[b]) = (both, both);
                }
                if least == before {
                    break;
                }
            }
            let firsts: Vec<usize> = (0..300).map(|index| components.first(DocId::new(index)).index()).collect();
            prop_assert_eq!(firsts, least);
        }
    }

    #[test]
    fn threads_that_join_a_chain_from_both_ends_make_one_component() {
        let components = Components::new(100_000);
        (1..100_000usize).into_par_iter().for_each(|later| {
            let later = if later % 2 == 0 { later } else { 100_000 - later };
            components.join(DocId::new(later), DocId::new(later - 1));
        });
        components.settle();
        assert!((0..100_000).all(|index| components.first(DocId::new(index)).index() == 0));
    }
}
