//! `SpanningForest`: the forest of the strongest edges, from edges in any order and number.
//!
//! It keeps the edges that may still be in the forest, and drops the others whenever the number of edges has doubled.
//! An edge that closes a circle of stronger ones is in no forest of the strongest edges, so dropping it early changes
//! nothing.

use rayon::prelude::*;

use super::edge::VerifiedEdge;
use crate::base::flat::union_find::UnionFind;
use crate::base::memory::table;

/// The forest of the strongest edges. 8 bytes per document, and at most 32 bytes per document that has an edge.
pub(super) struct SpanningForest {
    num_documents: u32,
    edges: Vec<VerifiedEdge>,
    /// Number of edges at which edges outside of the forest are dropped.
    drop_at: usize,
}

impl SpanningForest {
    pub(super) fn new(num_documents: usize) -> Self {
        let num_documents = u32::try_from(num_documents).expect("at most 2^31 documents in one run");
        let mut forest = Self { num_documents, edges: Vec::new(), drop_at: 0 };
        forest.drop_at = forest.least_drop_at();
        forest
    }

    /// Makes room for the documents below `num_documents`.
    pub(super) fn grow_to(&mut self, num_documents: usize) {
        let num_documents = u32::try_from(num_documents).expect("at most 2^31 documents in one run");
        self.num_documents = self.num_documents.max(num_documents);
    }

    pub(super) fn add(&mut self, edge: VerifiedEdge) {
        self.edges.push(edge);
        if self.edges.len() >= self.drop_at {
            strongest(&mut self.edges, self.num_documents);
            self.drop_at = self.least_drop_at().max(2 * self.edges.len());
        }
    }

    /// The edges of the forest, the strongest first.
    pub(super) fn into_edges(mut self) -> Vec<VerifiedEdge> {
        strongest(&mut self.edges, self.num_documents);
        self.edges
    }

    /// Minimum of `drop_at`: for fewer edges, resetting the components of all documents would cost more than sorting.
    fn least_drop_at(&self) -> usize {
        self.num_documents as usize / 4 + 1024
    }
}

/// Keeps only the edges of the forest of the strongest edges, the strongest first. Kruskal 1956.
pub(super) fn strongest(edges: &mut Vec<VerifiedEdge>, num_documents: u32) {
    edges.par_sort_unstable_by(VerifiedEdge::by_strength);
    let components = table(|| UnionFind::new(num_documents));
    edges.retain(|edge| {
        let (a, b) = (edge.a.get(), edge.b.get());
        let joins = !components.are_joined(a, b);
        if joins {
            components.join(a, b);
        }
        joins
    });
}

/// For each document, one document of its component; `None` for documents without an edge.
///
/// * `forest`: edges without circles.
pub(super) fn labels(forest: &[VerifiedEdge], num_documents: usize) -> Vec<Option<u32>> {
    let components = table(|| UnionFind::new(num_documents as u32));
    forest.iter().for_each(|edge| components.join(edge.a.get(), edge.b.get()));
    let mut labels = table(|| vec![None; num_documents]);
    for end in forest.iter().flat_map(|edge| [edge.a, edge.b]) {
        labels[end.index()] = Some(components.root(end.get()));
    }
    labels
}
